//! What in a folder is an earlier demo's own, and may be replaced by the next one.

use std::path::Path;

use gritstone::run::holds_run_of;
use gritstone::scene::Scene;
use gritstone_files::memory;

use super::contacts::{FILES, PAIRS};
use super::{PICTURE, scene};
use crate::failure::Failure;

/// Whether the folder holds a run of the demo, or one that the next demo may remove as `run --overwrite` does.
pub(super) fn may_run(folder: &Path, scene: &Scene, overwrite: bool) -> Result<bool, Failure> {
    let ran = holds_run_of(scene, folder)?;
    refuse(folder, PICTURE, ran || solved(folder) || overwrite)?;
    Ok(ran || overwrite)
}

/// Looks whether the pairs of the demo, and what was found of them, may be written there.
pub(super) fn may_solve(folder: &Path, overwrite: bool) -> Result<(), Failure> {
    let solved = solved(folder);
    for name in FILES {
        refuse(folder, name, solved || overwrite)?;
    }
    let own = solved || overwrite || holds_run_of(&scene()?, folder)?;
    refuse(folder, PICTURE, own)
}

/// Whether a demo has left its pairs there, as they were.
fn solved(folder: &Path) -> bool {
    memory::read_at_most(&folder.join(FILES[0]), PAIRS.len() as u64)
        .is_ok_and(|found| found == PAIRS.as_bytes())
}

fn refuse(folder: &Path, name: &str, own: bool) -> Result<(), Failure> {
    if own || folder.join(name).symlink_metadata().is_err() {
        return Ok(());
    }
    Err(Failure::BadInput(format!(
        "{} holds {name}, which no demo has written: move it away, name another folder with --out, or replace it with \
         --overwrite",
        folder.display()
    )))
}
