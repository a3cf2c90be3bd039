//! The suite for backends, with worlds that several processes share. Threads stand for processes.

use std::sync::Arc;
use std::thread::JoinHandle;

use gritstone_engine::{
    Backend, BodyColumns, CellState, Communicator, ContactColumns, Dimension, Domain, Energies, Grain,
    Lattice, Leaving, RestoreError, SaveError, ServoReport, Setup, SetupError, SharedWorld, Snapshot, Status,
    StepError, StressControl, ToolReport, VelocityGradient, WallState, World, dismiss, serve, threads,
};
use gritstone_force::Interactions;
use gritstone_testkit::backend::{Act, Agreement, Script, conforms, scenes};

/// A world that so many processes share.
struct Shared<D: Dimension, const PROCESSES: usize> {
    world: SharedWorld<D>,
    communicator: Arc<dyn Communicator>,
    others: Vec<JoinHandle<()>>,
}

impl<D: Dimension, const PROCESSES: usize> Shared<D, PROCESSES> {
    fn with<E>(
        setup: &Setup<D>,
        first: impl FnOnce(Arc<dyn Communicator>) -> Result<SharedWorld<D>, E>,
    ) -> Result<Self, E> {
        let mut all = threads(PROCESSES).into_iter();
        let communicator = all.next().expect("there is at least one process");
        let other = |communicator| {
            let setup = setup.clone();
            std::thread::spawn(move || serve(&setup, &communicator).expect("it takes part"))
        };
        let others = all.map(other).collect();
        Ok(Self { world: first(Arc::clone(&communicator))?, communicator, others })
    }
}

impl<D: Dimension, const PROCESSES: usize> Drop for Shared<D, PROCESSES> {
    fn drop(&mut self) {
        dismiss(&*self.communicator);
        self.others.drain(..).for_each(|other| other.join().expect("it has come to its end"));
    }
}

impl<D: Dimension, const PROCESSES: usize> Backend<D> for Shared<D, PROCESSES> {
    fn start(setup: &Setup<D>) -> Result<Self, SetupError> {
        Self::with(setup, |communicator| SharedWorld::new(setup, communicator))
    }

    fn restore(setup: &Setup<D>, bytes: &[u8]) -> Result<Self, RestoreError> {
        Self::with(setup, |communicator| SharedWorld::resumed(setup, bytes, communicator))
    }

    fn save(&self) -> Result<Vec<u8>, SaveError> {
        self.world.save()
    }

    fn advance(&mut self, steps: u64) -> Result<(), StepError> {
        self.world.advance(steps)
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

    fn bodies_near(&self, corners: [D::Vec; 2]) -> BodyColumns<D> {
        self.world.bodies_near(corners)
    }

    fn contacts(&self, columns: &mut ContactColumns<D>) {
        self.world.contacts(columns);
    }

    fn walls(&self) -> Vec<WallState<D>> {
        self.world.walls()
    }

    fn tools(&self) -> Vec<(String, ToolReport<D>)> {
        self.world.tools()
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
        self.world.set_velocities(ids, velocities, spins)
    }

    fn move_wall(&mut self, name: &str, velocity: D::Vec, spin: D::Spin) -> bool {
        self.world.move_wall(name, velocity, spin)
    }

    fn add_wall(&mut self, name: &str) -> bool {
        self.world.add_wall(name)
    }

    fn remove_wall(&mut self, name: &str) -> bool {
        self.world.remove_wall(name)
    }

    fn drive_cell(&mut self, gradient: &VelocityGradient, press: Option<StressControl>) -> bool {
        self.world.drive_cell(gradient, press)
    }

    fn set_interactions(&mut self, interactions: Interactions) -> bool {
        self.world.set_interactions(interactions)
    }
}

/// Laws do not change here: all processes keep those of the setup.
fn without_new_laws<D: Dimension>(mut script: Script<D>) -> Script<D> {
    script.acts.retain(|(_, act)| !matches!(act, Act::SetInteractions(_)));
    script
}

fn same<D: Dimension>(script: Script<D>) {
    let script = without_new_laws(script);
    conforms::<D, Shared<D, 1>>(&script, Agreement::SameBits).unwrap();
    conforms::<D, Shared<D, 2>>(&script, Agreement::SameBits).unwrap();
    conforms::<D, Shared<D, 3>>(&script, Agreement::SameBits).unwrap();
    conforms::<D, Shared<D, 4>>(&script, Agreement::SameBits).unwrap();
}

#[test]
fn beds_conform() {
    scenes::beds().into_iter().for_each(same);
}

#[test]
fn drum_conforms() {
    same(scenes::drum());
}

#[test]
fn servo_conforms() {
    same(scenes::servo());
}

#[test]
fn compounds_conform() {
    same(scenes::compounds());
}

#[test]
fn sheared_cell_conforms() {
    same(scenes::sheared_cell());
}

#[test]
fn pressed_cell_conforms() {
    same(scenes::pressed_cell());
}

#[test]
fn belts_conform() {
    scenes::belts().into_iter().for_each(same);
}

#[test]
fn stream_conforms() {
    same(scenes::stream());
}

#[test]
fn changes_conform() {
    same(scenes::changes());
}

#[test]
fn plane_conforms() {
    same(scenes::plane());
}

/// Grains that leave the domain are removed by all processes at the same step. The floor is missing.
#[test]
fn grains_that_leave_conform() {
    let mut script = scenes::beds().remove(1);
    script.setup.walls.remove(0);
    let (low, high) = (glam::DVec3::splat(-0.01), glam::DVec3::splat(0.2));
    script.setup.domain = Some(Domain { low, high, leaving: Leaving::Remove });
    (script.contacts, script.energy_error) = (0, None);
    same(script);
}

/// A state that so many processes have saved is, to the byte, what one has saved, and another number of them goes on with it.
#[test]
fn one_checkpoint_for_any_number_of_processes() {
    fn advanced<B: Backend<gritstone_testkit::Space>>(mut world: B) -> Vec<u8> {
        world.advance(400).unwrap();
        world.save().unwrap()
    }
    let others = [scenes::drum(), scenes::servo(), scenes::sheared_cell(), scenes::pressed_cell()];
    for script in scenes::beds().into_iter().chain(others) {
        let (setup, name) = (&script.setup, script.name);
        let first = advanced(World::start(setup).unwrap());
        assert!(advanced(Shared::<_, 3>::start(setup).unwrap()) == first, "{name}: other bytes");
        let second = advanced(World::restore(setup, &first).unwrap());
        assert!(advanced(Shared::<_, 2>::restore(setup, &first).unwrap()) == second, "{name}: other bytes");
        assert!(advanced(Shared::<_, 4>::restore(setup, &first).unwrap()) == second, "{name}: other bytes");
    }
}
