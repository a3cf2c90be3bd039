//! Numbers in two bytes: IEEE half precision times a power of two that is chosen for each column.

/// The power of two that brings the largest of these numbers into [2¹⁴, 2¹⁵]; smaller ones keep eleven bits down to 2⁻²⁸
/// of it.
pub(super) fn unit(numbers: impl Iterator<Item = f64>) -> f64 {
    let largest = numbers.map(f64::abs).filter(|x| x.is_finite()).fold(0.0, f64::max);
    if largest < 1e-290 { 1.0 } else { libm::exp2(libm::log2(largest).ceil() - 15.0) }
}

/// Rounded to the nearest, ties to even. What is no number stays none; what is too small becomes zero.
pub(super) fn encode(number: f64, unit: f64) -> [u8; 2] {
    let bits = ((number / unit) as f32).to_bits();
    let sign = (bits >> 16) & 0x8000;
    let magnitude = bits & 0x7fff_ffff;
    let half = match magnitude {
        // Below 2⁻¹⁴ numbers would lose bits one by one.
        0..0x3880_0000 => 0,
        // From 2¹⁶ on there are none.
        0x4780_0000.. => 0x7e00,
        _ => (magnitude - 0x3800_0000 + 0x0fff + ((magnitude >> 13) & 1)) >> 13,
    };
    ((sign | half) as u16).to_le_bytes()
}

/// The number that two bytes stand for.
pub(super) fn decode(bytes: [u8; 2], unit: f64) -> f64 {
    let half = u32::from(u16::from_le_bytes(bytes));
    let (sign, exponent, mantissa) = ((half & 0x8000) << 16, (half >> 10) & 0x1f, half & 0x3ff);
    let bits = match exponent {
        0 => sign,
        31 => return f64::NAN,
        _ => sign | ((exponent + 112) << 23) | (mantissa << 13),
    };
    f64::from(f32::from_bits(bits)) * unit
}

#[cfg(test)]
mod tests {
    use super::{decode, encode, unit};

    #[test]
    fn halves_are_those_of_ieee_754() {
        // Published examples of binary16.
        for (number, half) in
            [(1.0, 0x3c00), (-2.0, 0xc000), (0.333_251_953_125, 0x3555), (65504.0, 0x7bff), (0.0, 0)]
        {
            assert_eq!(u16::from_le_bytes(encode(number, 1.0)), half, "{number}");
            assert_eq!(decode(encode(number, 1.0), 1.0), number);
        }
        // Ties go to the even neighbour.
        assert_eq!(decode(encode(1.0 + 1.0 / 2048.0, 1.0), 1.0), 1.0);
        assert_eq!(decode(encode(1.0 + 3.0 / 2048.0, 1.0), 1.0), 1.0 + 2.0 / 1024.0);
        assert!(decode(encode(f64::NAN, 1.0), 1.0).is_nan());
        assert!(decode(encode(f64::INFINITY, 1.0), 1.0).is_nan());
    }

    #[test]
    fn eleven_bits_over_nine_decades_at_any_magnitude() {
        for magnitude in [1e-200, 1e-9, 0.3, 1.0, 7e12, 1e200] {
            let numbers: Vec<f64> = (0..28).map(|k| magnitude * 1.37 * 0.5_f64.powi(k)).collect();
            let unit = unit(numbers.iter().copied());
            for number in numbers {
                let error = (decode(encode(number, unit), unit) / number - 1.0).abs();
                assert!(error <= 1.0 / 2048.0, "{number}: {error}");
            }
        }
    }
}
