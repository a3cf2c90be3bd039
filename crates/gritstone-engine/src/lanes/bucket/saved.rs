//! Buckets in checkpoints, where rows have the points at which forces act instead of moments.
//!
//! Lanes without a contact hold what the instruction set has left there, such as numbers that are none, whose bits differ from set to
//! set. They are written as new ones.

use glam::DVec3;
use gritstone_core::lanes::WIDTH;
use serde::ser::SerializeSeq as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Block, BodyPair, Bucket, ContactKind, Line, WarmStart};

/// What is written.
#[derive(Serialize)]
#[serde(bound = "")]
struct Saved<'b, K: ContactKind> {
    pair: &'b [BodyPair],
    blocks: Written<'b, K::WarmStart>,
    rows: Vec<Line>,
}

/// Blocks, the last one without what is in its spare lanes.
struct Written<'b, K: WarmStart> {
    full: &'b [Block<K>],
    last: Option<Block<K>>,
}

impl<'b, K: WarmStart> Written<'b, K> {
    /// Blocks of so many contacts.
    fn of(blocks: &'b [Block<K>], contacts: usize) -> Self {
        let Some((last, full)) = blocks.split_last() else { return Self { full: blocks, last: None } };
        let mut last = *last;
        for lane in contacts.saturating_sub(WIDTH * full.len())..WIDTH {
            last.copy(lane, &Block::default(), lane);
        }
        Self { full, last: Some(last) }
    }
}

impl<K: WarmStart> Serialize for Written<'_, K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.full.len() + usize::from(self.last.is_some())))?;
        self.full.iter().chain(&self.last).try_for_each(|block| list.serialize_element(block))?;
        list.end()
    }
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
        rows.iter_mut().skip(pair.len()).for_each(|row| *row = Line::default());
        Saved::<K> { pair, blocks: Written::of(blocks, pair.len()), rows }.serialize(serializer)
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
