//! Tools that forces move: velocity Verlet, as for grains, along the axes that they may follow.

use gritstone_core::{Dim, Vector};
use serde::{Deserialize, Serialize};

use super::ride::Ride;
use crate::realm::Realm;

/// A tool that forces move. Its centre of mass is its origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Free<D: Dim> {
    /// Mass (kg).
    pub mass: f64,
    /// Axes along which it may move.
    pub along: [bool; 3],
    /// Moments of inertia about the axes of the world at the start, for tools that may turn (kg m²).
    pub moments: Option<D::Spin>,
    /// Axes about which it may turn; in the plane the first one counts.
    pub about: [bool; 3],
    /// Force on it beside those of gravity and of the grains (N).
    pub force: D::Vec,
    /// From when on it is free (s).
    pub start: f64,
}

/// Where a free tool is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct FreeState<D: Realm> {
    pub(super) position: D::Vec,
    rotation: D::Rotation,
    velocity: D::Vec,
    momentum: D::Spin,
}

/// What acts on a free tool during a step.
pub(crate) struct Push<D: Realm> {
    pub(crate) force: D::Vec,
    pub(crate) torque: D::Spin,
    pub(crate) gravity: D::Vec,
    pub(crate) dt: f64,
}

impl<D: Realm> Free<D> {
    pub(super) fn at_rest(origin: D::Vec) -> FreeState<D> {
        FreeState { position: origin, ..FreeState::default() }
    }

    /// Velocity and angular momentum after half a step.
    fn pushed(&self, state: &FreeState<D>, push: &Push<D>) -> (D::Vec, D::Spin) {
        let half = 0.5 * push.dt;
        let acceleration = (push.force + self.force) * (1.0 / self.mass) + push.gravity;
        let allowed = D::Vec::from_fn(|i| if self.along[i] { acceleration.component(i) } else { 0.0 });
        let torque =
            if self.moments.is_some() { D::masked(push.torque, self.about) } else { D::Spin::default() };
        (state.velocity + allowed * half, state.momentum + torque * half)
    }

    /// The first half step of the velocities and the whole step of the pose; the motion that it expects to have then.
    pub(super) fn advance(&self, state: &mut FreeState<D>, push: &Push<D>, origin: D::Vec) -> Ride<D> {
        (state.velocity, state.momentum) = self.pushed(state, push);
        state.position += state.velocity * push.dt;
        if let Some(moments) = self.moments {
            state.rotation = D::turned(&D::with_moments(moments), state.rotation, state.momentum, push.dt);
        }
        let (velocity, momentum) = self.pushed(state, push);
        self.ride(&FreeState { velocity, momentum, ..*state }, origin)
    }

    /// The second half step of the velocities.
    pub(super) fn kick(&self, state: &mut FreeState<D>, push: &Push<D>, origin: D::Vec) -> Ride<D> {
        (state.velocity, state.momentum) = self.pushed(state, push);
        self.ride(state, origin)
    }

    fn ride(&self, state: &FreeState<D>, origin: D::Vec) -> Ride<D> {
        let spin = self.moments.map_or_else(D::Spin::default, |moments| {
            D::spin(&D::with_moments(moments), state.rotation, state.momentum)
        });
        Ride {
            shift: state.position - D::rotate(state.rotation, origin),
            rotation: state.rotation,
            velocity: state.velocity - D::sweep(spin, state.position),
            spin,
        }
    }
}
