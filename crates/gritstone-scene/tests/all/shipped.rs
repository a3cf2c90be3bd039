//! The scenes that come with the program.

use std::path::{Path, PathBuf};

use gritstone_engine::{Dimension, World};
use gritstone_scene::{Build, Built, Scene, TEMPLATES};

fn scenes() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes")
}

fn build(name: &str) -> Build {
    let scene = Scene::read(&scenes().join(format!("{name}.toml"))).unwrap_or_else(|e| panic!("{e}"));
    scene.build().unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn shipped_scenes_build_without_warnings() {
    for template in TEMPLATES {
        let report = build(template.name).report().clone();
        assert!(report.warnings.is_empty(), "{report}");
        let many = if template.name.starts_with("settle") { 4000 } else { 480 };
        assert!(report.grains >= many || report.inlets > 0, "{report}");
    }
}

/// Volumes known from elsewhere: the ellipsoid's is that of the sphere of the same scene, 4/3·π·abc.
#[test]
fn settling_grains_weigh_what_they_must() {
    let mass = |name| build(name).report().mass;
    let ellipsoid = 4000.0 * 2500.0 * 4.0 / 3.0 * std::f64::consts::PI * 2e-3 * 2e-3 * 4e-3;
    assert!((mass("settle-ellipsoid") / ellipsoid - 1.0).abs() < 1e-12);
    assert!((mass("settle-sphere") / ellipsoid - 1.0).abs() < 1e-5);
}

#[test]
fn the_polyhedra_are_those_of_the_paper() {
    let Build::Space(built) = build("polyhedra-drop") else { panic!("in space") };
    assert_eq!(built.setup.grains.len(), 500);
    // The paper has 1.3e-4 s, which is too long to be stable.
    assert_eq!(built.setup.time_step, 5.5e-5);
    let mut corners: Vec<_> =
        built.setup.shapes.iter().map(|shape| shape.polytope().unwrap().vertices().len()).collect();
    corners.dedup();
    assert_eq!(corners, [4, 5, 8, 14]);
}

/// Runs some of a scene's grains for a while; says how much they have touched.
fn run<D: Dimension>(built: &Built<D>, grains: usize, steps: usize) -> f64 {
    let mut setup = built.setup.clone();
    setup.grains.truncate(grains);
    let mut world = World::new(&setup).unwrap();
    let start = world.energies();
    for _ in 0..steps {
        world.step().unwrap();
    }
    let (end, status) = (world.energies(), world.status());
    assert_eq!(status.unresolved_since_start, 0);
    assert_eq!(status.grains, grains);
    // Nothing has been thrown about: there is no more motion than the fall and moving sides can give.
    let given = start.kinetic() + start.potential - end.potential + end.wall_work;
    assert!(end.kinetic() <= given && end.dissipated > 0.0, "{start:?}\n{end:?}");
    status.deepest
}

#[test]
fn shipped_scenes_run_at_reduced_size() {
    // Those whose first grains are next to the floor; the others take longer, and are run by the program's own tests.
    for name in [
        "settle-sphere",
        "settle-ellipsoid",
        "settle-box",
        "settle-superellipsoid",
        "polyhedra-drop",
        "ellipses-pour",
        "concave-grains",
    ] {
        let deepest = match build(name) {
            Build::Plane(built) => run(&built, 60, 4000),
            // Until they have reached the floor.
            Build::Space(built) => run(&built, 100, ((0.025 / built.setup.time_step) as usize).max(1500)),
        };
        assert!(deepest < 0.25, "{name}: {deepest}");
    }
}

/// The drum's surface is whole, and holds grains that fall into it.
#[test]
fn the_drum_holds_its_grains() {
    let Build::Space(built) = build("drum") else { panic!("in space") };
    assert_eq!((built.setup.walls.len(), built.setup.tools.len(), built.setup.grains.len()), (1, 1, 672));
    assert!(built.report.warnings.is_empty(), "{}", built.report);
    assert!(run(&built, 60, 3000) < 0.1);
}
