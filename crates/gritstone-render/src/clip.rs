//! Cuts triangles to the part of space that the rasteriser's whole numbers can hold.

use glam::{DVec3, Vec3};

use crate::camera::Viewport;

/// Samples on either side of the middle of the screen within which triangles are drawn as they are.
pub(crate) const GUARD: f64 = 65536.0;

/// A vertex in view coordinates with its normal in the body's frame.
#[derive(Clone, Copy)]
pub(crate) struct Vertex {
    pub seen: DVec3,
    pub normal: Vec3,
}

/// `normal · x + offset ≥ 0` is kept.
struct HalfSpace {
    normal: DVec3,
    offset: f64,
}

/// The region around the screen that can be drawn.
pub(crate) struct Region {
    sides: Vec<HalfSpace>,
}

impl Region {
    pub(crate) fn new(viewport: &Viewport) -> Self {
        let reach = GUARD / viewport.scale;
        let slanted = |axis: DVec3| {
            if viewport.perspective {
                HalfSpace { normal: axis + reach * DVec3::Z, offset: 0.0 }
            } else {
                HalfSpace { normal: axis, offset: reach }
            }
        };
        let mut sides: Vec<_> = [DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y].map(slanted).into();
        if viewport.perspective {
            sides.push(HalfSpace { normal: DVec3::Z, offset: -viewport.near });
        }
        Self { sides }
    }

    pub(crate) fn holds(&self, point: DVec3) -> bool {
        self.sides.iter().all(|side| side.normal.dot(point) + side.offset >= 0.0)
    }

    /// The part of a triangle inside, as a convex polygon (Sutherland and Hodgman 1974).
    pub(crate) fn clip(&self, triangle: [Vertex; 3]) -> Vec<Vertex> {
        let mut polygon = triangle.to_vec();
        for side in &self.sides {
            polygon = cut(&polygon, side);
        }
        polygon
    }
}

fn cut(polygon: &[Vertex], side: &HalfSpace) -> Vec<Vertex> {
    let height = |v: &Vertex| side.normal.dot(v.seen) + side.offset;
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (i, here) in polygon.iter().enumerate() {
        let next = &polygon[(i + 1) % polygon.len()];
        let (a, b) = (height(here), height(next));
        if a >= 0.0 {
            kept.push(*here);
        }
        if (a >= 0.0) != (b >= 0.0) {
            let t = a / (a - b);
            kept.push(Vertex {
                seen: here.seen.lerp(next.seen, t),
                normal: here.normal.lerp(next.normal, t as f32),
            });
        }
    }
    kept
}
