//! Colours, against closed forms of light.

use crate::common::{dark, even, light, light_at, put, rgb, square};
use glam::{DQuat, DVec3};
use gritstone_core::Pose;
use gritstone_render::{
    Arrow, Background, Camera, Color, Instance, Lamp, Lens, Marker, Scene, Style, View, render, solid,
};

fn lamp(direction: DVec3) -> Lamp {
    Lamp { direction, color: Color::WHITE }
}

/// Sees the square between −1 and 1 from above.
fn from_above() -> Camera {
    let corners = [DVec3::new(-1.0, -1.0, 0.0), DVec3::new(1.0, 1.0, 0.0)];
    Camera::fit_points(corners, View::Z, Lens::Orthographic, 1.0)
}

#[test]
fn a_surface_that_faces_the_lamp_shows_its_own_colour() {
    let mut scene = Scene::default();
    put(&mut scene, &square(2.0), DVec3::ZERO, Color::hex(0x4477AA));
    let style = Style { key: lamp(DVec3::Z), ..dark() };
    let image = render(&scene, &from_above(), &style, 9, 9).expect("a picture");
    assert!(image.pixels().iter().all(|pixel| *pixel == [0x44, 0x77, 0xAA, 255]));
}

#[test]
fn a_slanted_lamp_gives_the_cosine_and_the_sky_its_half() {
    let mut scene = Scene::default();
    put(&mut scene, &square(2.0), DVec3::ZERO, Color::WHITE);
    let key = Style { key: lamp(DVec3::new(3f64.sqrt(), 0.0, 1.0)), ..dark() };
    let image = render(&scene, &from_above(), &key, 9, 9).expect("a picture");
    assert_eq!(rgb(&image, 4, 4), [188; 3]);
    // Upright walls see half sky, half ground.
    let sky = Style { sky: Color::WHITE, ..dark() };
    let camera =
        Camera::fit_points([DVec3::splat(-0.5), DVec3::splat(0.5)], View::Y, Lens::Orthographic, 1.0);
    let mut scene = Scene::default();
    put(&mut scene, &solid::cuboid(DVec3::ONE), DVec3::ZERO, Color::WHITE);
    let image = render(&scene, &camera, &sky, 9, 9).expect("a picture");
    assert_eq!(rgb(&image, 4, 4), [188; 3]);
}

/// Lambert's cosine on the true sphere, at every pixel of a coarse one: interpolated normals leave no facets.
#[test]
fn a_coarse_sphere_is_shaded_like_a_smooth_one() {
    let mut scene = Scene::default();
    put(&mut scene, &solid::sphere(32), DVec3::ZERO, Color::WHITE);
    let direction = DVec3::new(-0.5, 0.6, 1.0);
    let style = Style { key: lamp(direction), ..dark() };
    let camera = Camera::fit(&scene, View::Z, Lens::Orthographic, 1.0);
    let side = 160;
    let image = render(&scene, &camera, &style, side, side).expect("a picture");
    let middle = camera.project(DVec3::ZERO, side, side).expect("it is seen");
    let radius = (camera.project(DVec3::X, side, side).expect("it is seen") - middle).x;
    let lambert = |x: u32, y: u32| {
        let across = (f64::from(x) + 0.5 - middle.x) / radius;
        let up = (middle.y - f64::from(y) - 0.5) / radius;
        let normal = DVec3::new(across, up, (1.0 - across * across - up * up).max(0.0).sqrt());
        (across.hypot(up) < 0.9).then(|| normal.dot(direction.normalize()).max(0.0))
    };
    for y in 1..side {
        for x in 1..side {
            let (Some(expected), Some(left)) = (lambert(x, y), lambert(x - 1, y)) else { continue };
            let found = light(&image, x, y);
            assert!((found - expected).abs() < 0.015, "{found} instead of {expected} at {x}, {y}");
            // Bytes are up to 0.009 of light apart; a facet of this sphere would make steps of 0.1.
            let step = found - light(&image, x - 1, y);
            assert!((step - (expected - left)).abs() < 0.015, "a step of {step} at {x}, {y}");
        }
    }
}

