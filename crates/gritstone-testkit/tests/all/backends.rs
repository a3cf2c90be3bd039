//! The suite for backends, with the reference on the processor and with backends that differ from it on purpose.

use gritstone_engine::{
    Backend, BodyColumns, CellState, ContactColumns, Dimension, Energies, Grain, Lattice, RestoreError,
    SaveError, ServoReport, Setup, SetupError, Snapshot, Status, StepError, StressControl, ToolReport,
    VelocityGradient, WallState, World,
};
use gritstone_force::Interactions;
use gritstone_testkit::Space;
use gritstone_testkit::backend::{Agreement, Script, conforms, scenes};

/// No fault: grains are given in another order, and the state is saved and restored in the middle of every advance.
const NONE: u8 = 0;
/// Forces of contacts are too large by 1e-11.
const FORCES: u8 = 1;
/// Walls stay where they are.
const WALLS: u8 = 2;
/// Laws stay what they are.
const LAWS: u8 = 3;
/// The state that is restored is that of the start.
const STATE: u8 = 4;
/// Velocities that are set are not.
const VELOCITIES: u8 = 5;

/// The reference behind the seam, with a fault.
struct Altered<D: Dimension, const FAULT: u8> {
    world: World<D>,
    setup: Setup<D>,
}

impl<D: Dimension, const FAULT: u8> Backend<D> for Altered<D, FAULT> {
    fn start(setup: &Setup<D>) -> Result<Self, SetupError> {
        let mut setup = setup.clone();
        let count = setup.grains.len();
        (0..count).for_each(|i| setup.grains.swap(i, (7919 * i + 31) % count));
        Ok(Self { world: World::new(&setup)?, setup })
    }

    fn restore(setup: &Setup<D>, bytes: &[u8]) -> Result<Self, RestoreError> {
        let world = if FAULT == STATE { World::new(setup)? } else { World::restore(setup, bytes)? };
        Ok(Self { world, setup: setup.clone() })
    }

    fn save(&self) -> Result<Vec<u8>, SaveError> {
        self.world.save()
    }

    fn advance(&mut self, steps: u64) -> Result<(), StepError> {
        self.world.advance(steps / 2)?;
        let bytes = self.world.save().expect("the state can be written");
        self.world = World::restore(&self.setup, &bytes).expect("the state can be read");
        self.world.advance(steps - steps / 2)
    }

    fn status(&self) -> Status {
        self.world.status()
    }

    fn time_step(&self) -> f64 {
        self.world.time_step()
    }

    fn energies(&self) -> Energies {
        self.world.energies()
    }

    fn bodies(&self, columns: &mut BodyColumns<D>) {
        self.world.bodies(columns);
    }

    fn contacts(&self, columns: &mut ContactColumns<D>) {
        self.world.contacts(columns);
        if FAULT == FORCES {
            columns.force.iter_mut().for_each(|force| *force = *force * (1.0 + 1e-11));
        }
    }

    fn walls(&self) -> Vec<WallState<D>> {
        self.world.walls()
    }

    fn tools(&self) -> Vec<(String, ToolReport<D>)> {
        Backend::tools(&self.world)
    }

    fn cell(&self) -> Option<CellState<D>> {
        self.world.cell()
    }

    fn lattice(&self) -> Lattice<D> {
        self.world.lattice()
    }

    fn stress_control(&self) -> Vec<(usize, ServoReport)> {
        self.world.stress_control()
    }

    fn snapshot(&self) -> Snapshot<D> {
        self.world.snapshot()
    }

    fn insert(&mut self, setup: &Setup<D>, grains: &[Grain<D>]) -> Result<u32, SetupError> {
        self.world.insert(setup, grains)
    }

    fn remove(&mut self, ids: &[u32]) -> usize {
        self.world.remove(ids)
    }

    fn freeze(&mut self, ids: &[u32]) -> usize {
        self.world.freeze(ids)
    }

    fn set_velocities(&mut self, ids: &[u32], velocities: &[D::Vec], spins: &[D::Spin]) -> usize {
        if FAULT == VELOCITIES { ids.len() } else { self.world.set_velocities(ids, velocities, spins) }
    }

    fn move_wall(&mut self, name: &str, velocity: D::Vec, spin: D::Spin) -> bool {
        FAULT == WALLS || self.world.move_wall(name, velocity, spin)
    }

    fn add_wall(&mut self, name: &str) -> bool {
        self.world.add_wall(name)
    }

    fn remove_wall(&mut self, name: &str) -> bool {
        self.world.remove_wall(name)
    }

    fn drive_cell(&mut self, gradient: &VelocityGradient, press: Option<StressControl>) -> bool {
        Backend::drive_cell(&mut self.world, gradient, press)
    }

    fn set_interactions(&mut self, interactions: Interactions) -> bool {
        self.setup.interactions = interactions.clone();
        FAULT == LAWS || self.world.set_interactions(interactions)
    }
}

fn same<D: Dimension>(script: &Script<D>) {
    conforms::<D, Altered<D, NONE>>(script, Agreement::SameBits).unwrap();
}

#[test]
fn beds_conform() {
    scenes::beds().iter().for_each(same);
}

#[test]
fn compounds_conform() {
    same(&scenes::compounds());
}

#[test]
fn drum_conforms() {
    same(&scenes::drum());
}

#[test]
fn servo_conforms() {
    same(&scenes::servo());
}

#[test]
fn sheared_cell_conforms() {
    same(&scenes::sheared_cell());
}

#[test]
fn pressed_cell_conforms() {
    same(&scenes::pressed_cell());
}

#[test]
fn belts_conform() {
    scenes::belts().iter().for_each(same);
}

#[test]
fn stream_conforms() {
    same(&scenes::stream());
}

#[test]
fn changes_conform() {
    same(&scenes::changes());
}

#[test]
fn plane_conforms() {
    same(&scenes::plane());
}

/// The same bits are near each other as well, and what is not near is not taken for it.
#[test]
fn nearness_is_judged() {
    let script = scenes::beds().remove(1);
    conforms::<Space, Altered<Space, NONE>>(&script, Agreement::Within(0.0)).unwrap();
    conforms::<Space, Altered<Space, FORCES>>(&script, Agreement::Within(1e-6)).unwrap();
    conforms::<Space, Altered<Space, FORCES>>(&script, Agreement::Within(1e-12)).unwrap_err();
}

#[test]
fn faults_are_found() {
    let script = scenes::changes();
    for agreement in [Agreement::SameBits, Agreement::Within(1e-6)] {
        conforms::<Space, Altered<Space, WALLS>>(&script, agreement).unwrap_err();
        conforms::<Space, Altered<Space, LAWS>>(&script, agreement).unwrap_err();
        conforms::<Space, Altered<Space, STATE>>(&script, agreement).unwrap_err();
        conforms::<Space, Altered<Space, VELOCITIES>>(&script, agreement).unwrap_err();
    }
    conforms::<Space, Altered<Space, FORCES>>(&script, Agreement::SameBits).unwrap_err();
}
