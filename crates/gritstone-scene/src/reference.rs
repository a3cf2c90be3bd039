//! The reference of scene files as a document: every table, every key.

use std::fmt::Write as _;

use crate::node::Node;
use crate::quantity::Number;
use crate::schema::{BoxRegion, CellMotion, CompoundPart, Region, SceneFile, Size};
use crate::value_type::{Field, Section, ValueType};

/// Tables that stand inside of others and are described once, behind these: their names and the titles they have here.
const SHARED: [(&str, &str); 5] = [
    ("Region", "Regions"),
    ("Size", "Sizes of grains"),
    ("BoxRegion", "Boxes of events"),
    ("CellMotion", "Motion of cells"),
    ("CompoundPart", "Parts of compounds"),
];

/// All tables and keys of scene files, in Markdown.
pub fn reference() -> String {
    let root = SceneFile::section();
    let mut text = String::new();
    part(&mut text, "Top of the file", &root);
    for field in &root.fields {
        described(&mut text, field.name, &field.value_type, Header::Plain);
    }
    for value_type in [
        Region::value_type(),
        Size::value_type(),
        BoxRegion::value_type(),
        CellMotion::value_type(),
        CompoundPart::value_type(),
    ] {
        table(&mut text, shared(&value_type).unwrap_or_default(), &value_type);
    }
    text
}

/// The title of a table that is described once for all places where it stands.
fn shared(value_type: &ValueType) -> Option<&'static str> {
    let name = match value_type {
        ValueType::Section(section) => section.name,
        ValueType::Choice { name, .. } => name,
        _ => return None,
    };
    SHARED.iter().find(|(known, _)| *known == name).map(|(_, title)| *title)
}

/// Where a table is described.
fn place(value_type: &ValueType) -> String {
    let link = |title: &str| format!("[{title}](#{})", title.to_lowercase().replace(' ', "-"));
    shared(value_type).map_or_else(|| "below".to_owned(), link)
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

fn described(text: &mut String, name: &str, value_type: &ValueType, header: Header) {
    match value_type {
        ValueType::Named(of) => {
            described(text, name, of, Header::Named);
            if let ValueType::Section(section) = of.as_ref() {
                for field in section.fields.iter().filter(|field| shared(&field.value_type).is_none()) {
                    described(text, &format!("{name}.NAME.{}", field.name), &field.value_type, Header::Plain);
                }
            }
        }
        ValueType::List(of) => described(text, name, of, Header::List),
        value_type => table(text, &header.write(name), value_type),
    }
}

/// A table, if it is one.
fn table(text: &mut String, title: &str, value_type: &ValueType) {
    match value_type {
        ValueType::Section(section) => part(text, title, section),
        ValueType::Choice { doc, tag, sections, .. } => {
            heading(text, title, doc);
            for (keyword, section) in sections {
                let _ = writeln!(text, "\n### `{tag} = \"{keyword}\"`\n\n{}\n", section.doc);
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
        let _ =
            writeln!(text, "| `{}`{need} | {} | {} |", field.name, value(&field.value_type), meaning(field));
    }
}

/// What a key means, and the meanings of its keywords.
fn meaning(field: &Field) -> String {
    let mut meaning = field.doc.clone();
    if let ValueType::Keyword(keywords) = field.value_type {
        for (keyword, doc) in keywords {
            let _ = write!(meaning, " `\"{keyword}\"`: {}", lower(doc.trim()));
        }
    }
    meaning.replace('|', "\\|")
}

fn lower(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

fn value(value_type: &ValueType) -> String {
    match value_type {
        ValueType::Bool => "true or false".to_owned(),
        ValueType::Text => "text".to_owned(),
        ValueType::Whole { least } => format!("whole number, {least} or more"),
        ValueType::OneOf([a, b]) => format!("{a} or {b}"),
        ValueType::Number(of) => number(of),
        ValueType::Coordinates(of) => format!("a list, one per dimension: {}", number(of)),
        ValueType::Numbers(of, n) => format!("a list of {n}: {}", number(of)),
        ValueType::Keyword(keywords) => {
            keywords.iter().map(|(keyword, _)| format!("`\"{keyword}\"`")).collect::<Vec<_>>().join(", ")
        }
        ValueType::List(of) => match of.as_ref() {
            of @ (ValueType::Section(_) | ValueType::Choice { .. }) => {
                format!("a list of tables, see {}", place(of))
            }
            of => format!("a list: {}", value(of)),
        },
        ValueType::Named(_) => "a table of named tables, see below".to_owned(),
        ValueType::Either(types) => types.iter().map(value).collect::<Vec<_>>().join("; or "),
        of @ (ValueType::Section(_) | ValueType::Choice { .. }) => format!("a table, see {}", place(of)),
    }
}

fn number(of: &Number) -> String {
    let what = of.what.split_once(' ').map_or(of.what, |(_, what)| what);
    let range = of.range.describe();
    if of.unit.is_empty() {
        return format!("{what}, {range}");
    }
    let plane =
        if of.unit == of.plane_unit { String::new() } else { format!(" (in the plane {})", of.plane_unit) };
    format!("{what} in {}{plane}, {range}; `\"{}\"`", of.unit, of.example)
}
