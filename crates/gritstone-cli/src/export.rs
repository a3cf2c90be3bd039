//! `gritstone export`: a run as one page that anyone can open, or in the formats of other programs.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use clap::ValueEnum;
use gritstone::convert::{self, ConvertError};
use gritstone::io::trajectory::Reader;
use gritstone_files::memory;
use serde_json::{Map, Value, json};

use crate::failure::Failure;
use crate::output::{Output, print};
use crate::view::PAGE;
use crate::view::run_folder::RunFolder;

/// Write a run as one page for any browser, or its frames as CSV, VTK, VTKHDF or a LAMMPS dump
#[derive(clap::Args)]
#[command(after_help = MORE)]
pub(crate) struct Args {
    /// Folder of a run
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// What to write
    #[arg(long, value_enum, default_value_t = Format::Html)]
    format: Format,
    /// Take only every K-th frame, and the last one
    #[arg(long, value_name = "K", default_value_t = 1, hide_default_value = true)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// The file to write (- for the standard output), or the folder for csv, vtk and vtkhdf [default: the folder's name
    /// with the ending .html, -csv, -vtk, -vtkhdf or .dump, in the working directory]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print what was written as JSON
    #[arg(long)]
    json: bool,
}

/// What is written.
#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// One page with the viewer, the trajectory and the time series inside
    Html,
    /// A table for each frame in a folder, with the columns of final.csv
    Csv,
    /// Surfaces, centres, contacts and walls for ParaView in a folder
    Vtk,
    /// The same as VTKHDF: one file with all frames for each of these
    #[value(name = "vtkhdf")]
    VtkHdf,
    /// All frames in one text file as LAMMPS dumps them, for OVITO and others
    Dump,
}

impl Format {
    /// The format of other programs and the end of its name; none for pages.
    fn of_others(self) -> Option<(convert::Format, &'static str)> {
        match self {
            Self::Html => None,
            Self::Csv => Some((convert::Format::Csv, "-csv")),
            Self::Vtk => Some((convert::Format::Vtk, "-vtk")),
            Self::VtkHdf => Some((convert::Format::VtkHdf, "-vtkhdf")),
            Self::Dump => Some((convert::Format::Dump, ".dump")),
        }
    }
}

const MORE: &str = "\
Exit codes: 0 success; 1 the trajectory is damaged or a file cannot be written; 2 the folder
holds no run that can be exported or the file cannot be created, and nothing was written.

Examples:
  gritstone export polyhedra-drop-out
  gritstone export polyhedra-drop-out --every 5 --out flow.html
  gritstone export polyhedra-drop-out --format vtk
  gritstone export polyhedra-drop-out --format dump --out drop.dump";

/// Where the page has room for a run.
const ROOM: &str = "<!-- run -->\n";

/// Bytes of the trajectory in one piece of the page: browsers have a limit for the length of one text. Divisible by three,
/// so that pieces need no padding.
const PIECE: usize = 3 << 20;

/// Pages from this size on take browsers long to open.
const LARGE: usize = 200_000_000;

/// Writes the page and tells how large it is.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let folder = RunFolder::open(&args.folder)?;
    if let Some((format, end)) = args.format.of_others() {
        return run_for_others(args, &folder, format, end);
    }
    let mut reader = folder.trajectory()?;
    if let Some(broken) = reader.broken() {
        eprintln!("note: {}: {broken}", reader.path().display());
    }
    folder.too_large().iter().for_each(|what| eprintln!("note: {what}"));
    let (page, frames) = page_of(&folder, &mut reader, args.every)?;
    let out = args.out.clone().unwrap_or_else(|| PathBuf::from(format!("{}.html", folder.name())));
    let mut output = Output::open(&out)?;
    output.write(page.as_bytes())?;
    output.finish()?;
    if out.as_os_str() != "-" {
        tell(args, &out, page.len(), (frames, reader.moments().len()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes the frames for other programs.
fn run_for_others(
    args: &Args,
    folder: &RunFolder,
    format: convert::Format,
    end: &str,
) -> Result<ExitCode, Failure> {
    let out = args.out.clone().unwrap_or_else(|| PathBuf::from(format!("{}{end}", folder.name())));
    let done = convert::convert(folder.path(), format, args.every as usize, &out);
    let done = done.map_err(|error| match error {
        ConvertError::Scene(problems) => Failure::BadScene(problems),
        ConvertError::File(error) => Failure::Failed(error.to_string()),
        other => Failure::BadInput(other.to_string()),
    })?;
    let (frames, all) = (done.frames, done.of);
    print(&if args.json {
        format!("{}\n", json!({ "file": out, "frames": frames, "frames_of_run": all }))
    } else {
        format!("{}: {frames} of {all} frames\n", out.display())
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The page with every so many frames of a run and its last, and how many they are.
fn page_of(folder: &RunFolder, reader: &mut Reader, every: u32) -> Result<(String, usize), Failure> {
    let all = reader.moments().len();
    let frames: Vec<usize> = (0..all).filter(|i| i % every.max(1) as usize == 0 || i + 1 == all).collect();
    if frames.is_empty() {
        return Err(Failure::BadInput(format!("{} has no frames", reader.path().display())));
    }
    let mut trajectory = Vec::new();
    reader.copy_frames(&frames, &mut trajectory).map_err(|error| Failure::Failed(error.to_string()))?;
    Ok((page(&about(folder)?, &trajectory), frames.len()))
}

/// The page of a run, for programs that show it themselves.
pub(crate) fn whole_page(folder: &Path, every: u32) -> Result<String, Failure> {
    let folder = RunFolder::open(folder)?;
    let mut reader = folder.trajectory()?;
    page_of(&folder, &mut reader, every).map(|(page, _)| page)
}

fn tell(args: &Args, out: &Path, bytes: usize, (frames, all): (usize, usize)) -> Result<(), Failure> {
    if bytes > LARGE {
        eprintln!("note: browsers take long to open so large a page: --every takes fewer frames");
    }
    print(&if args.json {
        format!("{}\n", json!({ "file": out, "bytes": bytes, "frames": frames, "frames_of_run": all }))
    } else {
        let size = bytes as f64 / 1e6;
        format!("{}: {size:.1} MB, {frames} of {all} frames; any browser opens it\n", out.display())
    })
}

/// Tables are text, part of the page's object, and part of the page: so many times as large at once.
const COPIES: u64 = 8;

/// What the page needs beside the trajectory.
fn about(folder: &RunFolder) -> Result<Value, Failure> {
    let mut series = Map::new();
    for name in folder.series() {
        let Some(path) = folder.series_path(&name) else { continue };
        let text = memory::read_at_most(&path, memory::limit() / COPIES)
            .map_err(|error: io::Error| Failure::reading(&path.display().to_string(), &error))?;
        series.insert(name, String::from_utf8_lossy(&text).into());
    }
    Ok(json!({ "folder": folder.name(), "series": series }))
}

/// The page with a run inside.
fn page(about: &Value, trajectory: &[u8]) -> String {
    let (before, after) = PAGE.split_once(ROOM).unwrap_or((PAGE, ""));
    // No text of the run may end its own element.
    let about = about.to_string().replace('<', "\\u003c");
    let mut page = format!("{before}<script type=\"application/json\" id=\"run-about\">{about}</script>\n");
    for piece in trajectory.chunks(PIECE) {
        page.push_str("<script type=\"text/plain\" class=\"run-trajectory\">");
        STANDARD.encode_string(piece, &mut page);
        page.push_str("</script>\n");
    }
    page + after
}
