//! Reading one line.

use gritstone_contact::NarrowPhase;
use gritstone_core::{Plane, Space};
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::problem::Problem;
use super::shape::{Grain, Grains, read_grains};
use crate::words::quote;

/// What the user calls a pair: any JSON value, kept as it was written; `null` if there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Id(String);

impl Default for Id {
    fn default() -> Self {
        Self("null".to_owned())
    }
}

impl Id {
    fn new(raw: &RawValue) -> Self {
        // A bare carriage return is white space in JSON, but the end of a line to many readers.
        Self(raw.get().replace('\r', " "))
    }

    /// The JSON text.
    pub fn as_json(&self) -> &str {
        &self.0
    }
}

/// A pair of shapes to be solved.
#[derive(Clone, Debug, PartialEq)]
pub struct PairLine<D: NarrowPhase = Space> {
    /// What the user calls it.
    pub id: Id,
    /// The first body.
    pub a: Grain<D>,
    /// The second body.
    pub b: Grain<D>,
}

/// A pair of shapes of either dimension.
#[allow(clippy::large_enum_variant, reason = "pairs are read, solved and dropped one at a time")]
#[derive(Clone, Debug, PartialEq)]
pub enum AnyPair {
    /// In the plane.
    Plane(PairLine<Plane>),
    /// In space.
    Space(PairLine<Space>),
}

impl AnyPair {
    /// The pair, if it is one in the plane.
    pub fn in_plane(self) -> Option<PairLine<Plane>> {
        match self {
            Self::Plane(pair) => Some(pair),
            Self::Space(_) => None,
        }
    }

    /// The pair, if it is one in space.
    pub fn in_space(self) -> Option<PairLine<Space>> {
        match self {
            Self::Plane(_) => None,
            Self::Space(pair) => Some(pair),
        }
    }
}

/// A line that is no pair of shapes.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{problem}")]
pub struct BadLine {
    /// What the user calls it, as far as it could be read.
    pub id: Id,
    /// What is wrong.
    pub problem: Problem,
}

/// Reads one line.
pub fn read_pair(line: &[u8]) -> Result<AnyPair, BadLine> {
    let mut top = Top::default();
    let grains = read_top(line, &mut top).and_then(|()| {
        let need = |value: Option<_>, key| {
            value.ok_or_else(|| Problem::Missing { place: "the line".to_owned(), key })
        };
        read_grains(need(top.a, "a")?, need(top.b, "b")?)
    });
    let id = top.id.map(Id::new).unwrap_or_default();
    match grains {
        Ok(Grains::Plane([a, b])) => Ok(AnyPair::Plane(PairLine { id, a, b })),
        Ok(Grains::Space([a, b])) => Ok(AnyPair::Space(PairLine { id, a, b })),
        Err(problem) => Err(BadLine { id, problem }),
    }
}

/// The keys at the top that mean something.
#[derive(Default)]
struct Top<'l> {
    id: Option<&'l RawValue>,
    a: Option<&'l RawValue>,
    b: Option<&'l RawValue>,
}

fn read_top<'l>(line: &'l [u8], top: &mut Top<'l>) -> Result<(), Problem> {
    let text = std::str::from_utf8(line).map_err(|error| Problem::NotText(error.valid_up_to() + 1))?;
    let mut json = serde_json::Deserializer::from_str(text);
    top.deserialize(&mut json).and_then(|()| json.end()).map_err(|error| Problem::not_json(&error))
}

impl<'de> DeserializeSeed<'de> for &mut Top<'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for &mut Top<'de> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object with the keys \"id\", \"a\" and \"b\"")
    }

    /// Fills in key by key, so that a line that breaks off later still has its id.
    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        let mut id = None;
        while let Some(key) = map.next_key::<String>()? {
            // Only now is it sure that the id before did not break off in the middle.
            self.id = id;
            let slot = match key.as_str() {
                "id" => &mut id,
                "a" => &mut self.a,
                "b" => &mut self.b,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
            if slot.replace(map.next_value()?).is_some() {
                return Err(M::Error::custom(format_args!("the key {} is there twice", quote(&key))));
            }
        }
        self.id = id;
        Ok(())
    }
}
