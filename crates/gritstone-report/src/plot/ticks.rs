//! Ticks at round numbers.
//!
//! Steps are 1, 2 or 5 times a power of ten (Heckbert, *Nice numbers for graph labels*, Graphics Gems, 1990);
//! logarithmic axes have their labels at powers of ten, or at 1, 2 and 5 times those where decades are few.

use super::Scale;
use crate::number::{Format, Typeset};

/// Ends of an axis in its even coordinate, and the ticks between them.
#[derive(Clone, Debug)]
pub(super) struct Ticks {
    pub(super) from: f64,
    pub(super) to: f64,
    /// Labelled ticks: even coordinate and label.
    pub(super) major: Vec<(f64, Typeset)>,
    /// Ticks without labels.
    pub(super) minor: Vec<f64>,
    /// Power of ten by which the labels are to be multiplied; zero for none.
    pub(super) power: i32,
}

/// What an axis has to show, in its even coordinate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    pub(super) from: f64,
    pub(super) to: f64,
    /// Whether the ends move out to the next ticks.
    pub(super) round: bool,
    /// No finer ticks than this (linear axes).
    pub(super) least_step: f64,
}

/// Ticks for an extent, about `count` of them.
pub(super) fn ticks(scale: Scale, extent: Extent, count: usize) -> Ticks {
    match scale {
        Scale::Linear => linear(widened(extent), count),
        Scale::Log => logarithmic(extent, count),
    }
}

/// A step of `mantissa · 10^exponent`; multiples of it are correctly rounded as long as the power is exact.
#[derive(Clone, Copy)]
struct Step {
    mantissa: f64,
    exponent: i32,
}

impl Step {
    /// The smallest round step that is no smaller than `raw`, up to rounding.
    fn at_least(raw: f64) -> Self {
        let exponent = raw.log10().floor() as i32;
        for mantissa in [1.0, 2.0, 5.0] {
            let step = Self { mantissa, exponent };
            if step.times(1.0) >= raw * (1.0 - 1e-9) {
                return step;
            }
        }
        Self { mantissa: 1.0, exponent: exponent + 1 }
    }

    fn times(self, n: f64) -> f64 {
        match self.exponent {
            e if e >= 0 => n * self.mantissa * 10f64.powi(e),
            e => n * self.mantissa / 10f64.powi(-e),
        }
    }
}

/// A single value gets room on both sides: a tenth of itself, or one if it is as good as zero.
fn widened(extent: Extent) -> Extent {
    let Extent { from, to, .. } = extent;
    let size = from.abs().max(to.abs());
    if to - from > 1e-12 * size && to - from > 1.0 / Scale::LIMIT {
        return extent;
    }
    let room = if size > 1.0 / Scale::LIMIT { 0.1 * size } else { 1.0 };
    Extent { from: from - room, to: to + room, ..extent }
}

fn linear(extent: Extent, count: usize) -> Ticks {
    let raw = (extent.to - extent.from) / count.max(1) as f64;
    let step = Step::at_least(raw.max(extent.least_step));
    // A tick that misses an end by rounding alone still counts as on it.
    let (low, high) = (extent.from / step.times(1.0), extent.to / step.times(1.0));
    let (first, last) = match extent.round {
        true => ((low + 1e-9).floor(), (high - 1e-9).ceil()),
        false => ((low - 1e-9).ceil(), (high + 1e-9).floor()),
    };
    // A cast saturates: no ticks where the last lies before the first.
    let values = (0..(last - first + 1.0) as usize).map(|i| step.times(first + i as f64));
    // Rounding is of the extent's own size, which can be far below that of a least step.
    let room = 1e-9 * (extent.to - extent.from);
    let inside = |value: &f64| extent.round || (extent.from - room..=extent.to + room).contains(value);
    let values: Vec<f64> = values.filter(inside).collect();
    let (from, to) = match extent.round {
        true => (step.times(first), step.times(last)),
        false => (extent.from, extent.to),
    };
    let power = common_power(&values);
    let decimals = u8::try_from((power - step.exponent).max(0)).unwrap_or(u8::MAX);
    let format = if decimals == 0 { Format::Integer } else { Format::Fixed(decimals) };
    let label = |value: f64| format.typeset(scaled(value, power));
    let major = values.iter().map(|value| (*value, label(*value))).collect();
    Ticks { from, to, major, minor: Vec::new(), power }
}

