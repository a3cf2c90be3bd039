//! A frame of a run as a table that another run may start from.

use std::path::Path;

use super::{NAMED, Names, Tabular};
use crate::file::{FileError, replace};
use crate::tessellation::Surfaces;
use crate::trajectory::Frame;

/// Writes the grains of a frame, with the names of their shapes and materials.
pub fn write_frame<D: Surfaces>(path: &Path, frame: &Frame<D>, names: &Names<'_>) -> Result<(), FileError> {
    replace(path, |file| {
        let numbers = [D::POSITION, D::ROTATION, D::VELOCITY, D::SPIN].concat().join(",");
        writeln!(file, "id,{numbers},{NAMED}")?;
        for grain in &frame.grains {
            write!(file, "{}", grain.id)?;
            for number in
                <D as Tabular>::numbers(grain.pose.position, grain.pose.rotation, grain.velocity, grain.spin)
            {
                // Frames hold fewer digits than this.
                write!(file, ",{number:.9e}")?;
            }
            writeln!(file, ",{}", names.fields(grain.shape, grain.material))?;
        }
        Ok(())
    })
}
