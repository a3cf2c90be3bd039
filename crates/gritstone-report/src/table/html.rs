//! Tables for pages.

use std::fmt::Write;

use super::{Align, Cell, Column, Shown, Table};
use crate::escape::escape;

impl Table {
    /// The table as a fragment of HTML: a `figure` with the title as caption, the notes below.
    pub fn to_html(&self) -> String {
        self.figure(None, "")
    }

    /// The same, numbered, with `links` (markup) at the foot.
    pub(crate) fn figure(&self, number: Option<usize>, links: &str) -> String {
        let number = number.map_or(String::new(), |n| format!("<b>Table {n}.</b> "));
        let (name, title) = (escape(&self.name), escape(&self.title));
        let (head, body) = (self.head(), self.body());
        let notes: String = self.notes.iter().map(|note| format!("<p>{}</p>\n", escape(note))).collect();
        format!(
            "<figure class=\"table\" id=\"{name}\">\n<figcaption>{number}{title}</figcaption>\n\
             <div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"{title}\">\n<table>\n\
             <thead>\n{head}</thead>\n<tbody>\n{body}</tbody>\n</table>\n</div>\n\
             <div class=\"foot\">\n{notes}{links}</div>\n</figure>\n"
        )
    }

    fn head(&self) -> String {
        let grouped = self.columns.iter().any(|column| column.group.is_some());
        let (mut upper, mut lower) = (String::new(), String::new());
        for run in self.columns.chunk_by(|a, b| a.group.is_some() && a.group == b.group) {
            match &run[0].group {
                Some(group) => {
                    let (span, group) = (run.len(), escape(group));
                    let _ = write!(
                        upper,
                        "<th scope=\"colgroup\" colspan=\"{span}\" class=\"group\">{group}</th>"
                    );
                    lower.extend(run.iter().map(|column| heading(column, "")));
                }
                None if grouped => upper.extend(run.iter().map(|column| heading(column, " rowspan=\"2\""))),
                None => upper.extend(run.iter().map(|column| heading(column, ""))),
            }
        }
        match grouped {
            true => format!("<tr>{upper}</tr>\n<tr>{lower}</tr>\n"),
            false => format!("<tr>{upper}</tr>\n"),
        }
    }

    fn body(&self) -> String {
        let mut out = String::new();
        for row in &self.rows {
            out.push_str("<tr>");
            for (i, (cell, column)) in row.iter().zip(&self.columns).enumerate() {
                // The first column names the row if it holds words.
                let tag = if i == 0 && column.align == Align::Left { "th scope=\"row\"" } else { "td" };
                let (class, end) = (class(column.align), &tag[..2]);
                let _ = write!(out, "<{tag}{class}>{}</{end}>", content(cell, column));
            }
            out.push_str("</tr>\n");
        }
        out
    }
}

fn heading(column: &Column, span: &str) -> String {
    let unit = column.unit.as_ref().map_or(String::new(), |u| format!("<span>{}</span>", escape(u)));
    format!("<th scope=\"col\"{span}{}>{}{unit}</th>", class(column.align), escape(&column.name))
}

fn content(cell: &Cell, column: &Column) -> String {
    match cell.shown(column) {
        Shown::Words(words) => escape(words).into_owned(),
        Shown::Number(number) => number.html(),
    }
}

fn class(align: Align) -> &'static str {
    match align {
        Align::Left => "",
        Align::Center => " class=\"c\"",
        Align::Right => " class=\"r\"",
    }
}
