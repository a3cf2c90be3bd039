//! Bodies that touch: their memory, their history, and the forces between them.

use gritstone_contact::{Goal, Query, Verdict};
use gritstone_core::{Contact, Vector};
use gritstone_force::{History, Interaction, Interactions, Load, PatchSums, Touch, Whole, radius};
use gritstone_shape::Support;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::bodies::Bodies;
use crate::bodies::compound::Compound;
use crate::contacts::shared_patch::{self, PatchMember};
use crate::dimension::Dimension;
use crate::setup::{RadiusRule, Rules, Setup};
use crate::workspace::{Workspace, Workspaces};

/// Contacts that one task solves; sums are taken within and then over the chunks.
const CHUNK: usize = 64;
/// Contacts between one that is worked on and one whose bodies are sent for.
const AHEAD: usize = 2;
/// How far the bounds of an overlap may lie apart, as a fraction of it: contact stiffness is not known any better.
pub(crate) const SLACK: f64 = 1e-3;

/// The two bodies of a contact, by slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BodyPair {
    pub(crate) a: u32,
    pub(crate) b: u32,
}

/// The force of a contact.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct ContactForce<D: Dimension> {
    /// On b; a gets the opposite.
    pub(crate) force: D::Vec,
    /// Where it acts on both.
    pub(crate) point: D::Vec,
    /// Torque on b beside that of the force; a gets the opposite.
    pub(crate) torque: D::Spin,
    /// Energy in its springs.
    pub(crate) elastic: f64,
}

/// What the narrow phase said of a contact.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct ContactGeometry<D: Dimension> {
    /// Signed distance; a lower bound where the bodies have come apart.
    pub(crate) gap: f64,
    /// Unit vector from a to b; zero before the contact is found for the first time.
    pub(crate) normal: D::Vec,
    /// Whether the bodies have come apart.
    pub(crate) parted: bool,
}

/// Sums over contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StepStats {
    /// Stored in the springs (J).
    pub(crate) elastic: f64,
    /// Lost in this step (J).
    pub(crate) dissipated: f64,
    /// Largest overlap relative to the smaller grain's size.
    pub(crate) deepest: f64,
    /// Contacts that could not be certified.
    pub(crate) unresolved: u32,
    /// Contacts that have come apart.
    pub(crate) parted: u32,
    /// Contacts that lanes could not solve.
    pub(crate) handed: u32,
}

impl StepStats {
    /// Counts the load of a contact at a point, and says what it does to the bodies.
    fn count<D: Dimension>(&mut self, load: &Load<D>, point: D::Vec) -> ContactForce<D> {
        self.elastic += load.elastic;
        self.dissipated += load.dissipated;
        ContactForce { force: load.force, point, torque: load.torque, elastic: load.elastic }
    }

    pub(crate) fn add(self, other: &Self) -> Self {
        Self {
            elastic: self.elastic + other.elastic,
            dissipated: self.dissipated + other.dissipated,
            deepest: self.deepest.max(other.deepest),
            unresolved: self.unresolved + other.unresolved,
            parted: self.parted + other.parted,
            handed: self.handed + other.handed,
        }
    }
}

/// How contacts act.
#[derive(Clone, Debug)]
pub struct Laws {
    interactions: Interactions,
    rules: Rules,
    /// How far apart bodies that have touched may still act on each other (m).
    reach: f64,
}

impl Laws {
    pub(crate) fn new<D: Dimension>(setup: &Setup<D>) -> Self {
        let parts = setup.compounds.values().flat_map(Compound::parts).map(|part| &part.shape);
        let largest = setup.shapes.iter().chain(parts).map(Support::size).fold(0.0, f64::max);
        let reaches = setup
            .interactions
            .iter()
            .map(|law| law.reach(radius::from_curvature::<D>(D::Curvature::default(), largest)));
        let reach = reaches.fold(0.0, f64::max);
        Self { interactions: setup.interactions.clone(), rules: setup.rules, reach }
    }

    /// How far apart bodies that have touched may still act on each other (m).
    pub(crate) fn reach(&self) -> f64 {
        self.reach
    }

    /// What the materials of two bodies do together.
    #[inline]
    fn between<D: Dimension>(&self, bodies: &Bodies<D>, ends: BodyPair) -> &Interaction {
        let [a, b] = [ends.a, ends.b].map(|slot| usize::from(bodies.records[slot as usize].material));
        self.interactions.get(a, b)
    }

