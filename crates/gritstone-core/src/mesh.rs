//! Triangle meshes: what shapes hand to pictures and to files.

use glam::DVec3;

/// A surface as triangles with a normal at every vertex, in the body's frame.
///
/// Triangles run counter-clockwise when seen from outside. Normals are unit vectors that point outwards;
/// where a surface has an edge, its vertices are there once for each side.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Vertices.
    pub positions: Vec<DVec3>,
    /// Outward unit normals of the surface, one for each vertex.
    pub normals: Vec<DVec3>,
    /// Three vertices for each triangle.
    pub triangles: Vec<[u32; 3]>,
}
