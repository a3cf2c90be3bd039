//! Sleeping pairs that may touch by now are looked at again.

use gritstone_contact::{Goal, Query, Verdict};
use gritstone_core::Linear as _;
use gritstone_force::History;
use rayon::prelude::*;

use crate::bodies::Bodies;
use crate::contacts::{Contacts, Ends};
use crate::near::{NearList, NearPair};
use crate::realm::Realm;
use crate::realm::swift::{Glance, Sleeper, Swift};
use crate::rooms::Rooms;
use crate::surface::Own;

/// Pairs that one task looks at.
const CHUNK: usize = 64;

/// What came of a look at a pair.
#[derive(Clone, Copy, Debug)]
enum Seen<D: Realm> {
    /// It sleeps while this gap lasts.
    Apart(f64, D::Vec),
    /// It touches.
    Touching(D::Vec),
    /// It touches, but that is another's affair: it is asked again in the next step.
    Refused(D::Vec),
    /// Nothing can be said.
    Nothing,
}

/// Room for what is seen, one place for each pair.
#[derive(Clone, Debug)]
pub(crate) struct Waker<D: Realm> {
    seen: Vec<Seen<D>>,
}

impl<D: Realm> Default for Waker<D> {
    fn default() -> Self {
        Self { seen: Vec::new() }
    }
}

impl<D: Realm> Waker<D> {
    /// Looks at the pairs that have used up their gaps; those that touch become contacts, in the order of the lists.
    pub(crate) fn wake(
        &mut self,
        bodies: &Bodies<D>,
        lists: [&mut NearList<D>; 2],
        swift: &mut D::Swift,
        contacts: &mut Contacts<D>,
        rooms: &Rooms<D>,
    ) {
        for list in lists {
            let awake = list.awaken();
            self.seen.clear();
            self.seen.resize(awake, Seen::Nothing);
            let (known, which) = (&*list, list.awake());
            self.seen.par_chunks_mut(CHUNK).zip(which.par_chunks(CHUNK)).for_each(|(seen, which)| {
                rooms.with(|room| look_at(bodies, known, which, &*swift, &mut room.scratch, seen));
            });
            for (k, seen) in self.seen.drain(..).enumerate() {
                let i = list.awake()[k] as usize;
                let NearPair { a, b, .. } = list.pairs[i];
                let gone = list.travelled(&list.pairs[i]);
                let (wake, direction) = match seen {
                    Seen::Nothing => continue,
                    Seen::Apart(gap, direction) => (gone + gap, direction),
                    Seen::Refused(direction) => (gone, direction),
                    Seen::Touching(direction) => {
                        let ends = Ends { a, b };
                        if bodies.pieces.get(b).is_none() && swift.takes(bodies, ends) {
                            swift.push(bodies, ends, direction, &History::default());
                        } else {
                            contacts.push(ends, D::remember(direction), History::default());
                        }
                        (f64::INFINITY, list.directions[i])
                    }
                };
                (list.pairs[i].wake, list.directions[i]) = (wake, direction);
            }
            list.share();
        }
    }
}

/// Looks at pairs: at many at a time, and closely at those of which that says nothing.
fn look_at<D: Realm>(
    bodies: &Bodies<D>,
    list: &NearList<D>,
    which: &[u32],
    swift: &D::Swift,
    scratch: &mut D::Scratch,
    seen: &mut [Seen<D>],
) {
    let mut sleepers = [Sleeper { ends: Ends { a: 0, b: 0 }, direction: D::Vec::default() }; CHUNK];
    for (sleeper, &i) in sleepers.iter_mut().zip(which) {
        let NearPair { a, b, .. } = list.pairs[i as usize];
        *sleeper = Sleeper { ends: Ends { a, b }, direction: list.directions[i as usize] };
    }
    let sleepers = &sleepers[..which.len()];
    let mut glances = [None; CHUNK];
    swift.look(bodies, sleepers, &mut glances);
    for ((seen, sleeper), glance) in seen.iter_mut().zip(sleepers).zip(glances) {
        *seen = match glance {
            Some(Glance { gap, direction }) if gap < 0.0 => Seen::Touching(direction),
            Some(Glance { gap, direction }) => Seen::Apart(gap, direction),
            None => look(bodies, sleeper, scratch),
        };
    }
}

/// Looks at one pair.
fn look<D: Realm>(bodies: &Bodies<D>, sleeper: &Sleeper<D>, scratch: &mut D::Scratch) -> Seen<D> {
    let Sleeper { ends: Ends { a, b }, direction } = *sleeper;
    let start = (direction.dot(direction) > 0.0).then_some(direction);
    let query = Query { goal: Goal::Detect, start, ..Query::default() };
    let mut memory = D::Memory::default();
    match D::solve(bodies.placed(a), bodies.placed(b), query, &mut memory, scratch)
        .map(|answer| answer.verdict)
    {
        Err(_) => Seen::Nothing,
        Ok(Verdict::Apart { at_least, along }) => Seen::Apart(at_least, along),
        Ok(Verdict::Solved(contact) | Verdict::Unresolved { best: contact, .. }) => {
            match bodies.admits(a, b, &contact, scratch) {
                Own::No => Seen::Refused(contact.normal),
                // What is not certain is decided, and counted, where contacts are solved.
                Own::Yes | Own::Perhaps(_) => Seen::Touching(contact.normal),
            }
        }
    }
}
