//! Pressure over the patch of a flat contact.
//!
//! **Idea.** A single point cannot hold a flat body at rest: it jumps from corner to corner. Here every point of the patch
//! pushes with a pressure that grows with the depth there and with how fast the depth grows, and none pulls: the patch
//! resists tilting, and damps it. Friction acts at the centre of pressure, with one tangential spring and one that resists
//! twisting; the sum of the pressure limits both.
//!
//! The stiffness per area k_A follows from the pair's law and the patch's area A. Linear springs: `k_A = kn/A`, the force
//! is kn times the mean depth, so that a face on a face has the stiffness kn that was given, whatever its size. Hertz in
//! space: `k_A = 4/3·√(2/π)·Y*/√A`, which gives a paraboloid exactly Hertz's force; a flat circular punch gets 0.94 of its
//! exact force `2Y*aδ`, and a cone 0.99 of Sneddon's. Hertz in the plane: `k_A = Y*/√2`, which gives a parabola what the
//! point law gives it.
//!
//! For convex bodies these forces grow with the depth: the root of the patch's area is a concave function of it (Brunn and
//! Minkowski), so that the slope lies between kn/3 and kn, or between 2/3 and 1 of `k_A·A`.
//!
//! **Source.** Gritstone. Sneddon 1965 for punch and cone.
//!
//! **Notation.** A: area (in the plane: length); δ: depth at a point; k_A: pressure per depth; c_A: pressure per approach
//! speed, `2ζ√(k_A·m*/A)`, with which a face that falls flat on a face has the restitution asked for.
//!
//! **Deviations.** The elastic energy is `½k_A∫δ²`, exact as long as the area stays the same. Adhesion after JKR is an
//! attraction by the pull-off force while the bodies overlap.

use glam::{DVec2, DVec3};
use gritstone_core::{Dim, Linear};

use crate::interaction::{Hold, Spring};
use crate::{Cohesion, History, Interaction, Load, Touch};

/// `4/3·√(2/π)`: Hertz's force for a paraboloid.
const HERTZ_SPACE: f64 = 1.063_846_081_070_487;

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
pub fn triangle(corners: [(DVec3, f64); 3], normal: DVec3) -> [PatchPoint<gritstone_core::Space>; 3] {
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

/// Sums over the points of a patch.
#[derive(Clone, Copy, Debug, Default)]
struct Sums<D: Dim> {
    /// Σ pressure·area.
    push: f64,
    /// Σ pressure·area·lever, and with the square of the lever's length.
    moment: D::Vec,
    moment2: f64,
    /// Σ area·lever.
    middle: D::Vec,
    elastic: f64,
    dissipated: f64,
}

impl Interaction {
    /// Slope of the force of a face of this area on a face (N/m), for the time step.
    pub fn patch_stiffness<D: Dim>(&self, area: f64) -> f64 {
        self.per_area::<D>(area) * area
    }

    /// k_A.
    #[inline]
    fn per_area<D: Dim>(&self, area: f64) -> f64 {
        match self.spring {
            Spring::Linear { kn, .. } => kn / area,
            Spring::Hertz { young, .. } if D::N == 2 => HERTZ_PLANE * young,
            Spring::Hertz { young, .. } => HERTZ_SPACE * young / area.sqrt(),
        }
    }

    /// Tangential over normal stiffness of a face.
    #[inline]
    fn shear_ratio(&self) -> f64 {
        match self.spring {
            Spring::Linear { kn, ks } => ks / kn,
            // Mindlin's 8G*a over the punch's 2Y*a.
            Spring::Hertz { young, shear } => 4.0 * shear / young,
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
        if !(area > 0.0 && weight > 0.0 && touch.depth > 0.0) {
            return self.load(touch, history, dt);
        }
        let jump = self.jump_in(touch.radius, history);
        let sums = self.press(touch, area, points, dt);
        let pull = self.pull(touch.radius, area);
        let point = if weight < 1.0 { self.normal(touch.radius, touch.depth, true) } else { None }
            .unwrap_or_default();
        let rest = 1.0 - weight;
        let approach = -touch.velocity.dot(touch.normal);
        let damping = self.damping[0] * (point.secant * touch.mass).sqrt();
        let repulsion = (point.repulsion + damping * approach).max(0.0);

        let push = sums.push * weight + repulsion * rest;
        let centre = if push > 0.0 { sums.moment * (weight / push) } else { sums.middle * (1.0 / area) };
        let spread = if push > 0.0 {
            (sums.moment2 * weight / push - centre.dot(centre)).max(0.0).sqrt()
        } else {
            0.0
        };
        let grip = push + self.grip(pull) * weight + point.grip * rest;
        let hold = Hold {
            lever: centre,
            grip,
            shear: self.shear_ratio() * self.patch_stiffness::<D>(area) * weight + point.shear * rest,
            twist_lever: spread * weight + touch.radius * rest,
            twist_limit: (self.friction * spread * weight + self.twisting * touch.radius) * grip,
        };
        let mut load = self.hold(touch, history, &hold, dt);
        load.normal_force = push - pull * weight - point.attraction * rest;
        load.force += touch.normal * load.normal_force;
        load.torque += D::moment(centre * push - sums.middle * (pull * weight / area), touch.normal);
        load.elastic += sums.elastic * weight + point.energy * rest;
        load.dissipated +=
            sums.dissipated * weight + (repulsion - point.repulsion) * approach * dt * rest + jump;
        load
    }

    /// Sums of the pressure.
    #[inline]
    fn press<D: Dim>(
        &self,
        touch: &Touch<D>,
        area: f64,
        points: impl IntoIterator<Item = PatchPoint<D>>,
        dt: f64,
    ) -> Sums<D> {
        let stiffness = self.per_area::<D>(area);
        let damping = 2.0 * self.damping_ratio * (stiffness * touch.mass / area).sqrt();
        let mut sums = Sums::<D>::default();
        for PatchPoint { lever, area, depth } in points {
            let velocity = touch.velocity + D::sweep(touch.spin, lever);
            let approach = -velocity.dot(touch.normal);
            let elastic = stiffness * depth;
            let pressure = (elastic + damping * approach).max(0.0);
            let push = pressure * area;
            sums.push += push;
            sums.moment += lever * push;
            sums.moment2 += lever.dot(lever) * push;
            sums.middle += lever * area;
            sums.elastic += 0.5 * elastic * depth * area;
            sums.dissipated += (pressure - elastic) * approach * area * dt;
        }
        sums
    }

    /// Attraction of a patch.
    #[inline]
    fn pull(&self, radius: f64, area: f64) -> f64 {
        match self.cohesion {
            Cohesion::None => 0.0,
            Cohesion::Linear { density } => density * area,
            Cohesion::Jkr { work } => crate::jkr::pull_off(work, radius),
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
