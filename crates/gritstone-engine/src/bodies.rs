//! The bodies: walls, then grains, then ghosts ([`crate::bodies::ghosts`]).
//!
//! What contacts read of a body stands together in one record; the rest is read once a step, in order. Slots are where a
//! body is stored now and change when grains are sorted or removed; ids stay.

use std::ops::Range;

use gritstone_contact::Placed;
use gritstone_core::lanes::prefetch;
use gritstone_core::{Contact, ExactSum, Linear, Pose, Vector};
use gritstone_shape::AnyShape as _;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

pub(crate) mod cache_lines;
pub(crate) mod compound;
pub(crate) mod fast;
pub(crate) mod forces;
pub(crate) mod ghosts;
pub(crate) mod grain_shape;
pub(crate) mod integrate;
pub(crate) mod kinematics;
mod velocity_sum;
mod yielding;

use self::compound::Compound;
pub(crate) use self::velocity_sum::VelocitySum;
use crate::bodies::ghosts::{CompoundPart, Ghosts};
use crate::bodies::kinematics::Kinematics;
use crate::boundary::surface::{Approach, Clearance, MeshFeatures, Ownership, WallMotion, approach};
use crate::boundary::surface_motion::SurfaceMotion;
use crate::broad_phase::{Displacement, LargestDisplacements};
use crate::contacts::effective_radius::Roundness;
use crate::contacts::{BodyPair, ContactTable};
use crate::dimension::Dimension;

/// Bodies that one task moves. Sums are taken within and then over the chunks in order: the same for any number of threads.
pub(crate) const CHUNK: usize = 256;

/// What contacts read of a body: in space two cache lines.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
#[repr(C, align(64))]
pub struct Record<D: Kinematics> {
    pub(crate) position: D::Vec,
    pub(crate) rotation: D::Rotation,
    pub(crate) velocity: D::Vec,
    pub(crate) spin: D::Spin,
    /// Infinite for walls and frozen grains.
    pub(crate) mass: f64,
    /// Radius of the ball of the same volume; infinite for walls.
    pub(crate) radius: f64,
    pub(crate) shape: u32,
    pub(crate) material: u16,
    pub(crate) unused: u16,
}

impl<D: Kinematics> Record<D> {
    pub(crate) fn pose(&self) -> Pose<D> {
        Pose { position: self.position, rotation: self.rotation }
    }

    /// Velocity of the material point at `point`.
    #[inline]
    pub(crate) fn velocity_at(&self, point: D::Vec) -> D::Vec {
        self.velocity + D::sweep(self.spin, point - self.position)
    }
}

/// What integration needs of a body beside its record: in space two cache lines.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
#[repr(C, align(64))]
pub struct State<D: Kinematics> {
    /// Velocity, and angular momentum about the centre of mass in world axes. While forces are computed they are those in the
    /// middle of the step. The record has their prediction for its end, which is what laws see.
    pub(crate) velocity: D::Vec,
    pub(crate) momentum: D::Spin,
    /// Reciprocal of the mass.
    pub(crate) by_mass: f64,
    pub(crate) id: u32,
    /// Whether forces move it, and whether it was removed, as walls can be: not zero for yes.
    pub(crate) free: u16,
    pub(crate) gone: u16,
    /// Sum of the contact forces and of their torques about the centre of mass.
    pub(crate) force: D::Vec,
    pub(crate) torque: D::Spin,
    /// Half of the energy that its contacts have dissipated so far, and half of that of the last step (J). The other half is with
    /// their other bodies: sums over bodies are exact, where sums over contacts would depend on their order.
    pub(crate) dissipated: f64,
    pub(crate) dissipated_last: f64,
}

impl<D: Kinematics> State<D> {
    /// Whether forces move it.
    #[inline]
    pub(crate) fn is_free(&self) -> bool {
        self.free != 0
    }

    pub(crate) fn set_free(&mut self, free: bool) {
        self.free = u16::from(free);
    }

    /// Whether it is there.
    pub(crate) fn is_present(&self) -> bool {
        self.gone == 0
    }

    /// Puts it there, or takes it away.
    pub(crate) fn set_present(&mut self, present: bool) {
        self.gone = u16::from(!present);
    }

    /// Whether contacts act on it, or did so in the step before.
    pub(crate) fn is_loaded(&self) -> bool {
        let still = Self::still(self.id);
        (self.force, self.torque, self.dissipated_last) != (still.force, still.torque, 0.0)
    }

