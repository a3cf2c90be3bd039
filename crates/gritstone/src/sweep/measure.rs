//! Numbers of a simulation's summary, by name.

use serde_json::{Map, Value};

/// The numbers of a summary that these names lead to, such as `energies.dissipated` or `probes.slope.angle.last`. What does not
/// exist at this moment is not a number; a name that leads to no number at all is an error.
pub fn measure(summary: &Value, names: &[String]) -> Result<Vec<(String, f64)>, String> {
    names.iter().map(|name| Ok((name.clone(), number(summary, name)?))).collect()
}

fn number(summary: &Value, name: &str) -> Result<f64, String> {
    match find(summary, name) {
        Some(Value::Null) => Ok(f64::NAN),
        Some(value) if value.is_number() => Ok(value.as_f64().unwrap_or(f64::NAN)),
        Some(Value::Object(table)) => {
            Err(format!("measure has {name:?}, which is a table: add one of {}", keys(table)))
        }
        Some(_) => Err(format!("measure has {name:?}, which is not a number")),
        None => Err(unknown(summary, name)),
    }
}

/// What a name leads to; keys of tables may have dots themselves.
fn find<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    let table = value.as_object()?;
    if let Some(there) = table.get(name) {
        return Some(there);
    }
    name.match_indices('.').find_map(|(dot, _)| find(table.get(&name[..dot])?, &name[dot + 1..]))
}

fn unknown(summary: &Value, name: &str) -> String {
    let (mut place, mut known) = ("the summary", summary.as_object());
    for (dot, _) in name.match_indices('.') {
        if let Some(Value::Object(table)) = find(summary, &name[..dot]) {
            (place, known) = (&name[..dot], Some(table));
        }
    }
    format!(
        "measure has {name:?}, but {place} has no such key; it has {}",
        known.map_or_else(String::new, keys)
    )
}

fn keys(table: &Map<String, Value>) -> String {
    table.keys().map(String::as_str).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn names_lead_through_tables() {
        let summary = json!({
            "contacts": 7, "end": "time",
            "probes": { "a.b": { "angle": { "last": 30.5, "mean": null } } },
        });
        let of = |name: &str| measure(&summary, &[name.to_owned()]).map(|found| found[0].1);
        assert_eq!(of("contacts"), Ok(7.0));
        assert_eq!(of("probes.a.b.angle.last"), Ok(30.5));
        assert!(of("probes.a.b.angle.mean").unwrap().is_nan());
        assert_eq!(of("end").unwrap_err(), "measure has \"end\", which is not a number");
        assert_eq!(
            of("probes.a.b.angle").unwrap_err(),
            "measure has \"probes.a.b.angle\", which is a table: add one of last, mean"
        );
        assert_eq!(
            of("probes.a.b.angel.last").unwrap_err(),
            "measure has \"probes.a.b.angel.last\", but probes.a.b has no such key; it has angle"
        );
        assert_eq!(
            of("weather").unwrap_err(),
            "measure has \"weather\", but the summary has no such key; it has contacts, end, probes"
        );
    }
}
