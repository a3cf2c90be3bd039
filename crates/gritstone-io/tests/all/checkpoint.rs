//! Checkpoints that are torn or altered are refused, and the one before is used.

use std::fs;
use std::path::Path;

use gritstone_io::checkpoint::{self, Expected, LATEST, PREVIOUS, Payload, Refusal, Stamp};

const EXPECTED: Expected = Expected { payload_version: Some(3), scene: Some(42) };

fn stamp(step: u64) -> Stamp {
    Stamp { payload_version: 3, scene: 42, step, time: step as f64 * 0.125 }
}

/// A payload in which no byte is like its neighbours.
fn payload(seed: u8) -> Vec<u8> {
    (0..200_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8 ^ seed).collect()
}

/// A folder with checkpoints of steps 10 and 20.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    checkpoint::write(folder.path(), &stamp(10), &payload(1)).unwrap();
    checkpoint::write(folder.path(), &stamp(20), &payload(2)).unwrap();
    folder
}

/// The last one is refused, and the one before is used.
fn falls_back(folder: &Path) -> Refusal {
    let found = checkpoint::read_latest(folder, &EXPECTED).unwrap();
    assert_eq!(found.checkpoint.stamp, stamp(10));
    assert_eq!(found.checkpoint.payload, payload(1));
    assert_eq!(found.path, folder.join(PREVIOUS));
    let (path, why) = found.refused.unwrap();
    assert_eq!(path, folder.join(LATEST));
    why
}

#[test]
fn the_newest_is_read_and_the_one_before_kept() {
    let folder = folder();
    let found = checkpoint::read_latest(folder.path(), &EXPECTED).unwrap();
    assert_eq!(found.checkpoint.stamp, stamp(20));
    assert_eq!(found.checkpoint.payload, payload(2));
    assert!(found.refused.is_none());
    let before = checkpoint::read(&folder.path().join(PREVIOUS), &EXPECTED).unwrap();
    assert_eq!(before.stamp, stamp(10));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing else is left");
}

#[test]
fn every_length_but_the_whole_is_refused() {
    let folder = folder();
    let path = folder.path().join(LATEST);
    let whole = fs::read(&path).unwrap();
    for length in 0..whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        assert!(matches!(falls_back(folder.path()), Refusal::Torn { .. }), "{length} bytes");
    }
    fs::write(&path, [&whole[..], &[0]].concat()).unwrap();
    assert!(matches!(falls_back(folder.path()), Refusal::Torn { .. }));
}

#[test]
fn changed_bits_are_refused() {
    let folder = folder();
    let path = folder.path().join(LATEST);
    let whole = fs::read(&path).unwrap();
    // Every bit of the header, and one of every byte of the payload.
    let bits = (0..8 * 56).chain((56..whole.len()).map(|byte| 8 * byte + byte % 7));
    for bit in bits {
        let mut changed = whole.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        fs::write(&path, changed).unwrap();
        falls_back(folder.path());
    }
}

#[test]
fn another_scene_or_version_is_refused_by_name() {
    let folder = folder();
    let read = |expected| checkpoint::read_latest(folder.path(), &expected);
    let text = read(Expected { scene: Some(43), ..EXPECTED }).unwrap_err().to_string();
    assert!(text.contains("checkpoint.bin: it is of another scene"), "{text}");
    let text = read(Expected { payload_version: Some(4), ..EXPECTED }).unwrap_err().to_string();
    assert!(text.contains("checkpoint.previous.bin: its content is version 3"), "{text}");
    assert!(read(Expected { scene: None, ..EXPECTED }).is_ok(), "when told so, any scene will do");
    assert!(read(Expected { payload_version: None, ..EXPECTED }).is_ok());
    fs::write(
        folder.path().join(LATEST),
        "{\"not\": \"a checkpoint, but long enough to be one, as files go\"}",
    )
    .unwrap();
    assert!(matches!(falls_back(folder.path()), Refusal::Foreign));
}

#[test]
fn an_empty_folder_is_told_from_a_broken_one() {
    let folder = tempfile::tempdir().unwrap();
    assert!(checkpoint::read_latest(folder.path(), &EXPECTED).unwrap_err().nothing_there());
    fs::write(folder.path().join(LATEST), b"GRIT").unwrap();
    assert!(!checkpoint::read_latest(folder.path(), &EXPECTED).unwrap_err().nothing_there());
}

/// A run that was killed between the two renames has only the one before.
#[test]
fn killed_between_renames() {
    let folder = folder();
    fs::remove_file(folder.path().join(LATEST)).unwrap();
    assert!(matches!(falls_back(folder.path()), Refusal::Missing));
}

/// The run that goes on after a torn checkpoint must not push out the good one with it.
#[test]
fn a_torn_file_does_not_replace_the_one_before() {
    let folder = folder();
    let path = folder.path().join(LATEST);
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() - 1]).unwrap();
    checkpoint::write(folder.path(), &stamp(30), &payload(3)).unwrap();
    assert_eq!(checkpoint::read(&path, &EXPECTED).unwrap().stamp, stamp(30));
    assert_eq!(checkpoint::read(&folder.path().join(PREVIOUS), &EXPECTED).unwrap().stamp, stamp(10));
}

#[test]
fn scenes_have_hashes_that_everyone_agrees_on() {
    // From the reference implementation of XXH3.
    assert_eq!(checkpoint::scene_hash(b""), 0x2d06_8005_38d3_94c2);
}

#[test]
fn payloads_have_three_parts() {
    let payload = Payload { scene: b"scene", run: b"", world: &[7; 300] };
    let bytes = payload.to_bytes();
    assert_eq!(Payload::read(&bytes), Some(payload));
    assert!((0..bytes.len()).all(|length| Payload::read(&bytes[..length]).is_none()));
    assert_eq!(Payload::read(&[0xff; 40]), None);
}
