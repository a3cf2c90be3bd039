//! Polygons cut into triangles, no more of them than there is memory for: a corner of a polygon takes two bytes of a file, or one.

use glam::DVec3;
use gritstone_files::memory;

use super::{Corners, PER_TRIANGLE};

/// Triangles of polygons.
#[derive(Debug)]
pub(super) struct Fans {
    triangles: Vec<Corners>,
    most: usize,
}

impl Fans {
    pub(super) fn new() -> Self {
        let most = usize::try_from(memory::limit() / PER_TRIANGLE).unwrap_or(usize::MAX);
        Self { triangles: Vec::new(), most }
    }

    /// Whether there may be a polygon of so many corners with so many triangles before it.
    pub(super) fn check(&self, before: usize, corners: usize) -> Result<(), String> {
        if corners.saturating_sub(2) <= self.most.saturating_sub(before) {
            return Ok(());
        }
        Err(format!(
            "there are more than {} triangles, which is all that may be read (--memory-limit)",
            self.most
        ))
    }

    /// A polygon, cut about its first corner.
    pub(super) fn push(&mut self, corners: &[DVec3]) -> Result<(), String> {
        self.check(self.triangles.len(), corners.len())?;
        let sides = corners.get(1..).unwrap_or_default().windows(2);
        self.triangles.extend(sides.map(|side| [corners[0], side[0], side[1]]));
        Ok(())
    }

    /// How many triangles there are.
    pub(super) fn len(&self) -> usize {
        self.triangles.len()
    }

    pub(super) fn into_triangles(self) -> Vec<Corners> {
        self.triangles
    }
}
