//! `gritstone reproduce`: the validation of published papers, repeated.

use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use gritstone::report::Report;
use gritstone::study::reproduce::{PAPERS, Paper, Settings, paper};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output::{print, width};

/// Every paper, one after the other.
const ALL: &str = "all";

/// Most pairs in a cell: medians keep every number in memory.
const MOST_PAIRS: u64 = 10_000_000;

/// Rows of the longest table that is printed; longer ones are data of figures.
const LONGEST: usize = 40;

/// Repeat the validation of a paper: published and measured numbers side by side
#[derive(clap::Args)]
#[command(after_help = "Results depend on the seed and the number of pairs, not on the number of threads.")]
pub(crate) struct Args {
    /// Which paper, or all of them
    #[arg(value_parser = paper_names())]
    paper: String,
    /// Pairs in each cell of the paper's tables [default: as published, or what takes minutes]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_PAIRS))]
    pairs: Option<u64>,
    /// Seed of the generated pairs
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// A few pairs only, for a quick look
    #[arg(long, conflicts_with = "pairs")]
    quick: bool,
    /// Simulations with thousands of grains, too, where the paper has any: hours
    #[arg(long, conflicts_with = "quick")]
    full: bool,
    /// Folder for report.html with the plots, and the tables as CSV and JSON
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print the tables as JSON
    #[arg(long)]
    json: bool,
}

fn paper_names() -> PossibleValuesParser {
    PossibleValuesParser::new(PAPERS.iter().map(|paper| paper.name).chain([ALL]))
}

/// Repeats one paper, or all.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let chosen: Vec<&Paper> =
        if args.paper == ALL { PAPERS.iter().collect() } else { paper(&args.paper).into_iter().collect() };
    let mut results = Vec::new();
    for paper in chosen {
        let folder =
            args.out.as_ref().map(|out| if args.paper == ALL { out.join(paper.name) } else { out.clone() });
        // Known before the work, not after it.
        folder.as_deref().map_or(Ok(()), make_folder)?;
        let settings = settings(args, paper);
        let report = repeat(paper, &settings)?;
        let files = folder.map_or(Ok(Vec::new()), |folder| report.write_to(folder))?;
        if args.json {
            results.push(as_json(paper, &settings, &report, &files));
        } else {
            show(&report, &files)?;
        }
    }
    if args.json {
        print(&format!("{:#}\n", Value::from(results)))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn settings(args: &Args, paper: &Paper) -> Settings {
    let usual = if args.quick { paper.quick } else { paper.pairs };
    Settings { pairs: args.pairs.unwrap_or(usual), seed: args.seed, full: args.full }
}

fn make_folder(path: &Path) -> Result<(), Failure> {
    fs::create_dir_all(path)
        .map_err(|error| Failure::BadInput(format!("cannot make the folder {}: {error}", path.display())))
}

/// Runs the study with a bar on the terminal.
fn repeat(paper: &Paper, settings: &Settings) -> Result<Report, Failure> {
    let bar = if io::stderr().is_terminal() {
        ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr_with_hz(10))
    } else {
        ProgressBar::hidden()
    };
    if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {percent:>3} % · {eta} left") {
        bar.set_style(style);
    }
    bar.set_message(paper.name);
    let report = (paper.run)(settings, &|done, of| {
        bar.set_length(of);
        bar.set_position(done);
    });
    bar.finish_and_clear();
    report.map_err(|error| Failure::Failed(error.to_string()))
}

/// Tables for the terminal, then where the rest is, if anywhere.
fn show(report: &Report, files: &[PathBuf]) -> Result<(), Failure> {
    let mut text = format!("{}\n\n{}\n", report.title, wrapped(&report.summary, width().into()));
    for table in report.tables().filter(|table| table.rows().len() <= LONGEST) {
        text += &format!("\n{}", table.to_text(Some(width())));
    }
    if let Some(page) = files.first() {
        text +=
            &format!("\n{} with plots and remarks; the tables as CSV and JSON beside it\n", page.display());
    }
    print(&text)
}

/// The text in lines of at most `width` characters, where words allow it.
fn wrapped(text: &str, width: usize) -> String {
    let (mut lines, mut used) = (String::new(), 0);
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if used > 0 && used + 1 + length > width {
            lines.push('\n');
            used = 0;
        } else if used > 0 {
            lines.push(' ');
            used += 1;
        }
        lines += word;
        used += length;
    }
    lines
}

fn as_json(paper: &Paper, settings: &Settings, report: &Report, files: &[PathBuf]) -> Value {
    let tables: Vec<Value> =
        report.tables().filter_map(|table| serde_json::from_str(&table.to_json()).ok()).collect();
    let files: Vec<_> = files.iter().map(|path| path.display().to_string()).collect();
    json!({"paper": paper.name, "pairs": settings.pairs, "seed": settings.seed, "tables": tables, "files": files})
}
