//! How a bed scales over processes and threads: the same bed for all crews, and one that grows with them.
//!
//! A bed at rest stands beside itself as often as it takes, comes to rest anew while all processes share it, and is timed then. What
//! it comes to does not depend on the crew, so that all of them do the same work.

use std::sync::Arc;
use std::time::Instant;

use gritstone_core::Space;
use gritstone_engine::{Backend, Communicator, Setup, SharedWorld, Traffic, World, dismiss, serve};
use serde::{Deserialize, Serialize};

use super::beds::{SETTLED, dense_polyhedra, scene, tiled};
use super::timing::Bed;
use super::{Options, Trouble};

/// Beds of which grown ones are made: name and grains of one.
pub const SCALED: [(&str, usize); 2] = [("ellipsoids", 4000), ("polyhedra", 500)];

/// What is to be timed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Load {
    /// Which bed: one of [`SCALED`].
    pub bed: String,
    /// How often it stands beside itself along x and y.
    pub tiles: [usize; 2],
    /// Steps until it is at rest again, and steps that are timed.
    pub steps: [u64; 2],
}

/// What a crew has taken for a load.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scaled {
    /// What was timed.
    pub load: Load,
    /// Processes, and threads of each.
    pub crew: [usize; 2],
    /// Number of grains.
    pub grains: usize,
    /// Contacts at the end.
    pub contacts: usize,
    /// Time of a step (s).
    pub step: f64,
    /// What each process has sent in the timed steps; nothing where there is one alone.
    pub traffic: Vec<Traffic>,
    /// Largest cost of a process over the mean of all, at the end.
    pub imbalance: f64,
}

impl Load {
    /// About so many grains.
    pub fn of(bed: &str, grains: usize, steps: [u64; 2]) -> Self {
        let each = SCALED.iter().find(|(name, _)| *name == bed).map_or(1, |(_, each)| *each);
        let tiles = grains.div_ceil(each).max(1);
        let across = (1..=tiles.isqrt()).rev().find(|across| tiles.is_multiple_of(*across)).unwrap_or(1);
        Self { bed: bed.to_owned(), tiles: [tiles / across, across], steps }
    }

    /// Brings its bed to rest, and keeps it where beds are kept.
    pub fn prepare(&self) -> Result<(), Trouble> {
        self.base().map(drop)
    }

    /// Times it in the rayon pool of the caller, alone or with the others of a crew; nothing in those that are not the first.
    pub fn time(&self, crew: Option<&Arc<dyn Communicator>>) -> Result<Option<Scaled>, Trouble> {
        let setup = tiled(&self.base()?, self.tiles)?;
        let Some(crew) = crew else {
            return self.time_world(&mut World::new(&setup).map_err(Trouble::of)?, 1).map(Some);
        };
        if crew.rank() > 0 {
            // Grains come from the first one.
            let setup = Setup { grains: Vec::new(), ..setup };
            return serve(&setup, crew).map_err(Trouble::of).map(|()| None);
        }
        let mut world = SharedWorld::new(&setup, Arc::clone(crew)).map_err(Trouble::of)?;
        let timed = self.time_world(&mut world, crew.size());
        dismiss(&**crew);
        timed.map(Some)
    }

    fn base(&self) -> Result<Bed<Space>, Trouble> {
        let options = Options::default();
        match self.bed.as_str() {
            "ellipsoids" => scene::<Space>("scaling", "settle-ellipsoid", SETTLED, &options),
            "polyhedra" => dense_polyhedra("scaling", &options),
            other => Err(Trouble(format!("there is no bed of {other}"))),
        }
    }

    fn time_world(&self, world: &mut dyn Backend<Space>, processes: usize) -> Result<Scaled, Trouble> {
        let [settle, steps] = self.steps;
        world.advance(settle).map_err(Trouble::of)?;
        let before = world.traffic().unwrap_or_default();
        let start = Instant::now();
        world.advance(steps).map_err(Trouble::of)?;
        let seconds = start.elapsed().as_secs_f64();
        let after = world.traffic().unwrap_or_default();
        let sent = |(before, after): (&Traffic, &Traffic)| Traffic {
            messages: after.messages - before.messages,
            bytes: after.bytes - before.bytes,
            seconds: after.seconds - before.seconds,
        };
        let status = world.status();
        Ok(Scaled {
            load: self.clone(),
            crew: [processes, rayon::current_num_threads()],
            grains: status.grains,
            contacts: status.contacts,
            step: seconds / steps.max(1) as f64,
            traffic: before.iter().zip(&after).map(sent).collect(),
            imbalance: world.imbalance().unwrap_or(1.0),
        })
    }
}

impl Scaled {
    /// Cores that are at work.
    pub fn cores(&self) -> usize {
        self.crew[0] * self.crew[1]
    }

    /// Mean over the processes of what is sent in a step: messages and bytes; and their share of the time.
    pub fn sent(&self) -> [f64; 3] {
        let mean = |number: fn(&Traffic) -> f64| {
            self.traffic.iter().map(number).sum::<f64>() / self.traffic.len().max(1) as f64
        };
        let steps = self.load.steps[1].max(1) as f64;
        [
            mean(|sent| sent.messages as f64) / steps,
            mean(|sent| sent.bytes as f64) / steps,
            mean(|sent| sent.seconds) / (steps * self.step),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loads_have_the_grains_that_are_asked_for() {
        for (grains, tiles) in [(1, [1, 1]), (4000, [1, 1]), (64_000, [4, 4]), (20_000, [5, 1])] {
            assert_eq!(Load::of("ellipsoids", grains, [1, 1]).tiles, tiles);
        }
    }
}
