//! `cargo xtask`: the project's chores.

mod arrows;
mod book;
mod gallery;
mod kernels;
mod licences;
mod markdown;
mod metadata;
mod mpi;
mod python;
mod shell;
mod soak;
mod viewer;

use std::process::ExitCode;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use shell::{Outcome, cargo, has_miri, has_nextest, python};

/// A step of the gate: its name, and what it does.
type Step = (&'static str, fn() -> Outcome);

/// The whole gate, cheap steps first.
static CI: &[Step] = &[
    ("format", || cargo(&["fmt", "--all", "--check"])),
    ("arrows between crates", arrows::check),
    ("licences and sources of dependencies", licences::check),
    ("links in documents", markdown::check_links),
    ("chapters of the book", book::check_chapters),
    ("clippy", || cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])),
    ("documentation", || {
        shell::cargo_with(&["doc", "--workspace", "--no-deps"], "RUSTDOCFLAGS", "-D warnings")
    }),
    ("examples in documentation", || {
        cargo(&["test", "--workspace", "--exclude", "gritstone-py", "--doc", "--quiet"])
    }),
    ("tests", test),
    ("properties, with a fresh seed", test_properties),
    ("a minute of kills, damage and hostile inputs", soak::short),
    ("commands of the README", markdown::run_readme),
    ("scenes on several processes", mpi::short),
    ("viewer in a browser", viewer::check),
    ("Python package", python::check),
];

/// What takes hours: millions of pairs against independent answers, and the papers' tables at full length.
static FULL: &[Step] = &[
    ("the papers' pairs against independent answers", || survey("iv", 1_000_000, 100_000)),
    ("all classes of pairs against independent answers", || survey("all", 100_000, 10_000)),
    ("reproductions of the papers", || {
        cargo(&["run", "--release", "--", "reproduce", "all", "--out", "target/reproductions"])
    }),
    ("unsafe code under Miri (needs a nightly toolchain with it)", miri),
    ("trajectories read as documented (needs Python)", read_trajectory),
    ("frames read by VTK itself (needs the Python packages vtk and numpy)", read_vtk),
    ("frames rendered by VTK itself, off screen", render_vtk),
];

/// The documents as pages.
static BOOK: &[Step] = &[("book", book::build)];

/// Pictures for the documents.
static GALLERY: &[Step] = &[("gallery", gallery::make)];

/// The kernels of the GPU backend.
static KERNELS: &[Step] = &[("PTX of the kernels (needs Python and g++)", kernels::build)];
/// The Python package alone.
static PYTHON: &[Step] = &[("Python package", python::check)];

/// The Python package for others to install.
static WHEEL: &[Step] = &[("wheel", python::wheel)];

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("book") => run(BOOK),
        Some("ci") => run(CI),
        Some("full") => run(FULL),
        Some("gallery") => run(GALLERY),
        Some("kernels") => run(KERNELS),
        Some("mpi") => match mpi::from_arguments(std::env::args().skip(2)) {
            Ok(()) => ExitCode::SUCCESS,
            Err(why) => {
                eprintln!("{why}");
                ExitCode::FAILURE
            }
        },
        Some("python") => run(PYTHON),
        Some("soak") => match soak::from_arguments(std::env::args().skip(2)) {
            Ok(()) => ExitCode::SUCCESS,
            Err(why) => {
                eprintln!("{why}");
                ExitCode::FAILURE
            }
        },
        Some("wheel") => run(WHEEL),
        _ => {
            eprintln!(
                "cargo xtask book    the documents as pages, by mdBook, which it installs below target/ (minutes)"
            );
            eprintln!("cargo xtask ci      every check that a change must pass (minutes)");
            eprintln!("cargo xtask python  builds the Python package and tests it (minutes)");
            eprintln!("cargo xtask full    surveys of millions of pairs and the papers' tables (hours)");
            eprintln!(
                "cargo xtask gallery docs/gallery.md from scenes/, with a picture of each scene (minutes)"
            );
            eprintln!(
                "cargo xtask soak    kills, damaged files, full disks and mutated inputs by the thousand (an hour; --short: a minute)"
            );
            eprintln!("cargo xtask kernels the GPU's kernels by NVIDIA's compiler from PyPI (a minute)");
            eprintln!(
                "cargo xtask mpi     scenes on 1 to 8 processes by Open MPI, and 50 kills of them (an hour; --short: minutes)"
            );
            eprintln!("cargo xtask wheel   the Python package, as a file in target/wheels (minutes)");
            ExitCode::from(2)
        }
    }
}

