//! A machine with everything that moves at once: a paddle of triangles that turns, grains that come in at a rate and go out,
//! a servo, sides that repeat. The same bits on any number of threads and after any death.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::time::{Duration, Instant};

use crate::common::{folder, gritstone, stderr};
use serde_json::Value;

const SCENE: &str = r#"
dimension = 3
gravity = [0, 0, -9.81]
time = { end = "48 ms", step = "32 us" }

[contact]
law = "linear"

[materials.grain]
density = 2500
kn = "2 kN/m"
restitution = 0.3
friction = 0.4

[shapes]
round = { shape = "ellipsoid", radii = ["3 mm", "3 mm", "4 mm"] }
boxy = { shape = "superellipsoid", radii = ["3 mm", "3 mm", "4 mm"], exponents = [0.5, 0.6] }
die = { shape = "polyhedron", scale = 0.0025, vertices = [[1,1,1],[1,1,-1],[1,-1,1],[1,-1,-1],[-1,1,1],[-1,1,-1],[-1,-1,1],[-1,-1,-1]] }
ball = { shape = "sphere", radius = "2.5 mm" }
clump = { shape = "compound", parts = [{ shape = "ball", position = [0, 0, "-2 mm"] }, { shape = "die", position = [0, 0, "2 mm"] }] }

[cell]
low = [0, "-1 m", "-1 m"]
high = ["40 mm", "1 m", "1 m"]
repeat = ["x"]

[[grains]]
from = "lattice"
shape = ["round", "die", "clump"]
material = "grain"
count = [4, 3, 2]
spacing = ["10 mm", "10 mm", "10 mm"]
origin = ["5 mm", "-10 mm", "6 mm"]
orientation = "random"
velocity = [0.2, 0, -0.4]

[inlets.rain]
shape = ["round", "boxy", "die"]
size = { distribution = "uniform", low = "5 mm", high = "7 mm", classes = 3 }
material = "grain"
region = { kind = "box", low = ["-5 mm", "-14 mm", "30 mm"], high = ["45 mm", "14 mm", "44 mm"] }
number_rate = "800 Hz"
velocity = [0.1, 0, -0.6]
every = "1 ms"

[outlets.out]
region = { kind = "box", low = [-inf, -inf, -inf], high = [inf, "-9 mm", "8 mm"] }
start = "25 ms"

[walls.floor]
kind = "plane"
point = [0, 0, 0]
normal = [0, 0, 1]
material = "grain"

[walls.front]
kind = "plane"
point = [0, "-16 mm", 0]
normal = [0, 1, 0]
material = "grain"

[walls.back]
kind = "plane"
point = [0, "17 mm", 0]
normal = [0, -1, 0]
material = "grain"

[walls.paddle]
kind = "mesh"
file = "paddle.obj"
scale = 0.001
material = "grain"
position = ["20 mm", 0, "30 mm"]

[tools.press]
walls = "back"
moves = [{ move = "servo", axis = [0, -1, 0], force = "0.4 N", max_speed = "0.2 m/s" }]

[tools.mixer]
walls = "paddle"
moves = [
  { move = "rotate", point = ["20 mm", 0, "30 mm"], spin = [0, 0, "200 rpm"] },
  { move = "translate", by = [0, 0, "-12 mm"], end = "40 ms" },
]

[probes.coordination]
kind = "coordination"
every = "2 ms"

[output]
every = "1 ms"
vtk = "20 ms"
trajectory = "5 ms"
checkpoint = "1.5 ms"
"#;

/// A board of 24 mm × 4 mm × 10 mm about the origin, in millimetres.
fn paddle() -> String {
    let mut text = String::new();
    for i in 0..8 {
        let side = |bit: u32, half: i32| if i >> bit & 1 == 0 { -half } else { half };
        text += &format!("v {} {} {}\n", side(0, 12), side(1, 2), side(2, 5));
    }
    text + "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n"
}

fn with_scene(test: &str) -> PathBuf {
    let folder = folder(&format!("machines-{test}"));
    fs::write(folder.join("scene.toml"), SCENE).unwrap();
    fs::write(folder.join("paddle.obj"), paddle()).unwrap();
    folder
}

fn start(folder: &Path, arguments: &[&str]) -> Child {
    let mut all = vec!["run", "scene.toml", "--out", "out"];
    all.extend(arguments);
    gritstone(&all).current_dir(folder).spawn().unwrap()
}

#[track_caller]
fn run_well(folder: &Path, arguments: &[&str]) {
    let output = start(folder, arguments).wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

/// All files of a run, but those that tell how long it took or what was saved on the way.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.join("out")];
    while let Some(below) = folders.pop() {
        for entry in fs::read_dir(below).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            if path.is_dir() {
                folders.push(path);
            } else if !["summary.json", "report.html", "checkpoint.previous.bin"].contains(&name) {
                files.insert(path.strip_prefix(folder).unwrap().to_owned(), fs::read(&path).unwrap());
            }
        }
    }
    files
}

#[track_caller]
fn assert_same(folder: &Path, expected: &BTreeMap<PathBuf, Vec<u8>>) {
    let found = files(folder);
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    for (name, bytes) in expected {
        assert!(found[name] == *bytes, "{} of {} differs", name.display(), folder.display());
    }
}

/// Complete lines of the table of energies.
fn lines(folder: &Path) -> usize {
    fs::read(folder.join("out/energies.csv"))
        .map_or(0, |bytes| bytes.iter().filter(|byte| **byte == b'\n').count())
}

/// Starts or goes on, and kills the run after a few more lines. Whether it was killed before its end.
fn kill_soon(folder: &Path, threads: &str, more: usize) -> bool {
    let so_far = lines(folder);
    let mut child = start(folder, &["--resume", "--threads", threads]);
    let begin = Instant::now();
    while lines(folder) < so_far + more && child.try_wait().unwrap().is_none() {
        assert!(begin.elapsed() < Duration::from_secs(120), "the run does not get on");
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    !child.wait().unwrap().success()
}

#[test]
fn a_machine_leaves_the_same_bits_on_any_threads_and_after_any_death() {
    let straight = with_scene("straight");
    run_well(&straight, &["--threads", "1"]);
    let expected = files(&straight);

    // Everything has happened that the test is about.
    let summary: Value =
        serde_json::from_slice(&fs::read(straight.join("out/summary.json")).unwrap()).unwrap();
    assert!(summary["inlets"]["rain"]["grains"].as_u64().unwrap() > 20, "{summary}");
    assert!(summary["outlets"]["out"]["grains"].as_u64().unwrap() > 0, "{summary}");
    assert_eq!(summary["unresolved"], 0);
    let walls = fs::read_to_string(straight.join("out/walls.csv")).unwrap();
    let mut rows = walls.lines().map(|line| line.split(','));
    let work = rows.next().unwrap().position(|name| name == "mixer.work [J]").unwrap();
    let last = rows.next_back().unwrap().nth(work).unwrap();
    assert!(last.parse::<f64>().unwrap().abs() > 0.0, "the paddle has touched nothing");

    for threads in ["2", "3"] {
        let folder = with_scene(&format!("threads-{threads}"));
        run_well(&folder, &["--threads", threads]);
        assert_same(&folder, &expected);
    }
    for threads in ["1", "2", "3"] {
        let folder = with_scene(&format!("killed-{threads}"));
        let kills = [7, 5, 11].into_iter().filter(|more| kill_soon(&folder, threads, *more)).count();
        assert!(kills > 0, "it was always faster");
        run_well(&folder, &["--resume", "--threads", threads]);
        assert_same(&folder, &expected);
    }
}
