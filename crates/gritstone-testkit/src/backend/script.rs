//! A scene, what happens in it, and what is observed.

use gritstone_core::{Linear as _, Vector as _};
use gritstone_engine::{
    Backend, BodyColumns, CellState, ContactColumns, Dimension, Energies, Grain, Inlet, InletState, Outlet,
    OutletState, Setup, Status, ToolReport, VelocityGradient, WallState,
};
use gritstone_force::Interactions;

use super::Deviation;

/// A scene and what happens in it.
#[derive(Clone, Debug)]
pub struct Script<D: Dimension> {
    /// What it is called in messages.
    pub name: &'static str,
    /// The scene.
    pub setup: Setup<D>,
    /// Steps to make.
    pub steps: u64,
    /// What happens after which step.
    pub acts: Vec<(u64, Act<D>)>,
    /// Where grains come in.
    pub inlets: Vec<Inlet<D>>,
    /// Where they go out.
    pub outlets: Vec<Outlet<D>>,
    /// Least number of contacts at the end: with fewer there is too little to compare.
    pub contacts: usize,
    /// Largest error of the energy balance, as a fraction of the energies that were exchanged; none where grains have flat faces,
    /// over which pressure is no gradient of an energy.
    pub energy_error: Option<f64>,
}

/// Something that happens between two steps.
#[derive(Clone, Debug)]
pub enum Act<D: Dimension> {
    /// Everything is observed.
    Observe,
    /// The state is saved, and a new backend continues from it.
    SaveAndRestore,
    /// Grains are added.
    Insert(Vec<Grain<D>>),
    /// Grains with these ids are removed.
    Remove(Vec<u32>),
    /// Grains with these ids are fixed in place.
    Freeze(Vec<u32>),
    /// Grains with these ids get this velocity and spin.
    Kick(Vec<u32>, D::Vec, D::Spin),
    /// A wall gets this velocity and spin.
    MoveWall(&'static str, D::Vec, D::Spin),
    /// A wall is removed.
    RemoveWall(&'static str),
    /// A wall that was absent is put in its place.
    AddWall(&'static str),
    /// The sides of the cell move otherwise.
    DriveCell(VelocityGradient),
    /// Other laws act.
    SetInteractions(Interactions),
}

/// All that crosses the seam at one moment.
#[derive(Clone, Debug)]
pub struct Observation<D: Dimension> {
    /// After which step.
    pub step: u64,
    /// The grains.
    pub bodies: BodyColumns<D>,
    /// The contacts.
    pub contacts: ContactColumns<D>,
    /// The walls.
    pub walls: Vec<WallState<D>>,
    /// The tools, with their names.
    pub tools: Vec<(String, ToolReport<D>)>,
    /// The cell, if there is one.
    pub cell: Option<CellState<D>>,
    /// Energies and works.
    pub energies: Energies,
    /// The same at the start.
    pub at_start: Energies,
    /// Counts.
    pub status: Status,
    /// Results of what was asked, in order: ids that were given, numbers of grains, whether there was such a wall.
    pub replies: Vec<u64>,
}

impl<D: Dimension> Script<D> {
    /// A scene in which nothing happens for so many steps but that it is observed at the half and saved at a third.
    pub fn of(name: &'static str, setup: Setup<D>, steps: u64) -> Self {
        Self {
            name,
            setup,
            steps,
            acts: vec![(steps / 3, Act::SaveAndRestore), (steps / 2, Act::Observe)],
            inlets: Vec::new(),
            outlets: Vec::new(),
            contacts: 8,
            energy_error: Some(0.05),
        }
    }

    /// Runs it with a backend; observations are made where the script says, and at the end.
    pub fn run<B: Backend<D>>(&self) -> Result<Vec<Observation<D>>, Deviation> {
        let mut setup = self.setup.clone();
        let mut backend = B::start(&setup).map_err(|error| self.failed(0, &error))?;
        let at_start = backend.energies();
        let mut feeds: Vec<InletState<D>> = self.inlets.iter().map(InletState::new).collect();
        let mut drains = vec![OutletState::default(); self.outlets.len()];
        let (mut observations, mut replies) = (Vec::new(), Vec::new());
        let mut step = 0;
        loop {
            for (outlet, drain) in self.outlets.iter().zip(&mut drains) {
                replies.push(outlet.drain(drain, &mut backend, &setup) as u64);
            }
            for (inlet, feed) in self.inlets.iter().zip(&mut feeds) {
                let came = inlet.feed(feed, &mut backend, &setup);
                replies.push(came.map_err(|error| self.failed(step, &error))? as u64);
            }
            for (_, act) in self.acts.iter().filter(|(when, _)| *when == step) {
                match act {
                    Act::Observe => observations.push(self.observe(&backend, at_start, &replies)),
                    Act::SaveAndRestore => {
                        let bytes = backend.save().map_err(|error| self.failed(step, &error))?;
                        backend = B::restore(&setup, &bytes).map_err(|error| self.failed(step, &error))?;
                    }
                    act => replies.push(self.perform(act, &mut backend, &mut setup)?),
                }
            }
            if step >= self.steps {
                break;
            }
            let next = self.next_stop(step);
            backend.advance(next - step).map_err(|error| self.failed(step, &error))?;
            step = next;
        }
        observations.push(self.observe(&backend, at_start, &replies));
        Ok(observations)
    }

    /// The next step at which something may happen.
    fn next_stop(&self, step: u64) -> u64 {
        let acts = self.acts.iter().map(|(when, _)| *when).filter(|when| *when > step);
        let looks = self.inlets.iter().map(|inlet| inlet.every);
        let looks = looks.chain(self.outlets.iter().map(|outlet| outlet.every));
        acts.chain(looks.map(|every| (step / every + 1) * every)).fold(self.steps, u64::min)
    }

    fn perform<B: Backend<D>>(
        &self,
        act: &Act<D>,
        backend: &mut B,
        setup: &mut Setup<D>,
    ) -> Result<u64, Deviation> {
        let step = backend.status().step;
        Ok(match act {
            Act::Observe | Act::SaveAndRestore => 0,
            Act::Insert(grains) => {
                u64::from(backend.insert(setup, grains).map_err(|error| self.failed(step, &error))?)
            }
            Act::Remove(ids) => backend.remove(ids) as u64,
            Act::Freeze(ids) => backend.freeze(ids) as u64,
            Act::Kick(ids, velocity, spin) => {
                backend.set_velocities(ids, &vec![*velocity; ids.len()], &vec![*spin; ids.len()]) as u64
            }
            Act::MoveWall(name, velocity, spin) => u64::from(backend.move_wall(name, *velocity, *spin)),
            Act::RemoveWall(name) => u64::from(backend.remove_wall(name)),
            Act::AddWall(name) => u64::from(backend.add_wall(name)),
            Act::DriveCell(gradient) => u64::from(backend.drive_cell(gradient, None)),
            Act::SetInteractions(interactions) => {
                setup.interactions = interactions.clone();
                u64::from(backend.set_interactions(interactions.clone()))
            }
        })
    }

    fn observe<B: Backend<D>>(&self, backend: &B, at_start: Energies, replies: &[u64]) -> Observation<D> {
        Observation {
            step: backend.status().step,
            bodies: BodyColumns::of(backend),
            contacts: ContactColumns::of(backend),
            walls: backend.walls(),
            tools: backend.tools(),
            cell: backend.cell(),
            energies: backend.energies(),
            at_start,
            status: backend.status(),
            replies: replies.to_vec(),
        }
    }

    pub(super) fn failed(&self, step: u64, what: &dyn ToString) -> Deviation {
        Deviation { script: self.name, step, what: what.to_string() }
    }
}

impl<D: Dimension> Observation<D> {
    /// What must hold whatever the reference says: columns are whole and in order, forces are those of contacts, energy is kept.
    pub(super) fn is_consistent(&self, script: &Script<D>) -> Result<(), Deviation> {
        let wrong = |what: String| Err(script.failed(self.step, &what));
        let Self { bodies, contacts, status, .. } = self;
        if !(bodies.id.is_sorted() && contacts.key.is_sorted()) {
            return wrong("ids or keys are not in order".to_owned());
        }
        if (bodies.len(), contacts.key.len()) != (status.grains, status.contacts) {
            return wrong(format!(
                "columns have {} and {} rows: {status:?}",
                bodies.len(),
                contacts.key.len()
            ));
        }
        let mut sums = vec![D::Vec::default(); bodies.len()];
        let mut largest = 0.0_f64;
        for (key, force) in contacts.key.iter().zip(&contacts.force) {
            for (body, sign) in [(key.a, -1.0), (key.b, 1.0)] {
                if let (true, Ok(i)) = (body.is_grain, bodies.id.binary_search(&body.id)) {
                    sums[i] += *force * sign;
                }
            }
            largest = largest.max(force.dot(*force).sqrt());
        }
        let off = sums.iter().zip(&bodies.force).map(|(sum, force)| (*sum - *force).length());
        let off = off.fold(0.0, f64::max);
        if off > 1e-12 * largest * bodies.len() as f64 {
            return wrong(format!(
                "a grain's force is not the sum of its contacts': {off:e} N of {largest:e} N"
            ));
        }
        let Energies { potential, taken_out, .. } = self.energies;
        let fallen = (self.at_start.potential - potential - taken_out).abs();
        let exchanged =
            self.at_start.kinetic() + self.at_start.elastic + fallen + self.energies.wall_work.abs();
        let drift = (self.energies.balance() - self.at_start.balance()).abs();
        match script.energy_error {
            Some(allowed) if drift > allowed * exchanged => {
                wrong(format!("energy drift {drift:e} J of {exchanged:e} J exchanged"))
            }
            _ => Ok(()),
        }
    }
}
