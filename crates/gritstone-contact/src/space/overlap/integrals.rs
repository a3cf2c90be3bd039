//! Integrals over an overlap and over the surface of one body in it.

use glam::{DMat3, DVec3};
use gritstone_core::linalg::Sym3;

use super::View;
use super::region::Owner;

/// A triangle of the surface, counter-clockwise seen from outside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Triangle {
    pub(super) corners: [DVec3; 3],
    pub(super) owner: Owner,
}

/// A force with a torque about the contact's midpoint.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wrench {
    /// The force.
    pub force: DVec3,
    /// The torque.
    pub torque: DVec3,
}

impl Wrench {
    fn add(&mut self, force: DVec3, torque: DVec3) {
        self.force += force;
        self.torque += torque;
    }

    fn turned(&self, axes: &DMat3, sign: f64) -> Self {
        Self { force: *axes * (self.force * sign), torque: *axes * (self.torque * sign) }
    }
}

/// Integrals over an overlap, in world axes; positions are from the contact's midpoint.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OverlapIntegrals {
    /// V.
    pub volume: f64,
    /// c.
    pub centroid: DVec3,
    /// C.
    pub covariance: Sym3,
    /// q = 1/tr C⁻¹, the square of the mean depth over twelve.
    pub thinness: f64,
    /// What a pressure of one does to b.
    pub uniform: Wrench,
    /// What the pressure |C⁻¹(x − c)|² does to b.
    pub quadratic: Wrench,
}

/// Of the region between these triangles; none where it has no volume but rounding.
pub(super) fn over(triangles: &[Triangle], view: &View) -> Option<OverlapIntegrals> {
    if triangles.is_empty() {
        return None;
    }
    // Recentred: what is far from the midpoint of the contact would otherwise lose its digits.
    let corners = triangles.iter().flat_map(|triangle| triangle.corners);
    let middle = corners.sum::<DVec3>() / (3 * triangles.len()) as f64;
    let (mut volume, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
    for triangle in triangles {
        let [a, b, c] = triangle.corners.map(|x| x - middle);
        let part = a.dot((b - a).cross(c - a)) / 6.0;
        let sum = a + b + c;
        volume += part;
        first += sum * (part / 4.0);
        let part = part / 20.0;
        second += outer(a, part) + outer(b, part) + outer(c, part) + outer(sum, part);
    }
    let centre = first / volume;
    let covariance = second * (1.0 / volume) - outer(centre, 1.0);
    let inverse = covariance.inverse();
    let thinness = 1.0 / (inverse.x_axis.x + inverse.y_axis.y + inverse.z_axis.z);
    if !(volume > 0.0 && thinness > 0.0 && covariance.determinant() > 0.0 && thinness.is_finite()) {
        return None;
    }
    let centre = middle + centre;
    let owned = |owner: Owner| triangles.iter().filter(move |triangle| triangle.owner == owner);
    let (owner, sign) =
        if owned(Owner::A).count() <= owned(Owner::B).count() { (Owner::A, 1.0) } else { (Owner::B, -1.0) };
    let [mut uniform, mut quadratic] = [Wrench::default(); 2];
    for Triangle { corners, .. } in owned(owner) {
        let ys = corners.map(|x| inverse * (x - centre));
        add_surface(corners, &ys, &mut uniform, &mut quadratic);
    }
    let axes = &view.axes;
    let m = covariance;
    let symmetric = Sym3 {
        xx: m.x_axis.x,
        yy: m.y_axis.y,
        zz: m.z_axis.z,
        xy: m.y_axis.x,
        xz: m.z_axis.x,
        yz: m.z_axis.y,
    };
    Some(OverlapIntegrals {
        volume,
        centroid: *axes * centre,
        covariance: symmetric.rotated(axes),
        thinness,
        uniform: uniform.turned(axes, sign),
        quadratic: quadratic.turned(axes, sign),
    })
}

/// Adds the integrals of n and x × n over a triangle, alone and with y².
#[inline(always)]
fn add_surface(x: &[DVec3; 3], y: &[DVec3; 3], uniform: &mut Wrench, quadratic: &mut Wrench) {
    let area = (x[1] - x[0]).cross(x[2] - x[0]) * 0.5;
    uniform.add(area, (x[0] + x[1] + x[2]).cross(area) / 3.0);
    let squares = y.map(DVec3::length_squared);
    let [p, q, r] = [y[1].dot(y[2]), y[2].dot(y[0]), y[0].dot(y[1])];
    let sum = squares[0] + squares[1] + squares[2] + p + q + r;
    // ∫λᵢ³ = A/10, ∫λᵢ²λⱼ = A/30, ∫λᵢλⱼλₖ = A/60 over a triangle of the area A.
    let weight = |i: usize, products: f64| 4.0 * squares[i] + 2.0 * sum + 2.0 * products;
    let moment = x[0] * weight(0, q + r) + x[1] * weight(1, r + p) + x[2] * weight(2, p + q);
    quadratic.add(area * (sum / 6.0), moment.cross(area) / 60.0);
}

#[inline(always)]
fn outer(x: DVec3, k: f64) -> DMat3 {
    let y = x * k;
    DMat3::from_cols(x * y.x, x * y.y, x * y.z)
}
