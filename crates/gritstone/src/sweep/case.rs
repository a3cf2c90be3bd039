//! The cases of a sweep: every combination of its values.

use gritstone_scene::{Assignment, Problems, Scene, to_toml_value};
use serde_json::Value;

/// Most cases of a sweep.
const MOST_CASES: usize = 10_000_000;

/// One combination of values.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Each key of the scene with its value.
    pub values: Vec<(String, Value)>,
}

/// Every combination of the values of some keys; the last key changes fastest.
pub fn cases(parameters: &[(String, Vec<Value>)]) -> Result<Vec<Case>, String> {
    if let Some((key, _)) = parameters.iter().find(|(_, values)| values.is_empty()) {
        return Err(format!("{key} has no values, but must have at least one"));
    }
    for (key, values) in parameters {
        if let Some(wrong) = values.iter().find(|value| to_toml_value(value).is_none()) {
            return Err(format!("{key} has the value {wrong}, which a scene cannot have"));
        }
    }
    let count = parameters.iter().try_fold(1_usize, |count, (_, values)| count.checked_mul(values.len()));
    let count = count.filter(|count| *count <= MOST_CASES);
    let count = count.ok_or_else(|| format!("there are more than {MOST_CASES} combinations of values"))?;
    let case = |number: usize| {
        let mut rest = number;
        let mut values: Vec<_> = parameters
            .iter()
            .rev()
            .map(|(key, values)| {
                let value = values[rest % values.len()].clone();
                rest /= values.len();
                (key.clone(), value)
            })
            .collect();
        values.reverse();
        Case { values }
    };
    Ok((0..count).map(case).collect())
}

impl Case {
    /// The scene with the values set.
    pub fn scene(&self, base: &Scene) -> Result<Scene, Problems> {
        let assignments: Vec<_> = self
            .values
            .iter()
            .map(|(key, value)| Assignment {
                key: key.clone(),
                // `cases` has no values without one.
                value: to_toml_value(value).unwrap_or_default(),
            })
            .collect();
        base.with(&assignments)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_last_key_changes_fastest() {
        let parameters =
            [("a".to_owned(), vec![json!(1), json!(2)]), ("b".to_owned(), vec![json!("x"), json!(true)])];
        let all = cases(&parameters).unwrap();
        let message: Vec<_> =
            all.iter().map(|case| [case.values[0].1.clone(), case.values[1].1.clone()]).collect();
        assert_eq!(
            message,
            [
                [json!(1), json!("x")],
                [json!(1), json!(true)],
                [json!(2), json!("x")],
                [json!(2), json!(true)]
            ]
        );
        assert_eq!(cases(&[]).unwrap().len(), 1);
    }

    #[test]
    fn what_cannot_be_is_told() {
        let message = |values| cases(&[("a.b".to_owned(), values)]).unwrap_err();
        assert_eq!(message(vec![]), "a.b has no values, but must have at least one");
        assert_eq!(message(vec![json!(null)]), "a.b has the value null, which a scene cannot have");
        let many = vec![("a".to_owned(), vec![json!(0); 10_000]); 20];
        assert!(cases(&many).unwrap_err().contains("more than 10000000"));
    }
}
