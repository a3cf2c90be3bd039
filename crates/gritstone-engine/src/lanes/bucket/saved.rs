//! Buckets in checkpoints, where rows have the points at which forces act instead of moments.

use glam::DVec3;
use gritstone_core::lanes::WIDTH;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Block, BodyPair, Bucket, ContactKind, Line};

/// What is written.
#[derive(Serialize)]
#[serde(bound = "")]
struct Saved<'b, K: ContactKind> {
    pair: &'b [BodyPair],
    blocks: &'b [Block<K::WarmStart>],
    rows: Vec<Line>,
}

/// The same, read.
#[derive(Deserialize)]
#[serde(bound = "")]
struct Restored<K: ContactKind> {
    pair: Vec<BodyPair>,
    blocks: Vec<Block<K::WarmStart>>,
    rows: Vec<Line>,
}

impl<K: ContactKind> Serialize for Bucket<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { pair, blocks, rows, .. } = self;
        let mut rows = rows.clone();
        for (block, rows) in blocks.iter().zip(rows.chunks_mut(WIDTH)) {
            for (lane, row) in rows.iter_mut().enumerate() {
                row.0[3..6].copy_from_slice(&block.point(lane).to_array());
            }
        }
        Saved::<K> { pair, blocks, rows }.serialize(serializer)
    }
}

impl<'de, K: ContactKind> Deserialize<'de> for Bucket<K> {
    fn deserialize<R: Deserializer<'de>>(deserializer: R) -> Result<Self, R::Error> {
        let Restored::<K> { pair, mut blocks, rows } = Restored::deserialize(deserializer)?;
        for (block, rows) in blocks.iter_mut().zip(rows.chunks(WIDTH)) {
            for (lane, &Line([_, _, _, x, y, z, ..])) in rows.iter().enumerate() {
                block.set_point(lane, DVec3::new(x, y, z));
            }
        }
        // Moments are not asked for before they are found anew.
        Ok(Self { pair, blocks, rows, ..Self::default() })
    }
}
