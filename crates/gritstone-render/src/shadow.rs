//! Soft shadows of the key lamp from a map of depths as the lamp sees them.
//!
//! The penumbra widens with the distance between the point and what stands in its light (percentage-closer
//! soft shadows, Fernando 2005). The surface around a point is taken as its tangent plane, which lies outside
//! a convex grain, so that grains do not shade themselves.

use glam::{DVec3, Mat3, Vec2, Vec3};

use crate::camera::Viewport;
use crate::item::{Item, Sphere};
use crate::spiral::Spiral;
use crate::surface::DepthMap;

/// Looks at the map to find what stands in the light, and then to find how much of the lamp is seen.
const SEARCH: usize = 8;
const FILTER: usize = 12;

/// Farthest things that are searched for, in typical radii of items.
const REACH: f32 = 16.0;

/// A surface this much nearer to the lamp, in typical radii, is taken for the same one: facets lie inside the
/// surface that their normals belong to.
const TOLERANCE: f32 = 0.012;

/// Steepest slope of a surface against the lamp that is followed.
const STEEPEST: f32 = 6.0;

/// Side of the squares that the map is drawn in.
const TILE: u32 = 64;

pub(crate) struct ShadowMap {
    map: DepthMap,
    /// From the picture's view coordinates to the lamp's.
    turn: Mat3,
    offset: Vec3,
    /// Texels per metre.
    scale: f32,
    /// Metres.
    tolerance: f32,
    reach: f32,
    softness: f32,
}

impl ShadowMap {
    /// The map for a lamp that shines along `forward` (in world axes), `side` texels wide.
    pub(crate) fn draw(
        picture: &Viewport,
        items: &[Item],
        forward: DVec3,
        typical_radius: f64,
        softness: f32,
        side: u32,
    ) -> Self {
        let Sphere { center, radius } =
            Sphere::around(items.iter().filter(|item| item.casts_shadow()).flat_map(Item::spheres));
        let lamp = Viewport::around(center, radius, forward, side);
        let scale = lamp.scale as f32;
        Self {
            map: DepthMap::draw(&lamp, items, TILE),
            turn: (lamp.turn * picture.turn.transpose()).as_mat3(),
            offset: lamp.view(picture.origin).as_vec3(),
            scale,
            tolerance: TOLERANCE * typical_radius as f32 + scale.recip(),
            reach: (REACH * typical_radius as f32).min(2.0 * radius as f32),
            softness,
        }
    }

    /// Part of the lamp that is seen from a point with its normal, both in view coordinates.
    pub(crate) fn light_at(&self, point: Vec3, normal: Vec3, spiral: &Spiral) -> f32 {
        let here = self.turn * point + self.offset;
        let normal = self.turn * normal;
        let receiver = Receiver {
            depth: here.z,
            column: 0.5 * self.map.width as f32 + self.scale * here.x,
            row: 0.5 * self.map.height as f32 - self.scale * here.y,
            slope: slope(normal) / self.scale,
        };
        let search = (self.softness * self.reach * self.scale).max(1.0);
        let mut blockers = 0.0;
        let mut distance = 0.0;
        for tap in spiral.points(SEARCH) {
            let above = self.above(&receiver, search * tap);
            if above > 0.0 {
                blockers += 1.0;
                distance += above;
            }
        }
        if blockers == 0.0 {
            return 1.0;
        }
        let penumbra = (self.softness * distance / blockers * self.scale).max(1.0);
        let shaded = spiral.points(FILTER).filter(|tap| self.above(&receiver, penumbra * *tap) > 0.0);
        1.0 - shaded.count() as f32 / FILTER as f32
    }

    /// How far something stands before the receiver's tangent plane at an offset in texels; 0 if nothing
    /// does.
    fn above(&self, receiver: &Receiver, offset: Vec2) -> f32 {
        let (column, row) = ((receiver.column + offset.x) as i32, (receiver.row + offset.y) as i32);
        let depth = self.map.at(column, row);
        // The map's depth belongs to the middle of the texel.
        let middle = Vec2::new(column as f32 + 0.5 - receiver.column, row as f32 + 0.5 - receiver.row);
        let above = receiver.depth + receiver.slope.dot(middle) - depth;
        if above > self.tolerance { above } else { 0.0 }
    }
}

struct Receiver {
    depth: f32,
    column: f32,
    row: f32,
    /// Metres of depth per texel along columns and rows.
    slope: Vec2,
}

/// Depth gained per metre along columns and rows of the map (rows run downwards) on the tangent plane.
fn slope(normal: Vec3) -> Vec2 {
    // Only surfaces that face the lamp ask, and their normals point towards smaller depth.
    let facing = (-normal.z).max(f32::EPSILON);
    (Vec2::new(normal.x, -normal.y) / facing).clamp_length_max(STEEPEST)
}
