//! `gritstone sweep`: one scene with every combination of some values.

use std::io::{self, IsTerminal};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use gritstone::report::{Cell, Column, Format, Table};
use gritstone::scene::{Problems, Scene, SweepFile};
use gritstone::sweep::{Case, Ledger, Outcome, Row, Watch, cases, run as run_cases};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output::{Output, print, width};
use crate::run::Signals;

/// Run a scene with every combination of some values, and measure each case at its end
#[derive(clap::Args)]
#[command(after_long_help = MORE)]
pub(crate) struct Args {
    /// The sweep: a scene, values by key, and what to measure
    #[arg(value_name = "SWEEP.toml")]
    sweep: PathBuf,
    /// File to which every finished case is appended, and from which a stopped sweep resumes [default: results of the sweep, or its name with -results.jsonl]
    #[arg(long, value_name = "FILE.jsonl")]
    results: Option<PathBuf>,
    /// Number of cases at once, each on one thread [default: one per core]; results do not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Also write the table as CSV
    #[arg(long, value_name = "FILE.csv")]
    csv: Option<PathBuf>,
    /// Print a JSON array with an object per case
    #[arg(long)]
    json: bool,
}

const MORE: &str = r#"A sweep looks like this:
  scene = "column-collapse.toml"
  measure = ["probes.slope.angle.last", "energies.dissipated"]

  [parameters]
  "materials.stone.friction" = [0.1, 0.3, 0.5]
  "time.end" = ["1 s"]
  "materials.stone.rolling" = { from = 0.0, to = 0.1, count = 5 }

Keys and values are those of --set; what is measured are numbers of the summary that
gritstone run --json prints, by the names that lead to them.

A line of JSON is appended to the results for every case that ends, also for those that
fail. The same command again runs the cases that are missing or failed; Ctrl-C cancels
the running ones. A case whose scene, or a file that it reads, has changed is run again.

Exit codes: 0 all cases succeeded; 1 some failed; 2 the sweep or the scene cannot be
used; 129, 130, 143 stopped by SIGHUP, Ctrl-C, SIGTERM."#;

/// Runs the cases that are missing.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let file = SweepFile::read_file(&args.sweep)?;
    let base = Scene::read(Path::new(&file.scene))?;
    let bad = |message: String| Failure::BadInput(format!("{}: {message}", args.sweep.display()));
    let cases = cases(&file.parameters.list).map_err(bad)?;
    refuse_if_none_fits(&base, &cases)?;
    let path = args.results.clone().unwrap_or_else(|| file.results_of(&args.sweep));
    let mut ledger = Ledger::open(&path)
        .map_err(|error| Failure::BadInput(format!("cannot write {}: {error}", path.display())))?;
    let signals = Signals::catch()?;
    let display = Display::new(&signals);
    let threads = args.threads.map_or_else(cores, usize::from);
    let done = run_cases(&base, &cases, &file.measure, &mut ledger, threads, &display);
    display.bar.finish_and_clear();
    let done = done.map_err(|error| Failure::writing_file(&path, &error))?;
    tell(&done, &file, args)?;
    if done.stopped {
        let (rows, all) = (done.rows.len(), cases.len());
        eprintln!("stopped: {rows} of {all} cases are in {}; the same command goes on", path.display());
        return Ok(signals.exit_code());
    }
    let failed = done.rows.iter().filter(|row| !row.error.is_empty()).count();
    if failed > 0 {
        eprintln!("{failed} of {} cases failed; the same command tries them again", cases.len());
    }
    Ok(ExitCode::from(u8::from(failed > 0)))
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

/// A case with a value that a scene cannot have is a row; where all are, the sweep is at fault.
fn refuse_if_none_fits(base: &Scene, cases: &[Case]) -> Result<(), Problems> {
    let mut first = None;
    for case in cases {
        match case.scene(base) {
            Ok(_) => return Ok(()),
            Err(problems) => drop(first.get_or_insert(problems)),
        }
    }
    first.map_or(Ok(()), Err)
}

/// Shows how it goes.
struct Display<'s> {
    signals: &'s Signals,
    bar: ProgressBar,
}

impl<'s> Display<'s> {
    fn new(signals: &'s Signals) -> Self {
        let target = if io::stderr().is_terminal() {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(Some(0), target);
        if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos} of {len} cases") {
            bar.set_style(style);
        }
        Self { signals, bar }
    }
}

impl Watch for Display<'_> {
    fn done(&self, count: usize, of: usize, row: &Row) {
        self.bar.set_length(of as u64);
        self.bar.set_position(count as u64);
        if !row.error.is_empty() {
            let values = row.values.iter().map(|(key, value)| format!("{key}={value}"));
            let values = values.collect::<Vec<_>>().join(" ");
            self.bar.suspend(|| eprintln!("failed: {values}: {}", row.error));
        }
    }

    fn wants_stop(&self) -> bool {
        self.signals.came()
    }
}

/// The rows as a table or as JSON, and as CSV where requested.
fn tell(done: &Outcome, file: &SweepFile, args: &Args) -> Result<(), Failure> {
    let table = table(done, file)?;
    if let Some(path) = &args.csv {
        let mut output = Output::open(path)?;
        output.write(table.to_csv().as_bytes())?;
        output.finish()?;
    }
    if args.json {
        let rows: Vec<_> = done.rows.iter().map(|row| json!(row)).collect();
        return print(&format!("{:#}\n", json!(rows)));
    }
    print(&table.to_text(Some(width())))
}

/// A row for each case: its values, what was measured, and why it failed where one has.
fn table(done: &Outcome, file: &SweepFile) -> Result<Table, Failure> {
    let failed = done.rows.iter().any(|row| !row.error.is_empty());
    let keys = file.parameters.list.iter().map(|(key, _)| Column::text(key));
    let numbers = file.measure.iter().map(|name| Column::number(name, Format::General));
    let columns = keys.chain(numbers).chain(failed.then(|| Column::text("error")));
    let mut table = Table::new("sweep", format!("{} cases", done.rows.len()), columns);
    for row in &done.rows {
        let number = |name| row.measured.iter().find(|(known, _)| known == name).and_then(|(_, x)| *x);
        let values = row.values.iter().map(|(_, value)| cell(value));
        let numbers = file.measure.iter().map(|name| Cell::from(number(name)));
        table.push(values.chain(numbers).chain(failed.then(|| Cell::from(row.error.clone()))))?;
    }
    Ok(table)
}

/// A value of a scene, texts without their quotes.
fn cell(value: &Value) -> Cell {
    match value {
        Value::String(text) => text.as_str().into(),
        other => other.to_string().into(),
    }
}
