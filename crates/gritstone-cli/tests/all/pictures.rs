//! `gritstone snapshot`, `movie` and `report` from outside: files, messages, exit codes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::common::{folder, gritstone, stderr};
use serde_json::Value;

/// A few grains fall a little way.
const SCENE: &str = r#"
title = "A <few> grains & a floor"
dimension = 3
gravity = [0, 0, -9.81]

[time]
end = "20 ms"
step = "20 us"

[contact]
law = "linear"

[materials.glass]
density = 2500
kn = 100
restitution = 0.3
friction = 0.5

[shapes.ball]
shape = "sphere"
radius = 0.001

[shapes.cube]
shape = "polyhedron"
scale = 0.002
vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 0, 1], [0, 1, 1], [1, 1, 1]]

[[grains]]
from = "lattice"
shape = ["ball", "cube"]
material = "glass"
count = [2, 2, 2]
spacing = ["4 mm", "4 mm", "4 mm"]
origin = [0, 0, "2 mm"]

[walls.floor]
kind = "plane"
point = [0, 0, 0]
normal = [0, 0, 1]
material = "glass"

[output]
every = "1 ms"
trajectory = "5 ms"
"#;

fn run_in(here: &Path, arguments: &[&str]) -> Output {
    gritstone(arguments).current_dir(here).output().unwrap()
}

/// A folder with a run in `run`.
fn with_run(test: &str) -> PathBuf {
    let here = folder(test);
    fs::write(here.join("scene.toml"), SCENE).unwrap();
    let done = run_in(&here, &["run", "scene.toml", "--out", "run"]);
    assert!(done.status.success(), "{}", stderr(&done));
    here
}

fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{}", stderr(output));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Width and height that the header of a PNG file tells.
fn png_size(bytes: &[u8]) -> (u32, u32) {
    assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    (number(16), number(20))
}

#[test]
fn snapshots_are_of_the_time_view_and_size_that_were_asked_for() {
    let here = with_run("snapshots");
    let told = json(&run_in(&here, &["snapshot", "run", "--json"]));
    assert_eq!(
        (told["file"].as_str(), told["frame"].as_u64(), told["grains"].as_u64()),
        (Some("run.png"), Some(4), Some(8))
    );
    let size = png_size(&fs::read(here.join("run.png")).unwrap());
    assert_eq!(size.0, 1200);
    let more =
        ["--time", "0.0049", "--view", "x", "--color", "speed", "--size", "320x200", "--out", "small.png"];
    let told = json(&run_in(&here, &[&["snapshot", "run", "--json"], &more[..]].concat()));
    assert_eq!((told["frame"].as_u64(), told["step"].as_u64()), (Some(1), Some(250)));
    assert_eq!(png_size(&fs::read(here.join("small.png")).unwrap()), (320, 200));
    let piped = run_in(&here, &["snapshot", "run", "--size", "100x80", "--out", "-"]);
    assert_eq!(png_size(&piped.stdout), (100, 80));
}

/// What cannot be done is told in words that help, with exit code 2, and leaves nothing behind.
#[test]
fn bad_input_is_told_and_leaves_nothing() {
    let here = with_run("pictures_bad_input");
    fs::create_dir(here.join("empty")).unwrap();
    let before = fs::read_dir(&here).unwrap().count();
    let cases: [(&[&str], &str); 10] = [
        (&["snapshot", "nowhere"], "nowhere is no folder"),
        (&["snapshot", "empty"], "empty holds no trajectory.grit"),
        (
            &["snapshot", "run", "--time", "7"],
            "there is no frame at 7 s: the trajectory goes from 0 to 0.02 s",
        ),
        (&["snapshot", "run", "--time", "-1"], "there is no frame at -1 s"),
        (&["snapshot", "run", "--size", "0x100"], "each within 64 … 8192"),
        (&["snapshot", "run", "--size", "many"], "such as 1200x900"),
        (&["snapshot", "run", "--color", "colour"], "possible values: speed, size, shape"),
        (&["movie", "run", "--out", "movie.avi"], "ends in .gif or .mp4"),
        (&["movie", "run", "--fps", "100", "--out", "movie.gif"], "too many for a GIF"),
        (&["report", "empty"], "empty holds no run"),
    ];
    for (arguments, message) in cases {
        let done = run_in(&here, arguments);
        assert_eq!(done.status.code(), Some(2), "{arguments:?}: {}", stderr(&done));
        assert!(stderr(&done).contains(message), "{arguments:?}: {}", stderr(&done));
    }
    assert_eq!(fs::read_dir(&here).unwrap().count(), before);
}

