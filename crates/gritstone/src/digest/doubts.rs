//! What is doubtful about a run.

use gritstone_report::{Cell, Column, Section, Table};
use gritstone_scene::display::plain;

use super::{DigestError, Run};

/// Overlaps beyond this part of a grain's size are worth a look.
const DEEP: f64 = 0.05;

/// Energy from nowhere beyond this part of what was turned over is worth a look.
const CREATED: f64 = 0.01;

/// The table of warnings and unresolved contacts.
pub(super) fn section(run: &Run) -> Result<Section, DigestError> {
    let columns = [Column::text("what"), Column::text("value"), Column::text("verdict")];
    let mut table = Table::new("doubts", "Warnings and unresolved contacts", columns);
    for row in measured(run).into_iter().chain(told(run)) {
        table.push(row.map(Cell::from))?;
    }
    Ok(Section::new("What is doubtful").table(table))
}

/// Numbers of the summary, each with what to think of it.
fn measured(run: &Run) -> Vec<[String; 3]> {
    let number = |key: &str| run.summary[key].as_f64();
    let verdict = |fine: bool, look: &str| if fine { "fine".to_owned() } else { look.to_owned() };
    let mut rows = Vec::new();
    if let Some(unresolved) = number("unresolved") {
        let each = number("unresolved_per_step").unwrap_or(0.0);
        let value = format!("{} since the start, {} per step", unresolved as u64, plain(each));
        let look = "contacts whose distance was not proven; the best guess was used";
        rows.push(["unresolved contacts".to_owned(), value, verdict(unresolved == 0.0, look)]);
    }
    if let Some(deepest) = number("largest_overlap_ever") {
        let look = "deep: stiffer contacts may be needed";
        let value = format!("{} of a grain's size", plain(deepest));
        rows.push(["largest overlap at any step".to_owned(), value, verdict(deepest < DEEP, look)]);
    }
    if let Some(error) = number("energy_error") {
        let look = "much: a shorter time step may be needed";
        let value = format!("{} of the energy that was turned over", plain(error));
        rows.push(["energy that came from nowhere".to_owned(), value, verdict(error < CREATED, look)]);
    }
    if let Some(left) = number("grains_left") {
        let look = "they were taken out, as the scene says";
        rows.push([
            "grains that left the domain".to_owned(),
            format!("{}", left as u64),
            verdict(left == 0.0, look),
        ]);
    }
    rows
}

/// What was said in words.
fn told(run: &Run) -> Vec<[String; 3]> {
    let row = |what: &str, value: String, verdict: &str| [what.to_owned(), value, verdict.to_owned()];
    let mut rows = Vec::new();
    if let Some(error) = run.summary["error"].as_str() {
        rows.push(row("end", error.to_owned(), "the run failed"));
    } else if run.summary.is_null() {
        rows.push(row("end", "there is no summary".to_owned(), "the run goes on, or was killed"));
    }
    let warnings = run.scene.iter().flat_map(|scene| &scene.warnings);
    rows.extend(warnings.map(|warning| row("warning of the scene", warning.clone(), "look at it")));
    let broken = run.album.as_ref().and_then(|album| album.broken());
    rows.extend(broken.map(|broken| row("trajectory", broken, "frames behind this are missing")));
    rows.extend(run.no_album.iter().map(|why| row("pictures", why.clone(), "there are none")));
    rows
}
