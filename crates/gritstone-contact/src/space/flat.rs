//! Flat parts of surfaces.
//!
//! Where a surface is flat to within tolerance the distance is well defined, but the point is not: a turn of the direction
//! by less than its rounding moves the support point from one rim of the face to the other. Support points in directions
//! tilted around c by just more than that are the corners of the body's flat part, seen along c: a polygon, a line, or,
//! where the surface bends, a point. Round faces are known as discs.
//!
//! **What a contact says there.** Its point is the middle of the contact set: the centroid of what the two flat parts have in
//! common. Its curvature is that of the surfaces: zero along a line or a face, to within [`SLOPE`] over the extent; infinite
//! across an edge or a rim, and both ways at a vertex.

use glam::{DMat3, DVec2, DVec3};
use gritstone_core::Space;
use gritstone_core::linalg::{Sym2, Tangent};
use gritstone_shape::Support;

use super::disc::Disc;
use super::pair::{Pair, PairJet, PointPair};
use super::polygon::{self, Polygon, ends};
use crate::tolerance;

/// Slope up to which a surface counts as flat: within the certificate's tolerance of its support plane.
pub(crate) const SLOPE: f64 = 0.5 * tolerance::CERTIFICATE;

/// Ratio of width to length below which a flat part is a line, whose corners do not show how it bends across itself.
const COARSE: f64 = 0.05;

/// The same ratio for a line without width: what rounding leaves, and the slope allows a side that bends across itself.
const NARROW: f64 = 1e-6;

/// Corners of a flat part.
const CORNERS: usize = 12;

/// The flat part of a body's surface, in a tangent plane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FlatPart {
    corners: [DVec2; CORNERS],
    /// What the corners lie around, where that is known to be round.
    disc: Option<Disc>,
}

impl FlatPart {
    /// The part where the surface's slope against the plane across `outward` is at most [`SLOPE`]. Points are relative to
    /// the body's origin, and `about` is the origin of the plane.
    pub(crate) fn of<S>(shape: &S, frame: &DMat3, outward: DVec3, tangent: &Tangent, about: DVec3) -> Self
    where
        S: Support<Space> + ?Sized,
    {
        let mut corners = [DVec2::ZERO; CORNERS];
        for (k, corner) in corners.iter_mut().enumerate() {
            let lean = tangent.lift(Self::lean(k)) * SLOPE;
            let x = *frame * shape.support(frame.transpose() * (outward + lean));
            *corner = tangent.project(x - about);
        }
        let disc = shape
            .round_face(frame.transpose() * outward, SLOPE)
            .map(|(centre, radius)| Disc { centre: tangent.project(*frame * centre - about), radius });
        Self { corners, disc }
    }

    /// Half a step off, so that no direction lies along an axis, where a straight rim leaves its corner undetermined.
    fn lean(k: usize) -> DVec2 {
        gritstone_core::angle::direction(std::f64::consts::TAU * (k as f64 + 0.5) / CORNERS as f64)
    }

    /// The middle.
    pub(crate) fn middle(&self) -> DVec2 {
        let centre = self.disc.map(|disc| disc.centre);
        centre.or_else(|| self.polygon().centroid()).unwrap_or(self.corners[0])
    }

    /// The middle of what two flat parts have in common; `None` where they do not overlap.
    pub(crate) fn common_middle(&self, other: &Self) -> Option<DVec2> {
        match (&self.disc, &other.disc) {
            (Some(disc), Some(other)) => return disc.common_middle(other),
            // A line or a point has no area for the integral, and is cut like any polygon.
            (Some(disc), None) if !other.is_line() => return disc.common_middle_with(&other.corners),
            (None, Some(disc)) if !self.is_line() => return disc.common_middle_with(&self.corners),
            _ => {}
        }
        // What is cut is the smaller one: a point has no sides to cut with. Nor has a line.
        let (smaller, larger) = if self.length() <= other.length() { (self, other) } else { (other, self) };
        if let (Some(short), Some(long)) = (smaller.segment(), larger.segment()) {
            return polygon::common_middle(short, long);
        }
        let mut region = smaller.polygon();
        for k in 0..CORNERS {
            region = region.cut(larger.corners[k], larger.corners[(k + 1) % CORNERS]);
        }
        region.centroid()
    }

