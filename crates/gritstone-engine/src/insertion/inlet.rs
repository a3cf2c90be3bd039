//! Inlets and outlets.
//!
//! What an inlet has to give follows from the time alone, so that nothing drifts: grains come as long as what came is less
//! than what is due. A grain is drawn with its orientation once and keeps both until it finds a place, so that neither classes
//! nor orientations that fit easily are favoured; a grain without a place is tried again at the next insertion.

use gritstone_core::{Pose, Vector as _};
use gritstone_shape::Support as _;
use serde::{Deserialize, Serialize};

use crate::backend::Backend;
use crate::bodies::grain_shape::GrainShape;
use crate::dimension::Dimension;
use crate::insertion::mixture::Mixture;
use crate::insertion::packing_grid::PackingGrid;
use crate::insertion::random::RandomStream;
use crate::insertion::region::Region;
use crate::periodic::lattice::Lattice;
use crate::setup::{Grain, Setup, SetupError};
use crate::state::observe::Status;

/// An inlet.
#[derive(Clone, Debug, PartialEq)]
pub struct Inlet<D: Dimension> {
    /// What it is called in reports.
    pub name: String,
    /// Where they appear, as a whole and touching nothing.
    pub region: Region<D>,
    /// Which grains.
    pub mix: Mixture,
    /// Orientation of all of them (default: random).
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
    /// Steps between two checks.
    pub every: u64,
    /// Positions that are tried for a grain at each insertion.
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
    /// Class and orientation of the next grain.
    next: Option<(u32, D::Rotation)>,
    /// Grains that came in.
    pub number: u64,
    /// Their mass (kg).
    pub mass: f64,
}

/// An outlet.
#[derive(Clone, Debug, PartialEq)]
pub struct Outlet<D: Dimension> {
    /// What it is called in reports.
    pub name: String,
    /// Grains whose centre, or that of an image, is in this region are removed.
    pub region: Region<D>,
    /// From when (s).
    pub start: f64,
    /// Until when (s); may be infinite.
    pub end: f64,
    /// Steps between two checks.
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
    /// The state at the start: no grain yet.
    pub fn new(inlet: &Inlet<D>) -> Self {
        Self { random: RandomStream::new(inlet.seed), next: None, number: 0, mass: 0.0 }
    }
}

impl<D: Dimension> Inlet<D> {
    /// Amount (number or mass) that is due by this time.
    fn due(&self, time: f64) -> f64 {
        (self.rate * (time.min(self.end) - self.start).max(0.0)).min(self.most)
    }

    /// Amount that is due and was not inserted yet.
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

