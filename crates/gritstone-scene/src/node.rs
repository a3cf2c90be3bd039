//! Reading a tree of TOML values: each value knows its key and its place, and every problem is collected.

use std::collections::HashMap;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use crate::problem::{Problem, did_you_mean, shorten};
use crate::value_type::ValueType;

/// What can stand in a scene.
pub(crate) trait Node: Sized {
    /// Reads it. What is wrong is reported to the reader, all of it, and then there is no value.
    fn read(item: &Item<'_>, reader: &mut Reader<'_>) -> Option<Self>;

    /// Its default; none where the key is required.
    fn absent() -> Option<Self> {
        None
    }

    /// The same as TOML; none where nothing need be said.
    fn write(&self) -> Option<toml::Value>;

    /// What it looks like, for the schema and the reference.
    fn value_type() -> ValueType;
}

/// A value with its key and its place.
pub(crate) struct Item<'a> {
    /// The key, with all that leads to it: `walls.floor.normal[1]`.
    pub(crate) key: String,
    /// The value.
    pub(crate) value: &'a DeValue<'a>,
    /// Where to point at, in bytes of the text.
    pub(crate) span: Range<usize>,
    /// A key that says of what sort the table is and has been read already.
    pub(crate) tag: Option<&'static str>,
}

impl<'a> Item<'a> {
    fn new(key: String, at: Range<usize>, value: &'a Spanned<DeValue<'a>>) -> Self {
        // A table is pointed at by its name, anything else by its value.
        let span = if value.get_ref().is_table() { at } else { value.span() };
        Self { key, value: value.get_ref(), span, tag: None }
    }

    /// The same table, one key of which has been read.
    pub(crate) fn tagged(&self, tag: &'static str) -> Self {
        Self { key: self.key.clone(), value: self.value, span: self.span.clone(), tag: Some(tag) }
    }

    /// The text, if it is one.
    pub(crate) fn text(&self) -> Option<&str> {
        self.value.as_str()
    }

    /// The items, if it is a list.
    pub(crate) fn list(&self) -> Option<Vec<Item<'_>>> {
        let array = self.value.as_array()?;
        let item = |(i, value): (usize, &'a Spanned<DeValue<'a>>)| {
            Item::new(format!("{}[{i}]", self.key), value.span(), value)
        };
        Some(array.iter().enumerate().map(item).collect())
    }
}

/// Collects what is wrong, and where each key stands.
pub(crate) struct Reader<'s> {
    text: &'s str,
    dimension: usize,
    /// What the file as a whole is called.
    called: &'static str,
    /// What is wrong so far.
    pub(crate) problems: Vec<Problem>,
    /// Where each key's value stands.
    pub(crate) spans: HashMap<String, Range<usize>>,
}

impl<'s> Reader<'s> {
    /// A reader of a text whose scene has so many dimensions.
    pub(crate) fn new(text: &'s str, dimension: usize) -> Self {
        Self { text, dimension, called: "the scene", problems: Vec::new(), spans: HashMap::new() }
    }

    /// A reader of something else than a scene.
    pub(crate) fn called(self, called: &'static str) -> Self {
        Self { called, ..self }
    }

    /// The text of a value.
    pub(crate) fn text_of(&self, item: &Item<'_>) -> &'s str {
        self.text.get(item.span.clone()).unwrap_or_default()
    }

    /// Two or three.
    pub(crate) fn dimension(&self) -> usize {
        self.dimension
    }

    /// Reports that something is wrong with a value.
    pub(crate) fn report(&mut self, item: &Item<'_>, message: String) {
        self.problems.push(Problem { key: item.key.clone(), span: Some(item.span.clone()), message });
    }

    /// Reports that a value is not what it must be.
    pub(crate) fn invalid(&mut self, item: &Item<'_>, must: &str) {
        let value = match item.value {
            DeValue::Table(_) => "a table".to_owned(),
            _ => shorten(self.text.get(item.span.clone()).unwrap_or_default()),
        };
        self.report(item, format!("{} is {value}, but must be {must}", item.key));
    }

    /// The table that a value must be.
    pub(crate) fn table<'a>(&mut self, item: &Item<'a>) -> Option<&'a DeTable<'a>> {
        let table = item.value.as_table();
        if table.is_none() {
            self.invalid(item, "a table");
        }
        table
    }

