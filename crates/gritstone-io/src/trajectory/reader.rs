//! Reading a trajectory, also one that is being written, or that was cut or altered.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use gritstone_core::{Pose, Vector as _};
use gritstone_engine::Part;
use gritstone_files::memory;
use serde_json::Value;

use super::cell;
use super::chunk::{CELL, ChunkHeader, DESCRIPTION, FRAME, GRAINS, HEADER, START, unpack, wrong_start};
use super::frame::{GrainList, decode, list_of};
use super::{Frame, PackedRotation};
use crate::file::FileError;

/// Where a file stops being a trajectory, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Byte at which the first bad chunk starts.
    pub offset: u64,
    /// What is wrong with it.
    pub why: String,
    /// Frames before it.
    pub frames_before: usize,
}

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "it is good for {} frames, up to byte {}: {}", self.frames_before, self.offset, self.why)
    }
}

/// When a frame was taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// Steps made since the start.
    pub step: u64,
    /// Simulated time (s).
    pub time: f64,
}

/// What is wrong with a chunk whose checksum fits, but that was not made by our rules.
const MISFIT: &str = "its numbers do not fit together";

/// A chunk and where it starts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) offset: u64,
    pub(super) header: ChunkHeader,
}

/// What is left of a file that is cut after a step.
pub(super) struct Kept {
    pub(super) end: u64,
    pub(super) lists: u32,
    pub(super) frames: u32,
    pub(super) last: Option<u64>,
}

/// An open trajectory.
#[derive(Debug)]
pub struct Reader {
    path: PathBuf,
    pub(super) file: File,
    description: Value,
    lists: Vec<Entry>,
    /// By the number of the frame that comes after.
    cells: BTreeMap<usize, Entry>,
    frames: Vec<Entry>,
    moments: Vec<Moment>,
    /// Where the next chunk would start.
    pub(super) end: u64,
    broken: Option<Broken>,
}

impl Reader {
    /// Opens a file and finds its frames, without reading them. A file whose description is good can be opened, whatever
    /// comes after it; see [`broken`](Self::broken).
    pub fn open(path: &Path) -> Result<Self, FileError> {
        let mut file = File::open(path).map_err(FileError::when("open", path))?;
        let mut first = Vec::new();
        file.by_ref().take(START as u64).read_to_end(&mut first).map_err(FileError::when("read", path))?;
        if let Some(why) = wrong_start(&first) {
            return Err(FileError::content(path, why));
        }
        let mut reader = Self {
            path: path.to_owned(),
            file,
            description: Value::Null,
            lists: Vec::new(),
            cells: BTreeMap::new(),
            frames: Vec::new(),
            moments: Vec::new(),
            end: START as u64,
            broken: None,
        };
        let described = match reader.next_chunk().map_err(FileError::when("read", path))? {
            Ok(Some(entry)) if entry.header.tag == DESCRIPTION => reader.payload(&entry)?,
            Ok(_) => return Err(FileError::content(path, "it does not start with a description")),
            Err(why) => return Err(FileError::content(path, format!("its description is broken: {why}"))),
        };
        reader.description = serde_json::from_slice(&described)
            .map_err(|error| FileError::content(path, format!("its description cannot be read: {error}")))?;
        reader.refresh()?;
        Ok(reader)
    }

    /// Shapes, walls and materials, as `docs/trajectory.md` describes them.
    pub fn description(&self) -> &Value {
        &self.description
    }

    /// 2 or 3.
    pub fn dimension(&self) -> usize {
        self.description["dimension"].as_u64().unwrap_or(0) as usize
    }

    /// The shapes that grains have.
    pub fn shapes<D: PackedRotation>(&self) -> Result<Vec<D::Shape>, FileError> {
        self.shapes_of::<D>("shapes")
    }

    /// The parts of those shapes that have any, by their indices: shapes and where they are in the grain's frame.
    pub fn parts<D: PackedRotation>(&self) -> Result<BTreeMap<u32, Vec<Part<D>>>, FileError> {
        let entries = self.description["shapes"].as_array().map_or(&[][..], Vec::as_slice);
        let mut parts = BTreeMap::new();
        for (i, description) in
            entries.iter().zip(0..).filter_map(|(entry, i)| Some((i, entry["parts"].as_array()?)))
        {
            let read: Result<Vec<_>, String> = description.iter().map(part::<D>).collect();
            let read = read.map_err(|why| {
                FileError::content(&self.path, format!("the parts of its shape {i} cannot be read: {why}"))
            })?;
            parts.insert(i, read);
        }
        Ok(parts)
    }