/// A file that was cut is good up to there; one without a description is none.
#[test]
fn truncated_trajectories_give_what_is_left_and_say_so() {
    let here = with_run("pictures_truncated");
    let path = here.join("run/trajectory.grit");
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() - 10]).unwrap();
    let done = run_in(&here, &["snapshot", "run", "--size", "100x80", "--json", "--out", "cut.png"]);
    assert!(stderr(&done).contains("good for 4 frames"), "{}", stderr(&done));
    assert_eq!(json(&done)["frame"].as_u64(), Some(3));
    let done = run_in(&here, &["report", "run"]);
    assert!(done.status.success());
    assert!(fs::read_to_string(here.join("run/report.html")).unwrap().contains("good for 4 frames"));
    fs::write(&path, &whole[..100]).unwrap();
    let done = run_in(&here, &["snapshot", "run"]);
    assert_eq!(done.status.code(), Some(2));
    assert!(stderr(&done).contains("description"), "{}", stderr(&done));
    assert!(!here.join("run.png").exists());
}

#[test]
fn movies_are_gifs_by_default() {
    let here = with_run("movies");
    let told =
        json(&run_in(&here, &["movie", "run", "--size", "160x120", "--fps", "10", "--every", "2", "--json"]));
    assert_eq!((told["file"].as_str(), told["frames"].as_u64()), (Some("run.gif"), Some(3)));
    let bytes = fs::read(here.join("run.gif")).unwrap();
    assert_eq!(&bytes[..10], b"GIF89a\xa0\x00\x78\x00");
}

/// MP4 is made by ffmpeg: where there is none, that is said, and what there is gets all frames.
#[cfg(unix)]
#[test]
fn mp4_is_made_by_ffmpeg_or_not_at_all() {
    use std::os::unix::fs::PermissionsExt;
    let here = with_run("mp4");
    let tools = here.join("tools");
    fs::create_dir(&tools).unwrap();
    let movie = |out: &str| {
        let arguments = ["movie", "run", "--size", "100x80", "--out", out];
        gritstone(&arguments).current_dir(&here).env("PATH", &tools).output().unwrap()
    };
    let done = movie("none.mp4");
    assert_eq!(done.status.code(), Some(2));
    assert!(stderr(&done).contains("ffmpeg, which is not installed here"), "{}", stderr(&done));
    assert!(!here.join("none.mp4").exists());
    // A stand-in that keeps what it is given.
    let script = "#!/bin/sh\nfor last; do :; done\nexec /bin/cat > \"$last\"\n";
    fs::write(tools.join("ffmpeg"), script).unwrap();
    fs::set_permissions(tools.join("ffmpeg"), fs::Permissions::from_mode(0o755)).unwrap();
    assert!(movie("some.mp4").status.success());
    assert_eq!(fs::read(here.join("some.mp4")).unwrap().len(), 5 * 3 * 100 * 80);
    fs::write(tools.join("ffmpeg"), "#!/bin/sh\necho no such codec >&2\nexit 3\n").unwrap();
    let done = movie("bad.mp4");
    assert_eq!(done.status.code(), Some(1));
    assert!(stderr(&done).contains("no such codec"), "{}", stderr(&done));
}

/// The page is well-formed, needs nothing else, and has all that it should.
#[test]
fn runs_end_with_a_report_that_stands_alone() {
    let here = with_run("reports");
    let page = fs::read_to_string(here.join("run/report.html")).unwrap();
    let parsed = roxmltree::Document::parse_with_options(
        &page,
        roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() },
    )
    .unwrap();
    let all = |tag: &'static str| parsed.descendants().filter(move |node| node.tag_name().name() == tag);
    assert_eq!(all("h1").next().unwrap().text(), Some("A <few> grains & a floor"));
    let headings: Vec<_> = all("h2").filter_map(|node| node.text()).collect();
    for heading in ["Pictures", "Energies and contacts", "Coordination and walls", "Quality checks", "Scene"]
    {
        assert!(headings.contains(&heading), "{headings:?}");
    }
    let pictures: Vec<_> = all("img").map(|node| node.attribute("src").unwrap()).collect();
    assert_eq!(pictures.len(), 4);
    assert!(pictures.iter().all(|src| src.starts_with("data:image/png;base64,")));
    for node in parsed.descendants() {
        for name in ["src", "href"] {
            let address = node.attribute(name).unwrap_or("#");
            assert!(address.starts_with('#') || address.starts_with("data:"), "{address}");
        }
    }
    assert!(all("svg").count() >= 4);
    assert!(page.contains("unresolved contacts"));
    // It is made again from the folder alone, with what a probe has left there.
    fs::write(here.join("run/stress.csv"), "step,time [s],p [Pa],q [Pa],grains\n0,0,1,2,8\n10,0.01,2,3,8\n")
        .unwrap();
    let told = json(&run_in(&here, &["report", "run", "--out", "again.html", "--json"]));
    assert_eq!(told["file"].as_str(), Some("again.html"));
    let again = fs::read_to_string(here.join("again.html")).unwrap();
    assert!(again.contains("Probes") && again.contains("probe-stress-1") && again.contains("probe-stress-2"));
}
