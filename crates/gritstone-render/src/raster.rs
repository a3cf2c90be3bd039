//! Triangles to samples.
//!
//! Corners are rounded to 1/256 of a sample and edges are evaluated in whole numbers, so that two triangles
//! with a common edge leave no gap and share no sample (the top-left rule), on any machine.

use glam::{DVec3, Mat3, Vec3};

use crate::camera::Viewport;
use crate::clip::{Region, Vertex};
use crate::item::Item;
use crate::part::Part;
use crate::tiles::{Entry, Rect};

/// Steps of a corner's position per sample, as a power of two.
const SUBSAMPLE_BITS: u32 = 8;
const SUBSAMPLE: i64 = 1 << SUBSAMPLE_BITS;

/// Parts drawn between two looks at whether the rest of a tile is hidden.
const CHECK_EVERY: usize = 8;

/// What a tile makes of the surfaces that it is shown.
pub(crate) trait Sink {
    /// Whether normals matter.
    const SHADED: bool;
    /// Whether a surface at this depth is of interest at a sample of the tile.
    fn takes(&self, at: usize, depth: f32) -> bool;
    /// Takes it.
    fn put(&mut self, at: usize, hit: Hit);
    /// Nothing from this depth on is of interest anywhere in the tile.
    fn horizon(&self) -> f32;
}

/// A surface at a sample.
#[derive(Clone, Copy)]
pub(crate) struct Hit {
    pub depth: f32,
    /// Outward unit normal in view axes; zero where normals do not matter.
    pub normal: Vec3,
    pub item: u32,
    pub triangle: u32,
}

/// Draws items into one tile, one after the other.
pub(crate) struct Raster<'a> {
    viewport: &'a Viewport,
    items: &'a [Item<'a>],
    tile: Rect,
    region: Region,
    corners: Vec<Corner>,
}

/// A vertex on the screen.
#[derive(Clone, Copy)]
struct Corner {
    seen: DVec3,
    x: i64,
    y: i64,
    depth: f32,
    /// 1/depth in perspective, where it is what varies linearly on the screen.
    weight: f32,
    drawable: bool,
}

/// The item that a triangle belongs to, and what its normals need.
struct Origin {
    item: u32,
    triangle: u32,
    normals: Mat3,
}