    /// The shapes of the walls.
    pub fn wall_shapes<D: PackedRotation>(&self) -> Result<Vec<D::Shape>, FileError> {
        self.shapes_of::<D>("walls")
    }

    fn shapes_of<D: PackedRotation>(&self, key: &str) -> Result<Vec<D::Shape>, FileError> {
        let entries = self.description[key].as_array().map_or(&[][..], Vec::as_slice);
        let shape = |entry: &Value| D::from_description(&entry["shape"]);
        let shapes: Result<_, String> = entries.iter().map(shape).collect();
        shapes.map_err(|why| FileError::content(&self.path, format!("its {key} cannot be read: {why}")))
    }

    /// When the frames were taken.
    pub fn moments(&self) -> &[Moment] {
        &self.moments
    }

    /// What is wrong with the file behind its last frame, as far as is known: a file that was cut is found out at once,
    /// altered bytes when they are read or [checked](Self::check).
    pub fn broken(&self) -> Option<&Broken> {
        self.broken.as_ref()
    }

    /// Looks for frames that were written since; returns how many. A chunk that was half-written is looked at again.
    pub fn refresh(&mut self) -> Result<usize, FileError> {
        let before = self.frames.len();
        self.broken = None;
        loop {
            match self.next_chunk().map_err(FileError::when("read", &self.path))? {
                Ok(None) => break,
                Ok(Some(_)) if !self.has_room() => {
                    let why =
                        format!("more chunks than {} bytes of memory hold (--memory-limit)", memory::limit());
                    self.broken = Some(Broken { offset: self.end, why, frames_before: self.frames.len() });
                    break;
                }
                Ok(Some(entry)) => self.list_chunk(entry),
                Err(why) => {
                    self.broken = Some(Broken { offset: self.end, why, frames_before: self.frames.len() });
                    break;
                }
            }
        }
        Ok(self.frames.len() - before)
    }

    /// Whether memory allows more chunks: a file may be nothing but headers.
    fn has_room(&self) -> bool {
        let count = self.lists.len() + self.cells.len() + self.frames.len();
        count as u64 <= memory::limit() / (4 * size_of::<Entry>() as u64)
    }

    /// One frame.
    pub fn frame<D: PackedRotation>(&mut self, number: usize) -> Result<Frame<D>, FileError> {
        if self.dimension() != D::N {
            let what = format!("it has {} dimensions, not {}", self.dimension(), D::N);
            return Err(FileError::content(&self.path, what));
        }
        let (moment, payload) = self.frame_payload(number)?;
        let list = self.list(list_of(&payload).unwrap_or_default())?;
        let frame = decode(&payload, &list).ok_or_else(|| self.bad(&self.frames[number], MISFIT))?;
        let cell = self.cell_payload(number)?.as_deref().and_then(cell::decode);
        Ok(Frame { step: moment.step, time: moment.time, cell, ..frame })
    }

    /// When a frame was taken, and its bytes: four at least, which tell its list of grains.
    pub(super) fn frame_payload(&mut self, number: usize) -> Result<(Moment, Vec<u8>), FileError> {
        let Some(&entry) = self.frames.get(number) else {
            let what = format!("frame {number} is not among its {}", self.frames.len());
            return Err(FileError::content(&self.path, what));
        };
        let payload = self.payload(&entry)?;
        if list_of(&payload).is_none() {
            return Err(self.bad(&entry, MISFIT));
        }
        Ok((self.moments[number], payload))
    }

