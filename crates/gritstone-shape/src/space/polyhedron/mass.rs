//! Mass properties of polyhedra: exact integrals of polynomials over tetrahedra.
//!
//! Every face is cut into triangles and joined to the origin. Over the tetrahedron with corners 0, u, v, w and six times
//! its volume `k = u·(v × w)`: `∫ 1 = k/6`, `∫ x = k(u+v+w)/24`, `∫ x xᵀ = k(s sᵀ + u uᵀ + v vᵀ + w wᵀ)/120`, s = u+v+w.

use glam::DVec3;
use gritstone_core::linalg::Sym3;
use gritstone_core::{Mass, Space};

use crate::space::Polytope;

/// Mass properties for density one.
pub(super) fn of(polytope: &Polytope) -> Mass<Space> {
    let (mut volume, mut first, mut second) = (0.0, DVec3::ZERO, Sym3::default());
    for face in 0..polytope.faces().len() as u32 {
        let corners = polytope.corners(face);
        let u = polytope.vertex(corners[0]);
        for pair in corners[1..].windows(2) {
            let [v, w] = [polytope.vertex(pair[0]), polytope.vertex(pair[1])];
            let (k, s) = (u.dot(v.cross(w)), u + v + w);
            volume += k / 6.0;
            first += s * (k / 24.0);
            for x in [s, u, v, w] {
                second = second + Sym3::outer(x, k / 120.0);
            }
        }
    }
    let centroid = first / volume;
    Mass { volume, centroid, second_moments: second + Sym3::outer(centroid, -volume) }
}
