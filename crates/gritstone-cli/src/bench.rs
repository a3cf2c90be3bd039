//! `gritstone bench`: what a step costs here.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use gritstone::bench::{CASES, Options, Row, Shares, chosen};
use gritstone::io::replace;
use gritstone::report::{Axis, Cell, Column, Format, Mark, Plot, Size, Table};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output::{print, width};
use crate::run::Backend;

/// Measure the speed of standard beds on this machine
#[derive(clap::Args)]
#[command(after_help = list())]
pub(crate) struct Args {
    /// Names of beds [default: all but the series of growing beds]
    #[arg(value_name = "NAME", value_parser = PossibleValuesParser::new(CASES.iter().map(|case| case.name)), hide_possible_values = true)]
    names: Vec<String>,
    /// Number of threads; several, such as 1,4,16, also show how each part of a step scales
    #[arg(long, value_name = "N", default_value = "1", value_delimiter = ',', value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Vec<u16>,
    /// Number of repetitions
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u16).range(1..=1000))]
    repetitions: u16,
    /// Number of steps to time [default: some hundreds, fewer for large beds]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    steps: Option<u64>,
    /// Largest number of grains of growing beds
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    largest: usize,
    /// Hardware to measure: beds are prepared on the processor in any case
    #[arg(long, value_enum, default_value_t = Backend::Cpu, hide_default_value = true)]
    backend: Backend,
    /// Prepare every bed again, without the cache
    #[arg(long)]
    no_cache: bool,
    /// Print a JSON array instead of a table
    #[arg(long)]
    json: bool,
    /// Also draw time per grain over the number of grains, as SVG
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