    /// The cell of a frame, if there is one.
    pub(super) fn cell_payload(&mut self, number: usize) -> Result<Option<Vec<u8>>, FileError> {
        let entry = self.cells.get(&number).copied();
        entry.map(|entry| self.payload(&entry)).transpose()
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the whole file and drops all that comes after the first altered byte.
    pub fn check(&mut self) -> Result<(), FileError> {
        let others = self.lists.iter().chain(self.cells.values());
        let mut all: Vec<Entry> = others.chain(&self.frames).copied().collect();
        all.sort_by_key(|entry| entry.offset);
        for entry in all {
            let stored = self.stored(&entry).map_err(FileError::when("read", &self.path))?;
            if let Err(why) = unpack(&entry.header, &stored) {
                self.lists.retain(|other| other.offset < entry.offset);
                self.cells.retain(|_, other| other.offset < entry.offset);
                self.frames.retain(|other| other.offset < entry.offset);
                self.moments.truncate(self.frames.len());
                self.end = entry.offset;
                self.broken = Some(Broken { offset: entry.offset, why, frames_before: self.frames.len() });
                break;
            }
        }
        Ok(())
    }

    /// What there is up to a step.
    pub(super) fn kept(&self, step: u64) -> Kept {
        let kept = |entries: &[Entry]| entries.iter().take_while(|entry| entry.header.step <= step).count();
        let (lists, frames) = (kept(&self.lists), kept(&self.frames));
        let dropped =
            self.lists.get(lists).into_iter().chain(self.cells.get(&frames)).chain(self.frames.get(frames));
        Kept {
            end: dropped.map(|entry| entry.offset).min().unwrap_or(self.end),
            lists: lists as u32,
            frames: frames as u32,
            last: frames.checked_sub(1).map(|i| self.frames[i].header.step),
        }
    }

    /// A list of grains.
    pub(super) fn list(&mut self, number: u32) -> Result<GrainList, FileError> {
        let Some(&entry) = self.lists.get(number as usize) else {
            return Err(FileError::content(&self.path, format!("its list of grains {number} is missing")));
        };
        let payload = self.payload(&entry)?;
        GrainList::decode(&payload).ok_or_else(|| self.bad(&entry, MISFIT))
    }

    fn bad(&self, entry: &Entry, why: &str) -> FileError {
        FileError::content(&self.path, format!("the chunk at byte {} is bad: {why}", entry.offset))
    }

    fn payload(&mut self, entry: &Entry) -> Result<Vec<u8>, FileError> {
        let stored = self.stored(entry).map_err(FileError::when("read", &self.path))?;
        unpack(&entry.header, &stored).map_err(|why| self.bad(entry, &why))
    }

    pub(super) fn stored(&mut self, entry: &Entry) -> io::Result<Vec<u8>> {
        let mut stored = vec![0; entry.header.stored as usize];
        self.file.seek(SeekFrom::Start(entry.offset + HEADER as u64))?;
        self.file.read_exact(&mut stored)?;
        Ok(stored)
    }

    fn list_chunk(&mut self, entry: Entry) {
        let header = &entry.header;
        match header.tag {
            GRAINS => self.lists.push(entry),
            CELL => drop(self.cells.insert(self.frames.len(), entry)),
            FRAME => {
                self.moments.push(Moment { step: header.step, time: header.time });
                self.frames.push(entry);
            }
            // Later versions may have more kinds.
            _ => {}
        }
    }

    /// The next chunk, nothing at the end of the file, or why there is none.
    pub(super) fn next_chunk(&mut self) -> io::Result<Result<Option<Entry>, String>> {
        let (offset, length) = (self.end, self.file.metadata()?.len());
        let left = length.saturating_sub(offset);
        if left == 0 {
            return Ok(Ok(None));
        }
        if left < HEADER as u64 {
            return Ok(Err("the file ends in the middle of a chunk".to_owned()));
        }
        let mut bytes = [0; HEADER];
        self.file.seek(SeekFrom::Start(offset))?;
        self.file.read_exact(&mut bytes)?;
        let Some(header) = ChunkHeader::from_bytes(&bytes) else {
            return Ok(Err("the checksum of its header does not fit: bytes have changed".to_owned()));
        };
        let end = offset + HEADER as u64 + u64::from(header.stored);
        if end > length {
            return Ok(Err("the file ends in the middle of a chunk".to_owned()));
        }
        self.end = end;
        Ok(Ok(Some(Entry { offset, header })))
    }
}

/// A part of a shape.
fn part<D: PackedRotation>(description: &Value) -> Result<Part<D>, String> {
    let numbers = |key: &str, count: usize| -> Result<Vec<f64>, String> {
        let list = description[key].as_array().map_or(&[][..], Vec::as_slice);
        let list: Vec<f64> = list.iter().filter_map(Value::as_f64).filter(|x| x.is_finite()).collect();
        if list.len() == count { Ok(list) } else { Err(format!("\"{key}\" is not {count} numbers")) }
    };
    let (position, rotation) = (numbers("position", D::N)?, numbers("rotation", 4)?);
    let rotation = D::from_quaternion(std::array::from_fn(|i| rotation[i]));
    let pose = Pose::new(D::Vec::from_fn(|i| position[i]), rotation);
    Ok(Part { shape: D::from_description(&description["shape"])?, pose })
}
