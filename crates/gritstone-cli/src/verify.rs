//! `gritstone verify`: cases of mechanics whose outcome is known.

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use gritstone::report::{Cell, Column, Format, Table, cells};
use gritstone::study::verify::{Allowed, CASES, Case, Check, Effort, case};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output::{print, width};

/// Run mechanical test cases with known results, and compare
#[derive(clap::Args)]
#[command(after_help = "Exit code 1 if a case fails. All cases take some minutes; --quick some seconds.")]
pub(crate) struct Args {
    /// Names of cases [default: all]
    #[arg(value_name = "CASE", value_parser = PossibleValuesParser::new(CASES.iter().map(|case| case.name)))]
    cases: Vec<String>,
    /// Fewer grains and shorter times
    #[arg(long)]
    quick: bool,
    /// Print a JSON array instead of tables
    #[arg(long)]
    json: bool,
}

/// Runs the cases.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let chosen: Vec<&Case> = if args.cases.is_empty() {
        CASES.iter().collect()
    } else {
        args.cases.iter().filter_map(|name| case(name)).collect()
    };
    let effort = if args.quick { Effort::Quick } else { Effort::Full };
    let (mut results, mut wrong) = (Vec::new(), 0);
    for case in chosen {
        if io::stderr().is_terminal() {
            eprintln!("{}: {}", case.name, case.proves);
        }
        let checks = (case.run)(effort)
            .map_err(|trouble| Failure::Failed(format!("the case {} cannot be run: {trouble}", case.name)))?;
        wrong += checks.iter().filter(|check| !check.holds()).count();
        if args.json {
            results.push(as_json(case, &checks));
        } else {
            print(&table(case, &checks)?)?;
        }
    }
    if args.json {
        print(&format!("{:#}\n", Value::from(results)))?;
    }
    if wrong > 0 {
        return Err(Failure::Failed(format!("{wrong} numbers are not as they should be")));
    }
    Ok(ExitCode::SUCCESS)
}

fn table(case: &Case, checks: &[Check]) -> Result<String, Failure> {
    let columns = [
        Column::text("what"),
        Column::number("measured", Format::Scientific(2)),
        Column::number("±", Format::Scientific(1)),
        Column::text("allowed"),
        Column::text("holds"),
    ];
    let title = format!("{}: {}", case.name, case.proves);
    let mut table = Table::new(case.name, title, columns).note(format!("Expected from: {}.", case.source));
    for check in checks {
        let allowed = match check.allowed {
            Allowed::AtMost(limit) => format!("at most {limit:?}"),
            Allowed::AtLeast(limit) => format!("at least {limit:?}"),
            Allowed::Within([low, high]) => format!("{low:?} to {high:?}"),
            Allowed::Anything => String::new(),
        };
        let holds = match (check.allowed, check.holds()) {
            (Allowed::Anything, true) => "",
            (_, true) => "yes",
            (_, false) => "NO",
        };
        let error = check.error.map_or(Cell::Missing, Cell::Number);
        table.push(cells![check.what.as_str(), Cell::Number(check.measured), error, allowed, holds])?;
    }
    Ok(format!("{}\n", table.to_text(Some(width()))))
}

fn as_json(case: &Case, checks: &[Check]) -> Value {
    let checks: Vec<Value> = checks
        .iter()
        .map(|check| {
            let (at_least, at_most) = match check.allowed {
                Allowed::AtMost(limit) => (None, Some(limit)),
                Allowed::AtLeast(limit) => (Some(limit), None),
                Allowed::Within([low, high]) => (Some(low), Some(high)),
                Allowed::Anything => (None, None),
            };
            json!({
                "what": check.what,
                "measured": check.measured,
                "error": check.error,
                "at_least": at_least,
                "at_most": at_most,
                "holds": check.holds(),
            })
        })
        .collect();
    json!({"case": case.name, "proves": case.proves, "source": case.source, "checks": checks})
}
