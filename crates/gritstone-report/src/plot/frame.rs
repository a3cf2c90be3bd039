//! Where things stand: the extent of the data, the room for labels, and the way from values to pixels.

use super::bars::Bars;
use super::ticks::{self, Extent, Ticks};
use super::{Axis, Mark, Plot, Scale, Size};
use crate::number::Typeset;

/// Height of text, px.
pub(super) const TEXT: f64 = 12.0;
/// Mean width of a character as a fraction of its height, on the safe side for sans-serif faces.
const CHARACTER: f64 = 0.6;
/// Length of a tick and the gap between it and its label, px.
pub(super) const TICK: f64 = 5.0;
/// Height of the line that an axis title takes, px.
const TITLE: f64 = 22.0;

/// The area of the data, in pixels from the top left corner, and its two axes.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
    pub(super) x: Ticks,
    pub(super) y: Ticks,
    pub(super) bars: Bars,
    scales: (Scale, Scale),
}

impl Frame {
    /// Fits the axes to the data and the margins to the labels, below a legend of the given height.
    pub(super) fn new(plot: &Plot, size: Size, legend: f64) -> Self {
        let (width, height) = (f64::from(size.width.max(160)), f64::from(size.height.max(120)));
        let bars = Bars::of(plot);
        let bottom = height - 2.0 * TICK - TEXT - TITLE;
        let rows = ((bottom - legend) / 42.0).max(2.0) as usize;
        let y = ticks::ticks(plot.y.scale, vertical(plot), rows);
        let top = legend + if y.power == 0 { 10.0 } else { 12.0 + TEXT };
        let labels = y.major.iter().map(|(_, label)| label_width(label)).fold(0.0, f64::max);
        let left = labels + 2.0 * TICK + TITLE;
        let (x, right) = horizontal(plot, &bars, left, width);
        let frame = Self { left, right, top, bottom, x, y, bars, scales: (plot.x.scale, plot.y.scale) };
        if plot.equal_scales && frame.scales == (Scale::Linear, Scale::Linear) {
            frame.with_equal_scales(plot, width)
        } else {
            frame
        }
    }

    /// The same with the longer scale shortened: the frame becomes narrower or lower.
    fn with_equal_scales(mut self, plot: &Plot, width: f64) -> Self {
        let spans = (self.x.to - self.x.from, self.y.to - self.y.from);
        let pixels = ((self.right - self.left) / spans.0, (self.bottom - self.top) / spans.1);
        if pixels.0 > pixels.1 {
            let wanted = self.left + spans.0 * pixels.1;
            // Fewer labels fit; their own width may change the margin a little, the frame's width must not.
            self.x = horizontal(plot, &self.bars, self.left, width - (self.right - wanted)).0;
            self.right = self.left + (self.x.to - self.x.from) * pixels.1;
        } else {
            self.top = self.bottom - spans.1 * pixels.0;
        }
        self
    }

    /// Pixel column of a value.
    pub(super) fn column(&self, value: f64) -> f64 {
        self.column_even(self.scales.0.even(value))
    }

    /// Pixel column of a place in the even coordinate of the horizontal axis.
    pub(super) fn column_even(&self, at: f64) -> f64 {
        bounded(self.left + (self.right - self.left) * share(&self.x, at))
    }

    /// Pixel row of a value; rows count downwards.
    pub(super) fn row(&self, value: f64) -> f64 {
        self.row_even(self.scales.1.even(value))
    }

    /// Pixel row of a place in the even coordinate of the vertical axis.
    pub(super) fn row_even(&self, at: f64) -> f64 {
        bounded(self.bottom - (self.bottom - self.top) * share(&self.y, at))
    }

    /// Pixel row from which bars rise: zero, or the lower end of a logarithmic axis.
    pub(super) fn floor(&self) -> f64 {
        match self.scales.1 {
            Scale::Linear => self.row_even(0.0).clamp(self.top, self.bottom),
            Scale::Log => self.bottom,
        }
    }

    /// The even coordinate of a value on the horizontal axis.
    pub(super) fn even_x(&self, value: f64) -> f64 {
        self.scales.0.even(value)
    }
}

fn share(ticks: &Ticks, at: f64) -> f64 {
    (at - ticks.from) / (ticks.to - ticks.from)
}

/// Far outside the picture it does not matter how far.
fn bounded(pixel: f64) -> f64 {
    pixel.clamp(-1e5, 1e5)
}

/// Estimated width of text, px.
pub(super) fn text_width(text: &str) -> f64 {
    CHARACTER * TEXT * text.chars().count() as f64
}

