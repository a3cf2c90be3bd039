//! A frame of a run as a table that another run may start from.

use std::path::Path;

use super::Tabular;
use crate::file::{FileError, replace};
use crate::skin::Surfaces;
use crate::trajectory::Frame;

/// Writes the grains of a frame, with the names of their shapes and materials.
pub fn write_frame<D: Surfaces>(
    path: &Path,
    frame: &Frame<D>,
    shapes: &[String],
    materials: &[String],
) -> Result<(), FileError> {
    replace(path, |file| {
        let numbers = [D::POSITION, D::ROTATION, D::VELOCITY, D::SPIN].concat().join(",");
        writeln!(file, "id,{numbers},shape,material")?;
        for grain in &frame.grains {
            write!(file, "{}", grain.id)?;
            for number in
                <D as Tabular>::numbers(grain.pose.position, grain.pose.rotation, grain.velocity, grain.spin)
            {
                // Frames hold fewer digits than this.
                write!(file, ",{number:.9e}")?;
            }
            let name = |names: &[String], i: usize| names.get(i).cloned().unwrap_or_default();
            let (shape, material) =
                (name(shapes, grain.shape as usize), name(materials, usize::from(grain.material)));
            writeln!(file, ",{shape},{material}")?;
        }
        Ok(())
    })
}
