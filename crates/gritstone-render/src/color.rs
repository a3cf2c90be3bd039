//! Colours: linear light inside, sRGB at the rim.

use glam::Vec3;

/// A colour in linear light, so that sums and averages of colours are right; 0 is black, 1 full.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Color {
    /// Red.
    pub r: f32,
    /// Green.
    pub g: f32,
    /// Blue.
    pub b: f32,
}

impl Color {
    /// Black.
    pub const BLACK: Self = Self { r: 0.0, g: 0.0, b: 0.0 };
    /// White.
    pub const WHITE: Self = Self { r: 1.0, g: 1.0, b: 1.0 };

    /// From the bytes that screens and style sheets use: `Color::hex(0x4477AA)`.
    pub fn hex(rgb: u32) -> Self {
        Self::from_srgb8([(rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8])
    }

    /// From sRGB bytes.
    pub fn from_srgb8([r, g, b]: [u8; 3]) -> Self {
        Self { r: decode(r), g: decode(g), b: decode(b) }
    }

    /// To sRGB bytes; what is below 0 or above 1 is cut off.
    pub fn to_srgb8(self) -> [u8; 3] {
        [encode(self.r), encode(self.g), encode(self.b)]
    }

    /// Part `t` of the way from this colour to `other`.
    pub fn mix(self, other: Self, t: f32) -> Self {
        Self::from_linear(self.linear().lerp(other.linear(), t))
    }

    pub(crate) fn linear(self) -> Vec3 {
        Vec3::new(self.r, self.g, self.b)
    }

    pub(crate) fn from_linear(rgb: Vec3) -> Self {
        Self { r: rgb.x, g: rgb.y, b: rgb.z }
    }
}

/// IEC 61966-2-1, from a byte to linear light.
fn decode(byte: u8) -> f32 {
    let v = f32::from(byte) / 255.0;
    if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
}

/// IEC 61966-2-1, from linear light to a byte.
fn encode(light: f32) -> u8 {
    let light = light.clamp(0.0, 1.0);
    let v = if light <= 0.003_130_8 { 12.92 * light } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 };
    (255.0 * v).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back() {
        for byte in 0..=255 {
            assert_eq!(encode(decode(byte)), byte);
        }
    }

    #[test]
    fn half_the_light_is_byte_188() {
        assert_eq!(Color::BLACK.mix(Color::WHITE, 0.5).to_srgb8(), [188; 3]);
    }
}
