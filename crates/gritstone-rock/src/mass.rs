//! Mass properties of what a closed surface encloses.
//!
//! Every triangle is joined to a point in the middle of the surface. Over the tetrahedron with corners 0, u, v, w and six times
//! its signed volume `k = u·(v × w)`: `∫ 1 = k/6`, `∫ x = k(u+v+w)/24`, `∫ x xᵀ = k(s sᵀ + u uᵀ + v vᵀ + w wᵀ)/120`, s = u+v+w.

use glam::DVec3;
use gritstone_core::linalg::Sym3;
use gritstone_core::{Mass, Space};

/// Mass properties for density one.
pub(crate) fn of(points: &[DVec3], triangles: &[[u32; 3]]) -> Mass<Space> {
    let low = points.iter().copied().fold(DVec3::INFINITY, DVec3::min);
    let high = points.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
    let middle = 0.5 * (low + high);
    let (mut volume, mut first, mut second) = (0.0, DVec3::ZERO, Sym3::default());
    for triangle in triangles {
        let [u, v, w] = triangle.map(|point| points[point as usize] - middle);
        let (k, s) = (u.dot(v.cross(w)), u + v + w);
        volume += k / 6.0;
        first += s * (k / 24.0);
        for x in [s, u, v, w] {
            second = second + Sym3::outer(x, k / 120.0);
        }
    }
    let centroid = first / volume;
    Mass { volume, centroid: middle + centroid, second_moments: second + Sym3::outer(centroid, -volume) }
}
