//! Scenes whose grains go on from another run.

use std::fs;
use std::path::Path;

use gritstone::core::Space;
use gritstone::io::states::{State, read_states};
use gritstone::run::{Options, RunError, Summary, run};
use gritstone::scene::Scene;
use tempfile::TempDir;

/// Stones and beans of several sizes that fall into a box; `end` is in seconds.
fn scene(grains: &str, end: f64, more: &str) -> String {
    format!(
        r#"
        dimension = 3
        gravity = [0, 0, -9.81]
        time = {{ end = {end}, step = 2e-5 }}
        materials.glass = {{ density = 2500, young = "10 MPa", poisson = 0.3, restitution = 0.3, friction = 0.5, rolling = 0.02 }}
        [shapes.bean]
        shape = "superellipsoid"
        radii = ["2 mm", "2 mm", "3 mm"]
        exponents = [0.8, 0.8]
        [shapes.stone]
        shape = "polyhedron"
        vertices = [[3e-3, 0, 0], [-2e-3, 1e-3, 0], [-2e-3, -2e-3, 0], [0, 2e-3, 3e-3], [1e-3, 0, -2e-3], [0, -1e-3, 2e-3]]
        [shapes.half]
        shape = "sphere"
        radius = "2 mm"
        [shapes.clump]
        shape = "compound"
        parts = [{{ shape = "half", position = [-1e-3, 0, 0] }}, {{ shape = "half", position = [1e-3, 0, 0] }}]
        {grains}
        [walls.box]
        kind = "box"
        low = [-0.012, -0.012, 0]
        high = [0.012, 0.012, 1]
        open = ["z-high"]
        material = "glass"
        [walls.funnel]
        kind = "mesh"
        file = "plate.stl"
        grains = "both"
        position = [0, 0, 0.002]
        material = "glass"
        {more}
        "#
    )
}

const RANDOM: &str = r#"
    [[grains]]
    from = "random"
    shape = ["bean", "stone", "clump"]
    size = { distribution = "uniform", low = "4 mm", high = "5 mm", classes = 3 }
    material = "glass"
    count = 40
    velocity = [0, 0, -1]
    region = { kind = "box", low = [-0.012, -0.012, 0.003], high = [0.012, 0.012, 0.06] }
"#;

fn from_run(folder: &str) -> String {
    format!("[[grains]]\nfrom = \"run\"\nfolder = \"{folder}\"\n")
}

/// A folder with a slanted plate of two triangles.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let corner = |x: f64, y: f64| format!("vertex {x} {y} {}\n", 0.1 * x);
    let [a, b, c, d] =
        [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, y)| corner(0.012 * x, 0.012 * y));
    let facet = |corners: [&str; 3]| {
        format!("facet normal 0 0 0\nouter loop\n{}endloop\nendfacet\n", corners.concat())
    };
    let text = format!("solid plate\n{}{}endsolid plate\n", facet([&a, &b, &c]), facet([&a, &c, &d]));
    fs::write(folder.path().join("plate.stl"), text).unwrap();
    folder
}

/// Runs a scene of a name into the folder of that name.
fn run_as(folder: &TempDir, name: &str, text: &str) -> Summary {
    let path = folder.path().join(format!("{name}.toml"));
    fs::write(&path, text).unwrap();
    run_file(&path, &folder.path().join(name))
}

fn run_file(path: &Path, out: &Path) -> Summary {
    let scene = Scene::read(path).unwrap_or_else(|problems| panic!("{problems}"));
    run(&scene, &Options::new(out), &mut ()).unwrap()
}

fn final_table(folder: &TempDir, name: &str) -> String {
    fs::read_to_string(folder.path().join(name).join("final.csv")).unwrap()
}

fn told(folder: &TempDir, text: &str) -> String {
    let path = folder.path().join("wrong.toml");
    fs::write(&path, text).unwrap();
    let scene = Scene::read(&path);
    scene.and_then(|scene| scene.check()).unwrap_err().to_string()
}

/// A run that is cut in three, each a scene of its own, ends as the whole one, to the last digit: with contact history, and with
/// lists as they were. The scene in the folder of a run runs as well, and needs nothing outside of it.
#[test]
fn a_run_in_stages_has_the_bits_of_the_whole() {
    let folder = folder();
    let whole = run_as(&folder, "whole", &scene(RANDOM, 0.06, ""));
    assert!(whole.status.contacts > 40, "{:?}", whole.status);
    run_as(&folder, "first", &scene(RANDOM, 0.04, ""));
    run_as(&folder, "second", &scene(&from_run("first"), 0.01, ""));
    let third = run_as(&folder, "third", &scene(&from_run("second"), 0.01, ""));
    assert!((third.status.step, third.status.time) == (500, 0.01));
    assert!(final_table(&folder, "whole") == final_table(&folder, "third"));
    let energies = (whole.energies, third.energies);
    assert_eq!(energies.0.elastic, energies.1.elastic);
    assert!(energies.1.dissipated < energies.0.dissipated, "books begin anew");
    // The folder of the second run in another place, alone.
    let elsewhere = TempDir::new().unwrap();
    let moved = elsewhere.path().join("second");
    fs::rename(folder.path().join("second"), &moved).unwrap();
    fs::remove_dir_all(folder.path().join("first")).unwrap();
    run_file(&moved.join("scene.toml"), &elsewhere.path().join("again"));
    let read = |path: &Path| fs::read_to_string(path.join("final.csv")).unwrap();
    assert!(read(&moved) == read(&elsewhere.path().join("again")));
}

