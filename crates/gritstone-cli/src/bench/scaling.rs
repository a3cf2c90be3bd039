//! `gritstone bench scaling`: processes and threads, on a load that stays and on one that grows.

use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

use clap::builder::PossibleValuesParser;
use gritstone::bench::{Load, SCALED, Scaled};
use gritstone::report::{Axis, Cell, Column, Format, Mark, Plot, Report, Section, Table};

use crate::failure::Failure;
use crate::output::{print, width};
use crate::run::Processes;

/// Measure how beds scale over processes and threads, into a folder of tables and plots
#[derive(clap::Args)]
#[command(after_help = MORE)]
pub(crate) struct Args {
    /// Numbers of processes
    #[arg(long, value_name = "N", default_value = "1,2,4,8", value_delimiter = ',', value_parser = clap::value_parser!(u16).range(1..))]
    processes: Vec<u16>,
    /// Numbers of threads of each process
    #[arg(long, value_name = "N", default_value = "1", value_delimiter = ',', value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Vec<u16>,
    /// Most cores that processes and threads may take together [default: the largest number of processes]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    cores: Option<u16>,
    /// Beds
    #[arg(long, value_name = "NAME", default_value = "ellipsoids,polyhedra", value_delimiter = ',', value_parser = PossibleValuesParser::new(SCALED.map(|(name, _)| name)))]
    beds: Vec<String>,
    /// Number of grains of the load that stays, about; the growing one has as many on the most cores
    #[arg(long, value_name = "N", default_value_t = 64_000, value_parser = clap::value_parser!(u32).range(1..))]
    grains: u32,
    /// Steps that are timed
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    steps: u64,
    /// Steps before, in which the bed comes to rest
    #[arg(long, value_name = "N", default_value_t = 200)]
    settle: u64,
    /// What starts several processes; the number of them follows as -n N
    #[arg(long, value_name = "COMMAND", default_value = "mpirun --bind-to core --map-by slot:PE={threads}")]
    launcher: String,
    /// Folder for tables and plots
    #[arg(long, value_name = "DIR", default_value = "scaling")]
    out: PathBuf,
    /// The load of a process that was started for it, as JSON
    #[arg(long, value_name = "JSON", hide = true)]
    load: Option<String>,
}

const MORE: &str = "\
Several processes need a program that was built with --features mpi (docs/cluster.md).
{threads} in the launcher stands for the number of threads of a process.

Example, on a machine with 16 cores (half an hour):
  gritstone bench scaling --processes 1,2,4,8,16 --threads 1,2,4,8,16 --cores 16 --grains 1000000 --beds ellipsoids
  gritstone bench scaling --processes 1,2,4,8,16 --threads 1,2,4,8,16 --cores 16 --grains 100000 --beds polyhedra";

/// One kind of load: the same for all crews, or growing with them.
const SERIES: [(&str, &str); 2] = [("strong", "The same bed"), ("weak", "As many grains for each core")];

