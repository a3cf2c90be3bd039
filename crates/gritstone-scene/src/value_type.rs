//! What scenes look like, as data: the schema and the reference are made from it.

use crate::quantity::Number;

/// What a value looks like.
#[derive(Clone, Debug)]
pub(crate) enum ValueType {
    Bool,
    Text,
    Whole {
        least: u8,
    },
    /// One of some whole numbers.
    OneOf([u8; 2]),
    Number(Number),
    /// As many numbers as the scene has dimensions.
    Coordinates(Number),
    /// So many numbers.
    Numbers(Number, usize),
    /// One of several keywords, each with its meaning.
    Keyword(&'static [(&'static str, &'static str)]),
    List(Box<ValueType>),
    /// A table of things with names.
    Named(Box<ValueType>),
    /// Any one of these.
    Either(Vec<ValueType>),
    Section(Section),
    /// A table whose key `tag` says which of the sections it is.
    Choice {
        name: &'static str,
        doc: String,
        tag: &'static str,
        sections: Vec<(&'static str, Section)>,
    },
}

/// A table with known keys.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    pub(crate) name: &'static str,
    pub(crate) doc: String,
    pub(crate) fields: Vec<Field>,
}

/// A key of a table.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) doc: String,
    pub(crate) value_type: ValueType,
    pub(crate) required: bool,
    /// Default, as TOML.
    pub(crate) default: Option<toml::Value>,
}

impl ValueType {
    /// What it must be, as a phrase that completes "must be".
    pub(crate) fn describe(&self, dimension: usize) -> String {
        match self {
            Self::Bool => "true or false".to_owned(),
            Self::Text => "a text".to_owned(),
            Self::Whole { least } => format!("a whole number, {least} or more"),
            Self::OneOf([a, b]) => format!("{a} or {b}"),
            Self::Number(number) => number.must(dimension),
            Self::Coordinates(number) => {
                format!("a list of {dimension} numbers, each {}", number.must(dimension))
            }
            Self::Numbers(number, n) => format!("a list of {n} numbers, each {}", number.must(dimension)),
            Self::Keyword(keywords) => {
                let keywords: Vec<_> = keywords.iter().map(|(keyword, _)| format!("\"{keyword}\"")).collect();
                if keywords.len() == 1 {
                    keywords.concat()
                } else {
                    format!("one of {}", keywords.join(", "))
                }
            }
            Self::List(of) => match of.as_ref() {
                Self::Section(_) | Self::Choice { .. } => "a list of tables".to_owned(),
                Self::Text => "a list of texts".to_owned(),
                of => format!("a list, each item of it {}", of.describe(dimension)),
            },
            Self::Named(_) => "a table of tables".to_owned(),
            Self::Either(types) => {
                types.iter().map(|of| of.describe(dimension)).collect::<Vec<_>>().join("; or ")
            }
            Self::Section(_) | Self::Choice { .. } => "a table".to_owned(),
        }
    }
}

/// The lines of a doc comment as one.
pub(crate) fn doc(lines: &[&str]) -> String {
    lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ").trim().to_owned()
}
