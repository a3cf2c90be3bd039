//! Which planes bound an overlap, and how: with that it is found again where its bodies are now, without a search.
//!
//! **Idea.** Bodies that hardly move keep the faces and corners of what they have in common. Each corner lies in three planes, and
//! where these planes are now it is found again by a formula. What the outline says of the overlap is exact as long as no other
//! face begins or ceases to take part, and wrong by the volume of the piece that it misses from then on, which is of second
//! order in how far the bodies have moved. Its force is the gradient of its energy in either case.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::integrals::Triangle;
use super::region::{Owner, Plane, Region, crossing};

/// Planes and corners that an outline can have; overlaps with more are not kept.
const PLANES: usize = 16;
const CORNERS: usize = 24;
/// Volume that the normals of three planes span, at least: below it their common point is inexact.
const SLANT: f64 = 1e-3;

/// The outline of an overlap. Every corner is on three faces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Outline {
    /// Faces of the bodies: twice their number, and one more for b.
    planes: [u16; PLANES],
    count: u8,
    /// The planes in which each corner lies.
    triples: [[u8; 3]; CORNERS],
    corners: u8,
    /// The corners around each plane's face, one after the other, and where each plane's end.
    around: [[u8; CORNERS]; 3],
    ends: [u8; PLANES],
}

impl Outline {
    /// Of a region that these planes bound; none where it is too large, or a corner is inexact.
    pub(super) fn of(region: &Region, planes: &[Plane]) -> Option<Self> {
        let mut outline = Self::default();
        let mut numbers = [u32::MAX; CORNERS];
        for (plane, corners) in region.faces() {
            let number = usize::from(outline.count);
            let Plane { face, owner, .. } = planes[plane as usize];
            *outline.planes.get_mut(number)? = u16::try_from(2 * face + u32::from(owner == Owner::B)).ok()?;
            let mut end = if number == 0 { 0 } else { outline.ends[number - 1] };
            for &corner in corners {
                let known = numbers[..usize::from(outline.corners)].iter().position(|&known| known == corner);
                let place = known.unwrap_or(usize::from(outline.corners));
                *numbers.get_mut(place)? = corner;
                outline.corners = outline.corners.max(place as u8 + 1);
                *outline.around.as_flattened_mut().get_mut(usize::from(end))? = place as u8;
                end += 1;
            }
            outline.ends[number] = end;
            outline.count += 1;
        }
        let compact = |plane: u32| region.faces().position(|(other, _)| other == plane);
        for (triple, &corner) in outline.triples.iter_mut().zip(&numbers[..usize::from(outline.corners)]) {
            let three = region.triple(corner);
            let [a, b, c] = three.map(|plane| planes.get(plane as usize).map_or(DVec3::ZERO, |p| p.normal));
            if a.dot(b.cross(c)).abs() < SLANT {
                return None;
            }
            for (place, plane) in triple.iter_mut().zip(three) {
                *place = compact(plane)? as u8;
            }
        }
        Some(outline)
    }

    /// Whether there is one.
    pub fn is_some(&self) -> bool {
        self.count > 0
    }

    /// The surface of the overlap, where the planes are now: `place` puts a face of a body there.
    #[inline]
    pub(super) fn triangles(&self, place: impl Fn(Owner, usize) -> Plane, triangles: &mut Vec<Triangle>) {
        let blank = Plane { normal: DVec3::ZERO, offset: 0.0, owner: Owner::A, face: 0 };
        let (mut planes, mut points) = ([blank; PLANES], [DVec3::ZERO; CORNERS]);
        let count = usize::from(self.count).min(PLANES);
        for (plane, &number) in planes.iter_mut().zip(&self.planes).take(count) {
            let owner = if number % 2 == 0 { Owner::A } else { Owner::B };
            *plane = place(owner, usize::from(number / 2));
        }
        let corners = usize::from(self.corners).min(CORNERS);
        for (point, triple) in points.iter_mut().zip(&self.triples).take(corners) {
            *point = crossing(triple.map(|plane| &planes[usize::from(plane) % PLANES]));
        }
        let mut start = 0;
        for (&end, plane) in self.ends.iter().zip(&planes).take(count) {
            let around = self.around.as_flattened().get(start..usize::from(end)).unwrap_or_default();
            let at = |i: usize| points[usize::from(around[i]) % CORNERS];
            for i in 2..around.len() {
                triangles.push(Triangle { corners: [at(0), at(i - 1), at(i)], owner: plane.owner });
            }
            start = usize::from(end);
        }
    }
}
