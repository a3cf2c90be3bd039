//! Upper bounds of the signed distance from points of the Minkowski difference.
//!
//! Every d that was ever evaluated is a point of the Minkowski difference D = {x_b − x_a}. Take a closed, oriented
//! triangle mesh with vertices in D that turns its inner side to the origin everywhere. It encloses the origin,
//! D is convex and holds it, so D holds the ball that touches the nearest triangle: **the bodies overlap at least that
//! deep**. Triangles without area have no sides; one with area must be among them. A single point d bounds the signed distance by |d|, which is all that is needed when apart.

use glam::{DVec2, DVec3};
use gritstone_core::linalg::Sym2;
use robust::{Coord3D, orient3d};

/// Ratio of area to edges below which a triangle's normal is too inexact to bound anything.
const SLIVER: f64 = 1e-4;

/// Distance from the plane of a triangle, relative to its largest coordinate, within which the normal's rounding may put the
/// origin on the wrong side.
const DOUBTFUL: f64 = 1e-11;

/// Steps from any point of a thin triangle's plane to the nearest one: the first leaves the rounding of the weights, which
/// the others take away.
const REFINEMENTS: usize = 3;

/// What a triangle says of the signed distance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FaceBound {
    /// Minus a distance that no point of the triangle is nearer to the origin than; positive where the triangle turns
    /// its outer side to the origin.
    pub(crate) upper: f64,
    /// Unit normal of the triangle, inward.
    pub(crate) normal: DVec3,
}

/// Bound from the triangle with these corners, counter-clockwise seen from inside.
///
/// For **any** unit vector n, no point of the triangle is nearer than the least −n·corner, so an inexact normal loosens
/// the bound and never falsifies it. Only the side on which the origin lies must be right.
#[inline(always)]
pub(crate) fn face_bound(x: DVec3, y: DVec3, z: DVec3) -> FaceBound {
    let (e, f) = (y - x, z - x);
    let cross = e.cross(f);
    let square = cross.length_squared();
    if square <= SLIVER * SLIVER * e.length_squared() * f.length_squared() {
        return sliver_bound(x, y, z);
    }
    let normal = cross * square.sqrt().recip();
    let upper = height(normal, x, y, z);
    if upper < 0.0 && upper > -DOUBTFUL * largest(x, y, z) && side(x, y, z, DVec3::ZERO) < 0.0 {
        return FaceBound { upper: -upper, normal };
    }
    FaceBound { upper, normal }
}

/// Whether no point of the triangle with these corners, counter-clockwise seen from inside, is nearer to the origin than
/// `distance`, and the origin lies on its inner side: [`face_bound`] without a root or a division.
#[inline(always)]
pub(crate) fn lies_beyond(x: DVec3, y: DVec3, z: DVec3, distance: f64) -> bool {
    let (e, f) = (y - x, z - x);
    let n = e.cross(f);
    let area = n.length_squared();
    if area <= SLIVER * SLIVER * e.length_squared() * f.length_squared() {
        return sliver_bound(x, y, z).upper <= -distance;
    }
    let height = -most(most(n.dot(x), n.dot(y)), n.dot(z));
    height > 0.0 && height * height >= distance * distance * area
}

/// Bound from a triangle whose normal drowns in rounding, with the normal in doubled precision; a triangle without any
/// area subtends no angle at the origin, and only its distance counts. Such triangles alone enclose nothing.
#[cold]
fn sliver_bound(x: DVec3, y: DVec3, z: DVec3) -> FaceBound {
    let normal = accurate_normal(x, y, z).unwrap_or_else(|| {
        let [u, v, w] = closest_on_triangle(x, y, z);
        -(x * u + y * v + z * w).normalize_or(DVec3::X)
    });
    FaceBound { upper: height(normal, x, y, z), normal }
}

