//! Pressure over the patch of a flat contact.
//!
//! **Idea.** A single point cannot hold a flat body at rest: it jumps from corner to corner. Here every part of the patch
//! pushes with a pressure that grows with the depth there and with how fast the depth grows, so that the patch resists
//! tilting, and damps it. The pressure is the derivative of an energy that is a function of two integrals over the patch,
//! `V = ∫δ` and `W = ∫δ²`. With the mean depth `δ̄ = W/V` and the area `Ā = V²/W`, which are δ and A for a face on a face,
//! the energy is `½·K·δ̄²` with
//!
//! - `K = kn` for linear springs: a face on a face has the stiffness that was given, whatever its size;
//! - `K = 1.106·Y*·√Ā` for Hertz's law in space: a paraboloid has exactly Hertz's force, a flat circular punch 0.98 of its
//!   `2Y*aδ`, a cone 0.94 of Sneddon's `2/π·Y*·tan·δ²`;
//! - `K = Y*·Ā/√2` for Hertz's law in the plane: a parabola has the force of the point law.
//!
//! Where a face is made of several parts ([`Whole`]), V, W and the area are those of all parts together, and each part has the
//! same pressure as it would have in one piece: a face that is cut pushes as the whole one. Each part has friction of its
//! own, at the middle of its depth, with its share of the whole's springs.
//!
//! Friction acts at the centre of pressure, with one tangential spring and one that resists twisting; the sum of the
//! pressure limits both.
//!
//! **Source.** Gritstone. \[sneddon1965\] for punch and cone.
//!
//! **Notation.** δ: depth at a point; A: area (in the plane: length); V, W, δ̄, Ā, K: above; `p = P·(2αδ − βδ̄)`: pressure,
//! where the energy goes with `W^α/V^β`; `c = 2ζ√(K·m*)/A`: pressure per approach speed, with which a face that falls flat
//! on a face has the restitution asked for.
//!
//! **Deviations.** A pressure that depends on depth and patch area alone (`kn/A`, `Y*/√A`) is simpler, but has no energy: a
//! block on a slope whose patch does not cover its face then shakes itself downhill. One with a constant stiffness per
//! area has an energy, but corners and edges sink in deep. The price here is a small tension along rims, where the depth
//! is below half (linear) or a third (Hertz) of the mean depth; the sum always pushes. The dashpot is reduced as a whole
//! where it would make the sum pull. Adhesion after JKR is an attraction by the pull-off force while the bodies overlap.

mod sums;

use glam::{DVec2, DVec3};
use gritstone_core::{Dim, Space};

use crate::law::{Hold, Push};
use crate::{Cohesion, History, Interaction, Load, Spring, Touch};

pub use sums::{PatchMoments, PatchRates, PatchSums, Whole};

/// `8/5·√(3/2π)`: Hertz's force for a paraboloid.
const HERTZ_SPACE: f64 = 1.105_581_278_308_273_7;

/// `√½`: the point law's force for a parabola.
const HERTZ_PLANE: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// A point of a patch that stands for a part of its area.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PatchPoint<D: Dim> {
    /// From the contact point.
    pub lever: D::Vec,
    /// Area that it stands for (m²), in the plane length (m).
    pub area: f64,
    /// Depth there (m).
    pub depth: f64,
}

/// The points that integrate pressure over a triangle with linear depth, and its moments, exactly: the middles of its
/// sides. Corners are levers with depths; the area is that seen along `normal`.
#[inline]
pub fn triangle(corners: [(DVec3, f64); 3], normal: DVec3) -> [PatchPoint<Space>; 3] {
    let [(p, _), (q, _), (r, _)] = corners;
    let area = (q - p).cross(r - p).dot(normal).abs() / 6.0;
    std::array::from_fn(|i| {
        let ((a, depth_a), (b, depth_b)) = (corners[i], corners[(i + 1) % 3]);
        PatchPoint { lever: (a + b) * 0.5, area, depth: 0.5 * (depth_a + depth_b) }
    })
}

