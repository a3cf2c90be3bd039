//! Effective radius of a contact, and what it does where the bodies move.
//!
//! **Idea.** Hertz's energy `8/15·Y*·√R*·δ^(5/2)` is one only if the change of R* with the poses is in the force, too. Smooth bodies
//! on each other, on planes, and on bodies with flat faces have R* from their body functions ([`radius`]) with its whole gradient;
//! faces, edges and corners count as flat there, so that R* does not jump where a grain comes to an edge. All others have a constant
//! one, since their normals jump: that of balls of the same volumes, where bodies with flat faces and walls count as planes.
//!
//! **Edges and corners.** On a face the normal does not turn, on an edge it turns across it alone, and a corner lets it turn as a point
//! does, which has H = 0.
//!
//! **Notation.** As in [`radius`].

use glam::{DMat3, DQuat, DVec2, DVec3};
use gritstone_contact::{NarrowPhase, Placed};
use gritstone_core::linalg::{Sym2, Sym3, Tangent};
use gritstone_core::{Contact, Linear, Plane, Space};
use gritstone_force::Wrench;
use gritstone_force::radius::{self, BodyCurvature, EffectiveRadius};
use gritstone_shape::plane::Figure;
use gritstone_shape::space::Solid;
use gritstone_shape::{AnyShape as _, Support};

use super::BodyPair;
use crate::bodies::Bodies;
use crate::dimension::Dimension;

/// How a body is curved, as far as laws know.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Roundness {
    /// Whether it has flat faces alone.
    pub(crate) faceted: bool,
    /// Of the body function; zero where there is none.
    factor: f64,
    /// Whether it is a plane.
    pub(crate) plane: bool,
    /// Whether contacts with it may have patches.
    pub(crate) may_be_flat: bool,
    /// Whether it is a smooth body that is nearly flat somewhere, and rocks there.
    pub(crate) rocks: bool,
}

/// Exponent of a superellipse from which its contacts may have patches; up to it points hold it at rest.
const FLAT: f64 = 2.0 / 0.7;

impl Roundness {
    pub(crate) fn new<D: Dimension>(shape: &D::Shape, volume: f64) -> Self {
        let (plane, faceted) = (shape.plane_normal().is_some(), D::is_faceted(shape));
        let is_smooth = !(plane || faceted || shape.creased() || volume <= 0.0);
        let factor = if is_smooth { radius::body_factor::<D>(volume) } else { 0.0 };
        Self { faceted, factor, plane, may_be_flat: D::may_be_flat(shape), rocks: D::rocks(shape) }
    }

    /// With the radius of the ball of the same volume whatever the direction, and without patches: a crown says what is flat.
    pub(crate) fn constant(self) -> Self {
        Self { factor: 0.0, may_be_flat: false, rocks: false, ..self }
    }

    /// Whether its radius is that of the body function.
    fn is_smooth(self) -> bool {
        self.factor > 0.0
    }

    /// Whether nothing of it is curved.
    fn is_flat(self) -> bool {
        self.plane || self.faceted
    }
}

/// Where on a body with flat faces its outward normal is a given one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Facet<V> {
    /// On a face: the normal cannot turn.
    Face,
    /// On an edge along this vector.
    Edge(V),
    Corner,
}

/// What a body touches, as far as the turning of the contact's normal is concerned.
#[derive(Clone, Copy, Debug)]
pub enum Partner<D: NarrowPhase> {
    /// A smooth one, with its rotation and the Hessian of its support function.
    Smooth(D::Rotation, D::Sym),
    /// One with flat faces; vectors in the world.
    Flat(Facet<D::Vec>),
}

/// Angle between an edge or a face and the plane across the normal up to which the contact is all along it.
const LEVEL: f64 = 1e-4;

/// Whether what lies there as seen from a support point is one, too.
fn is_level<V: Linear>(n: V, ray: V) -> bool {
    let height = n.dot(ray);
    height * height <= LEVEL * LEVEL * ray.dot(ray)
}

/// What a dimension knows of surfaces across a normal.
pub trait Curved: NarrowPhase {
    /// Whether a shape has flat faces, edges and corners alone.
    fn is_faceted(shape: &Self::Shape) -> bool;

    /// Whether contacts of a shape may have patches: in space what is smooth everywhere is a point, for a mixture of both has no
    /// energy.
    fn may_be_flat(shape: &Self::Shape) -> bool;

    /// Whether a smooth shape is nearly flat somewhere, so that it rocks there rather than rolls.
    fn rocks(shape: &Self::Shape) -> bool;

