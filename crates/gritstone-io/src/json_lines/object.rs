//! One JSON object whose keys are checked one by one, so that errors can name them.

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::problem::Problem;
use crate::words::{nearest, quote, shorten};

/// The fields of a JSON object in their order, with values still as text.
pub(super) struct Object<'l> {
    /// Which body it is: `a` or `b`.
    pub(super) place: &'static str,
    fields: Vec<(String, &'l RawValue)>,
}

impl<'l> Object<'l> {
    /// Takes an object apart.
    pub(super) fn read(place: &'static str, raw: &'l RawValue) -> Result<Self, Problem> {
        if !raw.get().starts_with('{') {
            return Err(wrong(place, raw, "an object such as {\"shape\": \"sphere\", \"radius\": 1}"));
        }
        let Fields(fields) = serde_json::from_str(raw.get()).map_err(|error| Problem::not_json(&error))?;
        for (i, (key, _)) in fields.iter().enumerate() {
            if fields[..i].iter().any(|(earlier, _)| earlier == key) {
                return Err(Problem::Twice { place: place.to_owned(), key: quote(key) });
            }
        }
        Ok(Self { place, fields })
    }

    /// The value of a key, if it is there.
    pub(super) fn get(&self, key: &str) -> Option<&'l RawValue> {
        self.fields.iter().find(|(k, _)| k == key).map(|(_, value)| *value)
    }

    /// The value of a key that must be there.
    pub(super) fn need(&self, key: &'static str) -> Result<&'l RawValue, Problem> {
        self.get(key).ok_or_else(|| Problem::Missing { place: self.place.to_owned(), key })
    }

    /// Refuses every key that is not among `known`.
    pub(super) fn allow(&self, known: &[&'static str]) -> Result<(), Problem> {
        match self.fields.iter().find(|(key, _)| !known.contains(&key.as_str())) {
            None => Ok(()),
            Some((key, _)) => Err(Problem::UnknownKey {
                place: self.place.to_owned(),
                key: quote(key),
                nearest: nearest(key, known.iter().copied()),
                allowed: known.join(", "),
            }),
        }
    }

    /// A finite number.
    pub(super) fn number(&self, key: &'static str) -> Result<f64, Problem> {
        number(&format!("{}.{key}", self.place), self.need(key)?)
    }

    /// A vector of finite numbers.
    pub(super) fn numbers<const N: usize>(&self, key: &'static str) -> Result<[f64; N], Problem> {
        numbers(&format!("{}.{key}", self.place), self.need(key)?)
    }

    /// A list of vectors of finite numbers.
    pub(super) fn points<const N: usize>(&self, key: &'static str) -> Result<Vec<[f64; N]>, Problem> {
        let (name, raw) = (format!("{}.{key}", self.place), self.need(key)?);
        let items: Vec<&RawValue> =
            serde_json::from_str(raw.get()).map_err(|_| wrong(&name, raw, "an array of points"))?;
        items.into_iter().enumerate().map(|(i, item)| numbers(&format!("{name}[{i}]"), item)).collect()
    }

    /// A string.
    pub(super) fn string(&self, key: &'static str) -> Result<String, Problem> {
        let raw = self.need(key)?;
        serde_json::from_str(raw.get()).map_err(|_| wrong(&format!("{}.{key}", self.place), raw, "a string"))
    }
}

/// A value that is not what it must be.
pub(super) fn wrong(key: &str, raw: &RawValue, must: &'static str) -> Problem {
    Problem::Value { key: key.to_owned(), value: shorten(raw.get()), must }
}

fn numbers<const N: usize>(name: &str, raw: &RawValue) -> Result<[f64; N], Problem> {
    let must = match N {
        2 => "an array of 2 numbers",
        3 => "an array of 3 numbers",
        4 => "an array of 4 numbers",
        _ => "an array of 6 numbers",
    };
    let items: Vec<&RawValue> = serde_json::from_str(raw.get()).map_err(|_| wrong(name, raw, must))?;
    let items: [&RawValue; N] = items.try_into().map_err(|_| wrong(name, raw, must))?;
    let mut numbers = [0.0; N];
    for (i, item) in items.into_iter().enumerate() {
        numbers[i] = number(&format!("{name}[{i}]"), item)?;
    }
    Ok(numbers)
}

/// Rust reads every number that JSON can write, rounds it correctly, and makes 1e999 infinite.
fn number(name: &str, raw: &RawValue) -> Result<f64, Problem> {
    let text = raw.get();
    if !text.starts_with(|c: char| c == '-' || c.is_ascii_digit()) {
        return Err(wrong(name, raw, "a number"));
    }
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err(wrong(name, raw, "a finite number")),
    }
}

struct Fields<'l>(Vec<(String, &'l RawValue)>);

impl<'de: 'l, 'l> Deserialize<'de> for Fields<'l> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Vec<(String, &'de RawValue)>;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
                /// More keys than any shape has: refuse before a hostile line takes quadratic time.
                const MOST: usize = 64;
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    if fields.len() == MOST {
                        return Err(M::Error::custom("a shape has more than 64 keys"));
                    }
                    fields.push(field);
                }
                Ok(fields)
            }
        }
        deserializer.deserialize_map(Collect).map(Fields)
    }
}
