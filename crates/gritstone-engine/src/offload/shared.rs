//! Steps that a device and the world make together.
//!
//! **Idea.** A contact that lanes cannot solve needs its two bodies and its history, not the world. So the device makes the step, and
//! asks for what it cannot do: tests of candidates, and contacts, each as a row of plain numbers with both bodies (a *question*). The
//! world has these contacts in its general list and nothing in its lanes; it answers with gaps, new contacts and forces. Walls that
//! forces move are the world's as well.
//!
//! A step is: [`World::begin_shared_step`] with the walls where the plan had them, [`World::see_bodies`],
//! [`World::test_candidates`], [`World::solve_shared`], [`World::end_shared_step`].

use glam::DVec3;
use gritstone_core::Space;
use gritstone_force::History;

use crate::bodies::fast::FastMoves;
use crate::broad_phase::NeighbourList;
use crate::broad_phase::activate::Proximity;
use crate::contacts::{BodyPair, StepStats};
use crate::lanes::{FORCES, about_origin};
use crate::setup::FlatRule;
use crate::world::{RETRY_EVERY, World};

/// Numbers of a body as the world sees it: its record, its velocity in the middle of the step, nothing.
pub const SAMPLE: usize = 20;
/// Numbers of a question: bits of the candidate, direction from a to b, stretch of the tangential spring, its stiffness, force along the
/// normal, three times nothing; both bodies.
pub const QUESTION: usize = 12 + 2 * SAMPLE;
/// Numbers of an answer: bits (candidate, [`AnswerKind`]), and what the kind has.
pub const ANSWER: usize = 18;

/// A grain that went far in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FastMove {
    /// Where it is stored.
    pub slot: u32,
    /// How far it went (m).
    pub way: f64,
    /// In which of the steps from now, the first of which is one.
    pub step: u64,
}

/// What an answer says of its candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum AnswerKind {
    /// It does not touch: gap through which it is inactive, and its direction.
    Apart,
    /// It is a contact of the world's.
    Hosted,
    /// It is a contact in lanes: the first numbers of a [`PortableContact`](super::PortableContact).
    Lanes,
    /// It is a contact of the world's: its forces in this step, and its gap.
    Forces,
}

fn answer(candidate: u32, kind: AnswerKind, numbers: &[f64]) -> [f64; ANSWER] {
    let mut answer = [0.0; ANSWER];
    answer[0] = f64::from_bits(u64::from(candidate) | (kind as u64) << 32);
    answer[1..=numbers.len()].copy_from_slice(numbers);
    answer
}

fn apart(candidate: u32, gap: f64, direction: DVec3) -> [f64; ANSWER] {
    answer(candidate, AnswerKind::Apart, &[gap, direction.x, direction.y, direction.z])
}

fn candidate_of(question: &[f64; QUESTION]) -> u32 {
    question[0].to_bits() as u32
}

impl World<Space> {
    /// Contacts in lanes are elsewhere from now on; the world keeps those of its own.
    pub fn leave_lanes(&mut self) {
        self.contacts.leave_lanes(&self.bodies);
        self.stats = StepStats::default();
    }

    /// Whether the world has a part in the next step: contacts of its own, or walls that forces move.
    pub fn shares_next_step(&self) -> bool {
        self.contacts.general.len() > 0 || self.tools.are_driven()
    }

    /// Whether tools want to know every contact of the walls.
    pub fn wants_wall_contacts(&self) -> bool {
        self.tools.has_servos()
    }

    /// Grains of the world's own contacts.
    pub fn hosted_grains(&self) -> Vec<u32> {
        let pairs = self.contacts.general.pairs.iter();
        let slots = pairs.flat_map(|pair| [pair.a, pair.b]);
        let mut grains: Vec<u32> = slots.filter(|&slot| slot as usize >= self.bodies.walls).collect();
        grains.sort_unstable();
        grains.dedup();
        grains
    }

