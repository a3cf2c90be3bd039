//! Steps made elsewhere: what a device needs to make the steps of a [`World`], and how the world goes on from there.
//!
//! **Idea.** A world stays on the host, with all that scenes ask of it. A device gets its bodies, candidates and contacts as plain
//! numbers ([`World::offload`]) and makes those steps in which nothing else happens: grains move, candidates are tested, contacts
//! in lanes are solved. It does so operation by operation as the world itself, with the same bits. Contacts that lanes do not solve,
//! and walls that forces move, are the world's in steps that both make [together](shared). Steps in which lists are
//! rebuilt are the world's own, from the state before ([`World::take_back`]).
//!
//! Walls that move by the clock: the host has their poses ahead of the device ([`World::wall_plan`]) and takes the loads on them
//! afterwards ([`World::made_elsewhere`]).

mod refusals;
mod shared;

use glam::DVec3;
use gritstone_contact::space::lanes::{PairClass, ShapeClass};
use gritstone_core::Space;
use gritstone_core::lanes::Row;
use gritstone_shape::space::Solid;
use rayon::prelude::*;

use crate::bodies::fast::FAR;
use crate::contacts::key::BodyKey;
use crate::contacts::{BodyPair, StepStats};
use crate::lanes::Told;
use crate::setup::RadiusRule;
use crate::world::World;

pub use self::refusals::unsupported;
pub use self::shared::{ANSWER, AnswerKind, FastMove, QUESTION, SAMPLE};
pub use crate::lanes::{LANE_CLASSES, PortableContact};

/// Numbers of a wall in a plan: its record, and its displacement since the list of walls was built.
pub const WALL_NUMBERS: usize = 17;

/// What does not change between steps.
#[derive(Clone, Debug)]
pub struct OffloadTables {
    /// Of each shape, in the order of [`ShapeClass`].
    pub classes: Vec<u32>,
    /// Of each wall that lanes take: 4, the class of half-spaces; of the others 5, that of shapes that no lanes take.
    pub wall_classes: Vec<u32>,
    /// Numbers of each shape in lanes ([`ShapeTables`](gritstone_contact::space::lanes::ShapeTables)): the row of ellipsoids, whose last
    /// number, which they do not use, is how far a grain may go in a step that nobody counts (m); the two rows of superellipsoids.
    pub shapes: Vec<[Row; 3]>,
    /// The least of these ways (m).
    pub least_far: f64,
    /// Inertia of each shape: reciprocal moments, the turn to the principal axes, sweep.
    pub inertias: Vec<Row>,
    /// Laws, one for each pair of materials; the first number is none where lanes cannot do what the pair does.
    pub laws: Vec<Row>,
    /// Number of materials.
    pub materials: usize,
    /// Whether the effective radius is that of the body function, and else that of the volumes.
    pub body_function: bool,
    /// Time step (s).
    pub time_step: f64,
    /// Acceleration of free fall (m/s²).
    pub gravity: DVec3,
}

/// What steps change.
#[derive(Clone, Debug, Default)]
pub struct Offloaded {
    /// Steps that were made before.
    pub step: u64,
    /// Number of walls, which are the first of the bodies.
    pub walls: usize,
    /// Records of the bodies: position, quaternion x y z w, velocity, spin, mass, radius, bits.
    pub records: Vec<[f64; 16]>,
    /// Their states: velocity and angular momentum, reciprocal mass, bits; force, torque, dissipated energies.
    pub states: Vec<[f64; 16]>,
    /// Displacements of the bodies since the lists of grains and of walls were built (m).
    pub displacements: [Vec<f64>; 2],
    /// Skins of these lists (m).
    pub skins: [f64; 2],
    /// Candidates of the list of grains, then of the list of walls.
    pub pairs: Vec<[u32; 2]>,
    /// How many of them are pairs of grains.
    pub grain_pairs: usize,
    /// Displacement from which each is due.
    pub due_at: Vec<f64>,
    /// Direction of each at its last test.
    pub directions: Vec<[f64; 3]>,
    /// Those that touch, class by class; from a device in the order of candidates.
    pub touching: Vec<u32>,
    /// Their contacts.
    pub contacts: Vec<PortableContact>,
    /// How many there are of each class of pairs.
    pub of_class: [usize; LANE_CLASSES],
    /// Those that touch and are solved by the world.
    pub hosted: Vec<u32>,
    /// Where the candidates of each body start among the entries, and where the last ones end.
    pub starts: Vec<u32>,
    /// Candidates of the bodies, each in the order of the partners' keys: twice the candidate, and one where the body is b.
    pub entries: Vec<u32>,
    /// Sum of the grains' velocities, and the largest of each component.
    pub velocity: [f64; 6],
    /// Largest component of a velocity at the begin of the last step.
    pub largest_velocity: f64,
    /// Largest overlap in the last step, relative to the smaller grain's size.
    pub deepest: f64,
}

/// So many contacts of the world's own do not make the steps its own.
const FEW: usize = 64;

fn class_number(shape: &Solid) -> u32 {
    ShapeClass::of(shape) as u32
}

