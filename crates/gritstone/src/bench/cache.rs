//! Settled states, kept from one benchmark to the next under a name that follows from all they depend on.

use std::path::{Path, PathBuf};

use gritstone_engine::{Dimension, SAVED_VERSION, Setup, World};
use gritstone_io::checkpoint::{self, Expected, Stamp};

use super::Trouble;

/// The user's folder for what can be made again.
pub(super) fn usual_folder() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let caches = set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache")))?;
    Some(caches.join("gritstone").join("bench"))
}

/// The state of this setup after so many steps, from the cache if it is there.
pub(super) fn settled<D: Dimension>(
    folder: Option<&Path>,
    setup: &Setup<D>,
    content: &[u8],
    steps: u64,
) -> Result<Vec<u8>, Trouble> {
    let scene = checkpoint::scene_hash(&[content, env!("CARGO_PKG_VERSION").as_bytes()].concat());
    let stamp = Stamp { payload_version: SAVED_VERSION, scene, step: steps, time: 0.0 };
    let folder = folder.map(|folder| folder.join(format!("{scene:016x}-{SAVED_VERSION}-{steps}")));
    if let Some(bytes) = folder.as_ref().and_then(|folder| read(folder, &stamp)) {
        // What another version of the program has written may be unreadable: then it is rebuilt.
        if World::restore(setup, &bytes).is_ok() {
            return Ok(bytes);
        }
    }
    let mut world = World::new(setup).map_err(Trouble::of)?;
    for _ in 0..steps {
        world.step().map_err(Trouble::of)?;
    }
    let bytes = world.save().map_err(Trouble::of)?;
    if let Some(folder) = folder {
        // A cache that cannot be written costs time, nothing else.
        let _ = std::fs::create_dir_all(&folder).map(|()| checkpoint::write(&folder, &stamp, &bytes));
    }
    Ok(bytes)
}

fn read(folder: &Path, stamp: &Stamp) -> Option<Vec<u8>> {
    let expected = Expected { payload_version: Some(stamp.payload_version), scene: Some(stamp.scene) };
    let found = checkpoint::read_latest(folder, &expected).ok()?;
    (found.checkpoint.stamp == *stamp).then_some(found.checkpoint.payload)
}
