//! How near two backends are.

use std::fmt::Debug;

use gritstone_core::{Linear, Vector as _};
use gritstone_engine::{Dimension, Energies};

use super::{Observation, Script};

/// How near two backends must be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Agreement {
    /// Every number of every column.
    SameBits,
    /// Positions and orientations within a fraction of the smallest grain's size, velocities of the largest velocity, forces of
    /// the largest force, energies of the energy exchanged; the same bodies, and all contacts but those of next to no force.
    Within(f64),
}

/// A backend that does not do what the reference does.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{script}, step {step}: {what}")]
pub struct Deviation {
    /// Which scene.
    pub script: &'static str,
    /// At which step.
    pub step: u64,
    /// What is wrong.
    pub what: String,
}

/// Compares two observations of one moment.
pub(super) fn compare<D: Dimension>(
    script: &Script<D>,
    agreement: Agreement,
    expected: &Observation<D>,
    found: &Observation<D>,
) -> Result<(), Deviation> {
    let differs = |what: String| Err(script.failed(found.step, &what));
    let (a, b) = (&expected.bodies, &found.bodies);
    if (&a.id, &a.shape, &a.material, &a.frozen) != (&b.id, &b.shape, &b.material, &b.frozen) {
        return differs(format!("other grains: {} and {}", a.len(), b.len()));
    }
    if expected.replies != found.replies {
        return differs(format!("other replies: {:?} and {:?}", expected.replies, found.replies));
    }
    if expected.step == script.steps && expected.status.contacts < script.contacts {
        return differs(format!("{} contacts are too few to compare", expected.status.contacts));
    }
    match agreement {
        Agreement::SameBits => same(expected, found),
        Agreement::Within(fraction) => near(script, fraction, expected, found),
    }
    .or_else(differs)
}

/// Whether all columns are the same.
fn same<D: Dimension>(a: &Observation<D>, b: &Observation<D>) -> Result<(), String> {
    equal("bodies", &a.bodies, &b.bodies)?;
    equal("contacts", &a.contacts, &b.contacts)?;
    equal("walls", &a.walls, &b.walls)?;
    equal("tools", &a.tools, &b.tools)?;
    equal("cell", &a.cell, &b.cell)?;
    equal("energies", &a.energies, &b.energies)?;
    equal("unresolved contacts", &a.status.unresolved_since_start, &b.status.unresolved_since_start)
}

fn equal<T: PartialEq + Debug>(what: &str, a: &T, b: &T) -> Result<(), String> {
    if a == b { Ok(()) } else { Err(format!("other bits in {what}")) }
}

/// Whether all columns are near each other.
fn near<D: Dimension>(
    script: &Script<D>,
    fraction: f64,
    a: &Observation<D>,
    b: &Observation<D>,
) -> Result<(), String> {
    let shapes = 0..script.setup.shapes.len() as u32;
    let smallest = shapes.map(|shape| script.setup.size(shape)).fold(f64::INFINITY, f64::min);
    within("positions", fraction * smallest, &a.bodies.position, &b.bodies.position)?;
    let turns = a.bodies.rotation.iter().zip(&b.bodies.rotation);
    // A quaternion times its own conjugate has a vector part of rounding errors: equal orientations are told before.
    let turned = turns.map(|(a, b)| if a == b { 0.0 } else { D::chord(*a, *b) }).fold(0.0, f64::max);
    if turned > fraction {
        return Err(format!("orientations differ by {turned:e} rad"));
    }
    let speed = |v: &[D::Vec]| v.iter().map(|v| v.length()).fold(0.0, f64::max);
    within("velocities", fraction * speed(&a.bodies.velocity), &a.bodies.velocity, &b.bodies.velocity)?;
    let spin = a.bodies.spin.iter().map(|spin| D::rate(*spin)).fold(0.0, f64::max);
    within("spins", fraction * spin, &a.bodies.spin, &b.bodies.spin)?;
    let force = speed(&a.contacts.force);
    within("forces", fraction * force, &a.bodies.force, &b.bodies.force)?;
    let forces = |o: &Observation<D>| o.walls.iter().map(|wall| wall.force).collect::<Vec<_>>();
    let grains = a.bodies.len().max(1) as f64;
    within("forces on walls", fraction * force * grains, &forces(a), &forces(b))?;
    contacts(fraction * force, a, b)?;
    let scale = a.energies.kinetic() + a.energies.elastic + a.energies.dissipated.abs();
    let list = |e: &Energies| [e.translation, e.rotation, e.potential, e.elastic, e.dissipated, e.wall_work];
    let off = list(&a.energies).into_iter().zip(list(&b.energies)).map(|(a, b)| (a - b).abs());
    let off = off.fold(0.0, f64::max);
    if off > fraction * (scale + a.at_start.potential.abs()) {
        return Err(format!("energies differ by {off:e} J"));
    }
    Ok(())
}

fn within<T: Linear>(what: &str, allowed: f64, a: &[T], b: &[T]) -> Result<(), String> {
    let off = |(a, b): (&T, &T)| (*a - *b).dot(*a - *b).sqrt();
    let worst = a.iter().zip(b).map(off).fold(0.0, |worst: f64, off| if off > worst { off } else { worst });
    if a.len() != b.len() || worst > allowed || a.iter().chain(b).any(|x| x.dot(*x).is_nan()) {
        return Err(format!("{what} differ by {worst:e}, more than {allowed:e}"));
    }
    Ok(())
}

/// Every contact with more than next to no force is in both, with about the same force.
fn contacts<D: Dimension>(allowed: f64, a: &Observation<D>, b: &Observation<D>) -> Result<(), String> {
    for (one, other) in [(&a.contacts, &b.contacts), (&b.contacts, &a.contacts)] {
        for (key, force) in one.key.iter().zip(&one.force) {
            let there = other.key.binary_search(key).map_or(D::Vec::default(), |i| other.force[i]);
            let off = (*force - there).length();
            if off > allowed {
                return Err(format!("the force of contact {key:?} differs by {off:e} N"));
            }
        }
    }
    Ok(())
}
