//! Grains that come to rest before their run begins.

use std::fs;

use gritstone::core::Space;
use gritstone::io::states::{State, read_states};
use gritstone::run::{Options, Summary, run};
use gritstone::scene::Scene;
use serde_json::Value;
use tempfile::TempDir;

const G: f64 = 9.81;
const STEP: f64 = 2e-5;

/// Beans in a lattice above a box; `end` is in seconds.
fn scene(end: f64, more: &str) -> String {
    format!(
        r#"
        dimension = 3
        gravity = [0, 0, -{G}]
        time = {{ end = {end}, step = {STEP} }}
        materials.glass = {{ density = 2500, young = "50 MPa", poisson = 0.3, restitution = 0.3, friction = 0.4, rolling = 0.01 }}
        shapes.bean = {{ shape = "ellipsoid", radii = ["2 mm", "2 mm", "2.6 mm"] }}
        output = {{ every = 0.02, vtk = false }}
        {more}
        [[grains]]
        from = "lattice"
        shape = "bean"
        material = "glass"
        count = [6, 6, 9]
        spacing = ["5.6 mm", "5.6 mm", "5.6 mm"]
        origin = ["3.2 mm", "3.2 mm", "3.2 mm"]
        orientation = "random"
        seed = 3
        [walls.box]
        kind = "box"
        low = [0, 0, 0]
        high = ["35 mm", "35 mm", 1]
        open = ["z-high"]
        material = "glass"
        [probes.push]
        kind = "wall-forces"
        [probes.density]
        kind = "solid-fraction"
        region = {{ kind = "box", low = ["5 mm", "5 mm", "4 mm"], high = ["28 mm", "28 mm", "18 mm"] }}
        "#
    )
}

fn run_in(folder: &TempDir, name: &str, text: &str) -> Summary {
    let scene = Scene::parse(text, name).unwrap_or_else(|problems| panic!("{problems}"));
    run(&scene, &Options::new(folder.path().join(name)), &mut ()).unwrap()
}

fn final_table(folder: &TempDir, name: &str) -> String {
    fs::read_to_string(folder.path().join(name).join("final.csv")).unwrap()
}

fn grains(folder: &TempDir, name: &str) -> Vec<State<Space>> {
    read_states(&folder.path().join(name).join("final.csv")).unwrap()
}

/// The last value of a column of a probe.
fn last(folder: &TempDir, name: &str, probe: &str, column: &str) -> f64 {
    let text =
        fs::read_to_string(folder.path().join(name).join("probes").join(format!("{probe}.csv"))).unwrap();
    let mut lines = text.lines();
    let place =
        lines.next().unwrap().split(',').position(|found| found.trim_matches('"').starts_with(column));
    let place = place.unwrap_or_else(|| panic!("no column {column} in {text}"));
    lines.last().unwrap().split(',').nth(place).unwrap().parse().unwrap()
}

const PREPARE: &str = "prepare = { time = 0.3 }";

/// A prepared bed is the bed that has settled in the run: at rest from the start, with the same overlaps, height and density, and the
/// floor and the walls bear its weight.
#[test]
fn a_prepared_bed_is_the_settled_one() {
    let folder = TempDir::new().unwrap();
    let settled = run_in(&folder, "settled", &scene(0.34, ""));
    let prepared = run_in(&folder, "prepared", &scene(0.02, PREPARE));
    assert_eq!((prepared.status.step, prepared.status.grains), (1000, 324));
    // Books begin with the run: what the fall has dissipated is not in them, and hardly anything moves.
    let weight = 2500.0 * 4.0 / 3.0 * std::f64::consts::PI * 2e-3 * 2e-3 * 2.6e-3 * G;
    let turned_over = prepared.energies.dissipated;
    assert!(turned_over < 1e-3 * settled.energies.dissipated, "{turned_over:e}");
    let resting = 324.0 * weight * 2e-5;
    assert!(prepared.energies.kinetic() < resting, "{:e} but {resting:e}", prepared.energies.kinetic());
    // Energy in the springs, and overlaps, are those of the real stiffness.
    let elastic = prepared.energies.elastic / settled.energies.elastic;
    assert!((elastic - 1.0).abs() < 0.1, "{elastic}");
    let push = |name| last(&folder, name, "push", "box.z-low fz");
    let [floor, expected] = [push("prepared"), push("settled")];
    assert!((floor / expected - 1.0).abs() < 0.05, "{floor} N and {expected} N");
    let density = |name| last(&folder, name, "density", "solid_fraction");
    let [dense, expected] = [density("prepared"), density("settled")];
    assert!((dense / expected - 1.0).abs() < 0.02, "{dense} and {expected}");
    let coordination = prepared.coordination / settled.coordination;
    assert!((coordination - 1.0).abs() < 0.03, "{coordination}");
    let centre = |name| grains(&folder, name).iter().map(|grain| grain.pose.position.z).sum::<f64>() / 324.0;
    let [height, expected] = [centre("prepared"), centre("settled")];
    assert!((height / expected - 1.0).abs() < 0.02, "{height} m and {expected} m");
}

#[test]
fn a_prepared_run_has_the_same_bits_on_any_threads() {
    let folder = TempDir::new().unwrap();
    let text = scene(0.002, "prepare = { time = 0.1, stiffness = 0.1, relax = 50 }");
    for (name, threads) in [("one", 1), ("three", 3)] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| run_in(&folder, name, &text));
    }
    assert!(final_table(&folder, "one") == final_table(&folder, "three"));
}

/// The share of contacts outside the lanes is in the summary; with rolling resistance it is none of ellipsoids.
#[test]
fn the_summary_says_what_was_solved_outside_lanes() {
    let folder = TempDir::new().unwrap();
    let summary = run_in(&folder, "counted", &scene(0.1, ""));
    let text = fs::read_to_string(folder.path().join("counted/summary.json")).unwrap();
    let solved = &serde_json::from_str::<Value>(&text).unwrap()["solved"];
    let number = |key: &str| solved[key].as_f64().unwrap();
    assert_eq!(number("contacts"), number("in_lanes") + number("uncertified_in_lanes") + number("round"));
    assert!(number("contacts") > 1e5 && number("share_outside_lanes_of_round") < 0.01, "{solved}");
    assert!(summary.to_string().contains("solved outside lanes    0."), "{summary}");
}

#[test]
fn what_cannot_be_prepared_is_told() {
    for (text, told) in [
        (scene(0.1, "prepare = {}"), "prepare.time"),
        (scene(0.1, "prepare = { time = 0 }"), "prepare.time"),
        (scene(0.1, "prepare = { time = 1, stiffness = 2 }"), "prepare.stiffness"),
        (scene(0.1, PREPARE).replace("rolling = 0.01", "cohesion = 1000"), "cohesion"),
        (
            scene(0.1, "prepare = { time = 1 }\ncell = { low = [0, 0, 0], high = [0.1, 0.1, 0.1] }"),
            "periodic cell",
        ),
    ] {
        let problems = Scene::parse(&text, "wrong").and_then(|scene| scene.build()).unwrap_err().to_string();
        assert!(problems.contains(told), "{told}: {problems}");
    }
}
