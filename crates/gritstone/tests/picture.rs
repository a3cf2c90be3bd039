//! Pictures of made-up trajectories: areas, places and colours against closed forms.

use std::path::Path;

use glam::{DQuat, DVec2, DVec3};
use gritstone::core::{Plane, Pose, Space};
use gritstone::engine::{BodyState, Cell, Side, Snapshot, Wall, WallState};
use gritstone::io::trajectory::{Description, PackedRotation, Writer};
use gritstone::picture::{Album, Coloring, Look, PictureError, movie};
use gritstone::prelude::*;
use gritstone::render::{Color, Image, VIRIDIS, View, palette};
use gritstone::shape::space::HalfSpace;
use tempfile::TempDir;

/// A grain of a shape at a place, moving.
fn grain(id: u32, shape: u32, position: DVec3, velocity: f64) -> BodyState<Space> {
    BodyState {
        id,
        shape,
        pose: Pose::at(position),
        velocity: DVec3::new(velocity, 0.0, 0.0),
        ..Default::default()
    }
}

fn write<D: PackedRotation>(
    folder: &Path,
    shapes: &[D::Shape],
    walls: &[Wall<D>],
    moments: &[Vec<BodyState<D>>],
) {
    let names: Vec<String> = (0..shapes.len()).map(|i| format!("shape-{i}")).collect();
    let materials = ["glass".to_owned(), "steel".to_owned()];
    let description =
        Description { title: "", shapes, compounds: None, shape_names: &names, materials: &materials, walls };
    let mut writer = Writer::<D>::create(&folder.join("trajectory.grit"), &description).unwrap();
    for (i, bodies) in moments.iter().enumerate() {
        let walls =
            walls.iter().map(|wall| WallState { present: true, pose: wall.pose, ..Default::default() });
        let snapshot = Snapshot {
            step: 10 * i as u64,
            time: 0.1 * i as f64,
            bodies: bodies.clone(),
            walls: walls.collect(),
            ..Default::default()
        };
        writer.push(&snapshot, true).unwrap();
    }
}

fn in_space(shapes: &[Solid], moments: &[Vec<BodyState<Space>>]) -> (TempDir, Album) {
    let folder = tempfile::tempdir().unwrap();
    write::<Space>(folder.path(), shapes, &[], moments);
    let album = Album::open(folder.path()).unwrap();
    (folder, album)
}

fn look(view: View, coloring: Coloring) -> Look {
    Look { view, coloring: Some(coloring), width: 500, height: 400, supersampling: 3 }
}

/// Words and walls are grey; grains are not. Rows and columns of the coloured pixels, row by row.
fn colored(image: &Image) -> Vec<(u32, u32)> {
    let is_colored = |x: u32, y: u32| {
        let [r, g, b, _] = image.get(x, y).unwrap();
        r.max(g).max(b) - r.min(g).min(b) > 24
    };
    (0..image.height())
        .flat_map(|y| (0..image.width()).map(move |x| (x, y)))
        .filter(|(x, y)| is_colored(*x, *y))
        .collect()
}

/// Width and height in pixels of the box around some pixels.
fn extent(pixels: &[(u32, u32)]) -> DVec2 {
    let span = |values: Vec<u32>| f64::from(values.iter().max().unwrap() - values.iter().min().unwrap() + 1);
    DVec2::new(span(pixels.iter().map(|p| p.0).collect()), span(pixels.iter().map(|p| p.1).collect()))
}

/// Part of its bounding box that the curve |x|ⁿ + |y|ⁿ = 1 encloses: Γ(1 + 1/n)² / Γ(1 + 2/n), here with the values of the
/// Gamma function that tables print.
fn superellipse_share(exponent: f64) -> f64 {
    match exponent {
        0.1 => 0.973_504_27_f64.powi(2) / 0.951_350_77,
        1.0 => std::f64::consts::FRAC_PI_4,
        1.9 => 0.979_880_65_f64.powi(2) / 1.827_355_08,
        _ => panic!("no value for {exponent}"),
    }
}

