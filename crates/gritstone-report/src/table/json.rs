//! JSON with full precision: `{"name", "title", "columns": [{"group", "name", "unit"}], "rows": [[…]], "notes"}`.

use serde::ser::{Serialize, Serializer};

use super::{Cell, Table};

impl Table {
    /// The table as JSON, one line per column and row.
    ///
    /// Numbers have as many digits as it takes to read back the same bits; a missing value is `null`. JSON has
    /// no way to write `NaN`, `inf` and `-inf` but as strings.
    pub fn to_json(&self) -> String {
        let (name, title) = (compact(&self.name), compact(&self.title));
        let (columns, rows, notes) = (lines(&self.columns), lines(&self.rows), lines(&self.notes));
        format!(
            "{{\n\"name\": {name},\n\"title\": {title},\n\"columns\": [{columns}],\n\"rows\": [{rows}],\n\
             \"notes\": [{notes}]\n}}\n"
        )
    }
}

fn lines<T: Serialize>(items: &[T]) -> String {
    if items.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = items.iter().map(compact).collect();
    format!("\n  {}\n", lines.join(",\n  "))
}

fn compact<T: Serialize>(value: &T) -> String {
    // What stands in a table always has a JSON form, so that `json!` cannot fail.
    serde_json::json!(value).to_string()
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Self::Text(ref text) => serializer.serialize_str(text),
            Self::Integer(value) => serializer.serialize_i64(value),
            Self::Number(value) | Self::Formatted(value, _) => match value.is_finite() {
                true => serializer.serialize_f64(value),
                false => serializer.serialize_str(&value.to_string()),
            },
            Self::Missing => serializer.serialize_none(),
        }
    }
}
