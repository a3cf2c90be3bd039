//! The Python package: its wheel, and its tests on the installed wheel. Needs Python 3.11 and pip.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::shell::{Outcome, finish, python, root};

/// The virtual environment of the gate.
const ENVIRONMENT: &str = "target/python";

/// A virtual environment with the wheel and NumPy alone, rebuilt each time.
const FRESH: &str = "target/python-fresh";

/// What the gate's tests use beside the package itself.
const TOOLS: &[&str] = &[
    "maturin",
    "numpy",
    "pytest",
    "mypy",
    "pyright",
    "ruff",
    "pandas",
    "polars",
    "scipy",
    "matplotlib",
    "xarray",
    "pyvista",
    "nbclient",
    "ipykernel",
    "distributed",
    "submitit",
    "mpi4py",
    "mpich",
];

/// What a wheel for others is built with: Zig links for systems that are older than this one.
const BUILDERS: &[&str] = &["maturin", "ziglang", "auditwheel"];

/// The oldest systems that a wheel is for: those with glibc 2.17, from 2012.
const COMPATIBILITY: &str = "manylinux2014";

/// Most bytes of a wheel.
const LARGEST: u64 = 20_000_000;

/// Builds the wheel, installs it into a virtual environment, and tests it there.
pub(crate) fn check() -> Outcome {
    prepare(TOOLS)?;
    // Of the same profile as the tests, so that next to nothing is built again.
    build("target/python-wheel", &["--profile", "dev"])?;
    let wheel = wheel_in(&root().join("target/python-wheel"))?;
    tool("pip", &["install", "--quiet", "--force-reinstall", "--no-deps", &wheel])?;
    check_fresh(&wheel)?;
    in_package("ruff", &["check"])?;
    tool("stubtest", &["gritstone", "--mypy-config-file", "python/pyproject.toml"])?;
    // With the types of NumPy, which it has there.
    let with = root().join(ENVIRONMENT).join("bin/python").display().to_string();
    in_package("pyright", &["--pythonpath", &with])?;
    // Everything that users see has a type that is written down.
    in_package("pyright", &["--verifytypes", "gritstone", "--ignoreexternal"])?;
    // From the root: in the package's folder, programs would import its sources instead of the wheel.
    tool("pytest", &["--config-file", "python/pyproject.toml", "python/tests"])
}

/// The oldest NumPy that the package asks for.
const OLDEST: &str = "numpy==1.26.*";

/// Tests of what depends on NumPy.
const ON_ARRAYS: &[&str] = &["contacts", "shapes", "simulation", "unkind", "view"];

/// Installs the wheel where nothing else is, and runs the README's example there; then tests arrays on the oldest NumPy.
fn check_fresh(wheel: &str) -> Outcome {
    let _ = fs::remove_dir_all(root().join(FRESH));
    python(&["-m", "venv", FRESH])?;
    let program = |name: &str| Command::new(root().join(FRESH).join("bin").join(name));
    finish(program("pip").args(["install", "--quiet", wheel]))?;
    finish(program("python").args(["python/tests/as_printed.py", "README.md"]))?;
    finish(program("pip").args(["install", "--quiet", OLDEST, "pytest"]))?;
    let tests = ON_ARRAYS.iter().map(|name| format!("python/tests/test_{name}.py"));
    finish(program("pytest").args(["--config-file", "python/pyproject.toml"]).args(tests))
}

/// Builds a wheel for others into `target/wheels`, and checks that it needs nothing but the C library of old systems.
pub(crate) fn wheel() -> Outcome {
    prepare(BUILDERS)?;
    let folder = root().join("target/wheels");
    if !cfg!(target_os = "linux") {
        return build("target/wheels", &["--release"]);
    }
    build("target/wheels", &["--release", "--zig", "--compatibility", COMPATIBILITY])?;
    let wheel = wheel_in(&folder)?;
    let size = fs::metadata(&wheel).map_err(|error| format!("{wheel}: {error}"))?.len();
    if size > LARGEST {
        return Err(format!("{wheel} has {size} bytes, but must have at most {LARGEST}"));
    }
    tool("auditwheel", &["show", &wheel])
}

fn prepare(tools: &[&str]) -> Outcome {
    if !root().join(ENVIRONMENT).join("bin/pip").exists() {
        python(&["-m", "venv", ENVIRONMENT])?;
    }
    // Most modules of these are never imported: those that are get compiled then.
    tool("pip", &[&["install", "--quiet", "--no-compile"], tools].concat())
}

fn build(folder: &str, profile: &[&str]) -> Outcome {
    // A wheel of an earlier build must not be taken for the new one.
    let _ = fs::remove_dir_all(root().join(folder));
    let out = root().join(folder).display().to_string();
    in_package("maturin", &[&["build", "--out", &out], profile].concat())
}

/// Runs a program of the virtual environment in the package's folder, where it finds the package's settings.
fn in_package(name: &str, arguments: &[&str]) -> Outcome {
    let programs = root().join(ENVIRONMENT).join("bin");
    // Maturin asks the Python that comes first for Zig.
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(programs.clone()).chain(std::env::split_paths(&path)));
    let path = path.map_err(|error| error.to_string())?;
    let program = programs.join(name);
    finish(Command::new("env").arg("--chdir=python").arg(program).args(arguments).env("PATH", path))
}

/// Runs a program of the virtual environment.
fn tool(name: &str, arguments: &[&str]) -> Outcome {
    finish(Command::new(root().join(ENVIRONMENT).join("bin").join(name)).args(arguments))
}

fn wheel_in(folder: &Path) -> Result<String, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut wheels =
        entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| is_wheel(path.as_path()));
    let wheel = wheels.next().ok_or_else(|| format!("there is no wheel in {}", folder.display()))?;
    Ok(wheel.display().to_string())
}

fn is_wheel(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "whl")
}
