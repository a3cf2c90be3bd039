//! Runs of small scenes whose outcome is known beforehand.

use std::fs;
use std::path::Path;
use std::time::Duration;

use gritstone::core::Space;
use gritstone::io::states::{State, read_states};
use gritstone::run::{End, Options, Progress, RunError, Start, Summary, Watch, run};
use gritstone::scene::Scene;
use tempfile::TempDir;

const G: f64 = 9.81;

/// Spheres of 1 mm at some heights (m), above a floor at zero.
fn scene(heights: &[f64], more: &str) -> Scene {
    parse(&text(heights, more))
}

fn parse(text: &str) -> Scene {
    Scene::parse(text, "scene").unwrap_or_else(|problems| panic!("{problems}"))
}

fn text(heights: &[f64], more: &str) -> String {
    let points: Vec<_> =
        heights.iter().zip(0..).map(|(z, i)| format!("[{}, 0, {z}]", 0.01 * f64::from(i))).collect();
    let points = points.join(", ");
    format!(
        r#"
        dimension = 3
        gravity = [0, 0, -{G}]
        [contact]
        law = "linear"
        [materials.glass]
        density = 2500
        kn = 1000
        restitution = 0.3
        friction = 0.5
        [shapes.ball]
        shape = "sphere"
        radius = 0.001
        [[grains]]
        from = "points"
        shape = "ball"
        material = "glass"
        at = [{points}]
        [walls.floor]
        kind = "plane"
        point = [0, 0, 0]
        normal = [0, 0, 1]
        material = "glass"
        {more}
        "#
    )
}

fn options(folder: &TempDir) -> Options {
    Options::new(folder.path().join("out"))
}

fn run_in(folder: &TempDir, scene: &Scene) -> Result<Summary, RunError> {
    run(scene, &options(folder), &mut ())
}

fn grains(folder: &TempDir) -> Vec<State<Space>> {
    read_states(&folder.path().join("out/final.csv")).unwrap()
}

#[track_caller]
fn assert_near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-12, "{found} instead of {expected}");
}

#[test]
fn grains_fall_as_they_should() {
    let folder = TempDir::new().unwrap();
    // They go 0.98 m/s at the end, 0.04 of their radius in a step.
    let scene = scene(&[0.5, 0.7], "[time]\nend = 0.1\nstep = 4e-5\n[output]\nevery = 0.02");
    let summary = run_in(&folder, &scene).unwrap();
    assert_eq!((summary.end, summary.status.step, summary.status.contacts), (End::Time, 2500, 0));
    for (grain, start) in grains(&folder).iter().zip([0.5, 0.7]) {
        // Velocity Verlet is exact for constant acceleration.
        assert_near(grain.pose.position.z, start - 0.5 * G * 0.1 * 0.1);
        assert_near(grain.velocity.z, -G * 0.1);
    }
    assert!(summary.energy_error.abs() < 1e-9);
}

/// What a run says of itself, whether it comes to its end or is given up.
fn said(scene: &Scene) -> (String, Option<Summary>) {
    let folder = TempDir::new().unwrap();
    match run_in(&folder, scene) {
        Ok(summary) => {
            let alarms = summary.alarms.join("\n");
            let told = fs::read_to_string(folder.path().join("out/summary.json")).unwrap();
            let told: serde_json::Value = serde_json::from_str(&told).unwrap();
            assert_eq!(told["alarms"].as_array().unwrap().len(), summary.alarms.len());
            let text = summary.to_string();
            assert!(summary.alarms.iter().all(|alarm| text.contains(alarm)), "{text}");
            assert!(alarms.is_empty() || text.contains("warning"), "{text}");
            (alarms, Some(summary))
        }
        Err(error) => (error.to_string(), None),
    }
}

/// Sixty steps in a contact, an overlap of a fifteenth of the radius.
#[test]
fn a_run_that_is_right_says_nothing() {
    let (said, summary) =
        said(&scene(&[0.02, 0.03], "[time]\nend = 0.1\nstep = 5e-6\n[output]\nevery = 0.05"));
    assert!(said.is_empty() && summary.is_some(), "{said}");
}

