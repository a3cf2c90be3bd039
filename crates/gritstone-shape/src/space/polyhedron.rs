//! Convex polyhedra.

mod hull;
mod mass;
mod merge;

use std::sync::Arc;

use glam::DVec3;
use gritstone_core::linalg::Sym3;
use gritstone_core::{Mass, Mesh, Space};

use super::Polytope;
use crate::{Body, Implicit, Jet, ShapeError, Support, Tessellate, points};

/// Bodies thinner than this fraction of their extent count as flat.
const FLAT: f64 = 1e-10;
/// Corners belong to one plane if they deviate from it by no more than this many units in the last place of the given
/// coordinates, which are rounded themselves.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// A convex polyhedron about its centre of mass. Copies share their data.
#[derive(Clone, Debug, PartialEq)]
pub struct Polyhedron(Arc<Data>);

#[derive(Debug, PartialEq)]
struct Data {
    polytope: Polytope,
    mass: Mass<Space>,
    size: f64,
    half_extents: DVec3,
}

impl Polyhedron {
    /// The convex hull of `points`, moved so that its centre of mass is its origin; and where that was among the points.
    /// Vertices are in the order of the points; points that are no corners are left out.
    pub fn hull(points: &[DVec3]) -> Result<(Self, DVec3), ShapeError> {
        points::check(points.iter().map(DVec3::to_array), 4)?;
        let low = points.iter().copied().fold(DVec3::INFINITY, DVec3::min);
        let high = points.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
        let (centre, extent) = (0.5 * (low + high), (high - low).max_element());
        ShapeError::check_length("vertices' extent", extent)?;
        // A power of two: the hull is built at unit scale, and scaling back loses nothing.
        let scale = libm::exp2(libm::log2(extent).ceil());
        let unit: Vec<DVec3> = points.iter().map(|&p| (p - centre) / scale).collect();
        let rounding = ROUNDING * (1.0 + low.abs().max(high.abs()).max_element() / scale);
        let polytope = polytope(&unit, rounding).ok_or(ShapeError::Flat)?;
        let centroid = mass::of(&polytope).centroid;
        let polytope = polytope.translated(-centroid).scaled(scale);
        Ok((Self::around_origin(polytope), centre + centroid * scale))
    }

    fn around_origin(polytope: Polytope) -> Self {
        // What is left of the centroid is rounding.
        let mass = Mass { centroid: DVec3::ZERO, ..mass::of(&polytope) };
        let vertices = polytope.vertices();
        let size = vertices.iter().map(|v| v.length()).fold(0.0, f64::max);
        let half_extents = vertices.iter().map(|v| v.abs()).fold(DVec3::ZERO, DVec3::max);
        Self(Arc::new(Data { polytope, mass, size, half_extents }))
    }

    /// The same shape with all lengths multiplied by `factor`.
    pub fn scaled(&self, factor: f64) -> Result<Self, ShapeError> {
        ShapeError::check_length("factor", factor)?;
        ShapeError::check_length("vertices' extent", self.0.half_extents.min_element() * factor)?;
        ShapeError::check_length("vertices' extent", self.0.size * factor)?;
        Ok(Self::around_origin(self.polytope().clone().scaled(factor)))
    }

    /// Vertices, edges and faces.
    #[inline]
    pub fn polytope(&self) -> &Polytope {
        &self.0.polytope
    }

    /// The gauge and the face that decides it: the scaled body on which `x` lies has it there.
    fn outermost(&self, x: DVec3) -> (f64, DVec3) {
        let mut outermost = (f64::NEG_INFINITY, DVec3::Z);
        for face in self.polytope().faces() {
            let gauge = face.normal.dot(x) / face.offset;
            if gauge > outermost.0 {
                outermost = (gauge, face.normal / face.offset);
            }
        }
        outermost
    }
}

/// The hull of points within the unit cube whose coordinates are exact to `rounding`; `None` where they are flat.
fn polytope(points: &[DVec3], rounding: f64) -> Option<Polytope> {
    let flat = FLAT.max(16.0 * rounding);
    let mut points = points.to_vec();
    loop {
        let triangles = hull::triangles(&points, flat)?;
        if hull::drop_twins(&mut points, &triangles, rounding) {
            continue;
        }
        let merged = merge::polygons(&points, &triangles, rounding);
        return merged
            .and_then(|loops| Polytope::from_loops(&points, &loops))
            .or_else(|| Polytope::from_loops(&points, &merge::unmerged(&triangles)));
    }
}

impl Support<Space> for Polyhedron {
    #[inline]
    fn support(&self, n: DVec3) -> DVec3 {
        let polytope = self.polytope();
        polytope.vertex(polytope.support(n))
    }

    /// Vertices have no extent: the Hessian is zero.
    fn jet(&self, n: DVec3) -> Jet<Space> {
        Jet { point: self.support(n), hessian: Sym3::default() }
    }

    fn creased(&self) -> bool {
        true
    }

    #[inline]
    fn size(&self) -> f64 {
        self.0.size
    }

    fn implicit(&self) -> Option<&dyn Implicit<Space>> {
        Some(self)
    }
}

/// F is the gauge: the largest of `normal·x/offset` over all faces.
impl Implicit<Space> for Polyhedron {
    fn inside_outside(&self, x: DVec3) -> f64 {
        self.gauge(x)
    }

    fn gradient(&self, x: DVec3) -> DVec3 {
        self.outermost(x).1
    }

    fn curvature(&self, _: DVec3) -> Sym3 {
        Sym3::default()
    }

    fn gauge(&self, x: DVec3) -> f64 {
        self.outermost(x).0
    }

    fn gauge_with_gradient(&self, x: DVec3) -> (f64, DVec3) {
        self.outermost(x)
    }

    fn gauge_jet(&self, x: DVec3) -> (f64, DVec3, Sym3) {
        let (gauge, gradient) = self.outermost(x);
        (gauge, gradient, Sym3::default())
    }

    fn normal(&self, x: DVec3) -> DVec3 {
        super::unit::unit(self.outermost(x).1)
    }
}

impl Body<Space> for Polyhedron {
    fn mass(&self) -> Mass<Space> {
        self.0.mass
    }

    fn half_extents(&self) -> DVec3 {
        self.0.half_extents
    }
}

impl Tessellate for Polyhedron {
    /// Every face with its own normal, whatever the detail.
    fn tessellate(&self, _: u32) -> Mesh {
        let (polytope, mut mesh) = (self.polytope(), Mesh::default());
        for (number, face) in polytope.faces().iter().enumerate() {
            let first = mesh.positions.len() as u32;
            let corners = polytope.corners(number as u32);
            mesh.positions.extend(corners.iter().map(|&v| polytope.vertex(v)));
            mesh.normals.extend(corners.iter().map(|_| face.normal));
            let last = corners.len() as u32 - 1;
            mesh.triangles.extend((1..last).map(|i| [first, first + i, first + i + 1]));
        }
        mesh
    }
}