    /// Where on a shape with flat faces alone its outward normal is this one.
    fn facet(shape: &Self::Shape, outward: Self::Vec) -> Facet<Self::Vec>;

    /// How the normal of a contact turns where its second body moves: y from `(H_a + H_b − δ) y = t`, and `H_a y`, with the first
    /// body's rotation and Hessian. None where the contact is no maximum.
    fn turning(
        first: (Self::Rotation, &Self::Sym),
        second: &Partner<Self>,
        normal: Self::Vec,
        depth: f64,
        t: Self::Vec,
    ) -> Option<[Self::Vec; 2]>;
}

impl Curved for Plane {
    fn is_faceted(shape: &Figure) -> bool {
        matches!(shape, Figure::Polygon(_) | Figure::Segment(_))
    }

    fn may_be_flat(shape: &Figure) -> bool {
        match shape {
            Figure::Polygon(_) | Figure::Segment(_) | Figure::HalfPlane(_) | Figure::Custom(_) => true,
            // There is no crown in the plane: without a patch what is flat would not come to rest.
            Figure::Superellipse(shape) => shape.blockiness() > FLAT,
            Figure::Circle(_) | Figure::Ellipse(_) => false,
        }
    }

    fn rocks(_: &Figure) -> bool {
        false
    }

    fn facet(shape: &Figure, n: DVec2) -> Facet<DVec2> {
        let is_side = match shape {
            Figure::Polygon(polygon) => {
                let (vertices, at) = (polygon.vertices(), polygon.farthest(n));
                let count = vertices.len();
                [at + 1, at + count - 1].iter().any(|i| is_level(n, vertices[i % count] - vertices[at]))
            }
            Figure::Segment(segment) => is_level(n, segment.ends()[1] - segment.ends()[0]),
            _ => true,
        };
        if is_side { Facet::Face } else { Facet::Corner }
    }

    fn turning(
        (_, a): (f64, &Sym2),
        second: &Partner<Self>,
        _: DVec2,
        depth: f64,
        t: DVec2,
    ) -> Option<[DVec2; 2]> {
        let b = match second {
            Partner::Smooth(_, b) => b.trace(),
            Partner::Flat(Facet::Corner) => 0.0,
            Partner::Flat(_) => return None,
        };
        let sum = a.trace() + b - depth;
        let y = t * (1.0 / sum);
        (sum > 0.0).then(|| [y, y * a.trace()])
    }
}

impl Curved for Space {
    fn is_faceted(shape: &Solid) -> bool {
        shape.polytope().is_some() || matches!(shape, Solid::Triangle(_))
    }

    fn may_be_flat(shape: &Solid) -> bool {
        match shape {
            Solid::Polyhedron(_) | Solid::Cylinder(_) | Solid::HalfSpace(_) | Solid::Triangle(_) => true,
            Solid::Custom(shape) => shape.creased(),
            Solid::Sphere(_)
            | Solid::Ellipsoid(_)
            | Solid::Superellipsoid(_)
            | Solid::Superquadric(_)
            | Solid::Capsule(_)
            | Solid::Crowned(_) => false,
        }
    }

    fn rocks(shape: &Solid) -> bool {
        matches!(shape, Solid::Superellipsoid(_) | Solid::Superquadric(_))
    }

    fn facet(shape: &Solid, n: DVec3) -> Facet<DVec3> {
        if let Solid::Triangle(triangle) = shape {
            let top = triangle.support(n);
            let rays = triangle.corners().map(|corner| corner - top);
            return facet(n, rays.iter().filter(|ray| **ray != DVec3::ZERO));
        }
        shape.polytope().map_or(Facet::Face, |body| facet(n, body.rays(body.support(n)).iter()))
    }

    fn turning(
        (rotation, hessian): (DQuat, &Sym3),
        second: &Partner<Self>,
        normal: DVec3,
        depth: f64,
        t: DVec3,
    ) -> Option<[DVec3; 2]> {
        let plane = Tangent::across(normal);
        let restrict = |rotation, hessian| plane.restrict(hessian, &DMat3::from_quat(rotation));
        let a = restrict(rotation, hessian);
        let (t, y) = (plane.project(t), |sum: Sym2, t| {
            (sum.determinant() > 0.0 && sum.trace() > 0.0).then(|| sum.solve(t))
        });
        let y = match second {
            Partner::Smooth(rotation, b) => y(a + restrict(*rotation, b) + Sym2::scalar(-depth), t)?,
            Partner::Flat(Facet::Corner) => y(a + Sym2::scalar(-depth), t)?,
            Partner::Flat(Facet::Edge(along)) => {
                let across = plane.project(normal.cross(*along).normalize_or_zero());
                let sum = across.dot(a * across) - depth;
                across * (sum > 0.0).then(|| across.dot(t) / sum)?
            }
            Partner::Flat(Facet::Face) => return None,
        };
        Some([plane.lift(y), plane.lift(a * y)])
    }
}