/// The points that integrate pressure over a segment with linear depth, and its moments, exactly: Gauss' two points.
#[inline]
pub fn segment(corners: [(DVec2, f64); 2], normal: DVec2) -> [PatchPoint<gritstone_core::Plane>; 2] {
    const OUTER: f64 = 0.788_675_134_594_812_9; // (1 + √⅓)/2
    let [(p, depth_p), (q, depth_q)] = corners;
    let area = 0.5 * (q - p).perp_dot(normal).abs();
    [OUTER, 1.0 - OUTER].map(|t| PatchPoint {
        lever: p * t + q * (1.0 - t),
        area,
        depth: depth_p * t + depth_q * (1.0 - t),
    })
}

/// What the pressure on a patch adds up to.
#[derive(Clone, Copy, Debug, Default)]
struct Press<D: Dim> {
    /// Force of the whole.
    all: f64,
    /// Force, and force times lever.
    push: f64,
    moment: D::Vec,
    /// Where the elastic part acts.
    centre: D::Vec,
    /// Force of the whole over its mean depth.
    stiffness: f64,
    elastic: f64,
    dissipated: f64,
}

impl Interaction {
    /// Slope of the force of a face of this area on a face (N/m), for the time step.
    pub fn patch_stiffness<D: Dim>(&self, area: f64) -> f64 {
        match self.spring {
            Spring::Linear { kn, .. } => kn,
            Spring::Hertz { young, .. } if D::N == 2 => HERTZ_PLANE * young * area,
            Spring::Hertz { young, .. } => HERTZ_SPACE * young * area.sqrt(),
        }
    }

    /// What a contact with a patch does in this step. `area` is the patch's; `weight` is one for flat contacts, zero for
    /// contacts that [`Self::load`] describes, and between them the loads are mixed. `touch` is at the point that the
    /// points' levers start from, and so is the answer.
    pub fn load_patch<D: Dim>(
        &self,
        touch: &Touch<D>,
        area: f64,
        weight: f64,
        points: impl IntoIterator<Item = PatchPoint<D>>,
        history: &mut History<D>,
        dt: f64,
    ) -> Load<D> {
        let sums = PatchSums::over(touch, area, weight, points);
        self.load_sums(touch, &sums, &Whole::alone(&sums, !history.touching()), history, dt)
    }

    /// As [`Self::load_patch`], from the integrals over the patch, and over the whole that it may be a part of.
    #[inline]
    pub fn load_sums<D: Dim>(
        &self,
        touch: &Touch<D>,
        sums: &PatchSums<D>,
        whole: &Whole,
        history: &mut History<D>,
        dt: f64,
    ) -> Load<D> {
        let (area, weight) = (sums.area, sums.weight);
        if !(sums.volume > 0.0 && weight > 0.0 && touch.depth > 0.0) {
            return self.load(touch, history, dt);
        }
        let fresh = !history.touching();
        let jump = if fresh { self.jumps(touch.radius)[0] } else { 0.0 };
        let share = sums.volume / whole.volume;
        let patch = self.press(touch.mass, sums, whole, dt);
        let pull = self.pull(touch.radius, area, share);
        let rest = 1.0 - weight;
        let law = self.law();
        let point = if rest > 0.0 { self.normal(touch.radius, touch.depth, true) } else { None };
        let point = point.unwrap_or_default();
        let Push { push: point_push, dissipated: point_dissipated } = law.push(touch, &point, history, dt);

        let push = patch.push * weight + point_push * rest;
        let pressed = patch.all * share * weight + point_push * rest;
        let grip = (pressed + self.grip(pull) * weight + point.grip * rest).max(0.0);
        let spread = sums.spread();
        let hold = Hold {
            velocity: touch.velocity + D::sweep(touch.spin, patch.centre * weight),
            grip,
            shear: self.shear_ratio() * patch.stiffness * share * weight + point.shear * rest,
            twist_lever: spread * weight + touch.radius * rest,
            twist_limit: (self.friction * spread * weight + self.twisting * touch.radius) * grip,
        };
        // A part of a whole carries its part of the mass: its dashpots are that part of the whole's.
        let mut load = law.hold(&Touch { mass: touch.mass * share, ..*touch }, history, &hold, dt);
        load.torque += D::moment(patch.centre * weight, load.force);
        let moment = patch.moment - sums.lever * (pull / area);
        load.torque += D::moment(moment * weight, touch.normal);
        load.normal_force = push - pull * weight - point.attraction * rest;
        history.normal_force = load.normal_force;
        load.force += touch.normal * load.normal_force;
        load.elastic += patch.elastic * weight + point.energy * rest;
        load.dissipated += patch.dissipated * weight + point_dissipated * rest + jump;
        load
    }

