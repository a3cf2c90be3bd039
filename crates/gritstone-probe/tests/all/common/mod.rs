//! What tests of probes share: setups, bodies and contacts that are written down, and their rows.

use gritstone_core::{Dim, Pose};
use gritstone_engine::{BodyState, ContactState, Dimension, Lattice, Rules, Setup, Snapshot};
use gritstone_force::{Adhesion, Damping, Friction, Interactions, Material, Stiffness};
use gritstone_probe::{Gauge, Kind, View};

pub(crate) fn setup<D: Dimension>(shapes: Vec<D::Shape>, gravity: D::Vec) -> Setup<D> {
    let material = Material {
        name: "grains".into(),
        density: 1000.0,
        stiffness: Stiffness::Linear { kn: 1e4, ks: 1e4 },
        damping: Damping::Restitution(1.0),
        friction: Friction::Coefficient(0.0),
        rolling: 0.0,
        twisting: 0.0,
        cohesion: Adhesion::None,
    };
    Setup {
        shapes,
        compounds: Default::default(),
        densities: vec![material.density],
        interactions: Interactions::mix(&[material], &[]).unwrap(),
        rules: Rules::default(),
        method: None,
        grains: Vec::new(),
        walls: Vec::new(),
        gravity,
        time_step: 1e-3,
        domain: None,
        cell: None,
        earlier: None,
        tools: Vec::new(),
    }
}

pub(crate) fn body<D: Dim>(id: u32, shape: u32, position: D::Vec) -> BodyState<D> {
    BodyState { id, shape, pose: Pose::at(position), ..BodyState::default() }
}

pub(crate) fn touching<D: Dim>(
    a: u32,
    b: u32,
    point: D::Vec,
    normal: D::Vec,
    force: D::Vec,
) -> ContactState<D> {
    ContactState { a, b, point, normal, depth: 1e-3, force, ..ContactState::default() }
}

pub(crate) fn rows<D: Dimension>(
    probe: impl Into<Kind<D>>,
    setup: &Setup<D>,
    snapshot: &Snapshot<D>,
) -> Vec<Vec<f64>> {
    let probe = probe.into();
    let (gauge, lattice) = (Gauge::new(setup), Lattice::new(setup.cell.as_ref()));
    let rows = probe.get().rows(&View { setup, gauge: &gauge, snapshot, lattice: &lattice });
    let columns = probe.get().columns(setup).len();
    assert!(rows.iter().all(|row| row.len() == columns), "a value for each of {columns} columns");
    assert_eq!(probe.get().digest(&rows).len(), probe.get().digest_columns(setup).len());
    rows
}

#[track_caller]
pub(crate) fn near(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (x, y) in found.iter().zip(expected) {
        assert!((x - y).abs() <= 1e-12 * y.abs().max(1.0), "{found:?} instead of {expected:?}");
    }
}
