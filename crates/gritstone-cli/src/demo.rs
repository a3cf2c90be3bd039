//! `gritstone demo`: some thousand grains fall into a box and run out of it; or pairs of grains, solved by every method.

mod contacts;
mod own;

use std::path::PathBuf;
use std::process::ExitCode;

use gritstone::picture::{Album, Look};
use gritstone::run::{End, Options, Summary, run as run_scene};
use gritstone::scene::{Scene, template};

use crate::failure::Failure;
use crate::output::print;
use crate::run::{Display, Signals};

/// Let some thousand grains of many shapes fall into a box and run out of it, and draw them
#[derive(clap::Args)]
#[command(after_help = "\
It takes less than a minute on two cores. The scene is the template `demo`: `gritstone new demo`
writes it, to look at it or to change it.")]
pub(crate) struct Args {
    /// Folder for the results; it is made if it is not there
    #[arg(long, default_value = "gritstone-demo", value_name = "DIR")]
    out: PathBuf,
    /// Simulated time in seconds at which to end [default: time.end of the scene]
    #[arg(long, value_name = "T", value_parser = crate::run::seconds, allow_negative_numbers = true)]
    until: Option<f64>,
    /// Instead, solve a dozen pairs of very different superellipsoids by every method, print their contacts and draw some
    #[arg(long)]
    contacts: bool,
    /// Start anew in a folder that holds what no demo has written: a run, which is removed, or files of the same names
    #[arg(long)]
    overwrite: bool,
    /// Print the summary, or the contacts, as JSON
    #[arg(long)]
    json: bool,
}

/// Name of the picture in the folder.
const PICTURE: &str = "demo.png";

/// Runs, draws, and says what to do next.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    if args.contacts {
        own::may_solve(&args.out, args.overwrite)?;
        return contacts::run(&args.out, args.json);
    }
    let scene = scene()?;
    // What another demo left there is not worth keeping.
    let overwrite = own::may_run(&args.out, &scene, args.overwrite)?;
    let options = Options { overwrite, until: args.until, ..Options::new(&args.out) };
    let signals = Signals::catch()?;
    let mut display = Display::new(&signals, false);
    let summary = run_scene(&scene, &options, &mut display);
    display.finish();
    let summary = summary.map_err(Failure::from)?;
    let picture = args.out.join(PICTURE);
    let mut album = Album::open(&args.out)?;
    album.draw(album.moments().len() - 1, &Look::default())?.write_png(&picture)?;
    if let Err(error) = gritstone::digest::write(&args.out, None) {
        eprintln!("note: there is no report: {error}");
    }
    print(&if args.json { format!("{:#}\n", summary.to_json()) } else { tell(&summary) })?;
    Ok(if summary.end == End::Interrupted { signals.exit_code() } else { ExitCode::SUCCESS })
}

/// The scene of the demo, with a title of its own: a run of the template by `gritstone run` is not a demo's.
fn scene() -> Result<Scene, Failure> {
    let text = template("demo").map_or("", |template| template.text);
    let mut scene = Scene::parse(text, "demo.toml")?;
    scene.file.title = Some(format!("Demo: {}", scene.file.title.unwrap_or_default().to_lowercase()));
    Ok(scene)
}

/// What was run and what to do next. The same on every machine: how long it took is told on the way.
fn tell(summary: &Summary) -> String {
    let warnings: String = summary.alarms.iter().map(|alarm| format!("warning: {alarm}\n")).collect();
    let about = template("demo").map_or("", |template| template.about);
    let (status, folder) = (&summary.status, summary.folder.display());
    let (steps, grains) = (status.step, status.grains);
    format!(
        "{about}: {grains} grains, {steps} steps\n\
         \n\
         {folder}/{PICTURE}        what became of them: look at it\n\
         {folder}/report.html     pictures, plots and quality checks, on one page\n\
         {folder}/energies.csv    energies on the way; probes/ has what else was measured\n\
         {folder}/summary.json    how it went\n\
         \n\
         {warnings}Next:\n  \
         gritstone new demo                   writes the scene, demo.toml: a text to look at and to change\n  \
         gritstone check demo.toml            says what is in it, and everything that is wrong with it\n  \
         gritstone run demo.toml              runs it; Ctrl-C stops it, --resume goes on\n  \
         gritstone new --help                 lists all scenes to start from\n"
    )
}
