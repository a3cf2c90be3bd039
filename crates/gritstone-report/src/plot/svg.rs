//! The picture as a whole.

use std::fmt::Write;

use super::frame::{Frame, TEXT, text_width};
use super::marks::{self, px};
use super::{Plot, Size, axes, palette};
use crate::escape::escape;
use crate::number::Format;

/// Height of a line of the legend, px.
const LEGEND_LINE: f64 = 19.0;
/// Width of a sample in the legend with the gap behind it, px.
const SAMPLE: f64 = 30.0;

impl Plot {
    /// The plot as an SVG file that stands alone: its own style sheet, its own background, light or dark as
    /// the reader prefers.
    pub fn to_svg(&self, size: Size) -> String {
        let page = format!(
            "<style>{}</style>\n<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n",
            palette::style()
        );
        self.element(size, "alone", &page)
    }

    /// The plot as an element for a page that holds the style sheet. `variant`, a class, keeps its ids apart
    /// from those of the same plot in another size.
    pub(crate) fn element(&self, size: Size, variant: &str, first: &str) -> String {
        let Size { width, height } = size;
        let (legend, rows) = self.legend(f64::from(width));
        let frame = Frame::new(self, size, rows);
        // Ids are also written inside `url(#…)`, where quotes and brackets would end them. The colon, which no
        // name of a report has, keeps them apart from the names themselves.
        let unfit = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'));
        let id = format!("{}:{variant}", self.name.replace(unfit, "-"));
        let (title, described) = (escape(&self.title), self.in_words(&frame));
        let clip = self.clip(&frame);
        let data: String = (0..self.series.len()).map(|i| marks::series(self, i, &frame)).collect();
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot {variant}\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" role=\"img\" aria-labelledby=\"{id}-title {id}-desc\">\n\
             <title id=\"{id}-title\">{title}</title>\n<desc id=\"{id}-desc\">{}</desc>\n\
             {first}<clipPath id=\"{id}-clip\">{clip}</clipPath>\n{legend}{}<g clip-path=\"url(#{id}-clip)\">\n{data}</g>\n{}{}</svg>\n",
            escape(&described),
            axes::grid(&frame),
            axes::axes(self, &frame),
            self.no_data(&frame),
        )
    }

    /// Data beyond a range that was requested end at the frame; otherwise symbols and lines on the very edge
    /// keep their full width.
    fn clip(&self, frame: &Frame) -> String {
        let room = |range: Option<(f64, f64)>| if range.is_some() { 0.0 } else { 6.0 };
        let (dx, dy) = (room(self.x.range), room(self.y.range));
        let (x, y) = (px(frame.left - dx), px(frame.top - dy));
        let (width, height) = (px(frame.right + dx - x), px(frame.bottom + dy - y));
        format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>")
    }

    /// One line or more of samples and names, and their height; nothing for a single series.
    fn legend(&self, width: f64) -> (String, f64) {
        if self.series.len() < 2 {
            return (String::new(), 0.0);
        }
        let (mut x, mut y) = (2.0, 0.5 * LEGEND_LINE);
        let mut out = String::new();
        for (index, series) in self.series.iter().enumerate() {
            let room = width - SAMPLE - 4.0;
            let name = shortened(&series.name, room);
            let wide = SAMPLE + text_width(&name) + TEXT;
            if x > 2.0 && x + wide > width {
                (x, y) = (2.0, y + LEGEND_LINE);
            }
            out += &marks::sample(series.mark, index, x, y);
            let (at, base, name) = (px(x + SAMPLE), px(y + 0.35 * TEXT), escape(&name));
            let _ = writeln!(out, "<text x=\"{at}\" y=\"{base}\">{name}</text>");
            x += wide;
        }
        (out, y + 0.5 * LEGEND_LINE)
    }

    /// A sentence about the points that cannot be drawn, if any.
    pub(crate) fn gaps(&self) -> Option<String> {
        match self.undrawn() {
            0 => None,
            1 => Some(
                "One point is not finite, or not positive on a logarithmic axis, and is not drawn.".into(),
            ),
            n => Some(format!(
                "{n} points are not finite, or not positive on a logarithmic axis, and are not drawn."
            )),
        }
    }

    fn no_data(&self, frame: &Frame) -> String {
        if self.series.iter().any(|series| self.drawable(series).next().is_some()) {
            return String::new();
        }
        let (x, y) = (px(0.5 * (frame.left + frame.right)), px(0.5 * (frame.top + frame.bottom)));
        format!("<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">no data</text>\n")
    }

    /// The plot for those who cannot see it.
    fn in_words(&self, frame: &Frame) -> String {
        let mut out = String::new();
        if !self.description.is_empty() {
            let _ = write!(out, "{} ", self.description);
        }
        let show = |scale: super::Scale, at: f64| match scale {
            super::Scale::Linear => Format::General.typeset(at).text(),
            super::Scale::Log => Format::General.typeset(10f64.powf(at)).text(),
        };
        let (x, y) = (&frame.x, &frame.y);
        let _ = write!(
            out,
            "{} from {} to {} against {} from {} to {}.",
            self.y.label(),
            show(self.y.scale, y.from),
            show(self.y.scale, y.to),
            self.x.label(),
            show(self.x.scale, x.from),
            show(self.x.scale, x.to),
        );
        let names: Vec<String> =
            self.series.iter().map(|s| format!("{} ({} points)", s.name, s.points.len())).collect();
        if !names.is_empty() {
            let _ = write!(out, " Series: {}.", names.join(", "));
        }
        if let Some(gaps) = self.gaps() {
            let _ = write!(out, " {gaps}");
        }
        out
    }
}

/// The name, or as much of it as there is room for.
fn shortened(name: &str, room: f64) -> String {
    if text_width(name) <= room {
        return name.to_owned();
    }
    let characters = (room / text_width("m")) as usize;
    name.chars().take(characters.saturating_sub(1)).chain(['…']).collect()
}
