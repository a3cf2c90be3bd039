//! Walls that shake, and walls whose surface moves, against closed forms.

use std::f64::consts::TAU;

use glam::DVec3;
use gritstone_core::Space;
use gritstone_engine::World;
use gritstone_scene::{Build, Scene};

const G: f64 = 9.806_65;

/// A ball at rest on `walls.floor`, at x = 0.1.
fn ball_on(floor: &str, tools: &str) -> World<Space> {
    let text = format!(
        r#"
dimension = 3
gravity = [0, 0, -{G}]
time = {{ end = 1, step = 5e-6 }}
contact = {{ law = "linear" }}
materials = {{ a = {{ density = 2500, kn = 1e5, restitution = 0.2, friction = 0.5 }} }}
shapes = {{ ball = {{ shape = "sphere", radius = 0.01 }}, block = {{ shape = "polyhedron", vertices = [[-0.5, -0.5, 0], [0.5, -0.5, 0], [0.5, 0.5, 0], [-0.5, 0.5, 0], [-0.5, -0.5, -0.1], [0.5, -0.5, -0.1], [0.5, 0.5, -0.1], [-0.5, 0.5, -0.1]] }} }}
grains = [{{ from = "points", shape = "ball", material = "a", at = [[0.1, 0, 0.00999897]] }}]
walls.floor = {{ material = "a", {floor} }}
{tools}
"#
    );
    let scene = Scene::parse(&text, "ball").unwrap_or_else(|problems| panic!("{problems}"));
    let Build::Space(built) = scene.build().unwrap_or_else(|problems| panic!("{problems}")) else {
        panic!("in space")
    };
    World::new(&built.setup).unwrap()
}

fn steps(world: &mut World<Space>, count: u32, mut each: impl FnMut(&World<Space>)) {
    for _ in 0..count {
        world.step().unwrap();
        each(world);
    }
}

const PLANE: &str = "kind = \"plane\", point = [0, 0, 0], normal = [0, 0, 1]";

fn shaken(keys: &str) -> World<Space> {
    ball_on(
        PLANE,
        &format!("tools.shaker = {{ walls = [\"floor\"], moves = [{{ move = \"vibrate\", {keys} }}] }}"),
    )
}

/// Two of amplitude a, frequency f and peak acceleration a (2πf)² give the same motion, a (1 − cos 2πft) from rest.
#[test]
fn shaking_starts_from_rest() {
    let (frequency, acceleration) = (25.0, 3.0 * G);
    let amplitude = acceleration / (TAU * frequency * TAU * frequency);
    for keys in [
        "frequency = \"25 Hz\", acceleration = \"3 g\"".to_owned(),
        format!("frequency = 25, amplitude = {amplitude}"),
        format!("acceleration = {acceleration}, amplitude = \"{} mm\"", 1e3 * amplitude),
    ] {
        let mut world = shaken(&format!("direction = [0, 1, 0], {keys}"));
        let start = world.snapshot().walls[0].pose.position.y;
        steps(&mut world, 3000, |_| {});
        let found = world.snapshot().walls[0].pose.position.y - start;
        let expected = amplitude * (1.0 - (TAU * frequency * world.time()).cos());
        assert!((found - expected).abs() < 1e-9 * amplitude, "{keys}: {found} {expected}");
    }
}

/// A ball stays on a plate that is shaken by less than free fall, and leaves one that is shaken by more.
#[test]
fn a_ball_leaves_a_plate_that_falls_faster() {
    for (acceleration, leaves) in [("0.9 g", false), ("1.2 g", true)] {
        let keys = format!("direction = [0, 0, 1], frequency = 20, acceleration = \"{acceleration}\"");
        let mut world = shaken(&keys);
        let mut has_left = false;
        // The contact has settled after the start, an eighth of a period.
        steps(&mut world, 1250, |_| {});
        steps(&mut world, 8750, |world| has_left |= world.status().contacts == 0);
        assert_eq!(has_left, leaves, "{acceleration}");
    }
}

#[test]
fn shaking_needs_two_of_three() {
    let text = r#"
dimension = 3
gravity = [0, 0, 0]
time = { end = 1, step = 5e-6 }
materials = { a = { density = 2500, kn = 1e5 } }
shapes = { ball = { shape = "sphere", radius = 0.01 } }
contact = { law = "linear" }
grains = [{ from = "points", shape = "ball", material = "a", at = [[0, 0, 1]] }]
walls.floor = { material = "a", kind = "plane", point = [0, 0, 0], normal = [0, 0, 1] }
tools.shaker = { walls = ["floor"], moves = [{ move = "vibrate", direction = [0, 0, 1], frequency = 20 }] }
"#;
    let told = Scene::parse(text, "one").unwrap_err().to_string();
    assert!(told.contains("two of the keys \"amplitude\", \"frequency\" and \"acceleration\""), "{told}");
}

/// The surface is given in world axes: it takes a ball along with μg, however the wall is turned, about the place that is said.
#[test]
fn surfaces_take_grains_along() {
    let block = "kind = \"shape\", shape = \"block\", position = [0, 0, -0.05], orientation = [1, 0, 0, 0.5]";
    let cases = [
        (format!("{PLANE}, surface_velocity = [0.3, 0.4, 2]"), DVec3::new(0.6, 0.8, 0.0)),
        (format!("{block}, surface_velocity = [0.3, 0.4, 2]"), DVec3::new(0.6, 0.8, 0.0)),
        // The ball is at +x of the wall's origin, and at −x of this point.
        (format!("{block}, surface_spin = [0, 0, 10]"), DVec3::Y),
        (
            "kind = \"plane\", point = [0.2, 0, 0], normal = [0, 0, 1], surface_spin = [0, 0, 10]".to_owned(),
            DVec3::NEG_Y,
        ),
    ];
    for (floor, along) in cases {
        let mut world = ball_on(&floor, "");
        steps(&mut world, 2000, |_| {});
        let (found, expected) = (world.snapshot().bodies[0].velocity, along * (0.5 * G * world.time()));
        assert!((found - expected).length() < 0.02 * expected.length(), "{floor}: {found} {expected}");
    }
}
