//! Heights of a bed.

use gritstone_core::{Linear, Vector};
use gritstone_engine::{BodyState, Dimension, Setup};

use crate::columns::{Column, largest, mean};
use crate::kind::Measure;
use crate::view::View;

/// Along what heights are measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Along<V> {
    /// Along a direction, a unit vector.
    Line(V),
    /// Away from the vertical line through the origin, on all sides alike.
    Radius,
}

/// How much a side of a cell may lean and still count as level.
const LEVEL: f64 = 1e-6;

/// The height of the surface over a line or over the distance from an axis, in bins: that of the highest point of all grains
/// whose centre is in the bin, above the origin, and negative below it; none where there are no grains. In a periodic cell
/// bins may reach up to a cell beyond its sides; from an axis the image counts that is nearest to it.
#[derive(Clone, Copy, Debug)]
pub struct Profile<D: Dimension> {
    /// Where the line begins, and where heights are zero.
    pub origin: D::Vec,
    /// Unit vector upwards.
    pub up: D::Vec,
    /// Along what.
    pub along: Along<D::Vec>,
    /// Ends of the bins, measured from the origin (m).
    pub range: [f64; 2],
    /// Number of bins.
    pub bins: usize,
}

impl<D: Dimension> Profile<D> {
    /// The middle of a bin.
    pub(crate) fn middle(&self, bin: usize) -> f64 {
        let [low, high] = self.range;
        low + (high - low) * (bin as f64 + 0.5) / self.bins as f64
    }

    /// Vertical extent of a grain (m).
    pub(crate) fn thickness(&self, view: &View<'_, D>, body: &BodyState<D>) -> f64 {
        let form = view.setup.form(body.shape);
        [self.up, self.up * -1.0].map(|way| form.reach(D::unrotate(body.pose.rotation, way))).iter().sum()
    }

    /// Heights of all bins; not numbers for those without grains.
    pub(crate) fn heights(&self, view: &View<'_, D>) -> Vec<f64> {
        let mut heights = vec![f64::NAN; self.bins];
        let [low, high] = self.range;
        let ways = self.level_ways(view);
        for body in &view.snapshot.bodies {
            let from = body.pose.position - self.origin;
            let height = self.up.dot(from);
            let reach = view.setup.form(body.shape).reach(D::unrotate(body.pose.rotation, self.up));
            let mut put = |at: f64| {
                let bin = (at - low) / (high - low) * self.bins as f64;
                if bin >= 0.0 && bin < self.bins as f64 {
                    // The larger of a number and what is none is the number.
                    heights[bin as usize] = heights[bin as usize].max(height + reach);
                }
            };
            match self.along {
                Along::Line(direction) => ways.iter().for_each(|way| put(direction.dot(from + *way))),
                Along::Radius => {
                    let level = from - self.up * height;
                    put(ways.iter().map(|way| (level + *way).length()).fold(f64::INFINITY, f64::min));
                }
            }
        }
        heights
    }

    /// The ways to images next to the cell that are as high.
    fn level_ways(&self, view: &View<'_, D>) -> Vec<D::Vec> {
        let ways = view.lattice.neighbours().map(|shift| view.lattice.way(shift));
        ways.filter(|way| self.up.dot(*way).abs() <= LEVEL * way.length()).collect()
    }
}

impl<D: Dimension> Measure<D> for Profile<D> {
    fn columns(&self, _: &Setup<D>) -> Vec<Column> {
        vec![Column::new("position", "m"), Column::new("height", "m")]
    }

    fn rows(&self, view: &View<'_, D>) -> Vec<Vec<f64>> {
        let heights = self.heights(view);
        heights.into_iter().enumerate().map(|(bin, height)| vec![self.middle(bin), height]).collect()
    }

    fn digest_columns(&self, _: &Setup<D>) -> Vec<Column> {
        ["height_mean", "height_largest"].map(|name| Column::new(name, "m")).to_vec()
    }

    fn digest(&self, rows: &[Vec<f64>]) -> Vec<f64> {
        let heights = || rows.iter().map(|row| row[1]).filter(|height| !height.is_nan());
        vec![mean(heights()), largest(heights())]
    }
}
