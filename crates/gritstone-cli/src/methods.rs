//! `gritstone methods`: what every contact method says of itself.

use std::process::ExitCode;

use gritstone::contact::{Card, NarrowPhase};
use gritstone::core::{Plane, Space};
use gritstone::report::{Column, Table, cells};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output::{print, width};

/// List every contact method: its source, the shapes it takes, how certain its answers are
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Print a JSON array instead of a table
    #[arg(long)]
    json: bool,
}

/// Prints the list.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let (plane, space) = (cards::<Plane>(), cards::<Space>());
    if args.json {
        let list = |dimension: &'static str, cards: &[Card]| {
            cards.iter().map(|card| entry(dimension, card)).collect()
        };
        let lists: [Vec<_>; 2] = [list("space", &space), list("plane", &plane)];
        print(&format!("{:#}\n", json!(lists.concat())))?;
    } else {
        print(&table("methods-space", "Contact methods in space", &space)?)?;
        print(&format!("\n{}", table("methods-plane", "Contact methods in the plane", &plane)?))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn cards<D: NarrowPhase>() -> Vec<Card> {
    D::methods().iter().map(|method| method.card()).collect()
}

fn entry(dimension: &str, card: &Card) -> Value {
    let Card { name, source, shapes, guarantee } = card;
    json!({"name": name, "dimension": dimension, "source": source, "shapes": shapes, "guarantee": guarantee})
}

fn table(id: &str, title: &str, cards: &[Card]) -> Result<String, Failure> {
    let columns = ["method", "source", "shapes", "what is guaranteed"].map(Column::text);
    let mut table = Table::new(id, title, columns);
    for card in cards {
        table.push(cells![card.name, card.source, card.shapes, card.guarantee])?;
    }
    Ok(table.to_text(Some(width())))
}
