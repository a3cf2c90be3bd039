//! The JSON schema of scenes, for editors that complete and check while one types.

use gritstone_io::states::FASTEST;
use serde_json::{Map, Value, json};

use crate::quantity::{Number, Range};
use crate::schema::SceneFile;
use crate::value_type::{Field, Section, ValueType};

/// The JSON schema of scene files (draft 2020-12). It says less than reading does: units are texts to it, and what depends
/// on the dimension is allowed for both.
pub fn json_schema() -> Value {
    let mut definitions = Map::new();
    let mut root = section(&SceneFile::section(), None, &mut definitions);
    root["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    root["title"] = json!("Gritstone scene");
    root["$defs"] = Value::Object(definitions);
    root
}

fn section(section: &Section, tag: Option<(&str, &str)>, definitions: &mut Map<String, Value>) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    if let Some((tag, keyword)) = tag {
        properties.insert(tag.to_owned(), json!({ "const": keyword }));
        required.push(json!(tag));
    }
    for field in &section.fields {
        properties.insert(field.name.to_owned(), property(field, definitions));
        if field.required {
            required.push(json!(field.name));
        }
    }
    let mut schema = json!({
        "type": "object", "description": section.doc, "properties": properties, "additionalProperties": false,
    });
    if !required.is_empty() {
        schema["required"] = Value::Array(required);
    }
    schema
}

fn property(field: &Field, definitions: &mut Map<String, Value>) -> Value {
    let mut schema = value_type(&field.value_type, definitions);
    schema["description"] = json!(field.doc);
    if let Some(default) = &field.default {
        schema["default"] = to_json(default);
    }
    schema
}

fn value_type(of: &ValueType, definitions: &mut Map<String, Value>) -> Value {
    match of {
        ValueType::Bool => json!({ "type": "boolean" }),
        ValueType::Text => json!({ "type": "string" }),
        ValueType::Whole { least } => json!({ "type": "integer", "minimum": least }),
        ValueType::OneOf(numbers) => json!({ "enum": numbers }),
        ValueType::Number(of) => number(of),
        ValueType::Coordinates(of) => {
            json!({ "type": "array", "items": number(of), "minItems": 2, "maxItems": 3 })
        }
        ValueType::Numbers(of, n) => {
            json!({ "type": "array", "items": number(of), "minItems": n, "maxItems": n })
        }
        ValueType::Keyword(keywords) => {
            let options: Vec<_> = keywords
                .iter()
                .map(|(keyword, doc)| json!({ "const": keyword, "description": doc.trim() }))
                .collect();
            json!({ "oneOf": options })
        }
        ValueType::List(of) => json!({ "type": "array", "items": value_type(of, definitions) }),
        ValueType::Named(of) => {
            json!({ "type": "object", "additionalProperties": value_type(of, definitions) })
        }
        ValueType::Either(types) => {
            json!({ "anyOf": types.iter().map(|of| value_type(of, definitions)).collect::<Vec<_>>() })
        }
        ValueType::Section(of) => define(of.name, definitions, |definitions| section(of, None, definitions)),
        ValueType::Choice { name, doc, tag, sections } => define(name, definitions, |definitions| {
            let options: Vec<_> =
                sections.iter().map(|(keyword, of)| section(of, Some((tag, keyword)), definitions)).collect();
            json!({ "description": doc, "oneOf": options })
        }),
    }
}

/// A reference to a definition, which is made where it is not there yet.
fn define(
    name: &str,
    definitions: &mut Map<String, Value>,
    make: impl FnOnce(&mut Map<String, Value>) -> Value,
) -> Value {
    if !definitions.contains_key(name) {
        let made = make(definitions);
        definitions.insert(name.to_owned(), made);
    }
    json!({ "$ref": format!("#/$defs/{name}") })
}

/// A number in its range, or a text that begins with one.
fn number(of: &Number) -> Value {
    let mut plain = json!({ "type": "number" });
    match of.range {
        Range::Finite | Range::Any => {}
        Range::Moderate => (plain["minimum"], plain["maximum"]) = (json!(-FASTEST), json!(FASTEST)),
        Range::Positive => plain["exclusiveMinimum"] = json!(0),
        Range::NotNegative => plain["minimum"] = json!(0),
        Range::UpToOne => (plain["exclusiveMinimum"], plain["maximum"]) = (json!(0), json!(1)),
        Range::UnitInterval => (plain["minimum"], plain["maximum"]) = (json!(0), json!(1)),
        Range::Poisson => (plain["minimum"], plain["maximum"]) = (json!(0), json!(0.5)),
        Range::Crown => (plain["minimum"], plain["maximum"]) = (json!(0), json!(0.05)),
        Range::Restitution => (plain["minimum"], plain["maximum"]) = (json!(0.01), json!(1)),
        Range::DampingRatio => (plain["minimum"], plain["maximum"]) = (json!(0), json!(10)),
        Range::Acute => {
            (plain["minimum"], plain["exclusiveMaximum"]) = (json!(0), json!(std::f64::consts::FRAC_PI_2));
        }
    }
    let pattern = if of.range == Range::Any { r"^\s*[-+]?([0-9.]|inf$)" } else { r"^\s*[-+]?[0-9.]" };
    let text = json!({ "type": "string", "pattern": pattern, "description": of.must(3) });
    json!({ "anyOf": [plain, text] })
}

fn to_json(value: &toml::Value) -> Value {
    match value {
        toml::Value::String(text) => json!(text),
        toml::Value::Integer(number) => json!(number),
        toml::Value::Float(number) => json!(number),
        toml::Value::Boolean(truth) => json!(truth),
        toml::Value::Datetime(moment) => json!(moment.to_string()),
        toml::Value::Array(list) => list.iter().map(to_json).collect(),
        toml::Value::Table(table) => table.iter().map(|(key, value)| (key.clone(), to_json(value))).collect(),
    }
}
