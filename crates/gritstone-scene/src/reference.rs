//! The reference of scene files as a document: every table, every key.

use std::fmt::Write as _;

use crate::form::{Field, Form, Section};
use crate::node::Node;
use crate::quantity::Number;
use crate::words::{CellMotion, CompoundPart, Region, SceneFile, Size, Zone};

/// Tables that stand inside of others and are described once, behind these: their names and the titles they have here.
const SHARED: [(&str, &str); 5] = [
    ("Zone", "Regions"),
    ("Size", "Sizes of grains"),
    ("Region", "Boxes of events"),
    ("CellMotion", "Motion of cells"),
    ("CompoundPart", "Parts of compounds"),
];

/// All tables and keys of scene files, in Markdown.
pub fn reference() -> String {
    let root = SceneFile::section();
    let mut text = String::new();
    part(&mut text, "Top of the file", &root);
    for field in &root.fields {
        described(&mut text, field.name, &field.form, Header::Plain);
    }
    for form in [Zone::form(), Size::form(), Region::form(), CellMotion::form(), CompoundPart::form()] {
        table(&mut text, shared(&form).unwrap_or_default(), &form);
    }
    text
}

/// The title of a table that is described once for all places where it stands.
fn shared(form: &Form) -> Option<&'static str> {
    let name = match form {
        Form::Section(section) => section.name,
        Form::Choice { name, .. } => name,
        _ => return None,
    };
    SHARED.iter().find(|(known, _)| *known == name).map(|(_, title)| *title)
}

/// Where a table is described.
fn place(form: &Form) -> String {
    let link = |title: &str| format!("[{title}](#{})", title.to_lowercase().replace(' ', "-"));
    shared(form).map_or_else(|| "below".to_owned(), link)
}

/// How a table's header is written.
#[derive(Clone, Copy)]
enum Header {
    Plain,
    Named,
    List,
}

impl Header {
    fn write(self, name: &str) -> String {
        match self {
            Self::Plain => format!("`[{name}]`"),
            Self::Named => format!("`[{name}.NAME]`"),
            Self::List => format!("`[[{name}]]`"),
        }
    }
}

fn described(text: &mut String, name: &str, form: &Form, header: Header) {
    match form {
        Form::Named(of) => {
            described(text, name, of, Header::Named);
            if let Form::Section(section) = of.as_ref() {
                for field in section.fields.iter().filter(|field| shared(&field.form).is_none()) {
                    described(text, &format!("{name}.NAME.{}", field.name), &field.form, Header::Plain);
                }
            }
        }
        Form::List(of) => described(text, name, of, Header::List),
        form => table(text, &header.write(name), form),
    }
}

/// A table, if it is one.
fn table(text: &mut String, title: &str, form: &Form) {
    match form {
        Form::Section(section) => part(text, title, section),
        Form::Choice { doc, tag, sections, .. } => {
            heading(text, title, doc);
            for (word, section) in sections {
                let _ = writeln!(text, "\n### `{tag} = \"{word}\"`\n\n{}\n", section.doc);
                keys(text, &section.fields);
            }
        }
        _ => {}
    }
}

fn part(text: &mut String, title: &str, section: &Section) {
    heading(text, title, &section.doc);
    text.push('\n');
    keys(text, &section.fields);
}

/// Writing to a string cannot fail.
fn heading(text: &mut String, title: &str, doc: &str) {
    let _ = writeln!(text, "\n## {title}\n\n{doc}");
}

fn keys(text: &mut String, fields: &[Field]) {
    text.push_str("| key | value | meaning |\n|---|---|---|\n");
    for field in fields {
        let need = match (&field.default, field.required) {
            (Some(default), _) if !matches!(default, toml::Value::Table(_)) => {
                format!(" (default `{default}`)")
            }
            (_, true) => " **(required)**".to_owned(),
            _ => String::new(),
        };
        let _ = writeln!(text, "| `{}`{need} | {} | {} |", field.name, value(&field.form), meaning(field));
    }
}

/// What a key means, and what its words mean.
fn meaning(field: &Field) -> String {
    let mut meaning = field.doc.clone();
    if let Form::Word(words) = field.form {
        for (word, doc) in words {
            let _ = write!(meaning, " `\"{word}\"`: {}", lower(doc.trim()));
        }
    }
    meaning.replace('|', "\\|")
}

fn lower(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

fn value(form: &Form) -> String {
    match form {
        Form::Bool => "true or false".to_owned(),
        Form::Text => "text".to_owned(),
        Form::Whole { least } => format!("whole number, {least} or more"),
        Form::OneOf([a, b]) => format!("{a} or {b}"),
        Form::Number(of) => number(of),
        Form::Coordinates(of) => format!("a list, one per dimension: {}", number(of)),
        Form::Numbers(of, n) => format!("a list of {n}: {}", number(of)),
        Form::Word(words) => {
            words.iter().map(|(word, _)| format!("`\"{word}\"`")).collect::<Vec<_>>().join(", ")
        }
        Form::List(of) => match of.as_ref() {
            of @ (Form::Section(_) | Form::Choice { .. }) => format!("a list of tables, see {}", place(of)),
            of => format!("a list: {}", value(of)),
        },
        Form::Named(_) => "a table of named tables, see below".to_owned(),
        Form::Either(forms) => forms.iter().map(value).collect::<Vec<_>>().join("; or "),
        of @ (Form::Section(_) | Form::Choice { .. }) => format!("a table, see {}", place(of)),
    }
}

fn number(of: &Number) -> String {
    let what = of.what.split_once(' ').map_or(of.what, |(_, what)| what);
    let range = of.range.words();
    if of.unit.is_empty() {
        return format!("{what}, {range}");
    }
    let plane =
        if of.unit == of.plane_unit { String::new() } else { format!(" (in the plane {})", of.plane_unit) };
    format!("{what} in {}{plane}, {range}; `\"{}\"`", of.unit, of.example)
}