/// A stage that is stopped goes on like any run.
#[test]
fn a_stage_can_be_resumed() {
    let folder = folder();
    run_as(&folder, "first", &scene(RANDOM, 0.03, ""));
    let text = scene(&from_run("first"), 0.01, "");
    run_as(&folder, "straight", &text);
    let path = folder.path().join("straight.toml");
    let scene = Scene::read(&path).unwrap();
    let out = folder.path().join("stopped");
    run(&scene, &Options { steps: Some(200), ..Options::new(&out) }, &mut ()).unwrap();
    run(&scene, &Options { resume: true, ..Options::new(&out) }, &mut ()).unwrap();
    assert!(final_table(&folder, "straight") == final_table(&folder, "stopped"));
}

/// Walls go, others come, grains are added; what goes on is told before the run.
#[test]
fn walls_and_materials_may_be_others() {
    let folder = folder();
    let before = run_as(&folder, "first", &scene(RANDOM, 0.04, ""));
    let more = r#"
        [[grains]]
        from = "points"
        shape = "bean"
        material = "glass"
        at = [[0, 0, 0.2]]
    "#;
    let text = scene(&format!("{}{more}", from_run("first")), 0.005, "")
        .replace("open = [\"z-high\"]", "open = [\"z-high\", \"x-high\"]")
        .replace("friction = 0.5", "friction = 0.1");
    let path = folder.path().join("second.toml");
    fs::write(&path, text).unwrap();
    let report = Scene::read(&path).unwrap().check().unwrap();
    let continued = report.continued.clone().unwrap();
    assert_eq!((continued.grains, continued.contacts), (40, before.status.contacts));
    assert_eq!((continued.walls, continued.other_walls.len(), continued.step), (5, 0, 2000));
    assert!(report.to_string().contains("40 grains and"), "{report}");
    let after = run_file(&path, &folder.path().join("second"));
    assert_eq!(after.status.grains, 41);
    let moved = text_of_moved(&folder);
    assert!(moved.contains("new or moved walls: funnel"), "{moved}");
}

fn text_of_moved(folder: &TempDir) -> String {
    let text = scene(&from_run("first"), 0.005, "").replace("[0, 0, 0.002]", "[0, 0, 0.00199]");
    let path = folder.path().join("moved.toml");
    fs::write(&path, text).unwrap();
    Scene::read(&path).unwrap().check().unwrap().to_string()
}

/// A wall that has moved is where the run left it, if the scene says so; otherwise it is where the scene has it, which is in the
/// grains here.
#[test]
fn boundaries_may_be_those_of_the_run() {
    let folder = folder();
    let lower = "[tools.lift]\nwalls = [\"funnel\"]\nmoves = [{ move = \"translate\", by = [0, 0, -0.01], start = 0, end = 0.02 }]";
    let high = |text: String| {
        text.replace("[0, 0, 0.002]", "[0, 0, 0.012]").replace("0.012, 0.003]", "0.012, 0.015]")
    };
    run_as(&folder, "first", &high(scene(RANDOM, 0.04, lower)));
    let wrong = told(&folder, &high(scene(&from_run("first"), 0.01, "")));
    assert!(wrong.contains("in or behind the wall \"funnel\" at the start"), "{wrong}");
    let text = scene(&format!("{}boundaries = \"run\"", from_run("first")), 0.02, "");
    run_as(&folder, "second", &high(text));
    // The same as if the run had gone on, where nothing moves any more.
    run_as(&folder, "whole", &high(scene(RANDOM, 0.06, lower)));
    assert!(final_table(&folder, "whole") == final_table(&folder, "second"));
}

