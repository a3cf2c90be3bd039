//! Mutated scenes, surfaces, tables, earlier runs and pairs, given to the program itself under limits of time and memory.

use std::fs;

use super::Bench;
use super::counts::Counts;
use super::mutate::{Random, mutate};
use super::program::first_lines;
use crate::shell::root;

/// Inputs of one job.
const SCENES: usize = 20;
const FILES: usize = 20;
const LINES: usize = 1000;

/// The seeds of the fuzzer.
fn seeds(kind: &str, counts: &mut Counts) -> Vec<Vec<u8>> {
    let entries = fs::read_dir(root().join("fuzz/seeds").join(kind)).into_iter().flatten().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    let seeds: Vec<_> = paths.iter().filter_map(|path| fs::read(path).ok()).collect();
    if seeds.is_empty() {
        counts.fail(format!("there are no seeds of {kind}"));
    }
    seeds
}

pub(super) fn scenes(bench: &Bench, random: &mut Random, counts: &mut Counts) {
    let (place, seeds) = (counts.place.clone(), seeds("scene", counts));
    for _ in 0..SCENES {
        if seeds.is_empty() || fs::write(place.join("scene.toml"), mutate(&seeds, random)).is_err() {
            return;
        }
        counts.count("scenes");
        let checked = bench.program.run(&place, &["check", "scene.toml", "--sandbox", "--json"], counts);
        let Some(checked) = checked else { return };
        if serde_json::from_slice::<serde_json::Value>(&checked.stdout).is_err() {
            return counts.fail(format!("no JSON: {}", first_lines(&checked.stderr)));
        }
        if checked.code == Some(0) && random.below(4) == 0 {
            counts.count("of them run");
            let arguments = [
                "run",
                "scene.toml",
                "--sandbox",
                "--steps",
                "5",
                "--out",
                "out",
                "--overwrite",
                "--threads",
                "1",
            ];
            if bench.program.run(&place, &arguments, counts).is_none() {
                return;
            }
        }
    }
}

pub(super) fn meshes(bench: &Bench, random: &mut Random, counts: &mut Counts) {
    for _ in 0..FILES {
        let kind = ["obj", "stl", "ply"][random.below(3)];
        let approximation = ["hull", "parts", "superellipsoid"][random.below(3)];
        let (shape, mesh) = if random.below(2) == 0 {
            ("ball", format!("walls.w = {{ kind = \"mesh\", file = \"input.{kind}\", material = \"sand\" }}"))
        } else {
            let rock = format!("file = \"input.{kind}\", approximation = \"{approximation}\", parts = 3");
            ("rock", format!("shapes.rock = {{ shape = \"mesh\", {rock} }}"))
        };
        let grains = format!(
            "grains = [{{ from = \"points\", shape = \"{shape}\", material = \"sand\", at = [[5, 5, 5]] }}]\n"
        );
        one_file(bench, kind, &format!("input.{kind}"), &format!("{grains}{mesh}"), random, counts);
    }
}

pub(super) fn tables(bench: &Bench, random: &mut Random, counts: &mut Counts) {
    for _ in 0..FILES {
        let kind = ["csv", "dump"][random.below(2)];
        let grains = format!(
            "grains = [{{ from = \"{kind}\", shape = \"ball\", material = \"sand\", file = \"input.txt\" }}]\n"
        );
        one_file(bench, kind, "input.txt", &grains, random, counts);
    }
}

/// A scene that reads one mutated file.
fn one_file(bench: &Bench, kind: &str, name: &str, what: &str, random: &mut Random, counts: &mut Counts) {
    let (place, seeds) = (counts.place.clone(), seeds(kind, counts));
    let scene = format!(
        "dimension = 3\ngravity = [0, 0, 0]\ntime = {{ end = 1e-3 }}\n\
         materials.sand = {{ density = 2500, young = 1e7, poisson = 0.3, friction = 0 }}\n\
         shapes.ball = {{ shape = \"sphere\", radius = 0.004 }}\n{what}\n"
    );
    let written = fs::write(place.join("scene.toml"), scene)
        .and_then(|()| fs::write(place.join(name), mutate(&seeds, random)));
    match written {
        Ok(()) => drop(bench.program.run(&place, &["check", "scene.toml", "--sandbox"], counts)),
        Err(error) => counts.fail(error.to_string()),
    }
    counts.count(if ["obj", "stl", "ply"].contains(&kind) { "surfaces" } else { "tables" });
}

/// Scenes whose grains go on from a run of which a file is damaged.
pub(super) fn stages(bench: &Bench, random: &mut Random, counts: &mut Counts) {
    let place = counts.place.clone();
    if let Err(error) = bench.program.write_stage(&place) {
        return counts.fail(error);
    }
    let read = |name: &String| name == "checkpoint.bin" || name.starts_with("inputs/");
    let whole: Vec<_> = bench.expected.iter().filter(|(name, _)| read(name)).collect();
    for _ in 0..FILES {
        let damaged = random.below(whole.len());
        for (number, (name, bytes)) in whole.iter().enumerate() {
            let path = place.join("earlier").join(name);
            let bytes = if number == damaged { mutate(&[bytes.to_vec()], random) } else { bytes.to_vec() };
            let folder = path.parent().unwrap_or(&path);
            if let Err(error) = fs::create_dir_all(folder).and_then(|()| fs::write(&path, bytes)) {
                return counts.fail(error.to_string());
            }
        }
        counts.count("earlier runs");
        let arguments = [
            "run",
            "scene.toml",
            "--sandbox",
            "--steps",
            "3",
            "--out",
            "out",
            "--overwrite",
            "--threads",
            "1",
        ];
        let Some(ended) = bench.program.run(&place, &arguments, counts) else { return };
        if ended.code == Some(0) {
            counts.count("gone on from");
        }
    }
}

/// Every line has an answer, which is JSON.
pub(super) fn pairs(bench: &Bench, random: &mut Random, counts: &mut Counts) {
    let (place, seeds) = (counts.place.clone(), seeds("pair", counts));
    let lines =
        seeds.iter().flat_map(|seed| seed.split(|byte| *byte == b'\n')).filter(|line| !line.is_empty());
    let lines: Vec<Vec<u8>> = lines.map(<[u8]>::to_vec).collect();
    let mut input = Vec::new();
    let mut asked = 0;
    for _ in 0..LINES {
        let mut line = mutate(&lines, random);
        line.retain(|byte| *byte != b'\n');
        // Lines that are blank have no answer.
        asked += usize::from(!line.trim_ascii().is_empty());
        input.extend(line);
        input.push(b'\n');
        counts.count("pairs");
    }
    if let Err(error) = fs::write(place.join("pairs.jsonl"), input) {
        return counts.fail(error.to_string());
    }
    let Some(ended) = bench.program.run(&place, &["contact", "pairs.jsonl"], counts) else { return };
    let answers: Vec<&[u8]> =
        ended.stdout.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).collect();
    let json =
        answers.iter().all(|line| serde_json::from_slice::<Box<serde_json::value::RawValue>>(line).is_ok());
    if !json || answers.len() != asked {
        counts.fail(format!("{asked} pairs have {} answers, all of them JSON: {json}", answers.len()));
    }
}
