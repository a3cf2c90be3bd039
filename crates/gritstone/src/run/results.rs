//! What a run has left that a new start would take a while to write again.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, ErrorKind, Read as _};
use std::path::Path;

use gritstone_files::memory;
use gritstone_io::trajectory::Reader;

use super::folder::{ENERGIES, FINAL, SUMMARY, TRAJECTORY, VTK, WALLS};
use super::probes::PROBES;

/// The longest line, and the longest summary, that is read (bytes).
const LONGEST: u64 = 1 << 24;

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
    let step =
        |line: &[u8]| std::str::from_utf8(line.split(|byte| *byte == b',').next()?).ok()?.parse::<u64>().ok();
    let (mut reader, mut line) = (BufReader::new(file), Vec::new());
    loop {
        line.clear();
        match reader.by_ref().take(LONGEST).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return false,
            Ok(_) if step(&line).is_some_and(|step| step > 0) => return true,
            Ok(_) => {}
        }
    }
}

/// Whether a run has come to this step or to rest: there is a state at the end, and a summary that says so.
pub(super) fn has_ended(folder: &Path, last: u64) -> bool {
    let summary: Option<serde_json::Value> = memory::read_at_most(&folder.join(SUMMARY), LONGEST)
        .ok()
        .and_then(|text| serde_json::from_slice(&text).ok());
    let ended = summary.is_some_and(|summary| match summary["end"].as_str() {
        Some("time") => summary["step"].as_u64().is_some_and(|step| step >= last),
        end => end == Some("still"),
    });
    ended && folder.join(FINAL).exists()
}

/// Whether a summary tells of a step. That of a run that failed before its first one, on a full disk say, does not.
fn has_steps(path: &Path) -> bool {
    let text = match memory::read_at_most(path, LONGEST) {
        Err(error) => return error.kind() != ErrorKind::NotFound,
        Ok(text) => text,
    };
    let summary: serde_json::Value = serde_json::from_slice(&text).unwrap_or_default();
    summary["step"].as_u64() != Some(0)
}

/// Whether a trajectory has a frame after the start.
fn has_frames(path: &Path) -> bool {
    Reader::open(path).is_ok_and(|reader| reader.moments().iter().any(|moment| moment.step > 0))
}