/// Unit normal of a triangle, right nearly to rounding however thin it is; `None` where its corners are in line.
fn accurate_normal(x: DVec3, y: DVec3, z: DVec3) -> Option<DVec3> {
    let (e, e_low) = exact_difference(y, x);
    let (f, f_low) = exact_difference(z, x);
    let component = |i: usize, j: usize| {
        difference_of_products(e[i], f[j], e[j], f[i])
            + ((e_low[i] * f[j] + e[i] * f_low[j]) - (e_low[j] * f[i] + e[j] * f_low[i]))
    };
    DVec3::new(component(1, 2), component(2, 0), component(0, 1)).try_normalize()
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

/// The largest n·corner, with an allowance for the rounding of the products.
#[inline(always)]
fn height(n: DVec3, x: DVec3, y: DVec3, z: DVec3) -> f64 {
    most(most(n.dot(x), n.dot(y)), n.dot(z)) + 4.0 * f64::EPSILON * largest(x, y, z)
}

/// The largest coordinate.
#[inline(always)]
fn largest(x: DVec3, y: DVec3, z: DVec3) -> f64 {
    let most3 = |v: DVec3| most(most(v.x.abs(), v.y.abs()), v.z.abs());
    most(most(most3(x), most3(y)), most3(z))
}

/// The larger number: a comparison, since `max` takes care of what is no number, which costs as much again.
#[inline(always)]
fn most(x: f64, y: f64) -> f64 {
    if y > x { y } else { x }
}

/// Positive when `p` lies on the inner side of the triangle whose corners are counter-clockwise seen from inside; exact
/// in sign.
pub(crate) fn side(x: DVec3, y: DVec3, z: DVec3, p: DVec3) -> f64 {
    let coord = |v: DVec3| Coord3D { x: v.x, y: v.y, z: v.z };
    // orient3d is positive when p lies below the plane, seen from where x, y, z run counter-clockwise.
    -orient3d(coord(x), coord(y), coord(z), coord(p))
}

/// Barycentric coordinates of the point of a triangle nearest to the origin (Ericson, Real-Time Collision Detection,
/// section 5.1.5). The products there are of second order in the triangle's width: thin ones are treated separately.
#[inline(always)]
pub(crate) fn closest_on_triangle(a: DVec3, b: DVec3, c: DVec3) -> [f64; 3] {
    let (ab, ac) = (b - a, c - a);
    if ab.cross(ac).length_squared() <= SLIVER * SLIVER * ab.length_squared() * ac.length_squared() {
        return closest_on_sliver([a, b, c]);
    }
    let (d1, d2) = (-ab.dot(a), -ac.dot(a));
    if d1 <= 0.0 && d2 <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    let (d3, d4) = (-ab.dot(b), -ac.dot(b));
    if d3 >= 0.0 && d4 <= d3 {
        return [0.0, 1.0, 0.0];
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let v = fraction(d1, d1 - d3);
        return [1.0 - v, v, 0.0];
    }
    let (d5, d6) = (-ab.dot(c), -ac.dot(c));
    if d6 >= 0.0 && d5 <= d6 {
        return [0.0, 0.0, 1.0];
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let w = fraction(d2, d2 - d6);
        return [1.0 - w, 0.0, w];
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        let w = fraction(d4 - d3, (d4 - d3) + (d5 - d6));
        return [0.0, 1.0 - w, w];
    }
    let sum = va + vb + vc;
    if sum <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    refined(a, ab, ac, [va / sum, vb / sum, vc / sum])
}

/// Weights of a point inside a triangle after one step of iterative refinement: close to the origin, or in a thin
/// triangle, the first ones are good to half of the digits only.
fn refined(a: DVec3, ab: DVec3, ac: DVec3, weights: [f64; 3]) -> [f64; 3] {
    let [_, v, w] = weights;
    let left = a + ab * v + ac * w;
    let gram = Sym2 { xx: ab.dot(ab), yy: ac.dot(ac), xy: ab.dot(ac) };
    let step = gram.solve(-DVec2::new(ab.dot(left), ac.dot(left)));
    let (v, w) = (v + step.x, w + step.y);
    let u = 1.0 - v - w;
    let better = (a + ab * v + ac * w).length_squared() < left.length_squared();
    if better && u >= 0.0 && v >= 0.0 && w >= 0.0 { [u, v, w] } else { weights }
}

/// The nearest point of a thin triangle: the best one of each edge, and of the inside.
#[cold]
fn closest_on_sliver(corners: [DVec3; 3]) -> [f64; 3] {
    let mut best = (f64::INFINITY, [1.0, 0.0, 0.0]);
    let mut offer = |weights: [f64; 3]| {
        let point: DVec3 = corners.iter().zip(weights).map(|(&corner, weight)| corner * weight).sum();
        if point.length_squared() < best.0 {
            best = (point.length_squared(), weights);
        }
    };
    let edges = [0, 1, 2].map(|i| corners[(i + 1) % 3] - corners[i]);
    for (i, edge) in edges.iter().enumerate() {
        let t = fraction(-edge.dot(corners[i]), edge.length_squared()).clamp(0.0, 1.0);
        let mut weights = [0.0; 3];
        weights[i] = 1.0 - t;
        weights[(i + 1) % 3] = t;
        offer(weights);
    }
    let longest = (0..3).max_by(|&i, &j| edges[i].length_squared().total_cmp(&edges[j].length_squared()));
    let first = longest.unwrap_or(0);
    if let Some(mut weights) = foot([0, 1, 2].map(|i| corners[(first + i) % 3])) {
        weights.rotate_right(first);
        offer(weights);
    }
    best.1
}

/// Weights of the origin's foot on the plane of a thin triangle, whose first edge is the longest, if it lies inside. Along
/// the edge and across it they are refined until the point is right to rounding, which the weights themselves need not be.
fn foot([a, b, c]: [DVec3; 3]) -> Option<[f64; 3]> {
    let (ab, ac) = (b - a, c - a);
    let along = ab.try_normalize()?;
    let across = accurate_normal(a, b, c)?.cross(along);
    let (mut v, mut w) = (0.0, 0.0);
    for _ in 0..REFINEMENTS {
        let left = a + ab * v + ac * w;
        let step = -across.dot(left) / across.dot(ac);
        v -= (along.dot(left) + step * along.dot(ac)) / along.dot(ab);
        w += step;
    }
    let u = 1.0 - v - w;
    (u >= 0.0 && v >= 0.0 && w >= 0.0).then_some([u, v, w])
}

/// `part / whole`, and nothing of nothing on an edge without length.
fn fraction(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;

    const CORNER: [DVec3; 3] = [DVec3::X, DVec3::Y, DVec3::Z];

    /// The plane x + y + z = 1 is 1/√3 away; corners in this order run clockwise seen from the origin.
    #[test]
    fn plane_through_the_unit_points() {
        let [x, y, z] = CORNER;
        let expected = 1.0 / 3.0_f64.sqrt();
        let inside = face_bound(x, z, y);
        assert!(
            (inside.upper + expected).abs() < 1e-15
                && (inside.normal + DVec3::splat(expected)).length() < 1e-15
        );
        assert!((face_bound(x, y, z).upper - expected).abs() < 1e-15);
        assert!(side(x, z, y, DVec3::ZERO) > 0.0 && side(x, z, y, DVec3::ONE) < 0.0);
    }

    /// A corner drawn in to 1e-13 beside an edge: crossed in plain arithmetic the normal has lost its last digits, and
    /// with it the height.
    #[test]
    fn sliver_keeps_its_plane() {
        let [x, _, z] = CORNER;
        let y = 0.3 * x + 0.7 * z + 1e-13 * (DVec3::Y - 0.5 * (x + z));
        let FaceBound { upper, normal } = face_bound(x, z, y);
        // Still the plane x + y + z = 1, to what the rounding of the corner itself leaves.
        assert!((normal + DVec3::splat(1.0 / 3.0_f64.sqrt())).length() < 2e-3, "{normal}");
        assert!((upper + 1.0 / 3.0_f64.sqrt()).abs() < 1e-3);
    }

    /// Triangles 5e-8 wide that pass the origin at 3.5e-10: each of their edges passes it much farther away.
    #[test]
    fn sliver_is_nearest_inside() {
        let height = 3.5e-10;
        for turn in 0..20 {
            let axis = DVec3::new(1.0, 0.3 * f64::from(turn), 0.7).normalize();
            let rotation = DQuat::from_axis_angle(axis, f64::from(turn));
            let corner = |x: f64, y: f64| rotation * DVec3::new(x, y, height);
            let corners = [corner(-1.6, -2e-8), corner(1.1, -2e-8), corner(0.3, 3e-8)];
            for first in 0..3 {
                let [a, b, c] = [0, 1, 2].map(|i| corners[(first + i) % 3]);
                let [u, v, w] = closest_on_triangle(a, b, c);
                let distance = (a * u + b * v + c * w).length();
                // The corners are rounded to 2e-16.
                assert!((distance - height).abs() < 1e-15, "{distance:e}");
            }
        }
    }

    #[test]
    fn triangle_without_area_counts_by_its_distance() {
        let FaceBound { upper, .. } = face_bound(DVec3::X, DVec3::X + DVec3::Y, DVec3::X + 2.0 * DVec3::Y);
        assert!((upper + 1.0).abs() < 1e-14);
    }

    #[test]
    fn nearest_point_of_a_triangle_in_each_region() {
        let near = |a, b, c| {
            let [u, v, w] = closest_on_triangle(a, b, c);
            a * u + b * v + c * w
        };
        let at = |x, y| DVec3::new(x, y, 1.0);
        let triangle = |dx, dy| near(at(dx, dy), at(dx + 4.0, dy), at(dx, dy + 4.0));
        assert_eq!(triangle(-1.0, -1.0), at(0.0, 0.0));
        assert_eq!(triangle(1.0, 1.0), at(1.0, 1.0));
        assert_eq!(triangle(-6.0, 1.0), at(-2.0, 1.0));
        assert_eq!(triangle(1.0, -6.0), at(1.0, -2.0));
        assert_eq!(triangle(-1.0, 2.0), at(0.0, 2.0));
        assert_eq!(triangle(2.0, -1.0), at(2.0, 0.0));
        assert!((triangle(-3.0, -3.0) - at(-1.0, -1.0)).length() < 1e-15);
    }
}
