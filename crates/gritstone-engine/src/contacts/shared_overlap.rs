//! Overlaps that act as one: those of the parts of a compound with one and the same body.
//!
//! **Idea.** The energy of an overlap is not in proportion to its volume: two halves of a face, each for itself, would be stiffer than
//! the whole face. So the overlaps of two bodies that look in one direction are added up before the law is applied, and each part has the
//! share of the force, of the springs and of the friction that its volume has. Overlaps that look in different directions are several.
//! Contacts of pairs are independent of each other and are solved by as many threads as there are.

use gritstone_core::{Contact, Linear as _};
use gritstone_force::History;
use rayon::prelude::*;

use crate::bodies::Bodies;
use crate::contacts::key::{BodyKey, ContactKey};
use crate::contacts::{BodyPair, ContactForce};
use crate::dimension::Dimension;

/// Cosine of the largest angle between the directions of overlaps that act as one: 20°.
pub(crate) const ALIKE: f64 = 0.94;

/// A contact of parts, or of a part with something else.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OverlapMember<D: Dimension> {
    /// The number of its contact.
    pub(crate) number: usize,
    key: ContactKey,
    pair: [BodyKey; 2],
    /// The contact as seen by the owners in the order of their keys: b is the second one's.
    pub(crate) bodies: BodyPair,
    pub(crate) contact: Contact<D>,
    /// One if that is the order of the contact itself, minus one if not.
    sense: f64,
    /// Whether it is with a surface whose facets are met as a whole.
    pub(crate) is_faceted: bool,
    /// Which of the pair's overlaps it is part of.
    whole: usize,
    pub(crate) history: History<D>,
    pub(crate) force: ContactForce<D>,
    pub(crate) unresolved: bool,
}

impl<D: Dimension> OverlapMember<D> {
    /// Of a contact, if one of its bodies is a part of a compound, or a feature of a surface whose facets are met as a whole.
    pub(crate) fn new(
        bodies: &Bodies<D>,
        number: usize,
        pair: BodyPair,
        contact: &Contact<D>,
        history: &History<D>,
    ) -> Option<Self> {
        let (a, b) = (bodies.role(pair.a), bodies.role(pair.b));
        let is_faceted = bodies.meets_facets(pair);
        (is_faceted || a.is_part() || b.is_part()).then(|| {
            let key = bodies.contact_key(pair);
            let (mut owners, turned) = owners(&key);
            if is_faceted {
                owners[1].part = 0; // Not the feature, but the wall.
            }
            let sense = if turned { -1.0 } else { 1.0 };
            Self {
                number,
                key,
                pair: owners,
                bodies: if turned { BodyPair { a: pair.b, b: pair.a } } else { pair },
                contact: if turned { seen_from_b(contact) } else { *contact },
                sense,
                is_faceted,
                whole: 0,
                history: History { slip: history.slip * sense, ..*history },
                force: ContactForce { point: contact.midpoint(), ..ContactForce::default() },
                unresolved: false,
            }
        })
    }

    /// History and force as the contact itself has them.
    pub(crate) fn answer(&self) -> (History<D>, ContactForce<D>) {
        let Self { history, force, sense, .. } = *self;
        let history = History { slip: history.slip * sense, ..history };
        (history, ContactForce { force: force.force * sense, torque: force.torque * sense, ..force })
    }
}

/// The two owners, the first of which is at home, and whether their order is not that of the contact. It does not depend on slots, so that
/// neither do the bits of what is added up.
pub(super) fn owners(key: &ContactKey) -> ([BodyKey; 2], bool) {
    // Features of a mesh are bodies of their own.
    let whole = |body: BodyKey| BodyKey { part: if body.is_grain { 0 } else { body.part }, ..body };
    let [a, b] = [whole(key.a), whole(key.b)];
    if !b.is_grain || a.id <= b.id {
        return ([a, b], false);
    }
    let shift = b.shift.map(|edges| -edges);
    ([BodyKey { shift: [0; 3], ..b }, BodyKey { shift, ..a }], true)
}

fn seen_from_b<D: Dimension>(contact: &Contact<D>) -> Contact<D> {
    let Contact { point_a, point_b, normal, .. } = *contact;
    Contact { point_a: point_b, point_b: point_a, normal: normal * -1.0, ..*contact }
}

/// Calls `load` with the members of every whole.
pub(crate) fn settle<D: Dimension>(
    members: &mut [OverlapMember<D>],
    load: impl Fn(&mut [OverlapMember<D>]) + Sync,
) {
    members.sort_unstable_by_key(|member| (member.pair, member.key));
    members.par_chunk_by_mut(|a, b| a.pair == b.pair).for_each(|group| {
        if group.iter().any(|member| member.is_faceted) {
            return load(group);
        }
        for i in 0..group.len() {
            let direction = group[i].contact.normal;
            let alike = |k: &usize| group[*k].contact.normal.dot(direction) > ALIKE;
            group[i].whole = (0..i).find(alike).map_or(i, |k| group[k].whole);
        }
        group.sort_unstable_by_key(|member| (member.whole, member.key));
        group.chunk_by_mut(|a, b| a.whole == b.whole).for_each(&load);
    });
}
