//! What a run needs to go on: a checkpoint, and the files that it goes on with.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use gritstone::run::{End, Options, RunError, Watch, run};
use gritstone::scene::Scene;
use tempfile::TempDir;

/// A ball falls for 200 steps.
fn scene(checkpoint: &str) -> Scene {
    let text = format!(
        r#"
        dimension = 3
        gravity = [0, 0, -9.81]
        time = {{ end = 0.02, step = 1e-4 }}
        output = {{ every = 1e-3, vtk = "5 ms", checkpoint = {checkpoint} }}
        contact = {{ law = "linear" }}
        materials = {{ glass = {{ density = 2500, kn = 1000 }} }}
        shapes = {{ ball = {{ shape = "sphere", radius = 0.001 }} }}
        grains = [{{ from = "points", shape = "ball", material = "glass", at = [[0, 0, 0.5]] }}]
        walls.floor = {{ kind = "plane", point = [0, 0, 0], normal = [0, 0, 1], material = "glass" }}
        probes.near = {{ kind = "coordination" }}
        "#
    );
    Scene::parse(&text, "ball").unwrap_or_else(|problems| panic!("{problems}"))
}

/// Asks to stop after so many steps.
struct StopAfter(AtomicU64);

impl Watch for StopAfter {
    fn wants_stop(&self) -> bool {
        self.0.fetch_sub(1, Ordering::Relaxed) == 0
    }
}

/// All files below a folder, with their content.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for path in fs::read_dir(next).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
                found.insert(name, fs::read(path).unwrap());
            }
        }
    }
    found
}

/// The run is refused as bad input, and nothing in its folder has changed.
#[track_caller]
fn refused(scene: &Scene, options: &Options) -> RunError {
    let before = files(&options.folder);
    let error = run(scene, options, &mut ()).unwrap_err();
    assert!(error.is_bad_input(), "{error}");
    assert!(files(&options.folder) == before, "something has changed");
    error
}

/// Results without a checkpoint are not thrown away; files of the first moment alone are written anew.
#[test]
fn results_without_a_checkpoint_are_not_removed() {
    let folder = TempDir::new().unwrap();
    let options = Options { resume: true, ..Options::new(folder.path()) };
    let scene = scene("0.015");
    run(&scene, &options, &mut ()).unwrap();
    for name in ["checkpoint.bin", "checkpoint.previous.bin"] {
        fs::remove_file(folder.path().join(name)).unwrap();
    }
    // It has ended: there is nothing to do, but to go on beyond its end.
    assert!(matches!(refused(&scene, &options), RunError::Ended { .. }));
    let options = Options { until: Some(0.03), ..options };
    // Taken away one by one: what is still there is named.
    for name in [
        "final.csv",
        "summary.json",
        "energies.csv",
        "walls.csv",
        "trajectory.grit",
        "probes/near.csv",
        "vtk/contacts_000000050.vtp",
    ] {
        let error = refused(&scene, &options);
        assert!(matches!(error, RunError::NoneToResume { .. }), "{error}");
        let words = format!("results of this scene, such as {name}, but no checkpoint to resume from");
        assert!(error.to_string().contains(&words), "{error}");
        if name.starts_with("vtk") {
            fs::remove_dir_all(folder.path().join("vtk")).unwrap();
        } else {
            fs::remove_file(folder.path().join(name)).unwrap();
        }
    }
    fs::write(folder.path().join("energies.csv"), "step,time [s]\n0,0.0\n").unwrap();
    assert_eq!(run(&scene, &options, &mut ()).unwrap().status.step, 300);
}

/// Whatever a run without checkpoints leaves when it is killed, the same command starts it anew; what has ended is left alone.
#[test]
fn a_run_without_checkpoints_is_no_obstacle_to_itself() {
    let folder = TempDir::new().unwrap();
    let options = Options { resume: true, ..Options::new(folder.path()) };
    let scene = scene("false");
    run(&scene, &options, &mut ()).unwrap();
    let ended = files(folder.path());
    assert!(matches!(refused(&scene, &options), RunError::Ended { .. }));
    // As a kill on the way leaves it.
    for name in ["final.csv", "summary.json"] {
        fs::remove_file(folder.path().join(name)).unwrap();
    }
    let mut listener = Listener(StopAfter(AtomicU64::new(u64::MAX)), Vec::new());
    assert_eq!(run(&scene, &options, &mut listener).unwrap().status.step, 200);
    assert!(listener.1.iter().any(|note| note.contains("the run starts again")), "{:?}", listener.1);
    let again = files(folder.path());
    assert!(ended.iter().all(|(name, bytes)| name == "summary.json" || again[name] == *bytes));
}

