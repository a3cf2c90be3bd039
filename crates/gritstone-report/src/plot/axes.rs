//! Grid, ticks, labels and axis titles.

use std::fmt::Write;

use super::Plot;
use super::frame::{Frame, TEXT, TICK, text_width};
use super::marks::px;
use super::ticks::Ticks;
use crate::escape::escape;
use crate::number::{Typeset, minus};

/// What lies behind the data: a line across at every labelled tick. Bars need none upwards.
pub(super) fn grid(frame: &Frame) -> String {
    let Frame { left, right, top, bottom, .. } = *frame;
    let mut d = String::new();
    for (at, _) in frame.x.major.iter().filter(|_| frame.bars.series.is_empty()) {
        let _ = write!(d, "M{} {}V{}", px(frame.column_even(*at)), px(top), px(bottom));
    }
    for (at, _) in &frame.y.major {
        let _ = write!(d, "M{} {}H{}", px(left), px(frame.row_even(*at)), px(right));
    }
    format!("<path class=\"grid\" d=\"{d}\"/>\n")
}

/// What frames the data: axis lines, ticks, labels, titles.
pub(super) fn axes(plot: &Plot, frame: &Frame) -> String {
    let Frame { left, right, top, bottom, .. } = *frame;
    let mut out = format!("<path class=\"axis\" d=\"{}\"/>\n", lines(frame));
    for (at, label) in &frame.x.major {
        let x = px(frame.column_even(*at));
        let y = px(bottom + 2.0 * TICK + 0.75 * TEXT);
        let _ = writeln!(out, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{}</text>", tspans(label));
    }
    for (at, label) in &frame.y.major {
        let (x, y) = (px(left - 2.0 * TICK), px(frame.row_even(*at) + 0.35 * TEXT));
        let _ = writeln!(out, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"end\">{}</text>", tspans(label));
    }
    let foot = px(bottom + 2.0 * TICK + TEXT + 0.5 * TICK + TEXT);
    let (middle, centre) = (px(0.5 * (left + right)), px(0.5 * (top + bottom)));
    out += &title(&plot.x.label(), &format!("x=\"{middle}\" y=\"{foot}\""), right - left);
    out += &title(
        &plot.y.label(),
        &format!("transform=\"translate({TEXT} {centre})rotate(-90)\""),
        bottom - top,
    );
    out += &power(&frame.x, &format!("x=\"{}\" y=\"{foot}\" text-anchor=\"end\"", px(right)));
    out += &power(&frame.y, &format!("x=\"{}\" y=\"{}\"", px(left), px(top - 8.0)));
    out
}

fn lines(frame: &Frame) -> String {
    let Frame { left, right, top, bottom, .. } = *frame;
    let mut d = format!("M{} {}V{}H{}", px(left), px(top), px(bottom), px(right));
    let lengths = |ticks: &Ticks| {
        let major = ticks.major.iter().map(|(at, _)| (*at, TICK));
        major.chain(ticks.minor.iter().map(|at| (*at, 0.5 * TICK))).collect::<Vec<_>>()
    };
    for (at, length) in lengths(&frame.x) {
        let _ = write!(d, "M{} {}v{length}", px(frame.column_even(at)), px(bottom));
    }
    for (at, length) in lengths(&frame.y) {
        let _ = write!(d, "M{} {}h-{length}", px(left), px(frame.row_even(at)));
    }
    d
}

/// An axis title, squeezed where it would be longer than its axis.
fn title(text: &str, place: &str, room: f64) -> String {
    let squeeze = match text_width(text) > room {
        true => format!(" textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\"", px(room)),
        false => String::new(),
    };
    format!("<text {place} text-anchor=\"middle\"{squeeze}>{}</text>\n", escape(text))
}

/// The power of ten that was taken out of the labels.
fn power(ticks: &Ticks, place: &str) -> String {
    match ticks.power {
        0 => String::new(),
        power => format!("<text {place}>×{}</text>\n", raised(power)),
    }
}

fn tspans(label: &Typeset) -> String {
    match label.exponent {
        None => minus(&label.digits),
        Some(exponent) if label.digits == "1" => raised(exponent),
        Some(exponent) => format!("{}×{}", minus(&label.digits), raised(exponent)),
    }
}

fn raised(exponent: i32) -> String {
    format!("10<tspan dy=\"-4.5\" style=\"font-size:9px\">{}</tspan>", minus(&exponent.to_string()))
}
