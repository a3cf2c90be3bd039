//! A backend whose grains several processes have: the first one asks, the others serve.
//!
//! **Idea.** Whatever runs a simulation (events, inlets, files, the clock) does so in the first process, on a [`SharedWorld`]. The
//! others are in [`serve`]: they make steps with it, and send what they have when it asks. What changes between steps (grains that come
//! and go, walls) is rare: the first process joins all pieces to one world, changes that as if there were no others, and every process
//! takes its part of it. So all that a single process can do is done by the same code, with the same bits.
//!
//! **Limits.** The whole world fits into the memory of each process.

use std::cell::OnceCell;
use std::sync::Arc;

use gritstone_core::ExactSum;
use gritstone_force::Interactions;
use serde::{Deserialize, Serialize};

use super::domain::{decode, encode};
use super::{Communicator, Domain, Single};
use crate::backend::{Backend, BodyColumns, ContactColumns};
use crate::boundary::tools::{ServoReport, ToolReport};
use crate::contacts::Solves;
use crate::dimension::Dimension;
use crate::periodic::cell::VelocityGradient;
use crate::periodic::cell_state::CellState;
use crate::periodic::lattice::Lattice;
use crate::periodic::stress_control::StressControl;
use crate::setup::{Grain, Setup, SetupError};
use crate::state::checkpoint::{RestoreError, SaveError};
use crate::state::observe::{Energies, Status};
use crate::state::snapshot::{Snapshot, WallState};
use crate::world::share::{Piece, can_be_shared};
use crate::world::{StepError, World};

/// What the first process asks for.
#[derive(Debug, Serialize, Deserialize)]
enum Command {
    /// Steps, and how the world is doing after them.
    Advance(u64),
    /// All that each process has.
    Pieces,
    /// The energies.
    Energies,
    /// Another world, as bytes, of which each process takes its part.
    Replace(Vec<u8>),
    /// The end.
    Stop,
}

/// What a process says after some steps.
type Report = (Result<(), StepError>, Counts);

/// What a process adds to the status of the world.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Counts {
    status: Status,
    /// Contacts with grains of other processes, which these count, too; all of them, and those in lanes.
    twice: [usize; 2],
    imbalance: f64,
}

/// One process with its part of the world.
#[derive(Debug)]
struct Member<D: Dimension> {
    world: World<D>,
    /// Pairs in the lists that this process speaks for, and the lists for which that is right.
    listed: ([u64; 2], usize),
}

impl<D: Dimension> Member<D> {
    /// The part of a process of the world of these bytes.
    fn of_bytes(
        setup: &Setup<D>,
        bytes: &[u8],
        communicator: &Arc<dyn Communicator>,
    ) -> Result<Self, RestoreError> {
        let world = World::restore(setup, bytes)?.shared(Domain::new(Arc::clone(communicator)));
        Ok(Self { world, listed: ([u64::MAX; 2], 0) })
    }

    fn domain(&self) -> &Domain {
        // There is one from the start on.
        self.world.remote.as_ref().unwrap_or_else(|| unreachable!("a part of a world has other parts"))
    }

    fn advance(&mut self, steps: u64) -> Report {
        let done = (0..steps).try_for_each(|_| self.world.step());
        (done, self.counts())
    }

    fn counts(&mut self) -> Counts {
        let world = &self.world;
        let mut status = world.status();
        if self.listed.0 != status.lists {
            let pairs = world.grain_pairs.pairs.iter().chain(&world.wall_pairs.pairs);
            let own = pairs.filter(|pair| (pair.a as usize) < world.bodies.owners).count();
            self.listed = (status.lists, own);
        }
        status.near_pairs = self.listed.1;
        let twice = world.contacts.counts_from(world.bodies.owners, world.bodies.records.len());
        Counts { status, twice, imbalance: self.domain().imbalance }
    }
}

/// The world on the first of several processes.
#[derive(Debug)]
pub struct SharedWorld<D: Dimension> {
    setup: Setup<D>,
    communicator: Arc<dyn Communicator>,
    member: Member<D>,
    status: Status,
    imbalance: f64,
    /// All of it, if it has been asked for since it changed last.
    whole: OnceCell<Box<World<D>>>,
}

/// Has this process, which is not the first, take part in the world of a setup until the first one stops.
pub fn serve<D: Dimension>(
    setup: &Setup<D>,
    communicator: &Arc<dyn Communicator>,
) -> Result<(), RestoreError> {
    let mut member: Option<Member<D>> = None;
    loop {
        let come = communicator.exchange(vec![Vec::new(); communicator.size()]);
        match (decode(&come[0]), &mut member) {
            (Command::Stop, _) => return Ok(()),
            (Command::Replace(bytes), member) => {
                *member = Some(Member::of_bytes(setup, &bytes, communicator)?);
            }
            (Command::Advance(steps), Some(member)) => {
                let report = member.advance(steps);
                member.domain().gather_at(&report, |rank| rank == 0);
            }
            (Command::Pieces, Some(member)) => {
                let piece = member.world.piece(member.domain());
                member.domain().gather_at(&piece, |rank| rank == 0);
            }
            (Command::Energies, Some(member)) => {
                member.domain().gather_at(&member.world.energy_sums(), |rank| rank == 0);
            }
            // The first command brings the world.
            (_, None) => {}
        }
    }
}

