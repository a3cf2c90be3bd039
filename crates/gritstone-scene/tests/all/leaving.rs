//! Grains that leave the domain while others touch.

use gritstone_engine::World;
use gritstone_scene::{Build, Scene};

/// The first grain flies off; the second lies on the floor, the third on the second.
const SCENE: &str = r#"
dimension = 3
gravity = [0, 0, -10]
time = { steps = 100, step = 0.0001 }
contact = { law = "linear" }
materials = { a = { density = 1000, kn = 1e6, restitution = 0.5, friction = 0 } }
shapes = { ball = { shape = "sphere", radius = 0.1 } }
domain = { low = [-1, -1, -1], high = [1, 1, 1], leaving = "remove" }
walls = { floor = { kind = "plane", material = "a", point = [0, 0, 0], normal = [0, 0, 1] } }

[[grains]]
from = "points"
shape = "ball"
material = "a"
at = [[0.99, 0, 0.5]]
velocity = [10, 0, 0]

[[grains]]
from = "points"
shape = "ball"
material = "a"
at = [[0, 0, 0.0999], [0, 0, 0.2998]]
"#;

#[test]
fn grains_leave_while_others_touch() {
    let Build::Space(built) = Scene::parse(SCENE, "leaving").unwrap().build().unwrap() else {
        panic!("in space")
    };
    let mut world = World::new(&built.setup).unwrap();
    for _ in 0..2000 {
        world.step().unwrap();
    }
    let status = world.status();
    assert_eq!((status.grains, status.left, status.contacts), (2, 1, 2));
    assert!(world.remove_wall("floor"));
    for _ in 0..100 {
        world.step().unwrap();
    }
    assert_eq!(world.status().grains, 2);
}
