//! A backend whose grains several processes have: the first one asks, the others serve.
//!
//! **Idea.** Whatever runs a simulation (events, inlets, files, the clock) does so in the first process, on a [`SharedWorld`]. The
//! others are in [`serve`]: they make steps with it, and send what they have when it asks. What changes between steps (grains that come
//! and go, walls) is told to all of them, and each changes what it has of it, by the code of a single process.
//!
//! **Limits.** The whole world fits into the memory of each process at the start, and into that of the first one for files.

use std::cell::OnceCell;
use std::sync::Arc;

use gritstone_core::ExactSum;
use gritstone_force::Interactions;
use serde::{Deserialize, Serialize};

use super::domain::{decode, encode};
use super::{Communicator, Domain, Single, Traffic};
use crate::backend::{Backend, BodyColumns, ContactColumns};
use crate::bodies::fast::FastMoves;
use crate::boundary::tools::{ServoReport, ToolReport};
use crate::dimension::Dimension;
use crate::periodic::cell::VelocityGradient;
use crate::periodic::cell_state::{CellState, CellSums};
use crate::periodic::lattice::Lattice;
use crate::periodic::stress_control::StressControl;
use crate::setup::{Grain, Setup, SetupError};
use crate::state::checkpoint::{RestoreError, SaveError};
use crate::state::observe::{Energies, Status};
use crate::state::snapshot::{Snapshot, WallState};
use crate::world::change::Change;
use crate::world::join::Piece;
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
    /// Stress and momentum of the periodic cell.
    Cell,
    /// The grains near a box, of which these are the corners as bytes.
    Near(Vec<u8>),
    /// A change between steps, as bytes.
    Change(Vec<u8>),
    /// Another world, as bytes, of which each process takes its part.
    Replace(Vec<u8>),
    /// What each process has sent.
    Traffic,
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
            let own = pairs.filter(|pair| !world.bodies.is_elsewhere(pair.a)).count();
            self.listed = (status.lists, own);
        }
        status.near_pairs = self.listed.1;
        let bodies = &world.bodies;
        let elsewhere =
            (bodies.owners..bodies.records.len()).filter(|&slot| bodies.is_elsewhere(slot as u32));
        let twice = world.contacts.counts_of(elsewhere);
        Counts { status, twice, imbalance: self.domain().imbalance }
    }
}

/// The world on the first of several processes.
#[derive(Debug)]
pub struct SharedWorld<D: Dimension> {
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
        let come = communicator.broadcast(Vec::new());
        match (decode(&come), &mut member) {
            (Command::Stop, _) => return Ok(()),
            (Command::Replace(bytes), member) => {
                *member = Some(Member::of_bytes(setup, &bytes, communicator)?);
            }
            (Command::Advance(steps), Some(member)) => {
                let report = member.advance(steps);
                member.domain().gather_at_first(&report);
            }
            (Command::Pieces, Some(member)) => {
                let piece = member.world.piece(member.domain());
                member.domain().gather_at_first(&piece);
            }
            (Command::Energies, Some(member)) => {
                member.domain().gather_at_first(&member.world.energy_sums());
            }
            (Command::Cell, Some(member)) => {
                member.domain().gather_at_first(&member.world.cell_sums());
            }
            (Command::Near(corners), Some(member)) => {
                member.domain().gather_at_first(&member.world.grains_near(decode(&corners)));
            }
            (Command::Change(change), Some(member)) => {
                member.world.apply(decode(&change));
            }
            (Command::Traffic, Some(member)) => {
                member.domain().gather_at_first(&communicator.traffic());
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
    let all = communicator.gather(encode(&own));
    all.iter().enumerate().find_map(|(rank, bytes)| Some((rank, decode::<Option<String>>(bytes)?)))
}

/// Tells all other processes what to do.
fn command(communicator: &dyn Communicator, command: &Command) {
    communicator.broadcast(encode(command));
}

impl<D: Dimension> SharedWorld<D> {
    /// The world of a setup, shared with the processes that [`serve`] it.
    pub fn new(setup: &Setup<D>, communicator: Arc<dyn Communicator>) -> Result<Self, SetupError> {
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
        World::restore(setup, bytes)?; // What cannot be read is not sent.
        Self::of_bytes(setup, bytes.to_vec(), communicator)
    }

    fn of_bytes(
        setup: &Setup<D>,
        bytes: Vec<u8>,
        communicator: Arc<dyn Communicator>,
    ) -> Result<Self, RestoreError> {
        let member = handed_out(setup, bytes, &communicator)?;
        let (status, whole) = (Status::default(), OnceCell::new());
        let mut world = Self { communicator, member, status, imbalance: 1.0, whole };
        world.count();
        Ok(world)
    }

    /// Makes steps, and asks all processes how they are doing.
    fn make_steps(&mut self, steps: u64) -> Result<(), StepError> {
        self.whole.take();
        command(&*self.communicator, &Command::Advance(steps));
        let own = self.member.advance(steps);
        let reports: Vec<Report> = self.member.domain().gather_at_first(&own);
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
            let pieces: Vec<Piece<D>> = self.member.domain().gather_at_first(&own);
            Box::new(self.member.world.joined(pieces))
        })
    }