/// A power of a thousand taken out of labels that would have many zeros.
fn common_power(values: &[f64]) -> i32 {
    let largest = values.iter().fold(0.0, |a: f64, b| a.max(b.abs()));
    match largest {
        0.0 => 0,
        1e-3..1e6 => 0,
        _ => (largest.log10().floor() as i32).div_euclid(3) * 3,
    }
}

fn scaled(value: f64, power: i32) -> f64 {
    // In two halves, because 10^300 times 10^300 is no number.
    let half = power / 2;
    value / 10f64.powi(half) / 10f64.powi(power - half)
}

/// Logarithms of 1, 2 and 5.
const ONE_TWO_FIVE: [f64; 3] = [0.0, std::f64::consts::LOG10_2, 1.0 - std::f64::consts::LOG10_2];

fn logarithmic(extent: Extent, count: usize) -> Ticks {
    let (from, to) = log_ends(extent);
    let stride = stride((to - from) / count.max(1) as f64);
    let (from, to) = match extent.round && stride > 1.0 {
        true => ((from / stride).floor() * stride, (to / stride).ceil() * stride),
        false => (from, to),
    };
    let decades = || (from.floor() as i32..=to.ceil() as i32).map(f64::from);
    let inside = |at: &f64| (from - 1e-9..=to + 1e-9).contains(at);
    let major: Vec<f64> = match to - from <= 1.5 {
        true => decades().flat_map(|d| ONE_TWO_FIVE.map(|m| d + m)).filter(inside).collect(),
        false => decades().filter(|d| d.rem_euclid(stride) == 0.0).filter(inside).collect(),
    };
    if major.len() < 2 {
        return within_a_digit(from, to, count);
    }
    let minor: Vec<f64> = match stride {
        1.0 => decades().flat_map(|d| (2..10).map(move |m| d + f64::from(m).log10())).collect(),
        2.0..=5.0 => decades().collect(),
        _ => Vec::new(),
    };
    let bare = |at: &f64| inside(at) && major.iter().all(|m| (m - at).abs() > 1e-9);
    let minor = minor.into_iter().filter(bare).collect();
    // Plain numbers as long as they are short, powers of ten otherwise, and never both on one axis.
    let plain = from >= -3.0 && to <= 4.0;
    let major = major.into_iter().map(|at| (at, log_label(at, plain))).collect();
    Ticks { from, to, major, minor, power: 0 }
}

/// Decades from label to label.
fn stride(least: f64) -> f64 {
    [1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 50.0, 100.0].into_iter().find(|s| *s >= least).unwrap_or(200.0)
}

/// A logarithmic axis so short that it is nearly linear has the ticks of a linear one.
fn within_a_digit(from: f64, to: f64, count: usize) -> Ticks {
    let extent = Extent { from: 10f64.powf(from), to: 10f64.powf(to), round: false, least_step: 0.0 };
    let ticks = linear(extent, count);
    let major = ticks.major.into_iter().map(|(value, label)| (value.log10(), label)).collect();
    Ticks { from, to, major, ..ticks }
}

/// Whole decades; within one decade, the next 1, 2 or 5.
fn log_ends(extent: Extent) -> (f64, f64) {
    let Extent { from, to, round, .. } = extent;
    let whole = (from.floor(), to.ceil());
    if to - from < 1e-9 {
        return if whole.0 < whole.1 { whole } else { (whole.0 - 1.0, whole.1 + 1.0) };
    }
    if !round {
        return (from, to);
    }
    if to - from > 1.0 {
        return ((from + 1e-9).floor(), (to - 1e-9).ceil());
    }
    let marks: Vec<f64> = (-1..=2).flat_map(|d| ONE_TWO_FIVE.map(|m| whole.0 + f64::from(d) + m)).collect();
    let below = marks.iter().copied().rfind(|m| *m <= from + 1e-9);
    let above = marks.iter().copied().find(|m| *m >= to - 1e-9);
    (below.unwrap_or(whole.0), above.unwrap_or(whole.1))
}

