//! What is left of a trajectory in which bytes have changed: every frame whose bytes and whose list of grains are good.
//!
//! A chunk whose content has changed is stepped over. Behind a header that has changed, the next chunk is searched for: a
//! header has a checksum of its own, so that other bytes are taken for one once in four billion places that look like a tag.

use std::io::{Read as _, Seek, SeekFrom};
use std::path::Path;

use super::chunk::{CELL, ChunkHeader, DESCRIPTION, FRAME, GRAINS, HEADER, START, pack, start, unpack};
use super::frame::{GrainList, list_of};
use super::reader::{Entry, Reader};
use crate::file::{FileError, replace};

/// How a trajectory was repaired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repaired {
    /// Places at which bytes had changed.
    pub damaged: usize,
    /// Byte of the first of them.
    pub offset: u64,
    /// Frames that are left.
    pub frames: usize,
}

impl std::fmt::Display for Repaired {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { damaged, offset, frames } = self;
        let places = if *damaged == 1 { "place" } else { "places" };
        write!(
            f,
            "bytes have changed in {damaged} {places}, first at byte {offset}; damaged frames are left out, {frames} are kept"
        )
    }
}

/// Writes the file anew with its good frames up to a step, if there are any behind a damaged place; how it was done, if so.
pub(super) fn repair(path: &Path, step: u64) -> Result<Option<Repaired>, FileError> {
    let mut reader = Reader::open(path)?;
    let (good, damaged) = good_chunks(&mut reader, step)?;
    let Some(&offset) = damaged.first() else { return Ok(None) };
    if !good.iter().any(|entry| entry.offset > offset) {
        return Ok(None);
    }
    let frames = good.iter().filter(|entry| entry.header.tag == FRAME).count();
    replace(path, |file| {
        file.write_all(&start())?;
        let (mut lists, mut number) = (0, 0);
        for entry in &good {
            let header = match entry.header.tag {
                GRAINS => {
                    // Frames refer to lists by their place: an empty one stands for each that is lost.
                    while lists < entry.header.number {
                        file.write_all(&pack(GRAINS, lists, 0, 0.0, &GrainList::default().encode())?)?;
                        lists += 1;
                    }
                    lists += 1;
                    entry.header
                }
                _ => ChunkHeader { number, ..entry.header },
            };
            number += u32::from(header.tag == FRAME);
            file.write_all(&header.to_bytes())?;
            file.write_all(&reader.stored(entry)?)?;
        }
        Ok(())
    })?;
    Ok(Some(Repaired { damaged: damaged.len(), offset, frames }))
}

/// The chunks that can be used, up to a step, and where others are that cannot.
fn good_chunks(reader: &mut Reader, step: u64) -> Result<(Vec<Entry>, Vec<u64>), FileError> {
    let path = reader.path().to_owned();
    let (mut good, mut damaged, mut lists) = (Vec::<Entry>::new(), Vec::new(), Vec::new());
    let mut cell = None;
    reader.end = START as u64;
    loop {
        let offset = reader.end;
        let entry = match reader.next_chunk().map_err(FileError::when("read", &path))? {
            Ok(None) => break,
            Ok(Some(entry)) => entry,
            Err(_) => {
                damaged.push(offset);
                if !find_chunk(reader).map_err(FileError::when("read", &path))? {
                    break;
                }
                continue;
            }
        };
        let header = entry.header;
        if header.tag != DESCRIPTION && header.step > step {
            break;
        }
        let stored = reader.stored(&entry).map_err(FileError::when("read", &path))?;
        let Ok(payload) = unpack(&header, &stored) else {
            damaged.push(offset);
            continue;
        };
        match header.tag {
            CELL => cell = Some(entry),
            FRAME => {
                if list_of(&payload).is_some_and(|list| lists.contains(&list)) {
                    good.extend(cell.take().filter(|cell: &Entry| cell.header.number == header.number));
                    good.push(entry);
                }
            }
            GRAINS => {
                lists.push(header.number);
                good.push(entry);
            }
            _ => good.push(entry),
        }
    }
    Ok((good, damaged))
}

/// Goes on to the next place that is the start of a chunk; whether there is one.
fn find_chunk(reader: &mut Reader) -> std::io::Result<bool> {
    const BLOCK: usize = 1 << 20;
    let length = reader.file.metadata()?.len();
    let mut from = reader.end + 1;
    while from + HEADER as u64 <= length {
        let count = (length - from).min(BLOCK as u64) as usize;
        let mut block = vec![0; count];
        reader.file.seek(SeekFrom::Start(from))?;
        reader.file.read_exact(&mut block)?;
        let fits = |at: &usize, bytes: &[u8; HEADER]| {
            let header = ChunkHeader::from_bytes(bytes);
            header.is_some_and(|header| from + (*at + HEADER) as u64 + u64::from(header.stored) <= length)
        };
        let found = (0..(count + 1).saturating_sub(HEADER)).find(|at| {
            let Some(bytes) = block[*at..].first_chunk::<HEADER>() else { return false };
            [GRAINS, CELL, FRAME].iter().any(|tag| bytes.starts_with(tag)) && fits(at, bytes)
        });
        if let Some(at) = found {
            reader.end = from + at as u64;
            return Ok(true);
        }
        // A header may lie across the end of a block.
        from += (count - HEADER + 1) as u64;
    }
    Ok(false)
}
