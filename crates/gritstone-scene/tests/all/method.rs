//! Contact methods that a scene chooses.

use gritstone_contact::NarrowPhase as _;
use gritstone_core::Space;
use gritstone_engine::World;
use gritstone_scene::{Build, Scene};

/// Two ellipsoids fall on a floor, one onto the other.
const SCENE: &str = r#"
dimension = 3
gravity = [0, 0, -10]
time = { steps = 100, step = 0.0001 }
contact = { law = "linear" }
materials = { a = { density = 1000, kn = 1e6, restitution = 0.5, friction = 0 } }
shapes = { egg = { shape = "ellipsoid", radii = [0.1, 0.12, 0.1] } }
walls = { floor = { kind = "plane", material = "a", point = [0, 0, 0], normal = [0, 0, 1] } }

[[grains]]
from = "points"
shape = "egg"
material = "a"
at = [[0, 0, 0.1001], [0.01, 0, 0.3003]]
"#;

/// Heights after some steps with this method, and the contacts that are solved in lanes.
fn run(method: &str) -> (Vec<f64>, usize) {
    let text = SCENE.replace("law = \"linear\"", &format!("law = \"linear\", method = \"{method}\""));
    let Build::Space(built) = Scene::parse(&text, "method").unwrap().build().unwrap() else {
        panic!("in space")
    };
    let mut world = World::new(&built.setup).unwrap();
    for _ in 0..400 {
        world.step().unwrap();
    }
    let status = world.status();
    assert!(status.contacts > 0, "{method}: {status:?}");
    (world.snapshot().bodies.iter().map(|body| body.pose.position.z).collect(), status.contacts_in_lanes)
}

/// Every method that takes ellipsoids moves them as the default does.
#[test]
fn a_scene_chooses_its_method() {
    let (expected, in_lanes) = run("auto");
    assert!(in_lanes > 0);
    for name in ["support-newton", "gjk", "common-normal"] {
        assert!(Space::method(name).is_some(), "{name}");
        let (heights, in_lanes) = run(name);
        assert_eq!(in_lanes, 0, "{name}");
        for (height, expected) in heights.iter().zip(&expected) {
            assert!((height - expected).abs() < 1e-7, "{name}: {height} instead of {expected}");
        }
    }
}