fn log_label(at: f64, plain: bool) -> Typeset {
    let exponent = (at + 1e-9).floor();
    let mantissa = 10f64.powf(at - exponent).round();
    match plain {
        true if exponent < 0.0 => Format::Fixed(-exponent as u8).typeset(mantissa * 10f64.powf(exponent)),
        true => Format::Integer.typeset(mantissa * 10f64.powf(exponent)),
        false => Typeset { exponent: Some(exponent as i32), ..Format::Integer.typeset(mantissa) },
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn show(scale: Scale, from: f64, to: f64, count: usize) -> Vec<String> {
        let extent = Extent { from: scale.even(from), to: scale.even(to), round: true, least_step: 0.0 };
        let ticks = ticks(scale, extent, count);
        ticks.major.iter().map(|(_, label)| label.text()).collect()
    }

    #[test]
    fn linear_ticks_are_those_that_a_person_would_choose() {
        assert_eq!(show(Scale::Linear, 0.0, 10.0, 5), ["0", "2", "4", "6", "8", "10"]);
        assert_eq!(show(Scale::Linear, -0.13, 0.42, 4), ["-0.2", "0.0", "0.2", "0.4", "0.6"]);
        assert_eq!(show(Scale::Linear, 97.0, 103.0, 3), ["96", "98", "100", "102", "104"]);
        assert_eq!(show(Scale::Linear, 0.0, 4e5, 2), ["0", "200\u{202F}000", "400\u{202F}000"]);
        assert_eq!(show(Scale::Linear, 0.0, 3e-5, 3), ["0", "10", "20", "30"]);
    }

    #[test]
    fn logarithmic_ticks_are_decades_or_one_two_five() {
        assert_eq!(show(Scale::Log, 0.02, 70.0, 8), ["0.01", "0.1", "1", "10", "100"]);
        assert_eq!(show(Scale::Log, 3.0, 7.0, 8), ["2", "5", "10"]);
        assert_eq!(show(Scale::Log, 3e-9, 4e-6, 8), ["1e-9", "1e-8", "1e-7", "1e-6", "1e-5"]);
        assert_eq!(show(Scale::Log, 2e-7, 4e-7, 8), ["2e-7", "5e-7"]);
        assert_eq!(show(Scale::Log, 1.0, 1e12, 5), ["1e0", "1e3", "1e6", "1e9", "1e12"]);
    }

    #[test]
    fn minor_ticks_of_a_decade_are_two_to_nine() {
        let ticks = ticks(Scale::Log, Extent { from: 0.0, to: 3.0, round: true, least_step: 0.0 }, 6);
        let values: Vec<f64> = ticks.minor.iter().map(|at| 10f64.powf(*at).round()).collect();
        let expected = [1.0, 10.0, 100.0].map(|d| [2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0].map(|m| d * m));
        assert_eq!(values, expected.concat());
    }

    /// What a reader makes of a label.
    fn read(label: &Typeset, power: i32) -> f64 {
        let text = label.text().replace('\u{202F}', "");
        if power == 0 { text.parse().unwrap() } else { format!("{text}e{power}").parse().unwrap() }
    }

    proptest! {
        #[test]
        fn linear_ticks_cover_and_are_evenly_spaced(
            middle in -1e6..1e6f64, exponent in -8.0..8.0f64, count in 1usize..12
        ) {
            let half = 10f64.powf(exponent);
            let extent = Extent { from: middle - half, to: middle + half, round: true, least_step: 0.0 };
            let ticks = ticks(Scale::Linear, extent, count);
            let at: Vec<f64> = ticks.major.iter().map(|(at, _)| *at).collect();
            let step = at[1] - at[0];
            prop_assert!(at[0] <= extent.from + 1e-8 * step && *at.last().unwrap() >= extent.to - 1e-8 * step);
            prop_assert!(at.len() <= count + 2, "{} ticks for {count}", at.len());
            prop_assert!(at.len() * 5 + 5 >= 2 * count, "{} ticks for {count}", at.len());
            for (value, label) in &ticks.major {
                // The label is the tick itself, not a rounded one.
                prop_assert!((read(label, ticks.power) - value).abs() <= 1e-6 * step);
            }
        }

        #[test]
        fn logarithmic_ticks_cover(low in -290.0..290.0f64, decades in 1e-3..10.0f64, count in 1usize..12) {
            let extent = Extent { from: low, to: low + decades, round: true, least_step: 0.0 };
            let ticks = ticks(Scale::Log, extent, count);
            prop_assert!(ticks.from <= extent.from + 1e-8 && ticks.to >= extent.to - 1e-8);
            prop_assert!(ticks.major.len() >= 2);
            prop_assert!(ticks.major[0].0 - ticks.from < 1e-8 && ticks.to - ticks.major.last().unwrap().0 < 1e-8);
            for (at, label) in &ticks.major {
                prop_assert!((read(label, 0).log10() - at).abs() < 1e-9);
            }
        }
    }
}
