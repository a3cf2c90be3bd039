//! Walls near a side of a cell that repeats.

use gritstone_scene::Scene;

/// A ball of radius 3 mm in a cell of 40 mm, and a wall that this is said of.
fn warnings(wall: &str) -> Vec<String> {
    let scene = format!(
        r#"
dimension = 3
gravity = [0, 0, 0]
time = {{ steps = 100, step = 1e-5 }}
contact = {{ law = "linear" }}
materials = {{ a = {{ density = 1000, kn = 1e3, restitution = 0.5, friction = 0 }} }}
cell = {{ low = [0, -1, -1], high = [0.04, 1, 1], repeat = ["x"] }}

[shapes]
ball = {{ shape = "sphere", radius = 0.003 }}
cube = {{ shape = "polyhedron", scale = 0.003, vertices = [[1,1,1],[1,1,-1],[1,-1,1],[1,-1,-1],[-1,1,1],[-1,1,-1],[-1,-1,1],[-1,-1,-1]] }}
beam = {{ shape = "polyhedron", scale = 0.03, vertices = [[1,1,1],[1,1,-1],[1,-1,1],[1,-1,-1],[-1,1,1],[-1,1,-1],[-1,-1,1],[-1,-1,-1]] }}

[[grains]]
from = "points"
shape = "ball"
material = "a"
at = [[0.01, 0, 0.1]]

[walls.w]
material = "a"
{wall}
"#
    );
    Scene::parse(&scene, "sides").unwrap().check().unwrap().warnings
}

#[test]
fn walls_near_a_side_are_told_of() {
    for near in ["0.036", "0.0051", "0.042", "-0.005"] {
        let found = warnings(&format!("kind = \"shape\"\nshape = \"cube\"\nposition = [{near}, 0, 0]"));
        assert!(found.len() == 1 && found[0].contains("along x"), "{near}: {found:?}");
    }
    // In the middle; outside; from beyond one side to beyond the other; a plane.
    let fine = [
        "kind = \"shape\"\nshape = \"cube\"\nposition = [0.02, 0, 0]",
        "kind = \"shape\"\nshape = \"cube\"\nposition = [0.047, 0, 0]",
        "kind = \"shape\"\nshape = \"beam\"\nposition = [0.02, 0, 0]",
        "kind = \"plane\"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]",
    ];
    for wall in fine {
        assert_eq!(warnings(wall), Vec::<String>::new(), "{wall}");
    }
}
