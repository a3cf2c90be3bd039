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

/// Volume of the region between these triangles.
pub(super) fn volume(triangles: &[Triangle]) -> f64 {
    let Some(first) = triangles.first() else { return 0.0 };
    let part = |triangle: &Triangle| {
        let [a, b, c] = triangle.corners.map(|x| x - first.corners[0]);
        a.dot(b.cross(c)) / 6.0
    };
    triangles.iter().map(part).sum()
}

/// Volume, centroid and covariance of a region.
struct Moments {
    volume: f64,
    centroid: DVec3,
    covariance: Sym3,
}

impl Moments {
    /// Of the region between these triangles.
    #[inline]
    fn of(triangles: &[Triangle]) -> Self {
        // Recentred: what is far from the midpoint of the contact would otherwise lose its digits.
        let corners = triangles.iter().flat_map(|triangle| triangle.corners);
        let middle = corners.sum::<DVec3>() / (3 * triangles.len()) as f64;
        let (mut volume, mut first, mut squares, mut products) = (0.0, DVec3::ZERO, DVec3::ZERO, DVec3::ZERO);
        for triangle in triangles {
            let [a, b, c] = triangle.corners.map(|x| x - middle);
            let part = a.dot((b - a).cross(c - a)) / 6.0;
            let sum = a + b + c;
            volume += part;
            first += sum * part;
            // ∫xxᵀ over the tetrahedron to the middle: part/20·(aaᵀ + bbᵀ + ccᵀ + ssᵀ).
            squares += (a * a + b * b + c * c + sum * sum) * part;
            let mixed = |x: DVec3| x * DVec3::new(x.y, x.z, x.x);
            products += (mixed(a) + mixed(b) + mixed(c) + mixed(sum)) * part;
        }
        let centre = first * (0.25 / volume);
        let second = |sum: DVec3, x: DVec3| sum * (0.05 / volume) - x;
        let squares = second(squares, centre * centre);
        let products = second(products, centre * DVec3::new(centre.y, centre.z, centre.x));
        let covariance = Sym3 {
            xx: squares.x,
            yy: squares.y,
            zz: squares.z,
            xy: products.x,
            yz: products.y,
            xz: products.z,
        };
        Self { volume, centroid: middle + centre, covariance }
    }
}

/// The inverse, if the matrix is positive definite.
#[inline]
fn inverse(m: &Sym3) -> Option<Sym3> {
    let Sym3 { xx, yy, zz, xy, xz, yz } = *m;
    let (a, b, c) = (yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy);
    let det = xx * a + xy * b + xz * c;
    let minor = xx * yy - xy * xy;
    if !(det > 0.0 && minor > 0.0 && xx > 0.0) {
        return None;
    }
    let k = 1.0 / det;
    let inverse = Sym3 {
        xx: a * k,
        xy: b * k,
        xz: c * k,
        yy: (xx * zz - xz * xz) * k,
        yz: (xy * xz - xx * yz) * k,
        zz: minor * k,
    };
    inverse.trace().is_finite().then_some(inverse)
}

#[inline(always)]
fn times(m: &Sym3, x: DVec3) -> DVec3 {
    DVec3::new(
        m.xx * x.x + m.xy * x.y + m.xz * x.z,
        m.xy * x.x + m.yy * x.y + m.yz * x.z,
        m.xz * x.x + m.yz * x.y + m.zz * x.z,
    )
}

/// Of the region between these triangles; none where it has no volume but rounding.
#[inline]
pub(super) fn over(triangles: &[Triangle], view: &View) -> Option<OverlapIntegrals> {
    if triangles.is_empty() {
        return None;
    }
    let Moments { volume, centroid, covariance } = Moments::of(triangles);
    let inverse = inverse(&covariance).filter(|_| volume > 0.0)?;
    // Over the side of the body that has fewer triangles there.
    let of_a = triangles.iter().filter(|triangle| triangle.owner == Owner::A).count();
    let (owner, sign) = if 2 * of_a <= triangles.len() { (Owner::A, 1.0) } else { (Owner::B, -1.0) };
    let [mut uniform, mut quadratic] = [Wrench::default(); 2];
    for Triangle { corners, .. } in triangles.iter().filter(|triangle| triangle.owner == owner) {
        let ys = corners.map(|x| times(&inverse, x - centroid));
        add_surface(corners, &ys, &mut uniform, &mut quadratic);
    }
    let axes = &view.axes;
    Some(OverlapIntegrals {
        volume,
        centroid: *axes * centroid,
        covariance: covariance.rotated(axes),
        thinness: 1.0 / inverse.trace(),
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
