//! `gritstone report`: one page about a run.

use std::path::PathBuf;
use std::process::ExitCode;

use gritstone::digest::{DigestError, write};
use serde_json::json;

use crate::failure::Failure;
use crate::output::print;

/// Write one HTML page about a run: pictures, plots, quality checks, the scene
#[derive(clap::Args)]
#[command(after_help = "\
The page needs no other file and no network. `gritstone run` writes it at its end.

Exit codes: 0 success; 1 the page cannot be written; 2 bad input, and nothing was written.

Example:
  gritstone report polyhedra-drop-out")]
pub(crate) struct Args {
    /// The folder that `gritstone run` has written
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The page [default: report.html in the folder]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print where the page is as JSON
    #[arg(long)]
    json: bool,
}

/// Writes the page.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let path = write(&args.folder, args.out.as_deref())?.display().to_string();
    print(&if args.json { format!("{:#}\n", json!({ "file": path })) } else { format!("{path}\n") })?;
    Ok(ExitCode::SUCCESS)
}

impl From<DigestError> for Failure {
    fn from(error: DigestError) -> Self {
        if error.is_bad_input() { Self::BadInput(error.to_string()) } else { Self::Failed(error.to_string()) }
    }
}
