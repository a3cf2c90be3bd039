//! How numbers are shown to people: in tables, on axes, on a terminal and on a page.

use std::fmt::Write;

/// Groups of three digits are set apart by this (ISO 80000-1, 7.3.1), and it never breaks a line.
const THIN_SPACE: char = '\u{202F}';

/// Significant digits of [`Format::General`].
const GENERAL_DIGITS: usize = 6;

/// How a number is shown. Data files always carry the full value instead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Up to six significant digits without trailing zeros, scientific where that is shorter.
    #[default]
    General,
    /// This many digits after the point.
    Fixed(u8),
    /// One digit before and this many after the point, times a power of ten.
    Scientific(u8),
    /// A fraction of one, shown in percent with this many digits after the point: `Percent(1)` shows 0.881
    /// as `88.1 %`.
    Percent(u8),
    /// Rounded to an integer, digits in groups of three.
    Integer,
}

/// A number ready to be set: ASCII digits, and a power of ten that each medium writes in its own way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Typeset {
    pub(crate) digits: String,
    pub(crate) exponent: Option<i32>,
    pub(crate) percent: bool,
}

impl Format {
    /// Rounds `value` for reading.
    pub(crate) fn typeset(self, value: f64) -> Typeset {
        if !value.is_finite() {
            let digits = if value.is_nan() {
                "NaN"
            } else if value > 0.0 {
                "∞"
            } else {
                "-∞"
            };
            return Typeset::plain_digits(digits.into());
        }
        match self {
            Self::General => general(value),
            Self::Fixed(digits) => Typeset::plain_digits(fixed(value, digits.into())),
            Self::Scientific(digits) => scientific(value, digits.into()),
            Self::Percent(digits) => {
                Typeset { percent: true, ..Typeset::plain_digits(fixed(100.0 * value, digits.into())) }
            }
            Self::Integer => Typeset::plain_digits(group(&fixed(value, 0))),
        }
    }
}

impl Typeset {
    fn plain_digits(digits: String) -> Self {
        Self { digits, exponent: None, percent: false }
    }

    /// For terminals: ASCII except for the thin space, so that what is copied can be pasted anywhere.
    pub(crate) fn text(&self) -> String {
        let mut out = self.digits.clone();
        if let Some(exponent) = self.exponent {
            let _ = write!(out, "e{exponent}");
        }
        if self.percent {
            out.push(THIN_SPACE);
            out.push('%');
        }
        out
    }

    /// For pages: true minus signs, powers of ten raised.
    pub(crate) fn html(&self) -> String {
        let mut out = minus(&self.digits);
        if let Some(exponent) = self.exponent {
            let _ = write!(out, "{THIN_SPACE}×{THIN_SPACE}10<sup>{}</sup>", minus(&exponent.to_string()));
        }
        if self.percent {
            out.push(THIN_SPACE);
            out.push('%');
        }
        out
    }
}

/// An exact integer in groups of three digits.
pub(crate) fn integer(value: i64) -> Typeset {
    Typeset::plain_digits(group(&value.to_string()))
}

/// ASCII hyphens as true minus signs.
pub(crate) fn minus(digits: &str) -> String {
    digits.replace('-', "\u{2212}")
}

/// Fixed digits, without the sign that rounding to zero leaves behind.
fn fixed(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    match text.strip_prefix('-') {
        Some(zero) if zero.chars().all(|c| matches!(c, '0' | '.')) => zero.to_owned(),
        _ => text,
    }
}

fn scientific(value: f64, digits: usize) -> Typeset {
    let (digits, exponent) = mantissa(value, digits);
    Typeset { digits, exponent: Some(exponent), percent: false }
}

/// Mantissa and exponent after rounding, so that 9.996 becomes 1.00 and 1.
fn mantissa(value: f64, digits: usize) -> (String, i32) {
    // Adding zero turns -0 into 0.
    let text = format!("{:.digits$e}", value + 0.0);
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    (mantissa.to_owned(), exponent.parse().unwrap_or(0))
}

fn general(value: f64) -> Typeset {
    let last = GENERAL_DIGITS - 1;
    let (digits, exponent) = mantissa(value, last);
    match usize::try_from(last as i32 - exponent) {
        Ok(decimals) if exponent >= -4 => Typeset::plain_digits(trim_zeros(&fixed(value, decimals))),
        _ => Typeset { digits: trim_zeros(&digits), exponent: Some(exponent), percent: false },
    }
}

fn trim_zeros(digits: &str) -> String {
    match digits.contains('.') {
        true => digits.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => digits.to_owned(),
    }
}

fn group(digits: &str) -> String {
    let start = usize::from(digits.starts_with('-'));
    let mut out = String::with_capacity(2 * digits.len());
    for (i, c) in digits.char_indices() {
        if i > start && (digits.len() - i).is_multiple_of(3) {
            out.push(THIN_SPACE);
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(format: Format, value: f64) -> String {
        format.typeset(value).text()
    }

    #[test]
    fn formats_round_as_a_reader_would() {
        assert_eq!(text(Format::Fixed(2), 2.71501), "2.72");
        assert_eq!(text(Format::Fixed(2), -0.001), "0.00");
        assert_eq!(text(Format::Fixed(0), 1e21), "1000000000000000000000");
        assert_eq!(text(Format::Scientific(2), 9.996), "1.00e1");
        assert_eq!(text(Format::Scientific(2), -4.34e-8), "-4.34e-8");
        assert_eq!(text(Format::Scientific(1), -0.0), "0.0e0");
        assert_eq!(text(Format::Percent(1), 0.8812), "88.1\u{202F}%");
        assert_eq!(text(Format::Integer, 1_234_567.4), "1\u{202F}234\u{202F}567");
        assert_eq!(text(Format::Integer, -999.0), "-999");
        assert_eq!(text(Format::Integer, -1000.0), "-1\u{202F}000");
        assert_eq!(integer(i64::MIN).text().replace('\u{202F}', ""), i64::MIN.to_string());
    }

    #[test]
    fn general_is_short_at_every_magnitude() {
        for (value, expected) in [
            (0.0, "0"),
            (1.0, "1"),
            (0.1 + 0.2, "0.3"),
            (123456.0, "123456"),
            (1234567.0, "1.23457e6"),
            (0.00012345, "0.00012345"),
            (1.5e-5, "1.5e-5"),
            (-2e300, "-2e300"),
            (5e-324, "4.94066e-324"),
        ] {
            assert_eq!(text(Format::General, value), expected);
        }
    }

    #[test]
    fn numbers_that_are_none_say_so() {
        for format in
            [Format::General, Format::Fixed(3), Format::Scientific(3), Format::Percent(0), Format::Integer]
        {
            assert_eq!(text(format, f64::NAN), "NaN");
            assert_eq!(text(format, f64::INFINITY), "∞");
            assert_eq!(text(format, f64::NEG_INFINITY), "-∞");
        }
    }

    #[test]
    fn pages_get_true_minus_signs_and_raised_powers() {
        let html = Format::Scientific(2).typeset(-4.34e-8).html();
        assert_eq!(html, "−4.34\u{202F}×\u{202F}10<sup>−8</sup>");
    }
}
