//! Writing a trajectory, chunk by chunk.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use gritstone_engine::{Cell, Snapshot};

use super::cell;
use super::chunk::{CELL, DESCRIPTION, FRAME, GRAINS, pack, start};
use super::describe::{json, quantum, same_run};
use super::frame::{GrainList, encode};
use super::salvage::{Repaired, repair};
use super::{Description, PackedRotation, Reader};
use crate::file::{FileError, replace};

/// A trajectory that grows.
#[derive(Debug)]
pub struct Writer<D> {
    path: PathBuf,
    file: File,
    quantum: f64,
    /// The list of grains that frames now refer to.
    list: GrainList,
    lists: u32,
    frames: u32,
    last: Option<u64>,
    dimension: PhantomData<D>,
}

impl<D: PackedRotation> Writer<D> {
    /// Starts a trajectory, in place of any that is there.
    pub fn create(path: &Path, description: &Description<'_, D>) -> Result<Self, FileError> {
        replace(path, |file| {
            file.write_all(&start())?;
            file.write_all(&pack(DESCRIPTION, 0, 0, 0.0, json(description).to_string().as_bytes())?)
        })?;
        let file = OpenOptions::new().append(true).open(path).map_err(FileError::when("open", path))?;
        let (quantum, list) = (quantum::<D>(description.shapes), GrainList::default());
        Ok(Self {
            path: path.to_owned(),
            file,
            quantum,
            list,
            lists: 0,
            frames: 0,
            last: None,
            dimension: PhantomData,
        })
    }

    /// Looks whether a trajectory can be continued with, and changes nothing: one that is missing can.
    pub fn check(path: &Path, description: &Description<'_, D>) -> Result<(), FileError> {
        Self::open_same(path, description).map(|_| ())
    }

    /// The trajectory of the same shapes, walls and materials, if there is one.
    fn open_same(path: &Path, description: &Description<'_, D>) -> Result<Option<Reader>, FileError> {
        let reader = match Reader::open(path) {
            Err(FileError::System { source, .. }) if source.kind() == ErrorKind::NotFound => return Ok(None),
            opened => opened?,
        };
        if !same_run(reader.description(), &json(description)) {
            return Err(FileError::content(path, "it is of other shapes, walls or materials"));
        }
        Ok(Some(reader))
    }

    /// Goes on with a trajectory after `step`: later frames are cut off, and frames in which bytes have changed are left out,
    /// which is reported. Starts the trajectory where there is none.
    pub fn resume(
        path: &Path,
        description: &Description<'_, D>,
        step: u64,
    ) -> Result<(Self, Option<Repaired>), FileError> {
        if Self::open_same(path, description)?.is_none() {
            return Ok((Self::create(path, description)?, None));
        }
        let repaired = repair(path, step)?;
        let mut reader = Reader::open(path)?;
        reader.check()?;
        let kept = reader.kept(step);
        let list = if kept.lists == 0 { GrainList::default() } else { reader.list(kept.lists - 1)? };
        let mut file = OpenOptions::new().write(true).open(path).map_err(FileError::when("open", path))?;
        file.set_len(kept.end)
            .and_then(|()| file.seek(SeekFrom::End(0)))
            .map_err(FileError::when("shorten", path))?;
        let writer = Self {
            path: path.to_owned(),
            file,
            quantum: quantum::<D>(description.shapes),
            list,
            lists: kept.lists,
            frames: kept.frames,
            last: kept.last,
            dimension: PhantomData,
        };
        Ok((writer, repaired))
    }

    /// Step of the last frame.
    pub fn last_step(&self) -> Option<u64> {
        self.last
    }

    /// Adds a frame, with or without what touches what. A step that is there already is not written again.
    pub fn push(&mut self, snapshot: &Snapshot<D>, with_contacts: bool) -> Result<(), FileError> {
        self.push_in(snapshot, None, with_contacts)
    }

    /// The same for a world whose cell repeats.
    pub fn push_in(
        &mut self,
        snapshot: &Snapshot<D>,
        cell: Option<&Cell<D>>,
        with_contacts: bool,
    ) -> Result<(), FileError> {
        if self.last.is_some_and(|last| snapshot.step <= last) {
            return Ok(());
        }
        let failed = FileError::when("write", &self.path);
        let (mut bytes, mut lists) = (Vec::new(), self.lists);
        let list = GrainList::of(&snapshot.bodies);
        let result = (|| {
            if lists == 0 || list != self.list {
                bytes.extend(pack(GRAINS, lists, snapshot.step, snapshot.time, &list.encode())?);
                lists += 1;
            }
            if let Some(cell) = cell {
                bytes.extend(pack(CELL, self.frames, snapshot.step, snapshot.time, &cell::encode(cell))?);
            }
            let frame = encode(snapshot, lists - 1, self.quantum, with_contacts);
            bytes.extend(pack(FRAME, self.frames, snapshot.step, snapshot.time, &frame)?);
            // All at once, so that a reader that follows sees half a frame as rarely as can be.
            self.file.write_all(&bytes)
        })();
        result.map_err(failed)?;
        (self.list, self.lists) = (list, lists);
        self.frames += 1;
        self.last = Some(snapshot.step);
        Ok(())
    }

    /// Makes the frames so far survive a loss of power.
    pub fn sync(&self) -> Result<(), FileError> {
        self.file.sync_data().map_err(FileError::when("write", &self.path))
    }
}
