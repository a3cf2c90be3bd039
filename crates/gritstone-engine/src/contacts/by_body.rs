//! Forces of contacts added up for each body, always in the same order.
//!
//! Every contact writes its force to a row of its own. Which rows belong to a body is kept up to date as contacts come and
//! go; the sum is taken by body, in the order of the contacts, whatever thread does it.

use rayon::prelude::*;

use crate::contacts::BodyPair;

/// Entries that a body can get before all have to be sorted anew.
const SPARE: u32 = 3;
/// Contacts that are compared at once, and by one task.
const GLANCE: usize = 64;
const TASK: usize = 64 * GLANCE;
/// Of so many contacts one may have changed; where more have, all are sorted anew.
const MANY: usize = 8;

/// A contact as a body sees it: which list it is in, which of its contacts it is, and whether the body is b.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry(u32);

impl Entry {
    fn new(list: usize, index: usize, is_b: bool) -> Self {
        // Three bits for the list, 28 for the contact.
        debug_assert!(list < 1 << 3 && index < 1 << 28, "contact {index} of list {list} has no number");
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

/// The entries of a body.
#[derive(Clone, Copy, Debug, Default)]
struct Workspace {
    start: u32,
    count: u32,
}

impl Workspace {
    fn range(self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.count) as usize
    }
}

/// The two bodies of a contact, and whether each is b.
fn sides(pair: &BodyPair) -> [(u32, bool); 2] {
    [(pair.a, false), (pair.b, true)]
}

/// The next [`GLANCE`] contacts, or as many as there are.
fn glance(pair: &[BodyPair], from: usize) -> &[BodyPair] {
    &pair[from.min(pair.len())..pair.len().min(from + GLANCE)]
}

/// The contacts of each body.
#[derive(Clone, Debug, Default)]
pub(crate) struct ContactsByBody {
    /// By slot, and one more where the last one pair.
    workspaces: Vec<Workspace>,
    entries: Vec<Entry>,
    /// The bodies of all contacts, list by list, for which the entries are right.
    known: Vec<Vec<BodyPair>>,
    /// Workspace for what has come.
    fresh: Vec<(Entry, u32)>,
    /// Contacts of a list that are others than before, as the tasks find them.
    changed: Vec<Vec<u32>>,
}

impl ContactsByBody {
    /// Brings the entries up to date.
    pub(crate) fn update<'e>(&mut self, bodies: usize, lists: impl Iterator<Item = &'e [BodyPair]> + Clone) {
        if self.workspaces.len() == bodies + 1 && self.adapt(lists.clone()) {
            return;
        }
        self.fill(bodies, lists.clone());
        self.known.resize(lists.clone().count(), Vec::new());
        for (known, pair) in self.known.iter_mut().zip(lists) {
            known.clear();
            known.extend_from_slice(pair);
        }
    }

    /// Sorts all contacts by body.
    fn fill<'e>(&mut self, bodies: usize, lists: impl Iterator<Item = &'e [BodyPair]> + Clone) {
        self.workspaces.clear();
        self.workspaces.resize(bodies + 1, Workspace::default());
        for pair in lists.clone().flatten() {
            self.workspaces[pair.a as usize].count += 1;
            self.workspaces[pair.b as usize].count += 1;
        }
        let mut start = 0;
        for workspace in &mut self.workspaces {
            workspace.start = start;
            start += std::mem::take(&mut workspace.count) + SPARE;
        }
        self.entries.clear();
        self.entries.resize(start as usize, Entry(0));
        for (list, pair) in lists.enumerate() {
            for (index, pair) in pair.iter().enumerate() {
                for (slot, is_b) in sides(pair) {
                    let workspace = &mut self.workspaces[slot as usize];
                    self.entries[(workspace.start + workspace.count) as usize] =
                        Entry::new(list, index, is_b);
                    workspace.count += 1;
                }
            }
        }
    }

    /// Changes what has changed; false if that is too much, or too much for one body.
    fn adapt<'e>(&mut self, lists: impl Iterator<Item = &'e [BodyPair]>) -> bool {
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
        let fits = few && fresh.iter().all(|&(entry, slot)| self.insert(slot as usize, entry));
        (self.known, self.fresh) = (known, fresh);
        fits
    }

    /// Finds the contacts that are others than before.
    fn compare(&mut self, new: &[BodyPair], old: &[BodyPair]) {
        let longest = new.len().max(old.len());
        let tasks = longest.div_ceil(TASK).max(self.changed.len()); // What has been allocated stays.
        self.changed.resize_with(tasks, Vec::new);
        self.changed.par_iter_mut().enumerate().for_each(|(task, changed)| {
            changed.clear();
            for from in (task * TASK..longest.min((task + 1) * TASK)).step_by(GLANCE) {
                if glance(new, from) != glance(old, from) {
                    let others = (from..from + GLANCE).filter(|&i| new.get(i) != old.get(i));
                    changed.extend(others.map(|i| i as u32));
                }
            }
        });
    }

    fn remove(&mut self, slot: usize, entry: Entry) {
        let workspace = self.workspaces[slot].range();
        if let Some(i) = workspace.clone().find(|&i| self.entries[i] == entry) {
            self.entries.copy_within(i + 1..workspace.end, i);
            self.workspaces[slot].count -= 1;
        }
    }

    /// Puts an entry where it belongs; false if there is no place.
    fn insert(&mut self, slot: usize, entry: Entry) -> bool {
        let workspace = self.workspaces[slot].range();
        if workspace.end as u32 >= self.workspaces.get(slot + 1).map_or(0, |next| next.start) {
            return false;
        }
        let i = workspace.clone().find(|&i| self.entries[i] > entry).unwrap_or(workspace.end);
        self.entries.copy_within(i..workspace.end, i + 1);
        self.entries[i] = entry;
        self.workspaces[slot].count += 1;
        true
    }

    /// Memory that it holds (bytes).
    pub(crate) fn memory(&self) -> usize {
        let known: usize = self.known.iter().map(Vec::capacity).sum();
        size_of::<Workspace>() * self.workspaces.capacity()
            + size_of::<Entry>() * self.entries.capacity()
            + size_of::<BodyPair>() * known
    }

    /// The contacts of a body.
    #[inline]
    pub(crate) fn entries(&self, slot: usize) -> &[Entry] {
        &self.entries[self.workspaces[slot].range()]
    }

    /// The contacts of a body: both bodies of each, and whether it is b.
    pub(crate) fn of(&self, slot: usize) -> impl Iterator<Item = (BodyPair, bool)> {
        self.entries(slot).iter().map(|entry| (self.known[entry.list()][entry.index()], entry.is_b()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a body's entries are when all contacts are gone through.
    fn by_hand(lists: &[Vec<BodyPair>], slot: u32) -> Vec<(BodyPair, bool)> {
        let own = lists.iter().flatten().filter(|pair| pair.a == slot || pair.b == slot);
        own.map(|pair| (*pair, pair.b == slot)).collect()
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
            by_body.update(bodies as usize, lists.iter().map(Vec::as_slice));
            for slot in 0..bodies {
                let found: Vec<_> = by_body.of(slot as usize).collect();
                assert_eq!(found, by_hand(&lists, slot), "round {round}, body {slot}");
            }
        }
    }
}
