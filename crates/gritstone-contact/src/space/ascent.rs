//! Trust-region Newton ascent of g over the sphere of directions.
//!
//! **Idea.** g has gradient d_t and Hessian `−(H_a + H_b) − g·I` on the tangent plane, both in closed form, so one
//! evaluation gives an exact second-order model. Its maximiser over a disc is taken, the direction follows the
//! geodesic, and the disc grows or shrinks by how well the model did.
//!
//! **Flat bodies.** Near a flat face a tiny turn moves the support point far, and the model in directions is worthless
//! beyond that turn. There the step is taken on the surface: the point moves by `H_i s`, and the new direction is the
//! body's normal at the moved point, kept in the body's own frame so that its tiny components survive.

use glam::{DVec2, DVec3};
use gritstone_core::Space;
use gritstone_core::solve::trust_region;
use gritstone_shape::Support;

use super::pair::{Pair, PairJet, Sample};
pub(crate) use crate::pair::Limits;
use crate::tolerance;

/// Radius of the first disc (rad).
const FIRST_RADIUS: f64 = 0.5;
/// Radius of the largest disc (rad).
const LARGEST_RADIUS: f64 = 1.5;
/// Steps shorter than this (rad) are taken along the tangent: the directions differ by less than a third of its cube.
const SHORT: f64 = 1e-3;
/// A body is flat along a step when the support point moves this much more than the size times the turn.
const FLAT: f64 = 4.0;

/// How an ascent ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ascent {
    /// Where it ended.
    pub(crate) jet: PairJet,
    /// Whether d_t vanished within tolerance.
    pub(crate) converged: bool,
    /// Whether g may have a crease there: the points are then weighted means of support points, and d_t is theirs.
    pub(crate) creased: bool,
    /// Steps, rejected ones too.
    pub(crate) iterations: u32,
}

/// Climbs from the unit direction `start` to a local maximum of g. Every evaluation is shown to `visit`.
pub(crate) fn climb<A, B>(
    pair: &Pair<'_, A, B>,
    start: DVec3,
    limits: Limits,
    mut visit: impl FnMut(&Sample),
) -> Ascent
where
    A: Support<Space> + ?Sized,
    B: Support<Space> + ?Sized,
{
    let done = tolerance::CONVERGENCE * pair.size;
    let noise = pair.rounding();
    let mut here = pair.jet(start);
    visit(&here.sample);
    let mut radius = FIRST_RADIUS;
    let mut on_surface = true;
    for iterations in 0..limits.iterations {
        let residual = here.d_t.length();
        let converged = residual <= done;
        if converged || (limits.detect && here.sample.g > 0.0) {
            return Ascent { jet: here, converged, creased: false, iterations };
        }
        let model = here.model();
        let s = trust_region::step(model, here.d_t, radius);
        let surface = if on_surface { surface_step(pair, &here, s) } else { None };
        let trial = surface.unwrap_or_else(|| pair.jet(geodesic(&here, s)));
        visit(&trial.sample);
        let predicted = here.d_t.dot(s) - 0.5 * model.form(s);
        let better = if predicted <= 16.0 * noise {
            // The gain drowns in rounding: the residual tells.
            trial.d_t.length() < residual && trial.sample.g >= here.sample.g - noise
        } else {
            let ratio = (trial.sample.g - here.sample.g) / predicted;
            if ratio < 0.25 && surface.is_none() {
                radius = 0.25 * s.length();
            } else if ratio > 0.75 && s.length() > 0.9 * radius {
                radius = (3.0 * radius).min(LARGEST_RADIUS);
            }
            ratio > 0.0
        };
        if better {
            here = trial;
            on_surface = true;
        } else if surface.is_some() {
            on_surface = false;
        } else if predicted <= 16.0 * noise {
            return Ascent { jet: here, converged: false, creased: false, iterations: iterations + 1 };
        }
    }
    Ascent { jet: here, converged: false, creased: false, iterations: limits.iterations }
}

/// The direction at the end of the geodesic that starts along `s`.
fn geodesic(here: &PairJet, s: DVec2) -> DVec3 {
    let angle = s.length();
    let along = here.tangent.lift(s);
    if angle < SHORT {
        return (here.sample.c + along).normalize();
    }
    (here.sample.c * libm::cos(angle) + along * (libm::sin(angle) / angle)).normalize()
}

/// The step taken on the surface of the flatter body, if one is flat along it.
fn surface_step<A, B>(pair: &Pair<'_, A, B>, here: &PairJet, s: DVec2) -> Option<PairJet>
where
    A: Support<Space> + ?Sized,
    B: Support<Space> + ?Sized,
{
    let (move_a, move_b) = (here.h_a * s, here.h_b * s);
    let flat_a = move_a.length() / pair.a.size();
    let flat_b = move_b.length() / pair.b.size();
    if flat_a.max(flat_b) <= FLAT * s.length() {
        return None;
    }
    if flat_a >= flat_b {
        let x = pair.frame_a.transpose() * (here.sample.x_a + here.tangent.lift(move_a));
        let n_a = pair.a.implicit()?.normal(x);
        let c = (pair.frame_a * n_a).normalize();
        Some(pair.jet_local(c, n_a, pair.frame_b.transpose() * -c))
    } else {
        let x = pair.frame_b.transpose() * (here.sample.x_b - here.tangent.lift(move_b) - pair.offset);
        let n_b = pair.b.implicit()?.normal(x);
        let c = -(pair.frame_b * n_b).normalize();
        Some(pair.jet_local(c, pair.frame_a.transpose() * c, n_b))
    }
}
