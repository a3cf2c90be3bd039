//! Checksums of files that grow: each byte is read once, however often the checksum is requested.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use xxhash_rust::xxh3::Xxh3;

/// Bytes read at a time.
const BLOCK: usize = 1 << 16;

/// The first bytes of a file, by their number and their XXH3.
#[derive(Clone, Default)]
pub struct Prefix {
    length: u64,
    hash: Xxh3,
}

impl Prefix {
    /// Of the first `length` bytes of a file, or of all where it is shorter.
    pub fn of(path: &Path, length: u64) -> io::Result<Self> {
        let mut prefix = Self::default();
        prefix.read(&mut File::open(path)?.take(length))?;
        Ok(prefix)
    }

    /// Takes in what the file has beyond the bytes that are known.
    pub fn extend(&mut self, path: &Path) -> io::Result<()> {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(self.length))?;
        self.read(&mut file)
    }

    /// Number of bytes.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// XXH3 of the bytes.
    pub fn checksum(&self) -> u64 {
        self.hash.digest()
    }

    fn read(&mut self, file: &mut impl Read) -> io::Result<()> {
        let mut block = vec![0; BLOCK];
        loop {
            match file.read(&mut block) {
                Ok(0) => return Ok(()),
                Ok(count) => {
                    self.hash.update(&block[..count]);
                    self.length += count as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl std::fmt::Debug for Prefix {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Prefix({} bytes, {:016x})", self.length, self.checksum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In parts or at once; the length is exact at the ends of blocks.
    #[test]
    fn a_file_that_grows_has_the_checksum_of_its_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("growing");
        let bytes: Vec<u8> = (0..3 * BLOCK).map(|i| (i * i % 251) as u8).collect();
        let mut grown = Prefix::default();
        for length in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK] {
            std::fs::write(&path, &bytes[..length]).unwrap();
            grown.extend(&path).unwrap();
            let whole = xxhash_rust::xxh3::xxh3_64(&bytes[..length]);
            assert_eq!((grown.length(), grown.checksum()), (length as u64, whole));
        }
        let part = Prefix::of(&path, 100).unwrap();
        assert_eq!(part.checksum(), xxhash_rust::xxh3::xxh3_64(&bytes[..100]));
    }
}
