//! Which contacts are a band's own, and how far grains are from it.

use glam::{DVec2, DVec3};
use gritstone_contact::space::Scratch;
use gritstone_contact::space::revolved::{Band, Extremum};
use gritstone_contact::{Doubt, Placed, Verdict};
use gritstone_core::{Contact, Pose, Space};
use gritstone_shape::Support as _;
use gritstone_shape::space::Solid;

use crate::boundary::surface::PointKind;
use crate::boundary::surface::clearance::Clearance;

/// How exact feet of contacts are, relative to the size of the grain.
const AT: f64 = 1e-9;

/// What is behind a segment of a profile: `into · x > offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Beyond {
    pub(super) into: DVec2,
    pub(super) offset: f64,
}

/// Which contacts are a band's own, in the half-plane of radius and height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Own {
    /// Those whose foot is on the segment, or beyond an end at which it is hollow, in the body there.
    Side {
        /// Its start.
        from: DVec2,
        /// Unit vector along it.
        along: DVec2,
        /// Its length.
        length: f64,
        /// The segments that it meets at hollow ends.
        beyond: [Option<Beyond>; 2],
    },
    /// Those whose direction lies between two, counter-clockwise.
    Arc([DVec2; 2]),
    /// At the tip of a cone: those whose direction is nearer to the axis than that into the cone, of which this is the axial part.
    Tip {
        /// That part.
        axial: f64,
    },
}

/// A side or an edge of a smooth surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BandFilter {
    pub(super) band: Band,
    pub(super) own: Own,
}

/// A disc or an annulus across the axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnnulusFilter {
    pub(super) own: Own,
}

impl Own {
    /// Whether a contact with this foot and this direction into the surface belongs to the band. The grain's size says how far beyond a
    /// hollow end it may be.
    fn holds(&self, foot: DVec2, into: DVec2, size: f64) -> bool {
        match *self {
            Self::Side { from, along, length, beyond } => {
                let at = (foot - from).dot(along);
                let [before, behind] = beyond.map(|beyond| {
                    // In the body there, and not deeper than a grain.
                    beyond.is_some_and(|wall| wall.into.dot(foot) - wall.offset >= -AT * size)
                });
                (at >= 0.0 || before && at >= -size) && (at <= length || behind && at <= length + size)
            }
            Self::Arc([first, last]) => first.perp_dot(into) > 0.0 && into.perp_dot(last) > 0.0,
            Self::Tip { axial } => into.y * axial.signum() > axial.abs(),
        }
    }

    /// Distance of a point from where feet of contacts can be.
    fn distance(&self, x: DVec2, size: f64, edge: DVec2) -> f64 {
        let Self::Side { from, along, length, beyond } = *self else { return (x - edge).length() };
        let [before, behind] = beyond.map(|beyond| if beyond.is_some() { size } else { 0.0 });
        let at = (x - from).dot(along).clamp(-before, length + behind);
        (x - from - along * at).length()
    }
}

/// Radius and height.
fn meridian(x: DVec3) -> DVec2 {
    DVec2::new(x.truncate().length(), x.z)
}

/// The pose of a grain in the frame of the surface.
fn seen_from(surface: &Pose<Space>, grain: &Pose<Space>) -> Pose<Space> {
    Pose {
        position: surface.to_body(grain.position),
        rotation: surface.rotation.conjugate() * grain.rotation,
    }
}

impl BandFilter {
    fn edge(&self) -> DVec2 {
        match self.band {
            Band::Edge { radius, height } => DVec2::new(radius, height),
            Band::Side(_) => DVec2::ZERO,
        }
    }

    /// Whether an extremum is its own.
    fn holds(&self, point: DVec3, into: DVec3, size: f64) -> bool {
        // Of a tip, directions lean away from the axis on any side.
        let u = match self.band {
            Band::Side(planes) => into.truncate().normalize_or_zero() * planes.radial.signum(),
            Band::Edge { .. } => point.truncate().normalize_or_zero(),
        };
        let direction = DVec2::new(into.truncate().dot(u), into.z);
        self.own.holds(DVec2::new(point.truncate().dot(u), point.z), direction, size)
    }

