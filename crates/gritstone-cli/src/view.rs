//! `gritstone view`: a run in the browser.

mod answer;
mod browser;
mod http;
pub(crate) mod run_folder;

use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::json;

use crate::failure::Failure;
use crate::output::print;
use answer::Site;
use run_folder::RunFolder;

/// The page, made from `viewer/`.
pub(crate) const PAGE: &str = include_str!("view/page.html");

/// Show a run in the browser: grains, forces, time series
#[derive(clap::Args)]
#[command(after_help = MORE)]
pub(crate) struct Args {
    /// Folder of a run
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Follow a run while it is running
    #[arg(long)]
    live: bool,
    /// Port to serve on [default: any free port]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    port: Option<u16>,
    /// Do not open the browser, only print the address
    #[arg(long)]
    no_open: bool,
    /// Print the address as JSON
    #[arg(long)]
    json: bool,
}

const MORE: &str = "\
Only this machine can reach the address. Ctrl-C ends it. For a page that needs no
program: gritstone export DIR.

Exit codes: 1 the port is in use; 2 the folder contains no run that can be shown.

Examples:
  gritstone view polyhedra-drop-out
  gritstone view polyhedra-drop-out --live     while gritstone run writes it";

/// Serves until it is stopped.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let folder = RunFolder::open(&args.folder)?;
    if !args.live {
        let reader = folder.trajectory()?;
        if let Some(broken) = reader.broken() {
            eprintln!("note: {}: {broken}", reader.path().display());
        }
    }
    folder.too_large().iter().for_each(|what| eprintln!("note: {what}"));
    let listener = http::listen(args.port.unwrap_or(0))?;
    let port = listener.local_addr().map_err(|error| Failure::Failed(error.to_string()))?.port();
    let url = format!("http://127.0.0.1:{port}/");
    print(&if args.json {
        format!("{}\n", json!({ "url": url, "folder": args.folder, "live": args.live }))
    } else {
        format!("{} is at {url} (Ctrl-C ends it)\n", args.folder.display())
    })?;
    if !args.no_open && !browser::open(&url) {
        eprintln!("note: no browser could be started; open the address yourself");
    }
    http::serve(&listener, port, &Site { folder, live: args.live });
    Ok(ExitCode::SUCCESS)
}
