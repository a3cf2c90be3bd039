//! Names that two things may not have in common.

use std::collections::HashMap;

use super::from_scene::FromScene;
use crate::diagnostics::Diagnostics;
use crate::schema::{SceneFile, Side, Wall};

/// Reports walls that are named like a side of a box, and probes whose file names are the same on some systems.
pub(super) fn check<D: FromScene>(file: &SceneFile, diagnostics: &mut Diagnostics<'_>) {
    let sides: HashMap<String, &str> =
        file.walls.iter().flat_map(|(name, wall)| sides::<D>(name, wall)).collect();
    for name in file.walls.names() {
        if let Some(of) = sides.get(name) {
            let (key, line) = (format!("walls.{name}"), diagnostics.line(&format!("walls.{of}")));
            diagnostics.error(
                &key,
                format_args!(
                    "{key} has the name of a side of the box walls.{of}{line}: give one of them another"
                ),
            );
        }
    }
    let mut files: HashMap<String, &str> = HashMap::new();
    for name in file.probes.names() {
        if let Some(other) = files.insert(name.to_lowercase(), name) {
            let (key, line) = (format!("probes.{name}"), diagnostics.line(&format!("probes.{other}")));
            diagnostics.error(
                &key,
                format_args!(
                    "{key} differs from probes.{other}{line} in the case of letters alone: both name a file, which is the \
                     same one on some systems"
                ),
            );
        }
    }
}

/// Names of the sides that a box has, each with that of the box.
fn sides<'w, D: FromScene>(name: &'w str, wall: &Wall) -> Vec<(String, &'w str)> {
    let Wall::Box(wall) = wall else { return Vec::new() };
    let there = Side::ALL.into_iter().filter(|side| side.axis().0 < D::N && !wall.open.contains(side));
    there.map(|side| (format!("{name}.{}", side.keyword()), name)).collect()
}