    /// The pressure on a patch, that of the whole.
    #[inline]
    fn press<D: Dim>(&self, mass: f64, sums: &PatchSums<D>, whole: &Whole, dt: f64) -> Press<D> {
        let Whole { area, volume, square, .. } = *whole;
        let mean = square / volume;
        // P, α and β of the notation.
        let (scale, alpha, beta) = match self.spring {
            Spring::Linear { kn, .. } => (0.5 * kn * mean / volume, 2.0, 2.0),
            Spring::Hertz { young, .. } if D::N == 2 => (0.5 * HERTZ_PLANE * young, 1.0, 0.0),
            Spring::Hertz { young, .. } => (0.5 * HERTZ_SPACE * young * square.sqrt() / volume, 1.5, 1.0),
        };
        let all = scale * (2.0 * alpha * volume - beta * mean * area);
        if all <= 0.0 {
            return Press::default();
        }
        let push = scale * (2.0 * alpha * sums.volume - beta * mean * sums.area);
        let moment = (sums.deep_lever * (2.0 * alpha) - sums.lever * (beta * mean)) * scale;
        let stiffness = all / mean;
        // As in the point law, the first step counts from when the bodies met.
        let advance = whole.approach * dt / area;
        let share = if whole.fresh && mean < advance { mean / advance + 0.5 } else { 1.0 };
        let damping = 2.0 * self.damping_ratio * (stiffness * mass).sqrt() / area * share;
        let viscous = damping * whole.approach;
        let damping = if all + viscous < 0.0 { damping * (all / -viscous) } else { damping };
        // Along the rim of a whole a part may pull a little: its own centre of pressure may then be anywhere.
        let alone = sums.volume == volume;
        let centre = if alone { moment * (1.0 / push) } else { sums.deep_lever * (1.0 / sums.volume) };
        Press {
            all: all + damping * whole.approach,
            push: push + damping * sums.approach,
            moment: moment + sums.approach_lever * damping,
            centre,
            stiffness,
            elastic: scale * sums.square,
            dissipated: damping * sums.approach_square * dt,
        }
    }

    /// Tangential over normal stiffness of a face.
    #[inline]
    pub(crate) fn shear_ratio(&self) -> f64 {
        match self.spring {
            Spring::Linear { kn, ks } => ks / kn,
            // Mindlin's 8G*a over the punch's 2Y*a.
            Spring::Hertz { young, shear } => 4.0 * shear / young,
        }
    }

    /// Attraction of a patch that has this share of its whole.
    #[inline]
    fn pull(&self, radius: f64, area: f64, share: f64) -> f64 {
        match self.cohesion {
            Cohesion::None => 0.0,
            Cohesion::Linear { density } => density * area,
            Cohesion::Jkr { work } => crate::jkr::pull_off(work, radius) * share,
        }
    }

    /// What friction counts beside the pressure.
    #[inline]
    fn grip(&self, pull: f64) -> f64 {
        match self.cohesion {
            Cohesion::Jkr { .. } => pull,
            Cohesion::None | Cohesion::Linear { .. } => 0.0,
        }
    }
}
