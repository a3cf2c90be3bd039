//! Velocity Verlet, body by body.

use gritstone_core::Vector;

use crate::bodies::{ARC, LARGEST_CHORD, Record, ShapeRecord, State, StepInput, VelocitySum};
use crate::broad_phase::LargestDisplacements;
use crate::dimension::Dimension;

/// First half kick and drift; adds the displacement of each body, relative to the
/// common velocity and absolute, and returns the largest of these.
pub(crate) fn advance<D: Dimension>(
    input: &StepInput<'_, D>,
    records: &mut [Record<D>],
    states: &mut [State<D>],
    [relative, absolute]: [&mut [f64]; 2],
) -> [LargestDisplacements; 2] {
    let dt = input.dt;
    let mut largest = [LargestDisplacements::default(); 2];
    for (((body, state), relative), absolute) in records.iter_mut().zip(states).zip(relative).zip(absolute) {
        let mut turned = 0.0;
        if state.is_free() {
            let ShapeRecord { sweep, inertia, .. } = &input.shapes[body.shape as usize];
            (state.velocity, state.momentum) = pushed(input.gravity, dt, state);
            let (before, by_mass) = (body.rotation, state.by_mass);
            body.position += state.velocity * dt;
            body.rotation = D::free_rotation(inertia, before, state.momentum * by_mass, dt);
            let chord = D::chord(before, body.rotation);
            turned = match *sweep {
                0.0 => 0.0,
                sweep if chord <= LARGEST_CHORD => sweep * ARC * chord,
                _ => f64::INFINITY,
            };
            // With the forces of the last step: laws see velocities of second order.
            let (velocity, momentum) = pushed(input.gravity, dt, state);
            body.velocity = velocity;
            body.spin = D::spin(inertia, body.rotation, momentum * by_mass);
        }
        let apart = (state.velocity - input.common).length() * dt + turned;
        let absolute_step = state.velocity.length() * dt + turned;
        (*relative, *absolute) = (*relative + apart, *absolute + absolute_step);
        largest[0].see(*relative);
        largest[1].see(*absolute);
    }
    largest
}

/// Second half kick; returns the sum of the velocities, rounded as in [`VelocitySum`].
pub(crate) fn kick<D: Dimension>(
    gravity: D::Vec,
    dt: f64,
    rounding: f64,
    states: &mut [State<D>],
) -> VelocitySum<D> {
    let mut sum = VelocitySum::new(rounding);
    for state in states {
        if state.is_free() {
            (state.velocity, state.momentum) = pushed(gravity, dt, state);
        }
        sum.add(state.velocity);
    }
    sum
}

/// Velocity and angular momentum after half a step.
#[inline]
fn pushed<D: Dimension>(gravity: D::Vec, dt: f64, state: &State<D>) -> (D::Vec, D::Spin) {
    let half = 0.5 * dt;
    (state.velocity + (state.force * state.by_mass + gravity) * half, state.momentum + state.torque * half)
}
