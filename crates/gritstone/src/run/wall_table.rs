//! `walls.csv`: forces of the grains on every tool, and on every wall that is in none.

use std::path::Path;

use gritstone_core::Vector;
use gritstone_engine::Backend;
use gritstone_io::FileError;
use gritstone_io::series::{Column, Series};

use super::RunDimension;

const AXES: [&str; 3] = ["x", "y", "z"];

/// The table, for a world that has walls.
pub(super) fn open<D: RunDimension>(
    path: &Path,
    world: &dyn Backend<D>,
    reached: Option<u64>,
) -> Result<Option<Series>, FileError> {
    let names = names(world);
    if names.is_empty() {
        return Ok(None);
    }
    let mut columns = vec![Column { name: "time", unit: "s" }];
    columns.extend(names.iter().map(|(name, unit)| Column { name, unit }));
    match reached {
        Some(step) => Series::resume(path, &columns, step),
        None => Series::create(path, &columns),
    }
    .map(Some)
}

/// The columns of every tool: where it is, force and torque of the grains on it, its work on them, and what its servo is to
/// reach.
fn names<D: RunDimension>(world: &dyn Backend<D>) -> Vec<(String, &'static str)> {
    let mut names = Vec::new();
    for (tool, report) in world.tools() {
        names.extend(AXES[..D::N].iter().map(|axis| (format!("{tool}.{axis}"), "m")));
        names.extend(AXES[..D::N].iter().map(|axis| (format!("{tool}.force_{axis}"), "N")));
        match D::N {
            2 => names.push((format!("{tool}.torque"), "N m")),
            _ => names.extend(AXES.iter().map(|axis| (format!("{tool}.torque_{axis}"), "N m"))),
        }
        names.push((format!("{tool}.work"), "J"));
        if report.servo.is_some() {
            names.push((format!("{tool}.servo"), "N"));
            names.push((format!("{tool}.target"), "N"));
        }
    }
    names
}

/// A line of the table.
pub(super) fn row<D: RunDimension>(world: &dyn Backend<D>) -> Vec<f64> {
    let mut row = vec![world.time()];
    for (_, tool) in world.tools() {
        row.extend((0..D::N).map(|axis| tool.position.component(axis)));
        row.extend((0..D::N).map(|axis| tool.force.component(axis)));
        let torque = D::spin_xyz(tool.torque);
        row.extend(if D::N == 2 { &torque[2..] } else { &torque[..] });
        row.push(tool.work);
        row.extend(tool.servo.iter().flat_map(|servo| [servo.force, servo.target]));
    }
    row
}