/// From above the section has the first exponent, from the side the second; no pixel within the outline is missing.
#[test]
fn superellipsoids_have_the_outlines_of_their_sections_without_cracks() {
    for exponents @ [first, second] in [[1.0, 1.0], [0.1, 0.1], [1.9, 1.9], [0.1, 1.9], [1.9, 0.1]] {
        let radii = DVec3::new(2.0, 1.6, 1.2);
        let solid = Solid::from(Superellipsoid::new(radii, exponents).unwrap());
        let (_folder, mut album) = in_space(&[solid], &[vec![grain(0, 0, DVec3::new(0.3, 0.2, 0.9), 0.0)]]);
        for (view, exponent, sides) in
            [(View::Z, first, radii.truncate()), (View::X, second, DVec2::new(radii.y, radii.z))]
        {
            let image = album.draw(0, &look(view, Coloring::Shape)).unwrap();
            let pixels = colored(&image);
            let size = extent(&pixels);
            let (aspect, expected) = (size.x / size.y, sides.x / sides.y);
            assert!(
                (aspect / expected - 1.0).abs() < 0.008,
                "{exponents:?} {view:?}: {aspect} instead of {expected}"
            );
            let (share, expected) = (pixels.len() as f64 / (size.x * size.y), superellipse_share(exponent));
            assert!(
                (share - expected).abs() < 0.008,
                "{exponents:?} {view:?}: {share} instead of {expected}"
            );
            let rows = pixels.chunk_by(|a, b| a.1 == b.1);
            for row in rows {
                let (from, to) = (row[0].0, row[row.len() - 1].0);
                assert_eq!(
                    row.len() as u32,
                    to - from + 1,
                    "{exponents:?} {view:?}: a hole in row {}",
                    row[0].1
                );
            }
        }
    }
}

/// Neighbouring pixels of a smooth grain differ little, although it is made of triangles: light falls from full to none over
/// the radius of 175 pixels, 1.5 of 255 each, and a facet's normal instead of the surface's would make steps of ten.
#[test]
fn light_changes_smoothly_over_a_smooth_grain() {
    let solid = Solid::from(Ellipsoid::new(DVec3::new(1.0, 0.9, 1.1)).unwrap());
    let (_folder, mut album) = in_space(&[solid], &[vec![grain(0, 0, DVec3::ZERO, 0.0)]]);
    let image = album.draw(0, &look(View::Y, Coloring::Shape)).unwrap();
    let pixels = colored(&image);
    let rows: Vec<&[(u32, u32)]> = pixels.chunk_by(|a, b| a.1 == b.1).collect();
    let mut steepest = 0;
    for row in rows.iter().filter(|row| row.len() > 60) {
        let green = |p: &(u32, u32)| image.get(p.0, p.1).unwrap()[1];
        let inner = &row[12..row.len() - 12];
        steepest = inner.windows(2).map(|w| green(&w[0]).abs_diff(green(&w[1]))).fold(steepest, u8::max);
    }
    assert!((1..=3).contains(&steepest), "{steepest}");
}

/// Hue and saturation without brightness.
fn chroma(rgb: [u8; 3]) -> DVec3 {
    let color = Color::from_srgb8(rgb);
    DVec3::new(color.r.into(), color.g.into(), color.b.into()).normalize()
}

fn is_alike(found: [u8; 3], expected: Color) -> bool {
    chroma(found).dot(chroma(expected.to_srgb8())) > 0.985
}

