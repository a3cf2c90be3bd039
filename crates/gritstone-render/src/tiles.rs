//! The screen in square tiles, and which items may touch each.

use glam::DVec3;

use crate::camera::Viewport;
use crate::item::Item;

/// Samples x0 ≤ x < x1, y0 ≤ y < y1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rect {
    pub x0: u32,
    pub y0: u32,
    pub x1: u32,
    pub y1: u32,
}

impl Rect {
    pub(crate) fn width(&self) -> usize {
        (self.x1 - self.x0) as usize
    }

    pub(crate) fn area(&self) -> usize {
        self.width() * (self.y1 - self.y0) as usize
    }
}

/// A screen cut into squares; those at the right and bottom may be cut short.
#[derive(Clone, Copy)]
pub(crate) struct Tiles {
    width: u32,
    height: u32,
    side: u32,
}

/// A part of an item in a tile, with the depth of its nearest point, or less.
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    pub item: u32,
    pub part: u32,
    pub near: f32,
}

impl Tiles {
    pub(crate) fn new(width: u32, height: u32, side: u32) -> Self {
        Self { width, height, side }
    }

    fn columns(&self) -> u32 {
        self.width.div_ceil(self.side)
    }

    pub(crate) fn count(&self) -> usize {
        (self.columns() * self.height.div_ceil(self.side)) as usize
    }

    pub(crate) fn rect(&self, tile: usize) -> Rect {
        let (x0, y0) = (tile as u32 % self.columns() * self.side, tile as u32 / self.columns() * self.side);
        let (x1, y1) = ((x0 + self.side).min(self.width), (y0 + self.side).min(self.height));
        Rect { x0, y0, x1, y1 }
    }

    /// The parts of chosen items that may touch each tile, nearest first (then in the order of the scene).
    pub(crate) fn sort<'i>(
        &self,
        viewport: &Viewport,
        items: &[Item<'i>],
        chosen: impl Fn(&Item<'i>) -> bool,
    ) -> Vec<Vec<Entry>> {
        let mut order: Vec<(Entry, Rect)> = (0u32..)
            .zip(items)
            .filter(|(_, item)| chosen(item))
            .flat_map(|(index, item)| (0u32..).zip(item.spheres()).map(move |part| (index, part)))
            .filter_map(|(item, (part, sphere))| {
                let seen = viewport.view(sphere.center);
                // Rounded down by more than single precision may round up.
                let near = (seen.z - sphere.radius * (1.0 + 1e-6)) as f32;
                let near = near - near.abs() * f32::EPSILON;
                self.touched(viewport, seen, sphere.radius).map(|tiles| (Entry { item, part, near }, tiles))
            })
            .collect();
        order.sort_by(|(a, _), (b, _)| {
            a.near.total_cmp(&b.near).then(a.item.cmp(&b.item)).then(a.part.cmp(&b.part))
        });
        let mut bins = vec![Vec::new(); self.count()];
        for (entry, tiles) in order {
            for row in tiles.y0..tiles.y1 {
                for column in tiles.x0..tiles.x1 {
                    bins[(row * self.columns() + column) as usize].push(entry);
                }
            }
        }
        bins
    }

    /// Columns and rows of tiles that a sphere may touch.
    fn touched(&self, viewport: &Viewport, center: DVec3, radius: f64) -> Option<Rect> {
        let (low, high) = (center - radius, center + radius);
        if viewport.perspective && high.z <= viewport.near {
            return None;
        }
        let [mut x, mut y] = [[f64::NEG_INFINITY, f64::INFINITY]; 2];
        if !viewport.perspective || low.z > viewport.near {
            // The eight corners of the sphere's box bound its picture.
            let corners = [0, 1, 2, 3, 4, 5, 6, 7].map(|bits| {
                let pick = |bit: u32| if bits >> bit & 1 == 0 { low } else { high };
                viewport.screen(DVec3::new(pick(0).x, pick(1).y, pick(2).z))
            });
            x = bounds(corners.map(|c| c.x));
            y = bounds(corners.map(|c| c.y));
        }
        let (x0, x1) = self.strip(x, self.width)?;
        let (y0, y1) = self.strip(y, self.height)?;
        Some(Rect { x0, y0, x1, y1 })
    }

    /// Tiles along one side of the screen that an interval may touch, with a sample to spare.
    fn strip(&self, [low, high]: [f64; 2], samples: u32) -> Option<(u32, u32)> {
        if high < -1.0 || low > f64::from(samples) + 1.0 {
            return None;
        }
        let first = (low - 1.0).max(0.0) as u32 / self.side;
        let last = (high + 1.0).clamp(0.0, f64::from(samples - 1)) as u32 / self.side;
        (first <= last).then_some((first, last + 1))
    }
}

fn bounds(values: [f64; 8]) -> [f64; 2] {
    values.into_iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], v| [low.min(v), high.max(v)])
}
