//! `gritstone run` from outside: the same bits on any number of threads and after any death, files that are whole, messages.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Output};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use crate::common::{folder, gritstone, stderr};
use gritstone::core::Space;
use gritstone::io::states::{State, read_states};
use gritstone::io::trajectory::Reader;
use serde_json::Value;

/// 64 ellipsoids fall into a box; some are frozen, some vanish, a side of the box vanishes.
const SCENE: &str = r#"
title = "Everything at once"
dimension = 3
gravity = [0, 0, -9.81]

[time]
end = "60 ms"
step = "20 us"

[contact]
law = "hertz-mindlin"

[materials.grain]
density = 2500
young = "10 MPa"
poisson = 0.3
restitution = 0.5
friction = 0.5

[shapes.round]
shape = "ellipsoid"
radii = ["2 mm", "2 mm", "3 mm"]

[shapes.boxy]
shape = "superellipsoid"
radii = ["2 mm", "2 mm", "3 mm"]
exponents = [0.6, 0.7]

[[grains]]
from = "lattice"
shape = ["round", "boxy"]
material = "grain"
count = [4, 4, 4]
spacing = ["6.2 mm", "6.2 mm", "6.2 mm"]
origin = ["3.5 mm", "3.5 mm", "4 mm"]
jitter = "0.1 mm"
orientation = "random"
velocity = [0.1, 0.2, -0.5]

[walls.box]
kind = "box"
low = [0, 0, 0]
high = ["26 mm", "26 mm", "1 m"]
open = ["z-high"]
material = "grain"

[[events]]
at = "30 ms"
freeze = { low = [-inf, -inf, -inf], high = ["9 mm", "9 mm", inf] }

[[events]]
at = "40 ms"
remove_walls = ["box.x-high"]
remove = { low = ["20 mm", "20 mm", -inf], high = [inf, inf, inf] }

[output]
every = "1 ms"
vtk = "10 ms"
trajectory = "5 ms"
checkpoint = "1.5 ms"
"#;

/// A folder of its own for a test, with the scene in it.
fn with_scene(test: &str) -> PathBuf {
    let folder = folder(&format!("run-{test}"));
    fs::write(folder.join("scene.toml"), SCENE).unwrap();
    folder
}

/// Starts the scene of a folder.
fn start(folder: &Path, arguments: &[&str]) -> Child {
    let mut all = vec!["run", "scene.toml", "--out", "out"];
    all.extend(arguments);
    gritstone(&all).current_dir(folder).spawn().unwrap()
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    start(folder, arguments).wait_with_output().unwrap()
}

#[track_caller]
fn run_well(folder: &Path, arguments: &[&str]) -> Output {
    let output = run(folder, arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    output
}

/// All files of a run by name, but those that tell how long it took or what was saved on the way.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.join("out")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            if path.is_dir() {
                folders.push(path);
            } else if !["summary.json", "report.html", "checkpoint.previous.bin"].contains(&name.as_str()) {
                files.insert(name, fs::read(path).unwrap());
            }
        }
    }
    files
}

/// What a run on one thread leaves that nobody has disturbed.
fn undisturbed() -> &'static BTreeMap<String, Vec<u8>> {
    static FILES: OnceLock<BTreeMap<String, Vec<u8>>> = OnceLock::new();
    FILES.get_or_init(|| {
        // Tests may run in processes of their own, side by side.
        let folder = with_scene(&format!("undisturbed-{}", std::process::id()));
        run_well(&folder, &["--threads", "1"]);
        files(&folder)
    })
}

/// Every file has the same bytes as if nothing had happened.
#[track_caller]
fn assert_undisturbed(folder: &Path) {
    let (found, expected) = (files(folder), undisturbed());
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    for (name, bytes) in expected {
        assert!(found[name] == *bytes, "{name} of {} differs", folder.display());
    }
}

/// Complete lines of the table of energies.
fn lines(folder: &Path) -> usize {
    fs::read(folder.join("out/energies.csv"))
        .map_or(0, |bytes| bytes.iter().filter(|byte| **byte == b'\n').count())
}