/// Three balls in a row: the picture in each of them has the colour of its number, up to light and shade, and they are as
/// far apart as they should be.
#[test]
fn grains_have_the_colour_of_their_number_at_their_place() {
    let ball = Solid::from(Sphere::new(1.0).unwrap());
    let bodies = (0..3).map(|i| {
        let body = grain(i, 0, DVec3::new(3.0 * f64::from(i), 0.0, 0.0), 0.5 * f64::from(i));
        BodyState { material: (i % 2) as u16, coordination: 2 * i as u16, ..body }
    });
    let (_folder, mut album) = in_space(&[ball], &[bodies.collect()]);
    let numbers = |i: u32| VIRIDIS.at(0.5 * f64::from(i));
    let kinds = |i: u32| palette(i as usize % 2);
    let cases: [(Coloring, &dyn Fn(u32) -> Color); 3] =
        [(Coloring::Speed, &numbers), (Coloring::Coordination, &numbers), (Coloring::Material, &kinds)];
    for (coloring, expected) in cases {
        // So flat that the legend stands well to the right of the grains.
        let image = album.draw(0, &Look { height: 100, ..look(View::Y, coloring) }).unwrap();
        let legend = image.width() * 3 / 4;
        let pixels: Vec<_> = colored(&image).into_iter().filter(|(x, _)| *x < legend).collect();
        let (left, wide) = (f64::from(pixels.iter().map(|p| p.0).min().unwrap()), extent(&pixels).x);
        let top = pixels.iter().map(|p| p.1).min().unwrap();
        let middle = top + (0.5 * extent(&pixels).y) as u32;
        // Radii 1, centres 3 apart: eight units across.
        for i in 0..3 {
            let x = left + wide * (1.0 + 3.0 * f64::from(i)) / 8.0;
            let [r, g, b, _] = image.get(x as u32, middle).unwrap();
            assert!(is_alike([r, g, b], expected(i)), "{coloring:?} {i}: {r} {g} {b}");
        }
        // Between them is nothing.
        for gap in [2.5, 5.5] {
            assert_eq!(image.get((left + wide * gap / 8.0) as u32, middle), Some([255; 4]), "{coloring:?}");
        }
        assert!((wide / extent(&pixels).y - 4.0).abs() < 0.05);
    }
}

/// A cube that is turned by 45° about z is √2 wide from the front.
#[test]
fn grains_are_turned() {
    let corners: Vec<DVec3> = (0..8)
        .map(|i| DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)) - 0.5)
        .collect();
    let cube = Solid::from(Polyhedron::hull(&corners).unwrap().0);
    let turned = Pose::new(DVec3::ZERO, DQuat::from_rotation_z(std::f64::consts::FRAC_PI_4));
    let body = BodyState { pose: turned, ..grain(0, 0, DVec3::ZERO, 0.0) };
    let (_folder, mut album) = in_space(&[cube], &[vec![body]]);
    let size = extent(&colored(&album.draw(0, &look(View::Y, Coloring::Shape)).unwrap()));
    assert!((size.x / size.y / 2f64.sqrt() - 1.0).abs() < 0.01, "{size}");
}

/// A floor is drawn light and grey; from below it does not hide the grains.
#[test]
fn walls_do_not_hide_grains() {
    let folder = tempfile::tempdir().unwrap();
    let ball = Solid::from(Sphere::new(1.0).unwrap());
    let floor = Wall::fixed("floor", HalfSpace::new(DVec3::Z, 0.0).unwrap().into(), 0);
    let moment =
        vec![grain(0, 0, DVec3::new(0.0, 0.0, 1.0), 0.0), grain(1, 0, DVec3::new(2.0, 0.0, 1.0), 0.0)];
    write::<Space>(folder.path(), &[ball], &[floor], &[moment]);
    let mut album = Album::open(folder.path()).unwrap();
    let area = |album: &mut Album, view| {
        let image = album.draw(0, &look(view, Coloring::Shape)).unwrap();
        let size = extent(&colored(&image));
        colored(&image).len() as f64 / (size.x * size.y)
    };
    // Two discs side by side fill π/4 of their box.
    for view in [View::From(DVec3::new(0.0, -1e-3, -1.0)), View::Z] {
        let share = area(&mut album, view);
        assert!((share - std::f64::consts::FRAC_PI_4).abs() < 0.01, "{view:?}: {share}");
    }
    let image = album.draw(0, &look(View::Z, Coloring::Shape)).unwrap();
    let light = image
        .pixels()
        .iter()
        .filter(|[r, g, b, _]| r.max(g).max(b) - r.min(g).min(b) < 8 && (150..255).contains(g));
    assert!(light.count() > 10_000, "the floor is to be seen");
}

