//! A convex body and a band of a surface of revolution: the side of a cylinder or cone, from inside or outside, a circular edge, or
//! the tip of a cone.
//!
//! **Idea.** A half-space touches the side along a straight line for every direction u(θ) around the axis. A body lies in it by the
//! depth `D(θ) = h(m(θ)) − d`. What is behind a hollow side is the union of these half-spaces, so the body touches wherever D has a
//! maximum: the deepest point is then straight behind the line. What is behind a side that bulges is their intersection, and the body
//! touches where D is least. Only one dimension is left to search.
//!
//! A convex function is largest at the extreme points of a body. So balls, capsules (two balls) and polyhedra (their vertices) have
//! closed forms at hollow sides, and of a cylinder only the two rims count.
//!
//! An edge is a circle. D(θ) is the depth of its point at θ below the surface of the body, which the general method finds; the body
//! touches at maxima of D, whatever is behind the edge.
//!
//! **Extrema.** A long body across a drum touches at both ends. Where it rolls on to one of them, that maximum and the minimum between
//! the two vanish together. All maxima and the minima between them are therefore given, with signs: an energy `Σ ± U(D)` has no jump
//! there, nor has its force. It counts at every depth in how many pieces the overlap falls apart. Where the body overlaps all around,
//! it has as many minima as maxima; the least minimum is then counted as a contact on the far side.
//!
//! **Bounds.** With `u = α u₁ + β u₂` between two directions, h is at most `α h₁ + β h₂ + (α + β − 1) h₀`, where h₀ is its value along
//! the axis: support functions are sublinear. Depths of the points of a circle of radius R change their slope by at most R per radian
//! upwards, since the signed distance from a convex body is convex. Directions are halved until no maximum can be hidden between.
//!
//! **Source.** Gritstone.
//!
//! **Notation.** `m = (m_r u, m_z)`: from the body into the surface; d: offset of the plane; `t = du/dθ`; slope: dD/dθ.
//!
//! **Fails when** a body is as round as the side all along it: all directions are then equally deep, and one of them is taken.
//!
//! **Cost.** Balls: none. Polyhedra: every vertex once. Other bodies: about 15 support points; edges: about 12 solutions for a point.

mod closed_forms;
mod curves;
mod search;

use glam::{DMat3, DVec2, DVec3};
use gritstone_core::linalg::{Sym2, Tangent};
use gritstone_core::{Contact, Pose, Space};
use gritstone_shape::Support;
use gritstone_shape::space::Solid;

use self::curves::{EdgeCurve, SideCurve};
use self::search::{deepest, shallowest};
use super::Scratch;

/// Determinant of the radii of curvature over the square of their sum below which one of them is none.
const FLAT: f64 = 1e-12;

/// The half-spaces that touch a cylinder or a cone about z along its lines: `m·x > offset` is behind the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TangentPlanes {
    /// Part of m away from the axis: positive for a side that is hollow towards the body, negative for one that bulges.
    pub radial: f64,
    /// Part of m along the axis.
    pub axial: f64,
    /// Distance from the origin along m.
    pub offset: f64,
}

/// A part of a surface of revolution about z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Band {
    /// A cylinder or a cone.
    Side(TangentPlanes),
    /// A circle, of radius zero for the tip of a cone.
    Edge {
        /// Its radius.
        radius: f64,
        /// Where it is along the axis.
        height: f64,
    },
}

/// An extremum of the depth of a body in a band.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Extremum {
    /// One for contacts; minus one for what two of them have in common.
    pub sign: f64,
    /// How deep the body is there.
    pub depth: f64,
    /// Unit vector from the body into the surface.
    pub direction: DVec3,
    /// The deepest point of the body; that of the surface is this one less depth times direction.
    pub point: DVec3,
}

impl Extremum {
    /// The point of the surface.
    pub fn foot(&self) -> DVec3 {
        self.point - self.direction * self.depth
    }
}

/// What was found of a body and a band beside the extrema.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// Upper bound of the depth; negative where the body is apart.
    pub depth: f64,
    /// Direction into the surface where the body is deepest, or nearest.
    pub direction: DVec3,
    /// Whether no extremum can be hidden.
    pub certified: bool,
}

/// A body in the frame of the surface.
#[derive(Clone, Copy, Debug)]
struct Body<'b> {
    shape: &'b Solid,
    pose: Pose<Space>,
    frame: DMat3,
    size: f64,
}

impl Body<'_> {
    fn support(&self, direction: DVec3) -> DVec3 {
        self.pose.position + self.frame * self.shape.support(self.frame.transpose() * direction)
    }
}

/// Directions around the axis in which a body can touch.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Window {
    /// From the first to the last, with the middle.
    Arc([DVec2; 3]),
    /// All, from one on.
    Around(DVec2),
}

impl Window {
    /// Of a ball: the points of a contact are straight behind it as seen from the axis.
    fn of(centre: DVec2, size: f64) -> Self {
        let distance = centre.length();
        if distance <= size * 1.01 {
            return Self::Around(towards(centre));
        }
        let (middle, sine) = (centre / distance, size / distance);
        let turn = DVec2::new((1.0 - sine * sine).sqrt(), sine);
        Self::Arc([DVec2::new(turn.x, -turn.y).rotate(middle), middle, turn.rotate(middle)])
    }
}

