//! Buckets in checkpoints and messages.
//!
//! Lanes without a contact hold what the instruction set has left there, such as numbers that are none, whose bits differ from set to
//! set. They are written as new ones.

use glam::DVec3;
use gritstone_core::lanes::WIDTH;
use serde::ser::SerializeSeq as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Block, BodyPair, Bucket, ContactKind, Line, Springs, WarmStart};

/// What is written.
#[derive(Serialize)]
#[serde(bound = "")]
struct Saved<'b, K: ContactKind> {
    pair: &'b [BodyPair],
    blocks: Written<'b, K::WarmStart>,
    /// Those against rolling and twisting, of every contact; none where there are no such.
    springs: Vec<(DVec3, f64)>,
    rows: &'b [Line],
    /// Where forces act.
    points: Vec<DVec3>,
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
    springs: Vec<(DVec3, f64)>,
    rows: Vec<Line>,
    points: Vec<DVec3>,
}

impl<K: ContactKind> Serialize for Bucket<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { pair, blocks, springs, rows, .. } = self;
        let points = (0..pair.len()).map(|i| blocks[i / WIDTH].point(i % WIDTH)).collect();
        let rows = &rows[..pair.len().min(rows.len())];
        let of = |i: usize| Some(springs.get(i / WIDTH)?.get(i % WIDTH));
        let springs = (0..pair.len()).filter_map(of).collect();
        Saved::<K> { pair, blocks: Written::of(blocks, pair.len()), springs, rows, points }
            .serialize(serializer)
    }
}

impl<'de, K: ContactKind> Deserialize<'de> for Bucket<K> {
    fn deserialize<R: Deserializer<'de>>(deserializer: R) -> Result<Self, R::Error> {
        let Restored::<K> { pair, mut blocks, springs: kept, mut rows, points } =
            Restored::deserialize(deserializer)?;
        for (i, &point) in points.iter().enumerate().take(WIDTH * blocks.len()) {
            blocks[i / WIDTH].set_point(i % WIDTH, point);
        }
        rows.resize(WIDTH * blocks.len(), Line::default());
        let resists = !kept.is_empty();
        let mut springs = vec![Springs::default(); if resists { blocks.len() } else { 0 }];
        for (i, &(roll, twist)) in kept.iter().enumerate().take(WIDTH * springs.len()) {
            springs[i / WIDTH].set(i % WIDTH, roll, twist);
        }
        Ok(Self { pair, blocks, springs, resists, rows, ..Self::default() })
    }
}
