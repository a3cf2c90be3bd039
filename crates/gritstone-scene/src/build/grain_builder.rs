//! Grains on lattices and at points.

use gritstone_core::{Pose, Vector};
use gritstone_engine::{Cell, Grain};

use super::from_scene::{FromScene, RandomStream};
use super::grains::{heavy_material, shape};
use super::memory;
use super::scaled::ScaledShapes;
use super::shapes::BuiltShape;
use crate::diagnostics::Diagnostics;
use crate::quantity::{Coordinates, Velocity};
use crate::scene::Scene;
use crate::schema::{Lattice, Names, Orientation, Points};

/// The most grains of a lattice: more do not fit into the memory of one machine.
const MOST: u64 = 1 << 28;

/// Makes the grains of one group.
pub(super) struct GrainBuilder<'n, 's, D: FromScene> {
    pub(super) key: &'n str,
    pub(super) scene: &'n Scene,
    pub(super) shapes: &'n [Option<BuiltShape<D>>],
    /// Shapes in other sizes that files ask for.
    pub(super) sizes: &'n mut ScaledShapes<D>,
    /// The periodic cell, if there is one.
    pub(super) cell: Option<&'n Cell<D>>,
    pub(super) diagnostics: &'n mut Diagnostics<'s>,
    /// Grains of the groups before.
    pub(super) there: usize,
    /// The next id that is free.
    pub(super) next: u32,
}

/// What the grains of a group have in common.
struct GroupProperties<'w, D: FromScene> {
    shapes: Vec<u32>,
    material: u16,
    orientation: Option<&'w Orientation>,
    velocity: D::Vec,
    spin: D::Spin,
}

impl<D: FromScene> GrainBuilder<'_, '_, D> {
    pub(super) fn lattice(&mut self, spec: &Lattice) -> Option<Vec<Grain<D>>> {
        let counts: Vec<u64> = spec.count.list.iter().map(|count| u64::from(*count)).collect();
        let all =
            counts.iter().try_fold(1_u64, |all, count| all.checked_mul(*count)).filter(|all| *all < MOST);
        let Some(all) = all else {
            let place = format!("{}.count", self.key);
            self.diagnostics.error(&place, format_args!("{place} makes more than {MOST} grains"));
            return None;
        };
        let wanted = all.min(spec.limit.unwrap_or(all));
        memory::check(&format!("{}.count", self.key), self.there, wanted, self.diagnostics)?;
        let common = GroupProperties {
            shapes: self.shapes_of(&spec.shape)?,
            material: self.material(&spec.material)?,
            orientation: spec.orientation.as_ref(),
            velocity: velocity::<D>(spec.velocity.as_ref()),
            spin: spec.spin.as_ref().map_or_else(D::Spin::default, D::angular_velocity),
        };
        let (origin, spacing) = (spec.origin.vector::<D>(), spec.spacing.vector::<D>());
        let mut random = RandomStream::new(spec.seed);
        let grain = |index: u64| {
            let mut rest = index;
            let steps: Vec<f64> = counts
                .iter()
                .map(|count| {
                    let step = rest % count;
                    rest /= count;
                    step as f64
                })
                .collect();
            let shift: Vec<f64> = counts.iter().map(|_| spec.jitter.si * random.signed()).collect();
            let position =
                D::Vec::from_fn(|k| origin.component(k) + spacing.component(k) * steps[k] + shift[k]);
            self.grain(&common, position, &mut random)
        };
        Some((0..wanted).map(grain).collect())
    }

    pub(super) fn points(&mut self, spec: &Points) -> Option<Vec<Grain<D>>> {
        let common = GroupProperties {
            shapes: self.shapes_of(&spec.shape)?,
            material: self.material(&spec.material)?,
            orientation: spec.orientation.as_ref(),
            velocity: velocity::<D>(spec.velocity.as_ref()),
            spin: spec.spin.as_ref().map_or_else(D::Spin::default, D::angular_velocity),
        };
        let mut random = RandomStream::new(spec.seed);
        Some(spec.at.iter().map(|point| self.grain(&common, point.vector::<D>(), &mut random)).collect())
    }

    fn grain(
        &mut self,
        common: &GroupProperties<'_, D>,
        position: D::Vec,
        random: &mut RandomStream,
    ) -> Grain<D> {
        let shape = pick(&common.shapes, random);
        let rotation =
            common.orientation.map_or_else(D::Rotation::default, |turned| D::rotation_from(*turned, random));
        let id = self.next;
        self.next = id.saturating_add(1);
        Grain {
            id,
            shape,
            material: common.material,
            pose: Pose { position, rotation },
            velocity: common.velocity,
            spin: common.spin,
            frozen: false,
        }
    }

    pub(super) fn shapes_of(&mut self, names: &Names) -> Option<Vec<u32>> {
        let place = format!("{}.shape", self.key);
        if names.list.is_empty() {
            self.diagnostics.error(&place, format_args!("{place} has no names, but must have at least one"));
            return None;
        }
        names
            .list
            .iter()
            .map(|name| shape(&place, &place, name, &self.scene.file, self.shapes, self.diagnostics))
            .collect()
    }

    pub(super) fn material(&mut self, name: &str) -> Option<u16> {
        let place = format!("{}.material", self.key);
        heavy_material(&place, &place, name, &self.scene.file, self.diagnostics)
    }
}

/// A velocity; none by default.
pub(super) fn velocity<D: FromScene>(spec: Option<&Coordinates<Velocity>>) -> D::Vec {
    spec.map_or_else(D::Vec::default, Coordinates::vector::<D>)
}

/// One of some shapes; no random number is drawn where there is one.
pub(super) fn pick(shapes: &[u32], random: &mut RandomStream) -> u32 {
    if shapes.len() == 1 { shapes[0] } else { shapes[random.below(shapes.len())] }
}
