//! Running other programs from the root of the repository.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Done, or why not.
pub(crate) type Outcome = Result<(), String>;

/// What tests are built of. Whatever uses the programs or tests of this build names the same packages: with others, cargo
/// may choose other features of dependencies, and build all anew.
pub(crate) const TESTED: &[&str] =
    &["--workspace", "--exclude", "gritstone-py", "--lib", "--bins", "--tests", "--examples"];

/// The root of the repository: where this was built, or, on a machine that has only the program, the working directory.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let built = here.parent().unwrap_or(here).to_owned();
    if built.exists() { built } else { std::env::current_dir().unwrap_or(built) }
}

/// Runs cargo.
pub(crate) fn cargo(arguments: &[&str]) -> Outcome {
    finish(Command::new(env!("CARGO")).args(arguments))
}

/// Runs cargo with one variable of the environment set.
pub(crate) fn cargo_with(arguments: &[&str], variable: &str, value: &str) -> Outcome {
    finish(Command::new(env!("CARGO")).args(arguments).env(variable, value))
}

/// Runs Python, the one that `PYTHON` names where it is set.
pub(crate) fn python(arguments: &[&str]) -> Outcome {
    let python = std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
    finish(Command::new(python).args(arguments))
}

/// Runs cargo of the nightly toolchain, by rustup's own cargo, with these variables of the environment set.
pub(crate) fn cargo_nightly(arguments: &[&str], variables: &[(&str, &str)]) -> Outcome {
    finish(Command::new("cargo").arg("+nightly").args(arguments).envs(variables.iter().copied()))
}

/// Whether cargo-nextest is installed.
pub(crate) fn has_nextest() -> bool {
    answers(Command::new(env!("CARGO")).args(["nextest", "--version"]))
}

/// Whether Miri is installed.
pub(crate) fn has_miri() -> bool {
    answers(Command::new("cargo").args(["+nightly", "miri", "--version"]))
}

/// Whether a program is there and ends well.
pub(crate) fn answers(command: &mut Command) -> bool {
    let asked = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    asked.is_ok_and(|status| status.success())
}

/// The same command, whose release builds take half the time: programs that run for seconds need neither link-time optimisation nor the
/// last level of it.
pub(crate) fn with_quick_release(command: &mut Command) -> &mut Command {
    command
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "2")
        .env("CARGO_PROFILE_RELEASE_DEBUG", "false")
}

/// Runs a program to its end.
pub(crate) fn finish(command: &mut Command) -> Outcome {
    // Nothing is built twice here: what would make a second build faster only fills the disk.
    command.env("CARGO_INCREMENTAL", "0");
    let status =
        command.current_dir(root()).status().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}")) }
}

/// What a program prints.
pub(crate) fn output(command: &mut Command) -> Result<Vec<u8>, String> {
    let done = command
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cannot run {command:?}: {error}"))?;
    if done.status.success() { Ok(done.stdout) } else { Err(format!("{command:?}: {}", done.status)) }
}
