//! What a run has left that a new start would take a while to write again.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;

use gritstone_io::trajectory::Reader;

use super::folder::{ENERGIES, FINAL, SUMMARY, TRAJECTORY, VTK, WALLS};
use super::probes::PROBES;

/// A file that tells of an end, or of a moment after the start; none where the run got no further than that.
pub(super) fn beyond_the_start(folder: &Path) -> Option<String> {
    let ended = Some(FINAL).filter(|name| folder.join(name).exists());
    let ended = ended.or_else(|| Some(SUMMARY).filter(|name| has_steps(&folder.join(name))));
    let table = || [ENERGIES, WALLS].into_iter().find(|name| goes_on(&folder.join(name)));
    let moves = || Some(TRAJECTORY).filter(|name| has_frames(&folder.join(name)));
    let named = ended.or_else(table).or_else(moves).map(str::to_owned);
    named.or_else(|| one_of(folder, PROBES, |path, _| goes_on(path))).or_else(|| {
        let step = |name: &str| name.strip_suffix(".vtp")?.rsplit('_').next()?.parse::<u64>().ok();
        one_of(folder, VTK, |_, name| step(name).is_some_and(|step| step > 0))
    })
}

/// The first file of a folder's folder of which this is true.
fn one_of(folder: &Path, name: &str, wanted: impl Fn(&Path, &str) -> bool) -> Option<String> {
    let entries = fs::read_dir(folder.join(name)).ok()?.filter_map(Result::ok);
    let mut names: Vec<_> =
        entries.map(|entry| (entry.path(), entry.file_name().to_string_lossy().into_owned())).collect();
    names.sort();
    names.into_iter().find(|(path, file)| wanted(path, file)).map(|(_, file)| format!("{name}/{file}"))
}

/// Whether a table has a line of a step after the start.
fn goes_on(path: &Path) -> bool {
    let Ok(file) = File::open(path) else { return false };
    let step = |line: String| line.split(',').next().and_then(|field| field.parse::<u64>().ok());
    BufReader::new(file).lines().map_while(Result::ok).filter_map(step).any(|step| step > 0)
}

/// Whether a summary tells of a step. That of a run that failed before its first one, on a full disk say, does not.
fn has_steps(path: &Path) -> bool {
    let Ok(text) = fs::read(path) else { return false };
    let summary: serde_json::Value = serde_json::from_slice(&text).unwrap_or_default();
    summary["step"].as_u64() != Some(0)
}

/// Whether a trajectory has a frame after the start.
fn has_frames(path: &Path) -> bool {
    Reader::open(path).is_ok_and(|reader| reader.moments().iter().any(|moment| moment.step > 0))
}
