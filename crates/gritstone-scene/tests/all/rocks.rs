//! Grains from surfaces of triangles, against closed forms.

use std::fs;
use std::path::PathBuf;

use gritstone_core::Space;
use gritstone_scene::{Build, Built, Problems, Scene};

/// A bracket of three cubes with edges of 10 mm, as OBJ in millimetres, with quads that are triangulated.
const BRACKET: &str = "\
v 0 0 0\nv 20 0 0\nv 20 10 0\nv 10 10 0\nv 10 20 0\nv 0 20 0\n\
v 0 0 10\nv 20 0 10\nv 20 10 10\nv 10 10 10\nv 10 20 10\nv 0 20 10\n\
f 4 3 2 1\nf 6 5 4 1\nf 7 8 9 10\nf 7 10 11 12\n\
f 1 2 8 7\nf 2 3 9 8\nf 3 4 10 9\nf 4 5 11 10\nf 5 6 12 11\nf 6 1 7 12\n";

fn folder(test: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("bracket.obj"), BRACKET).unwrap();
    folder
}

fn scene(keys: &str) -> String {
    format!(
        r#"
dimension = 3
gravity = [0, 0, -9.81]
time = {{ steps = 1, step = 1e-6 }}
contact = {{ law = "linear" }}
materials = {{ a = {{ density = 2500, kn = 1e5 }} }}
[shapes.rock]
shape = "mesh"
file = "bracket.obj"
units = "mm"
{keys}
[[grains]]
from = "points"
shape = "rock"
material = "a"
at = [[0, 0, 1]]
"#
    )
}

fn read(test: &str, text: &str) -> Result<Scene, Problems> {
    let path = folder(test).join("scene.toml");
    fs::write(&path, text).unwrap();
    Scene::read(&path)
}

fn build(test: &str, keys: &str) -> Built<Space> {
    let built = read(test, &scene(keys)).and_then(|scene| scene.build());
    match built.unwrap_or_else(|problems| panic!("{problems}")) {
        Build::Space(built) => built,
        Build::Plane(_) => panic!("in space"),
    }
}

/// Whatever it is turned into, a grain has the mass of what the surface encloses; in other sizes as well.
#[test]
fn the_mass_is_that_of_the_file() {
    for keys in ["", "approximation = \"parts\"\nparts = 2", "approximation = \"superellipsoid\""] {
        let built = build("mass", keys);
        assert!((built.report.mass / (2500.0 * 3e-6) - 1.0).abs() < 1e-6, "{keys}: {}", built.report.mass);
        let sized = build("mass", &format!("{keys}\nsize = \"30 mm\"\nscale = 2"));
        let expected = 2500.0 * std::f64::consts::PI / 6.0 * 0.06_f64.powi(3);
        assert!((sized.report.mass / expected - 1.0).abs() < 1e-6, "{keys}: {}", sized.report.mass);
    }
}

/// The hull of three cubes has half a cube more, and its distance in the notch is that of its plane, scaled or not.
#[test]
fn what_becomes_of_it_is_told() {
    let report = build("told", "").report;
    let [rock] = &report.rocks[..] else { panic!("{report}") };
    assert!((rock.volume_error - 1.0 / 6.0).abs() < 1e-12, "{rock}");
    let text = report.to_string();
    assert!(text.contains("rock: hull of 10 vertices for 20 triangles of bracket.obj"), "{text}");
    assert!(text.contains("volume +16.67 %"), "{text}");
    let parts = build("told", "approximation = \"parts\"\nparts = 2").report;
    let [rock] = &parts.rocks[..] else { panic!("{parts}") };
    // Voxels are 20 mm / 64 wide.
    assert!(rock.volume_error.abs() < 0.03 && rock.distance < 2.0 * 20e-3 / 64.0, "{rock}");
    assert!(rock.becomes == "2 convex parts", "{rock}");
}

/// The scene without the file is the same scene.
#[test]
fn the_expanded_scene_needs_no_file() {
    for keys in ["", "approximation = \"parts\"\nparts = 3"] {
        let scene = read("expanded", &scene(keys)).unwrap();
        let (expanded, _) = scene.expanded().unwrap();
        let again = Scene::parse(&expanded.to_toml(), "again").unwrap_or_else(|e| panic!("{e}"));
        let (Ok(Build::Space(a)), Ok(Build::Space(b))) = (scene.build(), again.build()) else {
            panic!("in space")
        };
        assert!(a.setup.shapes == b.setup.shapes && a.setup.compounds == b.setup.compounds, "{keys}");
    }
}

/// Sizes are distributed as those of other shapes.
#[test]
fn rocks_have_sizes() {
    let random = r#"
[[grains]]
from = "random"
shape = "rock"
size = { distribution = "uniform", low = "4 mm", high = "5 mm", classes = 3 }
material = "a"
count = 20
region = { kind = "box", low = [0, 0, 0], high = [0.1, 0.1, 0.1] }
"#;
    let text = scene("approximation = \"parts\"\nparts = 2");
    let (head, _) = text.split_once("[[grains]]").unwrap();
    let built = read("sizes", &format!("{head}{random}")).and_then(|scene| scene.build());
    let Ok(Build::Space(built)) = built else { panic!("{}", built.unwrap_err()) };
    let [least, most] = built.report.diameters.unwrap();
    assert!((least / (4e-3 + 1e-3 / 6.0) - 1.0).abs() < 1e-6, "{least}");
    assert!((most / (4e-3 + 5e-3 / 6.0) - 1.0).abs() < 1e-6, "{most}");
}

#[test]
fn what_is_wrong_is_told() {
    let told = |keys: &str, text: &str| {
        let text = text.replace("units", &format!("{keys}\nunits"));
        let scene = read("wrong", &text);
        scene.and_then(|scene| scene.build().map(|_| ())).unwrap_err().to_string()
    };
    let fine = scene("");
    fs::write(folder("wrong").join("open.obj"), BRACKET.replace("f 1 2 8 7\n", "")).unwrap();
    let open = told("", &fine.replace("bracket.obj", "open.obj"));
    assert!(open.contains("shapes.rock.file is \"open.obj\": the surface is not closed"), "{open}");
    let none = told("", &fine.replace("bracket.obj", "none.obj"));
    assert!(none.contains("shapes.rock.file is \"none.obj\""), "{none}");
    let few = told("vertices = 3", &fine);
    assert!(few.contains("shapes.rock.vertices is 3, but must be from 4 to 1000"), "{few}");
    let plane = told(
        "",
        &fine
            .replace("dimension = 3", "dimension = 2")
            .replace("[0, 0, -9.81]", "[0, -9.81]")
            .replace("[[0, 0, 1]]", "[[0, 1]]"),
    );
    assert!(plane.contains("shapes.rock is of shape \"mesh\", which is one of space"), "{plane}");
}