/// Two squares before a third: opacities 0.3 and 0.6, face on.
#[test]
fn translucent_layers_blend_in_order_of_depth() {
    let [back, middle, front] = [0x2255EE, 0xEE7722, 0x33CC44].map(Color::hex);
    let expected = back.mix(middle, 0.3).mix(front, 0.6).to_srgb8();
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
        let mut scene = Scene::default();
        let mesh = scene.add_mesh(&square(2.0)).expect("a good mesh");
        for i in order {
            let (z, color, opacity) = [(0.0, back, 1.0), (1.0, middle, 0.3), (2.0, front, 0.6)][i];
            scene.add(Instance::new(mesh, Pose::at(z * DVec3::Z), color).with_opacity(opacity));
        }
        let image = render(&scene, &from_above(), &even(), 5, 5).expect("a picture");
        assert_eq!(rgb(&image, 2, 2), expected);
    }
}

/// At 60° light goes twice as far through a shell: what passes is squared.
#[test]
fn a_slanted_shell_holds_back_more() {
    let mut scene = Scene::default();
    let mesh = scene.add_mesh(&square(4.0)).expect("a good mesh");
    let slant = DQuat::from_rotation_x(60f64.to_radians());
    scene.add(Instance::new(mesh, Pose::new(DVec3::ZERO, slant), Color::BLACK).with_opacity(0.5));
    let image = render(&scene, &from_above(), &even(), 5, 5).expect("a picture");
    assert_eq!(rgb(&image, 2, 2), Color::WHITE.mix(Color::BLACK, 0.75).to_srgb8());
}

#[test]
fn marks_shine_through_translucent_grains_as_told() {
    let mut scene = Scene::default();
    let mesh = scene.add_mesh(&square(2.0)).expect("a good mesh");
    scene.add(Instance::new(mesh, Pose::at(2.0 * DVec3::Z), Color::WHITE).with_opacity(0.5));
    scene.add_marker(Marker { center: DVec3::ZERO, radius: 0.5, color: Color::BLACK });
    for (clarity, through) in [(0.0, 0.5), (0.5, 0.25), (1.0, 0.0)] {
        let style = Style { clarity, ..even() };
        let image = render(&scene, &from_above(), &style, 9, 9).expect("a picture");
        assert_eq!(rgb(&image, 4, 4), Color::BLACK.mix(Color::WHITE, through).to_srgb8());
    }
}

/// A unit sphere three above a floor, lit from above, seen at 45°.
fn sphere_over_floor(style: &Style) -> impl Fn(f64, f64) -> f64 + use<> {
    let mut scene = Scene::default();
    put(&mut scene, &solid::sphere(128), 3.0 * DVec3::Z, Color::WHITE);
    put(&mut scene, &square(4.0), DVec3::ZERO, Color::WHITE);
    let camera = Camera::fit(&scene, View::From(DVec3::new(1.0, 0.0, 1.0)), Lens::Orthographic, 1.0);
    let style = Style { key: lamp(DVec3::new(0.0, 1.0, 1.0)), shadow: 1.0, supersampling: 3, ..*style };
    let image = render(&scene, &camera, &style, 250, 250).expect("a picture");
    move |distance, angle| light_at(&camera, &image, distance * DVec3::new(angle.cos(), angle.sin(), 0.0))
}

#[test]
fn a_hard_shadow_has_the_size_of_the_sphere() {
    let floor = sphere_over_floor(&dark());
    for k in 0..16 {
        let angle = 0.39 * f64::from(k);
        assert_eq!(floor(0.0, angle), 0.0);
        assert_eq!(floor(0.95, angle), 0.0);
        assert_eq!(floor(1.05, angle), 1.0);
        assert_eq!(floor(1.5, angle), 1.0);
    }
}

/// The lamp reaches 0.1 to all sides for every metre to the sphere, which stands 3 m to 4 m above: so the
/// penumbra reaches 0.4 to both sides at most, and half of the lamp is seen near the edge of the hard shadow.
#[test]
fn a_soft_shadow_fades_across_its_penumbra() {
    let floor = sphere_over_floor(&Style { softness: 0.1, ..dark() });
    for k in 0..16 {
        let angle = 0.39 * f64::from(k);
        assert!(floor(0.55, angle) < 0.02);
        assert!((0.3..0.7).contains(&floor(1.0, angle)), "{}", floor(1.0, angle));
        assert!(floor(1.45, angle) > 0.98);
        let steps: Vec<f64> = (0..10).map(|i| floor(0.5 + 0.1 * f64::from(i), angle)).collect();
        assert!(steps.is_sorted_by(|a, b| *a <= b + 0.02), "{steps:?}");
    }
}