    /// Has all processes make a change between steps; returns how many grains or walls have changed.
    fn change(&mut self, change: Change<D>) -> usize {
        self.whole.take();
        command(&*self.communicator, &Command::Change(encode(&change)));
        let count = self.member.world.apply(change);
        if count > 0 {
            self.count();
        }
        count
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
        deepest: parts.iter().map(|counts| counts.status.deepest).fold(0.0, f64::max),
        left: parts.iter().map(|counts| counts.status.left).sum(),
        fast: parts.iter().map(|counts| counts.status.fast).fold(FastMoves::default(), FastMoves::and),
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
        let parts: Vec<[ExactSum; 8]> = self.member.domain().gather_at_first(&own);
        let mut sums: [ExactSum; 8] = Default::default();
        for part in &parts {
            sums.iter_mut().zip(part).for_each(|(sum, part)| sum.merge(part));
        }
        Energies::of(&sums)
    }

    fn imbalance(&self) -> Option<f64> {
        Some(self.imbalance)
    }

    fn traffic(&self) -> Option<Vec<Traffic>> {
        // Before it is asked for: asking is traffic, too.
        let own = self.communicator.traffic();
        command(&*self.communicator, &Command::Traffic);
        Some(self.member.domain().gather_at_first(&own))
    }

    fn bodies(&self, columns: &mut BodyColumns<D>) {
        Backend::bodies(self.all(), columns);
    }

    fn bodies_near(&self, corners: [D::Vec; 2]) -> BodyColumns<D> {
        command(&*self.communicator, &Command::Near(encode(&corners)));
        let own = self.member.world.grains_near(corners);
        BodyColumns::joined(&self.member.domain().gather_at_first(&own))
    }

    fn contacts(&self, columns: &mut ContactColumns<D>) {
        Backend::contacts(self.all(), columns);
    }

    fn walls(&self) -> Vec<WallState<D>> {
        // Forces on walls are summed here.
        Backend::walls(&self.member.world)
    }

    fn tools(&self) -> Vec<(String, ToolReport<D>)> {
        Backend::tools(&self.member.world)
    }

    fn cell(&self) -> Option<CellState<D>> {
        self.member.world.cells.as_ref()?;
        command(&*self.communicator, &Command::Cell);
        let own = self.member.world.cell_sums();
        let parts: Vec<CellSums> = self.member.domain().gather_at_first(&own);
        self.member.world.cell_of(&parts.iter().fold(CellSums::default(), CellSums::merge))
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
        let (first, new) = self.member.world.new_grains(setup, grains)?;
        if !new.is_empty() {
            self.change(Change::Insert(new));
        }
        Ok(first)
    }

    fn remove(&mut self, ids: &[u32]) -> usize {
        self.change(Change::Remove(ids.to_vec()))
    }

    fn freeze(&mut self, ids: &[u32]) -> usize {
        self.change(Change::Freeze(ids.to_vec()))
    }

    fn set_velocities(&mut self, ids: &[u32], velocities: &[D::Vec], spins: &[D::Spin]) -> usize {
        self.change(Change::SetVelocities(ids.to_vec(), velocities.to_vec(), spins.to_vec()))
    }

    fn move_wall(&mut self, name: &str, velocity: D::Vec, spin: D::Spin) -> bool {
        self.change(Change::MoveWall(name.to_owned(), velocity, spin)) > 0
    }

    fn add_wall(&mut self, name: &str) -> bool {
        self.change(Change::AddWall(name.to_owned())) > 0
    }

    fn remove_wall(&mut self, name: &str) -> bool {
        self.change(Change::RemoveWall(name.to_owned())) > 0
    }

    fn drive_cell(&mut self, gradient: &VelocityGradient, press: Option<StressControl>) -> bool {
        self.change(Change::DriveCell(*gradient, press)) > 0
    }

    /// The other processes have the materials of the setup, and keep them.
    fn set_interactions(&mut self, _: Interactions) -> bool {
        false
    }
}
