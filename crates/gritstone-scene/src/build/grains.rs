//! Groups of grains from their tables: names that must be there, ids that must differ.

use std::ops::Range;

use gritstone_engine::{Cell, Grain};

use super::Parts;
use super::earlier::EarlierRun;
use super::from_scene::FromScene;
use super::grain_builder::GrainBuilder;
use super::memory;
use super::mixtures::Mixtures;
use super::scaled::ScaledShapes;
use super::shapes::BuiltShape;
use super::walls;
use crate::diagnostics::Diagnostics;
use crate::scene::Scene;
use crate::schema::{Grains, Names, SceneFile};

/// Grains of all groups.
pub(crate) struct Placed<D: FromScene> {
    pub(crate) grains: Vec<Grain<D>>,
    /// Where each group starts among them.
    pub(crate) starts: Vec<usize>,
    /// Which of them continue from an earlier run, and the indices of its shapes and materials here.
    pub(crate) going_on: Range<usize>,
    pub(crate) shapes: Vec<Option<u32>>,
    pub(crate) materials: Vec<Option<u16>>,
}

impl<D: FromScene> Placed<D> {
    /// The first id that no grain has.
    fn next_id(&self) -> u32 {
        self.grains.iter().map(|grain| grain.id).max().map_or(1, |id| id.saturating_add(1))
    }
}

/// Reports shapes and materials that are not defined or that grains cannot have.
pub(crate) fn check_names<D: FromScene>(
    file: &SceneFile,
    shapes: &[Option<BuiltShape<D>>],
    diagnostics: &mut Diagnostics<'_>,
) {
    for (name, inlet) in file.inlets.iter() {
        let key = format!("inlets.{name}");
        check_group(&key, Some(&inlet.shape), Some(&inlet.material), file, shapes, diagnostics);
    }
    for (i, group) in file.grains.iter().enumerate() {
        let key = format!("grains[{i}]");
        let (names, material) = match group {
            Grains::Lattice(group) => (Some(&group.shape), Some(&group.material)),
            Grains::Points(group) => (Some(&group.shape), Some(&group.material)),
            Grains::Random(group) => (Some(&group.shape), Some(&group.material)),
            Grains::Csv(group) => (group.shape.as_ref(), group.material.as_ref()),
            Grains::Dump(group) => (Some(&group.shape), Some(&group.material)),
            Grains::Run(_) => (None, None),
        };
        check_group(&key, names, material, file, shapes, diagnostics);
    }
}

fn check_group<D: FromScene>(
    key: &str,
    names: Option<&Names>,
    material: Option<&String>,
    file: &SceneFile,
    shapes: &[Option<BuiltShape<D>>],
    diagnostics: &mut Diagnostics<'_>,
) {
    for (k, name) in names.iter().flat_map(|names| &names.list).enumerate() {
        let several = names.is_some_and(|names| names.list.len() > 1);
        let place = if several { format!("{key}.shape[{k}]") } else { format!("{key}.shape") };
        shape(&place, &place, name, file, shapes, diagnostics);
    }
    if let Some(name) = material {
        let place = format!("{key}.material");
        heavy_material(&place, &place, name, file, diagnostics);
    }
}

/// Index of a shape that a grain can have. What is wrong is shown at `place`, and `said` is what has the name there.
pub(super) fn shape<D: FromScene>(
    place: &str,
    said: &str,
    name: &str,
    file: &SceneFile,
    shapes: &[Option<BuiltShape<D>>],
    diagnostics: &mut Diagnostics<'_>,
) -> Option<u32> {
    let Some((index, spec)) = file.shapes.find(name) else {
        diagnostics.unknown_as(place, said, name, "shape", "shapes", file.shapes.names());
        return None;
    };
    if shapes[index].as_ref()?.mass.is_none() {
        let keyword = spec.keyword();
        diagnostics.error(
            place,
            format_args!("{said} is \"{name}\", a {keyword}, which has no volume: it can be a wall alone"),
        );
        return None;
    }
    u32::try_from(index).ok()
}

