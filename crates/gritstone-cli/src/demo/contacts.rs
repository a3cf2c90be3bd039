//! `gritstone demo --contacts`: pairs of very different superellipsoids, solved by every method and drawn.

mod picture;

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use gritstone::contact::space::{METHODS, Method, Placed, Scratch};
use gritstone::contact::{Answer, Query, Verdict};
use gritstone::core::Space;
use gritstone::io::json_lines::{PairLine, read_pair, verdict_word, write_answer};
use gritstone::report::{Align, Cell, Column, Format, Table, cells};
use gritstone::shape::Support;

use crate::failure::Failure;
use crate::output::{print, width};

/// The pairs, in the words of `gritstone contact`.
pub(super) const PAIRS: &str = include_str!("contacts/pairs.jsonl");

/// The files that it writes beside the picture: the pairs, and what was found of them.
pub(super) const FILES: [&str; 2] = ["pairs.jsonl", "contacts.jsonl"];

/// Two answers agree if their distances differ by less than this fraction of the smaller grain's size.
const AGREE: f64 = 1e-6;

/// One pair and what `auto` says of it.
struct Solved {
    name: String,
    pair: PairLine,
    answer: Answer<Space>,
}

/// Solves, prints, draws.
pub(super) fn run(out: &Path, json: bool) -> Result<ExitCode, Failure> {
    let [auto, others @ ..] = METHODS else { return Ok(ExitCode::FAILURE) };
    let mut solved = Vec::new();
    for line in PAIRS.lines() {
        let pair = read_pair(line.as_bytes()).map_err(|bad| Failure::Failed(bad.to_string()))?;
        let Some(pair) = pair.in_space() else { continue };
        let name = pair.id.as_json().trim_matches('"').to_owned();
        let answer = solve(*auto, &pair)?;
        solved.push(Solved { name, pair, answer });
    }
    let mut contacts = String::new();
    for Solved { pair, answer, .. } in &solved {
        let _infallible = writeln!(contacts, "{}", write_answer(&pair.id, answer, auto.card().name));
    }
    if json {
        print(&contacts)?;
    } else {
        let tables = [found(&solved)?, compared(&solved, others)?].map(|table| table.to_text(Some(width())));
        print(&format!(
            "{}
",
            tables.join(
                "

"
            )
        ))?;
    }
    write(out, FILES[0], PAIRS)?;
    write(out, FILES[1], &contacts)?;
    let picture = out.join(super::PICTURE);
    picture::draw(&solved)?.write_png(&picture)?;
    eprintln!(
        "{} shows some of them; pairs.jsonl beside it holds all, for `gritstone contact`",
        picture.display()
    );
    Ok(ExitCode::SUCCESS)
}

fn solve(method: &dyn Method, pair: &PairLine) -> Result<Answer<Space>, Failure> {
    let [a, b] = [&pair.a, &pair.b].map(|grain| Placed { shape: &grain.shape, pose: grain.pose });
    // As `gritstone contact` does.
    let mut answers = Vec::new();
    method.solve_all(&[[a, b]], Query::default(), &mut Scratch::default(), &mut answers);
    let solved = answers.pop().ok_or_else(|| Failure::Failed("the method gave no answer".to_owned()))?;
    solved.map_err(|refusal| Failure::Failed(refusal.to_string()))
}

fn write(folder: &Path, name: &str, text: &str) -> Result<(), Failure> {
    let path = folder.join(name);
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(&path, text))
        .map_err(|error| Failure::writing_file(&path, &error))
}

/// What `auto` finds.
fn found(solved: &[Solved]) -> Result<Table, Failure> {
    let columns = [
        Column::text("pair"),
        Column::text("verdict"),
        Column::number("distance", Format::Fixed(9)),
        Column::number("between bounds", Format::Scientific(0)),
        Column::text("certified").align(Align::Center),
        Column::number("evaluations", Format::Integer),
    ];
    let mut table = Table::new("found", "Twelve pairs of superellipsoids, solved by auto", columns);
    for Solved { name, answer, .. } in solved {
        let width = (answer.upper - answer.lower).max(0.0);
        let certified = if answer.certified() { "yes" } else { "no" };
        let (verdict, count) = (verdict_word(answer), i64::from(answer.evaluations));
        table.push(cells![name.as_str(), verdict, answer.distance(), width, certified, count])?;
    }
    Ok(table)
}

/// Whether the other methods find the same, of those that take these shapes.
fn compared(solved: &[Solved], others: &[&dyn Method]) -> Result<Table, Failure> {
    let takes = |method: &dyn Method| solved.iter().all(|one| solve(method, &one.pair).is_ok());
    let others: Vec<&dyn Method> = others.iter().copied().filter(|method| takes(*method)).collect();
    let names = others.iter().map(|method| Column::text(method.card().name).align(Align::Center));
    let columns = std::iter::once(Column::text("pair")).chain(names);
    let mut table = Table::new("compared", "What the other methods make of them", columns);
    for Solved { name, pair, answer } in solved {
        let mut row = vec![Cell::from(name.as_str())];
        for method in &others {
            row.push(compare(&solve(*method, pair)?, answer, pair).into());
        }
        table.push(row)?;
    }
    Ok(table)
}

/// Whether another answer is as good as the certified one.
fn compare(other: &Answer<Space>, certified: &Answer<Space>, pair: &PairLine) -> String {
    let size = pair.a.shape.size().min(pair.b.shape.size());
    let error = (other.distance() - certified.distance()).abs() / size;
    match other.verdict {
        Verdict::Unresolved { .. } => "unresolved".to_owned(),
        _ if error < AGREE => "same".to_owned(),
        _ => format!("off by {:.0e}", error * size),
    }
}
