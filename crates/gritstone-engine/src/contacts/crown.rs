//! Flat parts of contacts of smooth bodies with a crown.
//!
//! **Idea.** A body with the crown η has the radius of curvature ρ = e/η where its exact shape is flat over the extent e. So the
//! curvatures κ of a contact say how far its flat part reaches: e = η/κ, which is the half length of a line, or the radius of a cap.
//! Friction that is spread evenly over an ellipse of these half-axes has the lever `½ e1 + e2²/6 e1`, which is right for a line (½ e)
//! and for a disc (⅔ e). A body rocks along a direction in which ρ is much larger than the bodies; one that rolls is left alone. So do
//! superellipsoids without a crown, which are nearly flat somewhere.

use gritstone_core::{Contact, Linear as _};
use gritstone_force::{FlatContact, Rocking};

use crate::bodies::Bodies;
use crate::contacts::BodyPair;
use crate::dimension::Dimension;

/// Radius of curvature over the smaller body's size up to which bodies roll on each other rather than rock.
pub(crate) const ROLLING: f64 = 4.0;

impl<D: Dimension> Bodies<D> {
    /// The larger crown of two bodies; zero where neither has one.
    #[inline]
    pub(crate) fn crown(&self, BodyPair { a, b }: BodyPair) -> f64 {
        let crown = |slot: u32| self.shapes[self.records[slot as usize].shape as usize].crown;
        crown(a).max(crown(b))
    }

    /// The flat part of a contact of bodies of which one has this crown.
    pub(crate) fn flat_contact(&self, pair: BodyPair, crown: f64, contact: &Contact<D>) -> FlatContact<D> {
        let size = self.smaller_size(pair.a, pair.b);
        // No line or face is longer than the smaller body.
        let radii = D::principal(contact.curvature).map(|curvature| curvature.recip().min(size / crown));
        let extents @ [long, short] = radii.map(|radius| crown * radius);
        let lever = 0.5 * long + if long > 0.0 { short * short / (6.0 * long) } else { 0.0 };
        FlatContact { lever, rocking: self.rocking_within(pair, contact, radii), radii, extents }
    }

    /// How bodies without a crown rock on each other at a contact; nothing where both are round.
    #[inline]
    pub(crate) fn rocking(&self, pair: BodyPair, contact: &Contact<D>) -> [Rocking<D>; 2] {
        let rocks = |slot: u32| self.shapes[self.records[slot as usize].shape as usize].roundness.rocks;
        if !(rocks(pair.a) || rocks(pair.b)) {
            return Default::default();
        }
        self.rocking_within(pair, contact, D::principal(contact.curvature).map(f64::recip))
    }

    /// The same with these relative radii of curvature, the larger one first.
    fn rocking_within(&self, pair: BodyPair, contact: &Contact<D>, radii: [f64; 2]) -> [Rocking<D>; 2] {
        let size = self.smaller_size(pair.a, pair.b);
        if radii[0] <= ROLLING * size {
            return Default::default();
        }
        let axes = D::rocking_axes([self.placed(pair.a), self.placed(pair.b)], contact.normal);
        std::array::from_fn(|i| {
            let yielding = self.turning(pair.a, axes[i]) + self.turning(pair.b, axes[i]);
            let inertia = if yielding > 0.0 { yielding.recip() } else { 0.0 };
            Rocking { axis: axes[i], radius: (radii[i] - ROLLING * size).max(0.0), inertia }
        })
    }

    /// Reciprocal of a body's moment of inertia about an axis through its centre; zero where [`Self::yielding`] is zero.
    fn turning(&self, slot: u32, axis: D::Spin) -> f64 {
        let record = &self.records[slot as usize];
        if !self.yields(slot) {
            return 0.0;
        }
        let inertia = &self.shapes[record.shape as usize].inertia;
        axis.dot(D::spin(inertia, record.rotation, axis)) / record.mass
    }
}
