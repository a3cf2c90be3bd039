//! What is kept of an answer.

use glam::DVec3;
use gritstone_shape::space::Polytope;
use serde::{Deserialize, Serialize};

use super::couple::{Corner, Couple};
use super::features::{Features, Kind};

/// Vertices of the Minkowski difference that can be kept.
pub(super) const CORNERS: usize = 6;
/// Triangles that a closed surface of that many vertices has.
const FACES: usize = 2 * CORNERS - 4;

/// What is kept of two polytopes from one answer to the next, 54 bytes: pairs of vertices. Apart, the up to three that
/// carry the nearest point, and what they are on each body; overlapping, a closed surface of four to six about the origin,
/// its nearest triangle first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    corners: [[u16; 2]; CORNERS],
    corner_count: u8,
    faces: [[u8; 3]; FACES],
    face_count: u8,
    three: Kind,
    /// The face that is meant by `three`.
    face: u16,
}

impl Kept {
    /// Whether a surface is kept.
    #[inline(always)]
    pub(super) fn is_surface(&self) -> bool {
        self.face_count > 0
    }

    /// Keeps up to three vertices.
    #[inline(always)]
    pub(super) fn keep_simplex(&mut self, corners: &[Corner]) {
        (self.corner_count, self.face_count, self.three) = (corners.len() as u8, 0, Kind::Unknown);
        for (kept, corner) in self.corners.iter_mut().zip(corners) {
            *kept = [corner.a as u16, corner.b as u16];
            if corner.a.max(corner.b) > u32::from(u16::MAX) {
                self.corner_count = 0;
            }
        }
    }

    /// Finds out which features three vertices are. Left to the next call, since a pair that is solved once has none.
    #[cold]
    fn recognise(&mut self, bodies: [&Polytope; 2]) {
        let pair =
            |i: usize| Corner { a: self.corners[i][0].into(), b: self.corners[i][1].into(), d: DVec3::ZERO };
        let [p, q, r] = [0, 1, 2].map(pair);
        let features = if self.corner_count == 1 {
            Some(Features::vertices(p.a, p.b))
        } else if self.corner_count == 2 && p.b == q.b {
            Some(Features::edge_vertex([p.a, q.a], p.b))
        } else if self.corner_count == 2 {
            (p.a == q.a).then_some(Features::vertex_edge(p.a, [p.b, q.b]))
        } else if p.a == q.a && p.a == r.a {
            common_face(bodies[1], [p.b, q.b, r.b]).map(|face| Features::vertex_face(p.a, face))
        } else if p.b == q.b && p.b == r.b {
            common_face(bodies[0], [p.a, q.a, r.a]).map(|face| Features::face_vertex(face, p.b))
        } else {
            // One of the three shares a vertex with each of the others.
            [[p, q, r], [p, r, q], [q, p, r], [q, r, p], [r, p, q], [r, q, p]]
                .into_iter()
                .find(|[at, on_a, on_b]| on_a.b == at.b && on_b.a == at.a)
                .map(|[at, on_a, on_b]| Features::edges([at.a, on_a.a], [at.b, on_b.b]))
        };
        if let Some(features) = features {
            self.keep_features(bodies, features);
        }
    }

    /// Keeps features, and three pairs of vertices that they have.
    pub(super) fn keep_features(&mut self, bodies: [&Polytope; 2], features: Features) {
        let Features { kind, a: [a, other_a], b: [b, other_b] } = features;
        let corners = match kind {
            Kind::FaceVertex => {
                let corners = bodies[0].corners(a);
                [[corners[0], b], [corners[1], b], [corners[2], b]]
            }
            Kind::VertexFace => {
                let corners = bodies[1].corners(b);
                [[a, corners[0]], [a, corners[1]], [a, corners[2]]]
            }
            Kind::Edges => [[a, b], [other_a, b], [a, other_b]],
            _ => [[a, b], [other_a, other_b], [a, b]],
        };
        let count = match kind {
            Kind::Vertices => 1,
            Kind::EdgeVertex | Kind::VertexEdge => 2,
            _ => 3,
        };
        let face = if kind == Kind::FaceVertex { a } else { b };
        let corners = corners.map(|[a, b]| Corner { a, b, d: DVec3::ZERO });
        self.keep_simplex(&corners[..count]);
        if let (Ok(face), 1..) = (u16::try_from(face), self.corner_count) {
            (self.three, self.face) = (kind, face);
        }
    }

