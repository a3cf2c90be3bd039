//! What bad luck and bad will do to the program, thousands of times: kills, damaged files, full disks, starts at once, mutated inputs.
//!
//! Every part is a number of jobs that do not depend on each other; each has its own folder and its own random numbers. Nothing may
//! panic, end by a signal that nobody sent, take for ever or more memory than it may; what a run leaves must be that of a run that
//! nothing has happened to, or be refused with everything as it was.

mod counts;
mod damage;
mod disks;
mod inputs;
mod kills;
#[path = "../../crates/gritstone/tests/hostile/mutate.rs"]
mod mutate;
mod program;
mod starts;

use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::shell::{Outcome, TESTED, cargo, root};
use counts::Counts;
use mutate::Random;
use program::Program;

/// A part: its name, jobs in the short form and in the long one, and what a job does.
type Part = (&'static str, [u64; 2], fn(&Bench, &mut Random, &mut Counts));

#[rustfmt::skip]
static PARTS: &[Part] = &[
    ("kills",   [6, 130],   kills::campaign),
    ("damage",  [50, 1050], damage::corruption),
    ("starts",  [10, 200],  starts::several),
    ("disks",   [5, 40],    disks::full),
    ("scenes",  [20, 510],  inputs::scenes),
    ("meshes",  [4, 40],    inputs::meshes),
    ("tables",  [4, 40],    inputs::tables),
    ("stages",  [2, 40],    inputs::stages),
    ("pairs",   [2, 100],   inputs::pairs),
];

/// The longest that the short form and the long one may take.
const PATIENCE: [Duration; 2] = [Duration::from_secs(75), Duration::from_secs(3000)];

/// What all jobs have in common.
struct Bench {
    program: Program,
    /// What a run leaves to which nothing happens.
    expected: program::Files,
}

/// How it is run.
struct Options {
    long: bool,
    seed: u64,
    only: Option<String>,
    program: Option<PathBuf>,
}

/// A minute of it.
pub(crate) fn short() -> Outcome {
    soak(&Options { long: false, seed: fresh(), only: None, program: None })
}

/// `cargo xtask soak [--short] [--seed N] [--only PART] [--program PATH]`.
pub(crate) fn from_arguments(arguments: impl Iterator<Item = String>) -> Outcome {
    let mut options = Options { long: true, seed: fresh(), only: None, program: None };
    let mut arguments = arguments;
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--short" => options.long = false,
            "--seed" => options.seed = seed(&value()?)?,
            "--only" => options.only = Some(value()?),
            "--program" => options.program = Some(value()?.into()),
            _ => {
                return Err(format!(
                    "{argument} is not known; there are --short, --seed, --only and --program"
                ));
            }
        }
    }
    soak(&options)
}

fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("--seed is {text}, but must be a whole number"))
}

fn fresh() -> u64 {
    std::time::UNIX_EPOCH.elapsed().map_or(1, |since| since.as_nanos() as u64)
}

fn soak(options: &Options) -> Outcome {
    let program = match &options.program {
        Some(path) => path.canonicalize().map_err(|error| format!("{}: {error}", path.display()))?,
        None => {
            cargo(&[&["test", "--quiet", "--no-run"], TESTED].concat())?;
            root().join("target/debug/gritstone")
        }
    };
    println!("--seed {}", options.seed);
    let folder = root().join(format!("target/soak-{}", std::process::id()));
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let program = Program { path: program, folder: folder.clone() };
    let expected = program.reference()?;
    let bench = Bench { program, expected };
    let (start, mut failures) = (Instant::now(), 0);
    for part in PARTS.iter().filter(|part| options.only.as_deref().is_none_or(|only| only == part.0)) {
        failures += run(part, &bench, options, start);
    }
    println!("{failures} failures in {:.0} s", start.elapsed().as_secs_f64());
    if failures > 0 {
        return Err(format!("what failed is in {}", folder.display()));
    }
    fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))
}

/// Runs the jobs of a part on all processors; how many things have failed.
fn run((name, jobs, act): &Part, bench: &Bench, options: &Options, start: Instant) -> usize {
    let (jobs, patience) = (jobs[usize::from(options.long)], PATIENCE[usize::from(options.long)]);
    let (next, all) = (AtomicU64::new(0), Mutex::new(Counts::default()));
    let begin = Instant::now();
    let work = || {
        loop {
            let job = next.fetch_add(1, Ordering::Relaxed);
            if job >= jobs || start.elapsed() > patience {
                return;
            }
            let place = bench.program.folder.join(format!("{name}-{job}"));
            let mut counts = Counts::at(&place);
            let mut random = Random::new(
                options.seed ^ name.bytes().fold(job, |hash, b| hash.wrapping_mul(257) + u64::from(b)),
            );
            match fs::create_dir_all(&place) {
                Ok(()) => act(bench, &mut random, &mut counts),
                Err(error) => counts.fail(format!("no folder: {error}")),
            }
            if counts.failures.is_empty() {
                // What cannot be removed is in nobody's way.
                let _ = fs::remove_dir_all(&place);
            }
            all.lock().expect("no worker panics").add(counts);
        }
    };
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| (0..workers).for_each(|_| drop(scope.spawn(work))));
    let counts = all.into_inner().expect("no worker panics");
    println!("{name:8} {counts} ({:.0} s)", begin.elapsed().as_secs_f64());
    counts.failures.len()
}
