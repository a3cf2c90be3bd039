//! Every scene of the repository runs, at reduced size.

use std::fs;
use std::path::Path;

use crate::common::{folder, gritstone, stderr};
use gritstone::io::trajectory::Reader;
use serde_json::Value;

/// Lines that are left of a table of grains: a part of the lowest layer.
const FEW: usize = 1 + 64;

/// The scene with fewer grains.
fn reduced(text: &str) -> String {
    text.replace("count = [12, 40]", "count = [12, 4]")
        .replace("count = [5, 5, 20]", "count = [5, 5, 2]")
        .replace("count = [14, 6, 8]", "count = [4, 4, 4]")
        .replace("count = [46, 46, 48]", "count = [4, 4, 4]")
        .replace("count = [25, 25, 32]", "count = [3, 3, 4]")
        .replace("count = 800\n", "count = 12\n")
        .replace("count = 450\n", "count = 20\n")
        .replace("count = 9000\n", "count = 12\n")
        .replace("count = 5488\n", "count = 12\n")
        .replace("count = 750\n", "count = 12\n")
        .replace("count = 1500\n", "count = 60\n")
        .replace("count = [22, 22]", "count = [22, 4]")
        .replace("\"48.4 cm\", \"48.4 cm\"", "\"48.4 cm\", \"8.8 cm\"")
        .replace("count = 3000\n", "count = 60\n")
        .replace("count = 2000\n", "count = 60\n")
        .replace("count = 500\n", "count = 6\n")
        .replace("mass = \"250 g\"\n", "mass = \"4 g\"\n")
}

#[test]
fn shipped_scenes_run() {
    let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let folder = folder("run-shipped");
    fs::create_dir(folder.join("data")).unwrap();
    for entry in fs::read_dir(scenes.join("data")).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), folder.join("data").join(entry.file_name())).unwrap();
    }
    let table = fs::read_to_string(scenes.join("data/settle_4000_initial.csv")).unwrap();
    let few: String = table.split_inclusive('\n').take(FEW).collect();
    fs::write(folder.join("data/settle_4000_initial.csv"), few).unwrap();
    let mut count = 0;
    for entry in fs::read_dir(scenes).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            let file = path.file_name().unwrap().to_str().unwrap();
            fs::write(folder.join(file), reduced(&fs::read_to_string(&path).unwrap())).unwrap();
            run_and_judge(&folder, file);
            count += 1;
        }
    }
    assert!(count >= 22);
}

fn run_and_judge(folder: &Path, file: &str) {
    let name = file.trim_end_matches(".toml");
    // Where grains come in above, until the first of them have fallen to the floor.
    let until = match name {
        "particle-flow-4000" | "particle-flow-45000" | "particle-flow-superellipsoids" => "0.25",
        "loader-bucket" | "loader-bucket-3000" | "biaxial" => "0.2",
        "shear-cell-2d" => "0.5",
        "tablets" => "0.18",
        "hopper" | "column-collapse" | "triaxial" | "demo" | "mixer" => "0.15",
        _ => "0.08",
    };
    let arguments = ["run", file, "--until", until, "--json"];
    let output = gritstone(&arguments).current_dir(folder).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{name}: {}", stderr(&output));
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(summary["grains"].as_u64().unwrap() < 100, "{name} is not reduced");
    assert_eq!(summary["unresolved"], 0, "{name}");
    assert!(summary["largest_overlap_ever"].as_f64().unwrap() > 0.0, "{name}: nothing touched");
    let energy_error = summary["energy_error"].as_f64().unwrap();
    assert!(energy_error.abs() < 0.05, "{name}: {energy_error}");
    let mut trajectory = Reader::open(&folder.join(format!("{name}-out/trajectory.grit"))).unwrap();
    trajectory.check().unwrap();
    assert!(trajectory.broken().is_none() && trajectory.moments().len() > 2, "{name}");
}