/// Waits until the run has written so many lines, or has ended.
fn wait_for(child: &mut Child, folder: &Path, count: usize) {
    let start = Instant::now();
    while lines(folder) < count && child.try_wait().unwrap().is_none() {
        assert!(start.elapsed() < Duration::from_secs(120), "the run does not get on");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Every file can be read, and ends where it should.
fn assert_whole(folder: &Path) {
    let out = folder.join("out");
    let energies = fs::read_to_string(out.join("energies.csv")).unwrap();
    assert!(energies.ends_with('\n') && energies.lines().all(|line| line.split(',').count() == 14));
    let mut trajectory = Reader::open(&out.join("trajectory.grit")).unwrap();
    trajectory.check().unwrap();
    assert!(trajectory.broken().is_none());
    assert!(!trajectory.moments().is_empty());
    for number in 0..trajectory.moments().len() {
        assert!(trajectory.frame::<Space>(number).unwrap().grains.len() > 40);
    }
    for series in ["grains", "points", "contacts", "walls"] {
        let list = fs::read_to_string(out.join(format!("vtk/{series}.pvd"))).unwrap();
        assert!(list.ends_with("</VTKFile>\n"));
        let frames = list.lines().filter_map(|line| line.split("file=\"").nth(1)?.split('"').next());
        for frame in frames {
            let bytes = fs::read(out.join("vtk").join(frame)).unwrap();
            assert!(bytes.starts_with(b"<?xml") && bytes.ends_with(b"</VTKFile>\n"), "{frame}");
        }
    }
    let summary: Value = serde_json::from_slice(&fs::read(out.join("summary.json")).unwrap()).unwrap();
    assert!(summary["end"].is_string() && summary["error"].is_null());
}

#[test]
fn the_number_of_threads_does_not_matter() {
    for threads in ["2", "3"] {
        let folder = with_scene(&format!("threads-{threads}"));
        run_well(&folder, &["--threads", threads]);
        assert_undisturbed(&folder);
        assert_whole(&folder);
    }
}

#[test]
fn what_is_told_at_the_end_is_true() {
    let folder = with_scene("summary");
    let output = run_well(&folder, &["--json"]);
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    let written: Value = serde_json::from_slice(&fs::read(folder.join("out/summary.json")).unwrap()).unwrap();
    assert_eq!(summary, written);
    let grains: Vec<State<Space>> = read_states(&folder.join("out/final.csv")).unwrap();
    assert_eq!(summary["grains"], grains.len());
    assert!(grains.len() < 64, "some have been removed");
    assert_eq!((&summary["step"], &summary["unresolved"]), (&3000.into(), &0.into()));
    let text = fs::read_to_string(folder.join("out/final.csv")).unwrap();
    // Behind the numbers are the shape, its scale and the material.
    for number in text.lines().skip(1).flat_map(|line| line.split(',').skip(1).take(13)) {
        let digits = number.split('e').next().unwrap().chars().filter(char::is_ascii_digit).count();
        assert_eq!(digits, 17, "{number}");
    }
    // Before the run: the time step and why, memory; on the way: events.
    let told = stderr(&output);
    for words in ["20 us, given", "of the Rayleigh time", "MB", "grains frozen", "1 wall removed: box.x-high"]
    {
        assert!(told.contains(words), "no {words:?} in\n{told}");
    }
}

#[test]
#[cfg(unix)]
fn runs_that_are_killed_ten_times_leave_the_same_bits() {
    use std::os::unix::process::ExitStatusExt;
    let folder = with_scene("killed");
    let (mut kills, mut random) = (0, 2_654_435_769_u32);
    while kills < 10 {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let (more, threads) = (random >> 29, (random >> 16) % 3 + 1);
        let mut child = start(&folder, &["--resume", "--threads", &threads.to_string()]);
        let so_far = lines(&folder);
        wait_for(&mut child, &folder, so_far + more as usize);
        std::thread::sleep(Duration::from_micros(u64::from((random >> 8) % 4000)));
        child.kill().unwrap();
        if child.wait().unwrap().signal() == Some(9) {
            kills += 1;
        } else {
            // It was faster: once more from the start.
            fs::remove_dir_all(folder.join("out")).unwrap();
        }
    }
    run_well(&folder, &["--resume", "--threads", "2"]);
    assert_undisturbed(&folder);
    assert_whole(&folder);
}

/// `nohup` starts programs with SIGHUP ignored.
#[test]
#[cfg(target_os = "linux")]
fn a_hangup_that_is_ignored_stays_so() {
    let folder = with_scene("nohup");
    let program = env!("CARGO_BIN_EXE_gritstone");
    let line = format!("trap '' HUP; exec '{program}' run scene.toml --out out");
    let mut child = std::process::Command::new("sh")
        .args(["-c", &line])
        .current_dir(&folder)
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    wait_for(&mut child, &folder, 10);
    let sent = std::process::Command::new("kill").args(["-HUP", &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_undisturbed(&folder);
}

#[test]
#[cfg(unix)]
fn signals_end_a_run_with_whole_files_and_it_can_go_on() {
    for (signal, code) in [("-TERM", 143), ("-INT", 130), ("-HUP", 129)] {
        let folder = with_scene(&format!("signal{signal}"));
        let mut child = start(&folder, &[]);
        wait_for(&mut child, &folder, 10);
        let sent = std::process::Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(sent.unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
        assert!(String::from_utf8_lossy(&output.stdout).contains("--resume"));
        assert_whole(&folder);
        assert!(!folder.join("out/final.csv").exists());
        let resumed = run_well(&folder, &["--resume"]);
        assert!(stderr(&resumed).contains("resumed    from step"));
        assert_undisturbed(&folder);
    }
}

#[test]
fn a_torn_or_altered_checkpoint_is_refused_and_the_one_before_used() {
    type Damage = fn(&mut Vec<u8>);
    let damages: [(&str, Damage); 3] = [
        ("it is truncated", |bytes| bytes.truncate(bytes.len() / 2)),
        ("checksum does not match", |bytes| bytes[5000] ^= 4),
        ("it is truncated", Vec::clear),
    ];
    for (i, (why, damage)) in damages.into_iter().enumerate() {
        let folder = with_scene(&format!("damage-{i}"));
        run_well(&folder, &["--until", "0.03"]);
        let latest = folder.join("out/checkpoint.bin");
        let mut bytes = fs::read(&latest).unwrap();
        damage(&mut bytes);
        fs::write(&latest, &bytes).unwrap();
        let output = run_well(&folder, &["--resume"]);
        let told = stderr(&output);
        assert!(told.contains("checkpoint.bin is not used") && told.contains(why), "{told}");
        assert!(told.contains("checkpoint.previous.bin"), "{told}");
        assert_undisturbed(&folder);
    }
}

#[test]
fn a_run_with_no_checkpoint_left_is_not_gone_on_with() {
    let folder = with_scene("no-checkpoint");
    run_well(&folder, &["--until", "0.01"]);
    for name in ["checkpoint.bin", "checkpoint.previous.bin"] {
        fs::write(folder.join("out").join(name), "GRITCHK\nnot quite").unwrap();
    }
    let output = run(&folder, &["--resume"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("no checkpoint can be used"), "{}", stderr(&output));
}

#[test]
fn a_folder_with_a_run_is_not_written_over() {
    let folder = with_scene("taken");
    run_well(&folder, &["--steps", "10"]);
    let before = files(&folder);
    let again = run(&folder, &["--steps", "10"]);
    assert_eq!(again.status.code(), Some(2));
    assert!(stderr(&again).contains("out holds a run of this scene already"), "{}", stderr(&again));
    fs::write(folder.join("scene.toml"), SCENE.replace("friction = 0.5", "friction = 0.4")).unwrap();
    let other = run(&folder, &["--resume"]);
    assert_eq!(other.status.code(), Some(2));
    assert!(stderr(&other).contains("a run of another scene"), "{}", stderr(&other));
    let other = run(&folder, &[]);
    assert!(stderr(&other).contains("out holds a run of another scene already"), "{}", stderr(&other));
    assert!(!stderr(&other).contains("--resume"), "which would be refused");
    assert_eq!(files(&folder), before);
    run_well(&folder, &["--steps", "10", "--overwrite"]);
    assert!(fs::read_to_string(folder.join("out/scene.toml")).unwrap().contains("friction = 0.4"));
}

#[test]
fn broken_scenes_give_code_two_and_write_nothing() {
    let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/broken_scenes");
    let folder = folder("run-broken");
    for entry in fs::read_dir(scenes).unwrap() {
        let path = entry.unwrap().path();
        let output = gritstone(&["run", path.to_str().unwrap()]).current_dir(&folder).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", path.display());
        let text = fs::read_to_string(&path).unwrap();
        for expected in text.lines().filter_map(|line| line.strip_prefix("# expect ")) {
            let (line, words) = expected.split_once(": ").unwrap();
            let (told, place) = (stderr(&output), format!("{}:{line}: ", path.display()));
            assert!(told.contains(&place) && told.contains(words), "{place}{words}\nbut\n{told}");
        }
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "{} left something", path.display());
    }
}

#[test]
fn failures_are_told_as_json_too() {
    let folder = with_scene("failure-json");
    fs::write(folder.join("out"), "a file").unwrap();
    let output = run(&folder, &["--json"]);
    assert_eq!(output.status.code(), Some(2));
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(told["end"], "failed");
    assert!(told["error"].as_str().unwrap().contains("cannot make the folder out"), "{told}");
    fs::write(folder.join("scene.toml"), SCENE.replace("0.3", "0.7")).unwrap();
    let output = run(&folder, &["--json"]);
    assert_eq!(output.status.code(), Some(2));
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(told["problems"][0]["key"], "materials.grain.poisson", "{told}");
}

#[test]
fn options_that_make_no_sense_are_refused() {
    let folder = with_scene("options");
    for (arguments, words) in [
        (&["--until", "-1"][..], "must be a positive number of seconds"),
        (&["--threads", "0"], "0 is not in"),
        (&["--steps", "0"], "0 is not in"),
        (&["--resume", "--overwrite"], "cannot be used with"),
        (&["--backend", "abacus"], "invalid value 'abacus'"),
    ] {
        let output = run(&folder, arguments);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
    assert!(!folder.join("out").exists());
}
