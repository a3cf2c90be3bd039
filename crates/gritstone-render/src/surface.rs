//! The nearest opaque surface at every sample.

use glam::Vec3;
use rayon::prelude::*;

use crate::camera::Viewport;
use crate::item::Item;
use crate::raster::{Hit, Raster, Sink};
use crate::tiles::{Entry, Rect, Tiles};

/// Depth where nothing is.
pub(crate) const NOTHING: f32 = f32::INFINITY;

/// Depths of a whole screen, row by row.
pub(crate) struct DepthMap {
    pub width: u32,
    pub height: u32,
    depths: Vec<f32>,
}

/// Surfaces of one tile.
pub(crate) struct SurfaceTile {
    pub rect: Rect,
    pub depths: Vec<f32>,
    pub normals: Vec<Vec3>,
    pub items: Vec<u32>,
}

/// Depths of one tile.
struct DepthTile {
    rect: Rect,
    depths: Vec<f32>,
}

impl DepthMap {
    /// Draws what casts shadows, for its depths alone.
    pub(crate) fn draw(viewport: &Viewport, items: &[Item], side: u32) -> Self {
        let tiles = Tiles::new(viewport.width, viewport.height, side);
        let bins = tiles.sort(viewport, items, Item::casts_shadow);
        let drawn: Vec<DepthTile> = (0..tiles.count())
            .into_par_iter()
            .map(|tile| {
                let rect = tiles.rect(tile);
                let mut sink = DepthTile { rect, depths: vec![NOTHING; rect.area()] };
                Raster::new(viewport, items, rect).draw(&bins[tile], &mut sink);
                sink
            })
            .collect();
        Self::gather(viewport, drawn.iter().map(|tile| (tile.rect, tile.depths.as_slice())))
    }

    pub(crate) fn gather<'a>(viewport: &Viewport, tiles: impl Iterator<Item = (Rect, &'a [f32])>) -> Self {
        let (width, height) = (viewport.width, viewport.height);
        let mut depths = vec![NOTHING; width as usize * height as usize];
        for (rect, tile) in tiles {
            for (row, line) in (rect.y0 as usize..).zip(tile.chunks_exact(rect.width())) {
                let start = row * width as usize + rect.x0 as usize;
                depths[start..start + line.len()].copy_from_slice(line);
            }
        }
        Self { width, height, depths }
    }

    /// Depth at a sample; nothing outside.
    pub(crate) fn at(&self, x: i32, y: i32) -> f32 {
        // Negative numbers become large ones.
        let (x, y) = (x as u32, y as u32);
        if x < self.width && y < self.height {
            self.depths[y as usize * self.width as usize + x as usize]
        } else {
            NOTHING
        }
    }
}

impl SurfaceTile {
    pub(crate) fn draw(viewport: &Viewport, items: &[Item], rect: Rect, entries: &[Entry]) -> Self {
        let area = rect.area();
        let mut tile =
            Self { rect, depths: vec![NOTHING; area], normals: vec![Vec3::ZERO; area], items: vec![0; area] };
        Raster::new(viewport, items, rect).draw(entries, &mut tile);
        tile
    }
}

impl Sink for DepthTile {
    const SHADED: bool = false;

    fn takes(&self, at: usize, depth: f32) -> bool {
        depth < self.depths[at]
    }

    fn put(&mut self, at: usize, hit: Hit) {
        self.depths[at] = hit.depth;
    }

    fn horizon(&self) -> f32 {
        farthest(&self.depths)
    }
}

impl Sink for SurfaceTile {
    const SHADED: bool = true;

    fn takes(&self, at: usize, depth: f32) -> bool {
        depth < self.depths[at]
    }

    fn put(&mut self, at: usize, hit: Hit) {
        self.depths[at] = hit.depth;
        self.normals[at] = hit.normal;
        self.items[at] = hit.item;
    }

    fn horizon(&self) -> f32 {
        farthest(&self.depths)
    }
}

pub(crate) fn farthest(depths: &[f32]) -> f32 {
    depths.iter().copied().fold(f32::NEG_INFINITY, f32::max)
}
