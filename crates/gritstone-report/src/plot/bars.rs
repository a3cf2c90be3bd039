//! Bars side by side.

use super::frame::Frame;
use super::{Mark, Plot};

/// Share of the pitch that a group of bars fills.
const FILL: f64 = 0.84;

/// How the bars of a plot share the horizontal axis, in its even coordinate.
#[derive(Clone, Debug)]
pub(super) struct Bars {
    /// Least distance between two bars of one series.
    pub(super) pitch: f64,
    /// Indices of the series that are bars.
    pub(super) series: Vec<usize>,
}

impl Bars {
    pub(super) fn of(plot: &Plot) -> Self {
        let is_bars = |i: &usize| plot.series[*i].mark == Mark::Bars;
        let series: Vec<usize> = (0..plot.series.len()).filter(is_bars).collect();
        let points = series.iter().flat_map(|i| &plot.series[*i].points);
        let shown = points.filter(|p| plot.shows(Mark::Bars, **p));
        let mut at: Vec<f64> = shown.map(|p| plot.x.scale.even(p.0)).collect();
        at.sort_by(f64::total_cmp);
        // Places that differ by rounding alone are one.
        let least = at.first().zip(at.last()).map_or(0.0, |(first, last)| 1e-9 * (last - first));
        let apart = at.windows(2).map(|w| w[1] - w[0]).filter(|d| *d > least).fold(f64::INFINITY, f64::min);
        Self { pitch: if apart.is_finite() { apart } else { 1.0 }, series }
    }

    /// Left end and width in pixels of the bar that series `index` has at `x`.
    pub(super) fn place(&self, frame: &Frame, index: usize, x: f64) -> (f64, f64) {
        let slot = self.series.iter().position(|i| *i == index).unwrap_or(0) as f64;
        let width = FILL * self.pitch / self.series.len().max(1) as f64;
        let start = frame.even_x(x) - 0.5 * FILL * self.pitch + slot * width;
        let (left, right) = (frame.column_even(start), frame.column_even(start + width));
        (left, right - left)
    }
}
