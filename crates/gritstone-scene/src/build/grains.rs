//! Grains from their words: lattices, points, files.

use gritstone_core::{Pose, Vector};
use gritstone_engine::Grain;
use gritstone_io::states::{State, read_states};

use super::scenery::{Dice, Scenery};
use super::shapes::Made;
use super::walls;
use crate::ledger::Ledger;
use crate::quantity::{Coordinates, Velocity};
use crate::scene::Scene;
use crate::words::{Csv, Grains, Lattice, Names, Orientation, Points, SceneFile};

/// The most grains of a scene: their ids are whole numbers of 32 bits.
const MOST: u64 = 1 << 31;

/// Grains of all groups.
pub(crate) struct Placed<D: Scenery> {
    pub(crate) grains: Vec<Grain<D>>,
    /// Where each group starts among them.
    pub(crate) starts: Vec<usize>,
}

/// Tells of shapes and materials that are not there or of no use to grains.
pub(crate) fn check_names<D: Scenery>(file: &SceneFile, shapes: &[Option<Made<D>>], ledger: &mut Ledger<'_>) {
    for (i, group) in file.grains.iter().enumerate() {
        let key = format!("grains[{i}]");
        let (names, material) = match group {
            Grains::Lattice(group) => (Some(&group.shape), Some(&group.material)),
            Grains::Points(group) => (Some(&group.shape), Some(&group.material)),
            Grains::Csv(group) => (group.shape.as_ref(), group.material.as_ref()),
            Grains::Dump(group) => (Some(&group.shape), Some(&group.material)),
        };
        for (k, name) in names.iter().flat_map(|names| &names.list).enumerate() {
            let several = names.is_some_and(|names| names.list.len() > 1);
            let place = if several { format!("{key}.shape[{k}]") } else { format!("{key}.shape") };
            shape(&place, name, file, shapes, ledger);
        }
        if let Some(name) = material {
            heavy_material(&key, name, file, ledger);
        }
    }
}

/// Index of a shape that a grain can have.
fn shape<D: Scenery>(
    place: &str,
    name: &str,
    file: &SceneFile,
    shapes: &[Option<Made<D>>],
    ledger: &mut Ledger<'_>,
) -> Option<u32> {
    let Some((index, words)) = file.shapes.find(name) else {
        ledger.unknown(place, name, "shape", "shapes", file.shapes.names());
        return None;
    };
    if shapes[index].as_ref()?.mass.is_none() {
        let word = words.word();
        ledger.wrong(
            place,
            format_args!("{place} is \"{name}\", a {word}, which has no volume: it can be a wall alone"),
        );
        return None;
    }
    u32::try_from(index).ok()
}

/// Index of a material that a grain can have.
fn heavy_material(place: &str, name: &str, file: &SceneFile, ledger: &mut Ledger<'_>) -> Option<u16> {
    let index = walls::material(place, name, file, ledger)?;
    let (_, material) = file.materials.find(name)?;
    if material.density.is_none() {
        let key = format!("materials.{name}");
        ledger.wrong(&key, format_args!("{key} has no key \"density\", which {place} needs"));
        return None;
    }
    Some(index)
}

/// Puts all grains in their places.
pub(crate) fn place<D: Scenery>(
    scene: &Scene,
    shapes: &[Made<D>],
    ledger: &mut Ledger<'_>,
) -> Option<Placed<D>> {
    let shapes: Vec<_> = shapes.iter().cloned().map(Some).collect();
    let mut placed = Placed { grains: Vec::new(), starts: Vec::new() };
    for (i, group) in scene.file.grains.iter().enumerate() {
        let key = format!("grains[{i}]");
        placed.starts.push(placed.grains.len());
        let next = placed.grains.iter().map(|grain| grain.id).max().map_or(1, |id| id.saturating_add(1));
        let mut nursery = Nursery { key: &key, scene, shapes: &shapes, ledger, next };
        let grains = match group {
            Grains::Lattice(group) => nursery.lattice(group),
            Grains::Points(group) => nursery.points(group),
            Grains::Csv(group) => nursery.csv(group),
            Grains::Dump(_) => {
                nursery.ledger.wrong(&key, format_args!("{key} is from a dump, which cannot be read yet"));
                None
            }
        };
        placed.grains.extend(grains?);
    }
    if placed.grains.is_empty() {
        ledger.wrong(
            "grains",
            "the scene has no grains: add a table such as [[grains]] with from = \"lattice\"",
        );
    }
    same_ids(&placed, ledger);
    Some(placed)
}