    /// A body that nothing moves.
    pub(crate) fn still(id: u32) -> Self {
        Self {
            id,
            free: 0,
            gone: 0,
            by_mass: 0.0,
            dissipated: 0.0,
            dissipated_last: 0.0,
            velocity: D::Vec::default(),
            momentum: D::Spin::default(),
            force: D::Vec::default(),
            torque: D::Spin::default(),
        }
    }
}

/// All bodies.
#[derive(Clone, Debug)]
pub struct Bodies<D: Dimension> {
    /// How many of them are walls.
    pub(crate) walls: usize,
    /// How many of them are walls or grains; the others are ghosts.
    pub(crate) owners: usize,
    /// How many of them are not images or copies.
    pub(crate) images: usize,
    pub(crate) records: Vec<Record<D>>,
    pub(crate) states: Vec<State<D>>,
    /// Features of meshes, the last of the walls.
    pub(crate) features: MeshFeatures<D>,
    /// For each chunk of walls whether contacts loaded it when forces were last summed; empty where that is not known.
    pub(crate) loaded_walls: Vec<bool>,
    /// The shapes that they have.
    pub(crate) shapes: Vec<ShapeRecord<D>>,
    /// The parts of all compounds.
    pub(crate) parts: Vec<CompoundPart<D>>,
    /// The ghosts, and their owners.
    pub(crate) ghosts: Ghosts,
    /// Inertia of each shape, as lanes read it.
    pub(crate) inertias: Vec<[f64; 8]>,
    /// The time step that was made last (s); zero before the first.
    pub(crate) last_step: f64,
    /// Of the grains of each chunk.
    pub(crate) velocity_sums: Vec<VelocitySum<D>>,
    /// Largest component of a grain's velocity in the last step (m/s): see [`VelocitySum`].
    pub(crate) largest_velocity: f64,
    /// Grains of the same world in other processes.
    pub(crate) elsewhere: Elsewhere,
    /// How the surfaces of walls move along themselves; empty if none does.
    pub(crate) surface_motions: Vec<SurfaceMotion<D>>,
}

/// Grains of the same world in other processes: what lists are made by must be the same in all of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Elsewhere {
    /// Sizes of the smallest and the largest one (m).
    pub(crate) smallest: f64,
    pub(crate) largest: f64,
    /// How many there are.
    pub(crate) grains: usize,
}

impl Elsewhere {
    /// So many grains of a world that is all here. Sizes are those of all its grains: the smallest and the largest stay what they
    /// are when grains go from one process to another.
    pub(crate) fn of<D: Dimension>(bodies: &Bodies<D>, grains: usize) -> Self {
        let sizes = bodies.grains().map(|slot| bodies.size(slot));
        sizes.fold(Self { grains, ..Self::default() }, |all, size| Self {
            smallest: all.smallest.min(size),
            largest: all.largest.max(size),
            ..all
        })
    }
}

impl Default for Elsewhere {
    fn default() -> Self {
        Self { smallest: f64::INFINITY, largest: 0.0, grains: 0 }
    }
}

/// A shape and what follows from it.
#[derive(Clone, Debug)]
pub(crate) struct ShapeRecord<D: Dimension> {
    /// As contacts have it, with its [crown](gritstone_shape::space::Crowned); for a compound that of its first part, which is
    /// not used.
    pub(crate) shape: D::Shape,
    /// The crown η; zero for shapes without.
    pub(crate) crown: f64,
    /// Radius of the smallest ball about its origin that holds it.
    pub(crate) size: f64,
    /// How far its surface moves at most where it turns, per radian: nothing for a ball.
    pub(crate) sweep: f64,
    /// Half its smallest width, about; infinite for what has no volume.
    pub(crate) half_thickness: f64,
    /// Volume, zero for shapes that have none.
    pub(crate) volume: f64,
    pub(crate) roundness: Roundness,
    /// Moment of inertia for unit mass.
    pub(crate) inertia: D::Inertia,
    /// The parts of a compound.
    pub(crate) parts: Range<u32>,
}

