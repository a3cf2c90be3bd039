//! What is kept of an answer: pairs of vertices, and how they were joined.

use serde::{Deserialize, Serialize};

use super::couple::{Corner, Couple};

/// Vertices of the Minkowski difference that can be kept.
const CORNERS: usize = 16;
/// Triangles that a closed surface of that many vertices has at most.
const FACES: usize = 2 * CORNERS - 4;

/// Pairs of vertices: apart, the simplex that carries the nearest point; overlapping, the surface about the origin.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Kept {
    corners: [[u16; 2]; CORNERS],
    corner_count: u8,
    faces: [[u8; 3]; FACES],
    face_count: u8,
}

impl Default for Kept {
    fn default() -> Self {
        Self { corners: [[0; 2]; CORNERS], corner_count: 0, faces: [[0; 3]; FACES], face_count: 0 }
    }
}

impl Kept {
    /// Whether a surface is kept.
    pub(super) fn is_surface(&self) -> bool {
        self.face_count > 0
    }

    /// Keeps up to three vertices.
    #[inline(always)]
    pub(super) fn keep_simplex(&mut self, corners: &[Corner]) {
        (self.corner_count, self.face_count) = (corners.len() as u8, 0);
        for (kept, c) in self.corners.iter_mut().zip(corners) {
            *kept = [c.a as u16, c.b as u16];
            if c.a.max(c.b) > u32::from(u16::MAX) {
                self.corner_count = 0;
            }
        }
    }

    /// Keeps a surface, if there is room for it, with the triangle `nearest` first.
    pub(super) fn keep_surface(
        &mut self,
        corners: &[Corner],
        faces: impl ExactSizeIterator<Item = [u8; 3]>,
        nearest: [u8; 3],
    ) {
        let small = |c: &Corner| c.a.max(c.b) <= u32::from(u16::MAX);
        (self.corner_count, self.face_count) = (0, 0);
        if corners.len() > CORNERS || faces.len() > FACES || !corners.iter().all(small) {
            return;
        }
        for (kept, c) in self.corners.iter_mut().zip(corners) {
            *kept = [c.a as u16, c.b as u16];
        }
        (self.corner_count, self.face_count) = (corners.len() as u8, faces.len() as u8);
        let mut place = 0;
        for (i, (kept, face)) in self.faces.iter_mut().zip(faces).enumerate() {
            *kept = face;
            place = if face == nearest { i } else { place };
        }
        self.faces.swap(0, place);
    }

    /// The vertices of a surface, where the bodies are now; `None` if there is none, or if a body does not have such a
    /// vertex: the memory is of another pair then.
    #[inline(always)]
    pub(super) fn surface(&self, couple: &Couple<'_>) -> Option<[Corner; CORNERS]> {
        let counts = [couple.a.vertices().len(), couple.b.vertices().len()];
        let mut corners = [Corner::default(); CORNERS];
        for (corner, &[a, b]) in corners.iter_mut().zip(&self.corners[..usize::from(self.corner_count)]) {
            if usize::from(a) >= counts[0] || usize::from(b) >= counts[1] {
                return None;
            }
            *corner = couple.corner(a.into(), b.into());
        }
        (self.face_count > 0).then_some(corners)
    }

    /// The first three vertices, where the bodies are now, and how many there are.
    #[inline(always)]
    pub(super) fn simplex(&self, couple: &Couple<'_>) -> ([Corner; 4], u32) {
        let counts = [couple.a.vertices().len(), couple.b.vertices().len()];
        let mut corners = [Corner::default(); 4];
        for i in 0..3 {
            let [a, b] = self.corners[i];
            if i == usize::from(self.corner_count)
                || usize::from(a) >= counts[0]
                || usize::from(b) >= counts[1]
            {
                return (corners, i as u32);
            }
            corners[i] = couple.corner(a.into(), b.into());
        }
        (corners, 3)
    }

    /// How many vertices are kept.
    pub(super) fn corner_count(&self) -> usize {
        self.corner_count.into()
    }

    /// The triangles.
    pub(super) fn faces(&self) -> &[[u8; 3]] {
        &self.faces[..usize::from(self.face_count)]
    }
}
