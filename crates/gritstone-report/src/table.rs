//! Tables: made once, shown on a terminal and on a page, kept as CSV and JSON.

mod csv;
mod html;
mod json;
mod text;

use serde::Serialize;

use crate::Error;
use crate::number::{self, Format, Typeset};

/// Shown where there is no value.
const MISSING: &str = "–";

/// A table with one kind of value per column.
///
/// People get rounded numbers ([`to_text`](Self::to_text), [`to_html`](Self::to_html)), programs get full
/// ones ([`to_csv`](Self::to_csv), [`to_json`](Self::to_json)).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Table {
    /// Short name; becomes the stem of file names and the anchor on the page.
    pub name: String,
    /// What the table shows, in one line.
    pub title: String,
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
    /// Remarks set below the table.
    pub notes: Vec<String>,
}

/// One column: its heading, and how its values are shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Column {
    /// Heading that this column shares with neighbours of the same group.
    pub group: Option<String>,
    /// Heading.
    pub name: String,
    /// Unit of the values.
    pub unit: Option<String>,
    /// Where the values stand.
    #[serde(skip)]
    pub align: Align,
    /// How numbers are shown unless a cell brings its own format.
    #[serde(skip)]
    pub format: Format,
}

/// Where the values of a column stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Flush left, for words.
    Left,
    /// Centred, for marks.
    Center,
    /// Flush right, for numbers.
    Right,
}

/// One value.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Words.
    Text(String),
    /// A count, exact.
    Integer(i64),
    /// A number, shown in the column's format.
    Number(f64),
    /// A number, shown in a format of its own.
    Formatted(f64, Format),
    /// No value: an en dash for people, an empty field in CSV, `null` in JSON.
    Missing,
}

impl Table {
    /// A table without rows.
    pub fn new(
        name: impl Into<String>,
        title: impl Into<String>,
        columns: impl IntoIterator<Item = Column>,
    ) -> Self {
        Self {
            name: name.into(),
            title: title.into(),
            columns: columns.into_iter().collect(),
            rows: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Adds a remark below the table.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Appends a row; [`cells!`](crate::cells) makes one from values of different types.
    pub fn push<C: Into<Cell>>(&mut self, row: impl IntoIterator<Item = C>) -> Result<(), Error> {
        let row: Vec<Cell> = row.into_iter().map(Into::into).collect();
        if row.len() != self.columns.len() {
            let (expected, found) = (self.columns.len(), row.len());
            return Err(Error::RowLength { table: self.name.clone(), expected, found });
        }
        self.rows.push(row);
        Ok(())
    }

    /// The columns.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The rows, each with one cell per column.
    pub fn rows(&self) -> &[Vec<Cell>] {
        &self.rows
    }
}

impl Column {
    /// A column of words.
    pub fn text(name: impl Into<String>) -> Self {
        Self { group: None, name: name.into(), unit: None, align: Align::Left, format: Format::General }
    }

    /// A column of numbers.
    pub fn number(name: impl Into<String>, format: Format) -> Self {
        Self { align: Align::Right, format, ..Self::text(name) }
    }

    /// Sets the unit.
    pub fn unit(mut self, unit: impl Into<String>) -> Self {
        self.unit = Some(unit.into());
        self
    }

    /// Puts the column under a heading shared with its neighbours of the same group.
    pub fn group(mut self, group: impl Into<String>) -> Self {
        self.group = Some(group.into());
        self
    }

    /// Sets where the values stand.
    pub fn align(mut self, align: Align) -> Self {
        self.align = align;
        self
    }

    /// Heading in one line, as data files have it: `group: name (unit)`.
    fn label(&self) -> String {
        let group = self.group.as_ref().map_or(String::new(), |g| format!("{g}: "));
        let unit = self.unit.as_ref().map_or(String::new(), |u| format!(" ({u})"));
        format!("{group}{}{unit}", self.name)
    }
}

/// A cell as people see it.
enum Shown<'a> {
    Words(&'a str),
    Number(Typeset),
}

impl Cell {
    fn shown(&self, column: &Column) -> Shown<'_> {
        match self {
            Self::Text(text) => Shown::Words(text),
            Self::Integer(value) => Shown::Number(number::integer(*value)),
            Self::Number(value) => Shown::Number(column.format.typeset(*value)),
            Self::Formatted(value, format) => Shown::Number(format.typeset(*value)),
            Self::Missing => Shown::Words(MISSING),
        }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<f64> for Cell {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}

impl From<(f64, Format)> for Cell {
    fn from((value, format): (f64, Format)) -> Self {
        Self::Formatted(value, format)
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Missing, Into::into)
    }
}

macro_rules! from_integer {
    ($($integer:ty),*) => {$(
        impl From<$integer> for Cell {
            /// Exact up to 2⁶³; beyond, the nearest double.
            fn from(value: $integer) -> Self {
                i64::try_from(value).map_or(Self::Formatted(value as f64, Format::Integer), Self::Integer)
            }
        }
    )*};
}
from_integer!(i32, i64, u32, u64, usize);

/// One row of a table from values of different types: text, integers, numbers, `(number, format)`, options.
#[macro_export]
macro_rules! cells {
    ($($value:expr),* $(,)?) => { [$($crate::Cell::from($value)),*] };
}
