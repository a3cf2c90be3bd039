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
struct Patience(AtomicU64);

impl Watch for Patience {
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
    let scene = scene("false");
    run(&scene, &options, &mut ()).unwrap();
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
        let words = format!("results of this scene, such as {name}, but no checkpoint to go on from");
        assert!(error.to_string().contains(&words), "{error}");
        if name.starts_with("vtk") {
            fs::remove_dir_all(folder.path().join("vtk")).unwrap();
        } else {
            fs::remove_file(folder.path().join(name)).unwrap();
        }
    }
    fs::write(folder.path().join("energies.csv"), "step,time [s]\n0,0.0\n").unwrap();
    assert_eq!(run(&scene, &options, &mut ()).unwrap().status.step, 200);
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

#[test]
fn files_that_have_lost_something_are_not_gone_on_with() {
    let folder = TempDir::new().unwrap();
    let (whole, broken) = (folder.path().join("whole"), folder.path().join("broken"));
    let scene = scene("0.002");
    run(&scene, &Options::new(&whole), &mut ()).unwrap();
    let options = Options { resume: true, ..Options::new(&broken) };
    run(&scene, &options, &mut Patience(77.into())).unwrap();
    for name in ["energies.csv", "walls.csv", "trajectory.grit", "probes/near.csv"] {
        let path = broken.join(name);
        let bytes = fs::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        let told = refused(&scene, &options).to_string();
        assert!(told.contains(&format!("{name} is missing")) && told.contains("of step 77"), "{told}");
        fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        let told = refused(&scene, &options).to_string();
        let words = format!("{name} has {} bytes, but had {} bytes", bytes.len() - 1, bytes.len());
        assert!(told.contains(&words), "{told}");
        fs::write(&path, &bytes).unwrap();
    }
    run(&scene, &options, &mut ()).unwrap();
    for name in ["final.csv", "energies.csv", "walls.csv", "trajectory.grit", "probes/near.csv"] {
        assert!(
            fs::read(whole.join(name)).unwrap() == fs::read(broken.join(name)).unwrap(),
            "{name} differs"
        );
    }
}
