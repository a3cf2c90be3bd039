//! Values that are set from outside a scene file: `--set materials.glass.friction=0.3`.
//!
//! The text of the scene is changed and then read as usual, so that what is wrong with a value is reported with the same words and
//! with its line. Comments and the order of the file stay.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use toml_edit::{Array, ArrayOfTables, DocumentMut, Item, Key, Table, TableLike, Value};

use crate::problem::{Problem, Problems, Source, did_you_mean, shorten};
use crate::scene::Scene;

/// A key of a scene and the value that it is to have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// Names and indices from the top of the file: `materials.glass.friction`, `grains[0].count`.
    pub key: String,
    /// The value as in a scene. Text needs no quotes: what is not a TOML value is text, such as `5 MPa` and `auto`.
    pub value: String,
}

/// One step from the top of a file to a value.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Name(String),
    Index(usize),
}

impl FromStr for Assignment {
    type Err = String;

    /// Reads `key=value`.
    fn from_str(text: &str) -> Result<Self, String> {
        let (key, value) = split(text).ok_or_else(|| {
            format!("\"{}\" must be KEY=VALUE, such as materials.glass.friction=0.3", shorten(text))
        })?;
        let made = Self { key: key.trim().to_owned(), value: value.trim().to_owned() };
        steps(&made.key)?;
        if made.value.is_empty() {
            return Err(format!("\"{}\" has no value behind the =; \"\" is an empty text", shorten(text)));
        }
        Ok(made)
    }
}

impl Display for Assignment {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.key, self.value)
    }
}

/// The text of a scene with some keys set; `name` is what the text is called in messages.
///
/// A key that is not there is added where its table is there; a table of the scene itself, such as `contact`, is added, too.
/// The keys and values are judged when the scene is read.
///
/// ```
/// use gritstone_scene::{assign, Assignment};
///
/// let text = "[materials.glass]\nfriction = 0.5 # measured\n";
/// let friction: Assignment = "materials.glass.friction=0.3".parse()?;
/// assert_eq!(assign(text, "scene.toml", &[friction])?, "[materials.glass]\nfriction = 0.3 # measured\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn assign(text: &str, name: &str, assignments: &[Assignment]) -> Result<String, Problems> {
    let Ok(mut document) = text.parse::<DocumentMut>() else {
        // The reader of scenes tells more of what is wrong than one thing.
        return Scene::parse(text, name).map(|_| text.to_owned());
    };
    let mut list = Vec::new();
    for assignment in assignments {
        if let Err(why) = steps(&assignment.key).and_then(|steps| set(&mut document, &steps, assignment)) {
            let message = format!("cannot set {assignment}: {why}");
            list.push(Problem { key: assignment.key.clone(), span: None, message });
        }
    }
    if list.is_empty() {
        return Ok(document.to_string());
    }
    Err(Problems { source: Source { name: name.to_owned(), text: text.to_owned() }, list })
}

/// Key and value around the first `=` that does not stand in quotes.
fn split(text: &str) -> Option<(&str, &str)> {
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (None, '=') => return Some((&text[..at], &text[at + 1..])),
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            _ => {}
        }
    }
    None
}

/// The steps of a key. Names with other characters than letters, digits, `-` and `_` stand in quotes.
fn steps(key: &str) -> Result<Vec<Step>, String> {
    let bad = || {
        format!("\"{}\" is no key: it must be names with dots between, such as grains[0].count", shorten(key))
    };
    let (mut names, mut steps) = (String::new(), Vec::new());
    let mut rest = key;
    // Indices are taken out; what is left is a key of TOML.
    while let Some(open) = rest.find('[') {
        let close = rest[open..].find(']').map(|at| open + at).ok_or_else(bad)?;
        names.push_str(&rest[..open]);
        push_names(&mut steps, &mut names).map_err(|()| bad())?;
        steps.push(Step::Index(rest[open + 1..close].trim().parse().map_err(|_| bad())?));
        rest = &rest[close + 1..];
        match rest.strip_prefix('.') {
            Some(behind) if !behind.is_empty() => rest = behind,
            None if rest.is_empty() || rest.starts_with('[') => {}
            _ => return Err(bad()),
        }
    }
    names.push_str(rest);
    push_names(&mut steps, &mut names).map_err(|()| bad())?;
    match steps.first() {
        Some(Step::Name(_)) => Ok(steps),
        _ => Err(bad()),
    }
}

