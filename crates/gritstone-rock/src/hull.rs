//! Convex hulls with a limited number of vertices.
//!
//! **Idea.** From a tetrahedron on, the vertex that is farthest outside of the hull of those chosen so far is chosen next. The hull
//! stays inside of the full one, and its distance from it falls with every vertex.

use glam::DVec3;
use gritstone_shape::ShapeError;
use gritstone_shape::space::Polyhedron;
use parry3d_f64::transformation::try_convex_hull;

use crate::{Part, Rock, RockError};

/// How far outside a vertex must be to be chosen, relative to the extent.
const NEAR: f64 = 1e-9;

impl Rock {
    /// The convex hull with at most so many vertices, as a part that is alone.
    pub fn hull(&self, most: usize) -> Result<Part, RockError> {
        let (shape, position) = reduced(&self.points, most)?;
        Ok(Part { shape, position })
    }
}

/// The convex hull of points with at most so many vertices, at least four; and its centre of mass.
pub(crate) fn reduced(points: &[DVec3], most: usize) -> Result<(Polyhedron, DVec3), ShapeError> {
    // Only vertices of the hull can be chosen; where there is none, the exact one says why.
    let corners = try_convex_hull(points).map_or_else(|_| points.to_vec(), |(corners, _)| corners);
    let most = most.max(4);
    if corners.len() <= most {
        return Polyhedron::hull(&corners);
    }
    let mut chosen = tetrahedron(&corners);
    let extent = corners.iter().map(|corner| (*corner - corners[0]).length()).fold(0.0, f64::max);
    let (mut hull, mut centre) = Polyhedron::hull(&chosen)?;
    while chosen.len() < most {
        let far = |corner: &DVec3| outside(&hull, *corner - centre);
        let Some((distance, next)) =
            corners.iter().map(|corner| (far(corner), *corner)).max_by(|a, b| a.0.total_cmp(&b.0))
        else {
            break;
        };
        if distance <= NEAR * extent {
            break;
        }
        chosen.push(next);
        (hull, centre) = Polyhedron::hull(&chosen)?;
    }
    Ok((hull, centre))
}

/// How far a point is outside of the face that it is farthest outside of; negative inside.
pub(crate) fn outside(hull: &Polyhedron, x: DVec3) -> f64 {
    let faces = hull.polytope().faces().iter();
    faces.map(|face| face.normal.dot(x) - face.offset).fold(f64::NEG_INFINITY, f64::max)
}

/// Four points far apart: an end, what is farthest from it, from the line of both, and from the plane of the three.
fn tetrahedron(points: &[DVec3]) -> Vec<DVec3> {
    let farthest = |distance: &dyn Fn(DVec3) -> f64| {
        points.iter().copied().max_by(|a, b| distance(*a).total_cmp(&distance(*b))).unwrap_or_default()
    };
    let a = farthest(&|x| x.x);
    let b = farthest(&|x| (x - a).length_squared());
    let c = farthest(&|x| (x - a).cross(b - a).length_squared());
    let d = farthest(&|x| (x - a).dot((b - a).cross(c - a)).abs());
    vec![a, b, c, d]
}
