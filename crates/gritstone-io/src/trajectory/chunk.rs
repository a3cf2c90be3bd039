//! Chunks: what the file is a chain of.

use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use gritstone_files::memory;

/// What a file starts with: no text, and altered by whatever alters the ends of lines.
pub(super) const MAGIC: &[u8; 8] = b"\x89GRIT\r\n\x1a";
/// Version of the layout.
pub(super) const VERSION: u32 = 2;
/// Bytes before the first chunk.
pub(super) const START: usize = 16;
/// Bytes of a chunk before its payload.
pub(super) const HEADER: usize = 40;

/// A frame takes at most so many times the bytes of its payload while it is read, and a description, which is JSON.
const PER_BYTE: [u64; 2] = [8, 64];

/// Kinds of chunks; readers skip those they do not know.
pub(super) const DESCRIPTION: [u8; 4] = *b"HEAD";
pub(super) const GRAINS: [u8; 4] = *b"GRNS";
pub(super) const CELL: [u8; 4] = *b"CELL";
pub(super) const FRAME: [u8; 4] = *b"FRAM";

/// What stands before a payload.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ChunkHeader {
    pub(super) tag: [u8; 4],
    /// Bytes of the payload in the file.
    pub(super) stored: u32,
    /// Bytes of the payload without compression.
    pub(super) raw: u32,
    /// CRC-32 of the payload in the file.
    pub(super) checksum: u32,
    pub(super) step: u64,
    pub(super) time: f64,
    /// Counts chunks of the same kind, from zero.
    pub(super) number: u32,
}

/// The first bytes of a file.
pub(super) fn start() -> Vec<u8> {
    [&MAGIC[..], &VERSION.to_le_bytes(), &[0; 4]].concat()
}

/// Why bytes are not the start of a trajectory; nothing when they are.
pub(super) fn wrong_start(bytes: &[u8]) -> Option<String> {
    let known = MAGIC.len().min(bytes.len());
    if bytes[..known] != MAGIC[..known] {
        return Some("it is not a trajectory".to_owned());
    }
    let Some(version) = bytes.get(8..12).filter(|_| bytes.len() >= START) else {
        return Some("it ends before its description".to_owned());
    };
    let version = u32::from_le_bytes([version[0], version[1], version[2], version[3]]);
    (version != VERSION)
        .then(|| format!("its layout is version {version}, but this program reads version {VERSION}"))
}

/// A whole chunk.
pub(super) fn pack(tag: [u8; 4], number: u32, step: u64, time: f64, payload: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(vec![0; HEADER], Compression::fast());
    encoder.write_all(payload)?;
    let mut chunk = encoder.finish()?;
    let length = |bytes: usize| {
        u32::try_from(bytes).map_err(|_| io::Error::other("a frame of more than 4 GiB cannot be stored"))
    };
    let header = ChunkHeader {
        tag,
        stored: length(chunk.len() - HEADER)?,
        raw: length(payload.len())?,
        checksum: crc32fast::hash(&chunk[HEADER..]),
        step,
        time,
        number,
    };
    chunk[..HEADER].copy_from_slice(&header.to_bytes());
    Ok(chunk)
}

/// The payload, or why there is none.
pub(super) fn unpack(header: &ChunkHeader, stored: &[u8]) -> Result<Vec<u8>, String> {
    if crc32fast::hash(stored) != header.checksum {
        return Err("the checksum of its content does not fit: bytes have changed".to_owned());
    }
    // A few bytes may promise thousands of times as many.
    let most = memory::limit() / PER_BYTE[usize::from(header.tag == DESCRIPTION)];
    if u64::from(header.raw) > most {
        return Err(format!(
            "its content has {} bytes, but at most {most} may be read (--memory-limit)",
            header.raw
        ));
    }
    let mut payload = Vec::new();
    // One byte more than promised is enough to know that the promise is wrong.
    let mut decoder = ZlibDecoder::new(stored).take(u64::from(header.raw) + 1);
    decoder
        .read_to_end(&mut payload)
        .map_err(|error| format!("its content cannot be decompressed: {error}"))?;
    if payload.len() != header.raw as usize {
        return Err(format!("its content has not the {} bytes it promises", header.raw));
    }
    Ok(payload)
}

impl ChunkHeader {
    pub(super) fn to_bytes(self) -> [u8; HEADER] {
        let mut bytes = Vec::with_capacity(HEADER);
        bytes.extend(self.tag);
        bytes.extend(self.stored.to_le_bytes());
        bytes.extend(self.raw.to_le_bytes());
        bytes.extend(self.checksum.to_le_bytes());
        bytes.extend(self.step.to_le_bytes());
        bytes.extend(self.time.to_le_bytes());
        bytes.extend(self.number.to_le_bytes());
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        std::array::from_fn(|i| bytes[i])
    }

    /// The header, if its own checksum fits.
    pub(super) fn from_bytes(bytes: &[u8; HEADER]) -> Option<Self> {
        let u32_at = |at: usize| u32::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        let u64_at = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        (crc32fast::hash(&bytes[..36]) == u32_at(36)).then(|| Self {
            tag: std::array::from_fn(|i| bytes[i]),
            stored: u32_at(4),
            raw: u32_at(8),
            checksum: u32_at(12),
            step: u64_at(16),
            time: f64::from_bits(u64_at(24)),
            number: u32_at(32),
        })
    }
}
