//! The adjacency of a polyhedron from the loops of its faces.

use glam::DVec3;

use super::{Edge, Face, Fence, Polytope, twice_vector_area};

/// A side of a face: `to` follows `from` in its loop.
#[derive(Clone, Copy)]
struct Side {
    from: u32,
    to: u32,
    face: u32,
    /// Where it stands in the list of all corners.
    position: u32,
}

impl Polytope {
    /// Makes the adjacency of a closed surface from the loops of its faces, whose corners run counter-clockwise seen from
    /// outside; `None` where they do not form one. Points that no face has are left out.
    pub(in crate::space) fn from_loops(points: &[DVec3], loops: &[Vec<u32>]) -> Option<Self> {
        let (vertices, corners) = renumber(points, loops);
        let sides = sides(loops, &corners);
        let (edges, edge_of_side) = pair_up(&sides)?;
        if vertices.len() + loops.len() != edges.len() + 2 {
            return None;
        }
        let mut polytope = Self {
            blocks: blocks(&vertices),
            faces: faces(&vertices, loops, &corners),
            sides: edge_of_side,
            fences: Vec::new(),
            starts: Vec::with_capacity(vertices.len() + 1),
            neighbours: Vec::with_capacity(corners.len()),
            rays: Vec::with_capacity(corners.len()),
            spokes: Vec::with_capacity(corners.len()),
            sectors: Vec::with_capacity(corners.len()),
            extremes: [0; 6],
            stray: f64::INFINITY,
            vertices,
            edges,
            corners,
        };
        polytope.fences = polytope.raise_fences();
        polytope.collect_surroundings(&sides)?;
        for axis in 0..3 {
            polytope.extremes[axis] = polytope.scan(DVec3::AXES[axis]);
            polytope.extremes[axis + 3] = polytope.scan(-DVec3::AXES[axis]);
        }
        polytope.stray = polytope.find_stray();
        Some(polytope)
    }

    /// The same surface with its vertices moved by `shift`.
    pub(in crate::space) fn translated(mut self, shift: DVec3) -> Self {
        self.vertices.iter_mut().for_each(|v| *v += shift);
        self.blocks = blocks(&self.vertices);
        for v in 0..self.vertices.len() as u32 {
            for i in self.around(v) {
                self.rays[i] = self.vertex(self.neighbours[i]) - self.vertex(v);
            }
        }
        for face in &mut self.faces {
            *face = plane(&self.vertices, &self.corners[face.range()], face.start);
        }
        self.fences = self.raise_fences();
        self
    }

    /// The same surface with its vertices scaled by a power of two.
    pub(in crate::space) fn scaled(mut self, factor: f64) -> Self {
        self.vertices.iter_mut().for_each(|v| *v *= factor);
        self.rays.iter_mut().for_each(|v| *v *= factor);
        self.blocks = blocks(&self.vertices);
        self.faces.iter_mut().for_each(|face| face.offset *= factor);
        self.fences.iter_mut().for_each(|fence| fence.offset *= factor);
        self
    }

    /// The planes through the sides of all faces.
    fn raise_fences(&self) -> Vec<Fence> {
        let mut fences = Vec::with_capacity(self.corners.len());
        for face in &self.faces {
            let corners = &self.corners[face.range()];
            for (i, &from) in corners.iter().enumerate() {
                let (from, to) = (self.vertex(from), self.vertex(corners[(i + 1) % corners.len()]));
                let outward = (to - from).cross(face.normal).normalize_or_zero();
                fences.push(Fence { outward, offset: outward.dot(from).max(outward.dot(to)) });
            }
        }
        fences
    }

    /// Walks round every vertex; `None` where a vertex has more than one round.
    fn collect_surroundings(&mut self, sides: &[Side]) -> Option<()> {
        // A side that starts at each vertex.
        let mut first = vec![None; self.vertices.len()];
        sides.iter().for_each(|side| first[side.from as usize] = Some(*side));
        for side in first {
            self.starts.push(self.neighbours.len() as u32);
            let start = side?;
            let mut side = start;
            loop {
                self.neighbours.push(side.to);
                self.rays.push(self.vertex(side.to) - self.vertex(side.from));
                self.spokes.push(self.sides[side.position as usize]);
                self.sectors.push(side.face);
                if self.neighbours.len() > self.corners.len() {
                    return None;
                }
                // The side before this one in its face comes back to the vertex: its edge leaves it in the next face.
                let face = self.faces[side.face as usize];
                let back = if side.position == face.start {
                    face.range().end - 1
                } else {
                    side.position as usize - 1
                };
                let edge = self.edges[self.sides[back] as usize];
                let across = if edge.faces[0] == side.face { edge.faces[1] } else { edge.faces[0] };
                let position = self.position(across, side.from)?;
                let to = self.corners[back];
                side = Side { from: side.from, to, face: across, position };
                if side.face == start.face {
                    break;
                }
            }
        }
        self.starts.push(self.neighbours.len() as u32);
        (self.neighbours.len() == self.corners.len()).then_some(())
    }

