//! The page.

use std::fmt::Write;

use super::image::data_uri;
use super::{Block, Report, Section};
use crate::escape::escape;
use crate::plot::{self, DARK_PAGE, LIGHT_PAGE};
use crate::{Plot, Size, Table};

/// Numbers of the tables and figures so far.
#[derive(Default)]
struct Count {
    tables: usize,
    figures: usize,
}

impl Report {
    /// The report as one HTML file that needs no other: style, plots, pictures and data are inside. It is
    /// well-formed XML at the same time.
    pub fn to_html(&self) -> String {
        let title = escape(&self.title);
        let mut count = Count::default();
        let sections: String =
            self.sections.iter().enumerate().map(|(i, s)| section(s, i + 1, &mut count)).collect();
        let style =
            include_str!("style.css").replace("LIGHT_PAGE", LIGHT_PAGE).replace("DARK_PAGE", DARK_PAGE);
        // The policy makes browsers refuse whatever is not in this file.
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n<title>{title}</title>\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
             <meta name=\"color-scheme\" content=\"light dark\"/>\n\
             <meta http-equiv=\"Content-Security-Policy\" \
             content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\"/>\n\
             <style>\n{style}{}\n</style>\n</head>\n<body>\n<header>\n<h1>{title}</h1>\n{}{}{}</header>\n\
             <main>\n{sections}</main>\n</body>\n</html>\n",
            plot::style(),
            self.lead(),
            self.facts(),
            self.contents(),
        )
    }

    fn lead(&self) -> String {
        match self.summary.is_empty() {
            true => String::new(),
            false => format!("<p class=\"lead\">{}</p>\n", escape(&self.summary)),
        }
    }

    fn facts(&self) -> String {
        if self.facts.is_empty() {
            return String::new();
        }
        let fact = |(name, value): &(String, String)| {
            format!("<div><dt>{}</dt><dd>{}</dd></div>\n", escape(name), escape(value))
        };
        format!("<dl>\n{}</dl>\n", self.facts.iter().map(fact).collect::<String>())
    }

    /// Links to the sections, once there are enough of them to lose one's way.
    fn contents(&self) -> String {
        if self.sections.len() < 3 {
            return String::new();
        }
        let link = |(i, section): (usize, &Section)| {
            format!("<li><a href=\"#section:{}\">{}</a></li>\n", i + 1, escape(&section.heading))
        };
        let links: String = self.sections.iter().enumerate().map(link).collect();
        format!("<nav aria-label=\"Contents\">\n<ol>\n{links}</ol>\n</nav>\n")
    }
}

fn section(section: &Section, number: usize, count: &mut Count) -> String {
    // The colon keeps these ids apart from names, which have none.
    let id = format!("section:{number}");
    let mut out =
        format!("<section aria-labelledby=\"{id}\">\n<h2 id=\"{id}\">{}</h2>\n", escape(&section.heading));
    let both_alike = |a: &Block, b: &Block| {
        matches!((a, b), (Block::Plot(_), Block::Plot(_)) | (Block::Image(_), Block::Image(_)))
    };
    for run in section.blocks.chunk_by(both_alike) {
        let content: String = run.iter().map(|item| block(item, count)).collect();
        let _ = match run.len() {
            1 => write!(out, "{content}"),
            _ => write!(out, "<div class=\"row\">\n{content}</div>\n"),
        };
    }
    out + "</section>\n"
}

fn block(block: &Block, count: &mut Count) -> String {
    match block {
        Block::Paragraph(text) => format!("<p>{}</p>\n", escape(text)),
        Block::Note(text) => format!("<p class=\"note\" role=\"note\">{}</p>\n", escape(text)),
        Block::Table(table) => {
            count.tables += 1;
            table.figure(Some(count.tables), &links(table))
        }
        Block::Plot(plot) => {
            count.figures += 1;
            let both = plot.element(Size::WIDE, "wide", "") + &plot.element(Size::NARROW, "narrow", "");
            figure(&plot.name, count.figures, &both, &caption(plot))
        }
        Block::Image(image) => {
            count.figures += 1;
            figure(&image.name, count.figures, &image.element(), &escape(&image.title))
        }
    }
}

fn figure(name: &str, number: usize, content: &str, caption: &str) -> String {
    let name = escape(name);
    format!(
        "<figure id=\"{name}\">\n{content}<figcaption><b>Figure {number}.</b> {caption}</figcaption>\n</figure>\n"
    )
}

fn caption(plot: &Plot) -> String {
    let mut out = escape(&plot.title).into_owned();
    let more = [plot.description.clone(), plot.gaps().unwrap_or_default()];
    for text in more.iter().filter(|text| !text.is_empty()) {
        let stop = if out.ends_with(['.', '!', '?', '…']) { "" } else { "." };
        let _ = write!(out, "{stop} {}", escape(text));
    }
    out
}

/// The data of a table, to be saved from the page itself.
fn links(table: &Table) -> String {
    let link = |kind: &str, extension: &str, data: &str| {
        let (address, name) = (data_uri(kind, data.as_bytes()), escape(&table.name));
        format!("<a download=\"{name}.{extension}\" href=\"{address}\">{}</a>", extension.to_uppercase())
    };
    let csv = link("text/csv;charset=utf-8", "csv", &table.to_csv());
    let json = link("application/json", "json", &table.to_json());
    format!("<p class=\"data\">Full precision: {csv} {json}</p>\n")
}
