//! Runs that are killed at random moments, on random threads and instruction sets, and continued with.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::Bench;
use super::counts::Counts;
use super::mutate::Random;
use super::program::{first_lines, wait};

/// The longest time between two kills.
const LONGEST: usize = 250;
/// Kills of one run.
const KILLS: usize = 5;

/// Signals, the one that nobody survives more often than the others.
static SIGNALS: &[&str] = &["KILL", "KILL", "KILL", "KILL", "TERM", "INT", "HUP"];

pub(super) fn campaign(bench: &Bench, random: &mut Random, counts: &mut Counts) {
    let place = counts.place.clone();
    if let Err(error) = bench.program.write_scene(&place) {
        return counts.fail(error);
    }
    for number in 0..KILLS {
        let before = step_of(&place);
        let threads = (1 + random.below(3)).to_string();
        let arguments = ["run", "scene.toml", "--out", "out", "--resume", "--threads", &threads];
        let mut child = match bench.program.start(&place, &arguments, number) {
            Ok(child) => child,
            Err(error) => return counts.fail(format!("cannot be started: {error}")),
        };
        std::thread::sleep(Duration::from_millis(random.below(LONGEST) as u64));
        let signal = SIGNALS[random.below(SIGNALS.len())];
        if child.try_wait().ok().flatten().is_some() {
            counts.count("ended before");
        } else {
            counts.count("kills");
            let _ = Command::new("kill").args([format!("-{signal}"), child.id().to_string()]).status();
        }
        let Some(status) = wait(&mut child, Duration::from_secs(60)) else {
            return counts.fail(format!("SIG{signal} does not end it"));
        };
        let stderr = fs::read_to_string(place.join(format!("stderr-{number}"))).unwrap_or_default();
        if stderr.contains("panicked")
            || status.code().is_some_and(|code| ![0, 129, 130, 143].contains(&code))
        {
            return counts.fail(format!("SIG{signal}: {status}: {}", first_lines(&stderr)));
        }
        if step_of(&place) < before {
            return counts.fail(format!("the checkpoint went back from step {before:?}"));
        }
    }
    bench.program.finish(&place, &bench.expected, random, counts);
    counts.count("resumed to the same bytes");
}

/// The step of the last checkpoint, from its header: while a new one is put in its place, the one before is the last.
fn step_of(place: &Path) -> Option<u64> {
    let step = |name: &str| {
        let bytes = fs::read(place.join("out").join(name)).ok()?;
        Some(u64::from_le_bytes(*bytes.get(24..)?.first_chunk()?))
    };
    step("checkpoint.bin").max(step("checkpoint.previous.bin"))
}
