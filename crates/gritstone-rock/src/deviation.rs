//! How far a body that stands for a rock is from the rock's surface.
//!
//! **Idea.** Points are spread over both surfaces, vertices included, and their distances to the other surface taken; the largest is the
//! Hausdorff distance, measured on these points. The surface of several parts is what of theirs lies in no other part and is
//! more than a voxel of the decomposition away from all others: slits between parts, where they were cut, are none. A
//! point of the rock that lies in parts is at least as deep as it is in the one that it is deepest in.

use glam::DVec3;
use gritstone_shape::space::Polyhedron;
use parry3d_f64::query::PointQuery as _;
use parry3d_f64::shape::TriMesh;

use crate::hull::outside;
use crate::parts::{Part, VOXELS};
use crate::sample::spread;
use crate::{Rock, RockError};

/// Points on each of the two surfaces, beside vertices.
const POINTS: usize = 4000;

/// How far a body is from the rock that it stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Deviation {
    /// Volume beyond that of the rock, relative to it.
    pub volume: f64,
    /// Hausdorff distance of the surfaces (m), measured on some thousand points.
    pub distance: f64,
}

/// A convex part with its surface.
struct Convex {
    shape: Polyhedron,
    position: DVec3,
    surface: TriMesh,
    corners: Vec<[DVec3; 3]>,
}

impl Convex {
    fn new(part: &Part) -> Result<Self, RockError> {
        let polytope = part.shape.polytope();
        let points: Vec<DVec3> = part.vertices().collect();
        let mut triangles: Vec<[u32; 3]> = Vec::new();
        for face in 0..polytope.faces().len() as u32 {
            let corners = polytope.corners(face);
            triangles.extend(corners[1..].windows(2).map(|pair| [corners[0], pair[0], pair[1]]));
        }
        let corners = triangles.iter().map(|triangle| triangle.map(|i| points[i as usize])).collect();
        let surface = TriMesh::new(points, triangles).map_err(|_| RockError::NoParts)?;
        Ok(Self { shape: part.shape.clone(), position: part.position, surface, corners })
    }

    /// Signed distance of a point from its surface, negative inside.
    fn distance(&self, x: DVec3) -> f64 {
        let outside = outside(&self.shape, x - self.position);
        // Inside, the nearest plane of a face is the nearest point.
        if outside <= 0.0 { outside } else { self.surface.distance_to_local_point(x, false) }
    }
}

impl Rock {
    /// The longest side of the box around it.
    fn longest_side(&self) -> f64 {
        let low = self.points.iter().copied().fold(DVec3::INFINITY, DVec3::min);
        let high = self.points.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
        (high - low).max_element()
    }

    /// How far convex parts of this volume together are from the rock.
    pub fn deviation(&self, parts: &[Part], volume: f64) -> Result<Deviation, RockError> {
        let parts = parts.iter().map(Convex::new).collect::<Result<Vec<_>, _>>()?;
        let surface =
            TriMesh::new(self.points.clone(), self.triangles.clone()).map_err(|_| RockError::NoVolume)?;
        let corners: Vec<_> = (0..self.triangles()).map(|i| self.corners(i)).collect();
        let own = spread(&corners, POINTS).into_iter().map(|(x, _)| x).chain(self.points.iter().copied());
        let to_parts = |x: DVec3| {
            let nearest = parts.iter().map(|part| part.distance(x)).fold(f64::INFINITY, f64::min);
            nearest.abs()
        };
        let mut distance = own.map(to_parts).fold(0.0, f64::max);
        let slit = self.longest_side() / f64::from(VOXELS);
        for (i, part) in parts.iter().enumerate() {
            let hidden = |x: DVec3| {
                let mut others = parts.iter().enumerate().filter(|(k, _)| *k != i);
                others.any(|(_, other)| outside(&other.shape, x - other.position) < slit)
            };
            let points = spread(&part.corners, POINTS / parts.len()).into_iter().map(|(x, _)| x);
            let vertices = part.surface.vertices().iter().copied();
            for x in points.chain(vertices).filter(|x| !hidden(*x)) {
                distance = f64::max(distance, surface.distance_to_local_point(x, false));
            }
        }
        Ok(Deviation { volume: volume / self.mass().volume - 1.0, distance })
    }
}