/// Makes the measurements, or those of a process that was started for one.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    if let Some(load) = &args.load {
        return work(load, args.threads.first().map_or(1, |&threads| usize::from(threads)));
    }
    let mut report = Report::new("Scaling over processes and threads");
    for bed in &args.beds {
        // Once, and not by all processes at the same time.
        Load::of(bed, 1, [0, 0]).prepare().map_err(|trouble| Failure::Failed(format!("{bed}: {trouble}")))?;
        for (series, title) in SERIES {
            let scaled = args.crews().into_iter().map(|crew| args.measure(bed, series, crew));
            let scaled = scaled.collect::<Result<Vec<_>, _>>()?;
            let table = table(&format!("{bed}-{series}"), &format!("{title}: {bed}"), series, &scaled)?;
            print(&format!("{}\n", table.to_text(Some(width()))))?;
            let plot = plot(&format!("{bed}-{series}"), &format!("{title}: {bed}"), series, &scaled);
            report = report.section(Section::new(format!("{bed}, {series}")).table(table).plot(plot));
        }
    }
    report.write_to(&args.out).map_err(|error| Failure::Failed(error.to_string()))?;
    print(&format!("in {}: report.html, tables as CSV\n", args.out.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// Times a load in this process, with the others if it has any.
fn work(load: &str, threads: usize) -> Result<ExitCode, Failure> {
    let load: Load = serde_json::from_str(load).map_err(|error| Failure::BadInput(error.to_string()))?;
    let processes = Processes::join()?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| Failure::Failed(format!("cannot start threads: {error}")))?;
    let crew = processes.world();
    let scaled = pool
        .install(|| load.time(crew.as_ref()))
        .map_err(|trouble| Failure::Failed(format!("{}: {trouble}", load.bed)))?;
    if let Some(scaled) = scaled {
        let text = serde_json::to_string(&scaled).map_err(|error| Failure::Failed(error.to_string()))?;
        print(&format!("{text}\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}

impl Args {
    /// Processes and threads of each, by the number of cores.
    fn crews(&self) -> Vec<[u16; 2]> {
        let most = self.most_cores();
        let threads = |processes: u16| self.threads.iter().map(move |&threads| [processes, threads]);
        let mut crews: Vec<_> = self.processes.iter().flat_map(|&processes| threads(processes)).collect();
        crews.retain(|[processes, threads]| u32::from(*processes) * u32::from(*threads) <= most);
        crews.sort_unstable_by_key(|[processes, threads]| (processes * threads, *processes));
        crews.dedup();
        crews
    }

    fn most_cores(&self) -> u32 {
        u32::from(self.cores.unwrap_or_else(|| self.processes.iter().copied().max().unwrap_or(1)))
    }

    /// Starts a crew for a load.
    fn measure(&self, bed: &str, series: &str, [processes, threads]: [u16; 2]) -> Result<Scaled, Failure> {
        let cores = u32::from(processes) * u32::from(threads);
        let all = u64::from(self.grains);
        let grains =
            if series == "weak" { all * u64::from(cores) / u64::from(self.most_cores()) } else { all };
        let load = Load::of(bed, grains as usize, [self.settle, self.steps]);
        let failed =
            |why: String| Failure::Failed(format!("{processes} processes of {threads} threads: {why}"));
        let text = serde_json::to_string(&load).map_err(|error| failed(error.to_string()))?;
        let program = std::env::current_exe().map_err(|error| failed(error.to_string()))?;
        let launcher = self.launcher.replace("{threads}", &threads.to_string());
        let mut words = launcher.split_whitespace();
        let mut command = match words.next().filter(|_| processes > 1) {
            None => Command::new(program),
            Some(launcher) => {
                let mut command = Command::new(launcher);
                command.args(words).args(["-n", &processes.to_string()]).arg(program);
                command
            }
        };
        command.args(["bench", "scaling", "--load", &text, "--threads", &threads.to_string()]);
        eprintln!("{bed}, {series}: {processes} × {threads}, {grains} grains");
        let done = command.stderr(Stdio::inherit()).output().map_err(|error| failed(error.to_string()))?;
        if !done.status.success() {
            return Err(failed(format!("{command:?} ended with {}", done.status)));
        }
        let lines = String::from_utf8_lossy(&done.stdout);
        let told = lines.lines().rev().find_map(|line| serde_json::from_str(line).ok());
        told.ok_or_else(|| failed("it told nothing".to_owned()))
    }
}

/// How many times less time a core takes for a grain than with the first crew, which has the fewest cores.
fn efficiency(series: &str, first: &Scaled, row: &Scaled) -> f64 {
    let cost = |row: &Scaled| row.step * row.cores() as f64 / row.grains as f64;
    match series {
        "weak" => cost(first) / cost(row),
        _ => first.step * first.cores() as f64 / (row.step * row.cores() as f64),
    }
}

fn table(name: &str, title: &str, series: &str, rows: &[Scaled]) -> Result<Table, Failure> {
    let columns = [
        Column::number("processes", Format::Integer),
        Column::number("threads", Format::Integer),
        Column::number("grains", Format::Integer),
        Column::number("ms per step", Format::Fixed(2)),
        Column::number("efficiency", Format::Fixed(2)),
        Column::number("messages", Format::Fixed(1)),
        Column::number("kB", Format::Fixed(1)),
        Column::number("in messages", Format::Percent(0)),
        Column::number("imbalance", Format::Fixed(2)),
    ];
    let mut table = Table::new(name, title, columns).note(
        "Messages and kB per process and step; in messages: share of the time that sending and waiting for others takes.",
    );
    for row in rows {
        let [messages, bytes, share] = row.sent();
        let numbers = [
            row.crew[0] as f64,
            row.crew[1] as f64,
            row.grains as f64,
            1e3 * row.step,
            efficiency(series, &rows[0], row),
            messages,
            1e-3 * bytes,
            share,
            row.imbalance,
        ];
        table.push(numbers.map(Cell::Number))?;
    }
    Ok(table)
}

/// Efficiency over cores, one line for each number of threads.
fn plot(name: &str, title: &str, series: &str, rows: &[Scaled]) -> Plot {
    let mut plot = Plot::new(name, title, Axis::log("cores"), Axis::linear("efficiency"));
    let mut threads: Vec<usize> = rows.iter().map(|row| row.crew[1]).collect();
    threads.sort_unstable();
    threads.dedup();
    for threads in threads {
        let of = rows.iter().filter(|row| row.crew[1] == threads);
        let points = of.map(|row| (row.cores() as f64, efficiency(series, &rows[0], row)));
        plot = plot.series(format!("{threads} threads each"), Mark::LineAndPoints, points);
    }
    plot
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scaled(crew: [usize; 2], grains: usize, step: f64) -> Scaled {
        let load = Load::of("ellipsoids", grains, [0, 1]);
        Scaled { load, crew, grains, contacts: 0, step, traffic: Vec::new(), imbalance: 1.0 }
    }

    #[test]
    fn a_load_that_takes_half_the_time_on_twice_the_cores_has_efficiency_one() {
        let [one, two] = [scaled([1, 1], 8000, 0.010), scaled([2, 1], 8000, 0.005)];
        assert!((efficiency("strong", &one, &two) - 1.0).abs() < 1e-12);
        // Twice the grains on twice the cores in the same time.
        let grown = scaled([1, 2], 16_000, 0.010);
        assert!((efficiency("weak", &one, &grown) - 1.0).abs() < 1e-12);
        assert!((efficiency("weak", &one, &scaled([1, 2], 16_000, 0.020)) - 0.5).abs() < 1e-12);
    }
}