    /// Reports every key that is not among those known.
    pub(crate) fn allow(&mut self, item: &Item<'_>, table: &DeTable<'_>, known: &[&'static str]) {
        for key in table.keys() {
            let name = key.get_ref().as_ref();
            if known.contains(&name) || item.tag == Some(name) {
                continue;
            }
            let near = did_you_mean(name, known.iter().copied());
            let place = if item.key.is_empty() { self.called } else { &item.key };
            let keys = item.tag.iter().chain(known).copied().collect::<Vec<_>>().join(", ");
            let message =
                format!("{place} has the unknown key \"{}\"{near}; its keys are {keys}", shorten(name));
            self.problems.push(Problem { key: join(&item.key, name), span: Some(key.span()), message });
        }
    }

    /// The value of a key, or its default.
    pub(crate) fn field<T: Node>(
        &mut self,
        item: &Item<'_>,
        table: &DeTable<'_>,
        name: &'static str,
        default: Option<T>,
    ) -> Option<T> {
        match get(item, table, name) {
            // What is wrong has been reported: continue with what would be there otherwise, and find more.
            Some(field) => self.read(&field).or(default).or_else(T::absent),
            None => default.or_else(T::absent).or_else(|| {
                let place = if item.key.is_empty() { self.called } else { &item.key };
                let expected = T::value_type().describe(self.dimension);
                self.report(item, format!("{place} has no key \"{name}\", which must be {expected}"));
                None
            }),
        }
    }

    /// Reads a value and remembers where it stands.
    pub(crate) fn read<T: Node>(&mut self, item: &Item<'_>) -> Option<T> {
        self.spans.insert(item.key.clone(), item.span.clone());
        T::read(item, self)
    }

    /// The keyword of the key that says of what sort a table is.
    pub(crate) fn tag(
        &mut self,
        item: &Item<'_>,
        tag: &'static str,
        keywords: &[&'static str],
    ) -> Option<&'static str> {
        let table = self.table(item)?;
        let list = keywords.iter().map(|keyword| format!("\"{keyword}\"")).collect::<Vec<_>>().join(", ");
        let Some(field) = get(item, table, tag) else {
            self.report(item, format!("{} has no key \"{tag}\", which must be one of {list}", item.key));
            return None;
        };
        let keyword = field.text().and_then(|text| keywords.iter().copied().find(|keyword| *keyword == text));
        if keyword.is_none() {
            let near =
                field.text().map_or_else(String::new, |text| did_you_mean(text, keywords.iter().copied()));
            self.invalid(&field, &format!("one of {list}{near}"));
        }
        keyword
    }
}

/// The item of a key, if it is there.
pub(crate) fn get<'a>(item: &Item<'a>, table: &'a DeTable<'a>, name: &str) -> Option<Item<'a>> {
    let (key, value) = table.iter().find(|(key, _)| key.get_ref() == name)?;
    Some(Item::new(join(&item.key, name), key.span(), value))
}

/// `place.name`, without the dot at the top.
pub(crate) fn join(place: &str, name: &str) -> String {
    if place.is_empty() { name.to_owned() } else { format!("{place}.{name}") }
}

/// A whole number or one with a point.
pub(crate) fn number(item: &Item<'_>) -> Option<f64> {
    match item.value {
        DeValue::Float(float) => float.as_str().parse().ok(),
        DeValue::Integer(_) => whole(item).map(|n| n as f64),
        _ => None,
    }
}

/// A whole number.
pub(crate) fn whole(item: &Item<'_>) -> Option<i128> {
    let integer = item.value.as_integer()?;
    i128::from_str_radix(integer.as_str(), integer.radix()).ok()
}

impl Node for bool {
    fn read(item: &Item<'_>, reader: &mut Reader<'_>) -> Option<Self> {
        let value = item.value.as_bool();
        if value.is_none() {
            reader.invalid(item, "true or false");
        }
        value
    }

    fn write(&self) -> Option<toml::Value> {
        Some(toml::Value::Boolean(*self))
    }

    fn value_type() -> ValueType {
        ValueType::Bool
    }
}

