//! `gritstone methods`: what every contact method says of itself.

use std::process::ExitCode;

use gritstone::contact::space::METHODS;
use gritstone::report::{Column, Table, cells};
use serde_json::json;

use crate::failure::Failure;
use crate::output::{print, width};

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
        let columns = ["method", "source", "shapes", "what its answer is worth"].map(Column::text);
        let mut table = Table::new("methods", "Contact methods in space", columns);
        for card in cards {
            table.push(cells![card.name, card.source, card.shapes, card.guarantee])?;
        }
        print(&table.to_text(Some(width())))?;
    }
    Ok(ExitCode::SUCCESS)
}
