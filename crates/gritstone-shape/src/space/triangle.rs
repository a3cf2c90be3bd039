//! Triangles: flat bodies without thickness, what meshes of walls and tools are made of.
//!
//! A triangle has a support function, and nothing that needs an inside. Two of them that cross overlap by the least
//! translation that separates them; two that lie in one plane and cross there touch, with the distance zero.

use glam::DVec3;
use gritstone_core::linalg::Sym3;
use gritstone_core::{Mesh, Space};

use crate::{Jet, ShapeError, Support, Tessellate, points};

/// Triangles whose least height is below this fraction of their longest edge count as lines.
const THINNEST: f64 = 1e-10;

/// A triangle about its centroid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangle {
    corners: [DVec3; 3],
    size: f64,
}

impl Triangle {
    /// The triangle with these corners, moved so that its centroid is its origin; and where that was.
    pub fn new(corners: [DVec3; 3]) -> Result<(Self, DVec3), ShapeError> {
        points::check(corners.iter().map(DVec3::to_array), 3)?;
        // Averaged from the first corner on: digits are lost to the distance from the origin once, not twice.
        let [a, b, c] = corners;
        let centroid = a + ((b - a) + (c - a)) / 3.0;
        let corners = corners.map(|p| p - centroid);
        let edges = [b - a, c - b, a - c];
        let longest = edges.iter().map(|e| e.length()).fold(0.0, f64::max);
        ShapeError::check_length("vertices' extent", longest)?;
        let height = edges[0].cross(edges[1]).length() / longest;
        if height < THINNEST * longest {
            return Err(ShapeError::InLine);
        }
        let size = corners.iter().map(|p| p.length()).fold(0.0, f64::max);
        Ok((Self { corners, size }, centroid))
    }

    /// The same shape with all lengths multiplied by `factor`.
    pub fn scaled(&self, factor: f64) -> Result<Self, ShapeError> {
        Self::new(self.corners.map(|p| p * factor)).map(|(shape, _)| shape)
    }

    /// The corners.
    pub fn corners(&self) -> &[DVec3; 3] {
        &self.corners
    }

    /// Unit normal of the side on which the corners run counter-clockwise.
    pub fn normal(&self) -> DVec3 {
        let [a, b, c] = self.corners;
        (b - a).cross(c - a).normalize()
    }
}

impl Support<Space> for Triangle {
    #[inline]
    fn support(&self, n: DVec3) -> DVec3 {
        let [a, b, c] = self.corners;
        let farther = |p: DVec3, q: DVec3| if n.dot(q) > n.dot(p) { q } else { p };
        farther(farther(a, b), c)
    }

    /// Corners have no extent: the Hessian is zero.
    fn jet(&self, n: DVec3) -> Jet<Space> {
        Jet { point: self.support(n), hessian: Sym3::default() }
    }

    fn creased(&self) -> bool {
        true
    }

    fn size(&self) -> f64 {
        self.size
    }
}

impl Tessellate for Triangle {
    /// Both sides.
    fn tessellate(&self, _: u32) -> Mesh {
        let (n, [a, b, c]) = (self.normal(), self.corners);
        Mesh {
            positions: vec![a, b, c, a, c, b],
            normals: vec![n, n, n, -n, -n, -n],
            triangles: vec![[0, 1, 2], [3, 4, 5]],
        }
    }
}
