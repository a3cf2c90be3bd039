//! A trajectory for those who read it somewhere else: its headers without what they head, and copies with fewer frames.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use gritstone_files::memory;

use super::Reader;
use super::chunk::{CELL, ChunkHeader, DESCRIPTION, FRAME, GRAINS, HEADER, pack, start};
use super::frame::list_of;
use crate::file::FileError;

/// The headers of all chunks that start at byte `from` or later, one behind the other: 40 bytes each, fewer where the file
/// ends within one. `from` must be where a chunk starts. Nothing comes after a header whose checksum does not fit, because it
/// does not tell where the next one is.
pub fn headers(path: &Path, from: u64) -> Result<Vec<u8>, FileError> {
    let mut file = File::open(path).map_err(FileError::when("open", path))?;
    read_headers(&mut file, from).map_err(FileError::when("read", path))
}

/// Headers may be there so many times at once while they are sent; what is beyond is requested next.
const COPIES: u64 = 64;

fn read_headers(file: &mut File, mut at: u64) -> io::Result<Vec<u8>> {
    let mut found = Vec::new();
    loop {
        file.seek(SeekFrom::Start(at))?;
        let before = found.len();
        file.take(HEADER as u64).read_to_end(&mut found)?;
        let header = found[before..].first_chunk::<HEADER>().and_then(ChunkHeader::from_bytes);
        let Some(header) = header else { return Ok(found) };
        if found.len() as u64 > memory::limit() / COPIES {
            return Ok(found);
        }
        at += HEADER as u64 + u64::from(header.stored);
    }
}

impl Reader {
    /// Writes a trajectory with some of the frames, which are given by their numbers in rising order.
    pub fn copy_frames(&mut self, numbers: &[usize], out: &mut dyn Write) -> Result<(), FileError> {
        let path = self.path().to_owned();
        let failed = || FileError::when("copy", &path);
        let description = pack(DESCRIPTION, 0, 0, 0.0, self.description().to_string().as_bytes());
        let first = description.and_then(|chunk| out.write_all(&[start(), chunk].concat()));
        first.map_err(failed())?;
        let (mut list, mut lists) = (None, 0);
        for (count, &number) in numbers.iter().enumerate() {
            let (moment, mut payload) = self.frame_payload(number)?;
            let needed = list_of(&payload);
            let mut chunks = Vec::new();
            if needed != list {
                let grains = self.list(needed.unwrap_or_default())?.encode();
                chunks.push(pack(GRAINS, lists, moment.step, moment.time, &grains).map_err(failed())?);
                (list, lists) = (needed, lists + 1);
            }
            if let Some(cell) = self.cell_payload(number)? {
                chunks.push(pack(CELL, count as u32, moment.step, moment.time, &cell).map_err(failed())?);
            }
            // Lists have other numbers here than in the original.
            payload[..4].copy_from_slice(&(lists - 1).to_le_bytes());
            chunks.push(pack(FRAME, count as u32, moment.step, moment.time, &payload).map_err(failed())?);
            out.write_all(&chunks.concat()).map_err(failed())?;
        }
        Ok(())
    }
}