/// Tells of ids that two groups share.
fn same_ids<D: Scenery>(placed: &Placed<D>, ledger: &mut Ledger<'_>) {
    let mut ids: Vec<_> = placed.grains.iter().enumerate().map(|(i, grain)| (grain.id, i)).collect();
    ids.sort_unstable();
    if let Some(pair) = ids.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        let key = format!("grains[{}]", group_of(&placed.starts, pair[1].1));
        ledger.wrong(
            &key,
            format_args!("{key} has a grain with the id {}, which an earlier group has, too", pair[0].0),
        );
    }
}

/// The group that a grain belongs to.
pub(super) fn group_of(starts: &[usize], grain: usize) -> usize {
    starts.partition_point(|start| *start <= grain).saturating_sub(1)
}

/// Makes the grains of one group.
struct Nursery<'n, 's, D: Scenery> {
    key: &'n str,
    scene: &'n Scene,
    shapes: &'n [Option<Made<D>>],
    ledger: &'n mut Ledger<'s>,
    /// The next id that is free.
    next: u32,
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
    fn lattice(&mut self, words: &Lattice) -> Option<Vec<Grain<D>>> {
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
        let mut dice = Dice::new(words.seed);
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

    fn points(&mut self, words: &Points) -> Option<Vec<Grain<D>>> {
        let kin = Kin {
            shapes: self.shapes_of(&words.shape)?,
            material: self.material(&words.material)?,
            orientation: words.orientation.as_ref(),
            velocity: velocity::<D>(words.velocity.as_ref()),
            spin: words.spin.as_ref().map_or_else(D::Spin::default, D::turning),
        };
        let mut dice = Dice::new(words.seed);
        Some(words.at.iter().map(|point| self.grain(&kin, point.vector::<D>(), &mut dice)).collect())
    }

    fn csv(&mut self, words: &Csv) -> Option<Vec<Grain<D>>> {
        let path = self.scene.folder.join(&words.file);
        let states: Vec<State<D>> = match read_states(&path) {
            Ok(states) => states,
            Err(error) => {
                let place = format!("{}.file", self.key);
                self.ledger.wrong(&place, format_args!("{place} is \"{}\": {error}", words.file));
                return None;
            }
        };
        let shapes = match &words.shape {
            Some(names) => self.shapes_of(names)?,
            None => Vec::new(),
        };
        let material = match &words.material {
            Some(name) => Some(self.material(name)?),
            None => None,
        };
        let mut dice = Dice::new(words.seed);
        states.iter().map(|state| self.told(state, &shapes, material, words, &mut dice)).collect()
    }

    /// A grain as a file tells of it.
    fn told(
        &mut self,
        state: &State<D>,
        shapes: &[u32],
        material: Option<u16>,
        words: &Csv,
        dice: &mut Dice,
    ) -> Option<Grain<D>> {
        let place = format!("{}.file", self.key);
        let shape = match (&state.shape, shapes) {
            (Some(name), _) => shape(&place, name, &self.scene.file, self.shapes, self.ledger),
            (None, []) => self.nameless(&words.file, "shape"),
            (None, shapes) => Some(pick(shapes, dice)),
        };
        let material = match (&state.material, material) {
            (Some(name), _) => heavy_material(&place, name, &self.scene.file, self.ledger),
            (None, None) => self.nameless(&words.file, "material"),
            (None, material) => material,
        };
        Some(Grain {
            id: state.id,
            shape: shape?,
            material: material?,
            pose: state.pose,
            velocity: state.velocity,
            spin: state.spin,
            frozen: false,
        })
    }

    /// Tells that neither the scene nor the file names something.
    fn nameless<T>(&mut self, file: &str, what: &str) -> Option<T> {
        let key = self.key;
        self.ledger
            .wrong(key, format_args!("{key} has no key \"{what}\", and {file} has no column of that name"));
        None
    }

    fn grain(&mut self, kin: &Kin<'_, D>, position: D::Vec, dice: &mut Dice) -> Grain<D> {
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

    fn shapes_of(&mut self, names: &Names) -> Option<Vec<u32>> {
        let place = format!("{}.shape", self.key);
        names
            .list
            .iter()
            .map(|name| shape(&place, name, &self.scene.file, self.shapes, self.ledger))
            .collect()
    }

    fn material(&mut self, name: &str) -> Option<u16> {
        heavy_material(self.key, name, &self.scene.file, self.ledger)
    }
}

/// A velocity; none where nothing is said.
fn velocity<D: Scenery>(words: Option<&Coordinates<Velocity>>) -> D::Vec {
    words.map_or_else(D::Vec::default, Coordinates::vector::<D>)
}

/// One of some shapes; no dice are thrown where there is one.
fn pick(shapes: &[u32], dice: &mut Dice) -> u32 {
    if shapes.len() == 1 { shapes[0] } else { shapes[dice.below(shapes.len())] }
}