    /// Damping of a contact as a fraction of the critical one.
    pub(crate) fn damping_ratio<D: Dimension>(&self, bodies: &Bodies<D>, ends: BodyPair) -> f64 {
        self.between(bodies, ends).damping_ratio()
    }

    /// Number of materials.
    pub(crate) fn materials(&self) -> usize {
        self.interactions.count()
    }

    pub(crate) fn rules(&self) -> Rules {
        self.rules
    }

    /// Every pair of materials for lanes, row by row; nothing if lanes cannot do what one of them does.
    pub(crate) fn for_lanes(&self) -> Vec<[f64; 8]> {
        let count = self.materials();
        let pairs = (0..count).flat_map(|i| (0..count).map(move |j| (i, j)));
        pairs.map(|(i, j)| self.interactions.get(i, j).for_lanes()).collect::<Option<_>>().unwrap_or_default()
    }
}

/// All contacts, one array per quantity. New ones are added at the end; where one goes, the last takes its place.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct Contacts<D: Dimension> {
    pub(crate) ends: Vec<BodyPair>,
    pub(crate) memories: Vec<D::Memory>,
    pub(crate) histories: Vec<History<D>>,
    pub(crate) rows: Vec<ContactForce<D>>,
    pub(crate) findings: Vec<ContactGeometry<D>>,
    quiet: Vec<D::PatchCache>,
    #[serde(skip)]
    books: Vec<ChunkResult<D>>,
    /// All patches that are loaded together with others.
    #[serde(skip)]
    members: Vec<PatchMember<D>>,
}

/// What the contacts of a chunk leave.
#[derive(Clone, Debug)]
struct ChunkResult<D: Dimension> {
    tally: StepStats,
    /// Patches that are loaded together with others.
    waiting: Vec<PatchMember<D>>,
}

impl<D: Dimension> Default for ChunkResult<D> {
    fn default() -> Self {
        Self { tally: StepStats::default(), waiting: Vec::new() }
    }
}

impl<D: Dimension> Default for Contacts<D> {
    fn default() -> Self {
        Self {
            ends: Vec::new(),
            memories: Vec::new(),
            histories: Vec::new(),
            rows: Vec::new(),
            findings: Vec::new(),
            quiet: Vec::new(),
            books: Vec::new(),
            members: Vec::new(),
        }
    }
}

impl<D: Dimension> Contacts<D> {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Adds a contact.
    pub(crate) fn push(&mut self, ends: BodyPair, memory: D::Memory, history: History<D>) {
        self.ends.push(ends);
        self.memories.push(memory);
        self.histories.push(history);
        self.rows.push(ContactForce::default());
        self.findings.push(ContactGeometry::default());
        self.quiet.push(D::PatchCache::default());
    }

    /// Forgets a contact; the last one takes its place.
    pub(crate) fn swap_remove(&mut self, i: usize) {
        self.ends.swap_remove(i);
        self.memories.swap_remove(i);
        self.histories.swap_remove(i);
        self.rows.swap_remove(i);
        self.findings.swap_remove(i);
        self.quiet.swap_remove(i);
    }

    /// Memory that it holds (bytes), without what memories point to.
    pub(crate) fn memory(&self) -> usize {
        let each = size_of::<BodyPair>() + size_of::<D::Memory>() + size_of::<History<D>>();
        let found =
            size_of::<ContactForce<D>>() + size_of::<ContactGeometry<D>>() + size_of::<D::PatchCache>();
        (each + found) * self.ends.capacity()
    }

    /// Whether every contact has all that belongs to it.
    pub(crate) fn is_whole(&self) -> bool {
        let Self { memories, histories, rows, findings, quiet, .. } = self;
        [memories.len(), histories.len(), rows.len(), findings.len(), quiet.len()] == [self.len(); 5]
    }