/// Ends [`serve`] in all other processes.
pub fn dismiss(communicator: &dyn Communicator) {
    command(communicator, &Command::Stop);
}

/// The first failure of any process, and which one it is of, where each tells its own: all get the same answer, and go on or
/// end together.
pub fn first_failure(communicator: &dyn Communicator, own: Option<&str>) -> Option<(usize, String)> {
    let all = communicator.exchange(vec![encode(&own); communicator.size()]);
    all.iter().enumerate().find_map(|(rank, bytes)| Some((rank, decode::<Option<String>>(bytes)?)))
}

/// Tells all other processes what to do.
fn command(communicator: &dyn Communicator, command: &Command) {
    let bytes = encode(command);
    let message = |rank| if rank == 0 { Vec::new() } else { bytes.clone() };
    communicator.exchange((0..communicator.size()).map(message).collect());
}

impl<D: Dimension> SharedWorld<D> {
    /// The world of a setup, shared with the processes that [`serve`] it.
    pub fn new(setup: &Setup<D>, communicator: Arc<dyn Communicator>) -> Result<Self, SetupError> {
        can_be_shared(setup)?;
        let world = World::new(setup)?;
        let bytes = world.save().map_err(|error| SetupError::NotSent(error.to_string()))?;
        Self::of_bytes(setup, bytes, communicator).map_err(|error| SetupError::NotSent(error.to_string()))
    }

    /// The world of a setup in a state that any backend has saved, shared with the processes that [`serve`] it.
    pub fn resumed(
        setup: &Setup<D>,
        bytes: &[u8],
        communicator: Arc<dyn Communicator>,
    ) -> Result<Self, RestoreError> {
        can_be_shared(setup)?;
        World::restore(setup, bytes)?; // What cannot be read is not sent.
        Self::of_bytes(setup, bytes.to_vec(), communicator)
    }

    fn of_bytes(
        setup: &Setup<D>,
        bytes: Vec<u8>,
        communicator: Arc<dyn Communicator>,
    ) -> Result<Self, RestoreError> {
        let member = handed_out(setup, bytes, &communicator)?;
        let (setup, whole) = (setup.clone(), OnceCell::new());
        let mut world =
            Self { setup, communicator, member, status: Status::default(), imbalance: 1.0, whole };
        world.count();
        Ok(world)
    }

    /// Makes steps, and asks all processes how they are doing.
    fn make_steps(&mut self, steps: u64) -> Result<(), StepError> {
        self.whole.take();
        command(&*self.communicator, &Command::Advance(steps));
        let own = self.member.advance(steps);
        let reports: Vec<Report> = self.member.domain().gather_at(&own, |rank| rank == 0);
        let counts: Vec<Counts> = reports.iter().map(|(_, counts)| *counts).collect();
        self.status = sum(&counts);
        self.imbalance = counts.iter().map(|counts| counts.imbalance).fold(1.0, f64::max);
        reports.into_iter().try_for_each(|(done, _)| done)
    }

    /// Asks all processes how they are doing.
    fn count(&mut self) {
        // No step, no error.
        let _ = self.make_steps(0);
    }

    /// All of it in this process.
    fn all(&self) -> &World<D> {
        self.whole.get_or_init(|| {
            command(&*self.communicator, &Command::Pieces);
            let own = self.member.world.piece(self.member.domain());
            let pieces: Vec<Piece<D>> = self.member.domain().gather_at(&own, |rank| rank == 0);
            Box::new(self.member.world.joined(pieces))
        })
    }

    /// The same for changes that are counted.
    fn changes(&mut self, change: impl FnOnce(&mut World<D>) -> usize) -> usize {
        self.change(|world| {
            let count = change(world);
            (count, count > 0)
        })
    }

    /// Changes the world between steps as a single process does; `change` says whether there was anything to change.
    fn change<T>(&mut self, change: impl FnOnce(&mut World<D>) -> (T, bool)) -> T {
        self.all();
        let mut world = self.whole.take().unwrap_or_else(|| unreachable!("it has just been joined"));
        let (answer, changed) = change(&mut world);
        if !changed {
            self.whole = OnceCell::from(world);
            return answer;
        }
        let member = world.save().map_err(|error| error.to_string()).and_then(|bytes| {
            handed_out(&self.setup, bytes, &self.communicator).map_err(|error| error.to_string())
        });
        match member {
            Ok(member) => {
                self.member = member;
                // Not saved, for every step sets it; another change may come before the next.
                self.member.world.bodies.last_step = world.bodies.last_step;
            }
            Err(error) => panic!("a world cannot be handed out again: {error}"),
        }
        self.count();
        answer
    }
}

/// Sends a world to all processes; returns the part of this one.
fn handed_out<D: Dimension>(
    setup: &Setup<D>,
    bytes: Vec<u8>,
    communicator: &Arc<dyn Communicator>,
) -> Result<Member<D>, RestoreError> {
    let order = Command::Replace(bytes);
    command(&**communicator, &order);
    let Command::Replace(bytes) = order else { unreachable!("it is what it was made as") };
    Member::of_bytes(setup, &bytes, communicator)
}