/// A contact of these balls lasts π√(m/kn) = 0.32 ms: three steps.
#[test]
fn a_step_that_is_too_long_for_the_stiffness_is_named() {
    let time = "[time]\nend = 0.2\nstep = 1.1e-4\n[output]\nevery = 0.1";
    let text = text(&[0.02, 0.03, 0.037], time).replace("restitution = 0.3", "restitution = 1");
    let (said, _) = said(&parse(&text));
    assert!(said.contains("energy") && said.contains("The step is too long for the stiffness"), "{said}");
    assert!(said.contains("wall \"floor\" lasts 2.9 steps"), "{said}");
}

/// Without damping the overlap is v√(m/kn): 0.44 m/s · 0.46 ms, a fifth of the radius.
#[test]
fn grains_that_are_too_soft_are_named() {
    let time = "[time]\nend = 0.1\nstep = 2e-5\n[output]\nevery = 0.1";
    let text =
        text(&[0.011], time).replace("kn = 1000", "kn = 50").replace("restitution = 0.3", "restitution = 1");
    let (said, summary) = said(&parse(&text));
    assert!(
        said.contains("the largest overlap was 0.2") && said.contains("grain 1 and wall \"floor\""),
        "{said}"
    );
    assert!(said.contains("17 times as stiff"), "{said}");
    assert!(!said.contains("energy"), "{said}");
    assert!((summary.unwrap().deepest() - 0.20475).abs() < 0.002);
}

/// Ten radii in a millisecond, ten steps of it each.
#[test]
fn grains_that_are_too_fast_for_the_step_are_counted() {
    let more = "[time]\nend = 0.01\nstep = 1e-4\n[output]\nevery = 0.01";
    let fast = text(&[0.5], more).replace("at = [[0, 0, 0.5]]", "at = [[0, 0, 0.5]]\nvelocity = [10, 0, 0]");
    let scene = parse(&fast);
    let warnings = scene.check().unwrap().warnings;
    assert!(warnings.iter().any(|warning| warning.contains("grain 1 goes 1 of half")), "{warnings:?}");
    let (said, summary) = said(&scene);
    assert!(said.contains("100 times: grain 1 went 1") && said.contains("time.step = 4.9 us"), "{said}");
    let fast = summary.unwrap().status.fast;
    assert_eq!((fast.count, fast.id), (100, 1));
    // It falls, too: by the speed of the middle of the last step.
    let fall = G * (0.01 - 0.5e-4) / 10.0;
    assert!((fast.farthest - (1.0 + fall * fall).sqrt()).abs() < 1e-12);
}

#[test]
fn events_happen_at_their_time() {
    let folder = TempDir::new().unwrap();
    // In 0.1 s they fall by 0.049 m: the first would meet the floor, the second stops, the third vanishes.
    let scene = scene(
        &[0.02, 0.5, 0.9],
        r#"
        [time]
        end = 0.1
        step = 1e-4
        [[events]]
        at = 0.05
        remove_walls = ["floor"]
        [[events]]
        at = 0.06
        freeze = { low = [-inf, -inf, 0.3], high = [inf, inf, 0.6] }
        [[events]]
        at = 0.07
        remove = { low = [-inf, -inf, 0.8], high = [inf, inf, inf] }
        "#,
    );
    let mut notes = Notes::default();
    let summary = run(&scene, &options(&folder), &mut notes).unwrap();
    let grains = grains(&folder);
    assert_eq!(grains.iter().map(|grain| grain.id).collect::<Vec<_>>(), [1, 2]);
    assert_near(grains[0].pose.position.z, 0.02 - 0.5 * G * 0.1 * 0.1);
    assert_near(grains[1].pose.position.z, 0.5 - 0.5 * G * 0.06 * 0.06);
    assert_eq!(grains[1].velocity.length(), 0.0);
    assert!(
        summary.energy_error.abs() < 1e-9,
        "what is taken out is accounted for: {}",
        summary.energy_error
    );
    let expected = [
        "at 0.050000 s: 1 wall removed: floor",
        "at 0.060000 s: 1 grain frozen",
        "at 0.070000 s: 1 grain removed",
    ];
    assert_eq!(notes.lines, expected);
}

#[test]
fn what_lies_frozen_on_a_wall_does_no_harm() {
    let folder = TempDir::new().unwrap();
    let freeze = "freeze = { low = [-inf, -inf, -inf], high = [inf, inf, inf] }";
    let scene = scene(&[0.00099, 0.00099], &format!("[time]\nend = 0.02\n[[events]]\nat = 0\n{freeze}"));
    let summary = run_in(&folder, &scene).unwrap();
    assert_eq!(summary.status.contacts, 2);
    assert!(grains(&folder).iter().all(|grain| grain.pose.position.z == 0.00099));
}

