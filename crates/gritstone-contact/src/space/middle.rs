//! The middle of a flat contact.
//!
//! Where both surfaces are flat to within tolerance the distance is well defined, but the point is not: a turn of the
//! direction by less than its rounding moves the support points from one rim of the face to the other. Support points
//! in directions tilted around c by just more than that are the corners of each body's flat part. The two polygons,
//! seen along c, overlap in the contact region, and its centroid is the point that is returned.

use glam::DVec2;
use gritstone_core::Space;
use gritstone_shape::Support;

use super::pair::{Pair, PairJet, PointPair};
use super::polygon;

/// Corners of a flat part.
const CORNERS: usize = 12;
/// Corners of the overlap of two: each cut adds one at most.
const MOST: usize = 2 * CORNERS + 2;

/// The middle of the contact region in the direction of `jet`; `None` where the flat parts, up to the slope `tilt`, do
/// not overlap.
pub(crate) fn middle<A, B>(pair: &Pair<'_, A, B>, jet: &PairJet, tilt: f64) -> Option<PointPair>
where
    A: Support<Space> + ?Sized,
    B: Support<Space> + ?Sized,
{
    let (c, about, tangent) = (jet.sample.c, jet.sample.x_a, &jet.tangent);
    let mut region = Polygon::default();
    let mut cutter = [DVec2::ZERO; CORNERS];
    for (k, corner) in cutter.iter_mut().enumerate() {
        // Half a step off, so that no direction lies along an axis, where a straight rim leaves its corner undetermined.
        let angle = std::f64::consts::TAU * (k as f64 + 0.5) / CORNERS as f64;
        let lean = tangent.lift(DVec2::from_angle(angle)) * tilt;
        let x_a = pair.frame_a * pair.a.support(pair.frame_a.transpose() * (c + lean));
        let x_b = pair.frame_b * pair.b.support(pair.frame_b.transpose() * (lean - c)) + pair.offset;
        region.push(tangent.project(x_a - about));
        *corner = tangent.project(x_b - about);
    }
    for k in 0..CORNERS {
        region = region.cut(cutter[k], cutter[(k + 1) % CORNERS]);
    }
    let x = about + tangent.lift(region.centroid()?);
    Some(PointPair { x_a: x, x_b: x })
}

/// A convex polygon with counter-clockwise corners.
#[derive(Clone, Copy)]
struct Polygon {
    corners: [DVec2; MOST],
    count: usize,
}

impl Default for Polygon {
    fn default() -> Self {
        Self { corners: [DVec2::ZERO; MOST], count: 0 }
    }
}

impl Polygon {
    fn push(&mut self, corner: DVec2) {
        if self.count < MOST {
            self.corners[self.count] = corner;
            self.count += 1;
        }
    }

    /// The part to the left of the line from `p` to `q`.
    fn cut(&self, p: DVec2, q: DVec2) -> Self {
        let mut kept = Self::default();
        polygon::cut(&self.corners[..self.count], |x| (q - p).perp_dot(x - p), |x| kept.push(x));
        kept
    }

    /// The centroid of the area, or of the corners where there is none; `None` without corners.
    fn centroid(&self) -> Option<DVec2> {
        let corners = &self.corners[..self.count];
        let origin = *corners.first()?;
        let (mut area, mut moment) = (0.0, DVec2::ZERO);
        for i in 1..self.count.saturating_sub(1) {
            let (u, v) = (corners[i] - origin, corners[i + 1] - origin);
            let twice = u.perp_dot(v);
            area += twice;
            moment += (u + v) * (twice / 3.0);
        }
        let mean = corners.iter().sum::<DVec2>() / self.count as f64;
        Some(if area > 0.0 { origin + moment / area } else { mean })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;
    use gritstone_core::Pose;
    use gritstone_shape::space::Superellipsoid;

    /// Two boxes of ε = 0.1 with faces 2 × 2, the upper one shifted by 0.4 along x: their flat parts overlap
    /// symmetrically about x = 0.2.
    #[test]
    fn middle_of_shifted_boxes() {
        let shape = Superellipsoid::new(DVec3::ONE, [0.1, 0.1]).unwrap();
        let pose = Pose::at(DVec3::new(0.4, 0.0, 2.0));
        let pair = Pair::new(&shape, &Pose::at(DVec3::ZERO), &shape, &pose);
        let m = middle(&pair, &pair.jet(DVec3::Z), 1e-9).unwrap();
        assert!((m.x_a - DVec3::new(0.2, 0.0, 1.0)).length() < 1e-9, "{m:?}");
    }

    #[test]
    fn polygons_overlap_in_their_common_part() {
        let square = |x: f64, y: f64| {
            [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]].map(|[u, v]| DVec2::new(x + u, y + v))
        };
        let mut region = Polygon::default();
        square(0.0, 0.0).into_iter().for_each(|p| region.push(p));
        let cutter = square(1.0, 0.5);
        for k in 0..4 {
            region = region.cut(cutter[k], cutter[(k + 1) % 4]);
        }
        assert!((region.centroid().unwrap() - DVec2::new(1.5, 1.25)).length() < 1e-15);
        assert!(region.cut(DVec2::ZERO, DVec2::Y).centroid().is_none());
    }
}