    /// Every point x is v + Σ λ r with rays r of a vertex v and λ ≥ 0. Where all rays lean from the mean normal m by at
    /// least the sine s, m·(x − v) = Σ λ m·r shows that Σ λ|r| ≤ |x − v|/s, hence Σ λ ≤ extent/(s·shortest ray).
    fn find_stray(&self) -> f64 {
        let mut stray = 0.0_f64;
        for v in 0..self.vertices.len() as u32 {
            let mean =
                self.sectors(v).iter().map(|&f| self.face(f).normal).sum::<DVec3>().normalize_or_zero();
            let extent = self.vertices.iter().map(|x| x.distance(self.vertex(v))).fold(0.0, f64::max);
            let lean = self.rays(v).iter().map(|r| -mean.dot(*r) / r.length()).fold(1.0, f64::min);
            let shortest = self.rays(v).iter().map(|r| r.length()).fold(f64::INFINITY, f64::min);
            stray = stray.max(if lean > 0.0 { extent / (lean * shortest) } else { f64::INFINITY });
        }
        stray
    }

    /// Where a face has a vertex, in the list of all corners.
    fn position(&self, face: u32, vertex: u32) -> Option<u32> {
        let place = self.corners(face).iter().position(|&v| v == vertex)?;
        Some(self.faces[face as usize].start + place as u32)
    }
}

/// The points that are used, in their order, and the corners of all faces in their numbers.
fn renumber(points: &[DVec3], loops: &[Vec<u32>]) -> (Vec<DVec3>, Vec<u32>) {
    let mut numbers = vec![u32::MAX; points.len()];
    loops.iter().flatten().for_each(|&p| numbers[p as usize] = 0);
    let mut vertices = Vec::new();
    for (number, &point) in numbers.iter_mut().zip(points).filter(|(n, _)| **n == 0) {
        *number = vertices.len() as u32;
        vertices.push(point);
    }
    let corners = loops.iter().flatten().map(|&p| numbers[p as usize]).collect();
    (vertices, corners)
}

fn sides(loops: &[Vec<u32>], corners: &[u32]) -> Vec<Side> {
    let mut sides = Vec::with_capacity(corners.len());
    for (face, corners_of_face) in loops.iter().enumerate() {
        let start = sides.len();
        let count = corners_of_face.len();
        for i in 0..count {
            let [from, to] = [i, (i + 1) % count].map(|i| corners[start + i]);
            sides.push(Side { from, to, face: face as u32, position: (start + i) as u32 });
        }
    }
    sides
}

/// The edges, and the edge of each side; `None` where a side has no counterpart or several.
fn pair_up(sides: &[Side]) -> Option<(Vec<Edge>, Vec<u32>)> {
    let mut sorted = sides.to_vec();
    sorted.sort_unstable_by_key(|s| (s.from.min(s.to), s.from.max(s.to), s.from));
    let mut edges = Vec::with_capacity(sides.len() / 2);
    let mut edge_of_side = vec![0; sides.len()];
    for pair in sorted.chunks(2) {
        let [left, right] = pair else { return None };
        if (left.from, left.to) != (right.to, right.from) || left.from == left.to {
            return None;
        }
        for side in [left, right] {
            edge_of_side[side.position as usize] = edges.len() as u32;
        }
        edges.push(Edge { vertices: [left.from, left.to], faces: [left.face, right.face] });
    }
    let unique = edges.windows(2).all(|e| e[0].vertices != e[1].vertices);
    unique.then_some((edges, edge_of_side))
}

fn faces(vertices: &[DVec3], loops: &[Vec<u32>], corners: &[u32]) -> Vec<Face> {
    let mut start = 0;
    let mut face = |count: usize| {
        let face = plane(vertices, &corners[start..start + count], start as u32);
        start += count;
        face
    };
    loops.iter().map(|l| face(l.len())).collect()
}

/// The plane of a polygon: its vector area gives the normal, its outermost corner the offset.
fn plane(vertices: &[DVec3], corners: &[u32], start: u32) -> Face {
    let vertex = |i: usize| vertices[corners[i] as usize];
    let area: DVec3 =
        (2..corners.len()).map(|i| twice_vector_area(vertex(0), vertex(i - 1), vertex(i))).sum();
    let normal = area.normalize_or(DVec3::Z);
    let heights = corners.iter().map(|&v| normal.dot(vertices[v as usize]));
    Face { normal, offset: heights.fold(f64::NEG_INFINITY, f64::max), start, count: corners.len() as u32 }
}

fn blocks(vertices: &[DVec3]) -> Vec<[[f64; 4]; 3]> {
    let block = |chunk: &[DVec3]| {
        let four = [0, 1, 2, 3].map(|i| chunk[i.min(chunk.len() - 1)]);
        [four.map(|v| v.x), four.map(|v| v.y), four.map(|v| v.z)]
    };
    vertices.chunks(4).map(block).collect()
}
