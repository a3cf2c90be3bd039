//! The region that two bodies with flat faces have in common, and its integrals.
//!
//! **Idea.** The overlap Ω of two convex bodies that are bounded by planes is a convex polytope. A box around it is cut by every
//! plane that reaches the box ([`region`]); where only four planes are left (a corner in a face, two crossing edges) Ω is a
//! tetrahedron with known corners. Volume, centroid and covariance follow from its surface triangles, and so do the integrals over
//! that part of the surface that belongs to one body, which turn a pressure into a force and a torque ([`integrals`]).
//! Several overlaps, those of parts that are one body, add up to one before the covariance is taken.
//!
//! **Source.** Gritstone. Cutting after Sutherland and Hodgman 1974, with one sign per vertex, so that the surface stays closed.
//!
//! **Notation.** V: volume, c: centroid, C: covariance of Ω; `q = 1/tr C⁻¹`; `y = C⁻¹(x − c)`; axes: two across the contact's
//! normal, and the normal. The origin is the contact's midpoint.
//!
//! **Fails when** the overlap is so thin that its volume rounds to nothing: it is then empty.
//!
//! **Cost.** One to two microseconds; not measured by itself yet.

mod integrals;
mod outline;
mod region;

use glam::{DMat3, DVec3};
use gritstone_core::linalg::Tangent;
use gritstone_core::{Contact, Space};
use gritstone_shape::space::{Polytope, Solid};

use super::method::Placed;
use integrals::Triangle;
pub use integrals::{OverlapIntegrals, Wrench};
pub use outline::Outline;
use region::{Bounds, Owner, Plane, Region};

/// Half the height of the box beyond a half-space's plane, over half the depth of the contact.
const BEYOND: f64 = 2.0;
/// By how much a box is made larger, relative to its extents: what is on its faces is then cut away.
const MARGIN: f64 = 0.01;

/// Workspace for overlaps. Keep it and fill it again: then nothing is allocated.
#[derive(Clone, Debug, Default)]
pub struct Overlap {
    planes: Vec<Plane>,
    points: Vec<DVec3>,
    region: Region,
    triangles: Vec<Triangle>,
    /// Whether the region is that of the bodies that were added last.
    whole: bool,
}

/// How overlaps are looked at: from the contact's midpoint, the normal along z.
#[derive(Clone, Copy, Debug)]
pub struct View {
    origin: DVec3,
    /// Columns are the axes.
    axes: DMat3,
    /// Half the depth of the contact.
    reach: f64,
}

impl View {
    /// Of a contact.
    pub fn new(contact: &Contact<Space>) -> Self {
        let (n, tangent) = (contact.normal, Tangent::across(contact.normal));
        let u = tangent.lift(glam::DVec2::X);
        let axes = DMat3::from_cols(u, n.cross(u), n);
        Self { origin: contact.midpoint(), axes, reach: 0.5 * contact.gap.abs() }
    }
}

/// A body as it is looked at.
struct Frame {
    turn: DMat3,
    shift: DVec3,
}

impl Frame {
    #[inline]
    fn new(body: Placed<'_>, view: &View) -> Self {
        let across = view.axes.transpose();
        let turn = across * DMat3::from_quat(body.pose.rotation);
        Self { turn, shift: across * (body.pose.position - view.origin) }
    }

    #[inline]
    fn place(&self, normal: DVec3, offset: f64, owner: Owner, face: u32) -> Plane {
        let normal = self.turn * normal;
        Plane { normal, offset: offset + normal.dot(self.shift), owner, face }
    }
}

/// Whether an overlap of this shape can be found: it is bounded by planes.
pub fn is_flat(shape: &Solid) -> bool {
    matches!(shape, Solid::Polyhedron(_) | Solid::HalfSpace(_))
}

impl Overlap {
    /// The overlap of two bodies at their contact; none where it is empty, or where one of them is not bounded by planes.
    pub fn measure(
        &mut self,
        a: Placed<'_>,
        b: Placed<'_>,
        contact: &Contact<Space>,
    ) -> Option<OverlapIntegrals> {
        let view = View::new(contact);
        self.clear();
        self.cut(a, b, &view);
        self.integrals(&view)
    }

    /// Starts a new sum of overlaps.
    pub fn clear(&mut self) {
        self.triangles.clear();
    }

    /// Adds the overlap of two bodies; returns its volume.
    pub fn add(&mut self, a: Placed<'_>, b: Placed<'_>, view: &View) -> f64 {
        let before = self.triangles.len();
        self.cut(a, b, view);
        integrals::volume(&self.triangles[before..])
    }