    /// Grains went far in the next steps.
    pub fn count_fast_moves(&mut self, moves: &[FastMove]) {
        for &FastMove { slot, way, step } in moves {
            let (record, state) = (&self.bodies.records[slot as usize], &self.bodies.states[slot as usize]);
            let farthest = way / self.bodies.shapes[record.shape as usize].half_thickness;
            let step = self.clock.step + step;
            self.ledger.fast = self.ledger.fast.and(FastMoves { count: 1, farthest, id: state.id, step });
        }
    }

    /// Begins a step: the grains have moved elsewhere, the walls move now.
    pub fn begin_shared_step(&mut self) {
        self.workspaces.prepare();
        self.clock.step += 1;
        self.advance_walls(self.clock.step);
        self.grain_pairs.made_elsewhere(1);
        self.wall_pairs.made_elsewhere(1);
        self.bodies.last_step = self.clock.dt;
    }

    /// Bodies are where these samples have them.
    pub fn see_bodies(&mut self, slots: &[u32], samples: &[[f64; SAMPLE]]) {
        slots.iter().zip(samples).for_each(|(&slot, sample)| self.see_body(slot, sample));
    }

    fn see_body(&mut self, slot: u32, sample: &[f64]) {
        let slot = slot as usize;
        if slot >= self.bodies.walls {
            let record = std::slice::from_mut(&mut self.bodies.records[slot]);
            bytemuck::cast_slice_mut(record).copy_from_slice(&sample[..16]);
            self.bodies.states[slot].velocity = DVec3::from_slice(&sample[16..19]);
        }
    }

    fn see_pair(&mut self, question: &[f64; QUESTION]) -> BodyPair {
        let candidate = candidate_of(question) as usize;
        let (list, i) = match candidate.checked_sub(self.grain_pairs.pairs.len()) {
            None => (&self.grain_pairs, candidate),
            Some(i) => (&self.wall_pairs, i),
        };
        let pair = BodyPair { a: list.pairs[i].a, b: list.pairs[i].b };
        self.see_body(pair.a, &question[12..12 + SAMPLE]);
        self.see_body(pair.b, &question[12 + SAMPLE..]);
        pair
    }

    /// Tests candidates that lanes could not decide, and tries contacts of the world's own in lanes again from time to time.
    pub fn test_candidates(&mut self, questions: &mut [[f64; QUESTION]]) -> Vec<[f64; ANSWER]> {
        questions.sort_unstable_by_key(candidate_of);
        for question in &*questions {
            self.see_pair(question);
        }
        let grain_pairs = self.grain_pairs.pairs.len() as u32;
        let (grains, walls) =
            questions.split_at(questions.partition_point(|question| candidate_of(question) < grain_pairs));
        let mut answers = Vec::with_capacity(questions.len());
        self.test_list(grains, 0, &mut answers);
        self.test_list(walls, grain_pairs, &mut answers);
        if (self.ledger.before.steps + self.clock.step).is_multiple_of(RETRY_EVERY) {
            self.contacts.retry_batches(&self.bodies);
        }
        if self.contacts.batched() > 0 {
            let (mut places, mut told) = (Vec::new(), Vec::new());
            self.contacts.batches.tell(&|pair| self.candidate_of(pair), &mut places, &mut told);
            let begun = places.iter().zip(&told);
            answers
                .extend(begun.map(|(&place, contact)| answer(place, AnswerKind::Lanes, &contact[..FORCES])));
            self.contacts.leave_lanes(&self.bodies);
        }
        answers
    }

