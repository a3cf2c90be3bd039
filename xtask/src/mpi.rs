//! Scenes on several processes give the files of one, byte for byte; a process that is killed leaves a run that can be resumed.
//!
//! Needs Open MPI and libclang, which Debian's packages have; where they cannot be had, nothing is checked, and that is said.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::shell::{Outcome, finish, root};

/// What Debian calls them.
const PACKAGES: [&str; 3] = ["libopenmpi-dev", "openmpi-bin", "libclang-14-dev"];
/// Where Debian's libclang is; another place comes from the environment.
const LIBCLANG: &str = "/usr/lib/llvm-14/lib";

/// A scene, its file, and steps to make in the short form and in the long one.
type Run = (&'static str, [u64; 2]);

/// A bed that settles, a drum of facets with a tool, stones with patches, servo walls, an event that takes a wall away, an inlet
/// with a belt and an outlet, grains of several parts, a cell that is sheared, one that is pressed, and the plane.
static RUNS: &[Run] = &[
    ("scenes/settle-ellipsoid.toml", [40, 600]),
    ("scenes/drum.toml", [150, 1500]),
    ("scenes/hopper.toml", [100, 1500]),
    ("scenes/polyhedra-drop.toml", [100, 1500]),
    ("scenes/triaxial.toml", [60, 600]),
    ("scenes/ellipses-pour.toml", [200, 1500]),
    ("scenes/column-collapse.toml", [40, 600]),
    ("scenes/concave-grains.toml", [150, 1500]),
    ("scenes/shear-cell-2d.toml", [200, 3000]),
    ("tests/data/processes/stream.toml", [400, 2500]),
    ("tests/data/processes/pressed-cell.toml", [300, 1500]),
];

/// Processes and threads of each in the short form and in the long one; no process is a run without mpirun.
static CREWS: [&[(usize, usize)]; 2] =
    [&[(3, 1)], &[(1, 1), (2, 1), (3, 1), (4, 1), (8, 1), (1, 2), (2, 2), (3, 2), (4, 2), (8, 2)]];

/// Processes that are killed in the short form and in the long one.
const KILLS: [u64; 2] = [2, 50];

/// Files that must have the same bytes.
const FILES: [&str; 5] = ["final.csv", "energies.csv", "walls.csv", "trajectory.grit", "checkpoint.bin"];

/// How it is run.
#[derive(Default)]
struct Options {
    long: bool,
    seed: u64,
    /// A part of the names of scenes; without, all of them.
    only: Option<String>,
    kills: Option<u64>,
    program: Option<PathBuf>,
}

/// A minute or two of it.
pub(crate) fn short() -> Outcome {
    check(&Options { seed: fresh(), ..Options::default() })
}

/// `cargo xtask mpi [--short] [--only SCENE] [--kills N] [--seed N] [--program PATH]`.
pub(crate) fn from_arguments(mut arguments: impl Iterator<Item = String>) -> Outcome {
    let mut options = Options { long: true, seed: fresh(), ..Options::default() };
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        let number = |text: String| text.parse().map_err(|_| format!("{text} is no whole number"));
        match argument.as_str() {
            "--short" => options.long = false,
            "--only" => options.only = Some(value()?),
            "--kills" => options.kills = Some(number(value()?)?),
            "--seed" => options.seed = number(value()?)?,
            "--program" => options.program = Some(value()?.into()),
            _ => {
                return Err(format!(
                    "{argument} is not known; there are --short, --only, --kills, --seed and --program"
                ));
            }
        }
    }
    check(&options)
}

fn check(options: &Options) -> Outcome {
    if !is_there() && !install() {
        println!(
            "skipped: there is no Open MPI with libclang, and apt-get cannot install {}",
            PACKAGES.join(" ")
        );
        return Ok(());
    }
    let program = options.program.clone().map_or_else(build, Ok)?;
    let folder = root().join("target/mpi-runs");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let form = usize::from(options.long);
    let wanted = |(file, _): &&Run| options.only.as_ref().is_none_or(|part| file.contains(part.as_str()));
    for (file, steps) in RUNS.iter().filter(wanted) {
        conform(&program, &folder, file, steps[form], CREWS[form])?;
    }
    kill_and_resume(&program, &folder, options.kills.unwrap_or(KILLS[form]), options.seed)
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

/// The program with MPI, beside the usual one. The packages are those that tests are built of, so that little is built anew.
fn build() -> Result<PathBuf, String> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--workspace", "--exclude", "gritstone-py", "--bin", "gritstone"]);
    cargo.args(["--features", "gritstone-cli/mpi"]);
    if std::env::var_os("LIBCLANG_PATH").is_none() {
        cargo.env("LIBCLANG_PATH", LIBCLANG);
    }
    finish(&mut cargo)?;
    let (built, kept) = (root().join("target/debug/gritstone"), root().join("target/gritstone-mpi"));
    fs::copy(&built, &kept).map_err(|error| format!("cannot copy {}: {error}", built.display()))?;
    Ok(kept)
}

