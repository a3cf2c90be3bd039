//! The profile of a surface of revolution, and the features that follow from it.
//!
//! **Notation.** In the half-plane of radius and height: g: unit vector along a segment; n: its normal, to the right; m: from grains into
//! the surface, −n for grains on the right and n for those on the left.

use std::sync::Arc;

use glam::{DVec2, DVec3};
use gritstone_contact::space::revolved::{Band, TangentPlanes};
use gritstone_core::{Pose, Space};
use gritstone_shape::space::{HalfSpace, Solid, Triangle};

use super::band_filter::{AnnulusFilter, BandFilter, Beyond, Own};
use crate::boundary::surface::facet_filter::FacetFilter;
use crate::boundary::surface::mesh::{MeshError, Sides, TriangleMesh};
use crate::boundary::surface::{MeshFeature, revolved};

/// Facets around of the mesh that the surface looks like.
const FACETS: u32 = 256;
/// Sine of the angle between a segment and the axis, or its perpendicular, below which it is that.
const STRAIGHT: f64 = 1e-9;

/// A line of points that is revolved about z.
#[derive(Clone, Debug, PartialEq)]
pub struct SmoothSurface {
    /// Radius and height of each point; no two neighbours are the same.
    points: Vec<DVec2>,
    sides: Sides,
    mesh: Arc<TriangleMesh>,
}

/// A segment as one side of the surface has it.
#[derive(Clone, Copy, Debug)]
struct Segment {
    from: DVec2,
    along: DVec2,
    length: f64,
    /// From grains into the surface, and how far the surface is along it.
    into: DVec2,
    offset: f64,
}

impl Segment {
    fn beyond(&self) -> Beyond {
        Beyond { into: self.into, offset: self.offset }
    }

    fn to(&self) -> DVec2 {
        self.from + self.along * self.length
    }
}

/// What is at an end of a segment.
#[derive(Clone, Copy, Debug)]
enum Joint {
    /// The axis: the segment goes on on the other side of it.
    Axis,
    /// Another segment, and how much it turns away from the grains there.
    Segment(Segment, f64),
    /// Nothing: a sheet ends.
    End,
}

impl SmoothSurface {
    /// The points `[radius, height]` of a line, which is revolved about z. The outside is on the right of the line: away from the axis where
    /// it leads upwards.
    pub fn new(profile: &[[f64; 2]], sides: Sides) -> Result<Self, MeshError> {
        let mesh = TriangleMesh::new(&revolved(profile, FACETS), sides)?;
        let mut points: Vec<DVec2> = profile.iter().map(|&point| point.into()).collect();
        points.dedup();
        Ok(Self { points, sides, mesh: mesh.into() })
    }

    /// The mesh that it looks like.
    pub fn mesh(&self) -> &TriangleMesh {
        &self.mesh
    }

    pub(crate) fn features(&self) -> Vec<MeshFeature<Space>> {
        let facing: &[f64] = match self.sides {
            Sides::Outside => &[1.0],
            Sides::Inside => &[-1.0],
            Sides::Both => &[1.0, -1.0],
        };
        let mut features: Vec<_> = facing.iter().flat_map(|&right| self.features_facing(right)).collect();
        if self.sides == Sides::Both {
            features.extend(self.ends());
        }
        features
    }

    /// The segments as seen from one side: from the right for one, from the left for minus one.
    fn segments(&self, right: f64) -> Vec<Segment> {
        let segment = |pair: &[DVec2]| {
            let (length, along) = ((pair[1] - pair[0]).length(), (pair[1] - pair[0]).normalize());
            let mut into = DVec2::new(-along.y, along.x) * right;
            for part in [&mut into.x, &mut into.y] {
                *part = if part.abs() < STRAIGHT { 0.0 } else { *part };
            }
            let into = into.normalize();
            Segment { from: pair[0], along, length, into, offset: into.dot(pair[0]) }
        };
        // What lies on the axis is no surface.
        self.points.windows(2).filter(|pair| pair[0].x > 0.0 || pair[1].x > 0.0).map(segment).collect()
    }

    fn is_loop(&self) -> bool {
        self.points.len() > 2 && self.points.first() == self.points.last()
    }

