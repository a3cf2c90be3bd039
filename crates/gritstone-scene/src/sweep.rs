//! Sweep files: one scene with every combination of some values.
//!
//! ```toml
//! scene = "column-collapse.toml"
//! measure = ["probes.slope.angle.last"]
//!
//! [parameters]
//! "materials.stone.friction" = [0.1, 0.3, 0.5]
//! "grains[0].seed" = { from = 1, to = 5, count = 5 }
//! ```

use std::path::{Path, PathBuf};

use serde_json::{Number, Value, json};
use toml::de::{DeTable, DeValue};

use crate::node::{Item, Node, Reader, get, join, number, whole};
use crate::problem::{Problems, Source};
use crate::scene::{read_text, sorted, syntax};
use crate::section::section;
use crate::value_type::ValueType;

/// Most values of a range.
const MOST_VALUES: i128 = 1_000_000;

section! {
    /// A sweep.
    SweepFile {
        /// The scene, beside the file of the sweep.
        scene: String;
        /// Values by key of the scene.
        parameters: Parameters;
        /// What is measured at the end of each case: numbers of the run's summary, such as `probes.slope.angle.last`.
        measure: Vec<String>;
        /// Where the cases that are done are noted, beside the file of the sweep.
        results: Option<String>;
    }
}

/// Values to take, by key of the scene, in the order of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameters {
    /// Each key with its values.
    pub list: Vec<(String, Vec<Value>)>,
}

impl SweepFile {
    /// Reads a file; the paths in it are then those of the files, beside it.
    pub fn read_file(path: &Path) -> Result<Self, Problems> {
        let text = read_text(path)?;
        let sweep = Self::parse(&text, &path.display().to_string())?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let beside = |name: &str| folder.join(name).to_string_lossy().into_owned();
        Ok(Self { scene: beside(&sweep.scene), results: sweep.results.as_deref().map(beside), ..sweep })
    }

    /// Where the cases that are done are noted: the name of the file of the sweep with `-results.jsonl`, in the working directory,
    /// where it says nothing else.
    pub fn results_of(&self, path: &Path) -> PathBuf {
        let name = || format!("{}-results.jsonl", path.file_stem().unwrap_or_default().to_string_lossy());
        self.results.as_ref().map_or_else(|| name().into(), PathBuf::from)
    }

    /// Reads a text; `name` is what it is called in messages.
    pub fn parse(text: &str, name: &str) -> Result<Self, Problems> {
        let refused =
            |list| Problems { source: Source { name: name.to_owned(), text: text.to_owned() }, list };
        let (root, errors) = DeTable::parse_recoverable(text);
        if !errors.is_empty() {
            return Err(refused(syntax(&errors, text)));
        }
        let root = DeValue::Table(root.into_inner());
        let item = Item { key: String::new(), value: &root, span: 0..0, tag: None };
        let mut reader = Reader::new(text, 3).called("the sweep");
        let file = <Self as Node>::read(&item, &mut reader);
        match file {
            Some(file) if reader.problems.is_empty() => Ok(file),
            _ => Err(refused(sorted(reader.problems))),
        }
    }
}

impl Node for Parameters {
    fn read(item: &Item<'_>, reader: &mut Reader<'_>) -> Option<Self> {
        let table = reader.table(item)?;
        let (mut list, before) = (Vec::new(), reader.problems.len());
        collect(item, "", table, reader, &mut list);
        if list.is_empty() && reader.problems.len() == before {
            reader.invalid(item, "a table with a list of values for at least one key of the scene");
        }
        Some(Self { list })
    }

    fn write(&self) -> Option<toml::Value> {
        None
    }

    fn value_type() -> ValueType {
        ValueType::Named(Box::new(ValueType::Text))
    }
}

/// Keys with dots that stand without quotes are tables in tables.
fn collect(
    item: &Item<'_>,
    key: &str,
    table: &DeTable<'_>,
    reader: &mut Reader<'_>,
    list: &mut Vec<(String, Vec<Value>)>,
) {
    for (name, _) in table {
        let Some(field) = get(item, table, name.get_ref()) else { continue };
        let key = join(key, name.get_ref());
        match field.value {
            DeValue::Table(inner) if is_range(inner) => {
                list.extend(range(&field, inner, reader).map(|values| (key, values)));
            }
            DeValue::Table(inner) => collect(&field, &key, inner, reader, list),
            _ => list.extend(values(&field, reader).map(|values| (key, values))),
        }
    }
}

fn is_range(table: &DeTable<'_>) -> bool {
    table.keys().all(|key| ["from", "to", "count"].contains(&key.get_ref().as_ref()))
}

/// The values of a list.
fn values(item: &Item<'_>, reader: &mut Reader<'_>) -> Option<Vec<Value>> {
    let Some(items) = item.list().filter(|items| !items.is_empty()) else {
        reader.invalid(item, "a list of values, or { from = …, to = …, count = … }");
        return None;
    };
    let values: Vec<_> = items.iter().map(|item| value(item, reader)).collect();
    values.into_iter().collect()
}

