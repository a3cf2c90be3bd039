//! Cells that are strained, or fed.

use gritstone_scene::{Problems, Report, Scene};

/// A ball of 4 mm in a cell of 10 cm, for 1 ms.
fn check(motion: &str, more: &str) -> Result<Report, Problems> {
    let text = format!(
        r#"
        dimension = 3
        gravity = [0, 0, 0]
        time = {{ end = 1e-3, step = 1e-5 }}
        materials = {{ sand = {{ density = 2500, young = 1e7, poisson = 0.3, friction = 0 }} }}
        shapes = {{ ball = {{ shape = "sphere", radius = 0.004 }} }}
        cell = {{ low = [0, 0, 0], high = [0.1, 0.1, 0.1], {motion} }}
        {more}
        "#
    );
    Scene::parse(&text, "cell.toml").and_then(|scene| scene.check())
}

const BALL: &str =
    r#"grains = [{ from = "points", shape = "ball", material = "sand", at = [[0.05, 0.05, 0.05]] }]"#;

/// Lists and the ball need 11.2 mm: 88 % of the edge may go, not 89 %.
#[test]
fn cells_that_stay_wide_enough_are_taken() {
    let fine = check("motion = { strain_rates = [-880, 200, 0] }", BALL).unwrap();
    assert_eq!(fine.warnings, Vec::<String>::new());
    check("motion = { strain_rates = [-890, 200, 0] }", BALL).unwrap_err();
    // It turns round in time: 100 mm become 12 mm, and grow again.
    let back = format!("{BALL}\nevents = [{{ at = 5e-4, cell = {{ strain_rates = [1000, 0, 0] }} }}]");
    check("motion = { strain_rates = [-1760, 0, 0] }", &back).unwrap();
}

/// A run that may end earlier is not refused.
#[test]
fn a_run_that_may_stop_before_is_warned() {
    let stop = format!("{BALL}\nstop = {{ kinetic_energy = 1e-9 }}");
    let report = check("motion = { strain_rates = [-900, 0, 0] }", &stop).unwrap();
    let [warning] = &report.warnings[..] else { panic!("{report}") };
    assert!(warning.contains("cell.motion.strain_rates[0] is -900, but must be at least -888"), "{warning}");
}

#[test]
fn cells_may_be_fed_from_nothing() {
    let inlet = r#"
        [inlets.rain]
        shape = "ball"
        material = "sand"
        number_rate = 1e4
        every = 1e-4
        region = { kind = "box", low = [0, 0, 0], high = [0.1, 0.1, 0.1] }"#;
    let report = check("repeat = [\"x\", \"y\", \"z\"]", inlet).unwrap();
    assert_eq!((report.grains, report.inflow.grains), (0, 10));
}
