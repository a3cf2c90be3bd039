//! `gritstone devices`: what there is to compute on.

use std::process::ExitCode;

use serde_json::json;

use crate::failure::Failure;
use crate::output::print;

/// List the hardware to compute on: the processor, and CUDA devices
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

/// Lists them. That there is no GPU is an answer, no failure.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let lanes = gritstone::core::lanes::Backend::best().name();
    let found = gritstone::gpu::devices();
    if args.json {
        let listed = found.as_ref().map(|devices| {
            let one = |device: &gritstone::gpu::DeviceInfo| {
                json!({
                    "name": device.name,
                    "memory": device.memory,
                    "compute_capability": device.capability,
                    "driver": device.driver,
                })
            };
            devices.iter().map(one).collect::<Vec<_>>()
        });
        let gpus = listed.map_or_else(|error| json!({ "error": error.to_string() }), |list| json!(list));
        print(&format!("{:#}\n", json!({ "cpu": { "threads": threads, "lanes": lanes }, "gpu": gpus })))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = format!("cpu    {threads} threads, {lanes}\n");
    match found {
        Ok(devices) => {
            for device in devices {
                let [major, minor] = device.capability;
                text += &format!(
                    "gpu    {}, {:.0} GB, compute capability {major}.{minor}, driver for CUDA {}.{}\n",
                    device.name,
                    device.memory as f64 * 1e-9,
                    device.driver / 1000,
                    device.driver % 1000 / 10,
                );
            }
        }
        Err(error) => text += &format!("gpu    none: {error}\n"),
    }
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}
