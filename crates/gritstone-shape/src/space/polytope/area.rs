//! Vector areas that keep their direction however thin the triangle is.

use glam::DVec3;

/// Twice the vector area of a triangle, `(y − x) × (z − x)`, right nearly to rounding in every component: the plain
/// formula loses the direction of thin triangles to the cancellation of its products.
pub(in crate::space) fn twice_vector_area(x: DVec3, y: DVec3, z: DVec3) -> DVec3 {
    let (e, e_low) = exact_difference(y, x);
    let (f, f_low) = exact_difference(z, x);
    let component = |i: usize, j: usize| {
        difference_of_products(e[i], f[j], e[j], f[i])
            + ((e_low[i] * f[j] + e[i] * f_low[j]) - (e_low[j] * f[i] + e[j] * f_low[i]))
    };
    DVec3::new(component(1, 2), component(2, 0), component(0, 1))
}

/// `y − x` and the error of that difference (Knuth's two-sum).
fn exact_difference(y: DVec3, x: DVec3) -> (DVec3, DVec3) {
    let d = y - x;
    let t = d - y;
    (d, (y - (d - t)) - (x + t))
}

/// `a b − c d` to one and a half units in the last place (Kahan's algorithm).
fn difference_of_products(a: f64, b: f64, c: f64, d: f64) -> f64 {
    let cd = c * d;
    a.mul_add(b, -cd) - c.mul_add(d, -cd)
}
