//! A new start point: random search, then the simplex method.
//!
//! The paper names the two and gives no numbers. Here a handful of directions is drawn from the half sphere about the
//! line between the centres, where the direction of every small overlap lies (`c·(s² − s¹) = c·d + h¹ + h²` with both
//! support values positive), and the simplex walks from the best of them.

use glam::{DVec2, DVec3};
use gritstone_core::linalg::Tangent;
use gritstone_core::solve::nelder_mead::{self, Settings};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

use super::Record;
use super::objective::Objective;

/// Directions that are drawn for a new start point: few, so that every start point is another one.
const DRAWN: usize = 8;

/// The simplex: a first triangle of about the mean distance between the drawn directions, and enough steps to find
/// the basin.
const SIMPLEX: Settings = Settings { edge: 0.3, evaluations: 40, resolution: 1e-4 };

/// Angles of a new start point.
pub(super) fn new_start(objective: &Objective<'_>, random: &mut Pcg64Mcg, record: &mut Record) -> DVec2 {
    let mut value = |alpha: DVec2| {
        let point = objective.at(alpha);
        record.see(&point);
        point.value
    };
    let mut best = (f64::INFINITY, DVec2::ZERO);
    for _ in 0..DRAWN {
        let alpha = objective.angles(half_sphere(objective.e1(), random));
        let f = value(alpha);
        if f < best.0 {
            best = (f, alpha);
        }
    }
    nelder_mead::minimise(value, best.1, SIMPLEX).point
}

/// A direction drawn uniformly from the half sphere about `axis`.
fn half_sphere(axis: DVec3, random: &mut Pcg64Mcg) -> DVec3 {
    let height: f64 = random.random();
    let turn = std::f64::consts::TAU * random.random::<f64>();
    let across = Tangent::across(axis).lift(gritstone_core::angle::direction(turn));
    height * axis + (1.0 - height * height).sqrt() * across
}
