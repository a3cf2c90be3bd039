//! The simulations of section 5.2 in the engine, and the methods timed on what happens in them.
//!
//! The engine moves the bodies, with its own contacts. At a few moments the poses of some consecutive steps are kept, and
//! every method then solves all near pairs of these steps, each from its own last step: all of them see the same
//! configurations, and none of them changes what comes next.

mod bucket;
mod flow;
mod particles;
mod replay;
mod room;

pub use replay::Detection;

use super::PAPER;
use crate::reproduce::{Settings, Trouble};
use crate::sweep::Progress;
use bucket::Bucket;
use flow::Flow;

/// Both sets of simulations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Simulated {
    /// Section 5.2.1: grains that flow out of a box, for growing numbers of them.
    pub flows: Vec<Measured>,
    /// Section 5.2.2: a bucket in a pile, a part for each phase of its motion.
    pub bucket: Vec<Measured>,
    /// How many times as fast as in the paper the bucket goes.
    pub pace: f64,
}

/// Detection in one simulation, or in a part of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// What happens.
    pub what: &'static str,
    /// Grains.
    pub grains: usize,
    /// What the methods took and found.
    pub detection: Detection,
}

/// How much is simulated.
struct Extent {
    flows: &'static [u32],
    bucket: Option<Bucket>,
}

/// Seconds.
const QUICK: Extent = Extent { flows: &[60], bucket: None };
/// A minute: the bucket is fast, and its pile is of few and large grains.
const USUAL: Extent = Extent { flows: &[125, 250, 500], bucket: Some(Bucket { grains: 300, pace: 10.0 }) };
/// Hours: the first two numbers of the paper and what lies between; a bucket with the paper's times.
const FULL: Extent =
    Extent { flows: &[500, 1000, 2000, 4000], bucket: Some(Bucket { grains: 3000, pace: 1.0 }) };

impl Extent {
    fn of(settings: &Settings) -> &'static Self {
        if settings.full {
            &FULL
        } else if settings.pairs < PAPER.pairs {
            &QUICK
        } else {
            &USUAL
        }
    }
}

/// Runs the simulations; `progress` hears how many are done.
pub fn simulate(settings: &Settings, progress: Progress<'_>) -> Result<Simulated, Trouble> {
    let Extent { flows, bucket } = Extent::of(settings);
    let flows: Vec<Flow> = flows.iter().map(|&grains| Flow { grains, seed: settings.seed }).collect();
    let parts = flows.len() + usize::from(bucket.is_some());
    let mut all = Simulated { pace: bucket.map_or(1.0, |bucket| bucket.pace), ..Simulated::default() };
    for (i, flow) in flows.iter().enumerate() {
        progress(i as u64, parts as u64);
        all.flows.push(flow.run()?);
    }
    if let Some(bucket) = bucket {
        progress(flows.len() as u64, parts as u64);
        all.bucket = bucket.run(settings.seed)?;
    }
    progress(parts as u64, parts as u64);
    Ok(all)
}
