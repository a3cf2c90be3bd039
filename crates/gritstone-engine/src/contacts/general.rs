//! Bodies that touch: their memory, their history, and the forces between them.

mod overlaps;

use gritstone_contact::{Answer, Goal, Placed, Query, Refusal, Verdict};
use gritstone_core::{Contact, Linear as _, Vector};
use gritstone_force::{History, Load, PatchSums, Touch, Whole, Wrench, radius};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::bodies::Bodies;
use crate::boundary::surface::Approach;
use crate::contacts::shared_overlap::OverlapMember;
use crate::contacts::shared_patch::{self, PatchMember};
use crate::contacts::{Laws, Solves, effective_radius};
use crate::dimension::Dimension;
use crate::setup::RadiusRule;
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
    /// Energy in its springs, and energy dissipated in this step (J).
    pub(crate) elastic: f64,
    pub(crate) dissipated: f64,
}

impl<D: Dimension> ContactForce<D> {
    /// What a load at a point does to the bodies.
    fn new(load: &Load<D>, point: D::Vec) -> Self {
        let Load { force, torque, elastic, dissipated, .. } = *load;
        Self { force, point, torque, elastic, dissipated }
    }
}

/// What the narrow phase said of a contact.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct ContactGeometry<D: Dimension> {
    /// Signed distance; a lower bound where the bodies have come apart.
    pub(crate) gap: f64,
    /// Unit vector from a to b.
    pub(crate) normal: D::Vec,
    /// Whether the bodies have come apart.
    pub(crate) parted: bool,
}

/// Sums over contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StepStats {
    /// Largest overlap relative to the smaller grain's size.
    pub(crate) deepest: f64,
    /// Contacts that could not be certified.
    pub(crate) unresolved: u32,
    /// Contacts that have come apart.
    pub(crate) parted: u32,
    /// Contacts that lanes could not solve.
    pub(crate) handed: u32,
    /// How they were solved.
    pub(crate) solves: Solves,
}

impl StepStats {
    pub(crate) fn add(self, other: &Self) -> Self {
        let mut solves = self.solves;
        solves.add(&other.solves);
        Self {
            deepest: self.deepest.max(other.deepest),
            unresolved: self.unresolved + other.unresolved,
            parted: self.parted + other.parted,
            handed: self.handed + other.handed,
            solves,
        }
    }
}

/// All contacts, one array per quantity. New ones are added at the end; where one goes, the last takes its place.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct GeneralContacts<D: Dimension> {
    pub(crate) pairs: Vec<BodyPair>,
    pub(crate) memories: Vec<D::Memory>,
    pub(crate) histories: Vec<History<D>>,
    pub(crate) forces: Vec<ContactForce<D>>,
    pub(crate) geometries: Vec<ContactGeometry<D>>,
    overlaps: Vec<D::OverlapCache>,
    #[serde(skip)]
    results: Vec<ChunkResult<D>>,
    /// All patches that are loaded together with others.
    #[serde(skip)]
    members: Vec<PatchMember<D>>,
    /// All overlaps that are loaded together with others.
    #[serde(skip)]
    overlap_members: Vec<OverlapMember<D>>,
}

/// What the contacts of a chunk leave.
#[derive(Clone, Debug)]
struct ChunkResult<D: Dimension> {
    stats: StepStats,
    /// Patches that are loaded together with others.
    waiting: Vec<PatchMember<D>>,
    /// Overlaps that are loaded together with others.
    overlaps: Vec<OverlapMember<D>>,
}

impl<D: Dimension> Default for ChunkResult<D> {
    fn default() -> Self {
        Self { stats: StepStats::default(), waiting: Vec::new(), overlaps: Vec::new() }
    }
}

impl<D: Dimension> ChunkResult<D> {
    fn clear(&mut self) {
        self.stats = StepStats::default();
        self.waiting.clear();
        self.overlaps.clear();
    }
}

/// Some contacts that one task solves, and the number of the first.
struct Chunk<'c, D: Dimension> {
    first: usize,
    pairs: &'c [BodyPair],
    memories: &'c mut [D::Memory],
    histories: &'c mut [History<D>],
    forces: &'c mut [ContactForce<D>],
    geometries: &'c mut [ContactGeometry<D>],
    overlaps: &'c mut [D::OverlapCache],
}

