//! Surfaces as triangles, from files of other programs: STL (text and binary), OBJ, and PLY (text and binary).
//!
//! Coordinates are taken as they are; the scene says what they are in. What is wrong is reported with the file, and the line or
//! the triangle. What a file says of normals, colours and groups is passed over: normals follow from the corners.

mod fans;
mod obj;
mod ply;
mod stl;

use std::io;
use std::path::Path;

use glam::DVec3;
use gritstone_files::memory;

use crate::file::FileError;
use crate::words::quote;

/// The corners of a triangle.
pub type Corners = [DVec3; 3];

/// Memory that a triangle takes with its edges and its place in grids (bytes).
const PER_TRIANGLE: u64 = 800;

/// Files are read that are no longer than what is read from them may be, divided by this: a triangle has fifty bytes in the
/// tersest file of triangles.
const PER_BYTE: u64 = PER_TRIANGLE / 50;

/// Reads the triangles of a file from its bytes.
type Reader = fn(&Path, &[u8]) -> Result<Vec<Corners>, FileError>;

/// The formats, by how file names end: one line for each.
static FORMATS: &[(&str, Reader)] = &[("stl", stl::read), ("obj", obj::read), ("ply", ply::read)];

/// The triangles of a file; its name says of what format it is.
pub fn read_triangles(path: &Path) -> Result<Vec<Corners>, FileError> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    let Some((_, read)) = FORMATS.iter().find(|(known, _)| *known == ending) else {
        let known: Vec<String> = FORMATS.iter().map(|(known, _)| format!(".{known}")).collect();
        let what = format!("its name must end in one of {}", known.join(", "));
        let source = io::Error::new(io::ErrorKind::InvalidInput, what);
        return Err(FileError::System { doing: "read", path: path.to_owned(), source });
    };
    let bytes =
        memory::read_at_most(path, memory::limit() / PER_BYTE).map_err(FileError::when("read", path))?;
    read(path, &bytes)
}

/// A coordinate in a text.
fn number(path: &Path, line: usize, word: Option<&str>) -> Result<f64, FileError> {
    let found = word.unwrap_or("nothing");
    let number = found.parse::<f64>().ok().filter(|x| x.is_finite());
    number.ok_or_else(|| wrong(path, line, format!("{} is where a finite coordinate must be", quote(found))))
}

fn wrong(path: &Path, line: usize, what: String) -> FileError {
    FileError::Line { path: path.to_owned(), line: line as u64, what }
}
