//! What is kept of an answer.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::couple::{Corner, Couple};

/// Vertices of the Minkowski difference that can be kept.
pub(super) const CORNERS: usize = 6;
/// Triangles that a closed surface of that many vertices has.
const FACES: usize = 2 * CORNERS - 4;

/// What is kept of two polytopes from one answer to the next, 50 bytes: pairs of vertices. Apart, the up to three that
/// carry the nearest point; overlapping, a closed surface of four to six about the origin, its nearest triangle first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    corners: [[u16; 2]; CORNERS],
    corner_count: u8,
    faces: [[u8; 3]; FACES],
    face_count: u8,
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
        (self.corner_count, self.face_count) = (corners.len() as u8, 0);
        for (kept, corner) in self.corners.iter_mut().zip(corners) {
            *kept = [corner.a as u16, corner.b as u16];
            if corner.a.max(corner.b) > u32::from(u16::MAX) {
                self.corner_count = 0;
            }
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
    pub(super) fn suits(&self, couple: &Couple<'_>) -> bool {
        let (of_a, of_b) = (couple.a.vertices().len(), couple.b.vertices().len());
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
        if self.corner_count == 0 || !self.suits(couple) {
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
