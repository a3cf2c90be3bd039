//! The viewer: whether its page is current, and whether it works in a real browser. Needs Node.js.

use std::path::Path;
use std::process::Command;

use crate::shell::{Outcome, finish, with_quick_release};

/// Where Debian has its browser; `CHROMIUM` names another one.
const CHROMIUM: &str = "/usr/bin/chromium";

/// Builds the page anew, compares, and has a browser use it.
pub(crate) fn check() -> Outcome {
    npm(&["ci", "--no-audit", "--no-fund"])?;
    npm(&["run", "check"])?;
    install_browser()?;
    // The program that the README has had built.
    let mut build = Command::new(env!("CARGO"));
    finish(with_quick_release(build.args(["build", "--release", "--bin", "gritstone"])))?;
    npm(&["test"])
}

fn npm(arguments: &[&str]) -> Outcome {
    finish(Command::new("npm").args(["--prefix", "viewer", "--silent"]).args(arguments))
}

fn install_browser() -> Outcome {
    if std::env::var_os("CHROMIUM").is_some() || Path::new(CHROMIUM).exists() {
        return Ok(());
    }
    finish(Command::new("apt-get").args(["update", "--quiet"]))?;
    finish(Command::new("apt-get").args(["install", "--yes", "--no-install-recommends", "chromium"]))
}
