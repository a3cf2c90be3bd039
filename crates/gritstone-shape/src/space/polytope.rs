//! Vertices, edges and faces of a convex polyhedron, and which touches which.

mod area;
mod build;

use glam::DVec3;

pub(super) use area::twice_vector_area;

/// More vertices than this are searched by climbing from neighbour to neighbour.
const SCANNED: usize = 48;

/// Added to a small whole number, it leaves that number in the lowest bits.
const TWO_TO_52: f64 = (1_u64 << 52) as f64;

/// The surface of a convex polyhedron, in the body's frame.
///
/// Things are known by their numbers. All lists are flat, so that a walk over the surface stays in few cache lines.
#[derive(Clone, Debug, PartialEq)]
pub struct Polytope {
    vertices: Vec<DVec3>,
    /// The vertices again, in blocks of four by coordinate; the last vertex fills the last block.
    blocks: Vec<[[f64; 4]; 3]>,
    edges: Vec<Edge>,
    faces: Vec<Face>,
    /// Corners of all faces, one face after the other.
    corners: Vec<u32>,
    /// The edge from each of `corners` to the next.
    sides: Vec<u32>,
    /// The plane through that edge across the face.
    fences: Vec<Fence>,
    /// Where the surroundings of each vertex start in the next four lists, and where those of the last end.
    starts: Vec<u32>,
    neighbours: Vec<u32>,
    /// Where each of `neighbours` lies as seen from the vertex.
    rays: Vec<DVec3>,
    spokes: Vec<u32>,
    sectors: Vec<u32>,
    /// Vertices farthest along x, y, z, −x, −y, −z: where climbs start.
    extremes: [u32; 6],
    stray: f64,
}

/// An edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Its ends.
    pub vertices: [u32; 2],
    /// The face to its left, seen from outside along the edge, and the face to its right.
    pub faces: [u32; 2],
}

/// The plane `outward·x = offset` through a side of a face, across the face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fence {
    /// Unit normal, away from the face.
    pub outward: DVec3,
    /// Distance of the plane from the body's origin.
    pub offset: f64,
}

/// A face lies in the plane `normal·x = offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Face {
    /// Outward unit normal.
    pub normal: DVec3,
    /// Distance of the plane from the body's origin.
    pub offset: f64,
    /// Where its corners start in the list of all, and how many there are.
    start: u32,
    count: u32,
}

impl Fence {
    /// How far a point lies beyond it.
    #[inline(always)]
    pub fn height(&self, x: DVec3) -> f64 {
        self.outward.dot(x) - self.offset
    }
}

impl Polytope {
    /// Area of the largest face.
    pub fn largest_face(&self) -> f64 {
        let area = |face: u32| {
            let corners = self.corners(face).iter().map(|&corner| self.vertex(corner));
            let next = corners.clone().cycle().skip(1);
            0.5 * corners.zip(next).map(|(p, q)| p.cross(q)).sum::<DVec3>().length()
        };
        (0..self.faces().len() as u32).map(area).fold(0.0, f64::max)
    }

    /// Where the vertices are.
    #[inline]
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// The vertices in blocks of four, by coordinate; the last vertex fills the last block.
    #[inline]
    pub fn blocks(&self) -> &[[[f64; 4]; 3]] {
        &self.blocks
    }

    /// Where a vertex is.
    #[inline]
    pub fn vertex(&self, vertex: u32) -> DVec3 {
        self.vertices[vertex as usize]
    }

    /// All edges.
    #[inline]
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// An edge.
    #[inline]
    pub fn edge(&self, edge: u32) -> Edge {
        self.edges[edge as usize]
    }

    /// All faces.
    #[inline]
    pub fn faces(&self) -> &[Face] {
        &self.faces
    }

    /// A face.
    #[inline]
    pub fn face(&self, face: u32) -> &Face {
        &self.faces[face as usize]
    }

    /// The vertices of a face, counter-clockwise seen from outside.
    #[inline]
    pub fn corners(&self, face: u32) -> &[u32] {
        &self.corners[self.faces[face as usize].range()]
    }

    /// The edges of a face: each from the corner in the same place to the next one.
    #[inline]
    pub fn sides(&self, face: u32) -> &[u32] {
        &self.sides[self.faces[face as usize].range()]
    }

    /// What stands over the sides of a face, in their order: points between all of these lie over the face.
    #[inline]
    pub fn fences(&self, face: u32) -> &[Fence] {
        &self.fences[self.faces[face as usize].range()]
    }