/// Where the outward normal is `n`, by what lies beside a support point.
fn facet<'r>(n: DVec3, rays: impl Iterator<Item = &'r DVec3>) -> Facet<DVec3> {
    let mut along = None;
    for ray in rays.filter(|ray| is_level(n, **ray)) {
        match along {
            None => along = Some(*ray),
            Some(edge) if edge.cross(*ray).length() > LEVEL * edge.length() * ray.length() => {
                return Facet::Face;
            }
            Some(_) => {}
        }
    }
    along.map_or(Facet::Corner, Facet::Edge)
}

/// R* of a contact, and its gradient: see [`EffectiveRadius::gradient`].
pub(crate) fn effective<D: Dimension>(
    bodies: &Bodies<D>,
    BodyPair { a, b }: BodyPair,
    contact: &Contact<D>,
) -> (f64, Wrench<D>) {
    let round = |slot: u32| bodies.shapes[bodies.records[slot as usize].shape as usize].roundness;
    match [round(a), round(b)] {
        [a_is, b_is] if a_is.is_smooth() && (b_is.is_smooth() || b_is.is_flat()) => {
            of_smooth(bodies, [(a, a_is), (b, b_is)], contact.normal, -contact.gap)
        }
        [a_is, b_is] if b_is.is_smooth() && a_is.is_flat() => {
            let (radius, Wrench { force, torque }) =
                of_smooth(bodies, [(b, b_is), (a, a_is)], -contact.normal, -contact.gap);
            (radius, Wrench { force: -force, torque: -torque })
        }
        rounds => (constant(bodies, [(a, rounds[0]), (b, rounds[1])]), Wrench::default()),
    }
}

/// R* of bodies of which one changes its normals in jumps.
fn constant<D: Dimension>(bodies: &Bodies<D>, pair: [(u32, Roundness); 2]) -> f64 {
    let [ball_a, ball_b] = pair.map(|(slot, _)| bodies.records[slot as usize].radius);
    match pair.map(|(_, round)| round.faceted) {
        [true, false] if ball_b.is_finite() => ball_b,
        [false, true] if ball_a.is_finite() => ball_a,
        _ => radius::from_radii(ball_a, ball_b),
    }
}

/// R* of a smooth body and another one in this direction from it, and its gradient for the other one.
fn of_smooth<D: Dimension>(
    bodies: &Bodies<D>,
    [(first, round), (second, other)]: [(u32, Roundness); 2],
    normal: D::Vec,
    depth: f64,
) -> (f64, Wrench<D>) {
    let surface = BodySurface::new(bodies.placed(first), normal, round);
    let rotation = bodies.records[second as usize].rotation;
    let (partner, curvature) = if other.is_smooth() {
        let surface = BodySurface::new(bodies.placed(second), -normal, other);
        (Partner::Smooth(rotation, surface.hessian), surface.curvature)
    } else {
        let shape = bodies.placed(second).shape;
        let facet = match D::facet(shape, D::unrotate(rotation, -normal)) {
            Facet::Edge(along) => Facet::Edge(D::rotate(rotation, along)),
            facet => facet,
        };
        (Partner::Flat(facet), BodyCurvature::flat())
    };
    let effective = EffectiveRadius::of(surface.curvature, curvature);
    let first = (bodies.records[first as usize].rotation, &surface.hessian);
    let turning = D::turning(first, &partner, normal, depth, effective.turn());
    let [y, h_y] = turning.unwrap_or_default();
    (effective.radius, effective.gradient(normal, depth, y, h_y))
}

/// A body where its outward normal is given.
struct BodySurface<D: Dimension> {
    curvature: BodyCurvature<D>,
    hessian: D::Sym,
}

impl<D: Dimension> BodySurface<D> {
    fn new(body: Placed<'_, D>, outward: D::Vec, round: Roundness) -> Self {
        let jet = body.shape.jet(D::unrotate(body.pose.rotation, outward));
        let point = D::rotate(body.pose.rotation, jet.point);
        Self { curvature: BodyCurvature::new(round.factor, outward, point), hessian: jet.hessian }
    }
}

#[cfg(test)]
mod tests;
