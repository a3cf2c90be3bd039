//! Every scene that comes with the program runs, at reduced size.

mod common;

use std::fs;

use common::{folder, gritstone, stderr};
use gritstone::io::trajectory::Reader;
use gritstone::scene::TEMPLATES;
use serde_json::Value;

/// Grains that are left of a scene that reads a file.
const FEW: usize = 64;

/// The scene with fewer grains, and its files.
fn reduced(text: &str) -> String {
    let text = text
        .replace("count = [12, 40]", "count = [12, 4]")
        .replace("count = [5, 5, 20]", "count = [5, 5, 2]")
        .replace("count = [46, 46, 48]", "count = [4, 4, 4]")
        .replace("count = [25, 25, 32]", "count = [3, 3, 4]");
    // Few grains of the lattice of 4 000 fill a corner of its floor; they start at the bottom of it.
    text.replace("every = \"20 ms\"", "every = \"10 ms\"")
}

#[test]
fn shipped_scenes_run() {
    let folder = folder("run-shipped");
    for template in TEMPLATES {
        let name = template.name;
        fs::write(folder.join(format!("{name}.toml")), reduced(template.text)).unwrap();
        for (file, content) in template.files {
            let path = folder.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            let lines: Vec<_> = content.lines().take(1 + FEW).collect();
            fs::write(path, lines.join("\n") + "\n").unwrap();
        }
        let output = gritstone(&["run", &format!("{name}.toml"), "--until", "0.05", "--json"])
            .current_dir(&folder)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{name}: {}", stderr(&output));
        let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(summary["unresolved"], 0, "{name}");
        assert!(summary["largest_overlap_ever"].as_f64().unwrap() > 0.0, "{name}: nothing touched");
        assert!(
            summary["energy_error"].as_f64().unwrap().abs() < 0.05,
            "{name}: {}",
            summary["energy_error"]
        );
        let mut trajectory = Reader::open(&folder.join(format!("{name}-out/trajectory.grit"))).unwrap();
        trajectory.check().unwrap();
        assert!(trajectory.broken().is_none() && trajectory.moments().len() > 2, "{name}");
    }
}
