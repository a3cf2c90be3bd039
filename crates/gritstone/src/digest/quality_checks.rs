//! Quality checks of a run.

use gritstone_report::{Cell, Column, Section, Table};
use gritstone_scene::display::{plain, time};

use super::{DigestError, Run};
use crate::picture::Album;
use crate::run::GOOD_DRIFT;

/// Overlaps beyond this fraction of the smaller grain's bounding radius get a remark.
const DEEP: f64 = 0.05;

/// The table of warnings and unresolved contacts.
pub(super) fn section(run: &Run) -> Result<Section, DigestError> {
    let columns = [Column::text("check"), Column::text("value"), Column::text("verdict")];
    let mut table = Table::new("checks", "Quality checks and warnings", columns);
    for row in measured(run).into_iter().chain(reported(run)) {
        table.push(row.map(Cell::from))?;
    }
    Ok(Section::new("Quality checks").table(table))
}

/// Numbers of the summary, each with an assessment.
fn measured(run: &Run) -> Vec<[String; 3]> {
    let number = |key: &str| run.summary[key].as_f64();
    let verdict = |fine: bool, look: &str| if fine { "good".to_owned() } else { look.to_owned() };
    let mut rows = Vec::new();
    if let Some(unresolved) = number("unresolved") {
        let each = number("unresolved_per_step").unwrap_or(0.0);
        let value = format!("{} since the start, {} per step", unresolved as u64, plain(each));
        let look = "contact solves without a certified gap; the best estimate was used";
        rows.push(["unresolved contacts".to_owned(), value, verdict(unresolved == 0.0, look)]);
    }
    if let Some(deepest) = number("largest_overlap_ever") {
        let look = "large: stiffer contacts may be needed";
        let value = format!("{} of the bounding radius", plain(deepest));
        rows.push(["largest overlap at any step".to_owned(), value, verdict(deepest < DEEP, look)]);
    }
    if let Some(error) = number("energy_error") {
        let value = format!("{:+.2} % of the energy exchanged", 100.0 * error);
        let look = "a shorter time step or stiffer contacts may be needed";
        rows.push(["energy drift at the end".to_owned(), value, verdict(error.abs() < GOOD_DRIFT, look)]);
    }
    if let (Some(worst), Some(when)) = (number("energy_error_worst"), number("energy_error_worst_at")) {
        let value = format!("{:+.2} % of the energy exchanged, at {}", 100.0 * worst, time(when));
        let look = "see the warnings";
        rows.push(["largest energy drift".to_owned(), value, verdict(worst.abs() < GOOD_DRIFT, look)]);
    }
    if let Some(left) = number("grains_left") {
        let look = "removed, as domain.leaving says";
        rows.push([
            "grains that left the domain".to_owned(),
            format!("{}", left as u64),
            verdict(left == 0.0, look),
        ]);
    }
    rows
}

/// Warnings of the run.
fn reported(run: &Run) -> Vec<[String; 3]> {
    let row = |what: &str, value: String, verdict: &str| [what.to_owned(), value, verdict.to_owned()];
    let mut rows = Vec::new();
    if let Some(error) = run.summary["error"].as_str() {
        rows.push(row("status", error.to_owned(), "the run failed"));
    } else if run.summary.is_null() {
        rows.push(row(
            "status",
            "there is no summary".to_owned(),
            "the run is still going on, or was killed",
        ));
    }
    let alarms = run.summary["alarms"].as_array().into_iter().flatten().filter_map(|alarm| alarm.as_str());
    rows.extend(alarms.map(|alarm| row("warning", alarm.to_owned(), "results are in doubt")));
    let warnings = run.scene.iter().flat_map(|scene| &scene.warnings);
    rows.extend(warnings.map(|warning| row("scene warning", warning.clone(), "see the scene")));
    let broken = run.album.as_ref().and_then(Album::broken);
    rows.extend(broken.map(|broken| row("trajectory", broken, "frames behind this are missing")));
    rows.extend(run.no_album.iter().map(|why| row("pictures", why.clone(), "there are none")));
    rows
}
