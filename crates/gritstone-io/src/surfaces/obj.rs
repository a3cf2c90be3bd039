//! OBJ: vertices, and faces that name them. Faces with more corners than three are cut into triangles from their first corner.

use std::path::Path;

use glam::DVec3;

use super::fans::Fans;
use super::{Corners, number, wrong};
use crate::file::FileError;
use crate::words::quote;

pub(super) fn read(path: &Path, bytes: &[u8]) -> Result<Vec<Corners>, FileError> {
    let text = String::from_utf8_lossy(bytes);
    let (mut points, mut fans) = (Vec::new(), Fans::new());
    for (line, words) in text.lines().enumerate() {
        let mut words = words.split_whitespace();
        match words.next() {
            Some("v") => {
                let mut next = || number(path, line + 1, words.next());
                points.push(DVec3::new(next()?, next()?, next()?));
            }
            Some("f") => {
                let mut corners = Vec::new();
                for word in words {
                    corners.push(corner(path, line + 1, word, &points)?);
                    fans.check(fans.len(), corners.len()).map_err(|what| wrong(path, line + 1, what))?;
                }
                if corners.len() < 3 {
                    let what = format!("a face has {} corners, but must have 3 or more", corners.len());
                    return Err(wrong(path, line + 1, what));
                }
                fans.push(&corners).map_err(|what| wrong(path, line + 1, what))?;
            }
            _ => {}
        }
    }
    Ok(fans.into_triangles())
}

/// The vertex that a word such as `7`, `7/2/5` or `-1` names.
fn corner(path: &Path, line: usize, word: &str, points: &[DVec3]) -> Result<DVec3, FileError> {
    let index = word.split('/').next().and_then(|index| index.parse::<i64>().ok());
    let place = index.and_then(|index| match index {
        1.. => usize::try_from(index - 1).ok(),
        0 => None,
        // Counted back from the last one so far.
        back => points.len().checked_sub(usize::try_from(back.checked_neg()?).ok()?),
    });
    place.and_then(|place| points.get(place)).copied().ok_or_else(|| {
        wrong(path, line, format!("{} names no vertex; there are {} so far", quote(word), points.len()))
    })
}