#[test]
fn grains_that_leave_are_kept_removed_or_told() {
    let domain = |leaving: &str| {
        let domain = format!("[domain]\nlow = [-1, -1, 0.1]\nhigh = [1, 1, 1]\nleaving = \"{leaving}\"");
        scene(&[0.12, 0.5], &format!("[time]\nend = 0.12\nstep = 1e-4\n{domain}"))
    };
    let folder = TempDir::new().unwrap();
    let Err(RunError::Step(error)) = run_in(&folder, &domain("error")) else { panic!("it did not leave") };
    assert!(error.to_string().contains("grain 1 left the domain"), "{error}");
    assert_eq!(summary_json(folder.path())["end"], "failed");
    let folder = TempDir::new().unwrap();
    assert_eq!(run_in(&folder, &domain("remove")).unwrap().status.left, 1);
    assert_eq!(grains(&folder).len(), 1);
    let folder = TempDir::new().unwrap();
    assert_eq!(run_in(&folder, &domain("keep")).unwrap().status.left, 0);
    assert_eq!(grains(&folder).len(), 2);
}

#[test]
fn a_run_ends_when_everything_is_at_rest() {
    // A ball of 1.05e-5 kg weighs 1.03e-4 N, and falls for 0.2 ms before it touches the floor.
    for stop in [
        "kinetic_energy = 1e-15",
        "unbalanced_force = 1e-3",
        "kinetic_energy = 1e-15\nunbalanced_force = 1e-3",
    ] {
        let folder = TempDir::new().unwrap();
        let scene = scene(&[0.0010002], &format!("[time]\nend = 5\n[stop]\n{stop}\nnot_before = 0.01"));
        let summary = run_in(&folder, &scene).unwrap();
        assert_eq!(summary.end, End::Still, "{stop}");
        assert!(summary.status.time > 0.01 && summary.status.time < 1.0, "{stop}: {}", summary.status.time);
        // The weight compresses the spring by m g / kn.
        let mass = 2500.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-9;
        let depth = 0.001 - grains(&folder)[0].pose.position.z;
        assert!((depth - mass * G / 1000.0).abs() < 1e-2 * depth, "{stop}: {depth}");
    }
}

#[test]
fn unstable_runs_are_told_and_leave_whole_files() {
    let folder = TempDir::new().unwrap();
    // The contact of a ball with the floor lasts 0.3 ms.
    let scene = scene(&[0.0012, 0.0013], "[time]\nend = 1\nstep = 4e-4\n[output]\nevery = 0.004");
    let error = run_in(&folder, &scene).unwrap_err();
    assert!(matches!(error, RunError::Unstable { .. }), "{error}");
    assert!(!error.is_bad_input());
    let summary = summary_json(folder.path());
    assert_eq!(summary["end"], "failed");
    assert!(summary["error"].as_str().unwrap().contains("The step is too long for the stiffness"));
    let energies = fs::read_to_string(folder.path().join("out/energies.csv")).unwrap();
    assert!(energies.ends_with('\n'));
    assert!(!folder.path().join("out/final.csv").exists());
}

const DROP: &str = "[time]\nend = 0.02\nstep = 1e-5\n[output]\nevery = 0.005";

#[test]
fn checkpoints_do_not_touch_the_trajectory() {
    let scene = scene(&[0.0011, 0.0012, 0.0013], DROP);
    let (calm, busy) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    run(&scene, &Options { steps: Some(700), ..options(&calm) }, &mut ()).unwrap();
    let often = Options { steps: Some(700), checkpoint_every: Duration::ZERO, ..options(&busy) };
    run(&scene, &often, &mut ()).unwrap();
    assert_same(&calm, &busy);
}

