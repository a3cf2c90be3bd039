//! What cargo knows of the packages.

use std::process::Command;

use serde_json::Value;

use crate::shell::{output, root};

/// One package: of the workspace, or one that it depends on.
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) licence: Option<String>,
    /// Where it comes from; nothing for a path.
    pub(crate) source: Option<String>,
    /// Names of what it is built from; not of what only its tests use.
    pub(crate) uses: Vec<String>,
}

/// Every package that is built from.
pub(crate) fn packages() -> Result<Vec<Package>, String> {
    let metadata = output(
        Command::new(env!("CARGO"))
            .args(["metadata", "--format-version", "1", "--locked"])
            .current_dir(root()),
    )?;
    let metadata: Value = serde_json::from_slice(&metadata).map_err(|error| error.to_string())?;
    let list = metadata["packages"].as_array().ok_or("cargo metadata has no packages")?;
    Ok(list.iter().map(package).collect())
}

fn package(value: &Value) -> Package {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let uses = value["dependencies"].as_array().into_iter().flatten();
    Package {
        name: text(&value["name"]).unwrap_or_default(),
        licence: text(&value["license"]),
        source: text(&value["source"]),
        uses: uses.filter(|d| d["kind"] != "dev").filter_map(|d| text(&d["name"])).collect(),
    }
}
