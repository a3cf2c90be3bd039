//! Ambient occlusion from the depths around a sample.
//!
//! Source: McGuire, Mara, Luebke, "Scalable ambient obscurance", High Performance Graphics 2012, as in the
//! shader published with it:
//! `A = max(0, 1 − (5 / (R⁶ n)) Σ max(R² − v², 0)³ · max((v·n − β) / (v² + ε), 0))`,
//! with v from the point to a visible point around it, the normal n and the radius R.
//! Deviations: lengths are in units of R, so that nothing depends on the size of grains.

use glam::{Vec2, Vec3};

use crate::camera::Rays;
use crate::spiral::Spiral;
use crate::surface::{DepthMap, NOTHING};

/// Looks around for each sample.
const TAPS: usize = 14;

/// β, in units of R: what rises less above the tangent plane does not count.
const BIAS: f32 = 0.02;

/// ε, in units of R².
const EPSILON: f32 = 0.01;

/// Greatest R on the screen, as a fraction of the picture's height.
const WIDEST: f32 = 0.15;

pub(crate) struct Occlusion<'a> {
    rays: Rays,
    depths: &'a DepthMap,
    /// R, in metres.
    radius: f32,
    strength: f32,
}

impl<'a> Occlusion<'a> {
    pub(crate) fn new(rays: Rays, depths: &'a DepthMap, radius: f32, strength: f32) -> Self {
        Self { rays, depths, radius, strength }
    }

    /// Part of the surroundings that is seen from a point with its normal, at a sample of the screen.
    pub(crate) fn open_at(&self, (x, y): (u32, u32), point: Vec3, normal: Vec3, spiral: &Spiral) -> f32 {
        let spacing = self.rays.spacing_at(point.z);
        let radius = self.radius.min(WIDEST * self.depths.height as f32 * spacing);
        let disc = radius / spacing;
        if self.strength == 0.0 || disc < 1.0 {
            return 1.0;
        }
        let center = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
        let blocked = |tap: Vec2| self.blocked(center + disc * tap, point, normal, radius);
        let sum: f32 = spiral.points(TAPS).map(blocked).sum();
        (1.0 - self.strength * 5.0 / TAPS as f32 * sum).max(0.0)
    }

    /// What one visible point takes away.
    fn blocked(&self, at: Vec2, point: Vec3, normal: Vec3, radius: f32) -> f32 {
        let (column, row) = (at.x as i32, at.y as i32);
        let depth = self.depths.at(column, row);
        if depth == NOTHING {
            return 0.0;
        }
        let v = (self.rays.point(column as f32, row as f32, depth) - point) / radius;
        let near = (1.0 - v.length_squared()).max(0.0);
        near * near * near * ((v.dot(normal) - BIAS) / (v.length_squared() + EPSILON)).max(0.0)
    }
}
