//! Segments of lines: thin walls and tools.

use glam::DVec2;
use gritstone_core::linalg::Sym2;
use gritstone_core::{Mass, Outline, Plane};

use super::unit::unit;
use crate::{Body, Jet, ShapeError, Support, Trace, points};

/// The straight line between two points, about its middle. It has no inside, no area and no mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    ends: [DVec2; 2],
}

impl Segment {
    /// The segment between two points, moved so that its middle is its origin; and where that was.
    pub fn between(ends: [DVec2; 2]) -> Result<(Self, DVec2), ShapeError> {
        points::check(ends.iter().map(DVec2::to_array), 2)?;
        let (middle, half) = (0.5 * (ends[0] + ends[1]), 0.5 * (ends[1] - ends[0]));
        ShapeError::check_length("vertices' extent", half.length())?;
        Ok((Self { ends: [-half, half] }, middle))
    }

    /// The two ends.
    pub fn ends(&self) -> &[DVec2; 2] {
        &self.ends
    }
}

impl Support<Plane> for Segment {
    #[inline]
    fn support(&self, n: DVec2) -> DVec2 {
        let [start, end] = self.ends;
        if n.dot(end) >= 0.0 { end } else { start }
    }

    /// Ends have no extent: the Hessian is zero.
    #[inline]
    fn jet(&self, n: DVec2) -> Jet<Plane> {
        Jet { point: self.support(n), hessian: Sym2::default() }
    }

    fn size(&self) -> f64 {
        self.ends[1].length()
    }
}

impl Body<Plane> for Segment {
    fn mass(&self) -> Mass<Plane> {
        Mass::default()
    }

    fn half_extents(&self) -> DVec2 {
        self.ends[1].abs()
    }
}

impl Trace for Segment {
    /// There and back again, whatever the detail.
    fn outline(&self, _: u32) -> Outline {
        let [start, end] = self.ends;
        let left = unit(end).perp();
        Outline { positions: vec![start, end, end, start], normals: vec![-left, -left, left, left] }
    }
}
