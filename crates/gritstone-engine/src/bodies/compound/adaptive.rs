//! Integration over an interval to a given accuracy, for several functions at once.
//!
//! **Idea.** The rule of Gauss with 7 points and that of Kronrod with 15 share their points; the panel in which they differ
//! most is halved until all differences together are small. Square roots, as at the rim of a body's shadow, cost a number of halvings that grows with the
//! logarithm of the accuracy.
//!
//! **Source.** Piessens et al., QUADPACK, 1983: nodes and weights of `qk15`.

/// Nodes on the positive side, from the end to the middle; every second one is Gauss's.
const NODES: [f64; 8] = [
    0.991_455_371_120_812_6,
    0.949_107_912_342_758_5,
    0.864_864_423_359_769_1,
    0.741_531_185_599_394_4,
    0.586_087_235_467_691_1,
    0.405_845_151_377_397_2,
    0.207_784_955_007_898_47,
    0.0,
];
const KRONROD: [f64; 8] = [
    0.022_935_322_010_529_224,
    0.063_092_092_629_978_55,
    0.104_790_010_322_250_18,
    0.140_653_259_715_525_92,
    0.169_004_726_639_267_9,
    0.190_350_578_064_785_4,
    0.204_432_940_075_298_9,
    0.209_482_141_084_727_83,
];
const GAUSS: [f64; 4] =
    [0.129_484_966_168_869_7, 0.279_705_391_489_276_67, 0.381_830_050_505_118_9, 0.417_959_183_673_469_4];

/// Panels at most: rounding in the functions may keep the rules apart for ever.
const MOST: usize = 128;

/// A part of the interval.
struct Panel<const K: usize> {
    pair: [f64; 2],
    value: [f64; K],
    /// Difference of the rules.
    error: [f64; K],
}

/// The integrals of `f` over the panels between neighbouring ends, all together to `tolerance` (absolute), or as near to it
/// as many panels get.
pub(super) fn integrate<const K: usize>(
    pair: impl Iterator<Item = [f64; 2]>,
    tolerance: &[f64; K],
    f: &mut impl FnMut(f64) -> [f64; K],
) -> [f64; K] {
    let mut panels: Vec<Panel<K>> = pair.map(|pair| panel(pair, f)).collect();
    let most = MOST.max(2 * panels.len());
    while panels.len() < most {
        let share = |panel: &Panel<K>| (0..K).map(|k| panel.error[k] / tolerance[k]).fold(0.0, f64::max);
        let error = sum(&panels, |panel| &panel.error);
        if (0..K).all(|k| error[k] <= tolerance[k]) {
            break;
        }
        let worst = (0..panels.len()).max_by(|&i, &j| share(&panels[i]).total_cmp(&share(&panels[j])));
        let Some(worst) = worst else { break };
        let [low, high] = panels[worst].pair;
        let middle = 0.5 * (low + high);
        if !(low < middle && middle < high) {
            break;
        }
        panels[worst] = panel([low, middle], f);
        panels.push(panel([middle, high], f));
    }
    sum(&panels, |panel| &panel.value)
}

fn sum<const K: usize>(panels: &[Panel<K>], of: impl Fn(&Panel<K>) -> &[f64; K]) -> [f64; K] {
    panels.iter().fold([0.0; K], |sum, panel| std::array::from_fn(|k| sum[k] + of(panel)[k]))
}

fn panel<const K: usize>(pair: [f64; 2], f: &mut impl FnMut(f64) -> [f64; K]) -> Panel<K> {
    let (fine, coarse) = rules(pair[0], pair[1], f);
    // The difference is the error of Gauss's rule, of which Kronrod's has a fraction even at kinks and rims.
    Panel { pair, value: fine, error: std::array::from_fn(|k| 0.25 * (fine[k] - coarse[k]).abs()) }
}

/// Kronrod's and Gauss's integrals.
fn rules<const K: usize>(low: f64, high: f64, f: &mut impl FnMut(f64) -> [f64; K]) -> ([f64; K], [f64; K]) {
    let (centre, half) = (0.5 * (low + high), 0.5 * (high - low));
    let (mut fine, mut coarse) = ([0.0; K], [0.0; K]);
    for (i, node) in NODES.iter().enumerate() {
        let mut values = f(centre - half * node);
        if *node > 0.0 {
            let other = f(centre + half * node);
            values = std::array::from_fn(|k| values[k] + other[k]);
        }
        for k in 0..K {
            fine[k] += half * KRONROD[i] * values[k];
            if i % 2 == 1 {
                coarse[k] += half * GAUSS[i / 2] * values[k];
            }
        }
    }
    (fine, coarse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_disc_and_polynomial() {
        let mut f = |x: f64| [(1.0 - x * x).max(0.0).sqrt(), x.powi(12)];
        let [disc, power] = integrate([[-1.0, 1.0]].into_iter(), &[1e-11; 2], &mut f);
        assert!((disc - std::f64::consts::FRAC_PI_2).abs() < 1e-11);
        assert!((power - 2.0 / 13.0).abs() < 1e-15);
    }
}