impl Node for String {
    fn read(item: &Item<'_>, reader: &mut Reader<'_>) -> Option<Self> {
        let value = item.text().map(str::to_owned);
        if value.is_none() {
            reader.invalid(item, "a text");
        }
        value
    }

    fn write(&self) -> Option<toml::Value> {
        Some(toml::Value::String(self.clone()))
    }

    fn value_type() -> ValueType {
        ValueType::Text
    }
}

/// Whole numbers: how large they may be at most.
macro_rules! whole_numbers {
    ($($type:ty, $least:literal;)*) => {$(
        impl Node for $type {
            fn read(item: &Item<'_>, reader: &mut Reader<'_>) -> Option<Self> {
                // TOML itself knows no larger numbers than those of an i64.
                let most = i128::from(i64::MAX).min(i128::from(Self::MAX));
                let value = whole(item).filter(|n| (i128::from($least)..=most).contains(n));
                if value.is_none() {
                    reader.invalid(item, &format!("a whole number from {} to {most}", $least));
                }
                value.and_then(|n| Self::try_from(n).ok())
            }

            fn write(&self) -> Option<toml::Value> {
                i64::try_from(*self).ok().map(toml::Value::Integer)
            }

            fn value_type() -> ValueType {
                ValueType::Whole { least: $least }
            }
        }
    )*};
}

whole_numbers! {
    u64, 0u8;
    u32, 1u8;
}

impl<T: Node> Node for Option<T> {
    fn read(item: &Item<'_>, reader: &mut Reader<'_>) -> Option<Self> {
        T::read(item, reader).map(Some)
    }

    fn absent() -> Option<Self> {
        Some(None)
    }

    fn write(&self) -> Option<toml::Value> {
        self.as_ref().and_then(T::write)
    }

    fn value_type() -> ValueType {
        T::value_type()
    }
}

impl<T: Node> Node for Vec<T> {
    fn read(item: &Item<'_>, reader: &mut Reader<'_>) -> Option<Self> {
        let Some(list) = item.list() else {
            reader.invalid(item, &Self::value_type().describe(reader.dimension()));
            return None;
        };
        // Items that are wrong have been reported: continue without them, and find more.
        Some(list.iter().filter_map(|item| reader.read::<T>(item)).collect())
    }

    fn absent() -> Option<Self> {
        Some(Self::new())
    }

    fn write(&self) -> Option<toml::Value> {
        let list: Vec<_> = self.iter().filter_map(T::write).collect();
        (!list.is_empty()).then_some(toml::Value::Array(list))
    }

    fn value_type() -> ValueType {
        ValueType::List(Box::new(T::value_type()))
    }
}

/// Things with names, in the order of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Named<T> {
    /// Names and what they stand for.
    pub list: Vec<(String, T)>,
}

impl<T> Default for Named<T> {
    fn default() -> Self {
        Self { list: Vec::new() }
    }
}

impl<T> Named<T> {
    /// What has this name, and its place in the list.
    pub fn find(&self, name: &str) -> Option<(usize, &T)> {
        self.list.iter().enumerate().find(|(_, (known, _))| known == name).map(|(i, (_, thing))| (i, thing))
    }

    /// All names.
    pub fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.list.iter().map(|(name, _)| name.as_str())
    }

    /// Names and what they stand for.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &T)> {
        self.list.iter().map(|(name, thing)| (name.as_str(), thing))
    }
}

impl<T: Node> Node for Named<T> {
    fn read(item: &Item<'_>, reader: &mut Reader<'_>) -> Option<Self> {
        let table = reader.table(item)?;
        let thing = |(key, value): (&Spanned<DeString<'_>>, _)| {
            let name = key.get_ref().as_ref();
            let thing = reader.read::<T>(&Item::new(join(&item.key, name), key.span(), value))?;
            Some((name.to_owned(), thing))
        };
        Some(Self { list: table.iter().filter_map(thing).collect() })
    }

    fn absent() -> Option<Self> {
        Some(Self::default())
    }

    fn write(&self) -> Option<toml::Value> {
        let table: toml::Table =
            self.iter().filter_map(|(name, thing)| Some((name.to_owned(), thing.write()?))).collect();
        (!table.is_empty()).then_some(toml::Value::Table(table))
    }

    fn value_type() -> ValueType {
        ValueType::Named(Box::new(T::value_type()))
    }
}
