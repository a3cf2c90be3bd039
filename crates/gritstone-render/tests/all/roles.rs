//! Scaled grains, and what they are seen against.

use std::f64::consts::PI;

use crate::common::{dark, light, light_at, rgb, seen, square};
use glam::DVec3;
use gritstone_core::Pose;
use gritstone_render::{
    Camera, Color, Figure, Image, Instance, Legend, Lens, Role, Scene, Style, View, render, solid,
};

/// A unit sphere that is scaled along its axes is an ellipsoid: from above it covers π a b.
#[test]
fn a_scaled_sphere_covers_pi_a_b() {
    let mut scene = Scene::default();
    let ball = scene.add_mesh(&solid::sphere(256)).expect("a good mesh");
    let scale = DVec3::new(2.0, 0.5, 1.0);
    scene.add(Instance::new(ball, Pose::at(DVec3::ZERO), Color::BLACK).scaled(scale));
    let side = 300;
    let camera = Camera::fit(&scene, View::Z, Lens::Orthographic, 1.0);
    let style = Style { supersampling: 4, ..dark() };
    let image = render(&scene, &camera, &style, side, side).expect("a picture");
    let per_metre = seen(&camera, &image, DVec3::X).distance(seen(&camera, &image, DVec3::ZERO));
    let found: f64 =
        (0..side).flat_map(|y| (0..side).map(move |x| (x, y))).map(|(x, y)| 1.0 - light(&image, x, y)).sum();
    let expected = PI * 2.0 * 0.5 * per_metre.powi(2);
    assert!((found / expected - 1.0).abs() < 2e-3, "{found} instead of {expected} pixels");
}

/// A ball over a floor, with the lamp straight above, seen from above.
fn floor_and_ball(role: Role, color: Color) -> (Scene, Camera, Image) {
    let mut scene = Scene::default();
    let floor = scene.add_mesh(&square(8.0)).expect("a good mesh");
    scene.add(Instance::new(floor, Pose::at(DVec3::ZERO), color).with_role(role));
    let ball = scene.add_mesh(&solid::sphere(64)).expect("a good mesh");
    scene.add(Instance::new(ball, Pose::at(DVec3::new(0.0, 0.0, 1.0)), Color::BLACK));
    let camera = Camera::fit(&scene, View::Iso, Lens::Orthographic, 1.0);
    let image = render(&scene, &camera, &Style::default(), 300, 300).expect("a picture");
    (scene, camera, image)
}

#[test]
fn a_backdrop_shows_its_own_colour_and_the_shadows_on_it() {
    let grey = Color::hex(0xCCCCCC);
    let (_, camera, image) = floor_and_ball(Role::Backdrop, grey);
    let free = seen(&camera, &image, DVec3::new(6.0, 6.0, 0.0));
    assert_eq!(rgb(&image, free.x as u32, free.y as u32), [0xCC; 3]);
    // The lamp stands on the left, above and before: its shadow falls to the right and behind.
    let darkest = (-30..=30)
        .flat_map(|i| (-30..=30).map(move |k| (i, k)))
        .map(|(i, k)| light_at(&camera, &image, DVec3::new(0.1 * f64::from(i), 0.1 * f64::from(k), 0.0)));
    let darkest = darkest.filter(|light| *light > 0.05).fold(1.0, f64::min);
    let full = f64::from(grey.g);
    assert!(darkest < 0.65 * full, "{darkest} of {full}");
}

/// The floor itself stands in nobody's light: what lies below it is as bright with it as without.
#[test]
fn scenery_and_backdrops_cast_no_shadow() {
    let bright = |role: Option<Role>| {
        let mut scene = Scene::default();
        let floor = scene.add_mesh(&square(1.0)).expect("a good mesh");
        scene.add(Instance::new(floor, Pose::at(DVec3::ZERO), Color::WHITE).with_role(Role::Backdrop));
        let lid = Instance::new(floor, Pose::at(DVec3::new(-1.5, 1.5, 1.5)), Color::WHITE);
        if let Some(role) = role {
            scene.add(lid.with_role(role));
        }
        let ball = scene.add_mesh(&solid::sphere(16)).expect("a good mesh");
        scene.add(Instance::new(ball, Pose::at(DVec3::new(4.0, -4.0, 0.0)), Color::WHITE));
        let corners = [DVec3::splat(-5.0), DVec3::splat(5.0)];
        let camera = Camera::fit_points(corners, View::Z, Lens::Orthographic, 1.0);
        let style = Style { occlusion: 0.0, ..Style::default() };
        let image = render(&scene, &camera, &style, 400, 400).expect("a picture");
        light_at(&camera, &image, DVec3::new(0.0, 0.0, 0.0))
    };
    let without = bright(None);
    assert_eq!(bright(Some(Role::Scenery)), without);
    assert_eq!(bright(Some(Role::Backdrop)), without);
    assert!(bright(Some(Role::Player)) < 0.8 * without);
}

#[test]
fn a_figure_keeps_its_size_and_leaves_the_picture_whole() {
    let legend = Legend::Kinds {
        title: "kind".into(),
        kinds: vec![(Color::BLACK, "one".into()), (Color::WHITE, "two".into())],
    };
    let figure = Figure { width: 400, height: 300, legend: Some(legend), caption: "t = 0 s".into() };
    let (width, height) = figure.room();
    assert!(width < 400 && width > 250 && height < 300 && height > 250);
    let picture = Image::new(width, height, Color::hex(0x123456));
    let image = figure.compose(&picture);
    assert_eq!((image.width(), image.height()), (400, 300));
    let whole = (0..height).all(|y| (0..width).all(|x| rgb(&image, x, y) == [0x12, 0x34, 0x56]));
    assert!(whole);
    let inked = |x0: u32, y0: u32, x1: u32, y1: u32| {
        (y0..y1).any(|y| (x0..x1).any(|x| rgb(&image, x, y) != [255; 3]))
    };
    assert!(inked(width, 0, 400, height) && inked(0, height, width, 300));
}
