//! Steps made elsewhere: what a device needs to make the steps of a [`World`], and how the world goes on from there.
//!
//! **Idea.** A world stays on the host, with all that scenes ask of it. A device gets its bodies, candidates and contacts as plain
//! numbers ([`World::offload`]) and makes those steps in which nothing else happens: grains move, candidates are tested, contacts
//! in lanes are solved. It does so operation by operation as the world itself, with the same bits. Steps in which lists are
//! rebuilt, or a contact is not certified in lanes, are the world's own, from the state before ([`World::take_back`]).
//!
//! Walls move by the clock: the host has their poses ahead of the device ([`World::wall_plan`]) and takes the loads on them
//! afterwards ([`World::made_elsewhere`]).

use glam::DVec3;
use gritstone_contact::space::lanes::{PairClass, ShapeClass};
use gritstone_core::Space;
use gritstone_core::lanes::Row;
use rayon::prelude::*;

use crate::bodies::fast::FAR;
use crate::boundary::tools::Tool;
use crate::contacts::key::BodyKey;
use crate::contacts::{BodyPair, StepStats};
use crate::lanes::Told;
use crate::setup::{RadiusRule, Setup};
use crate::world::World;

pub use crate::lanes::PortableContact;

/// Numbers of a wall in a plan: its record, and its displacement since the list of walls was built.
pub const WALL_NUMBERS: usize = 17;

/// Steps made elsewhere take shapes of these kinds.
fn is_taken(class: ShapeClass) -> bool {
    matches!(class, ShapeClass::Sphere | ShapeClass::Ellipsoid)
}

/// What a scene has that steps made elsewhere do not support, in words; empty where all is well.
pub fn unsupported(setup: &Setup<Space>) -> Vec<String> {
    let mut found = Vec::new();
    let mut refuse = |is_there: bool, what: &str| {
        if is_there {
            found.push(what.to_owned());
        }
    };
    let compound = |shape: u32| setup.compounds.contains_key(&shape);
    let other = |shape: u32| !setup.shapes.get(shape as usize).is_some_and(|s| is_taken(ShapeClass::of(s)));
    let shapes = 0..setup.shapes.len() as u32;
    refuse(shapes.clone().any(compound), "compounds");
    refuse(
        shapes.clone().any(|shape| !compound(shape) && other(shape)),
        "grains that are neither spheres nor ellipsoids",
    );
    refuse(setup.walls.iter().any(|wall| wall.surface.is_some()), "walls of triangles");
    let curved = |class| class != ShapeClass::HalfSpace;
    refuse(
        setup.walls.iter().any(|wall| wall.surface.is_none() && curved(ShapeClass::of(&wall.shape))),
        "walls that are not planes",
    );
    let slides = setup.walls.iter().any(|wall| !wall.surface_motion.is_still());
    refuse(slides, "walls whose surfaces move along themselves");
    let prescribed = Tool::is_prescribed;
    refuse(!setup.tools.iter().all(prescribed), "servos and tools that forces move");
    refuse(setup.cell.is_some(), "periodic cells");
    refuse(setup.method.as_deref().is_some_and(|name| name != "auto"), "a contact method of its own");
    let in_lanes = setup.interactions.iter().all(|law| law.for_lanes().is_some() && !law.resists());
    refuse(!in_lanes, "rolling and twisting resistance, and JKR adhesion");
    let by_curvature = setup.rules.radius == RadiusRule::Curvature;
    refuse(by_curvature, "effective radii from the curvature");
    found
}