/// A convex thing alone has nothing to be shaded or closed in by.
#[test]
fn a_lone_sphere_does_not_shade_itself() {
    let mut scene = Scene::default();
    put(&mut scene, &solid::sphere(48), DVec3::ZERO, Color::WHITE);
    let camera = Camera::fit(&scene, View::Iso, Lens::Perspective { angle_deg: 30.0 }, 1.0);
    let plain = Style { key: lamp(DVec3::new(-1.0, 1.0, 0.4)), sky: Color::hex(0x444444), ..dark() };
    let full = Style { shadow: 1.0, softness: 0.2, occlusion: 1.0, ..plain };
    let without = render(&scene, &camera, &plain, 120, 120).expect("a picture");
    let with = render(&scene, &camera, &full, 120, 120).expect("a picture");
    for (a, b) in without.pixels().iter().zip(with.pixels()) {
        assert!(a.iter().zip(b).all(|(a, b)| a.abs_diff(*b) <= 2), "{a:?} became {b:?}");
    }
}

#[test]
fn corners_are_darker_than_open_ground() {
    let mut scene = Scene::default();
    put(&mut scene, &square(4.0), DVec3::ZERO, Color::WHITE);
    put(&mut scene, &solid::cuboid(DVec3::ONE), DVec3::Z, Color::WHITE);
    let camera = Camera::fit(&scene, View::From(DVec3::new(1.0, 0.0, 1.0)), Lens::Orthographic, 1.0);
    let style = Style { occlusion: 1.0, supersampling: 3, ..even() };
    let image = render(&scene, &camera, &style, 200, 200).expect("a picture");
    let floor = |x: f64| light_at(&camera, &image, DVec3::new(x, 0.0, 0.0));
    assert!(floor(1.1) < 0.75, "{}", floor(1.1));
    assert!(floor(1.1) < floor(1.5) && floor(1.5) < floor(2.5));
    assert!(floor(3.9) > 0.99);
    // The middle of the box's top is open.
    assert!(light_at(&camera, &image, 2.0 * DVec3::Z) > 0.99);
}

#[test]
fn the_background_runs_from_top_to_bottom() {
    let (top, bottom) = (Color::hex(0xFFFFFF), Color::hex(0x204060));
    let style = Style { background: Background::Gradient { top, bottom }, ..even() };
    let image = render(&Scene::default(), &from_above(), &style, 3, 255).expect("a picture");
    assert!(rgb(&image, 0, 0).iter().all(|byte| *byte >= 253));
    assert!(rgb(&image, 0, 254).iter().zip([0x20, 0x40, 0x60]).all(|(a, b)| a.abs_diff(b) <= 1));
    let reds: Vec<u8> = (0..255).map(|y| rgb(&image, 1, y)[0]).collect();
    assert!(reds.is_sorted_by(|a, b| a >= b));
}

#[test]
fn arrows_reach_from_end_to_end() {
    let mut scene = Scene::default();
    let (from, to) = (DVec3::new(-0.8, -0.5, 0.0), DVec3::new(0.8, 0.5, 0.0));
    scene.add_arrow(Arrow { from, to, radius: 0.03, color: Color::BLACK });
    scene.add_arrow(Arrow { from, to: from, radius: 0.03, color: Color::BLACK });
    let camera = from_above();
    let image = render(&scene, &camera, &dark(), 200, 200).expect("a picture");
    let side = (to - from).normalize().cross(DVec3::Z);
    let at = |t: f64, s: f64| light_at(&camera, &image, from.lerp(to, t) + s * side);
    assert_eq!(at(0.01, 0.0), 0.0);
    assert_eq!(at(0.98, 0.0), 0.0);
    assert_eq!(at(-0.02, 0.0), 1.0);
    assert_eq!(at(1.02, 0.0), 1.0);
    // The shaft is 0.03 thick on either side; the head, at its base, wider than twice that.
    assert_eq!((at(0.5, 0.02), at(0.5, 0.045)), (0.0, 1.0));
    assert_eq!((at(0.91, 0.055), at(0.91, 0.08)), (0.0, 1.0));
}
