//! The program `gritstone`.

use std::process::ExitCode;

fn main() -> ExitCode {
    gritstone_cli::run(std::env::args_os())
}