/// Estimated width of a tick's label, px.
pub(super) fn label_width(label: &Typeset) -> f64 {
    let Some(exponent) = label.exponent else {
        return text_width(&label.digits);
    };
    let times = if label.digits == "1" { 0.0 } else { text_width(&label.digits) + text_width("×") };
    times + text_width("10") + 0.75 * text_width(&exponent.to_string())
}

/// The densest ticks whose labels do not touch, and the right end of the axis.
fn horizontal(plot: &Plot, bars: &Bars, left: f64, width: f64) -> (Ticks, f64) {
    let extent = horizontal_extent(plot, bars);
    let mut count = 10;
    loop {
        let x = ticks::ticks(plot.x.scale, extent, count);
        let widest = x.major.iter().map(|(_, label)| label_width(label)).fold(0.0, f64::max);
        let right = (width - (0.5 * widest).max(8.0) - 3.0).max(left + 10.0);
        let pitch = x.major.windows(2).map(|w| (w[1].0 - w[0].0) / (x.to - x.from) * (right - left));
        if count <= 2 || pitch.fold(f64::INFINITY, f64::min) >= widest + TEXT {
            return (x, right);
        }
        count -= 1;
    }
}

fn horizontal_extent(plot: &Plot, bars: &Bars) -> Extent {
    let drawn = plot.series.iter().flat_map(|s| {
        let room = if s.mark == Mark::Bars { 0.5 * bars.pitch } else { 0.0 };
        let shown = s.points.iter().filter(move |p| plot.shows(s.mark, **p));
        shown.flat_map(move |p| [plot.x.scale.even(p.0) - room, plot.x.scale.even(p.0) + room])
    });
    let least_step = if bars.series.is_empty() { 0.0 } else { bars.pitch };
    Extent { least_step, ..extent(&plot.x, drawn, bars.series.is_empty()) }
}

fn vertical(plot: &Plot) -> Extent {
    let drawn = plot.series.iter().flat_map(|s| {
        let scale = plot.y.scale;
        plot.drawable(s).flat_map(move |p| {
            let at = scale.even(p.1);
            let foot = match (s.mark, scale) {
                (Mark::Bars, Scale::Linear) => 0.0,
                // The smallest bar needs some height to be seen.
                (Mark::Bars, Scale::Log) => at - 0.3,
                _ => at,
            };
            [at, foot]
        })
    });
    extent(&plot.y, drawn, true)
}

/// The range requested, or else that of the data, or else zero to one (one to ten on a logarithmic axis).
fn extent(axis: &Axis, drawn: impl Iterator<Item = f64>, round: bool) -> Extent {
    if let Some((from, to)) = axis.range
        && axis.scale.takes(from)
        && axis.scale.takes(to)
        && from < to
    {
        return Extent {
            from: axis.scale.even(from),
            to: axis.scale.even(to),
            round: false,
            least_step: 0.0,
        };
    }
    let (from, to) = drawn.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
    let (from, to) = if from <= to { (from, to) } else { (0.0, 1.0) };
    Extent { from, to, round, least_step: 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(scales: (Scale, Scale), x: (f64, f64), y: (f64, f64)) -> Frame {
        let ticks = |(from, to)| Ticks { from, to, major: Vec::new(), minor: Vec::new(), power: 0 };
        let bars = Bars { pitch: 1.0, series: Vec::new() };
        let (x, y) = (ticks(x), ticks(y));
        Frame { left: 50.0, right: 450.0, top: 20.0, bottom: 320.0, x, y, bars, scales }
    }

    #[test]
    fn linear_axes_map_in_proportion_and_upwards() {
        let frame = frame((Scale::Linear, Scale::Linear), (-1.0, 3.0), (0.0, 60.0));
        // 400 px for 4 units, 300 px for 60 units.
        assert_eq!((frame.column(-1.0), frame.column(0.0), frame.column(3.0)), (50.0, 150.0, 450.0));
        assert_eq!((frame.row(0.0), frame.row(15.0), frame.row(60.0)), (320.0, 245.0, 20.0));
        assert_eq!(frame.floor(), 320.0);
    }

    #[test]
    fn logarithmic_axes_give_each_decade_the_same_length() {
        let frame = frame((Scale::Log, Scale::Log), (-2.0, 2.0), (0.0, 3.0));
        // 100 px per decade on both axes; log10 2 = 0.301029995663981.
        assert_eq!((frame.column(0.01), frame.column(1.0), frame.column(100.0)), (50.0, 250.0, 450.0));
        assert!((frame.column(2.0) - 280.102_999_566_398_1).abs() < 1e-9);
        assert!((frame.row(20.0) - 189.897_000_433_601_9).abs() < 1e-9);
        assert_eq!((frame.row(1.0), frame.row(1000.0), frame.floor()), (320.0, 20.0, 320.0));
    }
}
