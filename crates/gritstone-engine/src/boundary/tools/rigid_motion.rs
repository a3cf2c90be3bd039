//! A rigid motion since the start, with the velocities that belong to it.
//!
//! **Notation.** A point that was at x is at `R x + d` now, and a point at y has the velocity `w + ω × y`.

use gritstone_core::Pose;
use serde::{Deserialize, Serialize};

use crate::dimension::Dimension;

/// A rigid motion since the start, with the velocities that belong to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct RigidMotion<D: Dimension> {
    /// d.
    pub(crate) shift: D::Vec,
    /// R.
    pub(crate) rotation: D::Rotation,
    /// w, the velocity that a point at the origin of the world would have.
    pub(crate) velocity: D::Vec,
    /// ω.
    pub(crate) spin: D::Spin,
}

impl<D: Dimension> RigidMotion<D> {
    /// Moved by `way` without turning.
    pub(crate) fn along(way: D::Vec, velocity: D::Vec) -> Self {
        Self { shift: way, velocity, ..Self::default() }
    }

    /// Turned about an axis through a point by an angle, at a rate.
    pub(crate) fn about(point: D::Vec, axis: D::Spin, [angle, rate]: [f64; 2]) -> Self {
        let rotation = D::rotated(D::Rotation::default(), axis, angle);
        let spin = axis * rate;
        Self { shift: point - D::rotate(rotation, point), rotation, velocity: -D::sweep(spin, point), spin }
    }

    /// This motion, and then another one of all that it has moved.
    pub(crate) fn then(&self, outer: &Self) -> Self {
        let carried = D::rotate_spin(outer.rotation, self.spin);
        Self {
            shift: outer.point(self.shift),
            rotation: D::compose(outer.rotation, self.rotation),
            velocity: outer.velocity + D::rotate(outer.rotation, self.velocity)
                - D::sweep(carried, outer.shift),
            spin: outer.spin + carried,
        }
    }

    /// Where a point is that was there at the start.
    pub(crate) fn point(&self, start: D::Vec) -> D::Vec {
        self.shift + D::rotate(self.rotation, start)
    }

    /// Where a body is that was there at the start.
    pub(crate) fn carry(&self, start: &Pose<D>) -> Pose<D> {
        Pose { position: self.point(start.position), rotation: D::compose(self.rotation, start.rotation) }
    }

    /// Velocity of the point that is at `y` now.
    pub(crate) fn velocity_at(&self, y: D::Vec) -> D::Vec {
        self.velocity + D::sweep(self.spin, y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;
    use gritstone_core::Space;

    /// A rotation, a translation, another rotation: poses and velocities against differences of positions.
    #[test]
    fn velocities_are_the_slopes_of_positions() {
        let at = |t: f64| {
            let tilt = RigidMotion::<Space>::about(DVec3::new(0.3, -0.2, 0.5), DVec3::X, [0.8 * t, 0.8]);
            let go = RigidMotion::along(
                DVec3::new(1.0, 2.0, -0.5) * t * t,
                DVec3::new(1.0, 2.0, -0.5) * (2.0 * t),
            );
            let turn =
                RigidMotion::about(DVec3::new(-1.0, 0.4, 0.1), DVec3::new(0.0, 0.6, 0.8), [1.7 * t, 1.7]);
            tilt.then(&go).then(&turn)
        };
        let body = Pose::new(DVec3::new(0.2, 0.7, -0.9), glam::DQuat::from_rotation_y(0.6));
        let (t, h) = (0.9, 1e-5);
        let [before, now, after] = [t - h, t, t + h].map(|t| at(t).carry(&body));
        let slope = (after.position - before.position) / (2.0 * h);
        assert!((at(t).velocity_at(now.position) - slope).length() < 1e-8);
        let turned = (after.rotation * before.rotation.conjugate()).to_scaled_axis() / (2.0 * h);
        assert!((at(t).spin - turned).length() < 1e-8);
    }
}
