//! Bodies in lanes.

use gritstone_contact::space::lanes;
use gritstone_core::Space;
use gritstone_core::lanes::{Lanes, Row, RowIndices, Vec3, WIDTH};
use gritstone_force::{InLanes, Wrench};

use super::turning::Rotor;
use crate::bodies::Record;
use crate::contacts::BodyPair;

/// Eight bodies.
pub(super) struct Body<L> {
    pub(super) pose: lanes::Body<L>,
    pub(super) velocity: Vec3<L>,
    pub(super) spin: Vec3<L>,
    /// Infinite for those that nothing moves.
    mass: L,
}

impl<L: Lanes> Body<L> {
    /// Loads the records of eight pairs.
    #[inline(always)]
    pub(super) fn load(records: &[Record<Space>], pair: &[BodyPair; WIDTH]) -> (Self, Self) {
        // Written out: a closure in `map` would be a call, around which registers go to the stack and back.
        let [c, d, e, f, g, h, i, j] = pair;
        (
            Self::from_lines([
                lines(records, c.a),
                lines(records, d.a),
                lines(records, e.a),
                lines(records, f.a),
                lines(records, g.a),
                lines(records, h.a),
                lines(records, i.a),
                lines(records, j.a),
            ]),
            Self::from_lines([
                lines(records, c.b),
                lines(records, d.b),
                lines(records, e.b),
                lines(records, f.b),
                lines(records, g.b),
                lines(records, h.b),
                lines(records, i.b),
                lines(records, j.b),
            ]),
        )
    }

    #[inline(always)]
    fn from_lines([a, b, c, d, e, f, g, h]: [&[[f64; WIDTH]; 2]; WIDTH]) -> Self {
        let [x, y, z, qx, qy, qz, qw, vx] =
            L::load_turned([&a[0], &b[0], &c[0], &d[0], &e[0], &f[0], &g[0], &h[0]]);
        let [vy, vz, wx, wy, wz, mass, ..] =
            L::load_turned([&a[1], &b[1], &c[1], &d[1], &e[1], &f[1], &g[1], &h[1]]);
        Self {
            pose: lanes::Body { position: Vec3::new(x, y, z), rotation: [qx, qy, qz, qw] },
            velocity: Vec3::new(vx, vy, vz),
            spin: Vec3::new(wx, wy, wz),
            mass,
        }
    }

    /// Velocity of the material point at `point`.
    #[inline(always)]
    pub(super) fn velocity_at(&self, point: Vec3<L>) -> Vec3<L> {
        self.velocity + self.spin.cross(point - self.pose.position)
    }

    /// Reciprocals of the moments of inertia about axes through the centres.
    #[inline(always)]
    pub(super) fn turning(&self, inertias: &[Row], shapes: &RowIndices, axis: Vec3<L>) -> L {
        let [i, j, k, x, y, z, w, _] = shapes.load::<L>(inertias);
        let rotor = Rotor { by_moments: Vec3::new(i, j, k), axes: [x, y, z, w] };
        axis.dot(rotor.spin(rotor.principal(self.pose.rotation), axis)) / self.mass
    }

    /// How far a push at `point` goes by turning the body, per impulse: `κ·I⁻¹κ`, `κ = r×f + τ` for the wrench (f, τ).
    #[inline(always)]
    pub(super) fn yielding(
        &self,
        inertias: &[Row],
        shapes: &RowIndices,
        point: Vec3<L>,
        push: &Wrench<InLanes<L>>,
    ) -> L {
        let [i, j, k, x, y, z, w, _] = shapes.load::<L>(inertias);
        let rotor = Rotor { by_moments: Vec3::new(i, j, k), axes: [x, y, z, w] };
        let moment = (point - self.pose.position).cross(push.force) + push.torque;
        moment.dot(rotor.spin(rotor.principal(self.pose.rotation), moment)) / self.mass
    }
}

#[inline(always)]
fn lines(records: &[Record<Space>], slot: u32) -> &[[f64; WIDTH]; 2] {
    records[slot as usize].lines()
}
