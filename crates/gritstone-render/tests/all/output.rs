//! Files, sheets, errors, and what must not change a picture.

use crate::common;
use std::fs::{self, File};
use std::io::BufReader;

use crate::common::{put, rgb};
use glam::{DQuat, DVec3};
use gritstone_core::Pose;
use gritstone_render::{
    Align, Arrow, Camera, Color, Error, Image, Instance, Label, Legend, Lens, Line, Marker, Panel, Scene,
    Sheet, Style, Text, VIRIDIS, View, palette, render, solid,
};

/// A little of everything, `scale` times as large as usual.
fn busy_scene(scale: f64) -> Scene {
    let mut scene = Scene::default();
    let scaled = |mut mesh: gritstone_core::Mesh| {
        mesh.positions.iter_mut().for_each(|p| *p *= scale);
        mesh
    };
    let ball = scene.add_mesh(&scaled(solid::sphere(40))).expect("a good mesh");
    let brick = scene.add_mesh(&scaled(solid::cuboid(DVec3::new(1.0, 0.6, 0.4)))).expect("a good mesh");
    for i in 0..24u32 {
        let t = f64::from(i);
        let position = scale * DVec3::new(4.0 * (1.3 * t).sin(), 4.0 * (2.1 * t).cos(), 0.3 * t);
        let pose = Pose::new(position, DQuat::from_rotation_x(t) * DQuat::from_rotation_z(0.7 * t));
        let mesh = if i % 2 == 0 { ball } else { brick };
        let opacity = if i % 3 == 0 { 0.4 } else { 1.0 };
        scene.add(Instance::new(mesh, pose, palette(i as usize)).with_opacity(opacity));
        let up = position + scale * 2.0 * DVec3::Z;
        scene.add_arrow(Arrow { from: position, to: up, radius: 0.05 * scale, color: Color::BLACK });
        scene.add_marker(Marker { center: up, radius: 0.15 * scale, color: Color::BLACK });
        scene.add_line(Line { from: DVec3::ZERO, to: position, radius: 0.03 * scale, color: Color::BLACK });
    }
    scene
}

fn busy_picture(scale: f64) -> Image {
    let scene = busy_scene(scale);
    let camera = Camera::fit(&scene, View::Iso, Lens::Perspective { angle_deg: 35.0 }, 1.2);
    render(&scene, &camera, &Style::default(), 120, 100).expect("a picture")
}

#[test]
fn a_picture_does_not_depend_on_the_number_of_threads() {
    let pictures = [1, 2, 3, 7].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| busy_picture(1.0))
    });
    assert!(pictures.windows(2).all(|pair| pair[0] == pair[1]));
}

/// Powers of two change no digit of any number, so that the pictures are equal unless something is absolute.
#[test]
fn a_picture_does_not_depend_on_the_size_of_grains() {
    let picture = busy_picture(1.0);
    assert!(busy_picture(f64::powi(2.0, -30)) == picture);
    assert!(busy_picture(f64::powi(2.0, 30)) == picture);
}

