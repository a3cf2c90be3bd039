//! What a body and a contact are called, wherever they are stored.
//!
//! Slots change when grains are sorted, removed or moved to another machine; keys do not. Contacts of a body are summed in the
//! order of their partners' keys, so that forces have the same bits for any order of storage.

use crate::bodies::Bodies;
use crate::contacts::BodyPair;
use crate::dimension::Dimension;
use crate::periodic::cell::Shift;

/// What a body is: a wall or one feature of it, a grain or one part of it, or an image of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BodyKey {
    /// Whether it is a grain; walls come first.
    pub is_grain: bool,
    /// The grain's id, or the number of the wall.
    pub id: u32,
    /// Part of a compound or feature of a mesh, counted from one; zero for the whole.
    pub part: u32,
    /// The image in a periodic cell: how many edges of the cell away.
    pub shift: [i32; 3],
}

/// What a contact is called: its two bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ContactKey {
    /// Always a grain.
    pub a: BodyKey,
    /// A grain or a wall. Its shift is seen from a.
    pub b: BodyKey,
}

/// A grain at home, or a part of one, as walls see it: its id and its part, as in [`BodyKey`].
pub(crate) type GrainKey = (u32, u32);

impl<D: Dimension> Bodies<D> {
    /// What walls know a grain or a part by.
    pub(crate) fn grain_key(&self, slot: u32) -> GrainKey {
        let BodyKey { id, part, .. } = self.key(slot);
        (id, part)
    }

    /// The key of the body in a slot.
    pub(crate) fn key(&self, slot: u32) -> BodyKey {
        let id = self.states[slot as usize].id;
        if (slot as usize) < self.walls {
            let feature = (slot as usize + 1).saturating_sub(self.features.first);
            return BodyKey { is_grain: false, id, part: feature as u32, shift: [0; 3] };
        }
        let role = self.role(slot);
        let part = if role.is_part() {
            let whole = self.records[role.owner as usize].shape;
            role.part - self.shapes[whole as usize].parts.start + 1
        } else {
            0
        };
        BodyKey { is_grain: true, id, part, shift: role.shift }
    }

    /// The key of the contact of two bodies.
    pub(crate) fn contact_key(&self, pair: BodyPair) -> ContactKey {
        let (mut a, mut b) = (self.key(pair.a), self.key(pair.b));
        let shift: Shift = std::array::from_fn(|k| b.shift[k] - a.shift[k]);
        (a.shift, b.shift) = ([0; 3], shift);
        ContactKey { a, b }
    }
}