/// `--overwrite` was killed while it removed the run before: some of that is still there, and nothing of it is to be kept.
#[test]
fn a_start_that_was_killed_while_it_cleared_the_folder_is_no_obstacle() {
    let folder = TempDir::new().unwrap();
    run(&scene("0.015"), &Options::new(folder.path()), &mut ()).unwrap();
    fs::remove_file(folder.path().join("checkpoint.bin")).unwrap();
    let path = folder.path().join("scene.toml");
    let text = fs::read_to_string(&path).unwrap();
    let (mark, rest) = text.split_once('\n').unwrap();
    fs::write(&path, format!("{mark}\n# What another run has left here is being removed.\n{rest}")).unwrap();
    // The scene may be the only one there is.
    let scene = Scene::read(&path).unwrap_or_else(|problems| panic!("{problems}"));
    let options = Options { resume: true, ..Options::new(folder.path()) };
    let summary = run(&scene, &options, &mut ()).unwrap();
    assert_eq!((summary.resumed_from, summary.status.step), (None, 200));
}

/// A table that was cut between two checkpoints: the one before is gone on from, and the end is the same.
#[test]
fn files_shorter_than_the_last_checkpoint_says_are_gone_on_with_from_the_one_before() {
    let (straight, cut) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    run(&scene("0.005"), &Options::new(straight.path()), &mut ()).unwrap();
    let options = Options { resume: true, ..Options::new(cut.path()) };
    let watch = &mut StopAfter(AtomicU64::new(120));
    assert_eq!(run(&scene("0.005"), &options, watch).unwrap().end, End::Interrupted);
    let path = cut.path().join("energies.csv");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, &text[..text.find("\n110,").unwrap() + 1]).unwrap();
    let resumed = run(&scene("0.005"), &options, &mut ()).unwrap();
    assert_eq!((resumed.resumed_from, resumed.status.step), (Some(100), 200));
    let (expected, found) = (files(straight.path()), files(cut.path()));
    for name in ["energies.csv", "final.csv", "trajectory.grit", "probes/near.csv", "walls.csv"] {
        assert!(found[name] == expected[name], "{name} differs");
    }
}

/// Asks to stop where there is nothing to go on from.
struct Careful(PathBuf);

impl Watch for Careful {
    fn wants_stop(&self) -> bool {
        !self.0.join("checkpoint.bin").exists()
    }
}

/// A run has something to go on from before its first step.
#[test]
fn the_first_checkpoint_is_of_the_start() {
    let folder = TempDir::new().unwrap();
    let options = Options::new(folder.path());
    let watch = &mut Careful(folder.path().to_owned());
    assert_eq!(run(&scene("0.015"), &options, watch).unwrap().end, End::Time);
    let before = folder.path().join("checkpoint.previous.bin");
    fs::rename(before, folder.path().join("checkpoint.bin")).unwrap();
    let resumed = run(&scene("0.015"), &Options { resume: true, ..options }, &mut ()).unwrap();
    assert_eq!((resumed.resumed_from, resumed.status.step), (Some(150), 200));
}

/// Hears notes, and asks to stop after so many steps.
struct Listener(StopAfter, Vec<String>);

impl Watch for Listener {
    fn wants_stop(&self) -> bool {
        self.0.wants_stop()
    }

    fn note(&mut self, text: &str) {
        self.1.push(text.to_owned());
    }
}

/// Where the frames of a trajectory start, from their tags.
fn frame_offsets(bytes: &[u8]) -> Vec<usize> {
    (0..bytes.len()).filter(|&i| bytes[i..].starts_with(b"FRAM")).collect()
}

