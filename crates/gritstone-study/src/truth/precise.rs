//! The same search with 31 digits.

use glam::{DQuat, DVec3};
use gritstone_core::{Pose, Space};
use gritstone_shape::Support;
use gritstone_shape::space::Solid;

use super::dd::Dd;
use super::scalar::Scalar;
use super::search::{Effort, search};
use super::vector::Vector;
use super::{TOLERANCE, bracket};

/// Width of the bracket, relative to the smaller grain's size.
const WIDTH: f64 = 1e-22;
/// Cones that are looked at before the search gives up.
const LIMIT: u32 = 20_000;

/// A signed distance with more digits than an f64 holds: `distance + remainder`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Precise {
    /// The nearest f64.
    pub distance: f64,
    /// What is left of it.
    pub remainder: f64,
    /// The true distance is at most this much larger.
    pub width: f64,
}

/// The signed distance of two bodies to 22 digits of their size: support functions, rotations (from the quaternions
/// as they are given, of any length) and the search, all in double-double arithmetic. None if a continuum of
/// directions is nearly as good as the best one, and for shapes without a support function in closed form.
pub fn precise(a: &Solid, pose_a: &Pose<Space>, b: &Solid, pose_b: &Pose<Space>) -> Option<Precise> {
    let (body_a, body_b) = (Body::new(a, pose_a.rotation)?, Body::new(b, pose_b.rotation)?);
    let offset = Vector::exactly(pose_b.position.to_array()) - Vector::exactly(pose_a.position.to_array());
    let back = Dd::new(-1.0);
    let difference = |c: Vector<Dd>| offset + body_b.support(c * back) - body_a.support(c);
    let width = WIDTH * a.size().min(b.size());
    let start = bracket(a, pose_a, b, pose_b, TOLERANCE).direction;
    let start = Vector::exactly(start.to_array()).unit();
    let found = search(difference, start, [], Effort { tolerance: Dd::new(width), limit: LIMIT });
    found.proven.then_some(Precise { distance: found.value.high, remainder: found.value.low, width })
}

/// A turned body about the origin.
struct Body<'s> {
    /// Axes in the world.
    axes: [Vector<Dd>; 3],
    form: Form<'s>,
}

enum Form<'s> {
    /// A superellipsoid with these radii and the exponents of its support function: p of the x–y section, q along z.
    Norms([Dd; 3], [Dd; 2]),
    /// The hull of these vertices.
    Vertices(&'s [DVec3]),
    /// A cylinder of this radius and half height.
    Cylinder(Dd, Dd),
    /// A capsule of this radius and half height.
    Capsule(Dd, Dd),
}

impl<'s> Body<'s> {
    fn new(solid: &'s Solid, rotation: DQuat) -> Option<Self> {
        let two = Dd::new(2.0);
        let norms = |radii: DVec3, exponents: [f64; 2]| {
            Form::Norms(radii.to_array().map(Dd::new), exponents.map(|e| two / (two - Dd::new(e))))
        };
        let form = match solid {
            Solid::Sphere(s) => norms(DVec3::splat(s.radius()), [1.0; 2]),
            Solid::Ellipsoid(s) => norms(s.radii(), [1.0; 2]),
            Solid::Superellipsoid(s) => norms(s.radii(), s.exponents()),
            Solid::Polyhedron(s) => Form::Vertices(s.polytope().vertices()),
            Solid::Triangle(s) => Form::Vertices(s.corners()),
            Solid::Cylinder(s) => Form::Cylinder(Dd::new(s.radius()), Dd::new(s.half_height())),
            Solid::Capsule(s) => Form::Capsule(Dd::new(s.radius()), Dd::new(s.half_height())),
            Solid::Superquadric(_) | Solid::Crowned(_) | Solid::HalfSpace(_) | Solid::Custom(_) => {
                return None;
            }
        };
        Some(Self { axes: axes(rotation), form })
    }

    /// Support point along c.
    fn support(&self, c: Vector<Dd>) -> Vector<Dd> {
        let n = self.axes.map(|axis| axis.dot(c));
        let x = match self.form {
            Form::Norms(radii, exponents) => superellipsoid_support(n, radii, exponents),
            Form::Vertices(vertices) => farthest(n, vertices),
            Form::Cylinder(radius, half_height) => {
                let lean = radius / Scalar::sqrt(n[0] * n[0] + n[1] * n[1]);
                [n[0] * lean, n[1] * lean, half_height * sign(n[2])]
            }
            Form::Capsule(radius, half_height) => {
                let [x, y, z] = Vector(n).unit().0.map(|x| x * radius);
                [x, y, z + half_height * sign(n[2])]
            }
        };
        let terms = (0..3).map(|i| self.axes[i] * x[i]);
        terms.fold(Vector::exactly([0.0; 3]), |sum, term| sum + term)
    }
}

/// `h = N_q(N_p(u1, u2), u3)`, `u_i = |r_i n_i|`: the gradient of h.
fn superellipsoid_support(n: [Dd; 3], radii: [Dd; 3], [p, q]: [Dd; 2]) -> [Dd; 3] {
    let u: [Dd; 3] = std::array::from_fn(|i| (radii[i] * n[i]).abs());
    let (sigma, s_1, s_2) = power_norm(u[0], u[1], p);
    let (_, h_s, h_3) = power_norm(sigma, u[2], q);
    let slopes = [h_s * s_1, h_s * s_2, h_3];
    std::array::from_fn(|i| radii[i] * slopes[i] * sign(n[i]))
}

/// The vertex farthest along n.
fn farthest(n: [Dd; 3], vertices: &[DVec3]) -> [Dd; 3] {
    let (n, origin) = (Vector(n), [Dd::default(); 3]);
    let mut best = (Dd::new(f64::NEG_INFINITY), origin);
    for vertex in vertices {
        let vertex = vertex.to_array().map(Dd::new);
        let height = n.dot(Vector(vertex));
        if height > best.0 {
            best = (height, vertex);
        }
    }
    best.1
}

fn sign(x: Dd) -> Dd {
    Dd::new(1.0_f64.copysign(x.high))
}

/// `N = (a^p + b^p)^(1/p)` and its slopes `(a/N)^(p−1)`, `(b/N)^(p−1)`.
fn power_norm(a: Dd, b: Dd, p: Dd) -> (Dd, Dd, Dd) {
    let one = Dd::new(1.0);
    let largest = if a > b { a } else { b };
    if largest.high == 0.0 {
        return (largest, one, Dd::default());
    }
    let [wa, wb] = [a, b].map(|x| x / largest);
    let n = (wa.pow(p) + wb.pow(p)).pow(one / p);
    (largest * n, (wa / n).pow(p - one), (wb / n).pow(p - one))
}

/// Columns of the rotation matrix of a quaternion of any length.
fn axes(rotation: DQuat) -> [Vector<Dd>; 3] {
    let [x, y, z, w] = rotation.to_array().map(Dd::new);
    let scale = Dd::new(2.0) / (x * x + y * y + z * z + w * w);
    let (one, s) = (Dd::new(1.0), |value: Dd| value * scale);
    [
        Vector([one - s(y * y + z * z), s(x * y + z * w), s(x * z - y * w)]),
        Vector([s(x * y - z * w), one - s(x * x + z * z), s(y * z + x * w)]),
        Vector([s(x * z + y * w), s(y * z - x * w), one - s(x * x + y * y)]),
    ]
}
