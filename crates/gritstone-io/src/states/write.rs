//! Writing states.

use std::io::{self, Write};
use std::path::Path;

use gritstone_engine::BodyState;

use super::Tabular;
use crate::file::{FileError, replace};

/// Writes the grains in their order, as a whole file or not at all.
pub fn write_states<D: Tabular>(path: &Path, bodies: &[BodyState<D>]) -> Result<(), FileError> {
    replace(path, |file| {
        write!(file, "id")?;
        for column in [D::POSITION, D::ROTATION, D::VELOCITY, D::SPIN].into_iter().flatten() {
            write!(file, ",{column}")?;
        }
        writeln!(file)?;
        bodies.iter().try_for_each(|body| line(file, body))
    })
}

fn line<D: Tabular>(file: &mut dyn Write, body: &BodyState<D>) -> io::Result<()> {
    write!(file, "{}", body.id)?;
    for number in D::numbers(body.pose.position, body.pose.rotation, body.velocity, body.spin) {
        write!(file, ",{number:.16e}")?;
    }
    writeln!(file)
}