#[test]
fn a_png_reads_back_as_it_was_written() {
    let image = busy_picture(1.0);
    let folder = std::env::temp_dir().join(format!("gritstone-render-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("picture.png");
    image.write_png(&path).expect("a file");
    let mut reader = png::Decoder::new(BufReader::new(File::open(&path).expect("the file")))
        .read_info()
        .expect("a header");
    let mut bytes = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut bytes).expect("pixels");
    let names: Vec<_> =
        fs::read_dir(&folder).expect("the folder").map(|e| e.expect("a name").file_name()).collect();
    fs::remove_dir_all(&folder).expect("the folder goes");
    assert_eq!((info.width, info.height), (120, 100));
    assert_eq!((info.color_type, info.bit_depth), (png::ColorType::Rgb, png::BitDepth::Eight));
    let opaque: Vec<u8> = image.pixels().iter().flat_map(|&[r, g, b, _]| [r, g, b]).collect();
    assert!(bytes == opaque);
    assert_eq!(names, ["picture.png"]);
}

#[test]
fn a_file_that_cannot_be_written_is_an_error_that_names_it() {
    let error =
        Image::new(2, 2, Color::WHITE).write_png("/no/such/folder/picture.png").expect_err("no folder");
    assert_eq!(error.to_string(), "cannot write /no/such/folder/picture.png");
}

#[test]
fn bad_input_is_an_error() {
    let scene = busy_scene(1.0);
    let camera = Camera::fit(&scene, View::Iso, Lens::Orthographic, 1.0);
    let draw = |scene: &Scene, camera: &Camera, supersampling, width| {
        render(scene, camera, &Style { supersampling, ..Style::default() }, width, 10).err()
    };
    assert!(matches!(draw(&scene, &camera, 1, 0), Some(Error::Size { .. })));
    assert!(matches!(draw(&scene, &camera, 2, 20_000), Some(Error::Size { limit: 16384, .. })));
    assert!(matches!(draw(&scene, &camera, 0, 10), Some(Error::Supersampling(0))));
    assert!(matches!(draw(&scene, &camera, 9, 10), Some(Error::Supersampling(9))));

    let mut lost = Scene::default();
    let mesh = lost.add_mesh(&solid::sphere(8)).expect("a good mesh");
    let elsewhere = Instance::new(mesh, Pose::default(), Color::WHITE);
    lost.add(Instance { pose: Pose::at(DVec3::new(f64::NAN, 0.0, 0.0)), ..elsewhere });
    assert!(matches!(draw(&lost, &camera, 1, 10), Some(Error::NotFinite(_))));
    let blind = Camera::fit_points([DVec3::splat(f64::INFINITY)], View::Iso, Lens::Orthographic, 1.0);
    assert!(matches!(draw(&scene, &blind, 1, 10), Some(Error::NotFinite(_))));
    let mut stranger = Scene::default();
    stranger.add(elsewhere);
    assert!(matches!(draw(&stranger, &camera, 1, 10), Some(Error::Mesh(_))));
    assert!(matches!(Sheet::new(2, 10, 10).render(), Err(Error::EmptySheet)));
}

#[test]
fn a_sheet_shows_its_pictures_in_rows_with_captions() {
    let mut sheet = Sheet::new(2, 90, 60);
    sheet.title = "Three colours".into();
    sheet.legend = Some(Legend::Scale { title: "speed".into(), map: VIRIDIS, range: [0.0, 1.0] });
    sheet.style = common::even();
    for hex in [0xFF0000, 0x00FF00, 0x0000FF] {
        let mut scene = Scene::default();
        put(&mut scene, &solid::cuboid(DVec3::ONE), DVec3::ZERO, Color::hex(hex));
        let camera = Camera::fit(&scene, View::Y, Lens::Orthographic, sheet.aspect());
        sheet.panels.push(Panel { scene, camera, caption: vec!["one".into(), "a caption".into()] });
    }
    let image = sheet.render().expect("a sheet");
    let places = |hex: u32| {
        let rgb = Color::hex(hex).to_srgb8();
        let at: Vec<usize> =
            image.pixels().iter().enumerate().filter(|(_, p)| p[..3] == rgb).map(|(i, _)| i).collect();
        let middle = at[at.len() / 2];
        (middle as u32 % image.width(), middle as u32 / image.width())
    };
    let [red, green, blue] = [0xFF0000, 0x00FF00, 0x0000FF].map(places);
    assert!(red.1 == green.1 && red.0 + 90 <= green.0);
    assert!(blue.0 == red.0 && red.1 + 60 < blue.1);
    // Ink between the rows of pictures, colours of the scale at the right.
    let between = (red.1 + 30..blue.1 - 30).flat_map(|y| (0..90).map(move |x| (x, y)));
    assert!(between.filter(|(x, y)| rgb(&image, *x, *y)[0] < 120).count() > 50);
    let right = (0..image.height()).flat_map(|y| (200..image.width()).map(move |x| (x, y)));
    let middle = [0x21, 0x91, 0x8C];
    let near = |color: [u8; 3]| color.iter().zip(middle).all(|(a, b)| a.abs_diff(b) < 8);
    assert!(right.filter(|(x, y)| near(rgb(&image, *x, *y))).count() > 0);
}

/// Ink of words within a picture: first and last column.
fn ink(image: &Image) -> (u32, u32) {
    let dark = |x: u32| (0..image.height()).any(|y| rgb(image, x, y)[0] < 200);
    let columns: Vec<u32> = (0..image.width()).filter(|x| dark(*x)).collect();
    (columns[0], columns[columns.len() - 1])
}

#[test]
fn words_take_the_width_that_they_say_on_the_side_that_they_say() {
    let words = "Hamburg 10.5";
    for (align, start) in [(Align::Left, 0.0), (Align::Center, 0.5), (Align::Right, 1.0)] {
        let mut image = Image::new(400, 60, Color::WHITE);
        let text = Text::new(20.0, Color::BLACK).aligned(align);
        let width = text.width(words);
        text.draw(&mut image, 200.0, 40.0, words);
        let (first, last) = ink(&image);
        assert!((first as f32 - (200.0 - start * width)).abs() < 2.0);
        assert!((last as f32 - (200.0 + (1.0 - start) * width)).abs() < 2.0);
    }
}

#[test]
fn a_label_stands_at_its_point_over_everything() {
    let mut scene = Scene::default();
    put(&mut scene, &solid::sphere(32), DVec3::ZERO, Color::WHITE);
    let camera = Camera::fit(&scene, View::Iso, Lens::Orthographic, 2.0);
    scene.add_label(Label {
        at: DVec3::ZERO,
        text: "grain 7".into(),
        height: 0.1,
        color: Color::BLACK,
        align: Align::Center,
    });
    let image = render(&scene, &camera, &common::even(), 400, 200).expect("a picture");
    let (first, last) = ink(&image);
    assert!((first + last).abs_diff(400) < 8 && last - first > 60);
}