    /// Its ends, where it is a line without width.
    fn segment(&self) -> Option<[DVec2; 2]> {
        let long = self.long_axis()?;
        (self.extent(long.perp()) <= NARROW * self.extent(long)).then(|| ends(&self.corners)).flatten()
    }

    /// Distance between the two corners that are farthest apart.
    fn length(&self) -> f64 {
        ends(&self.corners).map_or(0.0, |[start, end]| start.distance(end))
    }

    fn is_line(&self) -> bool {
        self.long_axis().is_none_or(|long| self.extent(long.perp()) <= COARSE * self.extent(long))
    }

    /// The direction between the two corners that are farthest apart; `None` where all are one.
    fn long_axis(&self) -> Option<DVec2> {
        let [start, end] = ends(&self.corners)?;
        (end - start).try_normalize()
    }

    /// How far the corners reach along a unit vector.
    fn extent(&self, along: DVec2) -> f64 {
        let reach =
            |x: DVec2| self.corners.iter().map(|corner| corner.dot(x)).fold(f64::NEG_INFINITY, f64::max);
        reach(along) + reach(-along)
    }

    /// Whether the corners lie where a smooth surface with this Hessian has them, to within `near`.
    fn follows(&self, hessian: &Sym2, near: f64) -> bool {
        (0..CORNERS / 2).all(|k| {
            let found = self.corners[k] - self.corners[k + CORNERS / 2];
            (found - *hessian * Self::lean(k) * (2.0 * SLOPE)).length() <= near
        })
    }

    /// Radii of curvature at this slope: on a smooth surface, where corners lie at H times the tilt, the Hessian H of the
    /// support function; on a flat one the extent over the slope, which is large; zero at a vertex.
    pub(crate) fn radii(&self) -> Sym2 {
        let mut sum = [DVec2::ZERO; 2];
        for (k, corner) in self.corners.iter().enumerate() {
            // Σ lean leanᵀ is half the number of corners, times the identity.
            let (lean, from_middle) = (Self::lean(k), *corner - self.corners[(k + CORNERS / 2) % CORNERS]);
            sum[0] += from_middle * lean.x;
            sum[1] += from_middle * lean.y;
        }
        let scale = 1.0 / (SLOPE * CORNERS as f64);
        Sym2 { xx: sum[0].x, yy: sum[1].y, xy: 0.5 * (sum[0].y + sum[1].x) } * scale
    }

    fn polygon(&self) -> Polygon {
        let mut polygon = Polygon::default();
        self.corners.iter().for_each(|&corner| polygon.push(corner));
        polygon
    }
}

/// Where two bodies meet whose directions do not determine the points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meeting {
    /// The middle of the contact region: of what the flat parts of both bodies have in common. `None` where they have
    /// nothing in common.
    pub(crate) middle: Option<PointPair>,
    /// Radii of curvature of a and of b there.
    pub(crate) radii: [Sym2; 2],
}

/// Where two bodies meet in the direction of `jet`.
pub(crate) fn meet<A, B>(pair: &Pair<'_, A, B>, jet: &PairJet) -> Meeting
where
    A: Support<Space> + ?Sized,
    B: Support<Space> + ?Sized,
{
    let (c, about, tangent) = (jet.sample.c, jet.sample.x_a, &jet.tangent);
    let a = FlatPart::of(pair.a, &pair.frame_a, c, tangent, about);
    let b = FlatPart::of(pair.b, &pair.frame_b, -c, tangent, about - pair.offset);
    let middle = a.common_middle(&b).map(|x| {
        let x = about + tangent.lift(x);
        PointPair { x_a: x, x_b: x }
    });
    let bend_a = Bend { shape: pair.a, frame: &pair.frame_a, outward: c, tangent };
    let bend_b = Bend { shape: pair.b, frame: &pair.frame_b, outward: -c, tangent };
    Meeting { middle, radii: [bend_a.radii(jet.h_a, &a), bend_b.radii(jet.h_b, &b)] }
}

/// How a surface bends where its support plane across `outward` touches it.
struct Bend<'s, S: ?Sized> {
    shape: &'s S,
    frame: &'s DMat3,
    outward: DVec3,
    tangent: &'s Tangent,
}