#[test]
fn shapes_of_the_plane_are_flat_and_have_their_area() {
    let folder = tempfile::tempdir().unwrap();
    let body = |id: u32, shape: u32, x: f64, angle: f64| BodyState::<Plane> {
        id,
        shape,
        pose: Pose::new(DVec2::new(x, 0.0), angle),
        ..Default::default()
    };
    let shapes =
        [Figure::from(Circle::new(1.0).unwrap()), Figure::from(Ellipse::new(DVec2::new(2.0, 0.5)).unwrap())];
    let upright = std::f64::consts::FRAC_PI_2;
    write::<Plane>(folder.path(), &shapes, &[], &[vec![body(0, 0, 0.0, 0.0), body(1, 1, 3.0, upright)]]);
    let mut album = Album::open(folder.path()).unwrap();
    let image = album.draw(0, &Look { height: 300, ..look(View::Iso, Coloring::Shape) }).unwrap();
    let legend = image.width() * 3 / 4;
    let pixels: Vec<_> = colored(&image).into_iter().filter(|(x, _)| *x < legend).collect();
    let size = extent(&pixels);
    // From −1 to 3.5 across, 4 high; areas π and π.
    assert!((size.x / size.y - 4.5 / 4.0).abs() < 0.01, "{size}");
    let per_metre = size.y / 4.0;
    let area = pixels.len() as f64 / per_metre.powi(2);
    assert!((area / std::f64::consts::TAU - 1.0).abs() < 0.02, "{area}");
    let (left, top) = (pixels.iter().map(|p| p.0).min().unwrap(), pixels.iter().map(|p| p.1).min().unwrap());
    let middle = top + (2.0 * per_metre) as u32;
    for (i, x) in [(0, 1.0), (1, 4.0)] {
        let [r, g, b, _] = image.get(left + (x * per_metre) as u32, middle).unwrap();
        assert_eq!([r, g, b], palette(i).to_srgb8(), "grain {i}");
    }
}

#[test]
fn pictures_do_not_depend_on_the_number_of_threads() {
    let solids = [
        Solid::from(Sphere::new(0.5).unwrap()),
        Solid::from(Superellipsoid::new(DVec3::ONE, [0.3, 1.2]).unwrap()),
    ];
    let bodies = (0..40).map(|i| {
        grain(i, i % 2, DVec3::new(f64::from(i % 7), f64::from(i / 7), f64::from(i % 3)), f64::from(i))
    });
    let (_folder, mut album) = in_space(&solids, &[bodies.collect()]);
    let mut draw = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let look = Look { width: 200, height: 150, ..look(View::Iso, Coloring::Speed) };
        pool.install(|| album.draw(0, &look).unwrap())
    };
    assert!(draw(1) == draw(3));
}

/// A ball that goes from left to right over five frames, decoded again by a GIF reader.
#[test]
fn a_movie_shows_what_moves_where_it_moves() {
    let ball = Solid::from(Sphere::new(1.0).unwrap());
    let moments: Vec<_> = (0..5)
        .map(|i| {
            vec![
                grain(0, 0, DVec3::new(2.0 * f64::from(i), 0.0, 0.0), 1.0),
                grain(1, 0, DVec3::new(0.0, 0.0, 4.0), 0.0),
            ]
        })
        .collect();
    let (folder, mut album) = in_space(&[ball], &moments);
    let path = folder.path().join("movie.gif");
    let look =
        Look { view: View::Y, coloring: Some(Coloring::Shape), width: 320, height: 200, supersampling: 2 };
    let mut told = Vec::new();
    movie::write(&mut album, &[0, 1, 2, 3, 4], &look, 20, &path, &mut |done| told.push(done)).unwrap();
    assert_eq!(told, [1, 2, 3, 4, 5]);
    let screens = decode(&path, 5);
    let mut centers = Vec::new();
    for screen in &screens {
        let blue = |at: &usize| screen[*at][2] > screen[*at][0].saturating_add(24);
        // The ball that moves is in the lower half.
        let lower = 320 * 100..screen.len();
        let low: Vec<f64> = lower.filter(blue).map(|at| (at % 320) as f64).collect();
        centers.push(low.iter().sum::<f64>() / low.len() as f64);
        assert_eq!(screen[0], [255; 3], "the ground is white");
    }
    let steps: Vec<f64> = centers.windows(2).map(|w| w[1] - w[0]).collect();
    let mean = steps.iter().sum::<f64>() / 4.0;
    assert!(mean > 10.0 && steps.iter().all(|step| (step / mean - 1.0).abs() < 0.05), "{centers:?}");
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "nothing is left beside the movie: {left:?}");
}

/// The frames of a GIF as a screen shows them.
fn decode(path: &Path, expected: usize) -> Vec<Vec<[u8; 3]>> {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(std::fs::File::open(path).unwrap()).unwrap();
    let size = usize::from(decoder.width()) * usize::from(decoder.height());
    let mut screen = vec![[0; 3]; size];
    let mut screens = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        assert_eq!(frame.delay, 5);
        for (shown, pixel) in screen.iter_mut().zip(frame.buffer.as_chunks::<4>().0) {
            if pixel[3] == 255 {
                *shown = [pixel[0], pixel[1], pixel[2]];
            }
        }
        screens.push(screen.clone());
    }
    assert_eq!(screens.len(), expected);
    screens
}

