//! STL: triangles one by one, as text or as bytes.
//!
//! Bytes are 80 of any kind, the number of triangles as u32, and for each triangle its normal and corners as twelve f32 and a
//! u16, all little-endian. A file that is as long as its number says is of bytes, whatever it starts with: many programs
//! start these with "solid", too. Words of the text may be in capitals, and a byte order mark may stand before them.

use std::path::Path;

use glam::{DVec3, Vec3};

use super::{Corners, number, wrong};
use crate::file::FileError;
use crate::words::quote;

const HEAD: usize = 84;
const TRIANGLE: usize = 50;

pub(super) fn read(path: &Path, bytes: &[u8]) -> Result<Vec<Corners>, FileError> {
    if let Some(count) = announced(bytes) {
        if bytes.len() == HEAD + TRIANGLE * count {
            return binary(path, &bytes[HEAD..]);
        }
        if !starts_as_text(bytes) {
            let (found, needed) = (bytes.len(), HEAD + TRIANGLE * count);
            let what =
                format!("it has {count} triangles, which take {needed} bytes, but is {found} bytes long");
            return Err(FileError::content(path, &what));
        }
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => from_text(path, text),
        Err(_) => Err(FileError::content(path, "it is neither the text nor the bytes of an STL file")),
    }
}

/// What some programs put before a text.
const MARK: &str = "\u{feff}";

/// Whether the first word is that of a text.
fn starts_as_text(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(MARK.as_bytes()).unwrap_or(bytes).trim_ascii_start();
    text.get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"solid"))
}

/// How many triangles a binary file says that it has.
fn announced(bytes: &[u8]) -> Option<usize> {
    let count = bytes.get(80..HEAD)?.first_chunk::<4>()?;
    usize::try_from(u32::from_le_bytes(*count)).ok()
}

fn binary(path: &Path, bytes: &[u8]) -> Result<Vec<Corners>, FileError> {
    let float = |triangle: &[u8], i: usize| {
        let four = std::array::from_fn(|k| triangle[4 * i + k]);
        f32::from_le_bytes(four)
    };
    let corners = |(i, triangle): (usize, &[u8])| {
        let corner = |k: usize| {
            let [x, y, z] = [0, 1, 2].map(|axis| float(triangle, 3 + 3 * k + axis));
            Vec3::new(x, y, z).as_dvec3()
        };
        let corners = [0, 1, 2].map(corner);
        if corners.iter().all(|corner| corner.is_finite()) {
            Ok(corners)
        } else {
            let what = format!("triangle {} has a coordinate that is not finite", i + 1);
            Err(FileError::content(path, &what))
        }
    };
    bytes.chunks_exact(TRIANGLE).enumerate().map(corners).collect()
}

fn from_text(path: &Path, text: &str) -> Result<Vec<Corners>, FileError> {
    let (mut triangles, mut corners) = (Vec::new(), Vec::new());
    for (line, words) in text.strip_prefix(MARK).unwrap_or(text).lines().enumerate() {
        let mut words = words.split_whitespace();
        let word = words.next().map(str::to_ascii_lowercase);
        match word.as_deref() {
            Some("vertex") => {
                let mut next = || number(path, line + 1, words.next());
                corners.push(DVec3::new(next()?, next()?, next()?));
            }
            Some("endloop") => match corners[..] {
                [a, b, c] => {
                    triangles.push([a, b, c]);
                    corners.clear();
                }
                _ => {
                    let what = format!("a loop of {} vertices ends, but must have 3", corners.len());
                    return Err(wrong(path, line + 1, what));
                }
            },
            Some("solid" | "endsolid" | "facet" | "endfacet" | "outer") | None => {}
            Some(word) => {
                let what = format!("{} is no word of an STL file", quote(word));
                return Err(wrong(path, line + 1, what));
            }
        }
    }
    if corners.is_empty() { Ok(triangles) } else { Err(FileError::content(path, "it ends within a loop")) }
}