impl<'a> Raster<'a> {
    pub(crate) fn new(viewport: &'a Viewport, items: &'a [Item<'a>], tile: Rect) -> Self {
        Self { viewport, items, tile, region: Region::new(viewport), corners: Vec::new() }
    }

    /// Draws the items of a tile, which come nearest first, until the rest is hidden.
    pub(crate) fn draw<S: Sink>(&mut self, entries: &[Entry], sink: &mut S) {
        let mut horizon = f32::INFINITY;
        for (count, entry) in entries.iter().enumerate() {
            if count % CHECK_EVERY == 0 {
                horizon = sink.horizon();
            }
            if entry.near >= horizon {
                break;
            }
            self.draw_part(entry, sink);
        }
    }

    fn draw_part<S: Sink>(&mut self, entry: &Entry, sink: &mut S) {
        let items = self.items;
        let item = &items[entry.item as usize];
        let part = &item.parts[entry.part as usize];
        self.place(item, part);
        let normals = (self.viewport.turn * item.normals).as_mat3();
        for (triangle, vertices) in (part.first..).zip(&part.triangles) {
            let corners = vertices.map(|i| self.corners[i as usize]);
            let origin = Origin { item: entry.item, triangle, normals };
            let normals = || vertices.map(|i| part.normals[i as usize]);
            if corners.iter().all(|corner| corner.drawable) {
                self.fill(&corners, normals, &origin, sink);
            } else {
                self.fill_clipped(&corners, normals(), &origin, sink);
            }
        }
    }

    /// Where the vertices of a part are on the screen.
    fn place(&mut self, item: &Item, part: &Part) {
        let linear = self.viewport.turn * item.linear;
        let offset = self.viewport.view(item.offset);
        let (viewport, region) = (self.viewport, &self.region);
        self.corners.clear();
        self.corners.extend(part.positions.iter().map(|position| {
            let seen = linear * position + offset;
            if region.holds(seen) {
                Corner::new(viewport, seen)
            } else {
                Corner { seen, x: 0, y: 0, depth: 0.0, weight: 0.0, drawable: false }
            }
        }));
    }

    fn fill_clipped<S: Sink>(
        &self,
        corners: &[Corner; 3],
        normals: [Vec3; 3],
        origin: &Origin,
        sink: &mut S,
    ) {
        let vertex = |i: usize| Vertex { seen: corners[i].seen, normal: normals[i] };
        let polygon = self.region.clip([vertex(0), vertex(1), vertex(2)]);
        for i in 2..polygon.len() {
            let fan = [polygon[0], polygon[i - 1], polygon[i]];
            let corners = fan.map(|v| Corner::new(self.viewport, v.seen));
            self.fill(&corners, || fan.map(|v| v.normal), origin, sink);
        }
    }

    /// Draws one triangle if it faces the viewer.
    fn fill<S: Sink>(
        &self,
        [a, b, c]: &[Corner; 3],
        normals: impl Fn() -> [Vec3; 3],
        origin: &Origin,
        sink: &mut S,
    ) {
        // Rows run downwards: outlines that are counter-clockwise to the eye have negative area here.
        let area = (c.x - a.x) * (b.y - a.y) - (c.y - a.y) * (b.x - a.x);
        let Some(span) = self.span([a, b, c]).filter(|_| area > 0) else { return };
        let edges = [Edge::new(c, b, &span), Edge::new(a, c, &span), Edge::new(b, a, &span)];
        let per_area = (area as f32).recip();
        let [na, nb, nc] = if S::SHADED { normals() } else { [Vec3::ZERO; 3] };
        for y in span.y0..span.y1 {
            let row = y - span.y0;
            let start = (y - self.tile.y0) as usize * self.tile.width();
            for x in span.x0..span.x1 {
                let [ea, eb, ec] = [0, 1, 2].map(|i| edges[i].at(x - span.x0, row));
                if (ea | eb | ec) < 0 {
                    continue;
                }
                // Weights on the screen, then on the surface.
                let (la, lb) = (ea as f32 * per_area, eb as f32 * per_area);
                let (wa, wb, wc) = (la * a.weight, lb * b.weight, (1.0 - la - lb) * c.weight);
                let per_sum = (wa + wb + wc).recip();
                let depth = (wa * a.depth + wb * b.depth + wc * c.depth) * per_sum;
                let at = start + (x - self.tile.x0) as usize;
                if sink.takes(at, depth) {
                    let normal = origin.normals * (wa * na + wb * nb + wc * nc);
                    let normal = if S::SHADED { normal.normalize_or_zero() } else { normal };
                    sink.put(at, Hit { depth, normal, item: origin.item, triangle: origin.triangle });
                }
            }
        }
    }

    /// The samples of the tile whose centres the box around a triangle holds.
    fn span(&self, corners: [&Corner; 3]) -> Option<Rect> {
        let within = |values: [i64; 3], low: u32, high: u32| {
            let [a, b, c] = values;
            let half = SUBSAMPLE / 2;
            let first = (a.min(b).min(c) - half + SUBSAMPLE - 1) >> SUBSAMPLE_BITS;
            let last = (a.max(b).max(c) - half) >> SUBSAMPLE_BITS;
            let (first, end) = (first.max(i64::from(low)), (last + 1).min(i64::from(high)));
            (first < end).then_some((first as u32, end as u32))
        };
        let (x0, x1) = within(corners.map(|corner| corner.x), self.tile.x0, self.tile.x1)?;
        let (y0, y1) = within(corners.map(|corner| corner.y), self.tile.y0, self.tile.y1)?;
        Some(Rect { x0, y0, x1, y1 })
    }
}

impl Corner {
    fn new(viewport: &Viewport, seen: DVec3) -> Self {
        let screen = viewport.screen(seen);
        let weight = if viewport.perspective { seen.z.recip() as f32 } else { 1.0 };
        Self { seen, x: steps(screen.x), y: steps(screen.y), depth: seen.z as f32, weight, drawable: true }
    }
}

/// The nearest whole number of steps. The guard band keeps the sum positive, where casting rounds down.
fn steps(samples: f64) -> i64 {
    const ORIGIN: i64 = 1 << 40;
    (samples * SUBSAMPLE as f64 + (ORIGIN as f64 + 0.5)) as i64 - ORIGIN
}

/// Twice the area of the triangle that a sample forms with an edge; negative outside.
struct Edge {
    first: i64,
    per_column: i64,
    per_row: i64,
}

impl Edge {
    fn new(from: &Corner, to: &Corner, span: &Rect) -> Self {
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        let center = |sample: u32| (i64::from(sample) << SUBSAMPLE_BITS) + SUBSAMPLE / 2;
        // A sample on the edge belongs to one of its two triangles only.
        let owned = dy < 0 || (dy == 0 && dx > 0);
        let first = dx * (center(span.y0) - from.y) - dy * (center(span.x0) - from.x);
        Self {
            first: if owned { first } else { first - 1 },
            per_column: -dy << SUBSAMPLE_BITS,
            per_row: dx << SUBSAMPLE_BITS,
        }
    }

    fn at(&self, column: u32, row: u32) -> i64 {
        self.first + i64::from(column) * self.per_column + i64::from(row) * self.per_row
    }
}