/// Makes the benchmarks.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let usual = Options::default();
    let options = Options {
        repetitions: usize::from(args.repetitions),
        steps: args.steps,
        largest: args.largest,
        cache: usual.cache.filter(|_| !args.no_cache),
        backend: args.backend.into(),
    };
    let mut rows = Vec::new();
    for case in chosen(&args.names) {
        if io::stderr().is_terminal() {
            eprintln!("{}: {}", case.name, case.about);
        }
        for &threads in &args.threads {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(usize::from(threads))
                .build()
                .map_err(|error| Failure::Failed(format!("cannot start {threads} threads: {error}")))?;
            let made = pool.install(|| case.run(&options));
            rows.extend(made.map_err(|trouble| Failure::Failed(format!("{}: {trouble}", case.name)))?);
        }
    }
    if let Some(path) = &args.plot {
        let drawn = plot(&rows).to_svg(Size::WIDE);
        replace(path, |out| out.write_all(drawn.as_bytes()))
            .map_err(|error| Failure::Failed(error.to_string()))?;
    }
    print(&if args.json {
        format!("{:#}\n", rows.iter().map(as_json).collect::<Value>())
    } else {
        let mut text = format!("{}\n", table(&rows)?.to_text(Some(width())));
        if args.threads.len() > 1 {
            text += &format!("{}\n", scaling(&rows)?.to_text(Some(width())));
        }
        if rows.iter().any(|row| row.processor.is_some()) {
            text += &format!("{}\n", beside_the_processor(&rows)?.to_text(Some(width())));
        }
        text
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Time per grain over the number of grains, one line for each name.
fn plot(rows: &[Row]) -> Plot {
    let (x, y) = (Axis::log("grains"), Axis::linear("time per grain and step").unit("ns"));
    let mut plot = Plot::new("bench", "What a step costs", x, y);
    for same in rows.chunk_by(|a, b| a.name == b.name) {
        let points = same.iter().map(|row| (row.particles as f64, 1e3 * row.best));
        plot = plot.series(same[0].name.clone(), Mark::LineAndPoints, points);
    }
    plot
}

fn list() -> String {
    let mut text = "Names:\n".to_owned();
    for case in CASES {
        text += &format!("  {:<22} {}\n", case.name, case.about);
    }
    text + "\nPrepared beds are kept in the user's cache folder. Times are those of the shortest stretches of ten\n\
            steps over all repetitions; the median beside them tells how quiet the machine is."
}

fn table(rows: &[Row]) -> Result<Table, Failure> {
    let columns = [
        Column::text("bed"),
        Column::number("grains", Format::Integer),
        Column::number("threads", Format::Integer),
        Column::number("contacts", Format::Integer),
        Column::number("near pairs", Format::Integer),
        Column::number("µs per grain and step", Format::Fixed(4)),
        Column::number("median", Format::Fixed(4)),
        Column::number("ns per contact", Format::Fixed(1)),
        Column::number("neighbour lists", Format::Percent(0)),
        Column::number("activation", Format::Percent(0)),
        Column::number("contacts in lanes", Format::Percent(0)),
        Column::number("other contacts", Format::Percent(0)),
        Column::number("sorting", Format::Percent(0)),
        Column::number("gathering", Format::Percent(0)),
        Column::number("integration", Format::Percent(0)),
        Column::number("unresolved", Format::Integer),
        Column::number("bytes per grain", Format::Integer),
    ];
    let mut table = Table::new("bench", "What a step costs", columns).note(
        "ns per contact: narrow phase and law, which lanes do in one pass; of pairs the narrow phase alone.",
    );
    for row in rows {
        let mut cells = vec![
            bed(row),
            Cell::Number(row.particles as f64),
            Cell::Number(row.threads as f64),
            Cell::Number(row.contacts as f64),
            Cell::Number(row.near_pairs as f64),
            Cell::Number(row.best),
            Cell::Number(row.median),
            Cell::Number(row.per_contact),
        ];
        cells.extend(row.shares.unwrap_or_default().named().map(|(_, share)| Cell::Number(share)));
        cells.extend([row.unresolved as f64, row.bytes_per_grain].map(Cell::Number));
        table.push(cells)?;
    }
    Ok(table)
}

fn bed(row: &Row) -> Cell {
    Cell::Text(format!("{} {}", row.name, row.state).trim_end().to_owned())
}

/// How each part of a step scales from the first number of threads to the others.
fn scaling(rows: &[Row]) -> Result<Table, Failure> {
    let mut columns = vec![
        Column::text("bed"),
        Column::number("grains", Format::Integer),
        Column::number("threads", Format::Integer),
        Column::number("times as fast", Format::Fixed(2)),
    ];
    let parts = Shares::default().named().map(|(name, _)| name);
    columns.extend(parts.map(|part| Column::text(format!("{part}, ns"))));
    let mut table = Table::new("scaling", "How each part scales", columns).note(
        "ns per grain and step; in brackets how many times as fast as with the first number of threads.",
    );
    for row in rows {
        let is_first = |first: &&Row| {
            (&first.name, &first.state, first.particles) == (&row.name, &row.state, row.particles)
        };
        let first = rows.iter().find(is_first).unwrap_or(row);
        let times =
            |row: &Row| row.shares.unwrap_or_default().named().map(|(_, share)| 1e3 * row.best * share);
        let mut cells = vec![
            bed(row),
            Cell::Number(row.particles as f64),
            Cell::Number(row.threads as f64),
            Cell::Number(first.best / row.best),
        ];
        cells.extend(times(row).iter().zip(times(first)).map(|(now, first)| {
            Cell::Text(if *now > 0.0 { format!("{now:.2} ({:.1})", first / now) } else { "–".to_owned() })
        }));
        table.push(cells)?;
    }
    Ok(table)
}

/// What a GPU was timed for, beside the processor in the same run.
fn beside_the_processor(rows: &[Row]) -> Result<Table, Failure> {
    let columns = [
        Column::text("bed"),
        Column::number("grains", Format::Integer),
        Column::text("precision"),
        Column::number("10⁹ grain steps per s", Format::Fixed(3)),
        Column::number("ns per grain and step", Format::Fixed(3)),
        Column::number("the processor, ns", Format::Fixed(2)),
        Column::number("threads", Format::Integer),
        Column::number("times as fast", Format::Fixed(1)),
    ];
    let mut table = Table::new("gpu", "The GPU beside the processor", columns);
    for (row, processor) in rows.iter().filter_map(|row| Some((row, row.processor?))) {
        table.push(vec![
            bed(row),
            Cell::Number(row.particles as f64),
            Cell::Text("double".to_owned()),
            Cell::Number(1e-3 / row.best),
            Cell::Number(1e3 * row.best),
            Cell::Number(1e3 * processor),
            Cell::Number(row.threads as f64),
            Cell::Number(processor / row.best),
        ])?;
    }
    Ok(table)
}

fn as_json(row: &Row) -> Value {
    let shares = row.shares.map(|shares| {
        let shares = shares.named().map(|(name, share)| (name.replace(' ', "_"), json!(share)));
        Value::Object(shares.into_iter().collect())
    });
    json!({
        "name": row.name,
        "state": row.state,
        "particles": row.particles,
        "contacts": row.contacts,
        "contacts_in_lanes": row.contacts_in_lanes,
        "near_pairs": row.near_pairs,
        "steps": row.steps,
        "us_per_particle_step": row.best,
        "us_per_particle_step_median": row.median,
        "ns_per_contact": row.per_contact,
        "shares": shares,
        "threads": row.threads,
        "us_per_particle_step_processor": row.processor,
        "unresolved": row.unresolved,
        "bytes_per_particle": row.bytes_per_grain,
    })
}
