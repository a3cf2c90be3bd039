//! `gritstone run`: a scene in, a folder of results out.

mod processes;
mod progress;
mod signals;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ValueEnum;
use gritstone::run::{BackendKind, End, Options, RunError, Summary, run as run_scene, serve};
use gritstone::scene::Scene;

use crate::failure::Failure;
use crate::output::print;
use crate::set::Set;
pub(crate) use processes::Processes;
pub(crate) use progress::Display;
pub(crate) use signals::Signals;

/// Run a scene and write its results into a folder
#[derive(clap::Args)]
#[command(after_long_help = MORE)]
pub(crate) struct Args {
    /// The scene; `gritstone new` writes one to start from, `gritstone check` prints a summary of it
    #[arg(value_name = "SCENE.toml")]
    scene: PathBuf,
    #[command(flatten)]
    set: Set,
    /// Folder for the results [default: the scene's name with -out, in the working directory]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Number of threads [default: one per core]; results do not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Hardware to compute on; results do not depend on it
    #[arg(long, value_enum, default_value_t = Backend::Cpu, hide_default_value = true)]
    backend: Backend,
    /// Resume from the last checkpoint in the folder, bit for bit as if the run had never stopped
    #[arg(long)]
    resume: bool,
    /// Simulated time in seconds at which to end [default: time.end of the scene]
    #[arg(long, value_name = "T", value_parser = seconds, allow_negative_numbers = true)]
    until: Option<f64>,
    /// Number of steps after which to end, counted from the start [default: time.end of the scene]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    steps: Option<u64>,
    /// Remove the run that is in the folder and start again
    #[arg(long, conflicts_with = "resume")]
    overwrite: bool,
    /// Print a line of progress every ten seconds, even without a terminal
    #[arg(long)]
    verbose: bool,
    /// Print the summary as JSON, or an object with the error
    #[arg(long)]
    json: bool,
}

/// What computes.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub(crate) enum Backend {
    /// The processor, all cores
    Cpu,
    /// The first CUDA device; `gritstone devices` lists them, `gritstone check --backend gpu` says whether it takes a scene
    Gpu,
}

impl From<Backend> for BackendKind {
    fn from(backend: Backend) -> Self {
        match backend {
            Backend::Cpu => Self::Cpu,
            Backend::Gpu => Self::Gpu,
        }
    }
}

const MORE: &str = "\
The folder then holds
  scene.toml, inputs/   the scene as used, with all defaults, and the files it reads
  trajectory.grit       all frames: gritstone view, snapshot, movie, export
  vtk/                  frames for ParaView, if the scene has output.vtk
  energies.csv          energies, contacts, overlaps over time
  final.csv             state of every grain at the end, 17 digits
  checkpoint.bin        state for --resume, and the one before it
  summary.json          the summary for programs
  report.html           pictures, plots and quality checks, on one page

Ctrl-C, SIGTERM and SIGHUP end the run at the next step with a checkpoint, and every
file is complete; a second signal ends it at once. Killed runs can be resumed, too.

Exit codes: 0 success; 1 the run failed or became unstable; 2 the scene or the folder
cannot be used, and nothing was written; 129, 130, 143 stopped by
SIGHUP, Ctrl-C, SIGTERM.

Examples:
  gritstone new polyhedra-drop
  gritstone run polyhedra-drop.toml --until 0.1
  gritstone run polyhedra-drop.toml --resume";

/// Runs the scene.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let processes = Processes::join()?;
    let scene = processes.all_have(args.set.read(&args.scene).map_err(Failure::from));
    if !processes.is_first() {
        return Ok(take_part(args, scene, &processes));
    }
    let done = scene.and_then(|scene| run_and_tell(args, &scene, &processes));
    if let Some(told) = done.as_ref().err().filter(|_| args.json).and_then(Failure::to_json) {
        // The failure itself is told in any case, on stderr and by the exit code.
        let _ = print(&format!("{told:#}\n"));
    }
    done
}

/// What processes do that are not the first: they make steps with it, and say nothing unless they alone fail.
fn take_part(args: &Args, scene: Result<Scene, Failure>, processes: &Processes) -> ExitCode {
    let Ok(scene) = scene else { return ExitCode::from(2) };
    let done = Signals::catch().and_then(|_signals| {
        let world =
            processes.world().ok_or_else(|| Failure::Failed("there are no other processes".to_owned()))?;
        Ok(pool(args)?.install(|| serve(&scene, &world)))
    });
    match done {
        Ok(Ok(())) => ExitCode::SUCCESS,
        // The first process has the same failure, and tells it.
        Ok(Err(error)) if error.is_bad_input() => ExitCode::from(2),
        Ok(Err(error)) => fail(&error.to_string(), processes),
        Err(failure) => fail(&failure.message(), processes),
    }
}

/// Tells why this process cannot go on, and ends all others.
fn fail(why: &str, processes: &Processes) -> ExitCode {
    let rank = processes.world().map_or(0, |world| world.rank());
    eprintln!("error: process {rank}: {why}");
    processes.abort();
    ExitCode::FAILURE
}

fn pool(args: &Args) -> Result<rayon::ThreadPool, Failure> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads.map_or(0, usize::from))
        .build()
        .map_err(|error| Failure::Failed(format!("cannot start threads: {error}")))
}

fn run_and_tell(args: &Args, scene: &Scene, processes: &Processes) -> Result<ExitCode, Failure> {
    let options = Options {
        resume: args.resume,
        overwrite: args.overwrite,
        until: args.until,
        steps: args.steps,
        backend: args.backend.into(),
        processes: processes.world(),
        ..Options::new(args.out.clone().unwrap_or_else(|| default_folder(&args.scene)))
    };
    let pool = pool(args)?;
    let signals = Signals::catch()?;
    let mut display = Display::new(&signals, args.verbose);
    let summary = pool.install(|| run_scene(scene, &options, &mut display));
    display.finish();
    if let Err(error @ RunError::Ended { .. }) = &summary {
        eprintln!("note: {error}: nothing was done");
        if args.json {
            // As it was told at that end.
            let summary = std::fs::read_to_string(options.folder.join("summary.json")).unwrap_or_default();
            print(&summary)?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    if summary.as_ref().err().is_none_or(|error| !error.is_bad_input()) {
        // The run is what it is, with or without a page about it.
        if let Err(error) = pool.install(|| gritstone::digest::write(&options.folder, None)) {
            eprintln!("note: there is no report: {error}");
        }
    }
    let summary = summary.map_err(Failure::from)?;
    if args.json {
        summary.alarms.iter().for_each(|alarm| eprintln!("warning: {alarm}"));
    }
    tell(&summary, args.json)?;
    Ok(if summary.end == End::Interrupted { signals.exit_code() } else { ExitCode::SUCCESS })
}

fn tell(summary: &Summary, json: bool) -> Result<(), Failure> {
    print(&if json { format!("{:#}\n", summary.to_json()) } else { summary.to_string() })
}

/// The scene's name with `-out`, in the working directory.
fn default_folder(scene: &Path) -> PathBuf {
    let name = scene.file_stem().unwrap_or_default().to_string_lossy();
    PathBuf::from(format!("{name}-out"))
}

/// A time in seconds.
pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    match text.trim_end_matches('s').trim_end().parse::<f64>() {
        Ok(time) if time > 0.0 && time.is_finite() => Ok(time),
        _ => Err("must be a positive number of seconds, such as 0.25".to_owned()),
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Scene(problems) => Self::BadScene(problems),
            error if error.is_bad_input() => Self::BadInput(error.to_string()),
            error => Self::Failed(error.to_string()),
        }
    }
}