/// The status of the world from those of its parts.
fn sum(parts: &[Counts]) -> Status {
    let of = |number: fn(&Counts) -> usize| parts.iter().map(number).sum::<usize>();
    let first = parts.first().map(|counts| counts.status).unwrap_or_default();
    Status {
        grains: of(|counts| counts.status.grains),
        // What two processes have is counted by both.
        contacts: of(|counts| counts.status.contacts) - of(|counts| counts.twice[0]) / 2,
        contacts_in_lanes: of(|counts| counts.status.contacts_in_lanes) - of(|counts| counts.twice[1]) / 2,
        near_pairs: of(|counts| counts.status.near_pairs),
        unresolved: parts.iter().map(|counts| counts.status.unresolved).sum(),
        unresolved_since_start: parts.iter().map(|counts| counts.status.unresolved_since_start).sum(),
        solves: parts.iter().fold(Solves::default(), |mut sum, counts| {
            sum.add(&counts.status.solves);
            sum
        }),
        deepest: parts.iter().map(|counts| counts.status.deepest).fold(0.0, f64::max),
        left: parts.iter().map(|counts| counts.status.left).sum(),
        ..first
    }
}

impl<D: Dimension> Backend<D> for SharedWorld<D> {
    /// Without others: those come with [`SharedWorld::new`].
    fn start(setup: &Setup<D>) -> Result<Self, SetupError> {
        Self::new(setup, Arc::new(Single))
    }

    fn restore(setup: &Setup<D>, bytes: &[u8]) -> Result<Self, RestoreError> {
        Self::resumed(setup, bytes, Arc::new(Single))
    }

    fn save(&self) -> Result<Vec<u8>, SaveError> {
        self.all().save()
    }

    fn advance(&mut self, steps: u64) -> Result<(), StepError> {
        self.make_steps(steps)
    }

    fn status(&self) -> Status {
        self.status
    }

    fn time_step(&self) -> f64 {
        self.member.world.time_step()
    }

    fn energies(&self) -> Energies {
        command(&*self.communicator, &Command::Energies);
        let own = self.member.world.energy_sums();
        let parts: Vec<[ExactSum; 8]> = self.member.domain().gather_at(&own, |rank| rank == 0);
        let mut sums: [ExactSum; 8] = Default::default();
        for part in &parts {
            sums.iter_mut().zip(part).for_each(|(sum, part)| sum.merge(part));
        }
        Energies::of(&sums)
    }

    fn imbalance(&self) -> Option<f64> {
        Some(self.imbalance)
    }

    fn bodies(&self, columns: &mut BodyColumns<D>) {
        Backend::bodies(self.all(), columns);
    }

    fn contacts(&self, columns: &mut ContactColumns<D>) {
        Backend::contacts(self.all(), columns);
    }

    fn walls(&self) -> Vec<WallState<D>> {
        Backend::walls(self.all())
    }

    fn tools(&self) -> Vec<(String, ToolReport<D>)> {
        Backend::tools(self.all())
    }

    fn cell(&self) -> Option<CellState<D>> {
        self.member.world.cell()
    }

    fn lattice(&self) -> Lattice<D> {
        self.member.world.lattice()
    }

    fn stress_control(&self) -> Vec<(usize, ServoReport)> {
        Backend::stress_control(&self.member.world)
    }

    fn snapshot(&self) -> Snapshot<D> {
        self.all().snapshot()
    }

    fn insert(&mut self, setup: &Setup<D>, grains: &[Grain<D>]) -> Result<u32, SetupError> {
        self.change(|world| {
            let done = Backend::insert(world, setup, grains);
            let changed = done.is_ok() && !grains.is_empty();
            (done, changed)
        })
    }

    fn remove(&mut self, ids: &[u32]) -> usize {
        self.changes(|world| Backend::remove(world, ids))
    }

    fn freeze(&mut self, ids: &[u32]) -> usize {
        self.changes(|world| Backend::freeze(world, ids))
    }

    fn set_velocities(&mut self, ids: &[u32], velocities: &[D::Vec], spins: &[D::Spin]) -> usize {
        self.changes(|world| Backend::set_velocities(world, ids, velocities, spins))
    }

    fn move_wall(&mut self, name: &str, velocity: D::Vec, spin: D::Spin) -> bool {
        self.changes(|world| usize::from(Backend::move_wall(world, name, velocity, spin))) > 0
    }

    fn add_wall(&mut self, name: &str) -> bool {
        self.changes(|world| usize::from(Backend::add_wall(world, name))) > 0
    }

    fn remove_wall(&mut self, name: &str) -> bool {
        self.changes(|world| usize::from(Backend::remove_wall(world, name))) > 0
    }

    /// There is no cell: worlds with one are refused.
    fn drive_cell(&mut self, _: &VelocityGradient, _: Option<StressControl>) -> bool {
        false
    }

    /// The other processes have the materials of the setup, and keep them.
    fn set_interactions(&mut self, _: Interactions) -> bool {
        false
    }
}