/// What does not change between steps.
#[derive(Clone, Debug)]
pub struct OffloadTables {
    /// Of each shape: 0 for a sphere, 1 for an ellipsoid, 2 for a half-space.
    pub classes: Vec<u32>,
    /// Numbers of each shape in lanes ([`ShapeTables`](gritstone_contact::space::lanes::ShapeTables)); the last, which those of
    /// spheres and ellipsoids do not use, is how far a grain may go in a step that nobody counts (m).
    pub shapes: Vec<Row>,
    /// The least of these ways (m).
    pub least_far: f64,
    /// Inertia of each shape: reciprocal moments, the turn to the principal axes, sweep.
    pub inertias: Vec<Row>,
    /// Laws, one for each pair of materials.
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
    /// How many are of spheres, spheres on half-spaces, ellipsoids, ellipsoids on half-spaces.
    pub of_class: [usize; 4],
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

fn with_last(row: Row, last: f64) -> Row {
    let [a, b, c, d, e, f, g, _] = row;
    [a, b, c, d, e, f, g, last]
}

impl World<Space> {
    /// What does not change between steps.
    pub fn offload_tables(&self) -> OffloadTables {
        let batches = &self.contacts.batches;
        let rows = batches.shapes().rows(PairClass::Ellipsoids);
        let far: Vec<f64> = self.bodies.shapes.iter().map(|shape| FAR * shape.half_thickness).collect();
        let class = |shape| match ShapeClass::of(shape) {
            ShapeClass::Sphere => 0,
            ShapeClass::HalfSpace => 2,
            _ => 1,
        };
        OffloadTables {
            classes: self.bodies.shapes.iter().map(|record| class(&record.shape)).collect(),
            shapes: rows.iter().zip(&far).map(|([first, _], far)| with_last(*first, *far)).collect(),
            least_far: FAR
                * self.bodies.shapes.iter().map(|shape| shape.half_thickness).fold(f64::INFINITY, f64::min),
            inertias: self.bodies.inertias.clone(),
            laws: batches.laws().to_vec(),
            materials: self.laws.materials(),
            body_function: self.laws.rules().radius == RadiusRule::BodyFunction,
            time_step: self.clock.dt,
            gravity: self.gravity,
        }
    }

    /// Whether the next step is for the host: there are no grains, or contacts that lanes cannot solve.
    pub fn keeps_next_step(&self) -> bool {
        let is_general =
            self.contacts.len() != self.contacts.batched() || !self.contacts.batches.can_be_told();
        is_general || self.bodies.grains().is_empty() || !self.bodies.ghosts.list.is_empty()
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
        let (walls, grain_pairs) = (self.bodies.walls, self.grain_pairs.pairs.len());
        let lists = [&self.grain_pairs, &self.wall_pairs];
        // Every contact is a pair of its list.
        let place = |pair: BodyPair| {
            let is_wall = (pair.b as usize) < walls;
            let first = if is_wall { grain_pairs } else { 0 };
            lists[usize::from(is_wall)].position(pair.a, pair.b).map_or(u32::MAX, |i| (first + i) as u32)
        };
        let Offloaded { touching, contacts, of_class, .. } = offloaded;
        *of_class = self.contacts.batches.tell(&place, touching, contacts);
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
        plan
    }

    /// So many steps were made elsewhere, with these loads on the walls: force and torque of each, step by step. The grains are
    /// left behind until they are [taken back](Self::take_back).
    pub fn made_elsewhere(&mut self, steps: u64, loads: &[[f64; 6]]) {
        let walls = self.bodies.walls;
        let dt = self.clock.dt;
        for step in 0..steps as usize {
            self.clock.step += 1;
            self.advance_walls(self.clock.step);
            for (wall, load) in loads[walls * step..walls * (step + 1)].iter().enumerate() {
                let state = &mut self.bodies.states[wall];
                state.force = DVec3::from_slice(&load[..3]);
                state.torque = DVec3::from_slice(&load[3..]);
            }
            let work = self.tools.work(&self.bodies, &self.contacts, dt);
            self.ledger.wall_work.add(work);
        }
        self.grain_pairs.made_elsewhere(steps);
        self.wall_pairs.made_elsewhere(steps);
        self.bodies.last_step = dt;
    }

    fn advance_walls(&mut self, step: u64) {
        let (time, dt) = (step as f64 * self.clock.dt, self.clock.dt);
        self.tools.advance(&mut self.bodies, self.gravity, [time, dt], &mut self.wall_pairs.displacement);
    }

    /// Goes on from what was made elsewhere. Of the pairs only the gaps and directions count, of the lists nothing.
    pub fn take_back(&mut self, made: &Offloaded) {
        let Self { bodies, contacts, grain_pairs, wall_pairs, .. } = self;
        bytemuck::cast_slice_mut(&mut bodies.records).copy_from_slice(&made.records);
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
        self.stats = StepStats { deepest: made.deepest, ..StepStats::default() };
    }
}
