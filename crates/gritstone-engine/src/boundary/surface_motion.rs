//! Surfaces that move along themselves: conveyor belts, turntables, rollers that are meshes.
//!
//! **Idea.** The material of such a wall moves and its shape does not. Friction and twisting resistance see the velocity of the
//! material along the surface and its turning about the normal; contact detection, the normal force with its damping, and
//! rolling resistance see the wall.
//!
//! **Notation.** `u(x) = v + ω × (x − o)`: velocity of the material in the frame of the wall, whose origin is o; `n`: normal of
//! the contact; `u − (u·n) n` and `(ω·n) n` are what friction sees, and what the wall does work with.

use gritstone_core::{Dim, Linear as _};

use crate::bodies::Bodies;
use crate::contacts::key::GrainKey;
use crate::contacts::{BodyPair, ContactTable};
use crate::dimension::Dimension;

/// How the material of a wall moves along its surface, in the frame of the wall.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SurfaceMotion<D: Dim> {
    /// Velocity at the wall's origin (m/s).
    pub velocity: D::Vec,
    /// Angular velocity (rad/s).
    pub spin: D::Spin,
}

impl<D: Dim> SurfaceMotion<D> {
    /// Whether nothing moves.
    pub fn is_still(&self) -> bool {
        *self == Self::default()
    }
}

impl<D: Dimension> Bodies<D> {
    /// How the material of a wall moves, if it moves along its surface.
    #[inline]
    pub(crate) fn surface_motion(&self, slot: u32) -> Option<&SurfaceMotion<D>> {
        if self.surface_motions.is_empty() || slot as usize >= self.walls {
            return None;
        }
        let wall = self.states[slot as usize].id as usize;
        self.surface_motions.get(wall).filter(|motion| !motion.is_still())
    }

    /// Velocity and spin of a wall's surface at a contact, beside those of the wall.
    #[inline]
    pub(crate) fn surface_velocity(
        &self,
        slot: u32,
        point: D::Vec,
        normal: D::Vec,
    ) -> Option<(D::Vec, D::Spin)> {
        let motion = self.surface_motion(slot)?;
        // Features of meshes turn with their wall.
        let wall = &self.records[self.states[slot as usize].id as usize];
        let velocity = D::rotate(wall.rotation, motion.velocity);
        let spin = D::rotate_spin(wall.rotation, motion.spin);
        let velocity = velocity + D::sweep(spin, point - wall.position);
        Some((velocity - normal * velocity.dot(normal), D::about(spin, normal)))
    }
}

impl<D: Dimension> ContactTable<D> {
    /// Power of the surface of a wall on the grains that touch it (W): what its motion along itself does.
    pub(crate) fn surface_power(&self, bodies: &Bodies<D>, wall: usize) -> f64 {
        if bodies.surface_motion(wall as u32).is_none() {
            return 0.0;
        }
        let slots = bodies.features.of(wall).chain([wall]);
        slots.flat_map(|slot| self.surface_powers(bodies, slot)).map(|(_, power)| power).sum()
    }

    /// The part of each contact of a wall or a feature in that power, and the key of its grain.
    pub(crate) fn surface_powers(
        &self,
        bodies: &Bodies<D>,
        slot: usize,
    ) -> impl Iterator<Item = (GrainKey, f64)> {
        self.numbers_of(slot).map(|contact| {
            let (BodyPair { a, b }, force) = (self.pair(contact), self.force(contact));
            let normal = self.geometry(contact).1;
            let power = bodies
                .surface_velocity(b, force.point, normal)
                .map_or(0.0, |(velocity, spin)| -(force.force.dot(velocity) + force.torque.dot(spin)));
            (bodies.grain_key(a), power)
        })
    }
}
