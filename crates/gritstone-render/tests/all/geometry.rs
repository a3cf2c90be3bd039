//! Where things are seen, against closed forms of projection.

use std::f64::consts::PI;

use crate::common::{dark, even, light, put, rgb, seen, square};
use glam::{DQuat, DVec2, DVec3};
use gritstone_core::{Mesh, Pose};
use gritstone_render::{Camera, Color, Instance, Lens, Scene, Style, View, render, solid};

const BLUE: u32 = 0x0000FF;
const RED: u32 = 0xFF0000;

/// Area of what is black before white, in pixels.
fn dark_area(scene: &Scene, camera: &Camera, side: u32) -> f64 {
    let style = Style { supersampling: 4, ..dark() };
    let image = render(scene, camera, &style, side, side).expect("a picture");
    let pixels = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
    pixels.map(|(x, y)| 1.0 - light(&image, x, y)).sum()
}

fn ball_scene(radius: f64) -> Scene {
    let mut ball = solid::sphere(256);
    ball.positions.iter_mut().for_each(|p| *p *= radius);
    let mut scene = Scene::default();
    put(&mut scene, &ball, DVec3::new(0.3, -0.2, 0.7), Color::WHITE);
    scene
}

#[test]
fn a_sphere_covers_pi_r_squared() {
    let scene = ball_scene(2.0);
    let camera = Camera::fit(&scene, View::Iso, Lens::Orthographic, 1.0);
    let across = |p: DVec3| camera.project(p, 200, 200).expect("parallel rays see all");
    let per_metre = (across(DVec3::Z) - across(DVec3::ZERO)).length() / (2f64 / 3.0).sqrt();
    let expected = PI * (2.0 * per_metre).powi(2);
    let found = dark_area(&scene, &camera, 200);
    assert!((found / expected - 1.0).abs() < 1e-3, "{found} instead of {expected} pixels");
}

/// On the axis, a sphere of radius r at distance d is seen as a disc of radius f·r/√(d² − r²).
#[test]
fn a_sphere_in_perspective_covers_its_cone() {
    let (radius, side, angle_deg) = (2.0, 200, 40.0f64);
    let scene = ball_scene(radius);
    let camera = Camera::fit(&scene, View::Y, Lens::Perspective { angle_deg }, 1.0);
    let f = 0.5 * f64::from(side) / (0.5 * angle_deg.to_radians()).tan();
    let center = DVec3::new(0.3, -0.2, 0.7);
    let across = |p: DVec3| camera.project(p, side, side).expect("it lies ahead");
    let d = f * radius / (across(center + radius * DVec3::Z) - across(center)).length();
    let expected = PI * (f * radius).powi(2) / (d * d - radius * radius);
    let found = dark_area(&scene, &camera, side);
    assert!((found / expected - 1.0).abs() < 1e-3, "{found} instead of {expected} pixels");
}

fn check_box_bounds(lens: Lens) {
    let half = DVec3::new(1.0, 0.7, 0.4);
    let pose =
        Pose::new(DVec3::new(5.0, 6.0, 7.0), DQuat::from_rotation_x(0.3) * DQuat::from_rotation_y(0.5));
    let mut scene = Scene::default();
    let mesh = scene.add_mesh(&solid::cuboid(half)).expect("a good mesh");
    scene.add(Instance::new(mesh, pose, Color::BLACK));
    let (width, height) = (240, 160);
    let camera = Camera::fit(&scene, View::Iso, lens, 1.5);
    let image = render(&scene, &camera, &dark(), width, height).expect("a picture");

    let signs = [-1.0, 1.0];
    let corners =
        signs.iter().flat_map(|x| signs.iter().flat_map(move |y| signs.map(|z| DVec3::new(*x, *y, z))));
    let seen_corners: Vec<DVec2> = corners.map(|c| seen(&camera, &image, pose.to_world(half * c))).collect();
    let low = seen_corners.iter().copied().fold(DVec2::INFINITY, DVec2::min);
    let high = seen_corners.iter().copied().fold(DVec2::NEG_INFINITY, DVec2::max);

    let covered = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let covered: Vec<DVec2> = covered
        .filter(|(x, y)| rgb(&image, *x, *y) == [0; 3])
        .map(|(x, y)| DVec2::new(f64::from(x), f64::from(y)))
        .collect();
    let first = covered.iter().copied().fold(DVec2::INFINITY, DVec2::min);
    let last = covered.iter().copied().fold(DVec2::NEG_INFINITY, DVec2::max) + 1.0;
    // A sharp corner may miss the middle of the pixel that it ends in.
    assert!((first - low).abs().max_element() < 1.5, "begins at {first} instead of {low}");
    assert!((last - high).abs().max_element() < 1.5, "ends at {last} instead of {high}");
    assert!(low.min_element() > 0.0 && high.x < f64::from(width) && high.y < f64::from(height));
    let fill = ((high - low) / DVec2::new(f64::from(width), f64::from(height))).max_element();
    assert!((0.85..1.0).contains(&fill), "fills {fill} of the picture");
}

#[test]
fn a_box_is_seen_between_its_projected_corners() {
    check_box_bounds(Lens::Orthographic);
    check_box_bounds(Lens::Perspective { angle_deg: 50.0 });
}

