//! Outlines of shapes from other crates: support points of an even set of directions.

use std::f64::consts::FRAC_PI_4;

use glam::DVec2;
use gritstone_core::{Outline, Plane};

use crate::{Support, Trace};

/// A shape from another crate.
pub type Custom = crate::Custom<Plane>;

/// Finest detail: 8 million vertices.
const FINEST: u32 = 1_000_000;

impl Trace for Custom {
    fn outline(&self, detail: u32) -> Outline {
        let n = detail.clamp(1, FINEST);
        let angle = |i: u32| f64::from(i) * FRAC_PI_4 / f64::from(n);
        let normals: Vec<DVec2> = (0..8 * n).map(|i| gritstone_core::angle::direction(angle(i))).collect();
        Outline { positions: normals.iter().map(|&n| self.support(n)).collect(), normals }
    }
}
