//! Triangle meshes and outlines: what shapes hand to pictures and to files.

use glam::{DVec2, DVec3};

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

/// The boundary of a figure in the plane, in the body's frame: a closed polygon that runs counter-clockwise, the last
/// vertex joined to the first.
///
/// Normals are unit vectors that point outwards; where a boundary has a corner, its vertex is there once for each side.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outline {
    /// Vertices.
    pub positions: Vec<DVec2>,
    /// Outward unit normals of the boundary, one for each vertex.
    pub normals: Vec<DVec2>,
}
