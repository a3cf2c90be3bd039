//! Recursive bisection: which process has which part of space.
//!
//! **Idea.** Space is cut across the longest extent of the grains' centres, so that both sides have weights in proportion to their
//! processes; then each side again. Weights are whole numbers, so that their sums are the same in any order: all processes find the
//! same cuts from histograms, and no process needs the positions of all grains.
//!
//! **Source.** Berger and Bokhari 1987.
//!
//! **Deviations.** A cut is found to 2⁻²¹ of the extent, and grains in one plane stay together.

use std::ops::Range;

use gritstone_core::Vector as _;

use crate::dimension::Dimension;

/// Bins of a histogram, and how often the bin of a cut is divided again.
const BINS: usize = 128;
const ROUNDS: usize = 3;

/// A cut, or what has not been cut.
#[derive(Clone, Debug)]
enum Tree {
    Whole(u32),
    Cut { axis: usize, at: f64, sides: Box<[Tree; 2]> },
}

/// The part of space of each process.
#[derive(Clone, Debug)]
pub(crate) struct Regions(Tree);

/// What other processes say of the same question, this one included: sums over all of them, and the largest numbers of each.
pub(crate) trait Reduction {
    /// Sums over all processes, number by number.
    fn sum(&self, own: Vec<u64>) -> Vec<u64>;

    /// The largest of all processes, number by number.
    fn largest(&self, own: Vec<f64>) -> Vec<f64>;
}

/// No other processes: all grains are known here.
pub(crate) struct Alone;

impl Reduction for Alone {
    fn sum(&self, own: Vec<u64>) -> Vec<u64> {
        own
    }

    fn largest(&self, own: Vec<f64>) -> Vec<f64> {
        own
    }
}

impl Regions {
    /// All of space belongs to the first process.
    pub(crate) fn whole() -> Self {
        Self(Tree::Whole(0))
    }

    /// Divides space among so many processes by the grains of this one, each with its weight, and those of the others.
    pub(crate) fn divide<D: Dimension>(
        mut grains: Vec<(D::Vec, u64)>,
        processes: usize,
        others: &impl Reduction,
    ) -> Self {
        Self(divide::<D>(&mut grains, 0..processes as u32, others))
    }

    /// The process that has this place.
    pub(crate) fn owner<D: Dimension>(&self, place: D::Vec) -> usize {
        let mut tree = &self.0;
        loop {
            match tree {
                Tree::Whole(process) => return *process as usize,
                Tree::Cut { axis, at, sides } => tree = &sides[usize::from(place.component(*axis) >= *at)],
            }
        }
    }
}

fn divide<D: Dimension>(
    grains: &mut [(D::Vec, u64)],
    processes: Range<u32>,
    others: &impl Reduction,
) -> Tree {
    if processes.len() <= 1 {
        return Tree::Whole(processes.start);
    }
    let first = processes.len() / 2;
    let (axis, bounds) = longest::<D>(grains, others);
    let share = first as f64 / processes.len() as f64;
    let at = cut::<D>(grains, axis, bounds, share, others);
    grains.sort_unstable_by_key(|(x, _)| x.component(axis) >= at);
    let (below, above) = grains.split_at_mut(grains.partition_point(|(x, _)| x.component(axis) < at));
    let middle = processes.start + first as u32;
    let sides = [
        divide::<D>(below, processes.start..middle, others),
        divide::<D>(above, middle..processes.end, others),
    ];
    Tree::Cut { axis, at, sides: Box::new(sides) }
}

/// The axis along which the grains reach farthest, and from where to where they do.
fn longest<D: Dimension>(grains: &[(D::Vec, u64)], others: &impl Reduction) -> (usize, [f64; 2]) {
    let most = |sign: f64, axis: usize| {
        grains.iter().map(|(x, _)| sign * x.component(axis)).fold(f64::NEG_INFINITY, f64::max)
    };
    let own = (0..D::N).flat_map(|axis| [most(-1.0, axis), most(1.0, axis)]).collect();
    let all = others.largest(own);
    let extent = |axis: usize| all[2 * axis] + all[2 * axis + 1];
    let axis = (1..D::N).fold(0, |best, axis| if extent(axis) > extent(best) { axis } else { best });
    (axis, [-all[2 * axis], all[2 * axis + 1]])
}

/// Where to cut for this share of the weight below.
fn cut<D: Dimension>(
    grains: &[(D::Vec, u64)],
    axis: usize,
    [mut low, mut high]: [f64; 2],
    share: f64,
    others: &impl Reduction,
) -> f64 {
    // Without any grain there is nothing to divide.
    if low > high {
        return 0.0;
    }
    let (mut below, mut target) = (0.0, None);
    for _ in 0..ROUNDS {
        let width = (high - low) / BINS as f64;
        if width <= 0.0 {
            break;
        }
        let mut bins = vec![0; BINS];
        for (x, weight) in grains.iter().filter(|(x, _)| (low..=high).contains(&x.component(axis))) {
            bins[(((x.component(axis) - low) / width) as usize).min(BINS - 1)] += weight;
        }
        let bins = others.sum(bins);
        let target = *target.get_or_insert(share * bins.iter().sum::<u64>() as f64);
        let mut bin = 0;
        while bin + 1 < BINS && below + (bins[bin] as f64) < target {
            below += bins[bin] as f64;
            bin += 1;
        }
        (low, high) = (low + width * bin as f64, low + width * (bin + 1) as f64);
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use gritstone_core::Space;

    use super::*;
    use crate::insertion::random::RandomStream;

    #[test]
    fn every_process_has_its_share_of_the_weight() {
        let mut random = RandomStream::new(5);
        let mut place = || random.rotation() * DVec3::new(1.0, 2.0, 0.3);
        let grains: Vec<(DVec3, u64)> =
            (0..20_000).map(|i| (place(), 1 + 30 * u64::from(i % 7 == 0))).collect();
        let all: u64 = grains.iter().map(|(_, weight)| weight).sum();
        for processes in [1, 2, 3, 5, 8] {
            let regions = Regions::divide::<Space>(grains.clone(), processes, &Alone);
            let mut shares = vec![0; processes];
            grains.iter().for_each(|(x, weight)| shares[regions.owner::<Space>(*x)] += weight);
            let mean = all as f64 / processes as f64;
            assert!(shares.iter().all(|&share| (share as f64 - mean).abs() < 0.01 * mean), "{shares:?}");
        }
    }

    /// Of a layer in one plane nothing can be cut off; nobody is lost, and one process may have nothing.
    #[test]
    fn grains_in_one_place_stay_together() {
        let grains = vec![(DVec3::ONE, 1); 10];
        let regions = Regions::divide::<Space>(grains, 4, &Alone);
        assert!(regions.owner::<Space>(DVec3::ONE) < 4);
        let none = Regions::divide::<Space>(Vec::new(), 4, &Alone);
        assert!(none.owner::<Space>(DVec3::ONE) < 4);
    }
}