#[test]
fn a_run_that_is_asked_to_stop_goes_on_with_the_same_bits() {
    let scene = scene(&[0.0011, 0.0012, 0.0013], DROP);
    let (straight, stopped) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    run_in(&straight, &scene).unwrap();
    let options = Options { resume: true, ..options(&stopped) };
    let mut ends = Vec::new();
    for patience in [1, 377, 634, 100_000] {
        let mut watch = Impatient { patience: patience.into() };
        ends.push(run(&scene, &options, &mut watch).unwrap().end);
    }
    assert_eq!(ends, [End::Interrupted, End::Interrupted, End::Interrupted, End::Time]);
    assert_same(&straight, &stopped);
    // Once more: there is nothing left to do, and it is done.
    assert_eq!(run(&scene, &options, &mut ()).unwrap().steps, 0);
    assert_same(&straight, &stopped);
    // Beyond the scene's end, and then not back.
    let further = Options { until: Some(0.03), ..options.clone() };
    assert_eq!(run(&scene, &further, &mut ()).unwrap().status.step, 3000);
    let back = Options { until: Some(0.01), ..options };
    assert!(matches!(run(&scene, &back, &mut ()), Err(RunError::Beyond { step: 3000, .. })));
}

#[test]
fn the_scene_as_used_can_be_run_again() {
    let folder = TempDir::new().unwrap();
    let table = "id,x,y,z,vx,vy,vz\n7,0,0,0.002,0,0.1,0\n9,0.01,0,0.003,0,0,0.1\n";
    fs::create_dir(folder.path().join("data")).unwrap();
    fs::write(folder.path().join("data/start.csv"), table).unwrap();
    let mut text = scene(&[0.0015], "[time]\nsteps = 100").source().text.clone();
    text += "[[grains]]\nfrom = \"csv\"\nfile = \"data/start.csv\"\nshape = \"ball\"\nmaterial = \"glass\"\n";
    let text = text.replace("at = [[0, 0, 0.0015]]", "at = [[0, 0.01, 0.0015]]");
    fs::write(folder.path().join("scene.toml"), text).unwrap();
    let scene = Scene::read(&folder.path().join("scene.toml")).unwrap();
    run_in(&folder, &scene).unwrap();
    let again = Scene::read(&folder.path().join("out/scene.toml")).unwrap();
    run(&again, &Options::new(folder.path().join("again")), &mut ()).unwrap();
    for name in ["final.csv", "scene.toml"] {
        let read = |run: &str| fs::read_to_string(folder.path().join(run).join(name)).unwrap();
        assert_eq!(read("out"), read("again"));
    }
    // It is the same run: it can even be gone on with.
    let options = Options { resume: true, until: None, steps: Some(200), ..options(&folder) };
    assert_eq!(run(&again, &options, &mut ()).unwrap().status.step, 200);
    // Other grains, another scene.
    fs::write(folder.path().join("data/start.csv"), table.replace("0.003", "0.004")).unwrap();
    assert!(matches!(run(&scene, &options, &mut ()), Err(RunError::NoCheckpoint(_))));
}

#[test]
fn what_no_run_has_written_is_not_removed() {
    let scene = scene(&[0.5], "[time]\nsteps = 3");
    for name in ["final.csv", "energies.csv", "summary.json", "scene.toml", "checkpoint.bin", "inputs", "vtk"]
    {
        let folder = TempDir::new().unwrap();
        let precious = folder.path().join("out").join(name);
        fs::create_dir(folder.path().join("out")).unwrap();
        if name.contains('.') {
            fs::write(&precious, "precious").unwrap();
        } else {
            fs::create_dir(&precious).unwrap();
        }
        for (resume, overwrite) in [(false, false), (true, false), (false, true)] {
            let error = run(&scene, &Options { resume, overwrite, ..options(&folder) }, &mut ()).unwrap_err();
            assert!(error.is_bad_input() && error.to_string().contains(name), "{error}");
            assert!(precious.exists());
            assert_eq!(fs::read_dir(folder.path().join("out")).unwrap().count(), 1);
        }
    }
}

#[test]
fn folders_that_cannot_be_made_are_bad_input() {
    let folder = TempDir::new().unwrap();
    let scene = scene(&[0.5], "[time]\nsteps = 3");
    fs::write(folder.path().join("file"), "precious").unwrap();
    for name in ["file", "file/below", &"long".repeat(100)] {
        let error = run(&scene, &Options::new(folder.path().join(name)), &mut ()).unwrap_err();
        assert!(error.is_bad_input() && error.to_string().contains("cannot make the folder"), "{error}");
    }
    assert_eq!(fs::read_to_string(folder.path().join("file")).unwrap(), "precious");
}

