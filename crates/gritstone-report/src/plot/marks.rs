//! The series themselves: lines, staircases, symbols and bars.

use std::collections::HashSet;
use std::fmt::Write;

use super::frame::Frame;
use super::palette::{DASHES, SERIES};
use super::{Mark, Plot, Series};
use crate::escape::escape;
use crate::number::Format;

/// A pixel coordinate to a hundredth, which no eye can tell from the exact one.
pub(super) fn px(pixel: f64) -> f64 {
    (100.0 * pixel).round() / 100.0 + 0.0
}

/// The group of one series.
pub(super) fn series(plot: &Plot, index: usize, frame: &Frame) -> String {
    let series = &plot.series[index];
    let content = match series.mark {
        Mark::Line => line(&pieces(plot, series, frame), false, index),
        Mark::Step => line(&pieces(plot, series, frame), true, index),
        Mark::Points => symbols(plot, series, frame, index),
        Mark::LineAndPoints => {
            line(&pieces(plot, series, frame), false, index) + &symbols(plot, series, frame, index)
        }
        Mark::Bars => bars(plot, index, frame),
    };
    format!("<g class=\"s{}\">{content}</g>\n", index % SERIES.len())
}

/// A sample of the series for the legend, at the left end of a line of text centred on row `y`.
pub(super) fn sample(mark: Mark, index: usize, x: f64, y: f64) -> String {
    let rule = || format!("<path class=\"line\"{} d=\"M{x} {y}h24\"/>", dash(index));
    let symbol = || format!("<path class=\"symbol\" d=\"M{} {y}{}\"/>", x + 12.0, glyph(index));
    let content = match mark {
        Mark::Line | Mark::Step => rule(),
        Mark::Points => symbol(),
        Mark::LineAndPoints => rule() + &symbol(),
        Mark::Bars => {
            let (class, top) = (bar_class(index), y - 5.0);
            format!("<rect class=\"{class}\" x=\"{x}\" y=\"{top}\" width=\"24\" height=\"10\"/>")
        }
    };
    format!("<g class=\"s{}\">{content}</g>", index % SERIES.len())
}

/// Pixels of the drawable points, cut where a point cannot be drawn.
fn pieces(plot: &Plot, series: &Series, frame: &Frame) -> Vec<Vec<(f64, f64)>> {
    let parts = series.points.split(|p| !(plot.x.scale.takes(p.0) && plot.y.scale.takes(p.1)));
    let pixel = |p: &(f64, f64)| (frame.column(p.0), frame.row(p.1));
    let pixels = parts.filter(|part| !part.is_empty()).map(|part| part.iter().map(pixel).collect::<Vec<_>>());
    // The outline of a shape has few points, and may run along a column of pixels.
    if plot.equal_scales { pixels.collect() } else { pixels.map(|part| thinned(&part)).collect() }
}

/// Keeps the first, highest, lowest and last of the points that share a column of pixels: the picture is the
/// same, and a record of a million steps stays a small file.
fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut kept = Vec::new();
    for column in points.chunk_by(|a, b| a.0.floor() == b.0.floor()) {
        if column.len() <= 4 {
            kept.extend_from_slice(column);
            continue;
        }
        let by_row = |a: &&(f64, f64), b: &&(f64, f64)| a.1.total_cmp(&b.1);
        let ends =
            [column.first(), column.iter().min_by(by_row), column.iter().max_by(by_row), column.last()];
        kept.extend(ends.into_iter().flatten());
    }
    kept
}

fn line(pieces: &[Vec<(f64, f64)>], step: bool, index: usize) -> String {
    let mut d = String::new();
    for piece in pieces {
        for (i, (x, y)) in piece.iter().map(|p| (px(p.0), px(p.1))).enumerate() {
            let _ = match (i, step) {
                (0, _) => write!(d, "M{x} {y}"),
                (_, true) => write!(d, "H{x}V{y}"),
                (_, false) => write!(d, "L{x} {y}"),
            };
        }
        // A lone point would be invisible; a round dot of no length is not.
        if let [_] = piece[..] {
            d.push_str("h.01");
        }
    }
    format!("<path class=\"line\"{} d=\"{d}\"/>", dash(index))
}

fn dash(index: usize) -> String {
    match DASHES[index % DASHES.len()] {
        "" => String::new(),
        dash => format!(" stroke-dasharray=\"{dash}\""),
    }
}

/// One path for all symbols of a series; points within half a pixel of each other are drawn once.
fn symbols(plot: &Plot, series: &Series, frame: &Frame, index: usize) -> String {
    let mut seen = HashSet::new();
    let mut d = String::new();
    for (x, y) in plot.drawable(series).map(|p| (frame.column(p.0), frame.row(p.1))) {
        if seen.insert(((2.0 * x).round() as i64, (2.0 * y).round() as i64)) {
            let _ = write!(d, "M{} {}{}", px(x), px(y), glyph(index));
        }
    }
    format!("<path class=\"symbol\" d=\"{d}\"/>")
}

/// A symbol around the current point: disc, square, triangle, diamond, upside-down triangle, cross.
fn glyph(index: usize) -> &'static str {
    match index % SERIES.len() {
        0 => "m-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0z",
        1 => "m-3-3h6v6h-6z",
        2 => "m0-4l3.8 6.6h-7.6z",
        3 => "m0-4.2l3.6 4.2l-3.6 4.2l-3.6-4.2z",
        4 => "m0 4l3.8-6.6h-7.6z",
        _ => "m-1.2-4h2.4v2.8h2.8v2.4h-2.8v2.8h-2.4v-2.8h-2.8v-2.4h2.8z",
    }
}

fn bar_class(index: usize) -> &'static str {
    if index.is_multiple_of(2) { "bar" } else { "bar odd" }
}

/// Bars that tell their value when pointed at.
fn bars(plot: &Plot, index: usize, frame: &Frame) -> String {
    let (series, class, floor) = (&plot.series[index], bar_class(index), frame.floor());
    let mut out = String::new();
    for point in plot.drawable(series) {
        let (left, width) = frame.bars.place(frame, index, point.0);
        let row = frame.row(point.1);
        let (top, height) = (row.min(floor), (row - floor).abs());
        let (x, y) = (Format::General.typeset(point.0).text(), Format::General.typeset(point.1).text());
        let _ = write!(
            out,
            "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>{}: {y} at {x}</title></rect>",
            px(left),
            px(top),
            px(width),
            px(height),
            escape(&series.name),
        );
    }
    out
}
