//! Running the program under limits, and what it leaves.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::counts::Counts;
use super::mutate::Random;

/// The longest that a command may take: the longest scene takes a second.
const PATIENCE: Duration = Duration::from_secs(120);
/// Address space of a command (KiB); far more than `--memory-limit`, because threads reserve some that they never use.
const SPACE: u64 = 6 << 20;

/// Content by name, below a folder.
pub(super) type Files = BTreeMap<String, Vec<u8>>;

/// The program, and the folder for everything.
pub(super) struct Program {
    pub(super) path: PathBuf,
    pub(super) folder: PathBuf,
}

/// How a command ended.
pub(super) struct Ended {
    pub(super) code: Option<i32>,
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: String,
}

impl Program {
    /// What the scene leaves when nothing happens to it.
    pub(super) fn reference(&self) -> Result<Files, String> {
        let place = self.folder.join("reference");
        self.write_scene(&place)?;
        let mut counts = Counts::at(&place);
        let ended = self.run(&place, &["run", "scene.toml", "--out", "out", "--threads", "2"], &mut counts);
        match ended {
            Some(Ended { code: Some(0), .. }) => Ok(files(&place.join("out"))),
            Some(ended) => Err(format!("the scene itself does not run: {}", ended.stderr)),
            None => Err(format!("the scene itself does not run: {:?}", counts.failures)),
        }
    }

    /// Writes the scene of all runs into a folder.
    pub(super) fn write_scene(&self, place: &Path) -> Result<(), String> {
        let written = fs::create_dir_all(place)
            .and_then(|()| fs::write(place.join("scene.toml"), SCENE))
            .and_then(|()| fs::write(place.join("paddle.obj"), PADDLE));
        written.map_err(|error| format!("{}: {error}", place.display()))
    }

    /// Writes the same scene, with grains that go on from a run in the folder `earlier`.
    pub(super) fn write_stage(&self, place: &Path) -> Result<(), String> {
        self.write_scene(place)?;
        let grains = SCENE.lines().find(|line| line.starts_with("grains")).ok_or("no grains")?;
        let text = SCENE.replace(grains, "grains = [{ from = \"run\", folder = \"earlier\" }]");
        fs::write(place.join("scene.toml"), text).map_err(|error| format!("{}: {error}", place.display()))
    }

    /// The command, in a folder, with less memory than the machine has. The shell is replaced by the program.
    pub(super) fn command(&self, place: &Path, before: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("ulimit -v {SPACE}; {before} exec \"$@\""), "sh"]).arg(&self.path);
        command.args(arguments).args(["--memory-limit", "500MB"]).current_dir(place).stdin(Stdio::null());
        command.env_remove("GRITSTONE_LANES").env("RUST_BACKTRACE", "0");
        command
    }

    /// Starts it, with what it says in files of the folder.
    pub(super) fn start(&self, place: &Path, arguments: &[&str], number: usize) -> std::io::Result<Child> {
        let [out, err] =
            ["stdout", "stderr"].map(|name| File::create(place.join(format!("{name}-{number}"))));
        self.command(place, "", arguments).stdout(out?).stderr(err?).spawn()
    }

    /// Runs it to its end; nothing where it could not be run or took too long, which is a failure.
    pub(super) fn run(&self, place: &Path, arguments: &[&str], counts: &mut Counts) -> Option<Ended> {
        self.run_after(place, "", arguments, counts)
    }

    /// The same with what the shell does before.
    pub(super) fn run_after(
        &self,
        place: &Path,
        before: &str,
        arguments: &[&str],
        counts: &mut Counts,
    ) -> Option<Ended> {
        let [out, err] = ["stdout", "stderr"].map(|name| place.join(name));
        let started = File::create(&out)
            .and_then(|o| File::create(&err).map(|e| (o, e)))
            .and_then(|(o, e)| self.command(place, before, arguments).stdout(o).stderr(e).spawn());
        let mut child = match started {
            Ok(child) => child,
            Err(error) => {
                counts.fail(format!("cannot be started: {error}"));
                return None;
            }
        };
        let status = wait(&mut child, PATIENCE);
        let stderr = String::from_utf8_lossy(&fs::read(&err).unwrap_or_default()).into_owned();
        let Some(status) = status else {
            counts.fail(format!("{arguments:?} takes longer than {PATIENCE:?}"));
            return None;
        };
        let ended = Ended { code: status.code(), stdout: fs::read(&out).unwrap_or_default(), stderr };
        if ended.code.is_none_or(|code| code > 2) || ended.stderr.contains("panicked") {
            counts.fail(format!("{arguments:?} ended with {status}: {}", first_lines(&ended.stderr)));
            return None;
        }
        Some(ended)
    }

    /// Starts the run again as often as it takes, and compares what it leaves.
    pub(super) fn finish(&self, place: &Path, expected: &Files, random: &mut Random, counts: &mut Counts) {
        let threads = (1 + random.below(3)).to_string();
        let arguments = ["run", "scene.toml", "--out", "out", "--resume", "--threads", &threads];
        match self.run(place, &arguments, counts) {
            Some(Ended { code: Some(0), .. }) => {
                let found = files(&place.join("out"));
                differences(&found, expected, &[]).into_iter().for_each(|what| counts.fail(what));
            }
            Some(ended) => counts.fail(format!("cannot be resumed: {}", first_lines(&ended.stderr))),
            None => {}
        }
    }
}

