//! Recursive coordinate bisection: which process has which grains.
//!
//! **Source.** Berger and Bokhari 1987.

use gritstone_core::Vector as _;

use crate::dimension::Dimension;
use crate::setup::Grain;

/// Splits grains among so many processes: across the longest extent, in proportion to the processes on both sides. The same for
/// any order of the grains.
pub(crate) fn partition<D: Dimension>(mut grains: Vec<Grain<D>>, processes: usize) -> Vec<Vec<Grain<D>>> {
    if processes <= 1 {
        return vec![grains];
    }
    let extent = |axis: usize| {
        let along = grains.iter().map(|grain| grain.pose.position.component(axis));
        let (low, high) =
            along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        high - low
    };
    let axis = (0..D::N).max_by(|&i, &k| extent(i).total_cmp(&extent(k))).unwrap_or(0);
    grains.sort_by(|a, b| {
        let along = |grain: &Grain<D>| grain.pose.position.component(axis);
        along(a).total_cmp(&along(b)).then(a.id.cmp(&b.id))
    });
    let first = processes / 2;
    let rest = grains.split_off(grains.len() * first / processes);
    let mut parts = partition(grains, first);
    parts.extend(partition(rest, processes - first));
    parts
}
