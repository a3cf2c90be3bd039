//! Pictures of the plane: convex polygons with outlines and lines, laid over each other in order.
//!
//! Nothing is lit here. Each pixel is covered in proportion to how far its middle lies inside a shape, which is exact for
//! straight edges along the pixels and within a few per cent for others.

use glam::{DVec2, Vec3};
use rayon::prelude::*;

use crate::{Color, Error, Image, Style};

/// Rows of pixels that are painted at once.
const BAND: usize = 16;

/// A convex polygon.
#[derive(Clone, Debug)]
pub struct Polygon {
    /// Corners, counter-clockwise.
    pub corners: Vec<DVec2>,
    /// Colour of its inside.
    pub fill: Color,
    /// Colour of its outline, which lies inside the polygon.
    pub rim: Color,
    /// Thickness of the outline in pixels.
    pub rim_width: f32,
}

/// A straight line.
#[derive(Clone, Copy, Debug)]
pub struct Stroke {
    /// Its ends.
    pub ends: [DVec2; 2],
    /// Thickness in pixels.
    pub width: f32,
    /// Colour.
    pub color: Color,
}

/// A thing of a drawing.
#[derive(Clone, Debug)]
pub enum Piece {
    /// A convex polygon.
    Polygon(Polygon),
    /// A straight line.
    Stroke(Stroke),
}

impl Piece {
    fn is_finite(&self) -> bool {
        match self {
            Self::Polygon(polygon) => polygon.corners.iter().all(|corner| corner.is_finite()),
            Self::Stroke(stroke) => stroke.ends.iter().all(|end| end.is_finite()) && stroke.width.is_finite(),
        }
    }
}

/// The part of the plane that a picture shows: y points upwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    middle: DVec2,
    /// Pixels per metre.
    scale: f64,
    width: u32,
    height: u32,
}

impl Window {
    /// Shows all between two corners in a picture of a size in pixels, with a little space around.
    pub fn fit(low: DVec2, high: DVec2, width: u32, height: u32) -> Self {
        let size = (high - low).max(DVec2::ZERO);
        let pixels = DVec2::new(f64::from(width), f64::from(height));
        let scale = 0.94 * (pixels / size).min_element();
        let usable = scale.is_finite() && scale > 0.0;
        Self { middle: 0.5 * (low + high), scale: if usable { scale } else { 1.0 }, width, height }
    }

    /// Where a point is in the picture, in pixels from its top left corner.
    pub fn project(&self, point: DVec2) -> DVec2 {
        let from_middle = self.scale * (point - self.middle);
        0.5 * DVec2::new(f64::from(self.width), f64::from(self.height)) + from_middle * DVec2::new(1.0, -1.0)
    }

    /// Pixels per metre.
    pub fn scale(&self) -> f64 {
        self.scale
    }
}

/// Paints pieces over each other, the first at the bottom, on a white ground.
///
/// Work is spread over rayon's threads; the picture does not depend on how many there are.
pub fn paint(pieces: &[Piece], window: &Window) -> Result<Image, Error> {
    let (width, height) = (window.width, window.height);
    Style { supersampling: 1, ..Style::default() }.check(width, height)?;
    if !pieces.iter().all(Piece::is_finite) {
        return Err(Error::NotFinite("a place or a size"));
    }
    let placed: Vec<Placed> = pieces.iter().filter_map(|piece| Placed::new(piece, window)).collect();
    let columns = width as usize;
    let mut light = vec![Vec3::ONE; columns * height as usize];
    light.par_chunks_mut(BAND * columns).enumerate().for_each(|(band, pixels)| {
        let rows = [(BAND * band) as f32, (BAND * band + pixels.len() / columns) as f32];
        for piece in placed.iter().filter(|piece| piece.low[1] < rows[1] && piece.high[1] > rows[0]) {
            piece.paint(pixels, columns, rows);
        }
    });
    let mut image = Image::new(width, height, Color::WHITE);
    for (index, color) in (0u32..).zip(&light) {
        image.set(index % width, index / width, Color::from_linear(*color).to_srgb8());
    }
    Ok(image)
}

/// A piece on the screen, in pixels: what lies on the inner side of every edge.
struct Placed {
    /// Unit normal (outwards) and offset of each edge.
    edges: Vec<[f32; 3]>,
    fill: Vec3,
    rim: Vec3,
    rim_width: f32,
    low: [f32; 2],
    high: [f32; 2],
}

impl Placed {
    /// Nothing where there is no inside.
    fn new(piece: &Piece, window: &Window) -> Option<Self> {
        match piece {
            Piece::Polygon(polygon) => {
                let corners: Vec<DVec2> = polygon.corners.iter().map(|c| window.project(*c)).collect();
                Self::around(&corners, polygon.fill, polygon.rim, polygon.rim_width)
            }
            Piece::Stroke(stroke) => {
                let [from, to] = stroke.ends.map(|end| window.project(end));
                let along = (to - from).try_normalize()? * f64::from(0.5 * stroke.width);
                let side = along.perp();
                // Ends stick out by half the width, so that lines close corners.
                let (from, to) = (from - along, to + along);
                let corners = [from - side, from + side, to + side, to - side];
                Self::around(&corners, stroke.color, stroke.color, 0.0)
            }
        }
    }

    /// Corners run clockwise to the eye on the screen, where y points downwards: their outside is on the left.
    fn around(corners: &[DVec2], fill: Color, rim: Color, rim_width: f32) -> Option<Self> {
        let next = |i: usize| corners[(i + 1) % corners.len()];
        let edge = |i: usize| -> Option<[f32; 3]> {
            let normal = (next(i) - corners[i]).try_normalize()?.perp();
            Some([normal.x as f32, normal.y as f32, normal.dot(corners[i]) as f32])
        };
        let edges: Vec<[f32; 3]> = (0..corners.len()).filter_map(edge).collect();
        let low = corners.iter().copied().reduce(DVec2::min)? - 1.0;
        let high = corners.iter().copied().reduce(DVec2::max)? + 1.0;
        let list = |v: DVec2| v.as_vec2().to_array();
        let (fill, rim, low, high) = (fill.linear(), rim.linear(), list(low), list(high));
        (edges.len() > 2).then_some(Self { edges, fill, rim, rim_width, low, high })
    }

    fn paint(&self, pixels: &mut [Vec3], columns: usize, rows: [f32; 2]) {
        let range =
            |low: f32, high: f32, most: f32| low.clamp(0.0, most) as usize..high.clamp(0.0, most) as usize;
        let span = range(self.low[0].floor(), self.high[0].ceil(), columns as f32);
        for row in range(self.low[1].floor().max(rows[0]), self.high[1].ceil().min(rows[1]), rows[1]) {
            let start = (row - rows[0] as usize) * columns;
            for column in span.clone() {
                let inside = self.depth(column as f32 + 0.5, row as f32 + 0.5);
                let cover = (inside + 0.5).clamp(0.0, 1.0);
                if cover > 0.0 {
                    let rim = (self.rim_width - inside + 0.5).clamp(0.0, 1.0) * self.rim_width.min(1.0);
                    let pixel = &mut pixels[start + column];
                    *pixel = pixel.lerp(self.fill.lerp(self.rim, rim), cover);
                }
            }
        }
    }

    /// How deep a point lies inside.
    fn depth(&self, x: f32, y: f32) -> f32 {
        -self.edges.iter().map(|[nx, ny, offset]| nx * x + ny * y - offset).fold(f32::NEG_INFINITY, f32::max)
    }
}
