//! Patches that act as one: those of the parts of a compound on one and the same body.
//!
//! **Idea.** The stiffness of a patch is not in proportion to its area, so a face that is cut into parts would be stiffer than
//! the whole face. The patches of two bodies are therefore measured first, each part's for itself, and then loaded together:
//! each with the pressure that all of them have as one ([`Whole`]). Where they look in different directions they are
//! patches of their own: up to 10° apart they are one, from 30° on they are two, and smoothly between.

use gritstone_core::Linear as _;
use gritstone_force::{History, PatchSums, Touch, Whole};

use crate::bodies::Bodies;
use crate::contacts::BodyPair;
use crate::contacts::key::{BodyKey, ContactKey};
use crate::contacts::shared_overlap::owners;
use crate::dimension::Dimension;

/// Cosines of the angles between directions at which patches begin to act as one, and do so altogether.
const ALIKE: [f64; 2] = [0.866, 0.985];

/// A patch that may have others beside it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PatchMember<D: Dimension> {
    /// The number of its contact.
    pub(crate) contact: usize,
    key: ContactKey,
    /// The two grains, or a grain and a wall, that it is between: the same for all their parts.
    pair: [BodyKey; 2],
    pub(crate) touch: Touch<D>,
    pub(crate) sums: PatchSums<D>,
    /// Whether its bodies did not touch in the last step.
    fresh: bool,
    /// The normal, from the first of the pair to the second.
    direction: D::Vec,
}

impl<D: Dimension> PatchMember<D> {
    /// A patch of a contact, if one of its bodies is a part of a compound.
    pub(crate) fn new(
        bodies: &Bodies<D>,
        contact: usize,
        pair: BodyPair,
        touch: &Touch<D>,
        sums: &PatchSums<D>,
        history: &History<D>,
    ) -> Option<Self> {
        let (a, b) = (bodies.role(pair.a), bodies.role(pair.b));
        (a.is_part() || b.is_part()).then(|| {
            let key = bodies.contact_key(pair);
            let (pair, turned) = owners(&key);
            let sense = if turned { -1.0 } else { 1.0 };
            let (direction, fresh) = (touch.normal * sense, !history.touching());
            Self { contact, key, pair, touch: *touch, sums: *sums, fresh, direction }
        })
    }

    /// How much two patches of one pair act as one.
    fn likeness(&self, other: &Self) -> f64 {
        let [two, one] = ALIKE;
        let t = ((self.direction.dot(other.direction) - two) / (one - two)).clamp(0.0, 1.0);
        t * t * (3.0 - 2.0 * t)
    }
}

/// Calls `load` with every member and the whole that it is part of, which is summed in the order of the contacts' keys.
pub(crate) fn settle<D: Dimension>(
    members: &mut [PatchMember<D>],
    mut load: impl FnMut(&PatchMember<D>, &Whole),
) {
    members.sort_unstable_by_key(|member| (member.pair, member.key));
    for group in members.chunk_by(|a, b| a.pair == b.pair) {
        for (i, member) in group.iter().enumerate() {
            let mut whole = Whole::alone(&member.sums, member.fresh);
            for (_, other) in group.iter().enumerate().filter(|(k, _)| *k != i) {
                whole.add(member.likeness(other), &other.sums, other.fresh);
            }
            load(member, &whole);
        }
    }
}
