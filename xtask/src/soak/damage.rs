//! Files of a run that was stopped on the way are damaged, and the run is gone on with: the end is the same, or it is refused and
//! nothing is touched.

use std::fs;
use std::path::Path;
use std::sync::Mutex;

use super::Bench;
use super::mutate::{Dice, mutate};
use super::program::{Ended, copy, differences, files, first_lines};
use super::tally::Tally;

/// Whoever is first makes the run that all damage.
static STOPPED: Mutex<()> = Mutex::new(());

pub(super) fn corruption(bench: &Bench, dice: &mut Dice, tally: &mut Tally) {
    let (place, whole) = (tally.place.clone(), bench.program.folder.join("stopped"));
    if let Err(error) =
        stop(bench, &whole, tally).and_then(|()| copy(&whole, &place).map_err(|e| e.to_string()))
    {
        return tally.fail(error);
    }
    let Some(name) = damage(&place.join("out"), dice) else {
        return tally.fail("nothing to damage".to_owned());
    };
    tally.count("corruptions");
    let before = files(&place.join("out"));
    let ended = bench.program.run(
        &place,
        &["run", "scene.toml", "--out", "out", "--resume", "--threads", "1"],
        tally,
    );
    let Some(Ended { code, stderr, .. }) = ended else {
        return tally.fail(format!("after damage to {name}"));
    };
    let found = files(&place.join("out"));
    let wrong = match code {
        Some(0) => {
            tally.count("gone on with");
            // Damaged frames are left out, which is told.
            let but: &[&str] = match name.as_str() {
                name if name.starts_with("vtk/") => &["vtk/", "checkpoint"],
                "trajectory.grit" => &["trajectory.grit", "checkpoint"],
                _ => &[],
            };
            differences(&found, &bench.expected, but)
        }
        Some(2) => {
            tally.count("refused");
            differences(&found, &before, &[])
        }
        _ => vec![format!("it failed: {}", first_lines(&stderr))],
    };
    for what in wrong {
        tally.fail(format!("{what} after damage to {name}, which ended with {code:?}"));
    }
}

/// A run that ended early, with two checkpoints; made once.
fn stop(bench: &Bench, place: &Path, tally: &mut Tally) -> Result<(), String> {
    let _one = STOPPED.lock().map_err(|_| "a worker has failed".to_owned())?;
    if place.join("out/summary.json").exists() {
        return Ok(());
    }
    bench.program.write_scene(place)?;
    let arguments = ["run", "scene.toml", "--out", "out", "--steps", "390", "--threads", "1"];
    let ended = bench.program.run(place, &arguments, tally).ok_or("the run to damage cannot be made")?;
    if ended.code == Some(0) { Ok(()) } else { Err(ended.stderr) }
}

/// Damages one of the files; its name.
fn damage(folder: &Path, dice: &mut Dice) -> Option<String> {
    let mut all = files(folder);
    for name in ["checkpoint.previous.bin", "summary.json"] {
        all.insert(name.to_owned(), fs::read(folder.join(name)).unwrap_or_default());
    }
    // Half of the damage is to what matters most; the others are frames, mostly.
    let first: Vec<&String> = all.keys().filter(|name| !name.starts_with("vtk/")).collect();
    let any: Vec<&String> = all.keys().collect();
    let names = if dice.below(2) == 0 { first } else { any };
    let name = (*names.get(dice.below(names.len()))?).clone();
    let (path, mut bytes) = (folder.join(&name), all[&name].clone());
    match dice.below(5) {
        0 => fs::remove_file(&path).ok()?,
        1 if !bytes.is_empty() => {
            let at = dice.below(bytes.len());
            bytes[at] ^= 1 << dice.below(8);
            fs::write(&path, &bytes).ok()?;
        }
        2 => {
            bytes.truncate(dice.below(bytes.len()));
            fs::write(&path, &bytes).ok()?;
        }
        3 => {
            bytes.extend((0..1 + dice.below(100)).map(|_| dice.below(256) as u8));
            fs::write(&path, &bytes).ok()?;
        }
        _ => fs::write(&path, mutate(&[bytes], dice)).ok()?,
    }
    Some(name)
}
