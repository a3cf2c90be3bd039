//! The part of the world that is shown, and the range of the colour scale, for one frame or many.

use std::collections::BTreeSet;

use glam::DVec3;
use gritstone_render::View;

use super::Coloring;
use super::description::Description;
use super::frame::{Frame, Grain};

/// Part of the grains at either end of each axis that may be strays.
const STRAYS: f64 = 0.005;

/// How far beyond the others a stray is, in lengths of the others' extent.
const ASTRAY: f64 = 0.5;

/// Part of the values that decides where a scale of colours ends when few are much larger than the rest.
const USUAL: f64 = 0.99;

/// The part of the world and the range of values that pictures share.
#[derive(Clone, Debug)]
pub struct Stage {
    pub(super) coloring: Coloring,
    pub(super) view: View,
    /// Bounds of the grains in the world.
    pub(super) low: DVec3,
    pub(super) high: DVec3,
    /// Bounds in the axes of the view: right, up, forward.
    seen: [DVec3; 2],
    /// Least and largest value; the largest is of the usual ones.
    values: [f64; 2],
    /// A usual grain's diameter (m).
    pub(super) diameter: f64,
    /// Kinds of shapes and materials that occur.
    pub(super) kinds: BTreeSet<usize>,
    pub(super) materials: BTreeSet<usize>,
}

impl Stage {
    pub(super) fn new(view: View, coloring: Coloring) -> Self {
        let none = [DVec3::INFINITY, DVec3::NEG_INFINITY];
        Self {
            coloring,
            view,
            low: none[0],
            high: none[1],
            seen: none,
            values: [f64::INFINITY, f64::NEG_INFINITY],
            diameter: 0.0,
            kinds: BTreeSet::new(),
            materials: BTreeSet::new(),
        }
    }

    /// What the colours of grains mean.
    pub fn coloring(&self) -> Coloring {
        self.coloring
    }

    /// Adds a frame. Grains far from all others are left out.
    pub(super) fn add(&mut self, description: &Description, frame: &Frame) {
        let [low, high] = usual_bounds(&frame.grains);
        let axes = self.view.axes();
        self.kinds.extend(frame.grains.iter().map(|grain| description.shapes[grain.shape].kind));
        self.materials.extend(frame.grains.iter().map(|grain| grain.material));
        for grain in &frame.grains {
            let (at, radius) = (grain.position, description.shapes[grain.shape].radius);
            if at.cmplt(low).any() || at.cmpgt(high).any() {
                continue;
            }
            self.low = self.low.min(at - radius);
            self.high = self.high.max(at + radius);
            let seen = DVec3::from(axes.map(|axis| axis.dot(at)));
            self.seen = [self.seen[0].min(seen - radius), self.seen[1].max(seen + radius)];
        }
        // A cell is seen whole, and in all of some frames at the same scale.
        let cell =
            frame.cell.map(|cell| cell.edges(description.dimension, self.bounds())).unwrap_or_default();
        for corner in cell.into_iter().flatten() {
            self.low = self.low.min(corner);
            self.high = self.high.max(corner);
            let seen = DVec3::from(axes.map(|axis| axis.dot(corner)));
            self.seen = [self.seen[0].min(seen), self.seen[1].max(seen)];
        }
        let mut diameters: Vec<f64> =
            frame.grains.iter().map(|grain| description.shapes[grain.shape].diameter).collect();
        self.diameter = self.diameter.max(quantile(&mut diameters, 0.5));
        let mut values = self.coloring.values(description, frame);
        if !values.is_empty() {
            let (least, most) = (quantile(&mut values, 0.0), quantile(&mut values, 1.0));
            let usual = quantile(&mut values, USUAL);
            let most = if most > 2.0 * usual && usual > 0.0 { usual } else { most };
            self.values = [self.values[0].min(least), self.values[1].max(most)];
        }
    }

    /// Bounds of the grains in the world; a unit box where there are none.
    pub(super) fn bounds(&self) -> [DVec3; 2] {
        if self.low.x <= self.high.x { [self.low, self.high] } else { [-DVec3::ONE, DVec3::ONE] }
    }

    /// Corners of the box, along the axes of the view, that holds all grains.
    pub(super) fn corners(&self) -> Vec<DVec3> {
        let axes = self.view.axes();
        let [low, high] = self.seen;
        if low.x > high.x {
            return self.bounds().into();
        }
        let pick = |bits: usize, i: usize| if bits >> i & 1 == 0 { low[i] } else { high[i] };
        (0..8).map(|bits| (0..3).map(|i| axes[i] * pick(bits, i)).sum()).collect()
    }

    /// Height of what is seen over its width, with some room for walls and legend.
    pub(super) fn aspect(&self) -> f64 {
        let size = self.seen[1] - self.seen[0];
        let aspect = (size.y + 0.12 * size.x) / (1.3 * size.x);
        if aspect.is_finite() { aspect } else { 1.0 }
    }

    /// Values at the ends of the scale of colours.
    pub(super) fn range(&self) -> [f64; 2] {
        let [least, most] = self.values;
        match self.coloring {
            Coloring::Size if least < most => [least, most],
            Coloring::Size if least == most => [0.5 * least, 1.5 * most],
            Coloring::Coordination => [0.0, most.max(1.0)],
            _ if most > 0.0 => [0.0, most],
            _ => [0.0, 1.0],
        }
    }
}

/// Bounds within which grains are not astray.
fn usual_bounds(grains: &[Grain]) -> [DVec3; 2] {
    let part = |axis: usize, part: f64| {
        let mut places: Vec<f64> = grains.iter().map(|grain| grain.position[axis]).collect();
        quantile(&mut places, part)
    };
    let low = DVec3::from([0, 1, 2].map(|axis| part(axis, STRAYS)));
    let high = DVec3::from([0, 1, 2].map(|axis| part(axis, 1.0 - STRAYS)));
    let reach = ASTRAY * (high - low).max_element();
    [low - reach, high + reach]
}

/// The value below which a part of all lies; zero where there are none.
fn quantile(values: &mut [f64], part: f64) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    let place = (part * (values.len() - 1) as f64).round() as usize;
    *values.select_nth_unstable_by(place, f64::total_cmp).1
}