#[test]
fn the_nearer_thing_is_seen_whatever_the_order() {
    for flip in [false, true] {
        let mut scene = Scene::default();
        let mut things = [(DVec3::ZERO, RED), (3.0 * DVec3::Z, BLUE)];
        if flip {
            things.reverse();
        }
        for (at, color) in things {
            put(&mut scene, &solid::sphere(32), at, Color::hex(color));
        }
        for (view, color) in [(View::Z, [0, 0, 255]), (View::From(DVec3::NEG_Z), [255, 0, 0])] {
            let camera = Camera::fit(&scene, view, Lens::Orthographic, 1.0);
            let image = render(&scene, &camera, &even(), 31, 31).expect("a picture");
            assert_eq!(rgb(&image, 15, 15), color);
        }
    }
}

/// Two equal spheres that overlap meet in the plane midway, which is seen edge-on here.
#[test]
fn spheres_that_overlap_meet_in_the_middle() {
    let mut scene = Scene::default();
    put(&mut scene, &solid::sphere(128), DVec3::new(-0.5, 0.0, 0.0), Color::hex(RED));
    put(&mut scene, &solid::sphere(128), DVec3::new(0.5, 0.0, 0.0), Color::hex(BLUE));
    let camera = Camera::fit(&scene, View::Z, Lens::Orthographic, 1.5);
    let image = render(&scene, &camera, &even(), 180, 120).expect("a picture");
    for y in 0..120 {
        for x in (0..180).filter(|x| !(88..92).contains(x)) {
            let color = rgb(&image, x, y);
            let side = if x < 90 { [255, 0, 0] } else { [0, 0, 255] };
            assert!(color == side || color == [255; 3], "{color:?} at {x}, {y}");
        }
    }
}

/// Cells with crooked borders: half transparent, so that a sample that is hit twice or never shows.
#[test]
fn triangles_with_common_edges_share_no_sample_and_leave_no_gap() {
    let cells = 12u32;
    let mut mesh = Mesh::default();
    for j in 0..=cells {
        for i in 0..=cells {
            let inner = i % cells != 0 && j % cells != 0;
            let shake = if inner { 0.3 } else { 0.0 };
            let wobble = |k: f64| shake * (k * f64::from(i) + 7.3 * f64::from(j)).sin();
            mesh.positions.push(DVec3::new(f64::from(i) + wobble(1.7), f64::from(j) + wobble(2.9), 0.0));
            mesh.normals.push(DVec3::Z);
        }
    }
    for j in 0..cells {
        for i in 0..cells {
            let a = j * (cells + 1) + i;
            let c = a + cells + 2;
            mesh.triangles.extend([[a, a + 1, c], [a, c, c - 1]]);
        }
    }
    let mut scene = Scene::default();
    let id = scene.add_mesh(&mesh).expect("a good mesh");
    scene.add(Instance::new(id, Pose::default(), Color::BLACK).with_opacity(0.5));
    let inside = [1.0, 11.0].map(|x| DVec3::new(x, x, 0.0));
    for view in [View::Z, View::From(DVec3::new(0.0, 1e-9, 1.0))] {
        let camera = Camera::fit_points(inside, view, Lens::Orthographic, 1.0);
        let image = render(&scene, &camera, &dark(), 97, 97).expect("a picture");
        // Half of linear light is byte 188.
        assert!(image.pixels().iter().all(|pixel| *pixel == [188, 188, 188, 255]));
    }
}

/// A floor that reaches behind the viewer and far beyond the screen ends at the horizon, half way down.
#[test]
fn a_floor_under_the_viewer_reaches_the_horizon() {
    let mut scene = Scene::default();
    put(&mut scene, &square(1e6), DVec3::NEG_Z, Color::BLACK);
    let around = [DVec3::splat(-1.0), DVec3::splat(1.0)];
    let camera = Camera::fit_points(around, View::Y, Lens::Perspective { angle_deg: 60.0 }, 1.0);
    let image = render(&scene, &camera, &dark(), 100, 100).expect("a picture");
    for y in 0..100 {
        for x in 0..100 {
            assert_eq!(rgb(&image, x, y) == [0; 3], y >= 50, "at {x}, {y}");
        }
    }
}

#[test]
fn views_have_their_axes_where_they_say() {
    let expected = [
        (View::X, [DVec3::Y, DVec3::Z]),
        (View::Y, [DVec3::X, DVec3::Z]),
        (View::Z, [DVec3::X, DVec3::Y]),
        (View::Iso, [DVec3::new(1.0, 1.0, 0.0), DVec3::new(-1.0, 1.0, 2.0)]),
    ];
    for (view, [right, up]) in expected {
        let cube = [DVec3::splat(-1.0), DVec3::splat(1.0)];
        let camera = Camera::fit_points(cube, view, Lens::Orthographic, 1.0);
        let across = |p: DVec3| camera.project(p, 100, 100).expect("parallel rays see all");
        let along = |axis: DVec3| (across(axis) - across(DVec3::ZERO)).normalize();
        assert!((along(right) - DVec2::X).length() < 1e-12);
        assert!((along(up) - DVec2::NEG_Y).length() < 1e-12);
    }
    assert_eq!("iso".parse(), Ok(View::Iso));
    assert!("up".parse::<View>().is_err());
}
