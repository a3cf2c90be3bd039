//! Checkpoints: the engine's bytes, with what is needed to trust them.
//!
//! A folder holds `checkpoint.bin`, the last one, and `checkpoint.previous.bin`, the one before. A checkpoint is written
//! aside, brought to the disk and renamed, so that a run can be killed at any moment; a file that is torn, altered, of
//! another version or of another scene is refused with the reason, and the one before it taken.
//!
//! All numbers are little-endian:
//!
//! | at | bytes | what |
//! |---|---|---|
//! | 0 | 8 | `GRITCHK` and a line feed |
//! | 8 | 4 | version of this layout |
//! | 12 | 4 | version of the payload, which is the engine's affair |
//! | 16 | 8 | hash of the scene |
//! | 24 | 8 | step |
//! | 32 | 8 | time (s) |
//! | 40 | 8 | length of the payload |
//! | 48 | 8 | XXH3 of bytes 0 to 48 and of the payload |
//! | 56 | | payload |

use std::path::{Path, PathBuf};

use gritstone_files::memory;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::file::{FileError, rename, sync_folder, write_aside};

/// Name of the last checkpoint.
pub const LATEST: &str = "checkpoint.bin";
/// Name of the one before.
pub const PREVIOUS: &str = "checkpoint.previous.bin";

const MAGIC: &[u8; 8] = b"GRITCHK\n";
const VERSION: u32 = 1;
/// Where the checksum is, and what it covers of the header.
const CHECKSUM: usize = 48;
const HEADER: usize = 56;

/// A world takes about so many times the bytes of its checkpoint, which are there as well.
const PER_BYTE: u64 = 3;

/// What a checkpoint says of itself.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stamp {
    /// Version of the payload.
    pub payload_version: u32,
    /// Hash of the scene that the run is of, see [`scene_hash`].
    pub scene: u64,
    /// Steps made since the start.
    pub step: u64,
    /// Simulated time (s).
    pub time: f64,
}

/// A checkpoint.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Checkpoint {
    /// What it says of itself.
    pub stamp: Stamp,
    /// The engine's bytes.
    pub payload: Vec<u8>,
}

/// What the payload of a run's checkpoint holds, each with its length before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Payload<'p> {
    /// The scene, from which another run knows what bodies and walls are.
    pub scene: &'p [u8],
    /// What the run keeps beside its world.
    pub run: &'p [u8],
    /// The engine's bytes.
    pub world: &'p [u8],
}

impl<'p> Payload<'p> {
    /// The parts as one.
    pub fn to_bytes(self) -> Vec<u8> {
        let parts = [self.scene, self.run, self.world];
        let mut bytes = Vec::with_capacity(parts.iter().map(|part| 8 + part.len()).sum());
        for part in parts {
            bytes.extend((part.len() as u64).to_le_bytes());
            bytes.extend(part);
        }
        bytes
    }

    /// The parts of a payload; none where it is too short for them.
    pub fn read(bytes: &'p [u8]) -> Option<Self> {
        let mut rest = bytes;
        let mut part = || {
            let (length, behind) = rest.split_first_chunk::<8>()?;
            let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
            let part;
            (part, rest) = behind.split_at_checked(length)?;
            Some(part)
        };
        Some(Self { scene: part()?, run: part()?, world: part()? })
    }
}

/// What a reader insists on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Expected {
    /// Version of the payload; nothing where the reader looks at it itself.
    pub payload_version: Option<u32>,
    /// Hash of the scene; nothing where a run shall continue with another scene.
    pub scene: Option<u64>,
}

/// Why a checkpoint is not used.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// There is no such file.
    #[error("there is none")]
    Missing,
    /// The system refused.
    #[error("it cannot be read: {0}")]
    System(std::io::Error),
    /// It is another kind of file.
    #[error("it is not a checkpoint")]
    Foreign,
    /// Its layout is another.
    #[error("its layout is version {found}, but this program reads version {VERSION}")]
    Version {
        /// The version it has.
        found: u32,
    },
    /// It ends too early, or continues too long.
    #[error("it is truncated: {found} bytes instead of {expected}")]
    Torn {
        /// Bytes that it has.
        found: u64,
        /// Bytes that it must have.
        expected: u64,
    },
    /// Bits have changed.
    #[error("its checksum does not match: some of its bytes have changed since it was written")]
    Altered,
    /// It was written by another version of the engine.
    #[error("its content is version {found}, but this program reads version {expected}")]
    PayloadVersion {
        /// The version it has.
        found: u32,
        /// The version it must have.
        expected: u32,
    },
    /// The files of its run are not what they were when it was written.
    #[error("{0}")]
    Files(String),
    /// It is of another scene.
    #[error("it is of another scene (hash {found:016x} instead of {expected:016x})")]
    OtherScene {
        /// Hash of its scene.
        found: u64,
        /// Hash of the scene at hand.
        expected: u64,
    },
}

/// The newest checkpoint that can be used.
#[derive(Debug)]
pub struct Latest {
    /// The checkpoint.
    pub checkpoint: Checkpoint,
    /// Where it was found.
    pub path: PathBuf,
    /// A newer one that was refused, and why.
    pub refused: Option<(PathBuf, Refusal)>,
}

