//! Comma-separated values as in RFC 4180, UTF-8, full precision.

use super::{Cell, Column, Table};

impl Table {
    /// The table as CSV: one heading line, then one line per row.
    ///
    /// Numbers have as many digits as it takes to read back the same bits, whatever their format; a missing
    /// value is an empty field; values that are no numbers read `NaN`, `inf` and `-inf`.
    pub fn to_csv(&self) -> String {
        let mut out = String::new();
        push_line(&mut out, self.columns.iter().map(Column::label));
        for row in &self.rows {
            push_line(&mut out, row.iter().map(field));
        }
        out
    }
}

fn push_line(out: &mut String, fields: impl ExactSizeIterator<Item = String>) {
    // A lone empty field would be a blank line, which readers skip.
    let lone = fields.len() == 1;
    for (i, field) in fields.enumerate() {
        if i > 0 {
            out.push(',');
        }
        push_quoted(out, &field, lone);
    }
    out.push('\n');
}

fn push_quoted(out: &mut String, field: &str, lone: bool) {
    let blank_ends = field.starts_with(' ') || field.ends_with(' ');
    let quote = field.contains(['"', ',', '\n', '\r']) || blank_ends || (lone && field.is_empty());
    if quote {
        out.push('"');
        out.push_str(&field.replace('"', "\"\""));
        out.push('"');
    } else {
        out.push_str(field);
    }
}

fn field(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => text.clone(),
        Cell::Integer(value) => value.to_string(),
        // `Debug` is the shortest text that reads back the same, with an exponent where `Display` has zeros.
        Cell::Number(value) | Cell::Formatted(value, _) => format!("{value:?}"),
        Cell::Missing => String::new(),
    }
}