#[test]
fn times_outside_and_absurd_sizes_are_refused() {
    let ball = Solid::from(Sphere::new(1.0).unwrap());
    let moments: Vec<_> = (0..3).map(|_| vec![grain(0, 0, DVec3::ZERO, 0.0)]).collect();
    let (_folder, mut album) = in_space(&[ball], &moments);
    assert_eq!(album.frame_at(0.0).unwrap(), 0);
    assert_eq!(album.frame_at(0.14).unwrap(), 1);
    assert_eq!(album.frame_at(0.2).unwrap(), 2);
    for outside in [-1.0, 0.5, f64::NAN] {
        let error = album.frame_at(outside).unwrap_err();
        assert!(error.to_string().contains("from 0 to 0.2 s"), "{error}");
    }
    for (width, height) in [(0, 100), (100, 63), (9000, 100)] {
        let look = Look { width, height, ..Look::default() };
        assert!(matches!(album.draw(0, &look), Err(PictureError::Size { .. })));
    }
}

/// A run without grains, and one with a grain that flew off: there is a picture nonetheless, and the others fill it.
#[test]
fn nothing_and_strays_leave_a_picture() {
    let ball = Solid::from(Sphere::new(1.0).unwrap());
    let mut bodies: Vec<_> =
        (0..400).map(|i| grain(i, 0, DVec3::new(f64::from(i % 20), f64::from(i / 20), 0.0), 0.0)).collect();
    bodies.push(grain(400, 0, DVec3::new(0.0, 0.0, -1e5), 0.0));
    bodies.push(grain(401, 0, DVec3::new(f64::NAN, 0.0, 0.0), 0.0));
    let (_folder, mut album) = in_space(&[ball], &[Vec::new(), bodies]);
    let look = look(View::Z, Coloring::Shape);
    assert!(colored(&album.draw(0, &look).unwrap()).is_empty());
    let area = colored(&album.draw(1, &look).unwrap()).len();
    assert!(area > 60_000, "{area} pixels of 200000");
}

/// A cell of 10 by 6 about a disc of diameter 2: its outline is five and three times as wide and high as the disc.
#[test]
fn cells_that_repeat_have_an_outline() {
    let folder = tempfile::tempdir().unwrap();
    let disc = Figure::from(Circle::new(1.0).unwrap());
    let (names, materials) = (["disc".to_owned()], ["glass".to_owned()]);
    let description = Description::<Plane> {
        title: "",
        shapes: &[disc],
        compounds: None,
        shape_names: &names,
        materials: &materials,
        walls: &[],
    };
    let mut writer = Writer::create(&folder.path().join("trajectory.grit"), &description).unwrap();
    let side = |vector| Some(Side { vector, velocity: DVec2::ZERO });
    let sides = [side(DVec2::X * 10.0), side(DVec2::Y * 6.0), None];
    let cell = Cell { centre: DVec2::new(3.0, 1.0), sides, ..Default::default() };
    let body = BodyState { pose: Pose::at(cell.centre), ..Default::default() };
    writer.push_in(&Snapshot { bodies: vec![body], ..Default::default() }, Some(&cell), true).unwrap();
    let mut album = Album::open(folder.path()).unwrap();
    let image = album.draw(0, &look(View::Z, Coloring::Shape)).unwrap();
    let disc = extent(&colored(&image));
    // The line is dark; the caption's words, which are too, stand below it.
    let dark = |x: u32, y: u32| image.get(x, y).unwrap()[..3].iter().all(|&part| part < 200);
    let rows = (0..image.height() * 9 / 10).flat_map(|y| (0..image.width()).map(move |x| (x, y)));
    let line: Vec<(u32, u32)> = rows.filter(|&(x, y)| dark(x, y)).collect();
    let ratio = extent(&line) / disc;
    // The disc's rim and the line are a pixel or two thick.
    assert!((ratio - DVec2::new(5.0, 3.0)).abs().max_element() < 0.15, "{ratio}");
}
