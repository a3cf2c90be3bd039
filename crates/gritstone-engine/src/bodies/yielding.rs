//! How bodies yield to what pushes them: the effective mass of a contact.

use gritstone_core::Linear as _;
use gritstone_force::Wrench;

use super::Bodies;
use crate::dimension::Dimension;

impl<D: Dimension> Bodies<D> {
    /// How far a push at `point` goes by turning the body, per impulse: `κ·I⁻¹κ`, `κ = r×f + τ` for the wrench (f, τ).
    /// Nothing for walls, which have no inertia of their own where a tool is free, and for what nothing moves; parts of compounds
    /// count as if they did not turn.
    #[inline]
    pub(crate) fn yielding(&self, slot: u32, point: D::Vec, push: &Wrench<D>) -> f64 {
        if !self.yields(slot) {
            return 0.0;
        }
        let record = &self.records[slot as usize];
        let moment = D::moment(point - record.position, push.force) + push.torque;
        let inertia = &self.shapes[record.shape as usize].inertia;
        moment.dot(D::spin(inertia, record.rotation, moment)) / record.mass
    }

    /// Whether a push turns a body as far as point contacts know.
    #[inline]
    pub(crate) fn yields(&self, slot: u32) -> bool {
        let is_wall = (slot as usize) < self.walls;
        let is_ghost = slot as usize >= self.wholes;
        let is_held = is_wall || self.records[slot as usize].mass.is_infinite();
        !(is_held || is_ghost && self.role(slot).is_part())
    }

    /// How much the impulse of a force and a torque at `point` moves that point of the body along with it: `W·M⁻¹·W`. Walls do not
    /// turn by themselves, as above; parts and images move as their owners.
    #[inline]
    pub(crate) fn yielding_to(&self, slot: u32, point: D::Vec, force: D::Vec, torque: D::Spin) -> f64 {
        let record = &self.records[slot as usize];
        if record.mass.is_infinite() {
            return 0.0;
        }
        let moved = force.dot(force) / record.mass;
        if (slot as usize) < self.walls {
            return moved;
        }
        let role = self.role(slot);
        let (owner, centre) = if role.is_part() {
            let owner = &self.records[role.owner as usize];
            let lever = D::rotate(owner.rotation, self.parts[role.part as usize].pose.position);
            (owner, record.position - lever)
        } else {
            (record, record.position)
        };
        let torque = torque + D::moment(point - centre, force);
        let inertia = &self.shapes[owner.shape as usize].inertia;
        moved + torque.dot(D::spin(inertia, owner.rotation, torque)) / record.mass
    }
}
