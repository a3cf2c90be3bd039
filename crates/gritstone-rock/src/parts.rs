//! Approximate convex decomposition.
//!
//! **Idea.** The solid is filled with voxels and cut by planes until the parts are nearly convex (VHACD, in parry). The hull of a part
//! is that of the rock's own surface in it and of the voxels inside, so that it is as exact as the surface is. Cuts are two to
//! the power of their depth, more than requested: while there are too many parts, the two are joined whose common hull
//! has the least volume beyond their own.
//!
//! **Source.** Mamou and Ghorbel 2009; Mamou, *Volumetric hierarchical approximate convex decomposition*, 2016.
//!
//! **Deviations.** Planes are weighed by concavity and balance alone: symmetry is weighed by eigenvalues, which differ in their last
//! digits from machine to machine.
//!
//! **Fails when** the solid is thinner than a voxel: parts are then missing, which [`deviation`](crate::Rock::deviation) shows.

use std::panic::{AssertUnwindSafe, catch_unwind};

use glam::DVec3;
use gritstone_shape::Body as _;
use gritstone_shape::space::Polyhedron;
use parry3d_f64::math::Vector;
use parry3d_f64::transformation::vhacd::{VHACD, VHACDParameters};
use parry3d_f64::transformation::voxelization::FillMode;

use crate::hull::reduced;
use crate::{Rock, RockError};

/// Voxels along the longest side.
pub(crate) const VOXELS: u32 = 64;
/// Volume that the hull of a part may have beyond the part, relative to that of the whole hull.
const CONCAVITY: f64 = 0.005;

/// A convex part.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Its shape, about its centre of mass.
    pub shape: Polyhedron,
    /// Where that is.
    pub position: DVec3,
}

impl Part {
    /// The convex hull of points with at most so many vertices.
    pub(crate) fn of(points: &[DVec3], vertices: usize) -> Option<Self> {
        let (shape, position) = reduced(points, vertices).ok()?;
        Some(Self { shape, position })
    }

    /// Its volume.
    pub fn volume(&self) -> f64 {
        self.shape.mass().volume
    }

    /// The same with all lengths, from the rock's centre of mass, multiplied by a factor.
    pub fn scaled(&self, factor: f64) -> Result<Self, RockError> {
        Ok(Self { shape: self.shape.scaled(factor)?, position: self.position * factor })
    }

    /// Its vertices in the frame of the rock.
    pub(crate) fn vertices(&self) -> impl Iterator<Item = DVec3> {
        self.shape.polytope().vertices().iter().map(|vertex| *vertex + self.position)
    }

    /// The hull of two of them.
    fn joined(&self, other: &Self) -> Option<Self> {
        Self::of(&self.vertices().chain(other.vertices()).collect::<Vec<_>>(), usize::MAX)
    }
}

impl Rock {
    /// Convex parts that make up the rock, about its centre of mass: at most so many, each with at most so many vertices.
    pub fn parts(&self, most: usize, vertices: usize) -> Result<Vec<Part>, RockError> {
        let mut parts: Vec<Part> =
            self.cut(most).iter().filter_map(|points| Part::of(points, usize::MAX)).collect();
        join(&mut parts, most.max(1));
        let simple = |part: &Part| Part::of(&part.vertices().collect::<Vec<_>>(), vertices);
        let parts: Vec<Part> = parts.iter().filter_map(simple).collect();
        if parts.is_empty() { Err(RockError::NoParts) } else { Ok(parts) }
    }

    /// Points of the parts: of the surface, and within.
    fn cut(&self, most: usize) -> Vec<Vec<DVec3>> {
        let settings = VHACDParameters {
            concavity: CONCAVITY,
            alpha: 0.05,
            beta: 0.0,
            resolution: VOXELS,
            plane_downsampling: 2,
            convex_hull_downsampling: 2,
            fill_mode: FillMode::FloodFill { detect_cavities: false },
            convex_hull_approximation: true,
            max_convex_hulls: u32::try_from(most).unwrap_or(u32::MAX).clamp(2, 256),
        };
        // About as large as one, whatever the rock's unit is.
        let scale = self.radius();
        let points: Vec<Vector> = self.points.iter().map(|point| *point / scale).collect();
        // Flat parts are beyond what its hulls are made for, and end in a panic.
        let cut = catch_unwind(AssertUnwindSafe(|| {
            let cut = VHACD::decompose(&settings, &points, &self.triangles, true);
            let mut parts = cut.compute_primitive_intersections(&points, &self.triangles);
            for (points, voxels) in parts.iter_mut().zip(cut.voxel_parts()) {
                let inner = voxels.voxels().iter().filter(|voxel| !voxel.is_on_surface);
                points.extend(inner.map(|voxel| voxels.get_voxel_point(voxel)));
            }
            parts
        }));
        let mut parts = cut.unwrap_or_default();
        parts.iter_mut().flatten().for_each(|point| *point *= scale);
        parts
    }
}

/// Joins parts until there are no more than so many.
fn join(parts: &mut Vec<Part>, most: usize) {
    // What joining two costs, for every pair of those that are left.
    let cost = |a: &Part, b: &Part| {
        let joined = a.joined(b)?;
        Some((joined.volume() - a.volume() - b.volume(), joined))
    };
    let mut costs: Vec<Vec<Option<(f64, Part)>>> = Vec::new();
    for (i, part) in parts.iter().enumerate() {
        costs.push(parts[..i].iter().map(|other| cost(part, other)).collect());
    }
    while parts.len() > most {
        let pairs = (0..parts.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        let priced = pairs.filter_map(|(i, j)| Some((costs[i][j].as_ref()?.0, i, j)));
        let Some((_, i, j)) = priced.min_by(|a, b| a.0.total_cmp(&b.0)) else { return };
        // The larger number goes, the smaller one gets both.
        let Some((_, joined)) = costs[i][j].take() else { return };
        parts[j] = joined;
        parts.remove(i);
        costs.remove(i);
        costs.iter_mut().skip(i).for_each(|row| drop(row.remove(i)));
        for k in 0..parts.len() {
            if k < j {
                costs[j][k] = cost(&parts[j], &parts[k]);
            } else if k > j {
                costs[k][j] = cost(&parts[k], &parts[j]);
            }
        }
    }
}