impl<S: Support<Space> + ?Sized> Bend<'_, S> {
    /// Radii of curvature: the Hessian where it determines the point, otherwise what the flat part says. A line says nothing
    /// about how it bends across itself: there two more points are looked at.
    fn radii(&self, hessian: Sym2, part: &FlatPart) -> Sym2 {
        if self.determined(&hessian, part) {
            return hessian;
        }
        match part.long_axis() {
            Some(long) if part.is_line() => {
                let along = part.extent(long) / (2.0 * SLOPE);
                Sym2::outer(long, along) + Sym2::outer(long.perp(), self.across(long))
            }
            _ => part.radii(),
        }
    }

    /// Whether the Hessian says how the surface bends. That of a body with straight sides may be one of its ends alone.
    fn determined(&self, hessian: &Sym2, part: &FlatPart) -> bool {
        let size = self.shape.size();
        if self.shape.creased() {
            part.follows(hessian, tolerance::WITNESS * size)
        } else {
            bent(hessian, size)
        }
    }

    /// Radius of curvature across a line. Support points never move against their direction, so it is not negative.
    fn across(&self, line: DVec2) -> f64 {
        let direction = line.perp();
        // A straight side shows either end, much farther away than it bends: both points are seen at the same end.
        let end = if self.shape.creased() { line } else { DVec2::ZERO };
        let point = |lean: DVec2| {
            let normal = self.outward + self.tangent.lift(lean) * SLOPE;
            self.tangent.project(*self.frame * self.shape.support(self.frame.transpose() * normal))
        };
        (point(end + direction) - point(end - direction)).dot(direction).max(0.0) / (2.0 * SLOPE)
    }
}

/// Whether a surface with these radii of curvature bends both ways, enough for a direction to determine a point of it.
pub(crate) fn bent(radii: &Sym2, size: f64) -> bool {
    let ([low, high], _) = radii.eigen();
    low > 0.0 && high * SLOPE <= tolerance::WITNESS * size
}

/// How a body rests on a plane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resting {
    /// The middle of what touches the plane, relative to the support point, in the tangent plane.
    pub(crate) across: DVec2,
    /// Radii of curvature there.
    pub(crate) radii: Sym2,
}

/// How a body rests on the plane across its outward normal `outward`, given the support point and the Hessian there.
pub(crate) fn rest<S>(
    shape: &S,
    frame: &DMat3,
    outward: DVec3,
    tangent: &Tangent,
    point: DVec3,
    hessian: Sym2,
) -> Resting
where
    S: Support<Space> + ?Sized,
{
    if shape.curved() || !shape.creased() && bent(&hessian, shape.size()) {
        return Resting { across: DVec2::ZERO, radii: hessian };
    }
    let part = FlatPart::of(shape, frame, outward, tangent, point);
    let bend = Bend { shape, frame, outward, tangent };
    let across = if bend.determined(&hessian, &part) { DVec2::ZERO } else { part.middle() };
    Resting { across, radii: bend.radii(hessian, &part) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gritstone_core::Pose;
    use gritstone_shape::space::Superellipsoid;

    /// Two boxes of ε = 0.1 with faces 2 × 2, the upper one shifted by 0.4 along x: their flat parts overlap
    /// symmetrically about x = 0.2.
    #[test]
    fn middle_of_shifted_boxes() {
        let shape = Superellipsoid::new(DVec3::ONE, [0.1, 0.1]).unwrap();
        let pose = Pose::at(DVec3::new(0.4, 0.0, 2.0));
        let pair = Pair::new(&shape, &Pose::at(DVec3::ZERO), &shape, &pose);
        let m = meet(&pair, &pair.jet(DVec3::Z)).middle.unwrap();
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
