//! Scenes from plain values of other languages.

/// The text of a scene that is given as a JSON object: tables are objects, and the order of keys stays.
///
/// ```
/// let text = gritstone_scene::json_to_toml(r#"{"title": "one", "time": {"end": "1 s"}}"#)?;
/// assert_eq!(text, "title = \"one\"\n\n[time]\nend = \"1 s\"\n");
/// # Ok::<(), String>(())
/// ```
pub fn json_to_toml(json: &str) -> Result<String, String> {
    serde_json::from_str::<toml::Table>(json)
        .map(|table| table.to_string())
        .map_err(|error| format!("the scene is no table of texts, numbers, lists and tables: {error}"))
}
