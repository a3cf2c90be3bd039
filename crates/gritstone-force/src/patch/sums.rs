//! Integrals over a patch, and over patches that act as one.

use glam::{DVec2, DVec3};
use gritstone_core::linalg::Sym2;
use gritstone_core::{Dim, Linear, Space};

use super::PatchPoint;
use crate::Touch;

/// Integrals over a patch in space; levers are from the contact point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PatchMoments {
    /// Of one (m²).
    pub area: f64,
    /// Of the depth (m³).
    pub volume: f64,
    /// Of the depth's square (m⁴).
    pub square: f64,
    /// Of the lever (m³).
    pub lever: DVec3,
    /// Of the depth times the lever (m⁴).
    pub deep_lever: DVec3,
    /// Of the depth times the square of the lever across the normal (m⁵).
    pub deep_square: f64,
    /// Two axes across the normal.
    pub axes: [DVec3; 2],
    /// Of the products of the lever's parts along these axes (m⁴).
    pub second: Sym2,
}

/// Integrals over the patch of a contact, as laws take them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PatchSums<D: Dim> {
    /// One for flat contacts, zero for those that are points, and between them the loads are mixed.
    pub weight: f64,
    /// Of one.
    pub(super) area: f64,
    /// Of the depth (V), of its square (W).
    pub(super) volume: f64,
    pub(super) square: f64,
    /// Of the lever, alone and with the depth; of its square with the depth.
    pub(super) lever: D::Vec,
    pub(super) deep_lever: D::Vec,
    pub(super) deep_square: f64,
    /// Of the approach speed, alone and with the lever; of its square.
    pub(super) approach: f64,
    pub(super) approach_lever: D::Vec,
    pub(super) approach_square: f64,
}

impl<D: Dim> PatchSums<D> {
    /// Of points that stand for parts of the area.
    #[inline]
    pub fn over(
        touch: &Touch<D>,
        area: f64,
        weight: f64,
        points: impl IntoIterator<Item = PatchPoint<D>>,
    ) -> Self {
        let mut sums = Self { area, weight, ..Self::default() };
        for PatchPoint { lever, area, depth } in points {
            let approach = -(touch.velocity + D::sweep(touch.spin, lever)).dot(touch.normal);
            let deep = depth * area;
            sums.volume += deep;
            sums.square += deep * depth;
            sums.lever += lever * area;
            sums.deep_lever += lever * deep;
            sums.deep_square += lever.dot(lever) * deep;
            sums.approach += approach * area;
            sums.approach_lever += lever * (approach * area);
            sums.approach_square += approach * approach * area;
        }
        sums
    }

    /// How far the depth spreads from its middle.
    #[inline]
    pub(super) fn spread(&self) -> f64 {
        let middle = self.deep_lever * (1.0 / self.volume);
        (self.deep_square / self.volume - middle.dot(middle)).max(0.0).sqrt()
    }
}

impl PatchSums<Space> {
    /// From integrals over the patch alone: the approach speed is linear in the lever, `α + β·r`.
    #[inline]
    pub fn from_moments(touch: &Touch<Space>, weight: f64, moments: &PatchMoments) -> Self {
        let (alpha, beta) = (-touch.velocity.dot(touch.normal), touch.spin.cross(touch.normal));
        let [u, v] = moments.axes;
        let beta = DVec2::new(beta.dot(u), beta.dot(v));
        let lever = DVec2::new(moments.lever.dot(u), moments.lever.dot(v));
        let Sym2 { xx, yy, xy } = moments.second;
        let turned = DVec2::new(xx * beta.x + xy * beta.y, xy * beta.x + yy * beta.y);
        let approach_lever = lever * alpha + turned;
        Self {
            weight,
            area: moments.area,
            volume: moments.volume,
            square: moments.square,
            lever: moments.lever,
            deep_lever: moments.deep_lever,
            deep_square: moments.deep_square,
            approach: alpha * moments.area + beta.dot(lever),
            approach_lever: u * approach_lever.x + v * approach_lever.y,
            approach_square: alpha * (alpha * moments.area + 2.0 * beta.dot(lever)) + beta.dot(turned),
        }
    }
}

/// What patches that act as one add up to: those of the parts of one body on another one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Whole {
    pub(super) area: f64,
    pub(super) volume: f64,
    pub(super) square: f64,
    pub(super) approach: f64,
    /// Whether none of them touched in the last step.
    pub(super) fresh: bool,
}

impl Whole {
    /// A patch that has no others beside it; fresh if its bodies did not touch in the last step.
    #[inline]
    pub fn alone<D: Dim>(sums: &PatchSums<D>, fresh: bool) -> Self {
        let PatchSums { area, volume, square, approach, .. } = *sums;
        Self { area, volume, square, approach, fresh }
    }

    /// Adds a part of another patch.
    pub fn add<D: Dim>(&mut self, part: f64, sums: &PatchSums<D>, fresh: bool) {
        self.area += part * sums.area;
        self.volume += part * sums.volume;
        self.square += part * sums.square;
        self.approach += part * sums.approach;
        self.fresh &= part == 0.0 || fresh;
    }
}
