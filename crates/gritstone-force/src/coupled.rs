//! Friction of faces: sliding and twisting under one limit.
//!
//! **Idea.** A face that spins while it slides has the friction of every point of it against that point's motion: where it spins
//! fast, little is left against sliding. The force f and the torque τ of a face that slides about any centre lie close to an ellipse,
//! `f² + (τ/ℓ)² = (μN)²` with the lever ℓ, and the motion is normal to it. So both are the parts of one spring with one slider:
//! the twist is a length at the lever, along the normal, where the slip is across it.
//!
//! **Source.** \[farkas2003\] for discs that slide and spin, which stop doing both at the same time; the ellipse as in \[howe1996\].
//!
//! **Notation.** ℓ: `0.94·√(tr C)` with the covariance C of the face across the normal: 0.665 of a disc's radius (exact: 2/3), 0.384 of
//! a square's edge (0.383).
//!
//! **Deviations.** The ellipse stands for the exact limit, which is up to 5 % away from it. Twisting resistance that was asked for beside
//! lengthens the lever.

use gritstone_core::{Dim, Linear as _};

use crate::law::{ACROSS, Hold};
use crate::slider::Slider;
use crate::transport::transport;
use crate::{History, Interaction, LARGEST_DAMPING, Law, Load, Touch};

/// ℓ over the root of the mean square of the distance from the middle of a face: between that of discs (0.943) and that of squares
/// (0.937).
pub(crate) const LEVER: f64 = 0.94;

impl Interaction {
    /// Friction and rolling resistance of a face. What limits the twist is the limit of friction at the twist lever.
    #[inline]
    pub(crate) fn hold_face<D: Dim>(
        &self,
        touch: &Touch<D>,
        history: &mut History<D>,
        hold: &Hold<D>,
        dt: f64,
    ) -> Load<D> {
        let law = self.law();
        if self.friction <= 0.0 {
            return law.hold(touch, history, hold, dt);
        }
        let Touch { normal, spin, mean_spin, .. } = *touch;
        let slider = Slider {
            stiffness_before: history.stiffness,
            stiffness: hold.shear,
            damping: (self.damping[1] * (hold.shear * touch.mass).sqrt())
                .min(LARGEST_DAMPING / ACROSS * touch.mass / dt),
            limit: self.friction * hold.grip,
            keep_stretch: self.published,
            dt,
        };
        let lever = hold.twist_lever + self.twisting * touch.radius / self.friction;
        let along = normal.dot(hold.velocity);
        let rate = hold.velocity - normal * along + normal * (D::along(spin, normal) * lever);
        let slip = transport::<D>(history.slip, normal, D::about(mean_spin, normal) * dt);
        let mut stretch = slip + normal * history.twist;
        let drag = slider.drag(&mut stretch, rate);

        // What is left of the point law is rolling resistance.
        history.slip = D::Vec::default();
        let rolls = Law { friction: 0.0, ..law };
        let mut load = rolls.hold(touch, history, &Hold { twist_limit: 0.0, ..*hold }, dt);
        history.twist = stretch.dot(normal);
        history.slip = stretch - normal * history.twist;

        let torque = drag.force.dot(normal);
        load.force += drag.force - normal * torque;
        load.torque += D::turn(normal, torque * lever);
        load.elastic += drag.elastic;
        load.dissipated += drag.dissipated;
        load
    }
}
