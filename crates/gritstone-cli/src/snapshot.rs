//! `gritstone snapshot`: a picture of a run.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::json;

use crate::failure::Failure;
use crate::look::{LookArgs, open};
use crate::output::{Output, print};

/// Default width of a picture (pixels).
const WIDTH: u32 = 1200;

/// Draw a frame of a run as a PNG picture, without a browser or a graphics card
#[derive(clap::Args)]
#[command(after_help = "\
The picture is made from trajectory.grit, which `gritstone run` writes.

Exit codes: 0 success; 1 the picture cannot be written; 2 bad input, and nothing was written.

Examples:
  gritstone snapshot polyhedra-drop-out
  gritstone snapshot polyhedra-drop-out --time 1.4 --view x --color force --out flow.png")]
pub(crate) struct Args {
    /// The folder that `gritstone run` has written
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Simulated time in seconds; the nearest frame is drawn [default: the last frame]
    #[arg(long, value_name = "T", value_parser = seconds, allow_negative_numbers = true)]
    time: Option<f64>,
    #[command(flatten)]
    look: LookArgs,
    /// The PNG file [default: the folder's name with .png, in the working directory]; - for the standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print what was drawn as JSON
    #[arg(long)]
    json: bool,
}

/// Draws.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let mut album = open(&args.folder)?;
    let last = album.moments().len() - 1;
    let frame = args.time.map_or(Ok(last), |time| album.frame_at(time))?;
    let look = args.look.look(&mut album, &[frame], WIDTH)?;
    let path = args.out.clone().unwrap_or_else(|| beside(&args.folder, "png"));
    // Known before the work, not after it.
    let mut output = Output::open(&path)?;
    let image = album.draw(frame, &look)?;
    output.write(&image.to_png()?)?;
    output.finish()?;
    if path.as_os_str() == "-" {
        return Ok(ExitCode::SUCCESS);
    }
    let (moment, grains) = (album.moments()[frame], album.grains(frame)?);
    let name = path.display().to_string();
    print(&if args.json {
        let summary = json!({
            "file": name, "frame": frame, "frames": last + 1, "step": moment.step, "time": moment.time,
            "grains": grains, "width": look.width, "height": look.height,
        });
        format!("{summary:#}\n")
    } else {
        let time = gritstone::scene::display::time(moment.time);
        format!("{name}: {grains} grains at {time} (frame {} of {})\n", frame + 1, last + 1)
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The folder's name with an ending, in the working directory.
pub(crate) fn beside(folder: &Path, ending: &str) -> PathBuf {
    let whole = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let name = whole.file_name().unwrap_or("run".as_ref()).to_string_lossy();
    PathBuf::from(format!("{name}.{ending}"))
}

/// A time in seconds.
fn seconds(text: &str) -> Result<f64, String> {
    match text.trim_end_matches('s').trim_end().parse::<f64>() {
        Ok(time) if time.is_finite() => Ok(time),
        _ => Err("must be a number of seconds, such as 0.25".to_owned()),
    }
}
