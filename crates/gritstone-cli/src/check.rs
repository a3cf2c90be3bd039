//! `gritstone check`: what a scene holds, or everything that is wrong with it.

use std::path::PathBuf;
use std::process::ExitCode;

use gritstone::scene::{Build, Problems, Report};
use serde_json::json;

use crate::failure::Failure;
use crate::output::print;
use crate::run::Backend;
use crate::set::Set;

/// Check a scene without running it: contents, sizes, time step, cost, errors and warnings
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The scene
    scene: PathBuf,
    #[command(flatten)]
    set: Set,
    /// Hardware to check for: whether it can compute the scene, and has the memory
    #[arg(long, value_enum, default_value_t = Backend::Cpu, hide_default_value = true)]
    backend: Backend,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

/// Checks and tells.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let result = check(args);
    if result.is_ok() && args.backend == Backend::Gpu {
        let problem =
            args.set.read(&args.scene).map_err(Failure::BadScene)?.build().map_err(Failure::BadScene)?;
        check_gpu(&problem).map_err(Failure::BadInput)?;
    }
    match (result, args.json) {
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

/// Whether the GPU can compute a scene.
fn check_gpu(scene: &Build) -> Result<(), String> {
    let missing = gritstone::run::gpu_refusals(scene);
    if !missing.is_empty() {
        return Err(format!("the GPU backend does not support {}: use the CPU backend", missing.join("; ")));
    }
    gritstone::run::check_gpu_memory(scene)
}

fn check(args: &Args) -> Result<Report, Problems> {
    args.set.read(&args.scene)?.check()
}
