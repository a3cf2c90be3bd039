//! `gritstone check`: what a scene holds, or everything that is wrong with it.

use std::path::PathBuf;
use std::process::ExitCode;

use gritstone::scene::{Problems, Report};
use serde_json::json;

use crate::failure::Failure;
use crate::output::print;
use crate::set::Set;

/// Check a scene without running it: contents, sizes, time step, cost, errors and warnings
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The scene
    scene: PathBuf,
    #[command(flatten)]
    set: Set,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

/// Checks and tells.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    match (check(args), args.json) {
        (Ok(report), false) => print(&report.to_string())?,
        (Ok(report), true) => {
            let mut report = report.to_json();
            report["ok"] = json!(true);
            print(&format!("{report:#}\n"))?;
        }
        (Err(problems), false) => return Err(Failure::BadScene(problems)),
        (Err(problems), true) => {
            print(&format!("{:#}\n", json!({ "ok": false, "problems": problems.to_json() })))?;
            return Ok(ExitCode::from(2));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn check(args: &Args) -> Result<Report, Problems> {
    args.set.read(&args.scene)?.check()
}
