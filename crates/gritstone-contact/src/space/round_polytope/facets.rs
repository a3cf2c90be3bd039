//! Bodies with vertices, edges and faces: polyhedra, and triangles, which have two faces back to back.

use glam::DVec3;
use gritstone_shape::space::{Edge, Polytope, Triangle};

/// Vertices, edges and faces by their numbers.
pub(super) trait Facets {
    /// How many vertices, edges and faces there are.
    fn counts(&self) -> [usize; 3];
    /// A vertex farthest along `n`.
    fn support(&self, n: DVec3) -> u32;
    /// Where a vertex is.
    fn vertex(&self, vertex: u32) -> DVec3;
    /// The edges that meet at a vertex.
    fn spokes(&self, vertex: u32) -> &[u32];
    /// An edge.
    fn edge(&self, edge: u32) -> Edge;
    /// Outward unit normal of a face, and how far along it its plane is.
    fn face(&self, face: u32) -> (DVec3, f64);
    /// The vertices of a face, counter-clockwise seen from outside.
    fn corners(&self, face: u32) -> &[u32];
    /// The edges of a face: each from the corner in the same place to the next one.
    fn sides(&self, face: u32) -> &[u32];
    /// The face that `x` is least far below, and how far it is above it; `None` where there is no inside.
    fn nearest_face(&self, x: DVec3) -> Option<(u32, f64)>;
}

impl Facets for Polytope {
    fn counts(&self) -> [usize; 3] {
        [self.vertices().len(), self.edges().len(), self.faces().len()]
    }

    #[inline]
    fn support(&self, n: DVec3) -> u32 {
        Self::support(self, n)
    }

    #[inline]
    fn vertex(&self, vertex: u32) -> DVec3 {
        Self::vertex(self, vertex)
    }

    #[inline]
    fn spokes(&self, vertex: u32) -> &[u32] {
        Self::spokes(self, vertex)
    }

    #[inline]
    fn edge(&self, edge: u32) -> Edge {
        Self::edge(self, edge)
    }

    #[inline]
    fn face(&self, face: u32) -> (DVec3, f64) {
        let face = Self::face(self, face);
        (face.normal, face.offset)
    }

    #[inline]
    fn corners(&self, face: u32) -> &[u32] {
        Self::corners(self, face)
    }

    #[inline]
    fn sides(&self, face: u32) -> &[u32] {
        Self::sides(self, face)
    }

    #[inline]
    fn nearest_face(&self, x: DVec3) -> Option<(u32, f64)> {
        let mut nearest = (0, f64::NEG_INFINITY);
        for (f, face) in self.faces().iter().enumerate() {
            let height = face.normal.dot(x) - face.offset;
            if height > nearest.1 {
                nearest = (f as u32, height);
            }
        }
        Some(nearest)
    }
}

/// A triangle with the plane that it lies in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sheet {
    corners: [DVec3; 3],
    normal: DVec3,
}

impl Sheet {
    pub(super) fn new(triangle: &Triangle) -> Self {
        Self { corners: *triangle.corners(), normal: triangle.normal() }
    }
}

/// Edge i runs from corner i to the next; face 0 is the side on which the corners run counter-clockwise.
impl Facets for Sheet {
    fn counts(&self) -> [usize; 3] {
        [3, 3, 2]
    }

    #[inline]
    fn support(&self, n: DVec3) -> u32 {
        let [x, y, z] = self.corners.map(|corner| n.dot(corner));
        if x >= y && x >= z { 0 } else { 1 + u32::from(z > y) }
    }

    #[inline]
    fn vertex(&self, vertex: u32) -> DVec3 {
        self.corners[vertex as usize]
    }

    fn spokes(&self, vertex: u32) -> &[u32] {
        &[[0, 2], [1, 0], [2, 1]][vertex as usize]
    }

    fn edge(&self, edge: u32) -> Edge {
        Edge { vertices: [edge, (edge + 1) % 3], faces: [0, 1] }
    }

    fn face(&self, face: u32) -> (DVec3, f64) {
        let normal = if face == 0 { self.normal } else { -self.normal };
        (normal, normal.dot(self.corners[0]))
    }

    fn corners(&self, face: u32) -> &[u32] {
        &[[0, 1, 2], [0, 2, 1]][face as usize]
    }

    fn sides(&self, face: u32) -> &[u32] {
        &[[0, 1, 2], [2, 1, 0]][face as usize]
    }

    fn nearest_face(&self, _: DVec3) -> Option<(u32, f64)> {
        None
    }
}
