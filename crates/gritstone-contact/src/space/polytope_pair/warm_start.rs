//! What the next solve of a pair starts from: the vertices or features of its last answer.

use glam::DVec3;
use gritstone_shape::space::Polytope;
use serde::{Deserialize, Serialize};

use super::features::{Features, Kind};
use super::minkowski_difference::{Corner, MinkowskiDifference};

/// Vertices of the Minkowski difference that can be kept.
pub(super) const CORNERS: usize = 6;
/// Triangles that a closed surface of that many vertices has.
const FACES: usize = 2 * CORNERS - 4;

/// What is kept of two polytopes from one answer to the next, 60 bytes: pairs of vertices. Apart, the up to three that carry
/// the nearest point, and what they are on each body; overlapping, a closed surface of four to six about the origin, its
/// nearest triangle first. Bodies that part keep the surface for when they meet again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WarmStart {
    corners: [[u16; 2]; CORNERS],
    corner_count: u8,
    faces: [[u8; 3]; FACES],
    face_count: u8,
    /// Whether the bodies overlapped last, so that the surface comes first, then the features.
    overlap: bool,
    kind: Kind,
    /// The features of that kind.
    a: [u16; 2],
    b: [u16; 2],
}

impl WarmStart {
    /// Whether a surface is kept.
    #[inline(always)]
    pub(super) fn is_surface(&self) -> bool {
        self.face_count > 0
    }

    /// Keeps up to three vertices.
    #[inline(always)]
    pub(super) fn keep_simplex(&mut self, corners: &[Corner]) {
        (self.corner_count, self.face_count) = (corners.len() as u8, 0);
        (self.kind, self.overlap) = (Kind::Unknown, false);
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
        let [p, q, r] = self.first().map(|[a, b]| Corner { a: a.into(), b: b.into(), d: DVec3::ZERO });
        let count = self.first_count();
        let features = if count == 1 {
            Some(Features::vertices(p.a, p.b))
        } else if count == 2 && p.b == q.b {
            Some(Features::edge_vertex([p.a, q.a], p.b))
        } else if count == 2 {
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

    /// Keeps features and, where there is no surface to continue from, pairs of vertices that they have.
    pub(super) fn keep_features(&mut self, bodies: [&Polytope; 2], features: Features) {
        if self.face_count == 0 {
            self.keep_vertices_of(bodies, features);
        }
        let short = |[x, y]: [u32; 2]| Some([u16::try_from(x).ok()?, u16::try_from(y).ok()?]);
        self.overlap = false;
        if let (Some(a), Some(b), 1..) = (short(features.a), short(features.b), self.corner_count) {
            (self.kind, self.a, self.b) = (features.kind, a, b);
        } else {
            self.kind = Kind::Unknown;
        }
    }

    fn keep_vertices_of(&mut self, bodies: [&Polytope; 2], features: Features) {
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
        self.keep_simplex(&corners.map(|[a, b]| Corner { a, b, d: DVec3::ZERO })[..count]);
    }

    /// The features that are kept, if the bodies have them and did not overlap last.
    #[inline(always)]
    pub(super) fn features(&mut self, of_a: &Polytope, of_b: &Polytope) -> Features {
        if self.corner_count == 0 || self.overlap {
            return Features::LOST;
        }
        if self.kind == Kind::Unknown && self.suits(of_a, of_b) {
            self.recognise([of_a, of_b]);
        }
        let (a, b) = (self.a.map(u32::from), self.b.map(u32::from));
        let has = |polytope: &Polytope, [v, w]: [u32; 2]| (v.max(w) as usize) < polytope.vertices().len();
        let has_face = |polytope: &Polytope, face: u32| (face as usize) < polytope.faces().len();
        let known = match self.kind {
            Kind::Unknown => false,
            Kind::FaceVertex => has_face(of_a, a[0]) && has(of_b, b),
            Kind::VertexFace => has(of_a, a) && has_face(of_b, b[0]),
            _ => has(of_a, a) && has(of_b, b),
        };
        if known { Features { kind: self.kind, a, b } } else { Features::LOST }
    }

    /// Keeps a surface that fits.
    pub(super) fn keep_surface(&mut self, corners: &[Corner], faces: impl Iterator<Item = [u8; 3]>) {
        self.keep_simplex(corners);
        if self.corner_count > 0 {
            for (kept, face) in self.faces.iter_mut().zip(faces) {
                *kept = face;
                self.face_count += 1;
            }
            self.overlap = true;
        }
    }

    /// Keeps the tetrahedron of a triangle, whose corners run counter-clockwise seen from inside, and a vertex inside.
    pub(super) fn keep_tetrahedron(&mut self, corners: &[Corner; 4]) {
        self.keep_surface(corners, [[0, 1, 2], [1, 0, 3], [2, 1, 3], [0, 2, 3]].into_iter());
    }

    /// Says whether the bodies overlap, which decides what is looked at first the next time.
    #[inline(always)]
    pub(super) fn set_overlap(&mut self, overlap: bool) {
        self.overlap = overlap;
    }

    /// Whether the bodies overlapped last.
    #[inline(always)]
    pub(super) fn overlapped(&self) -> bool {
        self.overlap
    }

    /// The first triangle of a surface, else the first three vertices.
    #[inline(always)]
    fn first(&self) -> [[u16; 2]; 3] {
        let first = if self.face_count > 0 { self.faces[0] } else { [0, 1, 2] };
        first.map(|i| self.corners[usize::from(i) % CORNERS])
    }

    /// How many vertices that is.
    #[inline(always)]
    fn first_count(&self) -> u8 {
        if self.face_count > 0 { 3 } else { self.corner_count.min(3) }
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
    pub(super) fn corner(&self, i: u8, difference: &MinkowskiDifference<'_>) -> Corner {
        let [a, b] = self.corners[usize::from(i) % CORNERS];
        difference.corner(a.into(), b.into())
    }

    /// Where all vertices are now.
    #[inline(always)]
    pub(super) fn places(&self, difference: &MinkowskiDifference<'_>) -> [DVec3; CORNERS] {
        let mut places = [DVec3::ZERO; CORNERS];
        for i in 0..self.corner_count {
            places[usize::from(i) % CORNERS] = self.corner(i, difference).d;
        }
        places
    }

    /// The first three vertices, where the bodies are now, and how many there are.
    #[inline(always)]
    pub(super) fn simplex(&self, difference: &MinkowskiDifference<'_>) -> ([Corner; 4], u32) {
        let mut corners = [Corner::default(); 4];
        if self.corner_count == 0 || !self.suits(difference.a, difference.b) {
            return (corners, 0);
        }
        let ([p, q, r], count) = (self.first(), self.first_count());
        let corner = |[a, b]: [u16; 2]| difference.corner(a.into(), b.into());
        corners[0] = corner(p);
        if count > 1 {
            corners[1] = corner(q);
        }
        if count > 2 {
            corners[2] = corner(r);
        }
        (corners, u32::from(count))
    }

    /// The vertices where the bodies are now.
    pub(super) fn corners(&self, difference: &MinkowskiDifference<'_>) -> impl Iterator<Item = Corner> {
        (0..self.corner_count.min(CORNERS as u8)).map(|i| self.corner(i, difference))
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