fn with_last(row: Row, last: f64) -> Row {
    let [a, b, c, d, e, f, g, _] = row;
    [a, b, c, d, e, f, g, last]
}

impl World<Space> {
    /// What does not change between steps.
    pub fn offload_tables(&self) -> OffloadTables {
        let batches = &self.contacts.batches;
        let (narrow, wide) =
            (batches.shapes().rows(PairClass::Ellipsoids), batches.shapes().rows(PairClass::Superellipsoids));
        let far: Vec<f64> = self.bodies.shapes.iter().map(|shape| FAR * shape.half_thickness).collect();
        let rows = narrow.iter().zip(wide).zip(&far);
        OffloadTables {
            classes: self.bodies.shapes.iter().map(|record| class_number(&record.shape)).collect(),
            wall_classes: (0..self.bodies.walls).map(|wall| self.wall_class(wall as u32)).collect(),
            shapes: rows.map(|(([first, _], [a, b]), far)| [with_last(*first, *far), *a, *b]).collect(),
            least_far: far.iter().copied().fold(f64::INFINITY, f64::min),
            inertias: self.bodies.inertias.clone(),
            laws: batches.laws_or_none(),
            materials: self.laws.materials(),
            body_function: self.laws.rules().radius == RadiusRule::BodyFunction,
            time_step: self.clock.dt,
            gravity: self.gravity,
        }
    }

    /// Features of meshes, and surfaces that move along themselves, are not for lanes.
    fn wall_class(&self, wall: u32) -> u32 {
        let shape = &self.bodies.shapes[self.bodies.records[wall as usize].shape as usize].shape;
        let is_plain = self.bodies.features.get(wall).is_none() && self.bodies.surface_motion(wall).is_none();
        if is_plain { class_number(shape) } else { ShapeClass::Other as u32 }
    }

    /// Whether the next step is for the host: there are no grains, or most contacts are not for lanes.
    pub fn keeps_next_step(&self) -> bool {
        let general = self.contacts.general.len();
        2 * general > self.contacts.len() + FEW
            || self.bodies.grains().is_empty()
            || !self.bodies.ghosts.list.is_empty()
    }

    /// All that the next step depends on.
    pub fn offload(&self) -> Offloaded {
        let lists = [&self.grain_pairs, &self.wall_pairs];
        let pairs = || lists.into_iter().flat_map(|list| &list.pairs);
        let mut offloaded = Offloaded {
            step: self.clock.step,
            walls: self.bodies.walls,
            records: bytemuck::cast_slice(&self.bodies.records).to_vec(),
            states: bytemuck::cast_slice(&self.bodies.states).to_vec(),
            displacements: lists.map(|list| list.displacement.of.clone()),
            skins: lists.map(|list| list.skin),
            pairs: pairs().map(|pair| [pair.a, pair.b]).collect(),
            grain_pairs: self.grain_pairs.pairs.len(),
            due_at: pairs().map(|pair| pair.due_at).collect(),
            directions: lists.iter().flat_map(|list| &list.directions).map(DVec3::to_array).collect(),
            largest_velocity: self.bodies.largest_velocity,
            velocity: self.bodies.velocity_sum(),
            deepest: self.stats.deepest,
            ..Offloaded::default()
        };
        self.offload_contacts(&mut offloaded);
        self.sort_candidates(&mut offloaded);
        offloaded
    }

    fn offload_contacts(&self, offloaded: &mut Offloaded) {
        let Offloaded { touching, contacts, of_class, hosted, .. } = offloaded;
        *of_class = self.contacts.batches.tell(&|pair| self.candidate_of(pair), touching, contacts);
        *hosted = self.contacts.general.pairs.iter().map(|pair| self.candidate_of(*pair)).collect();
    }

    /// The number of a pair among the candidates of both lists: every contact is a pair of its list.
    fn candidate_of(&self, pair: BodyPair) -> u32 {
        let is_wall = (pair.b as usize) < self.bodies.walls;
        let (list, first) =
            if is_wall { (&self.wall_pairs, self.grain_pairs.pairs.len()) } else { (&self.grain_pairs, 0) };
        list.position(pair.a, pair.b).map_or(u32::MAX, |i| (first + i) as u32)
    }

    /// The candidates of each body, in the order in which its contacts are summed.
    fn sort_candidates(&self, offloaded: &mut Offloaded) {
        let bodies = self.bodies.records.len();
        let Offloaded { pairs, starts, entries, .. } = offloaded;
        let real = || (0_u32..).zip(pairs.iter()).filter(|(_, [a, b])| a != b);
        starts.resize(bodies + 2, 0);
        // Counted two places further on, starts walk to where they belong while entries are filled in.
        real().for_each(|(_, pair)| pair.iter().for_each(|&slot| starts[slot as usize + 2] += 1));
        (0..bodies).for_each(|slot| starts[slot + 2] += starts[slot + 1]);
        entries.resize(starts[bodies + 1] as usize, 0);
        for (i, pair) in real() {
            for (side, &slot) in (0..).zip(pair) {
                let next = &mut starts[slot as usize + 1];
                entries[*next as usize] = 2 * i + side;
                *next += 1;
            }
        }
        starts.truncate(bodies + 1);
        let named = &self.bodies;
        let keys: Vec<BodyKey> = (0..bodies as u32).into_par_iter().map(|slot| named.key(slot)).collect();
        let partner = |entry: u32| keys[pairs[entry as usize / 2][1 - entry as usize % 2] as usize];
        let mut rows = Vec::with_capacity(bodies);
        let mut rest = entries.as_mut_slice();
        for slot in 0..bodies {
            let count = (starts[slot + 1] - starts[slot]) as usize;
            let (row, others) = std::mem::take(&mut rest).split_at_mut(count);
            rows.push(row);
            rest = others;
        }
        rows.into_par_iter().for_each(|row| row.sort_unstable_by_key(|&entry| partner(entry)));
    }