    /// Inserts the grains that are due, every [`Self::every`] steps; returns their number.
    pub fn feed(
        &self,
        feed: &mut InletState<D>,
        world: &mut dyn Backend<D>,
        setup: &Setup<D>,
    ) -> Result<usize, SetupError> {
        let Status { step, time, .. } = world.status();
        if !step.is_multiple_of(self.every) || self.lag(feed, time) <= 0.0 {
            return Ok(0);
        }
        let mut around = Surroundings::of(world, setup, &self.region);
        let mut scratch = D::Scratch::default();
        let mut grains = Vec::new();
        loop {
            let (index, rotation) = *feed.next.get_or_insert_with(|| {
                let sort = self.mix.draw(&mut feed.random) as u32;
                (sort, self.rotation.unwrap_or_else(|| D::random_rotation(&mut feed.random)))
            });
            let sort = self.mix.sorts()[index as usize];
            let cost = if self.by == Measure::Number { 1.0 } else { sort.mass };
            // The same rounding as in `waiting`: a grain that is due at this very moment comes.
            if self.lag(feed, time) < cost * (1.0 - 1e-9) {
                break;
            }
            let form = setup.form(sort.shape);
            let Some(pose) = self.place(form, rotation, &around, &mut feed.random, &mut scratch) else {
                break;
            };
            around.add(form, pose);
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
        world.insert(setup, &grains)?;
        Ok(grains.len())
    }

    /// A place for a grain, where one is found.
    fn place(
        &self,
        form: GrainShape<'_, D>,
        rotation: D::Rotation,
        around: &Surroundings<'_, D>,
        random: &mut RandomStream,
        scratch: &mut D::Scratch,
    ) -> Option<Pose<D>> {
        for _ in 0..self.attempts {
            let pose = self.region.pose(form, rotation, random)?;
            if around.has_room(form, pose, scratch) {
                return Some(pose);
            }
        }
        None
    }
}

impl<D: Dimension> Outlet<D> {
    /// Removes the grains in the region, every [`Self::every`] steps; returns their number.
    pub fn drain(&self, drain: &mut OutletState, world: &mut dyn Backend<D>, setup: &Setup<D>) -> usize {
        let Status { step, time, .. } = world.status();
        if !step.is_multiple_of(self.every) || time < self.start || time > self.end {
            return 0;
        }
        let lattice = world.lattice();
        let bodies = world.bodies_near(with_images(&lattice, &self.region));
        let is_here = |&i: &usize| lattice.is_in(&self.region, bodies.position[i]);
        let gone: Vec<usize> = (0..bodies.len()).filter(is_here).collect();
        if !gone.is_empty() {
            world.remove(&gone.iter().map(|&i| bodies.id[i]).collect::<Vec<_>>());
            drain.number += gone.len() as u64;
            drain.mass += gone.iter().map(|&i| bodies.mass(i, setup)).sum::<f64>();
        }
        gone.len()
    }
}

/// The box in which everything is that has to do with a region: all of space where grains have images.
fn with_images<D: Dimension>(lattice: &Lattice<D>, region: &Region<D>) -> [D::Vec; 2] {
    if lattice.repeats() {
        return [f64::NEG_INFINITY, f64::INFINITY].map(|end| D::Vec::from_fn(|_| end));
    }
    region.corners()
}

/// The walls and the grains that reach into a region, with images of grains across sides.
struct Surroundings<'s, D: Dimension> {
    packing: PackingGrid<'s, D>,
    lattice: Lattice<D>,
    /// Size of the largest grain that there may be (m).
    largest: f64,
}

impl<'s, D: Dimension> Surroundings<'s, D> {
    fn of(world: &dyn Backend<D>, setup: &'s Setup<D>, region: &Region<D>) -> Self {
        let walls = setup.walls.iter().zip(world.walls()).filter(|(_, state)| state.present);
        let packing = PackingGrid::within(region, walls.map(|(wall, state)| (wall, state.pose)));
        let sizes = (0..setup.shapes.len() as u32).map(|shape| setup.size(shape));
        let mut around = Self { packing, lattice: world.lattice(), largest: sizes.fold(0.0, f64::max) };
        let bodies = world.bodies_near(with_images(&around.lattice, region));
        for i in 0..bodies.len() {
            for (shape, pose) in setup.form(bodies.shape[i]).bodies(bodies.pose(i)) {
                if around.lattice.repeats() {
                    around.add(GrainShape::Convex(shape), pose);
                } else if region.meets_ball(pose.position, shape.size()) {
                    around.packing.add(GrainShape::Convex(shape), pose);
                }
            }
        }
        around
    }

    /// Adds a grain and its images.
    fn add(&mut self, form: GrainShape<'s, D>, pose: Pose<D>) {
        let Self { packing, lattice, largest } = self;
        packing.add(form, pose);
        lattice.images(pose, form.size() + *largest).for_each(|image| packing.add(form, image));
    }

    /// Whether neither a grain nor any of its images would overlap anything.
    fn has_room(&self, form: GrainShape<'_, D>, pose: Pose<D>, scratch: &mut D::Scratch) -> bool {
        self.packing.has_room(form, pose, scratch)
            && self
                .lattice
                .images(pose, form.size() + self.largest)
                .all(|image| self.packing.has_room(form, image, scratch))
    }
}
