//! The contacts of each body, in the order in which their forces are summed.
//!
//! Every contact writes its force to a row of its own. Which rows belong to a body is kept up to date as contacts come and
//! go. A body's rows are in the order of its partners' keys: the sum has the same bits whatever thread takes it, and wherever
//! bodies and contacts are stored.

use rayon::prelude::*;

use crate::bodies::CHUNK;
use crate::contacts::BodyPair;
use crate::contacts::key::BodyKey;

/// Spare entries of a body; beyond them all are sorted again.
const SPARE: u32 = 3;
/// Contacts that are compared at once, and by one task.
const COMPARED: usize = 64;
const TASK: usize = 64 * COMPARED;
/// Bodies whose contacts one task sorts.
const SORTED: usize = 256;
/// Lists of contacts that an [`Entry`] can tell apart, and contacts in each.
pub(crate) const MOST_LISTS: usize = 1 << 3;
pub(crate) const MOST_CONTACTS: usize = 1 << 28;
/// All are sorted again if more than one contact in this many has changed.
const MANY: usize = 8;

/// A contact in the list of a body: the bucket that it is in, its index there, and whether the body is b.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry(u32);

impl Entry {
    fn new(list: usize, index: usize, is_b: bool) -> Self {
        // The table counts its lists at compile time and its contacts at every rebuild of the neighbour lists.
        debug_assert!(
            list < MOST_LISTS && index < MOST_CONTACTS,
            "contact {index} of list {list} has no number"
        );
        Self((list as u32) << 29 | (index as u32) << 1 | u32::from(is_b))
    }

    #[inline(always)]
    pub(crate) fn list(self) -> usize {
        (self.0 >> 29) as usize
    }

    #[inline(always)]
    pub(crate) fn index(self) -> usize {
        (self.0 << 3 >> 4) as usize
    }

    #[inline(always)]
    pub(crate) fn is_b(self) -> bool {
        self.0 & 1 == 1
    }

    /// One for body b, which the force acts on, and minus one for body a.
    #[inline(always)]
    pub(crate) fn sign(self) -> f64 {
        if self.is_b() { 1.0 } else { -1.0 }
    }
}

/// Where the entries of a body are.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    start: u32,
    count: u32,
}

impl Row {
    fn range(self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.count) as usize
    }
}

/// The two bodies of a contact, and whether each is b.
fn sides(pair: &BodyPair) -> [(u32, bool); 2] {
    [(pair.a, false), (pair.b, true)]
}

/// The next [`COMPARED`] contacts, or as many as there are.
fn compared(pair: &[BodyPair], from: usize) -> &[BodyPair] {
    &pair[from.min(pair.len())..pair.len().min(from + COMPARED)]
}

/// The other body of a contact.
fn partner(known: &[Vec<BodyPair>], entry: Entry) -> u32 {
    let pair = known[entry.list()][entry.index()];
    if entry.is_b() { pair.a } else { pair.b }
}

/// Sorts the entries of every row by key. `entries` start with number `first`.
fn sort_rows(rows: &[Row], entries: &mut [Entry], first: usize, key: &(impl Fn(Entry) -> BodyKey + Sync)) {
    if rows.len() > SORTED {
        let (left, right) = rows.split_at(rows.len() / 2);
        let middle = right[0].start as usize;
        let (before, after) = entries.split_at_mut(middle - first);
        rayon::join(|| sort_rows(left, before, first, key), || sort_rows(right, after, middle, key));
        return;
    }
    for row in rows {
        let range = row.range();
        entries[range.start - first..range.end - first].sort_unstable_by_key(|&entry| key(entry));
    }
}

/// The contacts of each body.
#[derive(Clone, Debug, Default)]
pub(crate) struct ContactsByBody {
    /// By slot, and one more where the last one ends.
    rows: Vec<Row>,
    entries: Vec<Entry>,
    /// The bodies of all contacts, list by list, for which the entries are up to date.
    known: Vec<Vec<BodyPair>>,
    /// Workspace for new contacts.
    fresh: Vec<(Entry, u32)>,
    /// Contacts of a list that have changed, by task.
    changed: Vec<Vec<u32>>,
    /// Number of entries of the bodies of each [`CHUNK`].
    in_chunk: Vec<u32>,
}

