//! What a contact keeps from one time step to the next.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::pair::Pair;
use super::polytope_pair::WarmStart;
use super::ring_certificate::RingCertificate;
use super::round_polytope;

/// Memory of one pair: the direction to start from, and what proved its last answer.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Memory {
    /// Direction of the last answer, in the world.
    pub direction: Option<DVec3>,
    /// How it changed from the answer before.
    change: DVec3,
    proof: Proof,
}

/// Material points that proved an answer.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[expect(clippy::large_enum_variant, reason = "kept in place: a box would allocate")]
enum Proof {
    #[default]
    None,
    /// Rings of an overlap, in the bodies' frames.
    Rings(RingCertificate),
    /// Vertices of two polytopes.
    Vertices(WarmStart),
    /// What of a polytope a round body touches.
    Feature(round_polytope::WarmStart),
}

/// Largest change of a direction between two answers that is extrapolated to the next.
const LARGEST_CHANGE: f64 = 0.02;

impl Memory {
    /// Where the next direction is expected.
    pub(crate) fn next_direction(&self) -> Option<DVec3> {
        Some((self.direction? + self.change).normalize())
    }

    /// Keeps the direction of an answer.
    pub(crate) fn keep_direction(&mut self, direction: DVec3) {
        let change = self.direction.map_or(DVec3::ZERO, |before| direction - before);
        let is_steady = change.length_squared() <= LARGEST_CHANGE * LARGEST_CHANGE;
        (self.direction, self.change) = (Some(direction), if is_steady { change } else { DVec3::ZERO });
    }

    /// Upper bound of the signed distance from the rings of the last certificate about the point `top` of the Minkowski
    /// difference.
    pub(crate) fn upper<A: ?Sized, B: ?Sized>(&self, pair: &Pair<'_, A, B>, top: DVec3) -> f64 {
        match &self.proof {
            Proof::Rings(rings) => rings.in_world(pair).upper(top),
            _ => f64::INFINITY,
        }
    }

    /// Keeps a certificate, or forgets the last one.
    pub(crate) fn keep<A: ?Sized, B: ?Sized>(
        &mut self,
        pair: &Pair<'_, A, B>,
        rings: Option<&RingCertificate>,
    ) {
        self.proof = rings.map_or(Proof::None, |rings| Proof::Rings(rings.in_bodies(pair)));
    }

    /// What is kept of a round body and a polytope.
    pub(crate) fn feature(&self) -> Option<round_polytope::WarmStart> {
        if let Proof::Feature(kept) = self.proof { Some(kept) } else { None }
    }

    /// Keeps what a round body touches of a polytope.
    pub(crate) fn keep_feature(&mut self, kept: round_polytope::WarmStart) {
        self.proof = Proof::Feature(kept);
    }

    /// What is kept of two polytopes.
    #[inline(always)]
    pub(crate) fn vertices(&mut self) -> &mut WarmStart {
        if !matches!(self.proof, Proof::Vertices(_)) {
            self.proof = Proof::Vertices(WarmStart::default());
        }
        match &mut self.proof {
            Proof::Vertices(kept) => kept,
            _ => unreachable!("set above"),
        }
    }
}
