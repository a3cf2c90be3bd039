//! How a run went.

use std::fmt::{self, Display, Formatter};
use std::path::PathBuf;
use std::time::Duration;

use gritstone_engine::{Energies, ServoReport, Status};
use gritstone_io::{FileError, replace};
use gritstone_scene::display::{plain, time};
use serde_json::{Value, json};

use super::figures::Figures;
use super::folder::{ENERGIES, FINAL, Folder, SUMMARY, VTK};
use super::health::Health;
use super::probes::Measured;
use super::streams::Passed;
use crate::digest::REPORT;

/// Energy drift up to which a run is good.
pub const GOOD_DRIFT: f64 = 0.01;
/// Energy drift from which a run is poor.
pub const POOR_DRIFT: f64 = 0.05;

/// Why a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Its time was over.
    Time,
    /// Everything that the scene's `stop` asks for held.
    Still,
    /// It was asked to stop.
    Interrupted,
    /// It failed.
    Failed(String),
}

/// How a run went.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Why it ended.
    pub end: End,
    /// Where its files are.
    pub folder: PathBuf,
    /// Step of the checkpoint that it went on from.
    pub resumed_from: Option<u64>,
    /// How the world is doing at the end.
    pub status: Status,
    /// Energies at the end.
    pub energies: Energies,
    /// What has passed the inlets and outlets.
    pub passed: Vec<Passed>,
    /// What the probes have found.
    pub measured: Vec<Measured>,
    /// Energy drift: change of the energy balance since the start, relative to the energy exchanged.
    pub energy_error: f64,
    /// What went wrong, in words.
    pub alarms: Vec<String>,
    /// What it was judged by.
    pub(super) health: Health,
    /// Mean number of bodies that a grain touches at the end, walls included.
    pub coordination: f64,
    /// Time step (s).
    pub time_step: f64,
    /// Steps made by this run, since it was resumed.
    pub steps: u64,
    /// Time on the clock that they took, files included.
    pub wall_time: Duration,
    /// Steps times grains per second of that.
    pub particle_steps_per_second: f64,
    /// Number of threads.
    pub threads: usize,
    /// The most memory that the program had at any time (bytes), where the system tells it.
    pub peak_memory: Option<u64>,
    /// What servos are doing at the end, by the names of their tools.
    pub servos: Vec<(String, ServoReport)>,
    /// Whether there are frames for ParaView.
    pub frames: bool,
    /// What steps cost on the way: up to which step, and microseconds per grain and step.
    pub pace: Vec<(u64, f64)>,
}

impl End {
    /// In a word.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Still => "still",
            Self::Interrupted => "interrupted",
            Self::Failed(_) => "failed",
        }
    }
}

impl Summary {
    /// For programs.
    pub fn to_json(&self) -> Value {
        let status = &self.status;
        let error = if let End::Failed(error) = &self.end { Some(error) } else { None };
        let mut told = json!({
            "end": self.end.word(), "error": error, "folder": self.folder.display().to_string(), "resumed_from": self.resumed_from,
            "steps": self.steps, "unresolved_per_step": self.unresolved_per_step(),
            "lists_of_grains": status.lists[0], "lists_of_walls": status.lists[1],
            "wall_time": self.wall_time.as_secs_f64(), "threads": self.threads,
            "particle_steps_per_second": self.particle_steps_per_second,
            "peak_memory": self.peak_memory, "memory_per_grain": self.memory_per(status.grains),
            "memory_per_contact": self.memory_per(status.contacts),
            "servos": self.servos.iter().map(servo_json).collect::<Vec<_>>(),
            "pace": {
                "step": self.pace.iter().map(|(step, _)| *step).collect::<Vec<_>>(),
                "us_per_grain_step": self.pace.iter().map(|(_, cost)| *cost).collect::<Vec<_>>(),
            },
        });
        if let Some(told) = told.as_object_mut() {
            told.extend(self.figures().to_json());
        }
        told
    }

    fn figures(&self) -> Figures<'_> {
        Figures {
            status: &self.status,
            energies: &self.energies,
            passed: &self.passed,
            measured: &self.measured,
            energy_error: self.energy_error,
            health: &self.health,
            alarms: &self.alarms,
            coordination: self.coordination,
            time_step: self.time_step,
        }
    }

    /// Largest overlap at any step since the start, relative to the bounding radius of the smaller grain.
    pub fn deepest(&self) -> f64 {
        self.health.deepest
    }

    fn unresolved_per_step(&self) -> f64 {
        self.status.unresolved_since_start as f64 / self.status.step.max(1) as f64
    }

    fn memory_per(&self, count: usize) -> Option<f64> {
        self.peak_memory.filter(|_| count > 0).map(|bytes| bytes as f64 / count as f64)
    }

    /// Writes `summary.json`.
    pub(super) fn write(&self, folder: &Folder) -> Result<(), FileError> {
        replace(&folder.path.join(SUMMARY), |file| writeln!(file, "{:#}", self.to_json()))
    }

    fn why(&self) -> String {
        match &self.end {
            End::Time => "finished (end time reached)".to_owned(),
            End::Still => "finished (stop condition met: at rest)".to_owned(),
            End::Interrupted => "interrupted (checkpoint written)".to_owned(),
            End::Failed(error) => format!("failed: {error}"),
        }
    }

    /// What to look at next.
    fn next(&self) -> String {
        let folder = self.folder.display();
        if matches!(self.end, End::Interrupted) {
            return format!("the same command with --resume goes on from here; files so far are in {folder}");
        }
        let frames = if self.frames { format!("{VTK}/grains.pvd (ParaView), ") } else { String::new() };
        format!("in {folder}: {REPORT}, {frames}{ENERGIES}, {FINAL}, {SUMMARY}")
    }
}

