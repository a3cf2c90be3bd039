//! Files of a run that was stopped on the way are damaged, and the run is continued with: the end is the same, or it is refused and
//! nothing is touched.

use std::fs;
use std::path::Path;
use std::sync::Mutex;

use super::Bench;
use super::counts::Counts;
use super::mutate::{Random, mutate};
use super::program::{Ended, copy, differences, files, first_lines};

/// Whoever is first makes the run that all damage.
static STOPPED: Mutex<()> = Mutex::new(());

pub(super) fn corruption(bench: &Bench, random: &mut Random, counts: &mut Counts) {
    let (place, whole) = (counts.place.clone(), bench.program.folder.join("stopped"));
    if let Err(error) =
        stop(bench, &whole, counts).and_then(|()| copy(&whole, &place).map_err(|e| e.to_string()))
    {
        return counts.fail(error);
    }
    let Some(name) = damage(&place.join("out"), random) else {
        return counts.fail("nothing to damage".to_owned());
    };
    counts.count("corruptions");
    let before = files(&place.join("out"));
    let ended = bench.program.run(
        &place,
        &["run", "scene.toml", "--out", "out", "--resume", "--threads", "1"],
        counts,
    );
    let Some(Ended { code, stderr, .. }) = ended else {
        return counts.fail(format!("after damage to {name}"));
    };
    let found = files(&place.join("out"));
    let wrong = match code {
        Some(0) => {
            counts.count("gone on with");
            // Damaged frames are left out, which is reported.
            let but: &[&str] = match name.as_str() {
                name if name.starts_with("vtk/") => &["vtk/", "checkpoint"],
                "trajectory.grit" => &["trajectory.grit", "checkpoint"],
                _ => &[],
            };
            differences(&found, &bench.expected, but)
        }
        Some(2) => {
            counts.count("refused");
            differences(&found, &before, &[])
        }
        _ => vec![format!("it failed: {}", first_lines(&stderr))],
    };
    for what in wrong {
        counts.fail(format!("{what} after damage to {name}, which ended with {code:?}"));
    }
}

/// A run that ended early, with two checkpoints; made once.
fn stop(bench: &Bench, place: &Path, counts: &mut Counts) -> Result<(), String> {
    let _one = STOPPED.lock().map_err(|_| "a worker has failed".to_owned())?;
    if place.join("out/summary.json").exists() {
        return Ok(());
    }
    bench.program.write_scene(place)?;
    let arguments = ["run", "scene.toml", "--out", "out", "--steps", "390", "--threads", "1"];
    let ended = bench.program.run(place, &arguments, counts).ok_or("the run to damage cannot be made")?;
    if ended.code == Some(0) { Ok(()) } else { Err(ended.stderr) }
}

/// Damages one of the files; its name.
fn damage(folder: &Path, random: &mut Random) -> Option<String> {
    let mut all = files(folder);
    for name in ["checkpoint.previous.bin", "summary.json"] {
        all.insert(name.to_owned(), fs::read(folder.join(name)).unwrap_or_default());
    }
    // Half of the damage is to what matters most; the others are frames, mostly.
    let first: Vec<&String> = all.keys().filter(|name| !name.starts_with("vtk/")).collect();
    let any: Vec<&String> = all.keys().collect();
    let names = if random.below(2) == 0 { first } else { any };
    let name = (*names.get(random.below(names.len()))?).clone();
    let (path, mut bytes) = (folder.join(&name), all[&name].clone());
    match random.below(5) {
        0 => fs::remove_file(&path).ok()?,
        1 if !bytes.is_empty() => {
            let at = random.below(bytes.len());
            bytes[at] ^= 1 << random.below(8);
            fs::write(&path, &bytes).ok()?;
        }
        2 => {
            bytes.truncate(random.below(bytes.len()));
            fs::write(&path, &bytes).ok()?;
        }
        3 => {
            bytes.extend((0..1 + random.below(100)).map(|_| random.below(256) as u8));
            fs::write(&path, &bytes).ok()?;
        }
        _ => fs::write(&path, mutate(&[bytes], random)).ok()?,
    }
    Some(name)
}