    /// What is at the start and at the end of a segment.
    fn joints(&self, segments: &[Segment], i: usize, right: f64) -> [Joint; 2] {
        let (own, count) = (segments[i], segments.len());
        let wraps = self.is_loop();
        let joint = |point: DVec2, other: Option<usize>, turn: &dyn Fn(&Segment) -> f64| match other {
            _ if point.x == 0.0 => Joint::Axis,
            Some(other) => Joint::Segment(segments[other], turn(&segments[other]) * right),
            None => Joint::End,
        };
        let before = if i > 0 { Some(i - 1) } else { wraps.then(|| count - 1) };
        let behind = if i + 1 < count { Some(i + 1) } else { wraps.then_some(0) };
        [
            joint(own.from, before, &|other| other.along.perp_dot(own.along)),
            joint(own.to(), behind, &|other| own.along.perp_dot(other.along)),
        ]
    }

    fn features_facing(&self, right: f64) -> Vec<MeshFeature<Space>> {
        let segments = self.segments(right);
        let mut features = Vec::new();
        for (i, segment) in segments.iter().enumerate() {
            let joints = self.joints(&segments, i, right);
            // Beyond an edge that sticks out there is nothing.
            let beyond = joints.map(|joint| match joint {
                Joint::Segment(other, turn) if turn < -STRAIGHT => Some(other.beyond()),
                _ => None,
            });
            features.extend(side(segment, beyond));
            if let Joint::Segment(next, turn) = joints[1]
                && turn > STRAIGHT
            {
                let arc = if right > 0.0 { [segment.into, next.into] } else { [next.into, segment.into] };
                features.extend(edge(segment.to(), Own::Arc(arc)));
            }
            for (joint, point) in joints.into_iter().zip([segment.from, segment.to()]) {
                // A cone that bulges has a tip.
                if matches!(joint, Joint::Axis) && segment.into.x < 0.0 {
                    features.extend(edge(point, Own::Tip { axial: segment.into.y }));
                }
            }
        }
        features
    }

    /// The rims of a sheet: half a turn of directions around each end.
    fn ends(&self) -> Vec<MeshFeature<Space>> {
        let segments = self.segments(1.0);
        let (Some(first), Some(last)) = (segments.first(), segments.last()) else { return Vec::new() };
        if self.is_loop() {
            return Vec::new();
        }
        let ends =
            [(first.from, [-first.into, first.into]), (last.to(), [last.into, -last.into])];
        let rims = ends.into_iter().filter(|(point, _)| point.x > 0.0);
        rims.filter_map(|(point, arc)| edge(point, Own::Arc(arc))).collect()
    }
}

/// A cylinder, a cone, a disc or an annulus.
fn side(segment: &Segment, beyond: [Option<Beyond>; 2]) -> Option<MeshFeature<Space>> {
    let Segment { from, along, length, into, offset } = *segment;
    let own = Own::Side { from, along, length, beyond };
    if into.x == 0.0 {
        let plane = HalfSpace::new(DVec3::Z * -into.y, -offset).ok()?;
        return Some(feature(plane.into(), FacetFilter::Annulus(AnnulusFilter { own }), [from, segment.to()]));
    }
    let band = Band::Side(TangentPlanes { radial: into.x, axial: into.y, offset });
    Some(feature(stand_in()?, FacetFilter::Band(BandFilter { band, own }), [from, segment.to()]))
}

/// A circle, or a tip.
fn edge(at: DVec2, own: Own) -> Option<MeshFeature<Space>> {
    let band = Band::Edge { radius: at.x, height: at.y };
    Some(feature(stand_in()?, FacetFilter::Band(BandFilter { band, own }), [at, at]))
}

/// A shape for the table of shapes: bands find their contacts themselves, and are as flat as a triangle to what asks for curvatures.
fn stand_in() -> Option<Solid> {
    let corners = [DVec3::ZERO, DVec3::X, DVec3::Y];
    Triangle::new(corners).ok().map(|(triangle, _)| triangle.into())
}

fn feature(shape: Solid, filter: FacetFilter, ends: [DVec2; 2]) -> MeshFeature<Space> {
    let [a, b] = ends;
    let (radius, low, high) = (a.x.max(b.x), a.y.min(b.y), a.y.max(b.y));
    MeshFeature {
        shape,
        place: Pose::default(),
        filter,
        reach: 0.0,
        low: DVec3::new(-radius, -radius, low),
        high: DVec3::new(radius, radius, high),
    }
}