impl<D: Dimension> Default for GeneralContacts<D> {
    fn default() -> Self {
        Self {
            pairs: Vec::new(),
            memories: Vec::new(),
            histories: Vec::new(),
            forces: Vec::new(),
            geometries: Vec::new(),
            overlaps: Vec::new(),
            results: Vec::new(),
            members: Vec::new(),
            overlap_members: Vec::new(),
        }
    }
}

impl<D: Dimension> GeneralContacts<D> {
    pub(crate) fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Adds a contact that has this normal, or had it when it was last tested.
    pub(crate) fn push(&mut self, pair: BodyPair, normal: D::Vec, history: History<D>) {
        self.pairs.push(pair);
        self.memories.push(D::remember(normal));
        self.histories.push(history);
        self.forces.push(ContactForce::default());
        self.geometries.push(ContactGeometry { normal, ..ContactGeometry::default() });
        self.overlaps.push(D::OverlapCache::default());
    }

    /// Forgets a contact; the last one takes its place.
    pub(crate) fn swap_remove(&mut self, i: usize) {
        self.pairs.swap_remove(i);
        self.memories.swap_remove(i);
        self.histories.swap_remove(i);
        self.forces.swap_remove(i);
        self.geometries.swap_remove(i);
        self.overlaps.swap_remove(i);
    }

    /// Forgets how contacts were found; their normals are kept as a start.
    pub(crate) fn forget_geometry(&mut self) {
        let normals = self.geometries.iter().map(|geometry| geometry.normal);
        self.memories = normals.map(D::remember).collect();
        self.overlaps.fill(D::OverlapCache::default());
    }

    /// Copies of these contacts.
    pub(crate) fn copies(&self, contacts: &[usize]) -> Self {
        fn some<T: Clone>(all: &[T], contacts: &[usize]) -> Vec<T> {
            contacts.iter().map(|&i| all[i].clone()).collect()
        }
        Self {
            pairs: some(&self.pairs, contacts),
            memories: some(&self.memories, contacts),
            histories: some(&self.histories, contacts),
            forces: some(&self.forces, contacts),
            geometries: some(&self.geometries, contacts),
            overlaps: some(&self.overlaps, contacts),
            ..Self::default()
        }
    }

    /// Adds all contacts of another.
    pub(crate) fn append(&mut self, others: Self) {
        self.pairs.extend(others.pairs);
        self.memories.extend(others.memories);
        self.histories.extend(others.histories);
        self.forces.extend(others.forces);
        self.geometries.extend(others.geometries);
        self.overlaps.extend(others.overlaps);
    }

    /// Memory that it holds (bytes), without what memories point to.
    pub(crate) fn memory(&self) -> usize {
        let each = size_of::<BodyPair>() + size_of::<D::Memory>() + size_of::<History<D>>();
        let found =
            size_of::<ContactForce<D>>() + size_of::<ContactGeometry<D>>() + size_of::<D::OverlapCache>();
        (each + found) * self.pairs.capacity()
    }

    /// Whether every contact has all that belongs to it.
    pub(crate) fn is_whole(&self) -> bool {
        let Self { memories, histories, forces, geometries, overlaps, .. } = self;
        [memories.len(), histories.len(), forces.len(), geometries.len(), overlaps.len()] == [self.len(); 5]
    }

    /// Finds every contact where it is now, and the forces that it gives.
    pub(crate) fn solve(&mut self, task: &Task<'_, D>, workspaces: &Workspaces<D>) -> StepStats {
        let Self { pairs, memories, histories, forces, geometries, overlaps, results, .. } = self;
        results.resize_with(pairs.len().div_ceil(CHUNK), ChunkResult::default);
        pairs
            .par_chunks(CHUNK)
            .zip(memories.par_chunks_mut(CHUNK))
            .zip(histories.par_chunks_mut(CHUNK))
            .zip(forces.par_chunks_mut(CHUNK))
            .zip(geometries.par_chunks_mut(CHUNK))
            .zip(overlaps.par_chunks_mut(CHUNK))
            .zip(results.par_iter_mut())
            .enumerate()
            .for_each(
                |(chunk, ((((((pairs, memories), histories), forces), geometries), overlaps), results))| {
                    results.clear();
                    let first = chunk * CHUNK;
                    let mut chunk = Chunk { first, pairs, memories, histories, forces, geometries, overlaps };
                    workspaces.with(|workspace| task.solve_chunk(&mut chunk, workspace, results));
                },
            );
        let unresolved = self.load_overlaps_together(task, workspaces);
        let stats = self.load_together(task);
        StepStats { unresolved: stats.unresolved + unresolved, ..stats }
    }

