//! Translucent surfaces in front of the opaque ones, all of them, in order of depth.

use glam::Vec3;

use crate::camera::Viewport;
use crate::item::Item;
use crate::raster::{Hit, Raster, Sink};
use crate::surface::{SurfaceTile, farthest};
use crate::tiles::Entry;

/// Cosine of sight below which a shell does not get thicker, so that rims stay soft.
const THINNEST_COSINE: f32 = 0.12;

/// Every translucent surface of a tile, sorted by sample and then from back to front.
pub(crate) struct Layers {
    layers: Vec<(usize, Hit)>,
}

struct Collector<'a> {
    opaque: &'a [f32],
    horizon: f32,
    layers: Vec<(usize, Hit)>,
}

impl Layers {
    pub(crate) fn draw(
        viewport: &Viewport,
        items: &[Item],
        surface: &SurfaceTile,
        entries: &[Entry],
    ) -> Self {
        if entries.is_empty() {
            return Self { layers: Vec::new() };
        }
        let horizon = farthest(&surface.depths);
        let mut sink = Collector { opaque: &surface.depths, horizon, layers: Vec::new() };
        Raster::new(viewport, items, surface.rect).draw(entries, &mut sink);
        let mut layers = sink.layers;
        layers.sort_unstable_by(|(at_a, a), (at_b, b)| {
            let by_depth = b.depth.total_cmp(&a.depth);
            at_a.cmp(at_b).then(by_depth).then(b.item.cmp(&a.item)).then(b.triangle.cmp(&a.triangle))
        });
        Self { layers }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &(usize, Hit)> {
        self.layers.iter()
    }
}

impl Sink for Collector<'_> {
    const SHADED: bool = true;

    fn takes(&self, at: usize, depth: f32) -> bool {
        depth < self.opaque[at]
    }

    fn put(&mut self, at: usize, hit: Hit) {
        self.layers.push((at, hit));
    }

    fn horizon(&self) -> f32 {
        self.horizon
    }
}

/// Part of the light that a shell holds back when it is seen at a slant: its path through the shell is longer
/// by 1/cos (Beer and Lambert).
pub(crate) fn slanted_opacity(opacity: f32, normal: Vec3, to_eye: Vec3) -> f32 {
    let cosine = normal.dot(to_eye).abs().clamp(THINNEST_COSINE, 1.0);
    1.0 - (1.0 - opacity).powf(cosine.recip())
}