    /// The features that are kept, if the bodies have them.
    #[inline(always)]
    pub(super) fn features(&mut self, of_a: &Polytope, of_b: &Polytope) -> Features {
        if self.corner_count == 0 || self.face_count > 0 {
            return Features::LOST;
        }
        if self.three == Kind::Unknown && self.suits(of_a, of_b) {
            self.recognise([of_a, of_b]);
        }
        let [[a, b], [other_a, second_b], [_, third_b], ..] =
            self.corners.map(|[a, b]| [u32::from(a), u32::from(b)]);
        let face = u32::from(self.face);
        let has = |polytope: &Polytope, v: u32| (v as usize) < polytope.vertices().len();
        let has_face = |polytope: &Polytope| (face as usize) < polytope.faces().len();
        match self.three {
            Kind::FaceVertex if has(of_b, b) && has_face(of_a) => Features::face_vertex(face, b),
            Kind::VertexFace if has(of_a, a) && has_face(of_b) => Features::vertex_face(a, face),
            Kind::Edges if has(of_a, a.max(other_a)) && has(of_b, b.max(third_b)) => {
                Features::edges([a, other_a], [b, third_b])
            }
            Kind::Vertices if has(of_a, a) && has(of_b, b) => Features::vertices(a, b),
            Kind::EdgeVertex if has(of_a, a.max(other_a)) && has(of_b, b) => {
                Features::edge_vertex([a, other_a], b)
            }
            Kind::VertexEdge if has(of_a, a) && has(of_b, b.max(second_b)) => {
                Features::vertex_edge(a, [b, second_b])
            }
            _ => Features::LOST,
        }
    }

    /// Keeps a surface that fits.
    pub(super) fn keep_surface(&mut self, corners: &[Corner], faces: impl Iterator<Item = [u8; 3]>) {
        self.keep_simplex(corners);
        if self.corner_count > 0 {
            for (kept, face) in self.faces.iter_mut().zip(faces) {
                *kept = face;
                self.face_count += 1;
            }
        }
    }

    /// Keeps the tetrahedron of a triangle, whose corners run counter-clockwise seen from inside, and a vertex inside.
    pub(super) fn keep_tetrahedron(&mut self, corners: &[Corner; 4]) {
        self.keep_surface(corners, [[0, 1, 2], [1, 0, 3], [2, 1, 3], [0, 2, 3]].into_iter());
    }

    /// Forgets all but the first triangle of a surface.
    #[inline(always)]
    pub(super) fn open(&mut self) {
        let [i, j, k] = self.faces[0].map(|i| usize::from(i) % CORNERS);
        let first = [self.corners[i], self.corners[j], self.corners[k]];
        self.corners[..3].copy_from_slice(&first);
        (self.corner_count, self.face_count) = (3, 0);
    }

    /// Whether the bodies have all vertices that are kept: otherwise the memory is of another pair.
    #[inline(always)]
    pub(super) fn suits(&self, a: &Polytope, b: &Polytope) -> bool {
        let (of_a, of_b) = (a.vertices().len(), b.vertices().len());
        let mut highest = [0; 2];
        for &[a, b] in &self.corners[..usize::from(self.corner_count).min(CORNERS)] {
            highest = [a.max(highest[0]), b.max(highest[1])];
        }
        usize::from(highest[0]) < of_a && usize::from(highest[1]) < of_b
    }

    /// A vertex where the bodies are now.
    #[inline(always)]
    pub(super) fn corner(&self, i: u8, couple: &Couple<'_>) -> Corner {
        let [a, b] = self.corners[usize::from(i) % CORNERS];
        couple.corner(a.into(), b.into())
    }

    /// Where all vertices are now.
    #[inline(always)]
    pub(super) fn places(&self, couple: &Couple<'_>) -> [DVec3; CORNERS] {
        let mut places = [DVec3::ZERO; CORNERS];
        for i in 0..self.corner_count {
            places[usize::from(i) % CORNERS] = self.corner(i, couple).d;
        }
        places
    }

    /// The first three vertices, where the bodies are now, and how many there are.
    #[inline(always)]
    pub(super) fn simplex(&self, couple: &Couple<'_>) -> ([Corner; 4], u32) {
        let mut corners = [Corner::default(); 4];
        if self.corner_count == 0 || !self.suits(couple.a, couple.b) {
            return (corners, 0);
        }
        corners[0] = self.corner(0, couple);
        if self.corner_count > 1 {
            corners[1] = self.corner(1, couple);
        }
        if self.corner_count > 2 {
            corners[2] = self.corner(2, couple);
        }
        (corners, u32::from(self.corner_count.min(3)))
    }

    /// The vertices where the bodies are now.
    pub(super) fn corners(&self, couple: &Couple<'_>) -> impl Iterator<Item = Corner> {
        (0..self.corner_count.min(CORNERS as u8)).map(|i| self.corner(i, couple))
    }

    /// Whether the triangles are made of vertices that are kept, which a memory from a damaged file may not be.
    pub(super) fn is_sound(&self) -> bool {
        self.faces().as_flattened().iter().all(|&i| i < self.corner_count.min(CORNERS as u8))
    }

    /// The triangles.
    #[inline(always)]
    pub(super) fn faces(&self) -> &[[u8; 3]] {
        &self.faces[..usize::from(self.face_count).min(FACES)]
    }
}

/// The face that has these vertices.
fn common_face(polytope: &Polytope, [u, v, w]: [u32; 3]) -> Option<u32> {
    let mut sectors = polytope.sectors(u).iter().copied();
    sectors.find(|&face| {
        let corners = polytope.corners(face);
        corners.contains(&v) && corners.contains(&w)
    })
}