/// The same for a material.
pub(super) fn heavy_material(
    place: &str,
    said: &str,
    name: &str,
    file: &SceneFile,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<u16> {
    let index = walls::material_as(place, said, name, file, diagnostics)?;
    let (_, material) = file.materials.find(name)?;
    if material.density.is_none() {
        let key = format!("materials.{name}");
        diagnostics.error(
            &key,
            format_args!("{key} has no key \"density\", which {} needs", place.trim_end_matches(".material")),
        );
        return None;
    }
    Some(index)
}

/// Puts all grains in their places.
pub(crate) fn place<D: FromScene>(
    scene: &Scene,
    parts: &mut Parts<D>,
    mixtures: &Mixtures,
    cell: Option<&Cell<D>>,
    earlier: Option<&EarlierRun<D>>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Placed<D>> {
    let mut shapes: Vec<_> = parts.shapes.iter().cloned().map(Some).collect();
    let mut sizes = ScaledShapes::new(parts);
    let mut placed = Placed {
        grains: Vec::new(),
        starts: Vec::new(),
        going_on: 0..0,
        shapes: Vec::new(),
        materials: Vec::new(),
    };
    for (i, group) in scene.file.grains.iter().enumerate() {
        let key = format!("grains[{i}]");
        placed.starts.push(placed.grains.len());
        let (there, next) = (placed.grains.len(), placed.next_id());
        let mut grain_builder = GrainBuilder {
            key: &key,
            scene,
            shapes: &shapes,
            sizes: &mut sizes,
            cell,
            diagnostics,
            there,
            next,
        };
        let grains = match group {
            Grains::Lattice(group) => grain_builder.lattice(group),
            Grains::Points(group) => grain_builder.points(group),
            Grains::Random(group) => {
                let mix = mixtures.groups[i].as_ref()?;
                grain_builder.random(group, mix, &placed.grains, &parts.walls)
            }
            Grains::Csv(group) => grain_builder.csv(group),
            Grains::Dump(group) => grain_builder.dump(group),
            // Without the run, which is reported, there are none.
            Grains::Run(_) => grain_builder.run(earlier?).map(|(grains, here)| {
                (placed.shapes, placed.materials) = (here.shapes, here.materials);
                placed.going_on = there..there + grains.len();
                grains
            }),
        };
        placed.grains.extend(grains?);
        for (shape, scale, made) in sizes.take() {
            shapes.push(Some(made.clone()));
            parts.add_scaled(shape, scale, made);
        }
    }
    require_grains(scene, &placed, diagnostics)?;
    same_ids(&placed, diagnostics);
    memory::warn(placed.grains.len(), diagnostics);
    Some(placed)
}

/// Reports a scene without grains and inlets.
fn require_grains<D: FromScene>(
    scene: &Scene,
    placed: &Placed<D>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<()> {
    if placed.grains.is_empty() && scene.file.inlets.list.is_empty() && !diagnostics.has_errors() {
        diagnostics.error(
            "grains",
            "the scene has no grains: add a table such as [[grains]] with from = \"lattice\"",
        );
        return None;
    }
    Some(())
}

/// Reports ids that two groups share.
fn same_ids<D: FromScene>(placed: &Placed<D>, diagnostics: &mut Diagnostics<'_>) {
    let mut ids: Vec<_> = placed.grains.iter().enumerate().map(|(i, grain)| (grain.id, i)).collect();
    ids.sort_unstable();
    if let Some(pair) = ids.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        let key = format!("grains[{}]", group_of(&placed.starts, pair[1].1));
        diagnostics.error(
            &key,
            format_args!("{key} has a grain with the id {}, which an earlier group has, too", pair[0].0),
        );
    }
}

/// The group that a grain belongs to.
pub(super) fn group_of(starts: &[usize], grain: usize) -> usize {
    starts.partition_point(|start| *start <= grain).saturating_sub(1)
}