#[test]
fn a_run_that_would_never_end_is_refused() {
    let folder = TempDir::new().unwrap();
    let scene = scene(&[0.5], "[time]\nsteps = 3");
    let error = run(&scene, &Options { until: Some(1e300), ..options(&folder) }, &mut ()).unwrap_err();
    assert!(matches!(error, RunError::TooLong { .. }) && error.is_bad_input(), "{error}");
}

#[test]
#[cfg(target_os = "linux")]
fn names_of_folders_need_not_be_text() {
    use std::os::unix::ffi::OsStrExt;
    let folder = TempDir::new().unwrap();
    let name = folder.path().join(std::ffi::OsStr::from_bytes(b"caf\xe9"));
    let summary = run(&scene(&[0.5], "[time]\nsteps = 3"), &Options::new(name), &mut ()).unwrap();
    assert!(summary.to_json()["folder"].as_str().unwrap().contains("caf"));
}

#[test]
fn two_runs_do_not_share_a_folder() {
    let folder = TempDir::new().unwrap();
    let scene = scene(&[0.5], "[time]\nsteps = 3");
    let options = Options { overwrite: true, ..options(&folder) };
    let mut rival = Rival { scene: &scene, options: options.clone(), refused: false };
    run(&scene, &options, &mut rival).unwrap();
    assert!(rival.refused);
}

fn summary_json(folder: &Path) -> serde_json::Value {
    serde_json::from_slice(&fs::read(folder.join("out/summary.json")).unwrap()).unwrap()
}

#[track_caller]
fn assert_same(one: &TempDir, other: &TempDir) {
    for name in ["final.csv", "energies.csv", "trajectory.grit", "checkpoint.bin"] {
        let read = |folder: &TempDir| fs::read(folder.path().join("out").join(name)).unwrap();
        assert!(read(one) == read(other), "{name} differs");
    }
}

#[derive(Default)]
struct Notes {
    lines: Vec<String>,
}

impl Watch for Notes {
    fn note(&mut self, text: &str) {
        self.lines.push(text.to_owned());
    }
}

/// Asks to stop after so many steps.
struct Impatient {
    patience: std::sync::atomic::AtomicU32,
}

impl Watch for Impatient {
    fn progress(&mut self, progress: &Progress) {
        assert!(progress.particle_steps_per_second > 0.0 && progress.last_step == 2000);
    }

    fn wants_stop(&self) -> bool {
        self.patience.fetch_sub(1, std::sync::atomic::Ordering::Relaxed) == 0
    }
}

/// Tries to run in the same folder.
struct Rival<'s> {
    scene: &'s Scene,
    options: Options,
    refused: bool,
}

impl Watch for Rival<'_> {
    fn start(&mut self, _start: &Start<'_>) {
        self.refused = matches!(run(self.scene, &self.options, &mut ()), Err(RunError::Busy { .. }));
    }
}

/// A lid comes after a while and presses a ball with a servo; the floor's table has the same force and the ball's weight.
#[test]
fn a_servo_presses_a_ball() {
    let folder = TempDir::new().unwrap();
    let more = r#"
        [walls.lid]
        kind = "plane"
        point = [0, 0, 0.003]
        normal = [0, 0, -1]
        material = "glass"
        [tools.lid]
        walls = "lid"
        moves = [{ move = "servo", axis = [0, 0, -1], force = "20 mN", max_speed = "5 cm/s" }]
        [[events]]
        at = 0.02
        add_walls = ["lid"]
        [time]
        end = 0.4
        step = 1e-5
        [output]
        every = 0.1
        vtk = false
    "#;
    let summary = run_in(&folder, &scene(&[0.001], more)).unwrap();
    assert_eq!(summary.servos.len(), 1);
    let table = fs::read_to_string(folder.path().join("out/walls.csv")).unwrap();
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
    let number = |column: &str| -> f64 {
        let i = rows[0].iter().position(|name| *name == column).unwrap();
        rows[rows.len() - 1][i].parse().unwrap()
    };
    assert_eq!(rows.len(), 6);
    // The ball has come to rest: forces are right to what is left of its bouncing.
    let weight = 2500.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-9 * G;
    assert!((number("lid.servo [N]") / 0.02 - 1.0).abs() < 1e-3, "{}", number("lid.servo [N]"));
    assert!((number("lid.force_z [N]") / 0.02 - 1.0).abs() < 1e-3);
    assert!((-number("floor.force_z [N]") / (0.02 + weight) - 1.0).abs() < 1e-3);
}
