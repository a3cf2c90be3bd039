//! Inlets that let nothing in are warned of, and how much comes in is told before a run.

use gritstone_scene::{Report, Scene};

/// A ball of 3 mm, 1000 kg/m³, in a box of 5 cm that is open above; the run takes 1 s.
fn check(inlet: &str) -> Report {
    let text = format!(
        r#"
dimension = 3
gravity = [0, 0, -9.81]
time = {{ end = 1, step = 2e-5 }}
contact = {{ law = "linear" }}
materials = {{ a = {{ density = 1000, kn = 1000, friction = 0 }} }}
shapes = {{ ball = {{ shape = "sphere", radius = 0.003 }}, marble = {{ shape = "sphere", radius = 0.01 }} }}
walls.box = {{ kind = "box", material = "a", low = [0, 0, 0], high = [0.05, 0.05, 1], open = ["z-high"] }}
walls.lid = {{ kind = "plane", material = "a", point = [0, 0, 0.5], normal = [0, 0, -1] }}
events = [{{ at = 0.5, add_walls = ["lid"] }}]
[inlets.rain]
material = "a"
{inlet}
"#
    );
    Scene::parse(&text, "rain.toml").and_then(|scene| scene.check()).unwrap_or_else(|e| panic!("{e}"))
}

/// Warnings of an inlet with this rate and region.
fn warned(rate: &str, low: [f64; 3], high: [f64; 3]) -> Vec<String> {
    let region = format!("region = {{ kind = \"box\", low = {low:?}, high = {high:?} }}");
    check(&format!("shape = \"ball\"\n{rate}\n{region}")).warnings
}

const LOW: [f64; 3] = [0.0, 0.0, 0.02];
const HIGH: [f64; 3] = [0.05, 0.05, 0.05];

#[test]
fn inlets_with_room_are_not_warned_of() {
    assert_eq!(warned("number_rate = 100", LOW, HIGH), Vec::<String>::new());
    // The lid comes later: what is behind it is free at the start.
    assert_eq!(warned("number_rate = 100", [0.0, 0.0, 0.7], [0.05, 0.05, 0.8]), Vec::<String>::new());
}

#[test]
fn regions_without_room_are_warned_of() {
    let small = warned("number_rate = 100", LOW, [0.005, 0.05, 0.05]);
    let below = warned("number_rate = 100", [0.0, 0.0, -0.05], [0.05, 0.05, -0.01]);
    let beside = warned("number_rate = 100", [1.0, 1.0, 0.03], [1.1, 1.1, 0.05]);
    for (warnings, words) in [
        (small, "the region is too small for it"),
        (below, "walls that are there at the start"),
        (beside, "walls that are there at the start"),
    ] {
        let [warning] = &warnings[..] else { panic!("{warnings:?}") };
        assert!(
            warning.starts_with("rain.toml:15: inlets.rain.region: a grain of the shape \"ball\""),
            "{warning}"
        );
        assert!(warning.contains(words), "{warning}");
    }
    // One sort of two does not fit: the other waits behind it.
    let two = check(
        "shape = [\"ball\", \"marble\"]\nnumber_rate = 9\n\
         region = { kind = \"sphere\", center = [0.02, 0.02, 0.05], radius = 0.009 }",
    );
    let [warning] = &two.warnings[..] else { panic!("{:?}", two.warnings) };
    assert!(warning.contains("\"marble\"") && warning.contains("too small"), "{warning}");
}

#[test]
fn inlets_that_give_nothing_are_warned_of() {
    for (rate, key) in [
        (
            "number_rate = 100\nstart = 1",
            "rain.start: nothing comes in: it begins at 1 s, and the run ends at 1 s",
        ),
        (
            "number_rate = 100\ncount = 0",
            "rain.count: nothing comes in: that is less than one grain, and the run ends at 1 s",
        ),
        (
            "number_rate = 0.5",
            "rain.number_rate: nothing comes in: that is less than one grain, and the run ends at 1 s",
        ),
        // A ball weighs 1.1e-4 kg.
        (
            "mass_rate = 1\nmass = 1e-4",
            "rain.mass: nothing comes in: that is less than one grain of 0.0001131 kg",
        ),
        (
            "number_rate = 100\nevery = 2",
            "rain.every: nothing comes in: it is looked every 2 s whether grains are due, and the run ends at 1 s",
        ),
        (
            "number_rate = 1\nevery = 0.6",
            "rain.every: nothing comes in: it is looked every 0.6 s whether grains are due, the last time at 0.6 s, when less \
             than one grain is due, and the run ends at 1 s",
        ),
        ("mass_rate = 1e-4", "rain.mass_rate: nothing comes in: that is less than one grain of 0.0001131 kg"),
    ] {
        let warnings = warned(rate, LOW, HIGH);
        let [warning] = &warnings[..] else { panic!("{rate}: {warnings:?}") };
        assert!(warning.contains(key), "{warning}");
    }
}

/// 100 per second for half a second are 50; a ball weighs 1000 · 4/3 π 0.003³ kg.
#[test]
fn what_comes_in_is_told() {
    let region =
        "shape = \"ball\"\nregion = { kind = \"box\", low = [0, 0, 0.02], high = [0.05, 0.05, 0.05] }";
    let mass = 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * 0.003_f64.powi(3);
    let report = check(&format!("{region}\nnumber_rate = 100\nstart = 0.1\nend = 0.6"));
    assert_eq!((report.grains, report.inflow.grains, report.inflow.shapes), (0, 50, 1));
    assert!((report.inflow.mass / (50.0 * mass) - 1.0).abs() < 1e-12);
    let told = report.to_string();
    assert!(told.contains("grains     none at the start\n"), "{told}");
    assert!(told.contains("inlets     1: about 50 grains of 1 shape, 0.005655 kg, by the end\n"), "{told}");
    let told = check(&format!("{region}\nnumber_rate = 0.5")).to_string();
    assert!(told.contains("inlets     1: nothing by the end\n"), "{told}");
    // What is due after the last look does not come.
    assert_eq!(check(&format!("{region}\nnumber_rate = 100\nevery = 0.6")).inflow.grains, 60);
    // Beyond the end of the run nothing comes; 1 g holds 8.8 balls.
    assert_eq!(check(&format!("{region}\nnumber_rate = 100\nstart = 0.5")).inflow.grains, 50);
    assert_eq!(check(&format!("{region}\nmass_rate = 1\nmass = 1e-3")).inflow.grains, 8);
}
