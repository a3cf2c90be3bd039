//! What the colours of a picture mean.

use crate::{Align, Color, ColorMap, Image, Text};

/// A key to the colours, for the right side of a sheet.
#[derive(Clone, Debug)]
pub enum Legend {
    /// Numbers on a continuous scale.
    Scale {
        /// What is shown, with its unit.
        title: String,
        /// Its colours.
        map: ColorMap,
        /// The values at the ends.
        range: [f64; 2],
    },
    /// A colour for each kind.
    Kinds {
        /// What is shown.
        title: String,
        /// Colour and name of each kind.
        kinds: Vec<(Color, String)>,
    },
}

/// A free part of a picture, in pixels.
pub(crate) struct Slot {
    pub x: f32,
    pub y: f32,
    pub width: f32,
    pub height: f32,
}

impl Legend {
    /// Width that the legend needs with letters of a height, in pixels.
    pub(crate) fn width(&self, text: &Text) -> f32 {
        let longest =
            |words: &mut dyn Iterator<Item = String>| words.map(|word| text.width(&word)).fold(0.0, f32::max);
        let (title, names) = match self {
            Self::Scale { title, range, .. } => {
                (title, longest(&mut ticks(*range).into_iter().map(|tick| tick.label)))
            }
            Self::Kinds { title, kinds } => (title, longest(&mut kinds.iter().map(|kind| kind.1.clone()))),
        };
        (names + 2.5 * text.height).max(text.width(title))
    }

    /// Height that the legend takes where there is enough, in pixels.
    pub(crate) fn height(&self, text: &Text) -> f32 {
        match self {
            Self::Scale { .. } => 24.0 * text.height,
            Self::Kinds { kinds, .. } => (2.4 + 2.2 * kinds.len() as f32) * text.height,
        }
    }

    pub(crate) fn draw(&self, image: &mut Image, slot: &Slot, text: &Text) {
        match self {
            Self::Scale { title, map, range } => {
                text.fitted(title, slot.width).draw(image, slot.x, slot.y + text.height, title);
                draw_scale(image, slot, text, map, *range);
            }
            Self::Kinds { title, kinds } => {
                text.fitted(title, slot.width).draw(image, slot.x, slot.y + text.height, title);
                draw_kinds(image, slot, text, kinds);
            }
        }
    }
}

/// A bar with the greatest value at its top.
fn draw_scale(image: &mut Image, slot: &Slot, text: &Text, map: &ColorMap, range: [f64; 2]) {
    let em = text.height;
    let (top, bottom) = ((slot.y + 2.2 * em) as u32, (slot.y + slot.height - 0.5 * em) as u32);
    let (left, right) = (slot.x as u32, (slot.x + 1.5 * em) as u32);
    let length = f64::from(bottom.saturating_sub(top).max(1));
    for row in top..bottom {
        let t = 1.0 - (f64::from(row - top) + 0.5) / length;
        image.fill([left, right], [row, row + 1], map.at(t));
    }
    let thick = ((0.1 * em) as u32).max(1);
    for tick in ticks(range) {
        let row = (f64::from(bottom) - tick.part * length) as u32;
        let row = row.clamp(top, bottom.saturating_sub(thick).max(top));
        image.fill([right, right + (0.4 * em) as u32], [row, row + thick], text.color);
        text.draw(image, right as f32 + 0.8 * em, row as f32 + 0.5 * em, &tick.label);
    }
}

/// A square for each kind, with its name.
fn draw_kinds(image: &mut Image, slot: &Slot, text: &Text, kinds: &[(Color, String)]) {
    let em = text.height;
    let mut y = slot.y + 2.4 * em;
    for (color, name) in kinds {
        let side = 1.3 * em;
        let (x0, y0) = (slot.x as u32, y as u32);
        image.fill([x0, x0 + side as u32], [y0, y0 + side as u32], *color);
        let text = text.fitted(name, slot.width - 2.0 * em).aligned(Align::Left);
        text.draw(image, slot.x + 2.0 * em, y + 0.5 * (side + em), name);
        y += 2.2 * em;
    }
}

/// A mark on a scale.
struct Tick {
    /// From 0 at the lower end to 1 at the upper.
    part: f64,
    label: String,
}

/// Four to nine round numbers within a range.
fn ticks([min, max]: [f64; 2]) -> Vec<Tick> {
    let width = max - min;
    if !width.is_finite() || width <= 0.0 {
        return Vec::new();
    }
    let decade = 10f64.powf((width / 4.0).log10().floor());
    let step = [5.0, 2.0, 1.0].into_iter().map(|m| m * decade).find(|s| 4.0 * s <= width).unwrap_or(decade);
    // Rounding must not lose a mark at an end.
    let slack = 1e-9;
    let first = (min / step - slack).ceil();
    let last = (max / step + slack).floor();
    let count = (last - first).max(0.0) as u32;
    let largest = min.abs().max(max.abs());
    (0..=count)
        .map(|i| {
            let value = (first + f64::from(i)) * step;
            Tick { part: ((value - min) / width).clamp(0.0, 1.0), label: label(value, step, largest) }
        })
        .collect()
}

/// A number with as many digits as its step needs, and the power of ten of the largest where that is far from
/// 1.
fn label(value: f64, step: f64, largest: f64) -> String {
    let power = largest.log10().floor();
    let text = if (-4.0..6.0).contains(&power) {
        let digits = (-step.log10().floor()).max(0.0) as usize;
        format!("{value:.digits$}")
    } else {
        let digits = (power - step.log10().floor()).max(0.0) as usize;
        let scaled = value / 10f64.powf(power);
        if value == 0.0 { "0".into() } else { format!("{scaled:.digits$}e{power}") }
    };
    let is_zero = text.trim_matches(['-', '0', '.']).is_empty();
    if is_zero { text.trim_start_matches('-').into() } else { text.replace('-', "−") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(range: [f64; 2]) -> Vec<String> {
        ticks(range).into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn ticks_are_round_and_include_the_ends() {
        assert_eq!(labels([0.0, 1.0]), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels([-0.3, 0.7]), ["−0.2", "0.0", "0.2", "0.4", "0.6"]);
        assert_eq!(labels([0.0, 50.0]), ["0", "10", "20", "30", "40", "50"]);
        assert_eq!(labels([0.0, 3e-9]), ["0", "0.5e−9", "1.0e−9", "1.5e−9", "2.0e−9", "2.5e−9", "3.0e−9"]);
    }

    #[test]
    fn ticks_of_an_empty_range_are_none() {
        assert!(ticks([1.0, 1.0]).is_empty());
        assert!(ticks([0.0, f64::NAN]).is_empty());
    }
}
