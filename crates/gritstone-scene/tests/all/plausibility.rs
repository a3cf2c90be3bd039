//! `check` shows sizes, cost and doubtful values.

use gritstone_scene::{Report, Scene};

fn check(text: &str) -> Report {
    let folder = tempfile::tempdir().unwrap();
    // A tetrahedron that was drawn in millimetres: 80 long.
    let corners = [[0, 0, 0], [80, 0, 0], [0, 80, 0], [0, 0, 80]];
    let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];
    let mut stl = "solid t\n".to_owned();
    for face in faces {
        stl += "facet normal 0 0 0\nouter loop\n";
        for corner in face {
            let [x, y, z] = corners[corner];
            stl += &format!("vertex {x} {y} {z}\n");
        }
        stl += "endloop\nendfacet\n";
    }
    std::fs::write(folder.path().join("t.stl"), stl + "endsolid t\n").unwrap();
    let path = folder.path().join("scene.toml");
    std::fs::write(&path, text).unwrap();
    Scene::read(&path).unwrap().check().unwrap()
}

const SCENE: &str = r#"
dimension = 3
gravity = [0, 0, -9.81]
[time]
end = "1 s"
[materials.glass]
density = 2500
young = "10 MPa"
poisson = 0.25
restitution = 0.5
friction = 0.5
[shapes.grain]
shape = "sphere"
radius = "1 mm"
[walls.body]
kind = "mesh"
file = "t.stl"
material = "glass"
scale = 0.001
position = [0, 0, -0.2]
[[grains]]
from = "lattice"
shape = "grain"
material = "glass"
count = [2, 3, 4]
spacing = ["1 cm", "1 cm", "1 cm"]
origin = [0, 0, 0]
"#;

#[test]
fn extents_are_those_of_grains_and_meshes() {
    let report = check(SCENE);
    assert!(report.warnings.is_empty(), "{report}");
    let [grains, body] = &report.extents[..] else { panic!("{report}") };
    for (axis, length) in [0.012, 0.022, 0.032].into_iter().enumerate() {
        assert!((grains.high[axis] - grains.low[axis] - length).abs() < 1e-15);
    }
    assert_eq!((body.name.as_str(), body.triangles), ("body", Some(4)));
    assert!((body.longest_edge() - 0.08).abs() < 1e-15);
    assert!(report.diameters.unwrap().iter().all(|diameter| (diameter - 0.002).abs() < 1e-17));
    assert!(report.to_string().contains("body: 80 mm x 80 mm x 80 mm from (0, 0, -0.2)"), "{report}");
    // The unit of the file instead of a factor.
    for (unit, factor) in [("mm", 1e-3), ("cm", 1e-2), ("um", 1e-6), ("in", 0.0254)] {
        let scene = SCENE.replace("position = [0, 0, -0.2]", "position = [0, 0, -20]");
        let report = check(&scene.replace("scale = 0.001", &format!("units = \"{unit}\"")));
        let edge = report.extents[1].longest_edge();
        // The difference of two coordinates of about 20 m.
        let rounding = 20.0 * 2.0 * f64::EPSILON;
        assert!((edge - 80.0 * factor).abs() < 1e-12 * 80.0 * factor + rounding, "{unit}: {edge}");
    }
}

/// One change of the scene, and the words of the one warning that it gets.
#[test]
fn doubtful_values_are_warned_of() {
    for (from, to, told) in [
        (
            "scale = 0.001\nposition = [0, 0, -0.2]",
            "position = [0, 0, -100]",
            "is its file in millimetres (units = \"mm\")?",
        ),
        ("scale = 0.001", "scale = 0.00001", "less than the diameter of the smallest grain, 2 mm"),
        (
            "density = 2500",
            "density = 2.5",
            "materials.glass.density is 2.5 kg/m3, but solids have 10 to 30000",
        ),
        ("friction = 0.5", "", "no material has friction"),
        (
            "end = \"1 s\"",
            "end = \"1 s\"\n[output]\nevery = \"1 ns\"",
            "output.every is 1 ns, less than the time step",
        ),
        (
            "[[grains]]",
            "[tools.t]\nwalls = \"body\"\nmoves = [{ move = \"translate\", velocity = [0, 0, 1], start = 2 }]\n[[grains]]",
            "tools.t.moves[0].start is 2 s, but the run ends at 1 s",
        ),
        ("young = \"10 MPa\"", "young = \"1e17 Pa\"", "a softer material allows longer steps"),
    ] {
        let text = SCENE.replace(from, to);
        assert_ne!(text, SCENE);
        let report = check(&text);
        assert_eq!(report.warnings.len(), 1, "{to}: {report}");
        assert!(report.warnings[0].contains(told), "{to}: {report}");
    }
    assert!(check(&SCENE.replace("friction = 0.5", "friction = 0")).warnings.is_empty());
}

/// A cylinder without a crown has faces and an ellipsoid of the same axes has none: `check` says what that costs.
#[test]
fn steps_that_faces_shorten_are_explained() {
    let scene = SCENE.replace("[materials.glass]", "[contact]\ncrown = 0\n[materials.glass]");
    let with = |shape: &str| check(&scene.replace("shape = \"sphere\"\nradius = \"1 mm\"", shape));
    let round = with("shape = \"ellipsoid\"\nradii = [0.001, 0.001, 0.001]");
    assert_eq!(round.time_step.note(), None);
    let flat = with("shape = \"cylinder\"\nradius = 0.001\nhalf_height = 0.001");
    let curved = flat.time_step.without_faces.unwrap();
    assert!(curved > flat.time_step.seconds);
    assert!(flat.to_string().contains("a flat face on another is stiff from the first touch"), "{flat}");
    // With points instead of patches the step is what the Rayleigh time allows.
    let points = check(
        &scene
            .replace(
                "shape = \"sphere\"\nradius = \"1 mm\"",
                "shape = \"cylinder\"\nradius = 0.001\nhalf_height = 0.001",
            )
            .replace("crown = 0\n", "crown = 0\nflat = \"point\"\n"),
    );
    assert!((points.time_step.seconds / curved - 1.0).abs() < 1e-12);
}

#[test]
fn cost_grows_with_steps_and_disk_with_frames() {
    let (short, long) = (check(SCENE).cost, check(&SCENE.replace("end = \"1 s\"", "end = \"2 s\"")).cost);
    assert!((long.seconds / short.seconds - 2.0).abs() < 1e-3, "{short:?} {long:?}");
    assert!(short.disk > 0.0);
}