impl<D: Dimension> ShapeRecord<D> {
    /// A shape that contacts have as it is.
    pub(crate) fn new(shape: &D::Shape) -> Self {
        use gritstone_shape::Support;
        let mass = shape.mass_properties();
        let volume = mass.map_or(0.0, |mass| mass.volume);
        let inertia = mass.map_or_else(D::Inertia::default, |mass| D::inertia(&mass, 1.0 / mass.volume));
        let size = shape.size();
        let sweep = shape.semi_axes().map_or(size, sweep_of::<D>);
        let roundness = Roundness::new::<D>(shape, volume);
        let half_thickness = if mass.is_some() { fast::half_thickness::<D>(shape) } else { f64::INFINITY };
        Self {
            shape: shape.clone(),
            crown: 0.0,
            size,
            sweep,
            half_thickness,
            volume,
            roundness,
            inertia,
            parts: 0..0,
        }
    }

    /// A shape that contacts have with this crown, if it is one that needs it.
    pub(crate) fn crowned(shape: &D::Shape, crown: f64) -> Self {
        let record = Self::new(shape);
        match D::crowned(shape, crown) {
            Some((shape, crown)) => Self { shape, crown, roundness: record.roundness.constant(), ..record },
            None => record,
        }
    }

    /// Of a compound whose parts are these.
    pub(crate) fn of_compound(compound: &Compound<D>, parts: Range<u32>) -> Self {
        let mass = compound.mass();
        let thickness = compound.parts().iter().map(|part| fast::half_thickness::<D>(&part.shape));
        Self {
            shape: compound.parts()[0].shape.clone(),
            crown: 0.0,
            size: compound.size(),
            sweep: compound.size(),
            half_thickness: thickness.fold(f64::INFINITY, f64::min),
            volume: mass.volume,
            roundness: Roundness::default(),
            inertia: D::inertia(mass, 1.0 / mass.volume),
            parts,
        }
    }
}

/// Of an ellipsoid: where the direction turns, its support function changes by at most the difference of its half-axes.
fn sweep_of<D: Dimension>(semi_axes: D::Vec) -> f64 {
    let axes = || (0..D::N).map(|axis| semi_axes.component(axis));
    axes().fold(0.0, f64::max) - axes().fold(f64::INFINITY, f64::min)
}

/// How far a surface moves where the body turns by this chord of the unit circle: [`ShapeRecord::sweep`] times the angle,
/// which is longer than the chord by less than [`ARC`] up to [`LARGEST_CHORD`]. Beyond, nothing is said.
pub(crate) const ARC: f64 = 1.05;
pub(crate) const LARGEST_CHORD: f64 = 0.9;

impl<D: Dimension> Bodies<D> {
    /// The walls, with all shapes.
    pub(crate) fn walls_alone(&self) -> Self {
        Self {
            walls: self.walls,
            owners: self.walls,
            images: self.walls,
            records: self.records[..self.walls].to_vec(),
            states: self.states[..self.walls].to_vec(),
            features: self.features.clone(),
            loaded_walls: Vec::new(),
            shapes: self.shapes.clone(),
            parts: self.parts.clone(),
            ghosts: Ghosts::default(),
            inertias: self.inertias.clone(),
            last_step: self.last_step,
            surface_motions: self.surface_motions.clone(),
            velocity_sums: Vec::new(),
            largest_velocity: self.largest_velocity,
            elsewhere: Elsewhere::default(),
        }
    }

