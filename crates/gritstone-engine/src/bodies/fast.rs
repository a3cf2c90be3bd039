//! Grains that move so far in a step that no contact law sees them coming.
//!
//! A contact of fifty steps has an overlap of 50/π times the way that the bodies go in one step. A grain that goes
//! [`FAR`] of half its thickness in a step overlaps by about as much as it is thick, whatever the stiffness: it may pass through what it
//! meets.

use gritstone_contact::NarrowPhase;
use gritstone_core::{Linear as _, Vector as _};
use gritstone_shape::Support as _;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{Bodies, CHUNK};
use crate::dimension::Dimension;

/// How far a grain may go in a step, as a fraction of half its thickness.
pub const FAR: f64 = 0.05;

/// Steps between two looks at grains that only turn fast.
const LOOK_EVERY: u64 = 32;

/// Grains that went further than [`FAR`] in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FastMoves {
    /// How many there were, summed over the steps in which there were any.
    pub count: u64,
    /// The farthest way in a step, as a fraction of half the grain's thickness.
    pub farthest: f64,
    /// The grain that went it.
    pub id: u32,
    /// The step in which it did.
    pub step: u64,
}

impl FastMoves {
    /// Both, the farther one first; of equal ones that of the smaller id, then of the earlier step.
    pub(crate) fn and(self, other: Self) -> Self {
        let count = self.count + other.count;
        let first = if self.farthest == other.farthest {
            (self.id, self.step) <= (other.id, other.step)
        } else {
            self.farthest > other.farthest
        };
        Self { count, ..if first { self } else { other } }
    }
}

/// Half the smallest width of a convex body, from the widths along some directions: too large by a few per cent at most for compact bodies.
pub(crate) fn half_thickness<D: NarrowPhase>(shape: &D::Shape) -> f64 {
    let mut least = f64::INFINITY;
    for number in 0..5_usize.pow(D::N as u32) {
        let digit = |axis: usize| (number / 5_usize.pow(axis as u32) % 5) as f64 - 2.0;
        let direction = D::Vec::from_fn(digit);
        let length = direction.length();
        if length > 0.0 {
            let width = (shape.support(direction) - shape.support(direction * -1.0)).dot(direction);
            least = least.min(0.5 * width / length);
        }
    }
    least
}

impl<D: Dimension> Bodies<D> {
    /// Looks for grains that went far in the step of this number, whose length is `dt`.
    pub(crate) fn fast_moves(&self, step: u64, dt: f64) -> FastMoves {
        let thinnest = self.shapes.iter().map(|shape| shape.half_thickness).fold(f64::INFINITY, f64::min);
        let fastest = (D::N as f64).sqrt() * self.largest_velocity;
        if fastest * dt < FAR * thinnest && !step.is_multiple_of(LOOK_EVERY) {
            return FastMoves::default();
        }
        let grains = self.grains();
        let look = |(records, states): (&[super::Record<D>], &[super::State<D>])| {
            let mut found = FastMoves::default();
            for (body, state) in records.iter().zip(states).filter(|(_, state)| state.is_free()) {
                let shape = &self.shapes[body.shape as usize];
                let way = (state.velocity.length() + D::rate(body.spin) * shape.sweep) * dt;
                if way > FAR * shape.half_thickness {
                    let farthest = way / shape.half_thickness;
                    found = found.and(FastMoves { count: 1, farthest, id: state.id, step });
                }
            }
            found
        };
        let records = self.records[grains.clone()].par_chunks(CHUNK);
        records
            .zip(self.states[grains].par_chunks(CHUNK))
            .map(look)
            .reduce(FastMoves::default, FastMoves::and)
    }
}

#[cfg(test)]
mod tests {
    use gritstone_core::{Plane, Space};
    use gritstone_shape::{plane, space};

    use super::*;

    #[test]
    fn the_thickness_of_flat_bodies_is_the_short_way_through_them() {
        let coin = space::Cylinder::new(0.02, 0.001).unwrap().into();
        assert_eq!(half_thickness::<Space>(&coin), 0.001);
        let needle = plane::Ellipse::new(glam::DVec2::new(0.5, 0.01)).unwrap().into();
        assert_eq!(half_thickness::<Plane>(&needle), 0.01);
    }

    #[test]
    fn the_farthest_is_kept_in_any_order() {
        let moved = |farthest, id| FastMoves { count: 1, farthest, id, step: 3 };
        let all = [moved(0.2, 4), moved(0.7, 9), moved(0.7, 5), moved(0.1, 1)];
        let forth = all.into_iter().fold(FastMoves::default(), FastMoves::and);
        let back = all.into_iter().rev().fold(FastMoves::default(), FastMoves::and);
        assert_eq!(forth, back);
        assert_eq!(forth, FastMoves { count: 4, ..moved(0.7, 5) });
    }
}
