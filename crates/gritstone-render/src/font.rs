//! The built-in font as strokes.

use std::collections::HashMap;
use std::sync::LazyLock;

use glam::Vec2;

use crate::glyphs::GLYPHS;

/// Height of capital letters in the units of the strokes.
pub(crate) const CAPITALS: f32 = 10.0;

/// Free width between one letter's pen positions and the next one's.
const SPACING: f32 = 2.5;

/// Straight pieces per full turn of an arc.
const PIECES: f32 = 40.0;

/// A letter: straight strokes of a round pen.
pub(crate) struct Glyph {
    pub strokes: Vec<[Vec2; 2]>,
    /// How far the next letter stands.
    pub advance: f32,
}

static FONT: LazyLock<HashMap<char, Glyph>> = LazyLock::new(|| {
    let glyph = |width: f32, path: &str| Glyph { strokes: trace(path), advance: width + SPACING };
    GLYPHS.iter().map(|(letter, width, path)| (*letter, glyph(*width, path))).collect()
});

/// What stands for letters that the font does not have.
static MISSING: LazyLock<Glyph> =
    LazyLock::new(|| Glyph { strokes: trace("M 0 0 L 5 0 L 5 10 L 0 10 L 0 0"), advance: 5.0 + SPACING });

pub(crate) fn glyph(letter: char) -> &'static Glyph {
    FONT.get(&letter).unwrap_or(&MISSING)
}

/// Width of a text between its outermost pen positions.
pub(crate) fn width(text: &str) -> f32 {
    let advance: f32 = text.chars().map(|letter| glyph(letter).advance).sum();
    (advance - SPACING).max(0.0)
}

/// The strokes of a path in the language of [`GLYPHS`].
fn trace(path: &str) -> Vec<[Vec2; 2]> {
    let mut words = path.split_whitespace();
    let mut pen = Vec2::ZERO;
    let mut strokes = Vec::new();
    while let Some(command) = words.next() {
        let mut number = || words.next().and_then(|word| word.parse::<f32>().ok()).unwrap_or_default();
        let to = Vec2::new(number(), number());
        match command {
            "L" => strokes.push([pen, to]),
            "D" => strokes.push([to, to]),
            "A" => {
                let radii = Vec2::new(number(), number());
                let (from, until) = (number(), number());
                let points = arc(to, radii, from, until);
                strokes.extend(points.windows(2).map(|pair| [pair[0], pair[1]]));
                pen = points[points.len() - 1];
                continue;
            }
            _ => {}
        }
        pen = to;
    }
    strokes
}

fn arc(center: Vec2, radii: Vec2, from_deg: f32, until_deg: f32) -> Vec<Vec2> {
    let pieces = ((until_deg - from_deg).abs() / 360.0 * PIECES).ceil().max(1.0);
    (0..=pieces as u32)
        .map(|i| {
            let angle = from_deg + (until_deg - from_deg) * i as f32 / pieces;
            center + radii * Vec2::from_angle(angle.to_radians())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_printable_ascii_letter_is_there_and_within_its_box() {
        for letter in ' '..='~' {
            let glyph = FONT.get(&letter).unwrap_or_else(|| panic!("{letter} is missing"));
            assert!(letter == ' ' || !glyph.strokes.is_empty());
            for point in glyph.strokes.as_flattened() {
                let right = glyph.advance - SPACING;
                assert!(point.x >= -0.4 && point.x <= right + 0.4, "{letter} is too wide at {point}");
                assert!((-3.2..=11.4).contains(&point.y), "{letter} is too high or low at {point}");
            }
        }
    }

    #[test]
    fn every_path_is_well_formed() {
        for (letter, _, path) in GLYPHS {
            let mut words = path.split_whitespace().peekable();
            while let Some(command) = words.next() {
                let numbers = if command == "A" { 6 } else { 2 };
                assert!(["M", "L", "A", "D"].contains(&command), "{letter}");
                assert!(
                    (0..numbers).all(|_| words.next().is_some_and(|w| w.parse::<f32>().is_ok())),
                    "{letter}"
                );
            }
        }
    }
}
