//! Grains that are added between steps.

use gritstone_core::Vector;
use gritstone_shape::AnyShape as _;

use crate::bodies::{Record, ShapeRecord, State};
use crate::dimension::Dimension;
use crate::setup::{Grain, Setup, SetupError};
use crate::state::snapshot::BodyState;
use crate::world::World;

impl<D: Dimension> World<D> {
    /// Adds grains of this world's setup. They get new ids, in their order, which no grain has ever had; the first of them is
    /// returned. Their energy counts as taken out, with a minus.
    pub fn add(&mut self, setup: &Setup<D>, grains: &[Grain<D>]) -> Result<u32, SetupError> {
        grains.iter().try_for_each(|grain| self.check_new(setup, grain))?;
        let first = self.ledger.next_id;
        if !grains.is_empty() {
            self.counted(|world| {
                let new = grains.iter().map(|grain| {
                    let grain = Grain { id: world.ledger.next_id, ..*grain };
                    // 2³² grains do not fit into the memory of any machine.
                    world.ledger.next_id = world.ledger.next_id.saturating_add(1);
                    body_of(&grain, &world.bodies.shapes, &setup.densities)
                });
                let new = new.collect();
                let order: Vec<u32> = (0..world.bodies.owners as u32).collect();
                world.renumber_and_add(&order, new);
                grains.len()
            });
        }
        Ok(first)
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

/// Record and state of a grain.
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
