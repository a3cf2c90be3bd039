//! The angle of repose.

use gritstone_engine::{Dimension, Setup};

use crate::columns::Column;
use crate::kind::Measure;
use crate::profile::Profile;
use crate::view::View;

/// Part of the largest height below which the foot is, and above which the top is: neither is on the slope.
const SLOPE: [f64; 2] = [0.2, 0.8];

/// The angle of the slope that falls from the highest bin of a profile on, by a straight line of least squares through the
/// bins that are between a fifth and four fifths of the largest height; it ends where a bin has no grains. No height without grains,
/// no angle where fewer than two bins are, and no foot where the line does not fall.
#[derive(Clone, Copy, Debug)]
pub struct Repose<D: Dimension> {
    /// The profile.
    pub profile: Profile<D>,
}

impl<D: Dimension> Measure<D> for Repose<D> {
    fn columns(&self, _: &Setup<D>) -> Vec<Column> {
        vec![
            Column::new("angle", "deg"),
            Column::new("height", "m"),
            Column::new("foot", "m"),
            Column::new("bins", ""),
        ]
    }

    fn rows(&self, view: &View<'_, D>) -> Vec<Vec<f64>> {
        let heights = self.profile.heights(view);
        let (top, height) = heights
            .iter()
            .enumerate()
            .filter(|(_, height)| !height.is_nan())
            .fold((0, f64::NAN), |best, (bin, &height)| if height <= best.1 { best } else { (bin, height) });
        let slope: Vec<(f64, f64)> = (top..heights.len())
            .map(|bin| (self.profile.middle(bin), heights[bin]))
            .take_while(|(_, h)| *h > SLOPE[0] * height)
            .filter(|(_, h)| *h < SLOPE[1] * height)
            .collect();
        let Some((slant, at_origin)) = line(&slope) else {
            return vec![vec![f64::NAN, height, f64::NAN, slope.len() as f64]];
        };
        let foot = if slant < 0.0 { -at_origin / slant } else { f64::NAN };
        vec![vec![libm::atan(-slant).to_degrees(), height, foot, slope.len() as f64]]
    }
}

/// Slant and height at zero of the straight line of least squares through some points; none through fewer than two.
fn line(points: &[(f64, f64)]) -> Option<(f64, f64)> {
    let n = points.len() as f64;
    let mean = |f: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(f).sum::<f64>() / n;
    let (x, y) = (mean(&|p| p.0), mean(&|p| p.1));
    let spread = mean(&|p| (p.0 - x) * (p.0 - x));
    let slant = mean(&|p| (p.0 - x) * (p.1 - y)) / spread;
    (points.len() >= 2 && spread > 0.0).then_some((slant, y - slant * x))
}