    /// Finds every contact where it is now, and the forces that it gives.
    pub(crate) fn solve(
        &mut self,
        bodies: &Bodies<D>,
        laws: &Laws,
        dt: f64,
        rooms: &Workspaces<D>,
        follows: bool,
    ) -> StepStats {
        let task = Task { bodies, laws, dt, follows };
        let Self { ends, memories, histories, rows, findings, quiet, books, .. } = self;
        books.resize_with(ends.len().div_ceil(CHUNK), ChunkResult::default);
        ends.par_chunks(CHUNK)
            .zip(memories.par_chunks_mut(CHUNK))
            .zip(histories.par_chunks_mut(CHUNK))
            .zip(rows.par_chunks_mut(CHUNK))
            .zip(findings.par_chunks_mut(CHUNK))
            .zip(quiet.par_chunks_mut(CHUNK))
            .zip(books.par_iter_mut())
            .enumerate()
            .for_each(|(chunk, ((((((ends, memories), histories), rows), findings), quiet), books))| {
                books.tally = StepStats::default();
                books.waiting.clear();
                rooms.with(|room| {
                    for i in 0..ends.len() {
                        // In large beds the next bodies come from afar, while this contact is worked on.
                        if let Some(next) = ends.get(i + AHEAD) {
                            bodies.expect(next.a);
                            bodies.expect(next.b);
                        }
                        if let Some(contact) = task.follow(ends[i], &mut quiet[i]) {
                            findings[i] =
                                ContactGeometry { gap: contact.gap, normal: contact.normal, parted: false };
                            rows[i] =
                                task.load_followed(ends[i], &contact, &quiet[i], &mut histories[i], books);
                            continue;
                        }
                        let doubts = books.tally.unresolved;
                        let contact = task.find(ends[i], &mut memories[i], room, &mut books.tally);
                        let own = bodies.admits(ends[i].a, ends[i].b, &contact, &mut room.scratch);
                        books.tally.unresolved += u32::from(!own.is_certain());
                        let refused = !own.is_likely();
                        let parted = refused || contact.gap > laws.reach;
                        books.tally.parted += u32::from(parted);
                        // What another piece of the surface has is asked again in the next step.
                        let gap = if refused { 0.0 } else { contact.gap };
                        findings[i] = ContactGeometry { gap, normal: contact.normal, parted };
                        rows[i] = if refused {
                            ContactForce::default() // Its history is handed over.
                        } else {
                            let certain = books.tally.unresolved == doubts;
                            let number = chunk * CHUNK + i;
                            let kept = Kept { history: &mut histories[i], quiet: &mut quiet[i], certain };
                            task.load(number, ends[i], &contact, kept, room, books)
                        };
                    }
                });
            });
        self.load_together(&task)
    }

    /// Loads the patches that waited for others, and adds everything up.
    fn load_together(&mut self, task: &Task<'_, D>) -> StepStats {
        let Self { ends, histories, rows, books, members, .. } = self;
        let mut tally = books.iter().fold(StepStats::default(), |tally, books| tally.add(&books.tally));
        members.clear();
        books.iter().for_each(|books| members.extend_from_slice(&books.waiting));
        shared_patch::settle(members, |&PatchMember { contact, ref touch, ref sums, .. }, whole| {
            let law = task.laws.between(task.bodies, ends[contact]);
            let load = law.load_sums(touch, sums, whole, &mut histories[contact], task.dt);
            rows[contact] = tally.count(&load, rows[contact].point);
        });
        tally
    }
}

/// What a contact takes from one step to the next beside its memory.
struct Kept<'k, D: Dimension> {
    history: &'k mut History<D>,
    quiet: &'k mut D::PatchCache,
    /// Whether it was certified.
    certain: bool,
}

/// What is the same for all contacts of a step.
struct Task<'w, D: Dimension> {
    bodies: &'w Bodies<D>,
    laws: &'w Laws,
    dt: f64,
    /// Whether contacts that hardly move are followed: bodies go nowhere but by their velocities.
    follows: bool,
}

