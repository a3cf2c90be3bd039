//! Words on pictures.

use glam::Vec2;

use crate::font::{CAPITALS, glyph, width};
use crate::{Background, Camera, Color, Image, Label, Style};

/// On which side of its point a text stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Align {
    /// The text begins at the point.
    #[default]
    Left,
    /// The point is in the middle of the text.
    Center,
    /// The text ends at the point.
    Right,
}

/// How words look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Text {
    /// Height of capital letters in pixels.
    pub height: f32,
    /// Colour of the letters.
    pub color: Color,
    /// On which side of the point they stand.
    pub align: Align,
    /// Thickness of strokes as a fraction of the height: 0.11 is regular, 0.16 bold.
    pub weight: f32,
}

impl Text {
    /// Regular letters of a height in pixels.
    pub fn new(height: f32, color: Color) -> Self {
        Self { height, color, align: Align::Left, weight: 0.115 }
    }

    /// The same letters on another side of their point.
    pub fn aligned(self, align: Align) -> Self {
        Self { align, ..self }
    }

    /// The same letters, bold.
    pub fn bold(self) -> Self {
        Self { weight: 0.16, ..self }
    }

    /// The same letters, smaller if that is needed for the words to fit into `pixels`.
    pub(crate) fn fitted(self, words: &str, pixels: f32) -> Self {
        let taken = self.width(words);
        if taken > pixels { Self { height: self.height * pixels / taken, ..self } } else { self }
    }

    /// Width of words in pixels.
    pub fn width(&self, words: &str) -> f32 {
        (width(words) / CAPITALS + self.weight) * self.height
    }

    /// Draws words; `x` and `y` are in pixels from the top left corner of the picture, y on the base line.
    pub fn draw(&self, image: &mut Image, x: f32, y: f32, words: &str) {
        let half = self.half_stroke();
        self.trace(image, x, y, words, half, self.color);
    }

    fn half_stroke(&self) -> f32 {
        // Thinner strokes than this fade.
        (0.5 * self.weight * self.height).max(0.55)
    }

    fn trace(&self, image: &mut Image, x: f32, y: f32, words: &str, half: f32, color: Color) {
        let start = match self.align {
            Align::Left => x,
            Align::Center => x - 0.5 * self.width(words),
            Align::Right => x - self.width(words),
        };
        let unit = self.height / CAPITALS;
        let rgb = color.to_srgb8();
        // On the middle of a row, horizontal strokes are crisp.
        let mut pen = Vec2::new(start + 0.5 * self.weight * self.height, y.floor() + 0.5);
        for letter in words.chars() {
            let glyph = glyph(letter);
            let place = |p: Vec2| pen + unit * Vec2::new(p.x, -p.y);
            let strokes: Vec<[Vec2; 2]> = glyph.strokes.iter().map(|stroke| stroke.map(place)).collect();
            ink(image, &strokes, half, rgb);
            pen.x += unit * glyph.advance;
        }
    }
}

/// Draws the strokes of one letter at once, so that they do not darken where they cross.
fn ink(image: &mut Image, strokes: &[[Vec2; 2]], half: f32, rgb: [u8; 3]) {
    let points = || strokes.as_flattened().iter().copied();
    let (Some(low), Some(high)) = (points().reduce(Vec2::min), points().reduce(Vec2::max)) else { return };
    // A dot is a little wider than a stroke.
    let reach = 1.25 * half + 1.0;
    let (low, high) = ((low - reach).floor(), (high + reach).ceil());
    for row in low.y as i64..=high.y as i64 {
        for column in low.x as i64..=high.x as i64 {
            let here = Vec2::new(column as f32 + 0.5, row as f32 + 0.5);
            let inside = strokes.iter().map(|stroke| depth_inside(here, stroke, half)).fold(0.0, f32::max);
            if inside > 0.0 {
                image.cover(column, row, rgb, inside.min(1.0));
            }
        }
    }
}

/// How deep a pixel's middle lies in a stroke, from half a pixel outside.
fn depth_inside(here: Vec2, [from, to]: &[Vec2; 2], half: f32) -> f32 {
    let along = *to - *from;
    let length = along.length_squared();
    if length == 0.0 {
        return 1.25 * half + 0.5 - here.distance(*from);
    }
    let t = ((here - *from).dot(along) / length).clamp(0.0, 1.0);
    half + 0.5 - here.distance(*from + t * along)
}

/// Draws the labels of a scene with a rim in the colour of the background, so that they can be read anywhere.
pub(crate) fn draw_labels(image: &mut Image, labels: &[Label], camera: &Camera, style: &Style) {
    let rim = match style.background {
        Background::Plain(color) | Background::Gradient { bottom: color, .. } => color,
    };
    for label in labels {
        let Some(at) = camera.project(label.at, image.width(), image.height()) else { continue };
        let height = (label.height * f64::from(image.height())) as f32;
        let text = Text::new(height, label.color).aligned(label.align);
        let (x, y) = (at.x as f32, at.y as f32 + 0.5 * height);
        let half = text.half_stroke();
        text.trace(image, x, y, &label.text, half + 0.14 * height, rim);
        text.trace(image, x, y, &label.text, half, label.color);
    }
}