    /// Whether a contact is its own.
    pub(crate) fn owns(&self, contact: &Contact<Space>, pose: &Pose<Space>, size: f64) -> bool {
        self.holds(pose.to_body(contact.point_b), pose.rotation.conjugate() * contact.normal, size)
    }

    /// The deepest contact of a grain with the band that is its own, or the deepest of all where none is. `scratch.extrema` has
    /// all that are its own.
    pub(crate) fn meet(
        &self,
        grain: Placed<'_, Space>,
        pose: &Pose<Space>,
        scratch: &mut Scratch,
    ) -> Verdict<Space> {
        let seen = seen_from(pose, &grain.pose);
        let mut extrema = std::mem::take(&mut scratch.extrema);
        extrema.clear();
        let reach = self.band.find(grain.shape, &seen, scratch, &mut extrema);
        let deeper = |a: &Extremum, b: &Extremum| a.depth.total_cmp(&b.depth);
        let all = extrema.iter().copied().max_by(deeper);
        let size = grain.shape.size();
        extrema.retain(|extremum| self.holds(extremum.foot(), extremum.direction, size));
        let own = extrema.iter().copied().max_by(deeper);
        scratch.extrema = extrema;
        let Some(deepest) = own.or(all) else {
            let along = pose.rotation * reach.direction;
            return Verdict::Apart { at_least: (-reach.depth).max(0.0), along };
        };
        let contact = self.band.contact(&deepest, grain.shape, &seen);
        let contact = Contact {
            point_a: pose.to_world(contact.point_a),
            point_b: pose.to_world(contact.point_b),
            normal: pose.rotation * contact.normal,
            ..contact
        };
        if reach.certified {
            Verdict::Solved(contact)
        } else {
            Verdict::Unresolved { best: contact, doubt: Doubt::BoundsApart }
        }
    }

    /// What a grain has at an extremum that [`Self::meet`] found. A hollow side touches polyhedra at vertices and cylinders at rims.
    pub(crate) fn kind(
        &self,
        extremum: &Extremum,
        grain: Placed<'_, Space>,
        pose: &Pose<Space>,
    ) -> PointKind<Space> {
        let is_hollow = matches!(self.band, Band::Side(planes) if planes.is_hollow());
        match grain.shape {
            Solid::Polyhedron(shape) if is_hollow => {
                let [corners, area] = shape.polytope().mean_face();
                PointKind::Corner { area, share: 1.0 / corners }
            }
            // A cap that lies on a hollow side touches it at two points of its rim.
            Solid::Cylinder(_) if is_hollow => {
                PointKind::Corner { area: grain.shape.largest_face(), share: 0.5 }
            }
            shape => {
                let seen = seen_from(pose, &grain.pose);
                PointKind::Curved(self.band.contact(extremum, shape, &seen).curvature)
            }
        }
    }

    /// A lower bound of the displacement after which the band can own a contact with a grain: that of the ball around it to where the
    /// feet of contacts are.
    pub(crate) fn clearance(&self, grain: Placed<'_, Space>, pose: &Pose<Space>) -> Clearance<Space> {
        let (centre, size) = (pose.to_body(grain.pose.position), grain.shape.size());
        let budget = self.own.distance(meridian(centre), size, self.edge()) - size;
        let direction = pose.rotation * centre.truncate().extend(0.0).normalize_or(DVec3::X);
        Clearance { budget, direction }
    }
}

impl AnnulusFilter {
    /// Whether a contact is its own.
    pub(crate) fn owns(&self, contact: &Contact<Space>, pose: &Pose<Space>, size: f64) -> bool {
        self.own.holds(meridian(pose.to_body(contact.point_b)), DVec2::ZERO, size)
    }

    /// As that of a band.
    pub(crate) fn clearance(&self, grain: Placed<'_, Space>, pose: &Pose<Space>) -> Clearance<Space> {
        let (centre, size) = (pose.to_body(grain.pose.position), grain.shape.size());
        let budget = self.own.distance(meridian(centre), size, DVec2::ZERO) - size;
        Clearance { budget, direction: pose.rotation * DVec3::Z }
    }
}
