//! PeriodicCell that are pressed until the grains resist.

use crate::common::{cell_bed, compounds, go_on, mixed, plane_cell_bed};
use glam::{DVec2, DVec3};
use gritstone_engine::{Dimension, Setup, Side, StressControl, World};

/// The setup at rest, pressed.
fn pressed<D: Dimension>(mut setup: Setup<D>, stress: [Option<f64>; 3]) -> Setup<D> {
    for grain in &mut setup.grains {
        (grain.velocity, grain.spin) = (D::Vec::default(), D::Spin::default());
    }
    if let Some(cell) = &mut setup.cell {
        cell.sides.iter_mut().flatten().for_each(|side| side.velocity = D::Vec::default());
        cell.press = Some(StressControl { stress, max_rate: 10.0 });
    }
    setup
}

/// Mean stress over some steps along each axis, relative to what was asked for.
fn mean_stress<D: Dimension>(world: &mut World<D>, targets: &[f64], steps: u32) -> Vec<f64> {
    let mut sums = vec![0.0; targets.len()];
    for _ in 0..steps {
        world.step().unwrap();
        let stress = world.cell().unwrap().stress;
        (0..sums.len()).for_each(|k| sums[k] += stress[k][k] / targets[k]);
    }
    sums.iter().map(|sum| sum / f64::from(steps)).collect()
}

/// In the plane, another stress along each axis.
#[test]
fn stresses_in_the_plane_are_those_asked_for() {
    let targets = [2e4, 3e4];
    let mut setup = pressed(plane_cell_bed(100), [Some(targets[0]), Some(targets[1]), None]);
    setup.gravity = DVec2::ZERO;
    setup.walls.clear();
    if let Some(cell) = &mut setup.cell {
        let width = cell.sides[0].unwrap().vector.x;
        cell.centre = DVec2::splat(0.5 * width);
        cell.sides[1] = Some(Side { vector: DVec2::Y * width, velocity: DVec2::ZERO });
    }
    let mut world = World::new(&setup).unwrap();
    go_on(&mut world, 10_000);
    for ratio in mean_stress(&mut world, &targets, 4000) {
        assert!((ratio - 1.0).abs() < 0.01, "{ratio}");
    }
}

/// Stopped and restored it goes on with the same bits.
#[test]
fn pressing_goes_on_after_a_stop() {
    let setup = pressed(cell_bed(mixed(), compounds(), 64), [Some(5e3); 3]);
    let mut straight = World::new(&setup).unwrap();
    go_on(&mut straight, 2000);
    let mut stopped = World::restore(&setup, &straight.save().unwrap()).unwrap();
    go_on(&mut straight, 500);
    go_on(&mut stopped, 500);
    assert!(straight.save().unwrap() == stopped.save().unwrap());
    let at = |world: &World<_>| world.snapshot().bodies[5].pose.position;
    assert_eq!(at(&straight), at(&stopped) + DVec3::ZERO);
}
