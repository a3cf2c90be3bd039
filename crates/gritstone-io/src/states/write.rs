//! Writing states.

use std::io::{self, Write};
use std::path::Path;

use gritstone_engine::BodyState;

use super::{NAMED, Names, Tabular};
use crate::file::{FileError, replace};

/// Writes the grains in their order, as a whole file or not at all.
pub fn write_states<D: Tabular>(
    path: &Path,
    bodies: &[BodyState<D>],
    names: &Names<'_>,
) -> Result<(), FileError> {
    replace(path, |file| {
        write!(file, "id")?;
        for column in [D::POSITION, D::ROTATION, D::VELOCITY, D::SPIN].into_iter().flatten() {
            write!(file, ",{column}")?;
        }
        writeln!(file, ",{NAMED}")?;
        bodies.iter().try_for_each(|body| line(file, body, names))
    })
}

fn line<D: Tabular>(file: &mut dyn Write, body: &BodyState<D>, names: &Names<'_>) -> io::Result<()> {
    write!(file, "{}", body.id)?;
    for number in D::numbers(body.pose.position, body.pose.rotation, body.velocity, body.spin) {
        write!(file, ",{number:.16e}")?;
    }
    writeln!(file, ",{}", names.fields(body.shape, body.material))
}