impl ContactsByBody {
    /// Discards all entries: bodies have other slots.
    pub(crate) fn clear(&mut self) {
        self.rows.clear();
    }

    /// Brings the entries up to date; `key` tells a slot's body.
    pub(crate) fn update<'e>(
        &mut self,
        bodies: usize,
        lists: impl Iterator<Item = &'e [BodyPair]> + Clone,
        key: impl Fn(u32) -> BodyKey + Sync,
    ) {
        if self.rows.len() == bodies + 1 && self.adapt(lists.clone(), &key) {
            return;
        }
        self.known.resize(lists.clone().count(), Vec::new());
        for (known, pairs) in self.known.iter_mut().zip(lists) {
            known.clear();
            known.extend_from_slice(pairs);
        }
        self.fill(bodies);
        let Self { rows, entries, known, .. } = self;
        sort_rows(rows, entries, 0, &|entry| key(partner(known, entry)));
    }

    /// Gives every body its contacts, in the order of the lists.
    fn fill(&mut self, bodies: usize) {
        self.rows.clear();
        self.rows.resize(bodies + 1, Row::default());
        for pair in self.known.iter().flatten() {
            self.rows[pair.a as usize].count += 1;
            self.rows[pair.b as usize].count += 1;
        }
        let mut start = 0;
        for row in &mut self.rows {
            row.start = start;
            start += std::mem::take(&mut row.count) + SPARE;
        }
        self.in_chunk.clear();
        self.in_chunk.resize(bodies.div_ceil(CHUNK), 0);
        self.entries.clear();
        self.entries.resize(start as usize, Entry(0));
        for (list, pairs) in self.known.iter().enumerate() {
            for (index, pair) in pairs.iter().enumerate() {
                for (slot, is_b) in sides(pair) {
                    let row = &mut self.rows[slot as usize];
                    self.entries[(row.start + row.count) as usize] = Entry::new(list, index, is_b);
                    row.count += 1;
                    self.in_chunk[slot as usize / CHUNK] += 1;
                }
            }
        }
    }

    /// Updates the entries of changed contacts; false if there are too many of them, in all or for one body.
    fn adapt<'e>(
        &mut self,
        lists: impl Iterator<Item = &'e [BodyPair]>,
        key: &impl Fn(u32) -> BodyKey,
    ) -> bool {
        let mut known = std::mem::take(&mut self.known);
        let mut fresh = std::mem::take(&mut self.fresh);
        fresh.clear();
        let mut count = 0;
        for (list, (new, old)) in lists.zip(&mut known).enumerate() {
            count += new.len();
            self.compare(new, old);
            let changed = std::mem::take(&mut self.changed);
            for &i in changed.iter().flatten() {
                for (slot, is_b) in old.get(i as usize).into_iter().flat_map(sides) {
                    self.remove(slot as usize, Entry::new(list, i as usize, is_b));
                }
                for (slot, is_b) in new.get(i as usize).into_iter().flat_map(sides) {
                    fresh.push((Entry::new(list, i as usize, is_b), slot));
                }
            }
            old.resize(new.len(), BodyPair { a: 0, b: 0 });
            for &i in changed.iter().flatten().filter(|&&i| (i as usize) < new.len()) {
                old[i as usize] = new[i as usize];
            }
            self.changed = changed;
        }
        let few = fresh.len() * MANY <= 2 * count.max(MANY);
        let key = |entry| key(partner(&known, entry));
        let fits = few && fresh.iter().all(|&(entry, slot)| self.insert(slot as usize, entry, &key));
        (self.known, self.fresh) = (known, fresh);
        fits
    }

    /// Finds the contacts that have changed.
    fn compare(&mut self, new: &[BodyPair], old: &[BodyPair]) {
        let longest = new.len().max(old.len());
        let tasks = longest.div_ceil(TASK).max(self.changed.len()); // What has been allocated stays.
        self.changed.resize_with(tasks, Vec::new);
        self.changed.par_iter_mut().enumerate().for_each(|(task, changed)| {
            changed.clear();
            for from in (task * TASK..longest.min((task + 1) * TASK)).step_by(COMPARED) {
                if compared(new, from) != compared(old, from) {
                    let others = (from..from + COMPARED).filter(|&i| new.get(i) != old.get(i));
                    changed.extend(others.map(|i| i as u32));
                }
            }
        });
    }

    fn remove(&mut self, slot: usize, entry: Entry) {
        let row = self.rows[slot].range();
        if let Some(i) = row.clone().find(|&i| self.entries[i] == entry) {
            self.entries.copy_within(i + 1..row.end, i);
            self.rows[slot].count -= 1;
            self.in_chunk[slot / CHUNK] -= 1;
        }
    }

    /// Puts an entry where it belongs; false if there is no place.
    fn insert(&mut self, slot: usize, entry: Entry, key: &impl Fn(Entry) -> BodyKey) -> bool {
        let row = self.rows[slot].range();
        if row.end as u32 >= self.rows.get(slot + 1).map_or(0, |next| next.start) {
            return false;
        }
        let new = key(entry);
        let i = row.clone().find(|&i| key(self.entries[i]) > new).unwrap_or(row.end);
        self.entries.copy_within(i..row.end, i + 1);
        self.entries[i] = entry;
        self.rows[slot].count += 1;
        self.in_chunk[slot / CHUNK] += 1;
        true
    }

    /// Whether any of the bodies from this slot on, which starts a [`CHUNK`], has a contact.
    pub(crate) fn has_any(&self, first: usize) -> bool {
        self.in_chunk[first / CHUNK] > 0
    }

    /// Memory that it holds (bytes).
    pub(crate) fn memory(&self) -> usize {
        let known: usize = self.known.iter().map(Vec::capacity).sum();
        size_of::<Row>() * self.rows.capacity()
            + size_of::<Entry>() * self.entries.capacity()
            + size_of::<BodyPair>() * known
    }

    /// The contacts of a body.
    #[inline]
    pub(crate) fn entries(&self, slot: usize) -> &[Entry] {
        &self.entries[self.rows[slot].range()]
    }

    /// The contacts of a body in one of the lists, by their places in it.
    pub(crate) fn in_list(&self, slot: usize, list: usize) -> impl Iterator<Item = usize> {
        let entries = self.entries(slot).iter().filter(move |entry| entry.list() == list);
        entries.map(|entry| entry.index())
    }

    /// The contacts of a body: both bodies of each, and whether it is b.
    pub(crate) fn of(&self, slot: usize) -> impl Iterator<Item = (BodyPair, bool)> {
        self.entries(slot).iter().map(|entry| (self.known[entry.list()][entry.index()], entry.is_b()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ids in another order than slots.
    fn key(slot: u32) -> BodyKey {
        BodyKey { is_grain: true, id: 7 * slot % 40, part: 0, shift: [0; 3] }
    }

    /// A body's partners when all contacts are gone through, sorted.
    fn by_hand(lists: &[Vec<BodyPair>], slot: u32) -> Vec<BodyKey> {
        let own = lists.iter().flatten().filter(|pair| pair.a == slot || pair.b == slot);
        let mut partners: Vec<_> = own.map(|pair| key(pair.a + pair.b - slot)).collect();
        partners.sort();
        partners
    }

    #[test]
    fn contacts_that_come_and_go_are_kept_track_of() {
        let bodies = 40;
        let mut by_body = ContactsByBody::default();
        let mut lists = vec![Vec::new(), Vec::new(), Vec::new()];
        let mut seed = 1_u32;
        let mut random = |sides: u32| {
            seed = seed.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
            (seed >> 9) % sides
        };
        for round in 0..400 {
            // Now a few changes, now many.
            for _ in 0..random(if round % 50 == 0 { 60 } else { 6 }) {
                let list = &mut lists[random(3) as usize];
                if random(2) == 0 && !list.is_empty() {
                    list.swap_remove(random(list.len() as u32) as usize);
                } else {
                    let a = random(bodies);
                    list.push(BodyPair { a, b: (a + 1 + random(bodies - 1)) % bodies });
                }
            }
            by_body.update(bodies as usize, lists.iter().map(Vec::as_slice), key);
            for slot in 0..bodies {
                let other = |(pair, is_b): (BodyPair, bool)| key(if is_b { pair.a } else { pair.b });
                let found: Vec<_> = by_body.of(slot as usize).map(other).collect();
                assert_eq!(found, by_hand(&lists, slot), "round {round}, body {slot}");
            }
        }
    }
}