/// A bit of the third frame changes: the frames behind it stay, the damage is told, and the rest is as if nothing had happened.
#[test]
fn frames_behind_a_damaged_one_survive_a_resume() {
    let folder = TempDir::new().unwrap();
    let (whole, damaged) = (folder.path().join("whole"), folder.path().join("damaged"));
    let scene = scene("0.002");
    run(&scene, &Options::new(&whole), &mut ()).unwrap();
    let options = Options { resume: true, ..Options::new(&damaged) };
    run(&scene, &options, &mut StopAfter(77.into())).unwrap();
    let path = damaged.join("trajectory.grit");
    let mut bytes = fs::read(&path).unwrap();
    let frames = frame_offsets(&bytes);
    assert_eq!(frames.len(), 8);
    bytes[frames[2] + 50] ^= 1;
    fs::write(&path, bytes).unwrap();
    let mut listener = Listener(StopAfter(u64::MAX.into()), Vec::new());
    run(&scene, &options, &mut listener).unwrap();
    let told = listener.1.join("\n");
    assert!(told.contains("trajectory.grit") && told.contains("damaged frames are left out"), "{told}");
    let steps = |path: &Path| -> Vec<u64> {
        let reader = gritstone::io::trajectory::Reader::open(&path.join("trajectory.grit")).unwrap();
        reader.moments().iter().map(|moment| moment.step).collect()
    };
    let expected: Vec<u64> = steps(&whole).into_iter().filter(|step| *step != 20).collect();
    assert_eq!(steps(&damaged), expected);
    for name in ["final.csv", "energies.csv", "walls.csv", "probes/near.csv"] {
        assert!(
            fs::read(whole.join(name)).unwrap() == fs::read(damaged.join(name)).unwrap(),
            "{name} differs"
        );
    }
}

/// Same length, other bytes: tables are refused, and nothing else is touched, the results of an end least of all.
#[test]
fn altered_tables_are_refused_and_nothing_is_removed() {
    let folder = TempDir::new().unwrap();
    let scene = scene("0.002");
    let options = Options { resume: true, ..Options::new(folder.path()) };
    run(&scene, &options, &mut ()).unwrap();
    for name in ["energies.csv", "walls.csv", "probes/near.csv"] {
        let path = folder.path().join(name);
        let bytes = fs::read(&path).unwrap();
        let digit = bytes.iter().rposition(u8::is_ascii_digit).unwrap();
        let mut altered = bytes.clone();
        altered[digit] = if bytes[digit] == b'7' { b'8' } else { b'7' };
        fs::write(&path, altered).unwrap();
        let error = refused(&scene, &options);
        assert!(matches!(error, RunError::Altered { .. }), "{error}");
        assert!(error.to_string().contains(&format!("{name} has been altered")), "{error}");
        fs::write(&path, bytes).unwrap();
    }
}

/// A trajectory that cannot be gone on with is found before the end of the run is removed.
#[test]
fn a_resume_that_fails_leaves_the_results_of_the_end() {
    let folder = TempDir::new().unwrap();
    let scene = scene("0.002");
    let options = Options { resume: true, ..Options::new(folder.path()) };
    run(&scene, &options, &mut ()).unwrap();
    let path = folder.path().join("trajectory.grit");
    let mut bytes = fs::read(&path).unwrap();
    bytes[60] ^= 1;
    fs::write(&path, bytes).unwrap();
    let before = files(folder.path());
    let error = refused(&scene, &options);
    assert!(matches!(error, RunError::Damaged(_)) && error.is_bad_input(), "{error}");
    assert!(error.to_string().contains("trajectory.grit"), "{error}");
    assert!(files(folder.path()) == before, "something has changed");
    assert!(before.contains_key("final.csv") && before.contains_key("summary.json"));
}

/// Frames for ParaView that are gone or altered are left out of the lists, which is told.
#[test]
fn frames_for_paraview_that_are_lost_are_not_listed() {
    let folder = TempDir::new().unwrap();
    let scene = scene("0.002");
    let options = Options { resume: true, ..Options::new(folder.path()) };
    run(&scene, &options, &mut StopAfter(130.into())).unwrap();
    let vtk = folder.path().join("vtk");
    fs::remove_file(vtk.join("grains_000000050.vtp")).unwrap();
    fs::write(vtk.join("points_000000100.vtp"), "nothing").unwrap();
    let mut listener = Listener(StopAfter(u64::MAX.into()), Vec::new());
    run(&scene, &options, &mut listener).unwrap();
    assert!(listener.1.join("").contains("grains_000000050.vtp (2 in all)"), "{:?}", listener.1);
    let list = |name: &str| fs::read_to_string(vtk.join(name)).unwrap();
    assert!(!list("grains.pvd").contains("000000050") && list("grains.pvd").contains("000000100"));
    assert!(!list("points.pvd").contains("000000100") && list("points.pvd").contains("000000200"));
}

