//! `gritstone methods`: what every contact method says of itself.

use std::process::ExitCode;

use gritstone::contact::space::METHODS;
use serde_json::json;

use crate::failure::Failure;
use crate::output::print;
use crate::table::table;

/// List every contact method: where it comes from, which shapes it takes, what its answer is worth
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Print a JSON array instead of a table
    #[arg(long)]
    json: bool,
}

/// Prints the list.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let cards = METHODS.iter().map(|method| method.card());
    if args.json {
        let list: Vec<_> = cards
            .map(
                |c| json!({"name": c.name, "source": c.source, "shapes": c.shapes, "guarantee": c.guarantee}),
            )
            .collect();
        print(&format!("{:#}\n", json!(list)))?;
    } else {
        let mut table = table(["method", "source", "shapes", "what its answer is worth"]);
        for card in cards {
            table.add_row([card.name, card.source, card.shapes, card.guarantee]);
        }
        print(&format!("{table}\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}
