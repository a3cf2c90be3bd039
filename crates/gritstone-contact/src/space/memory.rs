//! What a contact keeps from one time step to the next.

use glam::DVec3;

use super::pair::Pair;
use super::tower::Tower;

/// Memory of one pair: the direction to start from, and the material points that certified its overlap.
#[derive(Clone, Copy, Debug, Default)]
pub struct Memory {
    /// Direction of the last answer, in the world.
    pub direction: Option<DVec3>,
    /// Rings of the last certificate, in the bodies' frames.
    tower: Option<Tower>,
}

impl Memory {
    /// Upper bound of the signed distance from the rings of the last certificate about the point `top` of the Minkowski
    /// difference.
    pub(crate) fn upper<A: ?Sized, B: ?Sized>(&self, pair: &Pair<'_, A, B>, top: DVec3) -> f64 {
        self.tower.as_ref().map_or(f64::INFINITY, |tower| tower.in_world(pair).upper(top))
    }

    /// Keeps a certificate, or forgets the last one.
    pub(crate) fn keep<A: ?Sized, B: ?Sized>(&mut self, pair: &Pair<'_, A, B>, tower: Option<&Tower>) {
        self.tower = tower.map(|tower| tower.in_bodies(pair));
    }
}