    /// Finds the overlap of two bodies, and adds its surface.
    fn cut(&mut self, a: Placed<'_>, b: Placed<'_>, view: &View) {
        self.planes.clear();
        self.whole = false;
        let Some(bounds) = self.bounds([a, b], view) else { return };
        if !self.planes.iter().all(|plane| bounds.lowest(plane) < 0.0) {
            return;
        }
        self.planes.retain(|plane| bounds.highest(plane) > 0.0);
        let Self { planes, region, triangles, .. } = self;
        if !region.set_tetrahedron(planes, &bounds) {
            region.set_box(&bounds);
            for (number, plane) in (0..).zip(&*planes) {
                region.cut(number, plane);
            }
        }
        if region.faces().any(|(plane, _)| plane as usize >= planes.len()) {
            return; // The bodies leave it open: their contact is not where they overlap.
        }
        for (plane, corners) in region.faces() {
            let owner = planes[plane as usize].owner;
            let at = |i: usize| region.point(corners[i]);
            for i in 2..corners.len() {
                triangles.push(Triangle { corners: [at(0), at(i - 1), at(i)], owner });
            }
        }
        self.whole = true;
    }

    /// The outline of the overlap that was added last, if that can be followed.
    pub fn outline(&self) -> Option<Outline> {
        if self.whole { Outline::of(&self.region, &self.planes) } else { None }
    }

    /// The overlap of two bodies that had this outline, where they are now.
    #[inline]
    pub fn follow(
        &mut self,
        outline: &Outline,
        a: Placed<'_>,
        b: Placed<'_>,
        view: &View,
    ) -> Option<OverlapIntegrals> {
        self.clear();
        let frames = [Frame::new(a, view), Frame::new(b, view)];
        let place = |owner: Owner, face: usize| {
            let (body, frame) = if owner == Owner::A { (a, &frames[0]) } else { (b, &frames[1]) };
            let (normal, offset) = match body.shape {
                Solid::HalfSpace(half) => (half.normal(), half.offset()),
                Solid::Polyhedron(shape) => {
                    let faces = shape.polytope().faces();
                    faces.get(face).map_or((DVec3::ZERO, 0.0), |face| (face.normal, face.offset))
                }
                _ => (DVec3::ZERO, 0.0),
            };
            frame.place(normal, offset, owner, face as u32)
        };
        outline.triangles(place, &mut self.triangles);
        self.integrals(view)
    }

    /// What all overlaps since the last [`Self::clear`] add up to.
    pub fn integrals(&self, view: &View) -> Option<OverlapIntegrals> {
        integrals::over(&self.triangles, view)
    }

    /// Lists the planes of both bodies, and finds a box that holds their overlap; none if there is no such box.
    fn bounds(&mut self, bodies: [Placed<'_>; 2], view: &View) -> Option<Bounds> {
        let mut all = Bounds::everything();
        for (body, owner, side) in [(bodies[0], Owner::A, 1.0), (bodies[1], Owner::B, -1.0)] {
            let frame = Frame::new(body, view);
            match body.shape {
                Solid::HalfSpace(half) => {
                    self.planes.push(frame.place(half.normal(), half.offset(), owner, 0));
                    all = all.and_level(side, BEYOND * view.reach);
                }
                Solid::Polyhedron(shape) => {
                    let polytope = shape.polytope();
                    let faces = (0..).zip(polytope.faces());
                    self.planes
                        .extend(faces.map(|(i, face)| frame.place(face.normal, face.offset, owner, i)));
                    self.points.clear();
                    self.points.extend(polytope.vertices().iter().map(|x| frame.turn * *x + frame.shift));
                    all = all.and(&self.reaching(polytope, side, view.reach));
                }
                _ => return None,
            }
        }
        all.is_finite().then(|| all.widened(MARGIN)).filter(Bounds::has_volume)
    }

    /// A box around the part of a polytope that can reach the other body.
    fn reaching(&self, polytope: &Polytope, side: f64, reach: f64) -> Bounds {
        let floor = -BEYOND * reach;
        let height = |x: DVec3| side * x.z - floor;
        let mut bounds = Bounds::nothing();
        for &x in self.points.iter().filter(|x| height(**x) >= 0.0) {
            bounds.add(x);
        }
        for edge in polytope.edges() {
            let [p, q] = edge.vertices.map(|vertex| self.points[vertex as usize]);
            let (over, under) = (height(p), height(q));
            if (over >= 0.0) != (under >= 0.0) {
                bounds.add(p + (q - p) * (over / (over - under)));
            }
        }
        bounds
    }
}