/// The direction of a point as seen from the axis; any for one on it.
fn towards(x: DVec2) -> DVec2 {
    x.try_normalize().unwrap_or(DVec2::X)
}

impl TangentPlanes {
    /// Whether the side is hollow towards bodies.
    pub fn is_hollow(&self) -> bool {
        self.radial > 0.0
    }

    fn direction(&self, u: DVec2) -> DVec3 {
        (u * self.radial).extend(self.axial)
    }

    /// How deep a ball is.
    fn depth_of_ball(&self, centre: DVec3, radius: f64) -> f64 {
        self.radial * centre.truncate().length() + self.axial * centre.z + radius - self.offset
    }
}

impl Band {
    /// Finds how deep a body is; `pose` is in the frame of the surface. Adds all extrema of positive depth to `found`.
    pub fn find(
        &self,
        shape: &Solid,
        pose: &Pose<Space>,
        scratch: &mut Scratch,
        found: &mut Vec<Extremum>,
    ) -> Reach {
        let body = Body { shape, pose: *pose, frame: pose.frame(), size: shape.size() };
        let centre = pose.position;
        match *self {
            Self::Side(planes) => {
                let most = planes.depth_of_ball(centre, body.size);
                if most <= 0.0 {
                    return Reach {
                        depth: most,
                        direction: planes.direction(towards(centre.truncate())),
                        certified: true,
                    };
                }
                planes.find(&body, found)
            }
            Self::Edge { radius, height } => {
                let (ball, direction) = closed_forms::ball_at_edge(centre, body.size, [radius, height]);
                if ball <= 0.0 {
                    return Reach { depth: ball, direction, certified: true };
                }
                if let Solid::Sphere(_) = shape {
                    return closed_forms::sphere_at_edge(centre, body.size, [radius, height], found);
                }
                let mut curve = EdgeCurve { body: &body, radius, height, scratch };
                if radius <= 0.0 {
                    return curve.tip(found);
                }
                deepest(&mut curve, Window::of(centre.truncate(), body.size), body.size, found)
            }
        }
    }
}

impl Band {
    /// An extremum as a contact, whose curvature is that of the body less that of a hollow side; an edge is as hard as a plane.
    pub fn contact(&self, extremum: &Extremum, shape: &Solid, pose: &Pose<Space>) -> Contact<Space> {
        let Extremum { depth, direction, point, .. } = *extremum;
        let (frame, tangent) = (pose.frame(), Tangent::across(direction));
        let radii = tangent.restrict(&shape.jet(frame.transpose() * direction).hessian, &frame);
        let foot = extremum.foot();
        let hollow = match self {
            Self::Side(planes) => planes.radial / foot.truncate().length(),
            Self::Edge { .. } => 0.0,
        };
        let around = towards(foot.truncate()).perp().extend(0.0);
        let (determinant, bend) = (radii.determinant(), Sym2::outer(tangent.project(around), -hollow));
        let curvature = if determinant > FLAT * radii.trace() * radii.trace() {
            // The inverse of a symmetric matrix is its cofactors over its determinant.
            let own = Sym2 { xx: radii.yy, yy: radii.xx, xy: -radii.xy } * determinant.recip();
            (own + bend).eigen().0
        } else {
            let [low, high] = radii.eigen().0;
            [high.max(0.0).recip(), low.max(0.0).recip()]
        };
        Contact { point_a: point, point_b: foot, normal: direction, gap: -depth, curvature }
    }
}

impl TangentPlanes {
    fn find(&self, body: &Body<'_>, found: &mut Vec<Extremum>) -> Reach {
        let centre = body.pose.position;
        let window = Window::of(centre.truncate(), body.size);
        let whole = |direction: DVec3| body.support(direction);
        match body.shape {
            Solid::Sphere(sphere) => self.ball(centre, sphere.radius(), found),
            _ if !self.is_hollow() => {
                shallowest(&mut SideCurve::new(self, whole, centre.z, body.size), window, body.size, found)
            }
            Solid::Capsule(capsule) => {
                let ends = [-1.0, 1.0].map(|sign| centre + body.frame.z_axis * (sign * capsule.half_height()));
                deeper(ends.map(|end| self.ball(end, capsule.radius(), found)))
            }
            Solid::Polyhedron(shape) => self.vertices(body, shape.polytope().vertices(), found),
            Solid::Cylinder(shape) => {
                let rims = [-1.0, 1.0].map(|sign| {
                    let middle = centre + body.frame.z_axis * (sign * shape.half_height());
                    let rim = |direction: DVec3| {
                        let across = (body.frame.transpose() * direction).truncate().normalize_or_zero();
                        middle + body.frame * (across * shape.radius()).extend(0.0)
                    };
                    deepest(&mut SideCurve::new(self, rim, centre.z, body.size), window, body.size, found)
                });
                deeper(rims)
            }
            _ => deepest(&mut SideCurve::new(self, whole, centre.z, body.size), window, body.size, found),
        }
    }
}

/// Of two parts of a body.
fn deeper([a, b]: [Reach; 2]) -> Reach {
    let certified = a.certified && b.certified;
    Reach { certified, ..if b.depth > a.depth { b } else { a } }
}

#[cfg(test)]
mod tests;
