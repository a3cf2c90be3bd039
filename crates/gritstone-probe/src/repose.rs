//! The angle of repose.

use gritstone_engine::{Dimension, Setup};

use crate::columns::{Column, mean};
use crate::kind::Measure;
use crate::profile::Profile;
use crate::view::View;

/// Fractions of the largest height below which the foot is, and above which the top is: neither is on the slope.
const SLOPE: [f64; 2] = [0.2, 0.8];

/// Heights up to this many layers of grains are not on the slope either: single grains lie around the foot of a heap, and the
/// highest points of a layer are as high as a grain, however far it reaches.
const LAYERS: f64 = 1.5;

/// The angle of the slope that falls from the highest bin of a profile, by a straight line of least squares through the bins that are
/// between a fifth and four fifths of the largest height, and more than one and a half layers of grains high. It ends at the first
/// lower bin, and where no grain is over more than the height of a layer. No height without grains, no angle where fewer than two bins are
/// on the slope, and no foot where the line does not fall.
#[derive(Clone, Copy, Debug)]
pub struct Repose<D: Dimension> {
    /// The profile.
    pub profile: Profile<D>,
}

/// What was found of a slope.
struct Slope {
    /// The largest height (m); not a number without grains.
    height: f64,
    /// Heights between which bins are on the slope (m).
    ends: [f64; 2],
    /// Mean height of a grain (m).
    layer: f64,
    /// Place and height of the bins on the slope (m).
    points: Vec<(f64, f64)>,
}

impl<D: Dimension> Repose<D> {
    fn slope(&self, view: &View<'_, D>) -> Slope {
        let heights = self.profile.heights(view);
        let (top, height) = heights
            .iter()
            .enumerate()
            .filter(|(_, height)| !height.is_nan())
            .fold((0, f64::NAN), |best, (bin, &height)| if height <= best.1 { best } else { (bin, height) });
        let layer = mean(view.snapshot.bodies.iter().map(|body| self.profile.thickness(view, body)));
        let ends = [(SLOPE[0] * height).max(LAYERS * layer), SLOPE[1] * height];
        let [low, high] = self.profile.range;
        let gap = (layer / ((high - low) / self.profile.bins as f64)).ceil() as usize;
        let (mut points, mut empty) = (Vec::new(), 0);
        for (bin, &h) in heights.iter().enumerate().skip(top) {
            empty = if h.is_nan() { empty + 1 } else { 0 };
            if empty > gap || h <= ends[0] {
                break;
            }
            if h < ends[1] {
                points.push((self.profile.middle(bin), h));
            }
        }
        Slope { height, ends, layer, points }
    }
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
        let Slope { height, points, .. } = self.slope(view);
        let bins = points.len() as f64;
        let Some((slant, at_origin)) = line(&points) else {
            return vec![vec![f64::NAN, height, f64::NAN, bins]];
        };
        let foot = if slant < 0.0 { -at_origin / slant } else { f64::NAN };
        vec![vec![libm::atan(-slant).to_degrees(), height, foot, bins]]
    }

    fn remark(&self, view: &View<'_, D>) -> Option<String> {
        let Slope { height, ends: [low, high], layer, points } = self.slope(view);
        if height.is_nan() {
            return Some("no angle: there are no grains in the range of the bins".to_owned());
        }
        if low >= high {
            return Some(format!(
                "no angle: the heap is {height:.3e} m high, too few layers of grains, which are {layer:.3e} m thick"
            ));
        }
        (points.len() < 2).then(|| {
            format!(
                "no angle: {} of {} bins on the slope, between {low:.3e} and {high:.3e} m high; the line takes at least 2 \
                 (bins, from, to)",
                points.len(),
                self.profile.bins
            )
        })
    }
}

/// Slope and height at zero of the straight line of least squares through some points; none through fewer than two.
fn line(points: &[(f64, f64)]) -> Option<(f64, f64)> {
    let n = points.len() as f64;
    let mean = |f: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(f).sum::<f64>() / n;
    let (x, y) = (mean(&|p| p.0), mean(&|p| p.1));
    let spread = mean(&|p| (p.0 - x) * (p.0 - x));
    let slant = mean(&|p| (p.0 - x) * (p.1 - y)) / spread;
    (points.len() >= 2 && spread > 0.0).then_some((slant, y - slant * x))
}