    /// Where the walls will be after each of the next steps: [`WALL_NUMBERS`] for each wall and step.
    pub fn wall_plan(&mut self, steps: u64) -> Vec<f64> {
        let walls = self.bodies.walls;
        let (records, states) = (self.bodies.records[..walls].to_vec(), self.tools.states.clone());
        let displacement = self.wall_pairs.displacement.clone_walls(walls);
        let surfaces = &self.bodies.features.surfaces;
        let carried: Vec<_> = surfaces.iter().map(|surface| surface.carried).collect();
        let mut plan = Vec::with_capacity(WALL_NUMBERS * walls * steps as usize);
        for step in 1..=steps {
            self.advance_walls(self.clock.step + step);
            for (wall, record) in self.bodies.records[..walls].iter().enumerate() {
                plan.extend(record.lines().as_flattened());
                plan.push(self.wall_pairs.displacement.of[wall]);
            }
        }
        self.bodies.records[..walls].copy_from_slice(&records);
        self.tools.states = states;
        self.wall_pairs.displacement.of[..walls].copy_from_slice(&displacement);
        let surfaces = self.bodies.features.surfaces.iter_mut();
        surfaces.zip(carried).for_each(|(surface, before)| surface.carried = before);
        plan
    }

    /// So many steps were made elsewhere, with these loads on the walls: force and torque of each, step by step. The grains are
    /// left behind until they are [taken back](Self::take_back).
    pub fn made_elsewhere(&mut self, steps: u64, loads: &[[f64; 6]]) {
        let walls = self.bodies.walls;
        for step in 0..steps as usize {
            self.clock.step += 1;
            self.advance_walls(self.clock.step);
            self.load_walls(&loads[walls * step..walls * (step + 1)]);
        }
        if steps > 0 {
            self.stats = StepStats::default();
            self.bodies.last_step = self.clock.dt;
        }
        self.grain_pairs.made_elsewhere(steps);
        self.wall_pairs.made_elsewhere(steps);
    }

    /// What the grains have done to the walls in a step, and the work of these.
    fn load_walls(&mut self, loads: &[[f64; 6]]) {
        for (state, load) in self.bodies.states.iter_mut().zip(loads) {
            (state.force, state.torque) = (DVec3::from_slice(&load[..3]), DVec3::from_slice(&load[3..]));
        }
        let work = self.tools.work(&self.bodies, &self.contacts, self.clock.dt);
        self.ledger.wall_work.add(work);
    }

    fn advance_walls(&mut self, step: u64) {
        let (time, dt) = (step as f64 * self.clock.dt, self.clock.dt);
        self.tools.advance(&mut self.bodies, self.gravity, [time, dt], &mut self.wall_pairs.displacement);
    }

    /// Goes on from what was made elsewhere. Of the pairs only the gaps and directions count, of the lists nothing; walls are where
    /// they are here.
    pub fn take_back(&mut self, made: &Offloaded) {
        let Self { bodies, contacts, grain_pairs, wall_pairs, .. } = self;
        let walls = bodies.walls;
        bytemuck::cast_slice_mut(&mut bodies.records[walls..]).copy_from_slice(&made.records[walls..]);
        bytemuck::cast_slice_mut(&mut bodies.states).copy_from_slice(&made.states);
        bodies.loaded_walls.clear();
        bodies.largest_velocity = made.largest_velocity;
        bodies.set_velocity_sum(made.velocity);
        let mut first = 0;
        for (list, displacement) in [grain_pairs, wall_pairs].into_iter().zip(&made.displacements) {
            list.displacement.of.copy_from_slice(displacement);
            let end = first + list.pairs.len();
            let known = made.due_at[first..end].iter().zip(&made.directions[first..end]);
            for ((pair, direction), (due_at, known)) in
                list.pairs.iter_mut().zip(&mut list.directions).zip(known)
            {
                (pair.due_at, *direction) = (*due_at, DVec3::from_array(*known));
            }
            first = end;
        }
        let touching = made.touching.par_iter().zip(&made.contacts);
        let told = touching.map(|(&candidate, numbers)| {
            let [a, b] = made.pairs[candidate as usize];
            Told { pair: BodyPair { a, b }, numbers }
        });
        contacts.refill(bodies, &told.collect::<Vec<_>>());
        self.stats = StepStats { deepest: made.deepest.max(self.stats.deepest), ..self.stats };
    }
}