/// Waits for a program, so long; it is killed then.
pub(super) fn wait(child: &mut Child, patience: Duration) -> Option<ExitStatus> {
    let start = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if start.elapsed() < patience => std::thread::sleep(Duration::from_millis(2)),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
        }
    }
}

/// All files below a folder, but those that tell how long it took or what was saved on the way.
pub(super) fn files(folder: &Path) -> Files {
    let (mut found, mut folders) = (Files::new(), vec![folder.to_owned()]);
    while let Some(below) = folders.pop() {
        for path in fs::read_dir(below).into_iter().flatten().flatten().map(|entry| entry.path()) {
            let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().into_owned();
            if path.is_dir() {
                folders.push(path);
            } else if !["summary.json", "report.html", "checkpoint.previous.bin", "run.lock"]
                .contains(&name.as_str())
            {
                found.insert(name, fs::read(&path).unwrap_or_default());
            }
        }
    }
    found
}

/// What is not the same, but for files whose names begin so.
pub(super) fn differences(found: &Files, expected: &Files, but: &[&str]) -> Vec<String> {
    let mut wrong = Vec::new();
    for name in expected.keys().chain(found.keys().filter(|name| !expected.contains_key(*name))) {
        if but.iter().any(|but| name.starts_with(but)) {
            continue;
        }
        match (found.get(name), expected.get(name)) {
            (Some(a), Some(b)) if a == b => {}
            (Some(_), Some(_)) => wrong.push(format!("{name} differs")),
            (None, _) => wrong.push(format!("{name} is missing")),
            (_, None) => wrong.push(format!("{name} is left over")),
        }
    }
    wrong
}

pub(super) fn first_lines(text: &str) -> String {
    text.lines().take(3).collect::<Vec<_>>().join(" | ")
}

/// A folder with all that is in it, somewhere else.
pub(super) fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let to = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() { copy(&path, &to)? } else { fs::copy(&path, &to).map(drop)? }
    }
    Ok(())
}

/// Every kind of file that a run writes: grains of four shapes that come and go, a tool of triangles, frames, probes.
const SCENE: &str = r#"
dimension = 3
gravity = [0, 0, -9.81]
time = { end = "16 ms", step = "32 us" }
contact = { law = "linear" }
materials.grain = { density = 2500, kn = "2 kN/m", restitution = 0.3, friction = 0.4 }
shapes.round = { shape = "ellipsoid", radii = ["3 mm", "3 mm", "4 mm"] }
shapes.boxy = { shape = "superellipsoid", radii = ["3 mm", "3 mm", "4 mm"], exponents = [0.5, 0.6] }
shapes.die = { shape = "polyhedron", scale = 0.0025, vertices = [[1,1,1],[1,1,-1],[1,-1,1],[1,-1,-1],[-1,1,1],[-1,1,-1],[-1,-1,1],[-1,-1,-1]] }
cell = { low = [0, "-1 m", "-1 m"], high = ["40 mm", "1 m", "1 m"], repeat = ["x"] }
grains = [{ from = "lattice", shape = ["round", "die"], material = "grain", count = [4, 3, 2], spacing = ["10 mm", "10 mm", "10 mm"], origin = ["5 mm", "-10 mm", "6 mm"], orientation = "random", velocity = [0.2, 0, -0.4] }]

[inlets.rain]
shape = ["round", "boxy", "die"]
material = "grain"
region = { kind = "box", low = ["-5 mm", "-14 mm", "30 mm"], high = ["45 mm", "14 mm", "44 mm"] }
number_rate = "800 Hz"
velocity = [0.1, 0, -0.6]
every = "1 ms"

[walls]
floor = { kind = "plane", point = [0, 0, 0], normal = [0, 0, 1], material = "grain" }
front = { kind = "plane", point = [0, "-16 mm", 0], normal = [0, 1, 0], material = "grain" }
back = { kind = "plane", point = [0, "17 mm", 0], normal = [0, -1, 0], material = "grain" }
paddle = { kind = "mesh", file = "paddle.obj", scale = 0.001, material = "grain", position = ["20 mm", 0, "30 mm"] }

[tools.mixer]
walls = "paddle"
moves = [{ move = "rotate", point = ["20 mm", 0, "30 mm"], spin = [0, 0, "200 rpm"] }]

[probes.coordination]
kind = "coordination"
every = "2 ms"

[output]
every = "1 ms"
vtk = "8 ms"
trajectory = "2 ms"
checkpoint = "1.5 ms"
"#;

/// A board about the origin, in millimetres.
const PADDLE: &str = "v -12 -2 -5\nv 12 -2 -5\nv -12 2 -5\nv 12 2 -5\nv -12 -2 5\nv 12 -2 5\nv -12 2 5\nv 12 2 5\n\
f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
