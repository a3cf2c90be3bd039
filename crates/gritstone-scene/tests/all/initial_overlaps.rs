//! Many grains that overlap at the start.

use gritstone_scene::{Problems, Report, Scene};

/// Balls with a diameter of 8 mm on a cubic lattice.
fn check(count: u32, spacing: f64) -> Result<Report, Problems> {
    let text = format!(
        r#"
        dimension = 3
        gravity = [0, 0, 0]
        time = {{ end = 1e-3 }}
        materials = {{ sand = {{ density = 2500, young = 1e7, poisson = 0.3, friction = 0 }} }}
        shapes = {{ ball = {{ shape = "sphere", radius = 0.004 }} }}
        [[grains]]
        from = "lattice"
        shape = "ball"
        material = "sand"
        count = [{count}, {count}, {count}]
        spacing = [{spacing}, {spacing}, {spacing}]
        origin = [0, 0, 0]
        "#
    );
    Scene::parse(&text, "crowd.toml").and_then(|scene| scene.check())
}

/// All in one place: 8000 grains have 32 million pairs, of which not all are needed to know that this is wrong.
#[test]
fn overlaps_are_not_counted_to_their_end() {
    let told = check(20, 1e-5).unwrap_err().to_string();
    assert!(told.contains("more than 10000 pairs of grains overlap at the start"), "{told}");
    assert!(told.contains("the deepest overlap of these is"), "{told}");
}

/// Shallow ones are all looked at, for one may be deep: 3 · 25 · 25 · 24 neighbours are 80 um, 2 % of 4 mm, in each other.
#[test]
fn shallow_overlaps_are_all_counted() {
    let report = check(25, 7.92e-3).unwrap();
    let [warning] = &report.warnings[..] else { panic!("{report}") };
    assert!(warning.contains("45000 pairs of grains overlap at the start"), "{warning}");
    assert!(warning.contains("the deepest overlap is 8.000e-5 m, 2 %"), "{warning}");
}
