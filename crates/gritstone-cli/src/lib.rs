//! The command line of Gritstone: commands, progress, exit codes. All else is in the libraries.
//!
//! [`run`] is the whole program; `main.rs` calls it, and so does the Python package, whose `gritstone` is the same program.

mod bench;
mod check;
mod contact;
mod demo;
mod devices;
mod export;
mod failure;
mod limit;
mod look;
mod methods;
mod movie;
mod new;
mod output;
mod report;
mod reproduce;
mod run;
mod schema;
mod set;
mod snapshot;
mod sweep;
mod verify;
mod view;

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use gritstone::core::lanes::{Backend, FORCE};
use gritstone_files::memory;

use failure::Failure;

/// Discrete element simulations with grains of real shape, and certified contact detection.
#[derive(Parser)]
#[command(name = "gritstone", version, arg_required_else_help = true, max_term_width = 100)]
#[command(after_help = "Exit codes: 0 success, 1 a line was bad or the run failed, 2 bad input.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Memory that scenes and files may take, such as 8GB: more is refused before it is used [default: four fifths of what is
    /// available]
    #[arg(long, value_name = "SIZE", value_parser = limit::size, global = true)]
    memory_limit: Option<u64>,
}

#[derive(Subcommand)]
enum Command {
    Bench(bench::Args),
    Check(check::Args),
    Contact(contact::Args),
    Demo(demo::Args),
    Devices(devices::Args),
    Export(export::Args),
    Methods(methods::Args),
    Movie(movie::Args),
    New(new::Args),
    Report(report::Args),
    Reproduce(reproduce::Args),
    Run(run::Args),
    Schema(schema::Args),
    Snapshot(snapshot::Args),
    Sweep(sweep::Args),
    Verify(verify::Args),
    View(view::Args),
}

/// The page that `gritstone export` writes, with every so many frames of a run; the error says why there is none.
pub fn page(folder: &Path, every: u32) -> Result<String, String> {
    export::whole_page(folder, every).map_err(|failure| failure.to_string())
}

/// Runs the command line `arguments`, whose first is the program's name. The exit code is 0 where all went well, 1 where a line
/// was bad or the run failed, 2 for bad input.
pub fn run(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let Cli { command, memory_limit } = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        // Help and version are told on stdout with the code 0, anything else on stderr with 2.
        Err(message) => {
            let _ = message.print();
            return ExitCode::from(u8::from(message.use_stderr()) * 2);
        }
    };
    memory_limit.into_iter().for_each(memory::set_limit);
    if let Err(failure) = check_lanes() {
        return failure.report();
    }
    let done = match command {
        Command::Bench(args) => bench::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Contact(args) => contact::run(&args),
        Command::Demo(args) => demo::run(&args),
        Command::Devices(args) => devices::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Methods(args) => methods::run(&args),
        Command::Movie(args) => movie::run(&args),
        Command::New(args) => new::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Reproduce(args) => reproduce::run(&args),
        Command::Run(args) => run::run(&args),
        Command::Schema(args) => schema::run(&args),
        Command::Snapshot(args) => snapshot::run(&args),
        Command::Sweep(args) => sweep::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::View(args) => view::run(&args),
    };
    match done {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}

/// Whether the instruction set that the environment asks for, if any, is one that this processor has.
fn check_lanes() -> Result<(), Failure> {
    let Some(name) = std::env::var_os(FORCE) else { return Ok(()) };
    let name = name.to_string_lossy();
    if Backend::named(&name).is_some() {
        return Ok(());
    }
    let names: Vec<&str> = Backend::available().map(Backend::name).collect();
    Err(Failure::BadInput(format!("{FORCE} is {name}; this processor has {}", names.join(", "))))
}
