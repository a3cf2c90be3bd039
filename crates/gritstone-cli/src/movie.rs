//! `gritstone movie`: a run as it goes.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;

use gritstone::picture::movie::write;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;

use crate::failure::Failure;
use crate::look::{LookArgs, open};
use crate::output::print;
use crate::snapshot::beside;

/// Default width of a movie (pixels).
const WIDTH: u32 = 800;

/// Samples per pixel along each side: movement hides what fewer of them lose.
const SUPERSAMPLING: u32 = 2;

/// Draw all frames of a run as a movie: an animated GIF, or MP4 if ffmpeg is installed
#[derive(clap::Args)]
#[command(after_help = "\
Exit codes: 0 success; 1 the movie cannot be written; 2 bad input, and nothing was written.

Examples:
  gritstone movie polyhedra-drop-out
  gritstone movie polyhedra-drop-out --fps 30 --view x --color speed --out flow.mp4")]
pub(crate) struct Args {
    /// The folder that `gritstone run` has written
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Frames per second
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=120))]
    fps: u32,
    /// Draw every Nth frame of the run
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    #[command(flatten)]
    look: LookArgs,
    /// The file, .gif or .mp4 [default: the folder's name with .gif, in the working directory]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print what was drawn as JSON
    #[arg(long)]
    json: bool,
}

/// Draws.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let mut album = open(&args.folder)?;
    let frames: Vec<usize> = (0..album.moments().len()).step_by(args.every as usize).collect();
    let mut look = args.look.look(&mut album, &frames, WIDTH)?;
    look.supersampling = SUPERSAMPLING;
    let path = args.out.clone().unwrap_or_else(|| beside(&args.folder, "gif"));
    let bar = bar(frames.len() as u64);
    let done = write(&mut album, &frames, &look, args.fps, &path, &mut |done| bar.set_position(done as u64));
    bar.finish_and_clear();
    done?;
    let (name, seconds) = (path.display().to_string(), frames.len() as f64 / f64::from(args.fps));
    print(&if args.json {
        let summary = json!({
            "file": name, "frames": frames.len(), "fps": args.fps, "seconds": seconds,
            "width": look.width, "height": look.height,
        });
        format!("{summary:#}\n")
    } else {
        format!("{name}: {} frames, {seconds:.1} s\n", frames.len())
    })?;
    Ok(ExitCode::SUCCESS)
}

/// A bar on the terminal, if there is one.
fn bar(length: u64) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr_with_hz(10));
    if let Ok(style) = ProgressStyle::with_template("{pos}/{len} frames {wide_bar} {eta} left") {
        bar.set_style(style);
    }
    bar
}