/// A run that failed before its first step, as on a full disk, is simply started by the next `--resume`.
#[test]
fn a_start_that_failed_is_no_obstacle() {
    let folder = TempDir::new().unwrap();
    let scene = scene("0.002");
    let options = Options { resume: true, ..Options::new(folder.path()) };
    run(&scene, &options, &mut ()).unwrap();
    for name in [
        "final.csv",
        "checkpoint.bin",
        "checkpoint.previous.bin",
        "energies.csv",
        "walls.csv",
        "trajectory.grit",
    ] {
        fs::remove_file(folder.path().join(name)).unwrap();
    }
    for name in ["probes", "vtk"] {
        fs::remove_dir_all(folder.path().join(name)).unwrap();
    }
    fs::write(folder.path().join("summary.json"), r#"{ "end": "failed", "step": 0 }"#).unwrap();
    assert_eq!(run(&scene, &options, &mut ()).unwrap().status.step, 200);
}

/// Of many that start at once in a fresh folder one runs, and its results are whole.
#[test]
fn starts_at_once_do_not_disturb_each_other() {
    let folder = TempDir::new().unwrap();
    let scene = scene("0.002");
    let whole = folder.path().join("whole");
    run(&scene, &Options::new(&whole), &mut ()).unwrap();
    for round in 0..20 {
        let options = Options::new(folder.path().join(format!("round {round}")));
        let start = std::sync::Barrier::new(4);
        let ends: Vec<_> = std::thread::scope(|scope| {
            let one = || {
                start.wait();
                run(&scene, &options, &mut ())
            };
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(one)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        for error in ends.iter().filter_map(|end| end.as_ref().err()) {
            assert!(matches!(error, RunError::Busy { .. } | RunError::Taken { .. }), "{error}");
        }
        assert_eq!(ends.iter().filter(|end| end.is_ok()).count(), 1);
        let (mut expected, mut found) = (files(&whole), files(&options.folder));
        // It tells how long the run took.
        expected.remove("summary.json");
        found.remove("summary.json");
        assert!(expected == found, "{:?}", found.keys());
    }
}

#[test]
fn files_that_have_lost_something_are_not_gone_on_with() {
    let folder = TempDir::new().unwrap();
    let (whole, broken) = (folder.path().join("whole"), folder.path().join("broken"));
    let scene = scene("0.002");
    run(&scene, &Options::new(&whole), &mut ()).unwrap();
    let options = Options { resume: true, ..Options::new(&broken) };
    run(&scene, &options, &mut StopAfter(77.into())).unwrap();
    for name in ["energies.csv", "walls.csv", "trajectory.grit", "probes/near.csv"] {
        let path = broken.join(name);
        let bytes = fs::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        let told = refused(&scene, &options).to_string();
        assert!(told.contains(&format!("{name} is missing")) && told.contains("of step 77"), "{told}");
        // Shorter than at either checkpoint.
        fs::write(&path, &bytes[..1]).unwrap();
        let told = refused(&scene, &options).to_string();
        assert!(told.contains(&format!("{name} has 1 bytes, but had")), "{told}");
        fs::write(&path, &bytes).unwrap();
    }
    // What has lost its end since the last checkpoint is as it was at the one before: the run goes on from there.
    let trajectory = broken.join("trajectory.grit");
    let bytes = fs::read(&trajectory).unwrap();
    fs::write(&trajectory, &bytes[..bytes.len() - 1]).unwrap();
    let summary = run(&scene, &options, &mut ()).unwrap();
    assert!(summary.resumed_from.is_some_and(|step| step < 77), "{:?}", summary.resumed_from);
    for name in ["final.csv", "energies.csv", "walls.csv", "trajectory.grit", "probes/near.csv"] {
        assert!(
            fs::read(whole.join(name)).unwrap() == fs::read(broken.join(name)).unwrap(),
            "{name} differs"
        );
    }
}