/// No checkpoint of a folder can be used.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.text())]
pub struct NoCheckpoint {
    /// Each place that was looked at, and what was wrong there.
    pub refused: Vec<(PathBuf, Refusal)>,
}

impl NoCheckpoint {
    /// Whether there is none at all, so that a run may simply start.
    pub fn nothing_there(&self) -> bool {
        self.refused.iter().all(|(_, why)| matches!(why, Refusal::Missing))
    }

    fn text(&self) -> String {
        let each: Vec<String> =
            self.refused.iter().map(|(path, why)| format!("{}: {why}", path.display())).collect();
        format!("no checkpoint can be used\n{}", each.join("\n"))
    }
}

/// Hash of a scene's text, for [`Stamp::scene`]: the same on every machine and in every version.
pub fn scene_hash(text: &[u8]) -> u64 {
    xxh3_64(text)
}

/// Writes a checkpoint into a folder, and keeps the one before.
pub fn write(folder: &Path, stamp: &Stamp, payload: &[u8]) -> Result<(), FileError> {
    let (latest, previous) = (folder.join(LATEST), folder.join(PREVIOUS));
    let header = header(stamp, payload);
    let aside = write_aside(
        &latest,
        |file| {
            file.write_all(&header)?;
            file.write_all(payload)
        },
        true,
    )?;
    // A bad file must not push out a good one.
    if memory::read_at_most(&latest, memory::limit()).is_ok_and(|bytes| check(&bytes).is_ok()) {
        rename(&latest, &previous)?;
    }
    aside.place().map_err(FileError::when("rename a file to", &latest))?;
    sync_folder(folder)
}

/// Reads the newest checkpoint of a folder that can be used.
pub fn read_latest(folder: &Path, expected: &Expected) -> Result<Latest, NoCheckpoint> {
    let mut refused = Vec::new();
    for name in [LATEST, PREVIOUS] {
        let path = folder.join(name);
        match read(&path, expected) {
            Ok(checkpoint) => return Ok(Latest { checkpoint, path, refused: refused.pop() }),
            Err(why) => refused.push((path, why)),
        }
    }
    Err(NoCheckpoint { refused })
}

/// Reads one file.
pub fn read(path: &Path, expected: &Expected) -> Result<Checkpoint, Refusal> {
    let mut bytes =
        memory::read_at_most(path, memory::limit() / PER_BYTE).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => Refusal::Missing,
            _ => Refusal::System(error),
        })?;
    let stamp = check(&bytes)?;
    if let Some(expected) = expected.payload_version.filter(|version| *version != stamp.payload_version) {
        return Err(Refusal::PayloadVersion { found: stamp.payload_version, expected });
    }
    match expected.scene {
        Some(expected) if expected != stamp.scene => {
            Err(Refusal::OtherScene { found: stamp.scene, expected })
        }
        _ => {
            bytes.drain(..HEADER);
            Ok(Checkpoint { stamp, payload: bytes })
        }
    }
}

fn header(stamp: &Stamp, payload: &[u8]) -> Vec<u8> {
    let mut header = Vec::with_capacity(HEADER);
    header.extend(MAGIC);
    header.extend(VERSION.to_le_bytes());
    header.extend(stamp.payload_version.to_le_bytes());
    header.extend(stamp.scene.to_le_bytes());
    header.extend(stamp.step.to_le_bytes());
    header.extend(stamp.time.to_le_bytes());
    header.extend((payload.len() as u64).to_le_bytes());
    header.extend(checksum(&header, payload).to_le_bytes());
    header
}

fn checksum(header: &[u8], payload: &[u8]) -> u64 {
    let mut hash = Xxh3::new();
    hash.update(header);
    hash.update(payload);
    hash.digest()
}

/// Checks a whole file and returns its stamp.
fn check(bytes: &[u8]) -> Result<Stamp, Refusal> {
    let found = bytes.len() as u64;
    if !bytes.starts_with(&MAGIC[..MAGIC.len().min(bytes.len())]) {
        return Err(Refusal::Foreign);
    }
    let Some((header, payload)) = bytes.split_first_chunk::<HEADER>() else {
        return Err(Refusal::Torn { found, expected: HEADER as u64 });
    };
    let (u32_at, u64_at) =
        (|at| u32::from_le_bytes(field(header, at)), |at| u64::from_le_bytes(field(header, at)));
    if u32_at(8) != VERSION {
        return Err(Refusal::Version { found: u32_at(8) });
    }
    let expected = u64_at(40).saturating_add(HEADER as u64);
    if found != expected {
        return Err(Refusal::Torn { found, expected });
    }
    if checksum(&header[..CHECKSUM], payload) != u64_at(CHECKSUM) {
        return Err(Refusal::Altered);
    }
    Ok(Stamp {
        payload_version: u32_at(12),
        scene: u64_at(16),
        step: u64_at(24),
        time: f64::from_bits(u64_at(32)),
    })
}

/// The bytes of one field of the header.
fn field<const N: usize>(header: &[u8; HEADER], at: usize) -> [u8; N] {
    std::array::from_fn(|i| header[at + i])
}