    /// Loads the patches that waited for others, and adds everything up.
    fn load_together(&mut self, task: &Task<'_, D>) -> StepStats {
        let Self { pairs, histories, forces, results, members, .. } = self;
        let stats = results.iter().fold(StepStats::default(), |stats, results| stats.add(&results.stats));
        members.clear();
        results.iter().for_each(|results| members.extend_from_slice(&results.waiting));
        shared_patch::settle(members, |&PatchMember { contact, ref touch, ref sums, .. }, whole| {
            let law = task.laws.between(task.bodies, pairs[contact]);
            let load = law.load_sums(touch, sums, whole, &mut histories[contact], task.dt);
            forces[contact] = ContactForce::new(&load, forces[contact].point);
        });
        stats
    }
}

/// What a contact takes from one step to the next beside its memory.
struct Kept<'k, D: Dimension> {
    history: &'k mut History<D>,
    overlap: &'k mut D::OverlapCache,
    /// Whether it was certified.
    certain: bool,
}

/// What is the same for all contacts of a step.
pub(crate) struct Task<'w, D: Dimension> {
    pub(crate) bodies: &'w Bodies<D>,
    pub(crate) laws: &'w Laws<D>,
    pub(crate) dt: f64,
    /// Whether contacts that hardly move are followed: bodies go nowhere but by their velocities.
    pub(crate) follows: bool,
    /// Whether a batch takes such pairs, though not this one.
    pub(crate) is_batched: &'w (dyn Fn(BodyPair) -> bool + Sync),
}

