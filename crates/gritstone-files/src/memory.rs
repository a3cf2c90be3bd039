//! How much memory the program may take, and files that are read no further than that.
//!
//! Without a limit, a request for more memory than there is ends in a program that the system kills, without a word. What can
//! be large is therefore estimated first and compared with [`limit`].

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// The limit in bytes; zero until it is first requested.
static LIMIT: AtomicU64 = AtomicU64::new(0);

/// Share of the memory that is available, as a divisor and what it is multiplied with: four fifths.
const SHARE: [u64; 2] = [4, 5];

/// Sets the limit of the whole program (bytes).
pub fn set_limit(bytes: u64) {
    LIMIT.store(bytes.max(1), Ordering::Relaxed);
}

/// The limit in bytes: what was set, or four fifths of what the machine has available when this is first asked. Where
/// neither the machine nor its control group says, there is none.
pub fn limit() -> u64 {
    match LIMIT.load(Ordering::Relaxed) {
        0 => {
            let share = available().map_or(u64::MAX, |bytes| (bytes / SHARE[1] * SHARE[0]).max(1));
            LIMIT.store(share, Ordering::Relaxed);
            share
        }
        bytes => bytes,
    }
}

/// Memory that the machine can give (Linux), or the control group where it allows less.
fn available() -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo").ok().as_deref().and_then(meminfo);
    let group = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];
    // A group without a limit says "max", which is no number.
    let group = group.into_iter().filter_map(|path| fs::read_to_string(path).ok()?.trim().parse().ok());
    group.chain(machine).min()
}

/// `MemAvailable` in bytes.
fn meminfo(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// A whole file that is to take no more than `most` bytes. Devices and pipes that never end are read no further than that.
pub fn read_at_most(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    if length > most {
        return Err(too_long(&format!("it has {length} bytes"), most));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(too_long("it does not end there", most));
    }
    Ok(bytes)
}

fn too_long(what: &str, most: u64) -> io::Error {
    let what = format!("{what}, but at most {most} may be read (--memory-limit)");
    io::Error::new(io::ErrorKind::FileTooLarge, what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_says_what_is_available() {
        assert_eq!(meminfo("MemTotal: 9 kB\nMemAvailable:   23 kB\n"), Some(23 * 1024));
        assert_eq!(meminfo("MemAvailable: many kB\n"), None);
        assert_eq!(meminfo(""), None);
    }

    #[test]
    fn files_are_read_up_to_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.csv");
        fs::write(&path, [b'x'; 100]).unwrap();
        assert_eq!(read_at_most(&path, 100).unwrap().len(), 100);
        assert!(read_at_most(&path, 99).unwrap_err().to_string().contains("100 bytes, but at most 99"));
    }

    #[cfg(unix)]
    #[test]
    fn devices_that_never_end_are_read_up_to_the_limit() {
        assert!(read_at_most(Path::new("/dev/zero"), 5000).unwrap_err().to_string().contains("does not end"));
    }
}