#[test]
fn what_does_not_fit_is_told() {
    let folder = folder();
    run_as(&folder, "first", &scene(RANDOM, 0.002, ""));
    let text = scene(&from_run("first"), 0.01, "");
    let second = format!("{}[[grains]]\nfrom = \"run\"\nfolder = \"first\"\n", from_run("first"));
    let cases = [
        (text.replace("\"first\"", "\"none\""), "grains[0].folder is \"none\": there is no "),
        (
            text.replace("[shapes.bean]", "[shapes.been]"),
            "have the shape \"bean\", which this scene has not: copy shapes.bean from first/scene.toml",
        ),
        (text.replace("\"3 mm\"]", "\"4 mm\"]"), "shapes.bean is another shape than in first"),
        (
            text.replace("materials.glass", "materials.steel")
                .replace("material = \"glass\"", "material = \"steel\""),
            "a material of that run is \"glass\", but there is no material of that name",
        ),
        (scene(&second, 0.01, ""), "grains[1] is from a run, but grains[0] is, and one may be"),
        (
            scene("", 0.01, "").replace(
                "dimension = 3",
                "dimension = 3\ngrains = [{ from = \"run\", folder = \"plate.stl\" }]",
            ),
            "grains[0].folder is \"plate.stl\"",
        ),
    ];
    for (text, expected) in cases {
        let told = told(&folder, &text);
        assert!(told.contains(expected), "{told}\ninstead of\n{expected}");
    }
    let nameless = told(&folder, &text.replace("\"first\"", "\"\""));
    let beside = folder.path().join("checkpoint.bin");
    assert!(nameless.contains(&format!("there is no {}", beside.display())), "{nameless}");
    let path = folder.path().join("first/checkpoint.bin");
    let mut bytes = fs::read(&path).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&path, bytes).unwrap();
    let told = told(&folder, &text);
    assert!(told.contains("its checksum does not match"), "{told}");
}

/// What a scene reads is not written over by its run, not even where that may write over all that is there.
#[test]
fn a_run_does_not_write_over_what_it_begins_from() {
    let folder = folder();
    run_as(&folder, "first", &scene(RANDOM, 0.002, ""));
    let out = folder.path().join("first");
    let read = |name: &str| fs::read(out.join(name)).unwrap();
    let before = (read("checkpoint.bin"), read("final.csv"), read("scene.toml"));
    let from_table = "[[grains]]\nfrom = \"csv\"\nfile = \"first/final.csv\"\n";
    for grains in [from_run("first"), from_run("first/../first"), from_table.to_owned()] {
        let path = folder.path().join("second.toml");
        fs::write(&path, scene(&grains, 0.002, "")).unwrap();
        let scene = Scene::read(&path).unwrap();
        for (overwrite, resume) in [(true, false), (false, true), (false, false)] {
            let options = Options { overwrite, resume, ..Options::new(&out) };
            let error = run(&scene, &options, &mut ()).unwrap_err();
            assert!(matches!(error, RunError::Source { .. }) && error.is_bad_input(), "{error}");
        }
    }
    assert!(before == (read("checkpoint.bin"), read("final.csv"), read("scene.toml")));
    // A scene in the folder of its run has its files there, and may be run anew there.
    let scene = Scene::read(&out.join("scene.toml")).unwrap();
    let options = Options { overwrite: true, ..Options::new(&out) };
    run(&scene, &options, &mut ()).unwrap();
    assert!(read("inputs/plate.stl") == fs::read(folder.path().join("plate.stl")).unwrap());
    assert!(before.1 == read("final.csv"));
}

/// Without the history, from the table: where grains are and how they move is the same, and what shapes and sizes they have. Where
/// table and scene say different things, nothing is guessed.
#[test]
fn tables_say_what_grains_are() {
    let folder = folder();
    run_as(&folder, "first", &scene(RANDOM, 0.002, ""));
    let from_table = "[[grains]]\nfrom = \"csv\"\nfile = \"first/final.csv\"\n";
    run_as(&folder, "second", &scene(from_table, 2e-5, ""));
    let read = |name: &str| -> Vec<State<Space>> {
        read_states(&folder.path().join(name).join("final.csv")).unwrap()
    };
    let (first, second) = (read("first"), read("second"));
    assert_eq!(first.len(), 40);
    for (a, b) in first.iter().zip(&second) {
        assert_eq!((a.id, &a.shape, a.scale, &a.material), (b.id, &b.shape, b.scale, &b.material));
        assert!((a.pose.position - b.pose.position).length() < 1e-4);
    }
    let mut sizes: Vec<f64> = first.iter().filter_map(|state| state.scale).collect();
    sizes.sort_by(f64::total_cmp);
    sizes.dedup();
    assert_eq!(sizes.len(), 9, "three sizes of three shapes");
    run_as(&folder, "third", &scene(&format!("{from_table}material = \"glass\""), 2e-5, ""));
    let wrong = told(&folder, &scene(&format!("{from_table}shape = \"bean\""), 0.01, ""));
    assert!(
        wrong.contains("but grains[0].shape is another one: leave out the key, or the column"),
        "{wrong}"
    );
}
