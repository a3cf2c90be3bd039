//! Grains that come in and go out while the world goes on.
//!
//! What an inlet has to give follows from the time alone, so that nothing drifts: grains come as long as what came is less
//! than what is due. A grain is drawn with its orientation once and keeps both until it finds a place, so that neither sorts
//! nor orientations that fit easily are favoured; what finds none waits for the next time.

use gritstone_core::Pose;
use serde::{Deserialize, Serialize};

use crate::bodies::grain_shape::GrainShape;
use crate::dimension::Dimension;
use crate::insertion::mixture::Mixture;
use crate::insertion::packing_grid::PackingGrid;
use crate::insertion::random::RandomStream;
use crate::insertion::region::Region;
use crate::setup::{Grain, Setup, SetupError};
use crate::state::snapshot::BodyState;
use crate::world::World;

/// Where grains come in.
#[derive(Clone, Debug, PartialEq)]
pub struct Inlet<D: Dimension> {
    /// What it is called in reports.
    pub name: String,
    /// Where they appear, as a whole and touching nothing.
    pub region: Region<D>,
    /// Which grains.
    pub mix: Mixture,
    /// How all of them are turned; each another way where nothing is said.
    pub rotation: Option<D::Rotation>,
    /// Velocity of all of them (m/s).
    pub velocity: D::Vec,
    /// Angular velocity of all of them (rad/s).
    pub spin: D::Spin,
    /// How many, or how much, per second.
    pub rate: f64,
    /// What is counted.
    pub by: Measure,
    /// From when (s).
    pub start: f64,
    /// Until when (s); may be infinite.
    pub end: f64,
    /// How many, or how much, in all; may be infinite.
    pub most: f64,
    /// Steps between two looks.
    pub every: u64,
    /// Places that are tried for a grain at each look.
    pub attempts: u32,
    /// Start of the random numbers.
    pub seed: u64,
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Grains.
    Number,
    /// Their mass (kg).
    Mass,
}

/// How far an inlet has come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct InletState<D: Dimension> {
    random: RandomStream,
    /// The sort and the rotation of the grain that comes next.
    next: Option<(u32, D::Rotation)>,
    /// Grains that came in.
    pub number: u64,
    /// Their mass (kg).
    pub mass: f64,
}

/// Where grains go out.
#[derive(Clone, Debug, PartialEq)]
pub struct Outlet<D: Dimension> {
    /// What it is called in reports.
    pub name: String,
    /// Grains whose centre is there, or that of an image, are taken out.
    pub region: Region<D>,
    /// From when (s).
    pub start: f64,
    /// Until when (s); may be infinite.
    pub end: f64,
    /// Steps between two looks.
    pub every: u64,
}

/// What went out through an outlet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OutletState {
    /// Grains.
    pub number: u64,
    /// Their mass (kg).
    pub mass: f64,
}

impl<D: Dimension> InletState<D> {
    /// Nothing has come in yet.
    pub fn new(inlet: &Inlet<D>) -> Self {
        Self { random: RandomStream::new(inlet.seed), next: None, number: 0, mass: 0.0 }
    }
}

impl<D: Dimension> Inlet<D> {
    /// What should have come in by this time, in what is counted.
    fn due(&self, time: f64) -> f64 {
        (self.rate * (time.min(self.end) - self.start).max(0.0)).min(self.most)
    }

    /// What is due and has not come, in what is counted.
    fn lag(&self, feed: &InletState<D>, time: f64) -> f64 {
        match self.by {
            Measure::Number => self.due(time) - feed.number as f64,
            Measure::Mass => self.due(time) - feed.mass,
        }
    }

    /// Grains that are due and found no place, about.
    pub fn waiting(&self, feed: &InletState<D>, time: f64) -> u64 {
        let one = match self.by {
            Measure::Number => 1.0,
            Measure::Mass => self.mix.mean_mass(),
        };
        // Rounding must not make a grain of a sum that is short of it by a bit; less than one becomes none.
        (self.lag(feed, time) / one + 1e-9) as u64
    }

    /// Lets in what is due, if it is time for a look; says how many grains came.
    pub fn feed(
        &self,
        feed: &mut InletState<D>,
        world: &mut World<D>,
        setup: &Setup<D>,
    ) -> Result<usize, SetupError> {
        let (step, time) = (world.clock.step, world.time());
        if !step.is_multiple_of(self.every) || self.lag(feed, time) <= 0.0 {
            return Ok(0);
        }
        let mut packing = world.crowd_in(&self.region, setup);
        let mut scratch = D::Scratch::default();
        let mut grains = Vec::new();
        loop {
            let (index, rotation) = *feed.next.get_or_insert_with(|| {
                let sort = self.mix.draw(&mut feed.random) as u32;
                (sort, self.rotation.unwrap_or_else(|| D::any_rotation(&mut feed.random)))
            });
            let sort = self.mix.sorts()[index as usize];
            let cost = if self.by == Measure::Number { 1.0 } else { sort.mass };
            // The same rounding as in `waiting`: a grain that is due at this very moment comes.
            if self.lag(feed, time) < cost * (1.0 - 1e-9) {
                break;
            }
            let form = setup.form(sort.shape);
            let Some(pose) = self.place(form, rotation, &packing, &mut feed.random, world, &mut scratch)
            else {
                break;
            };
            packing.add(form, pose);
            world.images_of(form, pose).into_iter().for_each(|image| packing.add(form, image));
            grains.push(Grain {
                id: 0,
                shape: sort.shape,
                material: sort.material,
                pose,
                velocity: self.velocity,
                spin: self.spin,
                frozen: false,
            });
            feed.next = None;
            feed.number += 1;
            feed.mass += sort.mass;
        }
        drop(packing);
        world.add(setup, &grains)?;
        Ok(grains.len())
    }

    /// A place for a grain, where one is found.
    fn place(
        &self,
        form: GrainShape<'_, D>,
        rotation: D::Rotation,
        packing: &PackingGrid<'_, D>,
        random: &mut RandomStream,
        world: &World<D>,
        scratch: &mut D::Scratch,
    ) -> Option<Pose<D>> {
        for _ in 0..self.attempts {
            let pose = self.region.pose(form, rotation, random)?;
            if packing.has_room(form, pose, scratch)
                && world.images_of(form, pose).into_iter().all(|image| packing.has_room(form, image, scratch))
            {
                return Some(pose);
            }
        }
        None
    }
}

impl<D: Dimension> Outlet<D> {
    /// Takes out what is there, if it is time for a look; says how many grains went.
    pub fn drain(&self, drain: &mut OutletState, world: &mut World<D>, setup: &Setup<D>) -> usize {
        let time = world.time();
        if !world.clock.step.is_multiple_of(self.every) || time < self.start || time > self.end {
            return 0;
        }
        let lattice = world.lattice();
        let is_here = |grain: &BodyState<D>| lattice.is_in(&self.region, grain.pose.position);
        let gone = world.grains().filter(is_here);
        let (number, mass) =
            gone.fold((0, 0.0), |(number, mass), grain| (number + 1, mass + world.mass_of(&grain, setup)));
        if number > 0 {
            world.remove_where(is_here);
            drain.number += number;
            drain.mass += mass;
        }
        number as usize
    }
}
