//! The schema and the reference say what reading does.

use std::fs;
use std::path::Path;

use gritstone_scene::{TEMPLATES, json_schema, reference};
use serde_json::Value;

/// Whether a value is what a schema says; the keywords that the schema uses, and no others.
fn valid(value: &Value, schema: &Value, root: &Value) -> bool {
    let rules = schema.as_object().unwrap();
    rules.iter().all(|(keyword, rule)| match keyword.as_str() {
        "$schema" | "$defs" | "title" | "description" | "default" => true,
        "$ref" => {
            let target = rule.as_str().unwrap().strip_prefix('#').unwrap();
            valid(value, root.pointer(target).unwrap(), root)
        }
        "type" => match rule.as_str().unwrap() {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "integer" => value.is_i64(),
            "number" => value.is_number(),
            other => panic!("type {other}"),
        },
        "properties" => value.as_object().is_none_or(|object| {
            object.iter().all(|(key, value)| rule.get(key).is_none_or(|rule| valid(value, rule, root)))
        }),
        "additionalProperties" => value.as_object().is_none_or(|object| {
            let known = |key: &String| rules.get("properties").is_some_and(|known| known.get(key).is_some());
            let mut others = object.iter().filter(|(key, _)| !known(key));
            if rule.is_boolean() {
                others.next().is_none()
            } else {
                others.all(|(_, value)| valid(value, rule, root))
            }
        }),
        "required" => rule.as_array().unwrap().iter().all(|key| value.get(key.as_str().unwrap()).is_some()),
        "items" => value.as_array().is_none_or(|items| items.iter().all(|item| valid(item, rule, root))),
        "minItems" => value.as_array().is_none_or(|items| items.len() as u64 >= rule.as_u64().unwrap()),
        "maxItems" => value.as_array().is_none_or(|items| items.len() as u64 <= rule.as_u64().unwrap()),
        "const" => value == rule,
        "enum" => rule.as_array().unwrap().contains(value),
        "anyOf" => rule.as_array().unwrap().iter().any(|rule| valid(value, rule, root)),
        "oneOf" => rule.as_array().unwrap().iter().filter(|rule| valid(value, rule, root)).count() == 1,
        "minimum" => value.as_f64().is_none_or(|x| x >= rule.as_f64().unwrap()),
        "maximum" => value.as_f64().is_none_or(|x| x <= rule.as_f64().unwrap()),
        "exclusiveMinimum" => value.as_f64().is_none_or(|x| x > rule.as_f64().unwrap()),
        "exclusiveMaximum" => value.as_f64().is_none_or(|x| x < rule.as_f64().unwrap()),
        "pattern" => value.as_str().is_none_or(|text| {
            let text = text.trim_start();
            text.strip_prefix(['-', '+'])
                .unwrap_or(text)
                .starts_with(|c: char| c.is_ascii_digit() || c == '.')
        }),
        other => panic!("the keyword {other}"),
    })
}

fn json(text: &str) -> Value {
    // JSON has no infinity; large numbers stand for it.
    let text = text.replace("-inf", "-1e300").replace(" inf", " 1e300");
    serde_json::to_value(text.parse::<toml::Table>().unwrap()).unwrap()
}

#[test]
fn the_schema_takes_the_scenes_that_come_with_the_program() {
    let schema = json_schema();
    for template in TEMPLATES {
        assert!(valid(&json(template.text), &schema, &schema), "{}", template.name);
    }
}

#[test]
fn the_schema_refuses_what_it_can_see_to_be_wrong() {
    let schema = json_schema();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/broken_scenes");
    for name in [
        "misspelt-key",
        "misspelt-table",
        "negative-density",
        "missing-key",
        "unknown-shape-word",
        "wrong-dimension",
    ] {
        let text = fs::read_to_string(folder.join(format!("{name}.toml"))).unwrap();
        assert!(!valid(&json(&text), &schema, &schema), "{name}");
    }
}

/// Tables that stand in others lead to where all their kinds are told; a box of regions has its `kind`.
#[test]
fn the_reference_leads_to_regions_and_sizes() {
    let text = reference();
    let (probes, _) = text.split_once("\n## `[output]`").unwrap();
    let (_, probes) = probes.split_once("\n## `[probes.NAME]`").unwrap();
    let regions: Vec<_> = probes.lines().filter(|line| line.starts_with("| `region`")).collect();
    assert_eq!(regions.len(), 8);
    assert!(regions.iter().all(|line| line.contains("a table, see [Regions](#regions)")), "{regions:?}");
    let (_, grains) = text.split_once("\n## `[[grains]]`").unwrap();
    assert!(grains.contains("| `size` | a table, see [Sizes of grains](#sizes-of-grains) |"));
    let (_, regions) = text.split_once("\n## Regions\n").unwrap();
    let (regions, sizes) = regions.split_once("\n## Sizes of grains\n").unwrap();
    assert!(
        ["box", "sphere", "circle", "cylinder", "beyond"]
            .iter()
            .all(|kind| regions.contains(&format!("### `kind = \"{kind}\"`")))
    );
    assert!(sizes.contains("### `distribution = \"sieve\"`"));
}

/// Made with `gritstone schema --markdown`.
#[test]
fn the_reference_in_the_documents_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/scenes.md");
    let text = fs::read_to_string(path).unwrap();
    let (_, written) = text.split_once("<!-- made by gritstone schema --markdown -->\n").unwrap();
    assert!(written == reference(), "docs/scenes.md is not what `gritstone schema --markdown` prints");
}
