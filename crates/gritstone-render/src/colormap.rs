//! Colours for numbers and colours for kinds.

use crate::Color;

/// A continuous scale of colours: equal steps along its table, straight lines in sRGB between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColorMap {
    /// Its name.
    pub name: &'static str,
    table: &'static [u32],
}

/// Viridis: even to the eye, in grey too, and for most kinds of colour blindness (S. van der Walt and N.
/// Smith, 2015, dedicated to the public domain). Every 17th of its 256 colours.
pub const VIRIDIS: ColorMap = ColorMap {
    name: "viridis",
    table: &[
        0x440154, 0x481A6C, 0x472F7D, 0x414487, 0x39568C, 0x31688E, 0x2A788E, 0x23888E, 0x1F988B, 0x22A884,
        0x35B779, 0x54C568, 0x7AD151, 0xA5DB36, 0xD2E21B, 0xFDE725,
    ],
};

impl ColorMap {
    /// The colour at `t` from 0 to 1; beyond, and for what is not a number, that of the nearer end or of 0.
    pub fn at(&self, t: f64) -> Color {
        let last = self.table.len() - 1;
        let place = if t.is_nan() { 0.0 } else { t.clamp(0.0, 1.0) * last as f64 };
        let low = (place as usize).min(last - 1);
        let part = place - low as f64;
        let byte = |shift: u32| {
            let end = |index: usize| f64::from(self.table[index] >> shift & 0xFF);
            (end(low) + (end(low + 1) - end(low)) * part).round() as u8
        };
        Color::from_srgb8([byte(16), byte(8), byte(0)])
    }

    /// The colour of a value on a scale from `min` to `max`.
    pub fn of(&self, value: f64, [min, max]: [f64; 2]) -> Color {
        self.at((value - min) / (max - min))
    }
}

/// Seven colours that also colour-blind eyes tell apart ("bright" of P. Tol, "Colour schemes",
/// SRON/EPS/TN/09-002).
const KINDS: [u32; 7] = [0x4477AA, 0xEE6677, 0x228833, 0xCCBB44, 0x66CCEE, 0xAA3377, 0xBBBBBB];

/// The colour of the `index`-th kind: after seven the same ones lighter, after fourteen darker, then over and over.
pub fn palette(index: usize) -> Color {
    let color = Color::hex(KINDS[index % KINDS.len()]);
    match index / KINDS.len() % 3 {
        0 => color,
        1 => color.mix(Color::WHITE, 0.5),
        _ => color.mix(Color::BLACK, 0.65),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The five colours that R's `viridisLite::viridis(5)` prints.
    #[test]
    fn viridis_agrees_with_a_published_list() {
        let published = [0x440154u32, 0x3B528B, 0x21908C, 0x5DC863, 0xFDE725];
        for (i, hex) in published.into_iter().enumerate() {
            let ours = VIRIDIS.at(i as f64 / 4.0).to_srgb8();
            let [_, r, g, b] = hex.to_be_bytes();
            for (mine, theirs) in ours.into_iter().zip([r, g, b]) {
                assert!(mine.abs_diff(theirs) <= 2, "{ours:?} instead of {hex:06X}");
            }
        }
    }

    /// The viewer's tests expect the same bytes of its own copy of the palette.
    #[test]
    fn kinds_repeat_lighter_and_darker() {
        let bytes = [0, 7, 14, 21].map(|kind| palette(kind).to_srgb8());
        assert_eq!(bytes, [[68, 119, 170], [192, 202, 218], [39, 72, 105], [68, 119, 170]]);
    }

    #[test]
    fn what_lies_outside_gets_the_colour_of_the_end() {
        assert_eq!(VIRIDIS.at(-1.0), VIRIDIS.at(0.0));
        assert_eq!(VIRIDIS.at(7.0), VIRIDIS.at(1.0));
        assert_eq!(VIRIDIS.at(f64::NAN), VIRIDIS.at(0.0));
        assert_eq!(VIRIDIS.of(3.0, [3.0, 3.0]), VIRIDIS.at(0.0));
    }
}