impl<D: Dimension> Task<'_, D> {
    /// Narrow phase and law of some contacts.
    fn solve_chunk(
        &self,
        chunk: &mut Chunk<'_, D>,
        workspace: &mut Workspace<D>,
        results: &mut ChunkResult<D>,
    ) {
        for i in 0..chunk.pairs.len() {
            // In large beds the next bodies come from afar, while this contact is worked on.
            if let Some(next) = chunk.pairs.get(i + AHEAD) {
                self.bodies.prefetch(next.a);
                self.bodies.prefetch(next.b);
            }
            let pair = chunk.pairs[i];
            results.stats.solves.count(self.bodies, pair, (self.is_batched)(pair));
            if let Some((contact, moments)) = self.follow(pair, &chunk.overlaps[i], workspace) {
                chunk.geometries[i] =
                    ContactGeometry { gap: contact.gap, normal: contact.normal, parted: false };
                let found = (&contact, Some(&moments));
                chunk.forces[i] = self.load_overlap(pair, found, &mut chunk.histories[i], &mut results.stats);
            } else {
                self.solve_contact(i, chunk, workspace, results);
            }
        }
    }

    /// Narrow phase and law of one contact of a chunk.
    fn solve_contact(
        &self,
        i: usize,
        chunk: &mut Chunk<'_, D>,
        workspace: &mut Workspace<D>,
        results: &mut ChunkResult<D>,
    ) {
        let pair = chunk.pairs[i];
        let doubts = results.stats.unresolved;
        let contact = self.find(pair, &mut chunk.memories[i], workspace, &mut results.stats);
        let own = self.bodies.admits(pair, &contact, &Approach::held(), &mut workspace.scratch);
        results.stats.unresolved += u32::from(!own.is_certain());
        let refused = !own.is_likely();
        let parted = refused || contact.gap > self.laws.reach();
        results.stats.parted += u32::from(parted);
        // What another feature of the surface has is asked again in the next step.
        let gap = if refused { 0.0 } else { contact.gap };
        chunk.geometries[i] = ContactGeometry { gap, normal: contact.normal, parted };
        chunk.forces[i] = if refused {
            chunk.histories[i].normal_force = 0.0;
            ContactForce::default() // Its history is handed over.
        } else {
            let certain = results.stats.unresolved == doubts;
            let kept = Kept { history: &mut chunk.histories[i], overlap: &mut chunk.overlaps[i], certain };
            self.load(chunk.first + i, pair, &contact, kept, workspace, results)
        };
        // A contact of two processes is counted by that of its first grain.
        if results.stats.unresolved > doubts && self.bodies.role(pair.a).is_copy() {
            results.stats.unresolved = doubts;
        }
    }

    /// Narrow phase of one contact.
    fn find(
        &self,
        pair: BodyPair,
        memory: &mut D::Memory,
        workspace: &mut Workspace<D>,
        stats: &mut StepStats,
    ) -> Contact<D> {
        let (a, b) = (self.bodies.placed(pair.a), self.bodies.placed(pair.b));
        let goal = if self.laws.reach() > 0.0 { Goal::Distance } else { Goal::Detect };
        let feature = self.bodies.features.get(pair.b);
        // Of which feature a contact is, its direction says.
        let slack = if feature.is_some() { 0.0 } else { SLACK };
        let query = Query { goal, slack, ..Query::default() };
        match self.solve(a, b, query, memory, &mut workspace.scratch).map(|answer| answer.verdict) {
            Ok(Verdict::Apart { at_least, along }) => {
                Contact { gap: at_least, normal: along, ..Contact::default() }
            }
            Ok(Verdict::Solved(contact)) if contact.gap.is_finite() => match feature {
                Some(feature) => D::smooth(&feature.filter, a, contact, &mut workspace.scratch),
                None => contact,
            },
            Ok(Verdict::Unresolved { best, .. }) if best.gap.is_finite() => {
                stats.unresolved += 1;
                best
            }
            // Nothing is known: no force, and another look in the next step.
            Ok(_) => {
                stats.unresolved += 1;
                Contact { normal: D::Vec::axis(0), ..Contact::default() }
            }
            // Two bodies without bounds: walls do not meet walls.
            Err(_) => Contact { gap: f64::INFINITY, ..Contact::default() },
        }
    }

    /// Solves a pair by the method that was chosen, or by the certified default from what it remembers.
    fn solve(
        &self,
        a: Placed<'_, D>,
        b: Placed<'_, D>,
        query: Query<D>,
        memory: &mut D::Memory,
        scratch: &mut D::Scratch,
    ) -> Result<Answer<D>, Refusal> {
        let Some(method) = self.laws.method() else { return D::solve_warm(a, b, query, memory, scratch) };
        match method.solve(a, b, query, scratch) {
            Err(_) => D::solve_warm(a, b, query, memory, scratch), // It is not made for these shapes.
            answer => answer,
        }
    }

    /// The load of one contact, whose number this is; none yet where its patch waits for others. Called once more when the
    /// bodies have parted, for what its springs held.
    fn load(
        &self,
        number: usize,
        pair: BodyPair,
        contact: &Contact<D>,
        Kept { history, overlap, certain }: Kept<'_, D>,
        workspace: &mut Workspace<D>,
        results: &mut ChunkResult<D>,
    ) -> ContactForce<D> {
        let custom = self.laws.custom(self.bodies, pair);
        if custom.is_none()
            && contact.gap < 0.0
            && self.laws.rules().flat.has_patches()
            && self.bodies.meets_facets(pair)
            && let Some(member) = OverlapMember::new(self.bodies, number, pair, contact, history)
        {
            self.touch(pair, contact, &mut results.stats);
            results.overlaps.push(member);
            return ContactForce { point: contact.midpoint(), ..ContactForce::default() };
        }
        let overlapping = if custom.is_none() { self.overlapping(pair, contact) } else { None };
        if let Some(bodies) = overlapping {
            if contact.gap < 0.0
                && let Some(member) = OverlapMember::new(self.bodies, number, pair, contact, history)
            {
                self.touch(pair, contact, &mut results.stats);
                results.overlaps.push(member);
                return ContactForce { point: contact.midpoint(), ..ContactForce::default() };
            }
            let moments =
                self.measure(pair, (contact, bodies), certain, overlap, workspace, &mut results.stats);
            return self.load_overlap(pair, (contact, moments.as_ref()), history, &mut results.stats);
        }
        let point = contact.midpoint();
        let Some(touch) = self.touch(pair, contact, &mut results.stats) else {
            return ContactForce { point, ..ContactForce::default() };
        };
        let touch = self.with_normal_mass(touch, pair, point);
        if let Some(law) = custom {
            return ContactForce::new(&law.load(&touch, history, self.dt), point);
        }
        let law = self.laws.between(self.bodies, pair);
        let crown = self.bodies.crown(pair);
        if crown > 0.0 {
            let flat = self.bodies.flat_contact(pair, crown, contact);
            return ContactForce::new(&law.load_flat(&touch, &flat, history, self.dt), point);
        }
        let sums = self.patch(pair, contact, &touch, workspace);
        let load = if sums.weight == 0.0 {
            let mut load = law.load(&touch, history, self.dt);
            law.rock(&self.bodies.rocking(pair, contact), touch.spin, self.dt, &mut load);
            load
        } else if let Some(member) = PatchMember::new(self.bodies, number, pair, &touch, &sums, history) {
            results.waiting.push(member);
            return ContactForce { point, ..ContactForce::default() };
        } else {
            let whole = Whole::alone(&sums, !history.touching());
            law.load_sums(&touch, &sums, &whole, history, self.dt)
        };
        ContactForce::new(&load, point)
    }

    /// What laws see of a contact; nothing where nothing moves either body.
    #[inline]
    fn touch(&self, pair: BodyPair, contact: &Contact<D>, stats: &mut StepStats) -> Option<Touch<D>> {
        let (a, b) = (&self.bodies.records[pair.a as usize], &self.bodies.records[pair.b as usize]);
        let point = contact.midpoint();
        let size = self.bodies.smaller_size(pair.a, pair.b);
        let by_mass = 1.0 / a.mass + 1.0 / b.mass;
        let (radius, radius_gradient) = match self.laws.rules().radius {
            RadiusRule::BodyFunction => effective_radius::effective(self.bodies, pair, contact),
            // Of a crowned body the curvature says how slight the crown is.
            RadiusRule::Curvature if self.bodies.crown(pair) == 0.0 => {
                (radius::from_curvature::<D>(contact.curvature, size), Wrench::default())
            }
            _ => (radius::from_radii(a.radius, b.radius), Wrench::default()),
        };
        let mut touch = Touch::<D> {
            depth: -contact.gap,
            normal: contact.normal,
            velocity: b.velocity_at(point) - a.velocity_at(point),
            spin: b.spin - a.spin,
            mean_spin: (a.spin + b.spin) * 0.5,
            radius,
            radius_gradient,
            mass: 1.0 / by_mass,
            normal_mass: 1.0 / by_mass,
        };
        if touch.mass.is_infinite() {
            return None;
        }
        // Grains are before walls in every pair.
        if let Some((velocity, spin)) = self.bodies.surface_velocity(pair.b, point, contact.normal) {
            touch.velocity += velocity;
            touch.spin += spin;
            touch.mean_spin += spin * 0.5;
        }
        stats.deepest = stats.deepest.max(touch.depth / size);
        Some(touch)
    }

    /// The same with what the bodies yield by turning.
    #[inline]
    fn with_normal_mass(&self, touch: Touch<D>, BodyPair { a, b }: BodyPair, point: D::Vec) -> Touch<D> {
        let law = self.laws.between(self.bodies, BodyPair { a, b });
        let push = law.push_wrench(touch.normal, &touch.radius_gradient, touch.depth);
        let turning = |slot| self.bodies.yielding(slot, point, &push);
        let moving = push.force.dot(push.force) / touch.mass;
        Touch { normal_mass: 1.0 / (moving + turning(a) + turning(b)), ..touch }
    }

    /// The patch of a contact, of no weight where it is a point.
    #[inline]
    fn patch(
        &self,
        pair: BodyPair,
        contact: &Contact<D>,
        touch: &Touch<D>,
        workspace: &mut Workspace<D>,
    ) -> PatchSums<D> {
        let flat = self.laws.rules().flat.has_patches() && touch.depth > 0.0;
        let flat = flat && self.bodies.may_be_flat(pair.a) && self.bodies.may_be_flat(pair.b);
        if !(flat && self.bodies.lies_flat(pair.a, pair.b)) {
            return PatchSums::default();
        }
        let (a, b) = (self.bodies.placed(pair.a), self.bodies.ground(pair.a, pair.b, contact));
        D::measure_patch(a, b, contact, &mut workspace.patch, touch)
    }
}