fn push_names(steps: &mut Vec<Step>, names: &mut String) -> Result<(), ()> {
    if names.is_empty() {
        return Ok(());
    }
    let keys = Key::parse(names).map_err(|_| ())?;
    steps.extend(keys.into_iter().map(|key| Step::Name(key.get().to_owned())));
    names.clear();
    Ok(())
}

/// What a value says; text where it is no value of TOML.
fn value(text: &str) -> Value {
    text.parse::<Value>().unwrap_or_else(|_| Value::from(text))
}

/// Where a step leads.
enum Place<'a> {
    Item(&'a mut Item),
    Value(&'a mut Value),
    /// A table of an array of tables.
    Table(&'a mut Table),
}

fn set(document: &mut DocumentMut, steps: &[Step], assignment: &Assignment) -> Result<(), String> {
    let Some((last, way)) = steps.split_last() else { return Ok(()) };
    let mut place = Place::Table(document.as_table_mut());
    let mut walked = String::new();
    for step in way {
        place = place.enter(step, &walked)?;
        push(&mut walked, step);
    }
    place.put(last, value(&assignment.value), &walked)
}

fn push(walked: &mut String, step: &Step) {
    match step {
        Step::Name(name) if walked.is_empty() => walked.push_str(name),
        Step::Name(name) => {
            walked.push('.');
            walked.push_str(name);
        }
        Step::Index(index) => walked.push_str(&format!("[{index}]")),
    }
}

impl<'a> Place<'a> {
    /// What is behind a step.
    fn enter(self, step: &Step, walked: &str) -> Result<Place<'a>, String> {
        match step {
            Step::Index(index) => self.item_of_list(*index, walked),
            Step::Name(name) => {
                let table = self.table(walked)?;
                if table.get(name).is_none() {
                    if !walked.is_empty() {
                        return Err(missing(table, name, walked));
                    }
                    // A table of the scene itself that it leaves to its defaults.
                    table.insert(name, Item::Table(Table::new()));
                }
                table.get_mut(name).map(Place::Item).ok_or_else(|| format!("there is no {name}"))
            }
        }
    }

    /// Gives the value at a step another content, or adds it.
    fn put(self, step: &Step, mut value: Value, walked: &str) -> Result<(), String> {
        match step {
            Step::Name(name) => {
                let table = self.table(walked)?;
                match table.get_mut(name) {
                    Some(Item::Value(there)) => replace(there, value),
                    Some(there) => *there = Item::Value(value),
                    None => {
                        value.decor_mut().clear();
                        table.insert(name, Item::Value(value));
                    }
                }
                Ok(())
            }
            Step::Index(index) => match self.item_of_list(*index, walked)? {
                Place::Value(there) => {
                    replace(there, value);
                    Ok(())
                }
                _ => Err(format!("{walked}[{index}] is a table: set one of its keys")),
            },
        }
    }

    fn table(self, walked: &str) -> Result<&'a mut dyn TableLike, String> {
        let found = match self {
            Place::Table(table) => return Ok(table),
            Place::Item(item) => item.as_table_like_mut(),
            Place::Value(Value::InlineTable(table)) => Some(table as &mut dyn TableLike),
            Place::Value(_) => None,
        };
        found.ok_or_else(|| format!("{walked} is not a table"))
    }

    fn item_of_list(self, index: usize, walked: &str) -> Result<Place<'a>, String> {
        let beyond =
            |len: usize| format!("{walked} has {len} items, counted from 0, and none of them is [{index}]");
        match self {
            Place::Item(Item::ArrayOfTables(list)) => {
                let len = ArrayOfTables::len(list);
                list.get_mut(index).map(Place::Table).ok_or_else(|| beyond(len))
            }
            Place::Item(Item::Value(Value::Array(list))) | Place::Value(Value::Array(list)) => {
                let len = Array::len(list);
                list.get_mut(index).map(Place::Value).ok_or_else(|| beyond(len))
            }
            _ => Err(format!("{walked} is not a list")),
        }
    }
}

/// Another value in the same place, with the space and the comment around the old one.
fn replace(there: &mut Value, mut value: Value) {
    *value.decor_mut() = there.decor().clone();
    *there = value;
}

fn missing(table: &dyn TableLike, name: &str, walked: &str) -> String {
    let known: Vec<String> = table.iter().map(|(key, _)| key.to_owned()).collect();
    let near = did_you_mean(name, known.iter().map(String::as_str));
    format!("{walked} has no \"{}\"{near}; it has {}", shorten(name), known.join(", "))
}