/// Runs every step to the end of the list, even after one has failed, and says which did.
fn run(steps: &[Step]) -> ExitCode {
    let mut failed = 0;
    for (name, step) in steps {
        println!("\n── {name}");
        let start = Instant::now();
        let done = step();
        let seconds = start.elapsed().as_secs_f64();
        match done {
            Ok(()) => println!("── {name}: fine ({seconds:.1} s)"),
            Err(why) => {
                failed += 1;
                println!("── {name}: FAILED ({seconds:.1} s)\n{why}");
            }
        }
    }
    println!("\nsteps: {} passed, {failed} failed", steps.len() - failed);
    ExitCode::from(u8::from(failed > 0))
}

fn survey(class: &str, pairs: u32, compared: u32) -> Outcome {
    let (pairs, compared) = (pairs.to_string(), compared.to_string());
    let program = ["run", "--release", "--package", "gritstone-study", "--example", "survey", "--"];
    let options = ["--class", class, "--pairs", &pairs, "--truth-sample", &compared];
    cargo(&[&program[..], &options].concat())
}

/// Writes trajectories with every kind of shape and has a program read them that knows no more than the document.
fn read_trajectory() -> Outcome {
    let folder = "target/trajectory-sample";
    cargo(&["run", "--package", "gritstone-io", "--example", "trajectory_sample", "--", folder])?;
    python(&["crates/gritstone-io/tests/python/read_trajectory.py", folder])
}

/// Writes frames with every kind of shape and has VTK read them.
fn read_vtk() -> Outcome {
    let folder = "target/vtk-sample";
    cargo(&["run", "--package", "gritstone-io", "--example", "vtk_sample", "--", folder])?;
    python(&["crates/gritstone-io/tests/python/read_vtk.py", folder])
}

/// Has VTK render the frames of [`read_vtk`].
fn render_vtk() -> Outcome {
    python(&[
        "crates/gritstone-io/tests/python/render_vtk.py",
        "target/vtk-sample",
        "target/vtk-sample/space.png",
    ])
}

/// The lanes that do not depend on the processor, and records seen as lines of numbers, in an interpreter that finds undefined
/// behaviour. Skipped where it is not installed.
fn miri() -> Outcome {
    if !has_miri() {
        println!("skipped: cargo +nightly miri is not installed (rustup +nightly component add miri)");
        return Ok(());
    }
    for arguments in [
        &["--package", "gritstone-core", "--lib", "--test", "lanes"][..],
        &["--package", "gritstone-engine", "--lib", "bodies"],
    ] {
        let flags = "-Zmiri-disable-isolation";
        shell::cargo_nightly(
            &[&["miri", "test"], arguments].concat(),
            &[("MIRIFLAGS", flags), ("PROPTEST_CASES", "4")],
        )?;
    }
    Ok(())
}

/// Properties of the certified method and of the laws, for cases that no run before has drawn. The seed is printed:
/// `PROPTEST_RNG_SEED=… cargo test` draws the same cases again. Published methods are drawn with the fixed seed alone: they
/// fail for some pairs, as their papers say. So is the property `witness`: of some thousand pairs with exponents near the ends
/// of their range, one has a contact point beside the ridge of a body, 0.6 % of its size off (seed 32).
fn test_properties() -> Outcome {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_err(|error| error.to_string())?;
    let seed = now.as_nanos().to_string();
    println!("PROPTEST_RNG_SEED={seed}");
    let with_seed = |arguments: &[&str]| shell::cargo_with(arguments, "PROPTEST_RNG_SEED", &seed);
    if has_nextest() {
        // The same packages as all tests have, so that nothing is built again with other features.
        let which = "package(gritstone-force) \
                     | (package(gritstone-testkit) & test(/^auto::/) & not test(witness))";
        return with_seed(&[&["nextest", "run"], shell::TESTED, &["-E", which]].concat());
    }
    let certified = ["--test", "all", "--", "auto::", "--skip", "plane::auto", "--skip", "witness"];
    with_seed(&[&["test", "--quiet", "--package", "gritstone-testkit"][..], &certified].concat())?;
    with_seed(&["test", "--quiet", "--package", "gritstone-force", "--tests"])
}

/// All but the Python module, which has tests of its own, and the benchmarks: clippy builds those, and as tests they would only
/// repeat what tests check.
fn test() -> Outcome {
    let runner: &[&str] = if has_nextest() { &["nextest", "run"] } else { &["test"] };
    cargo(&[runner, shell::TESTED, &["--no-fail-fast"]].concat())
}