    /// A body as contact methods take it.
    #[inline]
    pub(crate) fn placed(&self, slot: u32) -> Placed<'_, D> {
        let record = &self.records[slot as usize];
        Placed { shape: &self.shapes[record.shape as usize].shape, pose: record.pose() }
    }

    /// Prefetches a body.
    #[inline]
    pub(crate) fn prefetch(&self, slot: u32) {
        prefetch(&self.records[slot as usize]);
    }

    /// Radius of the ball about its position that holds the body.
    #[inline]
    pub(crate) fn size(&self, slot: usize) -> f64 {
        self.shapes[self.records[slot].shape as usize].size
    }

    /// Whether a contact of a grain with another body counts: a feature of a surface has contacts of its own alone.
    #[inline]
    pub(crate) fn admits(
        &self,
        BodyPair { a, b }: BodyPair,
        contact: &Contact<D>,
        approach: &Approach<D>,
        scratch: &mut D::Scratch,
    ) -> Ownership {
        let Some(feature) = self.features.get(b) else { return Ownership::Yes };
        let pose = self.records[b as usize].pose();
        let own = D::admits(&feature.filter, self.placed(a), &pose, contact, approach, scratch);
        // Facets that are met as a whole have one energy, whichever feature stands for them: none is given up while any is in the grain.
        let is_met = own != Ownership::Yes && contact.gap < 0.0 && self.has_facets_inside(BodyPair { a, b });
        if is_met { Ownership::Yes } else { own }
    }

    /// Whether a grain meets the facets of a surface as a whole, and some are in it.
    pub(crate) fn has_facets_inside(&self, BodyPair { a, b }: BodyPair) -> bool {
        let grain = self.placed(a);
        D::meets_facets(grain.shape)
            && self
                .features
                .facets(b)
                .is_some_and(|(wall, facets)| D::has_facets_inside(facets, &self.records[wall].pose(), grain))
    }

    /// How far a grain and a feature of a mesh may move before the feature can own a contact; none for other bodies.
    #[inline]
    pub(crate) fn clearance(
        &self,
        BodyPair { a, b }: BodyPair,
        contacts: &ContactTable<D>,
    ) -> Option<Clearance<D>> {
        let feature = self.features.get(b)?;
        let approach = approach(self, contacts, BodyPair { a, b }, D::Vec::default());
        Some(D::clearance(&feature.filter, self.placed(a), &self.records[b as usize].pose(), &approach))
    }

    /// What a grain lies flat on at a contact with another body: a feature of a surface may end beside it.
    #[inline]
    pub(crate) fn ground(&self, a: u32, b: u32, contact: &Contact<D>) -> Placed<'_, D> {
        let pair = |feature| D::ground(feature, self.placed(a), &self.records[b as usize].pose(), contact);
        self.features.get(b).and_then(|feature| pair(&feature.filter)).unwrap_or_else(|| self.placed(b))
    }

    /// What two bodies overlap with: themselves, or the body near a feature of a surface; none where that has no such body.
    #[inline]
    pub(crate) fn overlapping(
        &self,
        BodyPair { a, b }: BodyPair,
        contact: &Contact<D>,
    ) -> Option<[Placed<'_, D>; 2]> {
        let [of_a, of_b] = [self.placed(a), self.placed(b)];
        if let Some(feature) = self.features.get(b) {
            return Some([of_a, D::overlapped(&feature.filter, of_b, of_a, contact)?]);
        }
        if let Some(feature) = self.features.get(a) {
            let seen = Contact { point_a: contact.point_b, ..*contact };
            return Some([D::overlapped(&feature.filter, of_a, of_b, &seen)?, of_b]);
        }
        Some([of_a, of_b])
    }

    /// Whether a grain with flat faces meets all facets of a surface as a whole at its feature b.
    #[inline]
    pub(crate) fn meets_facets(&self, BodyPair { a, b }: BodyPair) -> bool {
        self.features.get(b).is_some()
            && D::meets_facets(self.placed(a).shape)
            && self.features.facets(b).is_some()
    }

    /// Size of the smaller one of two bodies. How large the features of a surface are does not count: they are parts of a whole.
    #[inline]
    pub(crate) fn smaller_size(&self, a: u32, b: u32) -> f64 {
        let size = self.size(a as usize);
        if self.features.get(b).is_some() { size } else { size.min(self.size(b as usize)) }
    }

    /// Whether contacts with a body may have patches.
    #[inline]
    pub(crate) fn may_be_flat(&self, slot: u32) -> bool {
        self.shapes[self.records[slot as usize].shape as usize].roundness.may_be_flat
    }

    /// Whether a body has flat faces alone.
    pub(crate) fn is_faceted(&self, slot: u32) -> bool {
        let roundness = &self.shapes[self.records[slot as usize].shape as usize].roundness;
        roundness.faceted || roundness.plane
    }

    /// Whether a grain may lie flat on another body.
    #[inline]
    pub(crate) fn lies_flat(&self, a: u32, b: u32) -> bool {
        self.features.get(b).is_none_or(|feature| D::lies_flat(&feature.filter, self.placed(a).shape))
    }

    /// Puts the features of a wall where the wall is; adds how far each went to its displacement. Features of a wall that stands
    /// still are where they were.
    pub(crate) fn carry_features(&mut self, wall: usize, mut displacement: Option<&mut Displacement<D>>) {
        let Record { position, rotation, velocity, spin, .. } = self.records[wall];
        let Some(surface) = self.features.surfaces.iter_mut().find(|surface| surface.wall == wall) else {
            return;
        };
        let motion = WallMotion { position, rotation, velocity, spin };
        if surface.carried == Some(motion) {
            return;
        }
        surface.carried = Some(motion);
        let (pose, slots) = (self.records[wall].pose(), surface.slots.clone());
        if let Some(displacement) = &mut displacement {
            displacement.farthest_feature = None;
        }
        for slot in slots {
            let feature = &self.features.list[slot - self.features.first];
            let position = pose.to_world(feature.place.position);
            let velocity = self.records[wall].velocity_at(position);
            let body = &mut self.records[slot];
            if let Some(displacement) = &mut displacement {
                let rotation = D::compose(pose.rotation, feature.place.rotation);
                displacement.of[slot] += (position - body.position).length();
                displacement.of[slot] += D::chord(body.rotation, rotation) * feature.reach;
            }
            body.position = position;
            body.rotation = D::compose(pose.rotation, feature.place.rotation);
            (body.velocity, body.spin) = (velocity, spin);
        }
    }

    /// Force of the grains on a wall, and their torque about its origin.
    pub(crate) fn wall_load(&self, wall: usize) -> (D::Vec, D::Spin) {
        let State { mut force, mut torque, .. } = self.states[wall];
        for slot in self.features.of(wall) {
            let lever = self.records[slot].position - self.records[wall].position;
            force += self.states[slot].force;
            torque += self.states[slot].torque + D::moment(lever, self.states[slot].force);
        }
        (force, torque)
    }

    /// The first half step of the grains' velocities and the whole step of their poses, with the way that each went added to
    /// the displacements; the longest of these come back, relative to each other and absolute.
    pub(crate) fn advance(
        &mut self,
        gravity: D::Vec,
        dt: f64,
        [among_grains, to_walls]: [&mut Displacement<D>; 2],
    ) -> [LargestDisplacements; 2] {
        let grains = self.grains();
        let Self { records, states, shapes, inertias, .. } = self;
        let input = StepInput { gravity, dt, common: among_grains.common, shapes, inertias };
        records[grains.clone()]
            .par_chunks_mut(CHUNK)
            .zip(states[grains.clone()].par_chunks_mut(CHUNK))
            .zip(among_grains.of[grains.clone()].par_chunks_mut(CHUNK))
            .zip(to_walls.of[grains].par_chunks_mut(CHUNK))
            .map(|(((records, states), relative), absolute)| {
                D::advance(&input, records, states, [relative, absolute])
            })
            .reduce(Default::default, |[a, b], [c, d]| [a.and(c), b.and(d)])
    }

    /// Velocity and spin of a body at the end of a step.
    pub(crate) fn motion_of(&self, slot: usize) -> (D::Vec, D::Spin) {
        let (body, state) = (&self.records[slot], &self.states[slot]);
        if !state.is_free() {
            return (body.velocity, body.spin);
        }
        let inertia = &self.shapes[body.shape as usize].inertia;
        (state.velocity, D::spin(inertia, body.rotation, state.momentum * state.by_mass))
    }

    /// Translational and rotational kinetic energy, and the energy in the field of gravity; `motion` gives velocity and spin.
    pub(crate) fn energies(
        &self,
        gravity: D::Vec,
        motion: impl Fn(usize) -> (D::Vec, D::Spin),
    ) -> [ExactSum; 3] {
        let mut sums = std::array::from_fn::<_, 3, _>(|_| ExactSum::default());
        for slot in self.grains().filter(|&slot| self.states[slot].is_free()) {
            let (body, (velocity, spin)) = (&self.records[slot], motion(slot));
            let inertia = &self.shapes[body.shape as usize].inertia;
            sums[0].add(0.5 * body.mass * velocity.dot(velocity));
            sums[1].add(0.5 * body.mass * D::momentum(inertia, body.rotation, spin).dot(spin));
            sums[2].add(-body.mass * gravity.dot(body.position));
        }
        sums
    }

    /// Energy that the contacts of bodies from this slot on have dissipated up to now (J). A law's loss reaches half a step beyond now.
    pub(crate) fn dissipated(&self, first: usize) -> ExactSum {
        self.states[first..self.owners]
            .iter()
            .map(|state| state.dissipated - 0.5 * state.dissipated_last)
            .collect()
    }
}

/// What is the same for all bodies of a step.
pub struct StepInput<'w, D: Dimension> {
    pub(crate) gravity: D::Vec,
    pub(crate) dt: f64,
    /// Velocity that is not counted as displacement among grains.
    pub(crate) common: D::Vec,
    pub(crate) shapes: &'w [ShapeRecord<D>],
    pub(crate) inertias: &'w [[f64; 8]],
}