impl<D: Dimension> Task<'_, D> {
    /// Narrow phase of one contact.
    fn find(
        &self,
        ends: BodyPair,
        memory: &mut D::Memory,
        room: &mut Workspace<D>,
        tally: &mut StepStats,
    ) -> Contact<D> {
        let (a, b) = (self.bodies.placed(ends.a), self.bodies.placed(ends.b));
        let goal = if self.laws.reach > 0.0 { Goal::Distance } else { Goal::Detect };
        let piece = self.bodies.pieces.get(ends.b);
        // Of which piece a contact is, its direction says.
        let slack = if piece.is_some() { 0.0 } else { SLACK };
        let query = Query { goal, slack, ..Query::default() };
        match D::solve(a, b, query, memory, &mut room.scratch).map(|answer| answer.verdict) {
            Ok(Verdict::Apart { at_least, along }) => {
                Contact { gap: at_least, normal: along, ..Contact::default() }
            }
            Ok(Verdict::Solved(contact)) if contact.gap.is_finite() => match piece {
                Some(piece) => D::smooth(&piece.gate, a, contact, &mut room.scratch),
                None => contact,
            },
            Ok(Verdict::Unresolved { best, .. }) if best.gap.is_finite() => {
                tally.unresolved += 1;
                best
            }
            // Nothing is known: no force, and another look in the next step.
            Ok(_) => {
                tally.unresolved += 1;
                Contact { normal: D::Vec::axis(0), ..Contact::default() }
            }
            // Two bodies without bounds: walls do not meet walls.
            Err(_) => Contact { gap: f64::INFINITY, ..Contact::default() },
        }
    }

    /// The load of one contact, whose number this is; none yet where its patch waits for others. Called once more when the
    /// bodies have parted, for what its springs held.
    fn load(
        &self,
        number: usize,
        ends: BodyPair,
        contact: &Contact<D>,
        Kept { history, quiet, certain }: Kept<'_, D>,
        room: &mut Workspace<D>,
        books: &mut ChunkResult<D>,
    ) -> ContactForce<D> {
        let point = contact.midpoint();
        let Some(touch) = self.touch(ends, contact, &mut books.tally) else {
            return ContactForce { point, ..ContactForce::default() };
        };
        let law = self.laws.between(self.bodies, ends);
        let sums = self.patch(ends, contact, &touch, room);
        if self.follows && certain && sums.weight == 1.0 && self.bodies.are_grains(ends.a, ends.b) {
            let bodies = [self.bodies.placed(ends.a), self.bodies.placed(ends.b)];
            D::keep(quiet, bodies, contact, &touch, &room.patch);
        }
        let load = if sums.weight == 0.0 {
            law.load(&touch, history, self.dt)
        } else if let Some(member) = PatchMember::new(self.bodies, number, ends, &touch, &sums, history) {
            books.waiting.push(member);
            return ContactForce { point, ..ContactForce::default() };
        } else {
            let whole = Whole::alone(&sums, !history.touching());
            law.load_sums(&touch, &sums, &whole, history, self.dt)
        };
        books.tally.count(&load, point)
    }

    /// What laws see of a contact; nothing where nothing moves either body.
    #[inline]
    fn touch(&self, ends: BodyPair, contact: &Contact<D>, tally: &mut StepStats) -> Option<Touch<D>> {
        let (a, b) = (&self.bodies.records[ends.a as usize], &self.bodies.records[ends.b as usize]);
        let point = contact.midpoint();
        let size = self.bodies.smaller_size(ends.a, ends.b);
        let touch = Touch {
            depth: -contact.gap,
            normal: contact.normal,
            velocity: b.velocity_at(point) - a.velocity_at(point),
            spin: b.spin - a.spin,
            mean_spin: (a.spin + b.spin) * 0.5,
            radius: match self.laws.rules.radius {
                RadiusRule::Curvature => radius::from_curvature::<D>(contact.curvature, size),
                RadiusRule::Volume => radius::from_radii(a.radius, b.radius),
            },
            mass: 1.0 / (1.0 / a.mass + 1.0 / b.mass),
        };
        if touch.mass.is_infinite() {
            return None;
        }
        tally.deepest = tally.deepest.max(touch.depth / size);
        Some(touch)
    }

    /// A contact that has hardly moved.
    #[inline]
    fn follow(&self, ends: BodyPair, quiet: &mut D::PatchCache) -> Option<Contact<D>> {
        let [a, b] = [ends.a, ends.b].map(|slot| &self.bodies.records[slot as usize]);
        if self.follows { D::follow(quiet, [a, b], self.dt) } else { None }
    }

    /// The load of a contact that was followed.
    fn load_followed(
        &self,
        ends: BodyPair,
        contact: &Contact<D>,
        quiet: &D::PatchCache,
        history: &mut History<D>,
        books: &mut ChunkResult<D>,
    ) -> ContactForce<D> {
        let point = contact.midpoint();
        let Some(touch) = self.touch(ends, contact, &mut books.tally) else {
            return ContactForce { point, ..ContactForce::default() };
        };
        let sums = D::followed(quiet, &touch);
        let whole = Whole::alone(&sums, !history.touching());
        let law = self.laws.between(self.bodies, ends);
        books.tally.count(&law.load_sums(&touch, &sums, &whole, history, self.dt), point)
    }

    /// The patch of a contact, of no weight where it is a point.
    #[inline]
    fn patch(
        &self,
        ends: BodyPair,
        contact: &Contact<D>,
        touch: &Touch<D>,
        room: &mut Workspace<D>,
    ) -> PatchSums<D> {
        let flat = self.laws.rules.flat.has_patches() && touch.depth > 0.0;
        if !(flat && self.bodies.lies_flat(ends.a, ends.b)) {
            return PatchSums::default();
        }
        let (a, b) = (self.bodies.placed(ends.a), self.bodies.ground(ends.a, ends.b, contact));
        D::measure_flat(a, b, contact, &mut room.patch, touch)
    }
}
