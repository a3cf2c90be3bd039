//! The bodies: walls, then grains, then ghosts ([`crate::bodies::ghosts`]).
//!
//! The quantities that contacts read of a body form one record; the rest is read once a step, in order. A slot is the index at which a
//! body is stored; slots change when grains are sorted or removed, ids do not.

use gritstone_contact::Placed;
use gritstone_core::lanes::prefetch;
use gritstone_core::{ExactSum, Linear, Pose};
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
mod shape_record;
mod surface_features;
mod velocity_sum;
mod yielding;

pub(crate) use self::shape_record::{ARC, LARGEST_CHORD, ShapeRecord};
pub(crate) use self::velocity_sum::VelocitySum;
use crate::bodies::ghosts::{CompoundPart, Ghosts};
use crate::bodies::kinematics::Kinematics;
use crate::boundary::surface::MeshFeatures;
use crate::boundary::surface_motion::SurfaceMotion;
use crate::broad_phase::{Displacement, LargestDisplacements};
use crate::contacts::BodyPair;
use crate::dimension::Dimension;

/// Bodies that one task moves. Sums are taken within and then over the chunks in order: the same for any number of threads.
pub(crate) const CHUNK: usize = 256;

/// The quantities that contacts read of a body: in space two cache lines.
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

/// The quantities that integration needs in addition to the record: in space two cache lines.
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
    /// Whether forces move it, and whether it is absent, as walls can be: not zero for yes.
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

    /// Adds or removes it.
    pub(crate) fn set_present(&mut self, present: bool) {
        self.gone = u16::from(!present);
    }

    /// Whether contacts act on it, or did so in the step before.
    pub(crate) fn is_loaded(&self) -> bool {
        let still = Self::still(self.id);
        (self.force, self.torque, self.dissipated_last) != (still.force, still.torque, 0.0)
    }

    /// A body at rest that forces do not move.
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
    /// How many of them are neither images nor copies.
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

/// Grains of the same world in other processes: neighbour lists of all processes must be built with the same sizes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Elsewhere {
    /// Sizes of the smallest and the largest one (m).
    pub(crate) smallest: f64,
    pub(crate) largest: f64,
    /// How many there are.
    pub(crate) grains: usize,
}

impl Elsewhere {
    /// For a world that is not distributed yet, with this number of grains. Sizes are those of all its grains, so that the smallest and the
    /// largest do not change when grains move between processes.
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
        let shape = &self.shapes[record.shape as usize];
        if shape.stands_in
            && let Some((own, centre)) = self.features.get(slot).and_then(|feature| feature.shape())
        {
            let pose = record.pose();
            return Placed { shape: own, pose: Pose { position: pose.to_world(centre), ..pose } };
        }
        Placed { shape: &shape.shape, pose: record.pose() }
    }

    /// Two bodies as their contact takes them. Grains are before walls in every pair.
    #[inline]
    pub(crate) fn placed_pair(&self, BodyPair { a, b }: BodyPair) -> [Placed<'_, D>; 2] {
        let [of_a, of_b] = [self.placed(a), self.placed(b)];
        let shape = |slot: u32| &self.shapes[self.records[slot as usize].shape as usize];
        match &shape(b).faceted {
            Some(faceted) if shape(a).roundness.is_faceted() => [of_a, Placed { shape: faceted, ..of_b }],
            _ => [of_a, of_b],
        }
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

    /// Size of the smaller one of two bodies. The size of features of a surface does not count: they are parts of a larger body.
    #[inline]
    pub(crate) fn smaller_size(&self, a: u32, b: u32) -> f64 {
        let size = self.size(a as usize);
        if self.features.is_feature(b) { size } else { size.min(self.size(b as usize)) }
    }

    /// Whether contacts with a body may have patches.
    #[inline]
    pub(crate) fn may_be_flat(&self, slot: u32) -> bool {
        self.shapes[self.records[slot as usize].shape as usize].roundness.may_be_flat
    }

    /// First half kick and drift of the grains, with the displacement of each added to `displacements`; returns the largest of these, relative
    /// to each other and absolute.
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