fn value(item: &Item<'_>, reader: &mut Reader<'_>) -> Option<Value> {
    let text = format!("value = {}", reader.text_of(item));
    let read = toml::from_str::<toml::Table>(&text).ok().and_then(|mut table| table.remove("value"));
    let value = read.and_then(|value| serde_json::to_value(value).ok()).filter(|value| !value.is_null());
    if value.is_none() {
        reader.invalid(item, "a value that a scene can have");
    }
    value
}

/// Numbers at equal distances; whole ones where both ends are whole and the distance is.
fn range(item: &Item<'_>, table: &DeTable<'_>, reader: &mut Reader<'_>) -> Option<Vec<Value>> {
    let mut end = |name: &str| {
        let field = get(item, table, name)?;
        let value = number(&field).filter(|x| x.is_finite());
        if value.is_none() {
            reader.invalid(&field, "a finite number");
        }
        Some((value?, whole(&field)))
    };
    let (from, to) = (end("from"), end("to"));
    let field = get(item, table, "count");
    let count = field.as_ref().and_then(whole).filter(|count| (2..=MOST_VALUES).contains(count));
    if let (Some(field), None) = (&field, count) {
        reader.invalid(field, &format!("a whole number from 2 to {MOST_VALUES}"));
    } else if field.is_none() {
        reader.invalid(item, "a list of values, or { from = …, to = …, count = … }");
    }
    let ((low, first), (high, last), count) = (from?, to?, count?);
    if let (Some(first), Some(last)) = (first, last)
        && (last - first) % (count - 1) == 0
    {
        return Some((0..count).map(|i| json!((first + (last - first) / (count - 1) * i) as i64)).collect());
    }
    let share = |i: i128| i as f64 / (count - 1) as f64;
    let between = |i| Number::from_f64(low * (1.0 - share(i)) + high * share(i)).map(Value::Number);
    (0..count).map(between).collect()
}

/// A value as TOML, for an [`Assignment`](crate::Assignment). There is none for what TOML lacks.
pub fn to_toml_value(value: &Value) -> Option<String> {
    serde_json::from_value::<toml::Value>(value.clone()).ok().map(|value| value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(parameters: &str) -> Vec<(String, Vec<Value>)> {
        let text = format!("scene = \"a.toml\"\nmeasure = [\"contacts\"]\n[parameters]\n{parameters}");
        SweepFile::parse(&text, "sweep.toml").unwrap().parameters.list
    }

    fn refused(text: &str) -> String {
        SweepFile::parse(text, "sweep.toml").unwrap_err().to_string()
    }

    #[test]
    fn keys_stand_with_quotes_or_without() {
        let quoted = parsed("\"materials.stone.friction\" = [0.1, \"20 %\"]\n\"grains[0].seed\" = [1]");
        assert_eq!(quoted[0], ("materials.stone.friction".to_owned(), vec![json!(0.1), json!("20 %")]));
        assert_eq!(quoted[1], ("grains[0].seed".to_owned(), vec![json!(1)]));
        assert_eq!(parsed("materials.stone.friction = [0.1, \"20 %\"]"), quoted[..1]);
        assert_eq!(parsed("gravity = [[0, 0, -1], [0, 0, -2.5]]")[0].1[1], json!([0, 0, -2.5]));
    }

    #[test]
    fn ranges_are_at_equal_distances() {
        assert_eq!(parsed("a = { from = 1, to = 5, count = 3 }")[0].1, [json!(1), json!(3), json!(5)]);
        assert_eq!(parsed("a = { from = 1, to = 2, count = 3 }")[0].1, [json!(1.0), json!(1.5), json!(2.0)]);
        assert_eq!(
            parsed("a = { from = 0.5, to = -0.5, count = 3 }")[0].1,
            [json!(0.5), json!(0.0), json!(-0.5)]
        );
    }

    #[test]
    fn what_is_wrong_has_its_line() {
        let text = "scene = \"a.toml\"\nmeasures = []\nmeasure = [\"contacts\"]\n[parameters]\n";
        let said = refused(&format!("{text}friction = 0.3\nseed = {{ from = 1, to = 5 }}\nx = []\n"));
        for problem in [
            "sweep.toml:2: the sweep has the unknown key \"measures\" (did you mean \"measure\"?)",
            "sweep.toml:5: parameters.friction is 0.3, but must be a list of values",
            "sweep.toml:6: parameters.seed is a table, but must be a list of values",
            "sweep.toml:7: parameters.x is [], but must be a list of values",
        ] {
            assert!(said.contains(problem), "{said}");
        }
        assert!(
            refused(text).contains("parameters is a table, but must be a table with"),
            "{}",
            refused(text)
        );
        assert!(refused("measure = []").contains("the sweep has no key \"scene\""));
        let count = "scene = \"a\"\nmeasure = []\nparameters = { a = { from = 0, to = 1, count = 1 } }";
        assert!(refused(count).contains("parameters.a.count is 1, but must be a whole number from 2"));
    }
}
