//! Patches that act as one: those of the parts of a compound on the same body.
//!
//! **Idea.** The stiffness of a patch is not in proportion to its area, so a face that is cut into parts would be stiffer than
//! the whole face. The patches of two bodies are therefore measured first, each part's for itself, and then loaded together:
//! each with the pressure that all of them have as one ([`Whole`]). Where their normals differ they are
//! separate patches: up to 10° apart they are one, from 30° on they are two, with a smooth transition between.

use gritstone_core::Linear as _;
use gritstone_force::{History, PatchSums, Touch, Whole};

use crate::bodies::Bodies;
use crate::bodies::ghosts::Ghost;
use crate::contacts::BodyPair;
use crate::dimension::Dimension;
use crate::periodic::cell::Shift;

/// Cosines of the angles between normals at which patches begin to act as one, and at which they act as one entirely.
const ALIKE: [f64; 2] = [0.866, 0.985];

/// The two grains, or a grain and a wall, that patches are between: the same for all their parts.
type Pair = (u32, u32, Shift);

/// A patch that may share a face with others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PatchMember<D: Dimension> {
    /// The number of its contact.
    pub(crate) contact: usize,
    pair: Pair,
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
            let (pair, sense) = owners(a, b);
            let (direction, fresh) = (touch.normal * sense, !history.touching());
            Self { contact, pair, touch: *touch, sums: *sums, fresh, direction }
        })
    }

    /// How much two patches of one pair act as one.
    fn likeness(&self, other: &Self) -> f64 {
        let [two, one] = ALIKE;
        let t = ((self.direction.dot(other.direction) - two) / (one - two)).clamp(0.0, 1.0);
        t * t * (3.0 - 2.0 * t)
    }
}

/// The pair in the order of its slots, and whether that is the order of the contact.
fn owners(a: Ghost, b: Ghost) -> (Pair, f64) {
    let shift = |from: Ghost, to: Ghost| std::array::from_fn(|k| to.shift[k] - from.shift[k]);
    if a.owner <= b.owner {
        ((a.owner, b.owner, shift(a, b)), 1.0)
    } else {
        ((b.owner, a.owner, shift(b, a)), -1.0)
    }
}

/// Calls `load` with every member and the whole that it is part of.
pub(crate) fn settle<D: Dimension>(
    members: &mut [PatchMember<D>],
    mut load: impl FnMut(&PatchMember<D>, &Whole),
) {
    members.sort_unstable_by_key(|member| (member.pair, member.contact));
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