impl Display for Summary {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let status = &self.status;
        let from = self.resumed_from.map_or_else(String::new, |step| format!(", resumed from step {step}"));
        let alarms = match self.alarms.len() {
            0 => String::new(),
            1 => ", with a warning".to_owned(),
            many => format!(", with {many} warnings"),
        };
        writeln!(f, "status                  {}{alarms}", self.why())?;
        self.alarms.iter().try_for_each(|alarm| writeln!(f, "warning                 {alarm}"))?;
        writeln!(f, "simulated time          {}, {} steps{from}", time(status.time), status.step)?;
        let left = if status.left > 0 { format!(", {} left the domain", status.left) } else { String::new() };
        writeln!(f, "grains                  {}{left}", status.grains)?;
        self.passed.iter().try_for_each(|passed| writeln!(f, "{}", passed.line()))?;
        writeln!(f, "contacts                {}", status.contacts)?;
        writeln!(f, "mean coordination       {:.2}", self.coordination)?;
        let (now, ever) = (plain(status.deepest), plain(self.deepest()));
        writeln!(f, "largest overlap         {now} of the bounding radius at the end, {ever} at any step")?;
        let (all, each) = (status.unresolved_since_start, plain(self.unresolved_per_step()));
        writeln!(f, "unresolved contacts     {all}, {each} per step")?;
        let solves = &status.solves;
        writeln!(
            f,
            "solved outside lanes    {:.2} % of all contacts, {:.2} % of those of round bodies",
            100.0 * solves.outside_lanes(),
            100.0 * solves.round_outside_lanes(),
        )?;
        writeln!(f, "energy drift            {}", drift_words(self.energy_error))?;
        let (worst, when) = self.health.worst_drift;
        if worst.abs() >= GOOD_DRIFT && worst.abs() > self.energy_error.abs() {
            writeln!(f, "largest energy drift    {} at {}", drift_words(worst), time(when))?;
        }
        writeln!(f, "neighbour-list rebuilds {} (grains), {} (walls)", status.lists[0], status.lists[1])?;
        for (name, servo) in &self.servos {
            writeln!(f, "servo                   {name}: {}", servo_words(servo))?;
        }
        for (name, remark) in
            self.measured.iter().filter_map(|probe| Some((&probe.name, probe.remark.as_ref()?)))
        {
            writeln!(f, "probe                   {name}: {remark}")?;
        }
        let seconds = self.wall_time.as_secs_f64();
        let threads = if self.threads == 1 { "thread" } else { "threads" };
        writeln!(f, "wall-clock time         {seconds:.1} s on {} {threads}", self.threads)?;
        writeln!(
            f,
            "speed                   {:.3e} particle-steps per second",
            self.particle_steps_per_second
        )?;
        if let (Some(all), Some(grain)) = (self.peak_memory, self.memory_per(status.grains)) {
            let contact = self.memory_per(status.contacts);
            let contact =
                contact.map_or_else(String::new, |bytes| format!(", {:.1} kB per contact", bytes / 1e3));
            writeln!(
                f,
                "peak memory             {:.0} MB, {:.1} kB per grain{contact}",
                all as f64 / 1e6,
                grain / 1e3
            )?;
        }
        writeln!(f, "results                 {}", self.next())
    }
}

/// The energy drift in per cent, with what to think of it.
pub fn drift_words(drift: f64) -> String {
    let verdict = match drift.abs() {
        small if small < GOOD_DRIFT => "good",
        fair if fair < POOR_DRIFT => "fair",
        _ => "poor: try a shorter time step or stiffer contacts",
    };
    // Ten significant digits of a hundredth of a per cent help nobody.
    let percent = 100.0 * drift;
    let digits = if percent.abs() < 0.1 && percent != 0.0 { 3 } else { 1 };
    format!("{percent:+.digits$} % of the energy exchanged ({verdict})")
}

/// What a servo does. Its gain follows from its contacts: before the first it has none.
fn servo_words(servo: &ServoReport) -> String {
    let [force, target, gain, slow] = [servo.force, servo.target, servo.gain, servo.slow_time].map(plain);
    let how = if servo.gain.is_finite() {
        format!("{gain} m/s per N, slow part {slow} s")
    } else {
        "no contact yet".to_owned()
    };
    format!("{force} of {target} N, {how}")
}

fn servo_json((tool, servo): &(String, ServoReport)) -> Value {
    json!({
        "tool": tool, "target": servo.target, "force": servo.force, "area": servo.area, "gain": servo.gain,
        "slow_time": servo.slow_time,
    })
}

/// The most memory that this program had at any time (bytes), where the system tells it.
pub(super) fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = kilobytes.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(1024 * kilobytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drift_is_told_in_per_cent_with_a_verdict() {
        assert_eq!(drift_words(0.004), "+0.4 % of the energy exchanged (good)");
        assert_eq!(drift_words(-2e-4), "-0.020 % of the energy exchanged (good)");
        assert_eq!(drift_words(-0.04), "-4.0 % of the energy exchanged (fair)");
        assert!(drift_words(-0.39).contains("-39.0 %") && drift_words(-0.39).contains("(poor"));
    }

    #[test]
    fn a_servo_without_contacts_has_no_gain() {
        let idle = ServoReport { target: 0.01, force: -0.0, area: 1.0, gain: f64::INFINITY, slow_time: 0.0 };
        assert_eq!(servo_words(&idle), "0 of 0.01 N, no contact yet");
        let busy = ServoReport { force: 0.009, gain: 2.5, slow_time: 0.1, ..idle };
        assert_eq!(servo_words(&busy), "0.009 of 0.01 N, 2.5 m/s per N, slow part 0.1 s");
    }
}
