//! Grains that are added between steps.

use gritstone_core::Vector;
use gritstone_shape::AnyShape as _;

use crate::bodies::{Record, ShapeRecord, State};
use crate::dimension::Dimension;
use crate::setup::{Grain, Setup, SetupError};
use crate::state::snapshot::BodyState;
use crate::world::World;
use crate::world::change::NewGrains;

impl<D: Dimension> World<D> {
    /// Adds grains of this world's setup. They get new ids, in their order, which no grain has ever had; the first of them is
    /// returned. Their energy counts as taken out, with a minus.
    pub fn add(&mut self, setup: &Setup<D>, grains: &[Grain<D>]) -> Result<u32, SetupError> {
        let (first, new) = self.new_grains(setup, grains)?;
        if !new.is_empty() {
            self.take_new(new);
        }
        Ok(first)
    }

    /// Grains of this world's setup as bodies, and the id of the first.
    pub(crate) fn new_grains(
        &self,
        setup: &Setup<D>,
        grains: &[Grain<D>],
    ) -> Result<(u32, NewGrains<D>), SetupError> {
        grains.iter().try_for_each(|grain| self.check_new(setup, grain))?;
        let first = self.ledger.next_id;
        let ids = (0..).map(|i| first.saturating_add(i));
        let body = |(grain, id): (&Grain<D>, u32)| {
            body_of(&Grain { id, ..*grain }, &self.bodies.shapes, &setup.densities)
        };
        Ok((first, grains.iter().zip(ids).map(body).collect()))
    }

    fn check_new(&self, setup: &Setup<D>, grain: &Grain<D>) -> Result<(), SetupError> {
        let (id, shape, count) = (grain.id, grain.shape, setup.shapes.len());
        if shape as usize >= count {
            return Err(SetupError::NoShape { id, shape, count });
        }
        if self.bodies.shapes[shape as usize].volume <= 0.0 {
            return Err(SetupError::NoVolume { id, word: setup.shapes[shape as usize].word().to_owned() });
        }
        let numbers = [grain.pose.position.length(), grain.velocity.length(), D::rate(grain.spin)];
        setup.check_body(|| format!("grain {id}"), grain.material, numbers)
    }

    /// The grains, in the order in which they are stored.
    pub fn grains(&self) -> impl Iterator<Item = BodyState<D>> {
        self.bodies.grains().map(|slot| self.body_state(slot))
    }

    /// Mass of a grain of this world's setup (kg), frozen ones included.
    pub fn mass_of(&self, grain: &BodyState<D>, setup: &Setup<D>) -> f64 {
        self.bodies.shapes[grain.shape as usize].volume * setup.densities[usize::from(grain.material)]
    }
}

/// What a world keeps of a grain.
pub(crate) fn body_of<D: Dimension>(
    grain: &Grain<D>,
    shapes: &[ShapeRecord<D>],
    densities: &[f64],
) -> (Record<D>, State<D>) {
    let shape = &shapes[grain.shape as usize];
    let mass = shape.volume * densities[usize::from(grain.material)];
    let free = !grain.frozen;
    let record = Record {
        position: grain.pose.position,
        rotation: grain.pose.rotation,
        velocity: if free { grain.velocity } else { D::Vec::default() },
        spin: if free { grain.spin } else { D::Spin::default() },
        mass: if free { mass } else { f64::INFINITY },
        radius: gritstone_force::radius::of_volume::<D>(shape.volume),
        shape: grain.shape,
        material: grain.material,
        unused: 0,
    };
    let momentum = D::momentum(&shape.inertia, grain.pose.rotation, grain.spin) * mass;
    let velocity = if free { grain.velocity } else { D::Vec::default() };
    let by_mass = if free { 1.0 / mass } else { 0.0 };
    let mut state = State { velocity, momentum, by_mass, ..State::still(grain.id) };
    state.set_free(free);
    (record, state)
}
