//! Grains on lattices and at points.

use gritstone_core::{Pose, Vector};
use gritstone_engine::Grain;

use super::grains::{heavy_material, shape};
use super::scenery::{RandomStream, Scenery};
use super::shapes::Made;
use crate::ledger::Ledger;
use crate::quantity::{Coordinates, Velocity};
use crate::scene::Scene;
use crate::words::{Lattice, Names, Orientation, Points};

/// The most grains of a lattice: more do not fit into the memory of one machine.
const MOST: u64 = 1 << 28;

/// Makes the grains of one group.
pub(super) struct Nursery<'n, 's, D: Scenery> {
    pub(super) key: &'n str,
    pub(super) scene: &'n Scene,
    pub(super) shapes: &'n [Option<Made<D>>],
    pub(super) ledger: &'n mut Ledger<'s>,
    /// The next id that is free.
    pub(super) next: u32,
}

/// What the grains of a group have in common.
struct Kin<'w, D: Scenery> {
    shapes: Vec<u32>,
    material: u16,
    orientation: Option<&'w Orientation>,
    velocity: D::Vec,
    spin: D::Spin,
}

impl<D: Scenery> Nursery<'_, '_, D> {
    pub(super) fn lattice(&mut self, words: &Lattice) -> Option<Vec<Grain<D>>> {
        let counts: Vec<u64> = words.count.list.iter().map(|count| u64::from(*count)).collect();
        let all =
            counts.iter().try_fold(1_u64, |all, count| all.checked_mul(*count)).filter(|all| *all < MOST);
        let Some(all) = all else {
            let place = format!("{}.count", self.key);
            self.ledger.wrong(&place, format_args!("{place} makes more than {MOST} grains"));
            return None;
        };
        let kin = Kin {
            shapes: self.shapes_of(&words.shape)?,
            material: self.material(&words.material)?,
            orientation: words.orientation.as_ref(),
            velocity: velocity::<D>(words.velocity.as_ref()),
            spin: words.spin.as_ref().map_or_else(D::Spin::default, D::turning),
        };
        let (origin, spacing) = (words.origin.vector::<D>(), words.spacing.vector::<D>());
        let mut dice = RandomStream::new(words.seed);
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
            let shift: Vec<f64> = counts.iter().map(|_| words.jitter.si * dice.signed()).collect();
            let position =
                D::Vec::from_fn(|k| origin.component(k) + spacing.component(k) * steps[k] + shift[k]);
            self.grain(&kin, position, &mut dice)
        };
        Some((0..all.min(words.limit.unwrap_or(all))).map(grain).collect())
    }

    pub(super) fn points(&mut self, words: &Points) -> Option<Vec<Grain<D>>> {
        let kin = Kin {
            shapes: self.shapes_of(&words.shape)?,
            material: self.material(&words.material)?,
            orientation: words.orientation.as_ref(),
            velocity: velocity::<D>(words.velocity.as_ref()),
            spin: words.spin.as_ref().map_or_else(D::Spin::default, D::turning),
        };
        let mut dice = RandomStream::new(words.seed);
        Some(words.at.iter().map(|point| self.grain(&kin, point.vector::<D>(), &mut dice)).collect())
    }

    fn grain(&mut self, kin: &Kin<'_, D>, position: D::Vec, dice: &mut RandomStream) -> Grain<D> {
        let shape = pick(&kin.shapes, dice);
        let rotation = kin.orientation.map_or_else(D::Rotation::default, |turned| D::oriented(*turned, dice));
        let id = self.next;
        self.next = id.saturating_add(1);
        Grain {
            id,
            shape,
            material: kin.material,
            pose: Pose { position, rotation },
            velocity: kin.velocity,
            spin: kin.spin,
            frozen: false,
        }
    }

    pub(super) fn shapes_of(&mut self, names: &Names) -> Option<Vec<u32>> {
        let place = format!("{}.shape", self.key);
        if names.list.is_empty() {
            self.ledger.wrong(&place, format_args!("{place} has no names, but must have at least one"));
            return None;
        }
        names
            .list
            .iter()
            .map(|name| shape(&place, &place, name, &self.scene.file, self.shapes, self.ledger))
            .collect()
    }

    pub(super) fn material(&mut self, name: &str) -> Option<u16> {
        let place = format!("{}.material", self.key);
        heavy_material(&place, &place, name, &self.scene.file, self.ledger)
    }
}

/// A velocity; none where nothing is said.
pub(super) fn velocity<D: Scenery>(words: Option<&Coordinates<Velocity>>) -> D::Vec {
    words.map_or_else(D::Vec::default, Coordinates::vector::<D>)
}

/// One of some shapes; no dice are thrown where there is one.
pub(super) fn pick(shapes: &[u32], dice: &mut RandomStream) -> u32 {
    if shapes.len() == 1 { shapes[0] } else { shapes[dice.below(shapes.len())] }
}