    /// Tests candidates of one list, which begin with number `first`.
    fn test_list(&mut self, questions: &[[f64; QUESTION]], first: u32, answers: &mut Vec<[f64; ANSWER]>) {
        let Self { bodies, grain_pairs, wall_pairs, contacts, activator, workspaces, .. } = self;
        let list: &mut NeighbourList<Space> = if first == 0 { grain_pairs } else { wall_pairs };
        let which: Vec<u32> = questions.iter().map(|question| candidate_of(question) - first).collect();
        for (&i, question) in which.iter().zip(questions) {
            list.directions[i as usize] = DVec3::from_slice(&question[1..4]);
        }
        let found = activator.test(bodies, list, &which, contacts, workspaces);
        for (&i, proximity) in which.iter().zip(found) {
            match proximity {
                Proximity::Unknown => {}
                Proximity::Apart(gap, direction) => answers.push(apart(first + i, gap, direction)),
                Proximity::Refused(direction) => answers.push(apart(first + i, 0.0, direction)),
                Proximity::Touching(direction) => {
                    let pair = &list.pairs[i as usize];
                    let (pair, own) = (BodyPair { a: pair.a, b: pair.b }, contacts.general.len());
                    contacts.insert(bodies, pair, direction, History::default());
                    if contacts.general.len() > own {
                        answers.push(answer(first + i, AnswerKind::Hosted, &[]));
                    }
                }
            }
        }
    }

    /// Takes contacts that lanes could not solve, and solves all of its own.
    pub fn solve_shared(&mut self, handed: &mut [[f64; QUESTION]]) -> Vec<[f64; ANSWER]> {
        handed.sort_unstable_by_key(candidate_of);
        for question in &*handed {
            let pair = self.see_pair(question);
            let history = History {
                slip: DVec3::from_slice(&question[4..7]),
                stiffness: question[7],
                normal_force: question[8],
                ..History::default()
            };
            self.contacts.take_over(pair, DVec3::from_slice(&question[1..4]), history);
        }
        let Self { bodies, laws, contacts, workspaces, .. } = self;
        let reuse_patches = laws.rules().flat == FlatRule::Patch;
        self.stats = contacts.solve_general(bodies, laws, self.clock.dt, workspaces, reuse_patches);
        self.ledger.unresolved += u64::from(self.stats.unresolved);
        let mut answers = self.part_shared();
        self.contacts.sort_by_body(&self.bodies);
        let general = &self.contacts.general;
        for (i, pair) in general.pairs.iter().enumerate() {
            let mut numbers = [0.0; 9];
            numbers[..8].copy_from_slice(&about_origin(&general.forces[i]));
            numbers[8] = general.geometries[i].gap;
            answers.push(answer(self.candidate_of(*pair), AnswerKind::Forces, &numbers));
        }
        answers
    }

    /// Contacts of the world's own that have come apart.
    fn part_shared(&mut self) -> Vec<[f64; ANSWER]> {
        let mut parted = Vec::new();
        if self.stats.parted > 0 {
            self.contacts.remove_separated(&self.bodies, |separated| parted.push(separated));
        }
        let answers = parted.iter();
        answers
            .map(|separated| apart(self.candidate_of(separated.pair), separated.gap, separated.direction))
            .collect()
    }

    /// Ends a step with these loads on the walls. `rows` are those of the walls' contacts, if they are [wanted](Self::wants_wall_contacts):
    /// wall, grain, elastic energy, gap, wall by wall in the order of the grains' keys.
    pub fn end_shared_step(&mut self, loads: &[[f64; 6]], rows: impl Iterator<Item = (u32, u32, [f64; 2])>) {
        self.load_walls(loads);
        if self.tools.has_servos() {
            let mut impedances = self.no_impedances();
            for (wall, grain, [elastic, gap]) in rows {
                let damping = self.laws.damping_ratio(&self.bodies, BodyPair { a: grain, b: wall });
                let mass = self.bodies.records[grain as usize].mass;
                let id = self.bodies.states[grain as usize].id;
                self.add_impedance(&mut impedances, (wall, id, [elastic, -gap, mass, damping]));
            }
            self.take_impedances(impedances);
        }
        self.kick_free_walls(self.clock.dt);
    }
}