    /// The vertices that an edge joins to a vertex, counter-clockwise seen from outside.
    #[inline]
    pub fn neighbours(&self, vertex: u32) -> &[u32] {
        &self.neighbours[self.around(vertex)]
    }

    /// From a vertex to each of its neighbours.
    #[inline]
    pub fn rays(&self, vertex: u32) -> &[DVec3] {
        &self.rays[self.around(vertex)]
    }

    /// How many times farther than the highest neighbour of a vertex any point can lie above it, where no neighbour lies
    /// much above it. On a convex surface a vertex is the highest if it is higher than its neighbours; this is what becomes
    /// of it when they are compared to rounding only. Large for surfaces with nearly flat vertices or short edges.
    #[inline]
    pub fn stray(&self) -> f64 {
        self.stray
    }

    /// The edges that meet at a vertex, in the order of its neighbours.
    #[inline]
    pub fn spokes(&self, vertex: u32) -> &[u32] {
        &self.spokes[self.around(vertex)]
    }

    /// The faces that meet at a vertex: each between the spoke in the same place and the next one.
    #[inline]
    pub fn sectors(&self, vertex: u32) -> &[u32] {
        &self.sectors[self.around(vertex)]
    }

    #[inline]
    fn around(&self, vertex: u32) -> std::ops::Range<usize> {
        self.starts[vertex as usize] as usize..self.starts[vertex as usize + 1] as usize
    }

    /// A vertex farthest along `n`.
    #[inline]
    pub fn support(&self, n: DVec3) -> u32 {
        if self.vertices.len() <= SCANNED { self.scan(n) } else { self.climb(n, self.extreme(n)) }
    }

    /// A vertex farthest along `n`, searched for from the vertex `start`.
    #[inline(always)]
    pub fn support_from(&self, n: DVec3, start: u32) -> u32 {
        if self.vertices.len() <= SCANNED { self.scan(n) } else { self.climb(n, start) }
    }

    /// The vertex that is farthest along the axis nearest to `n`.
    fn extreme(&self, n: DVec3) -> u32 {
        let axis = n.abs().max_position();
        self.extremes[if n[axis] < 0.0 { axis + 3 } else { axis }]
    }

    /// Looks at all vertices, four at a time.
    #[inline(always)]
    fn scan(&self, n: DVec3) -> u32 {
        let Some((first, rest)) = self.blocks.split_first() else { return 0 };
        let mut best = heights(first, n);
        // Numbers of vertices as floats: selected by the same mask as the heights.
        let mut at = [0.0, 1.0, 2.0, 3.0];
        let mut number = [4.0, 5.0, 6.0, 7.0];
        for block in rest {
            let height = heights(block, n);
            (0..4).for_each(|i| at[i] = if height[i] > best[i] { number[i] } else { at[i] });
            (0..4).for_each(|i| best[i] = if height[i] > best[i] { height[i] } else { best[i] });
            (0..4).for_each(|i| number[i] += 4.0);
        }
        for i in 0..2 {
            let higher = best[i + 2] > best[i];
            at[i] = if higher { at[i + 2] } else { at[i] };
            best[i] = if higher { best[i + 2] } else { best[i] };
        }
        let top = if best[1] > best[0] { at[1] } else { at[0] };
        // A whole number as bits; the filling of the last block repeats the last vertex.
        ((top + TWO_TO_52).to_bits() as u32).min(self.vertices.len() as u32 - 1)
    }

    /// Goes from vertex to neighbour as long as that leads upwards. On a convex surface the end is the highest vertex.
    fn climb(&self, n: DVec3, start: u32) -> u32 {
        let mut here = start;
        let mut height = n.dot(self.vertex(here));
        loop {
            let before = here;
            for &next in self.neighbours(before) {
                let next_height = n.dot(self.vertex(next));
                if next_height > height {
                    (here, height) = (next, next_height);
                }
            }
            if here == before {
                return here;
            }
        }
    }
}

/// How far four vertices lie along `n`.
#[inline(always)]
fn heights([x, y, z]: &[[f64; 4]; 3], n: DVec3) -> [f64; 4] {
    // One loop for each operation: that is how they become vector instructions.
    let mut height = [0.0; 4];
    (0..4).for_each(|i| height[i] = n.x * x[i]);
    (0..4).for_each(|i| height[i] += n.y * y[i]);
    (0..4).for_each(|i| height[i] += n.z * z[i]);
    height
}

impl Face {
    #[inline]
    fn range(&self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.count) as usize
    }
}
