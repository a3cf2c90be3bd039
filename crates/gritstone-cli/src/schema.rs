//! `gritstone schema`: what scene files look like, for editors.

use std::process::ExitCode;

use gritstone::scene::{json_schema, reference};

use crate::failure::Failure;
use crate::output::print;

/// Print the JSON schema of scene files, with which editors complete and check them
#[derive(clap::Args)]
#[command(
    after_help = "In an editor that knows Taplo or Even Better TOML, put this line on top of a scene:\n  \
                        #:schema scene.schema.json"
)]
pub(crate) struct Args {
    /// Print every table and key as a document instead
    #[arg(long)]
    markdown: bool,
}

/// Prints the schema.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    if args.markdown {
        print(&reference())?;
    } else {
        print(&format!("{:#}\n", json_schema()))?;
    }
    Ok(ExitCode::SUCCESS)
}