/// `gritstone run` on so many processes with so many threads; on no process without mpirun.
fn command(program: &Path, (processes, threads): (usize, usize), arguments: &[&str]) -> Command {
    let mut command = if processes == 0 {
        Command::new(program)
    } else {
        let mut mpirun = Command::new("mpirun");
        // There may be fewer cores than processes: who waits lets others work.
        mpirun.args(["--allow-run-as-root", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1"]);
        mpirun.args(["--bind-to", "none", "-n", &processes.to_string()]).arg(program);
        mpirun
    };
    command.args(["run", "--threads", &threads.to_string()]).args(arguments).current_dir(root());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Runs a scene to its end; says what was run where it fails.
fn succeed(mut command: Command) -> Outcome {
    let done = command.stderr(Stdio::inherit()).status();
    if done.is_ok_and(|status| status.success()) { Ok(()) } else { Err(format!("{command:?} failed")) }
}

fn text(path: &Path) -> Result<&str, String> {
    path.to_str().ok_or_else(|| "the folder's name is no text".to_owned())
}

fn conform(program: &Path, folder: &Path, file: &str, steps: u64, crews: &[(usize, usize)]) -> Outcome {
    let name = Path::new(file).file_stem().unwrap_or_default().to_string_lossy();
    let out = |(processes, threads): (usize, usize)| folder.join(format!("{name}-{processes}-{threads}"));
    let run = |crew: (usize, usize)| {
        let (path, steps, start) = (out(crew), steps.to_string(), Instant::now());
        succeed(command(program, crew, &[file, "--steps", &steps, "--out", text(&path)?]))?;
        Ok::<f64, String>(start.elapsed().as_secs_f64())
    };
    let mut told = format!("{name}, {steps} steps: {:.1} s;", run((0, 1))?);
    for &crew in crews {
        told += &format!(" {}×{} {:.1} s", crew.0, crew.1, run(crew)?);
        same_files(&out((0, 1)), &out(crew))?;
        let _ = fs::remove_dir_all(out(crew));
    }
    println!("{told}");
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

/// Processes in turn from which one is killed; another number goes on.
const CREWS_TO_KILL: [usize; 4] = [3, 2, 4, 1];
/// Steps of the run; scenes are killed in turn.
static TO_KILL: [(&str, u64); 3] = [
    ("scenes/drum.toml", 1000),
    ("tests/data/processes/stream.toml", 2000),
    ("tests/data/processes/pressed-cell.toml", 1000),
];

/// Kills any process at any time, so many times; in the end a run is that of one process.
fn kill_and_resume(program: &Path, folder: &Path, kills: u64, seed: u64) -> Outcome {
    let mut random = seed;
    let mut any = |below: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % below
    };
    let (mut killed, mut runs) = (0, 0);
    while killed < kills {
        let (file, steps) = TO_KILL[runs % TO_KILL.len()];
        let steps = steps.to_string();
        let straight = folder.join(format!("straight-{}", runs % TO_KILL.len()));
        let arguments = |path: &Path| -> Result<Vec<String>, String> {
            // Checkpoints between those of the scene.
            let all = [file, "--steps", &steps, "--set", "output.checkpoint = 0.002", "--out", text(path)?];
            Ok(all.map(str::to_owned).to_vec())
        };
        let start = Instant::now();
        if !straight.exists() {
            let arguments = arguments(&straight)?;
            succeed(command(program, (0, 1), &arguments.iter().map(String::as_str).collect::<Vec<_>>()))?;
        }
        let whole = start.elapsed().as_millis().max(1000) as u64;
        let out = folder.join(format!("killed-{runs}"));
        let path = text(&out)?.to_owned();
        let arguments = [arguments(&out)?, vec!["--resume".to_owned()]].concat();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        // A run is killed some times, and then left alone.
        for k in 0..4.min(kills - killed) {
            let processes = CREWS_TO_KILL[((k + any(4)) % 4) as usize];
            let mut running =
                command(program, (processes, 1), &arguments).spawn().map_err(|error| error.to_string())?;
            let (victim, patience) = (any(processes as u64) as usize, any(whole) + 300);
            killed += u64::from(kill_after(&mut running, victim, &path, Duration::from_millis(patience)));
        }
        succeed(command(program, (2, 1), &arguments))?;
        same_files(&straight, &out).map_err(|why| format!("{why}, after kills with --seed {seed}"))?;
        let _ = fs::remove_dir_all(&out);
        runs += 1;
    }
    println!(
        "{killed} kills of any process, resumed on other numbers of processes: the bytes of {runs} runs to the end"
    );
    Ok(())
}

/// Kills a process of a run some time after its start, if it has not ended by then.
fn kill_after(running: &mut Child, victim: usize, folder: &str, patience: Duration) -> bool {
    let start = Instant::now();
    while start.elapsed() < patience {
        if running.try_wait().is_ok_and(|ended| ended.is_some()) {
            return false;
        }
        sleep(Duration::from_millis(5));
    }
    let killed = kill(victim, folder);
    let _ = running.wait();
    killed
}

/// Kills the process of this rank of the run that writes to a folder; whether there was one.
fn kill(rank: usize, folder: &str) -> bool {
    let Ok(entries) = fs::read_dir("/proc") else { return false };
    let mut killed = false;
    for entry in entries.flatten() {
        let read = |name: &str| fs::read(entry.path().join(name)).unwrap_or_default();
        let has =
            |bytes: &[u8], text: &str| bytes.split(|&byte| byte == 0).any(|part| part == text.as_bytes());
        let is_one =
            has(&read("cmdline"), folder) && has(&read("environ"), &format!("OMPI_COMM_WORLD_RANK={rank}"));
        if is_one {
            let pid = entry.file_name();
            killed |= Command::new("kill").arg("-9").arg(pid).status().is_ok_and(|status| status.success());
        }
    }
    killed
}

/// Another number every time.
fn fresh() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |now| now.as_secs())
}
