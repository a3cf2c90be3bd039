//! Scenes on several processes give the files of one, byte for byte; a process that is killed leaves a run that can be resumed.
//!
//! Needs Open MPI and libclang, which Debian's packages have; where they cannot be had, nothing is checked, and that is said.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::shell::{Outcome, finish, root};

/// What Debian calls them.
const PACKAGES: [&str; 3] = ["libopenmpi-dev", "openmpi-bin", "libclang-14-dev"];
/// Where Debian's libclang is; another place comes from the environment.
const LIBCLANG: &str = "/usr/lib/llvm-14/lib";

/// Scenes, and steps to make: spheres and walls, a drum, grains that come and go, polyhedra, a plate with a servo, the plane.
static SCENES: [(&str, u64); 6] = [
    ("drum", 1500),
    ("hopper", 1500),
    ("polyhedra-drop", 1500),
    ("triaxial", 600),
    ("ellipses-pour", 1500),
    ("column-collapse", 600),
];

/// Files that must have the same bytes.
const FILES: [&str; 5] = ["final.csv", "energies.csv", "walls.csv", "trajectory.grit", "checkpoint.bin"];

/// Runs all scenes on 1 to 4 processes.
pub(crate) fn check() -> Outcome {
    if !is_there() && !install() {
        println!(
            "skipped: there is no Open MPI with libclang, and apt-get cannot install {}",
            PACKAGES.join(" ")
        );
        return Ok(());
    }
    let program = build()?;
    let folder = root().join("target/mpi-runs");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    for (scene, steps) in SCENES {
        conform(&program, &folder, scene, steps)?;
    }
    kill_and_resume(&program, &folder)
}

fn is_there() -> bool {
    let answers = |name: &str| {
        let asked = Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        asked.is_ok_and(|status| status.success())
    };
    let libclang = std::env::var_os("LIBCLANG_PATH").is_some() || Path::new(LIBCLANG).exists();
    answers("mpirun") && answers("mpicc") && libclang
}

/// Whether Debian's packages can be installed.
fn install() -> bool {
    let apt = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    apt(&["update", "-qq"])
        && apt(&[&["install", "-y", "--no-install-recommends"], &PACKAGES[..]].concat())
        && is_there()
}

/// The program with MPI, beside the usual one.
fn build() -> Result<PathBuf, String> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--package", "gritstone-cli", "--features", "mpi"]);
    if std::env::var_os("LIBCLANG_PATH").is_none() {
        cargo.env("LIBCLANG_PATH", LIBCLANG);
    }
    finish(&mut cargo)?;
    let (built, kept) = (root().join("target/debug/gritstone"), root().join("target/gritstone-mpi"));
    fs::copy(&built, &kept).map_err(|error| format!("cannot copy {}: {error}", built.display()))?;
    Ok(kept)
}

/// `gritstone run` on so many processes; on none without mpirun.
fn command(program: &Path, processes: usize, arguments: &[&str]) -> Command {
    let mut command = if processes == 0 {
        Command::new(program)
    } else {
        let mut mpirun = Command::new("mpirun");
        mpirun.args(["--allow-run-as-root", "--oversubscribe", "-n", &processes.to_string()]).arg(program);
        mpirun
    };
    command.args(["run", "--threads", "1"]).args(arguments).current_dir(root());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn conform(program: &Path, folder: &Path, scene: &str, steps: u64) -> Outcome {
    let (file, steps) = (format!("scenes/{scene}.toml"), steps.to_string());
    let out = |processes: usize| folder.join(format!("{scene}-{processes}"));
    for processes in 0..=4 {
        let start = Instant::now();
        let path = out(processes);
        let path = path.to_str().ok_or("the folder's name is no text")?;
        let mut run = command(program, processes, &[&file, "--steps", &steps, "--out", path]);
        if !run.status().is_ok_and(|status| status.success()) {
            return Err(format!("{run:?} failed"));
        }
        println!("{scene}, {steps} steps, {processes} processes: {:.1} s", start.elapsed().as_secs_f64());
        same_files(&out(0), &out(processes))?;
    }
    Ok(())
}

/// Whether both runs have left the same.
fn same_files(expected: &Path, found: &Path) -> Outcome {
    for name in FILES {
        let [a, b] = [expected, found].map(|folder| fs::read(folder.join(name)).ok());
        if a != b {
            return Err(format!("{} has other bytes than that of one process", found.join(name).display()));
        }
    }
    Ok(())
}

/// One of three processes is killed; two others continue to the end.
fn kill_and_resume(program: &Path, folder: &Path) -> Outcome {
    let out = folder.join("killed");
    let path = out.to_str().ok_or("the folder's name is no text")?;
    let arguments =
        ["scenes/drum.toml", "--steps", "1500", "--out", path, "--set", "output.checkpoint = 0.002"];
    for victim in 0..3 {
        let mut run = command(program, 3, &[&arguments[..], &["--resume"]].concat());
        let mut running = run.spawn().map_err(|error| error.to_string())?;
        sleep(Duration::from_millis(2500));
        kill(victim, path);
        let _ = running.wait();
        if out.join("final.csv").exists() {
            return Err("the run ended before a process was killed".to_owned());
        }
    }
    let mut run = command(program, 2, &[&arguments[..], &["--resume"]].concat());
    if !run.status().is_ok_and(|status| status.success()) {
        return Err(format!("{run:?} failed after kills"));
    }
    let straight = folder.join("straight");
    let path = straight.to_str().ok_or("the folder's name is no text")?;
    let arguments = [&arguments[..4], &[path], &arguments[5..]].concat();
    if !command(program, 0, &arguments).status().is_ok_and(|status| status.success()) {
        return Err("the run without processes failed".to_owned());
    }
    println!("three kills, then two processes to the end");
    same_files(&straight, &out)
}

/// Kills the process of this rank of the run that writes to a folder.
fn kill(rank: usize, folder: &str) {
    let Ok(entries) = fs::read_dir("/proc") else { return };
    for entry in entries.flatten() {
        let read = |name: &str| fs::read(entry.path().join(name)).unwrap_or_default();
        let has =
            |bytes: &[u8], text: &str| bytes.split(|&byte| byte == 0).any(|part| part == text.as_bytes());
        let is_one =
            has(&read("cmdline"), folder) && has(&read("environ"), &format!("OMPI_COMM_WORLD_RANK={rank}"));
        if is_one {
            let pid = entry.file_name();
            let _ = Command::new("kill").arg("-9").arg(pid).status();
        }
    }
}
