//! Grains that continue from the end of another run.
//!
//! What that run leaves behind is its checkpoint, which holds its scene, the sizes that its shapes have, and the state of its
//! world. From the scene follow shapes and walls, without which the state cannot be read; the grains of that scene are not placed
//! again, and of its files only those of walls are needed.

use std::fmt::{self, Display, Formatter};
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use gritstone_engine::{Cell, Earlier, Grain, SAVED_VERSION, Setup, Snapshot, Wall, World};
use gritstone_io::checkpoint::{self, Expected, LATEST, Payload, Refusal, Stamp};
use serde_json::{Value, json};

use super::from_scene::FromScene;
use super::grain_builder::GrainBuilder;
use super::grains::{Placed, heavy_material};
use super::scaled::scaled;
use super::shapes::BuiltShape;
use super::{Parts, compounds, laws, parts};
use crate::diagnostics::Diagnostics;
use crate::display::{plural, time};
use crate::reach::HIDDEN;
use crate::scene::Scene;
use crate::schema::{Boundaries, FromRun, Grains, SceneFile};

/// Bits of a payload's version that are the engine's.
const OF_ENGINE: u32 = 0xffff;

/// The scene of a run as its checkpoints hold it.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneRecord {
    /// The scene as used.
    pub text: String,
    /// Of each shape that there is, the scene's shape that it was made from, and the factor on its lengths.
    pub shapes: Vec<(String, f64)>,
}

impl SceneRecord {
    /// As bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        json!({ "scene": self.text, "shapes": self.shapes }).to_string().into_bytes()
    }

    /// From bytes; none where they are no record.
    fn read(bytes: &[u8]) -> Option<Self> {
        let mut value: Value = serde_json::from_slice(bytes).ok()?;
        let Value::String(text) = value.get_mut("scene")?.take() else { return None };
        let shape = |shape: &Value| Some((shape.get(0)?.as_str()?.to_owned(), shape.get(1)?.as_f64()?));
        let shapes = value.get("shapes")?.as_array()?.iter().map(shape).collect::<Option<_>>()?;
        Some(Self { text, shapes })
    }
}

/// A checkpoint of a run and the scene in it.
struct Opened {
    stamp: Stamp,
    payload: Vec<u8>,
    scene: Scene,
    shapes: Vec<(String, f64)>,
}

/// Opens the last checkpoint of a run.
fn open(scene: &Scene, run: &FromRun) -> Result<Opened, String> {
    let path = scene.file_path(&in_folder(run, LATEST))?;
    let read = checkpoint::read(&path, &Expected::default()).map_err(|why| refused(&path, &why))?;
    if read.stamp.payload_version & OF_ENGINE != SAVED_VERSION {
        let found = read.stamp.payload_version & OF_ENGINE;
        let why = "it was written by another version of this program";
        return Err(format!("{}: {why} (state {found}, not {SAVED_VERSION})", path.display()));
    }
    let unreadable = || format!("{}: it is not a checkpoint of a run", path.display());
    let parts = Payload::read(&read.payload).ok_or_else(unreadable)?;
    let record = SceneRecord::read(parts.scene).ok_or_else(unreadable)?;
    let name = format!("{}: its scene", path.display());
    let mut earlier = Scene::parse(&record.text, &name).map_err(|problems| {
        if scene.shows(&path) { problems.to_string() } else { format!("{}: {HIDDEN}", path.display()) }
    })?;
    (earlier.folder, earlier.sandbox) = (scene.folder.join(&run.folder), scene.sandbox);
    Ok(Opened { stamp: read.stamp, payload: read.payload, scene: earlier, shapes: record.shapes })
}

/// The name of a file of a run, relative to the scene.
fn in_folder(run: &FromRun, name: &str) -> String {
    // The empty name is that of the scene's own folder; a slash before the file's name would make it another.
    if run.folder.is_empty() { name.to_owned() } else { format!("{}/{name}", run.folder) }
}

fn refused(path: &Path, why: &Refusal) -> String {
    let path = path.display();
    match why {
        Refusal::Missing => format!(
            "there is no {path}: it must be the folder of a run that writes checkpoints (output.checkpoint); final.csv can be read \
             by from = \"csv\""
        ),
        why => format!("{path}: {why}"),
    }
}

/// Files in the folder of a run that another run continues from, by their names in that folder: its checkpoint, and what the walls
/// of its scene are read from.
pub fn run_files(scene: &Scene, run: &FromRun) -> Result<Vec<(String, PathBuf)>, String> {
    let opened = open(scene, run)?;
    let mut files = vec![LATEST.to_owned()];
    files.extend(opened.scene.file.surface_files().map(str::to_owned));
    let inside =
        |name: &String| Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    if let Some(name) = files.iter().find(|name| !inside(name)) {
        return Err(format!("its scene reads {name}, which is not in its folder"));
    }
    files.sort_unstable();
    files.dedup();
    let place = |name: String| Ok((name.clone(), scene.file_path(&in_folder(run, &name))?));
    files.into_iter().map(place).collect()
}

/// A run that grains continue from.
pub(super) struct EarlierRun<D: FromScene> {
    spec: FromRun,
    /// Whether names in it may be quoted.
    shown: bool,
    file: SceneFile,
    /// The shapes of its scene, as its tables have them.
    shapes: Vec<BuiltShape<D>>,
    /// Of each shape that there is, the shape of its scene and the factor on its lengths.
    origins: Vec<(u32, f64)>,
    setup: Setup<D>,
    state: Arc<[u8]>,
    snapshot: Snapshot<D>,
    cell: Option<Cell<D>>,
    stamp: Stamp,
}

/// What of a scene continues from a run.
pub(super) struct GoingOn {
    pub(super) grains: Range<usize>,
    /// For each wall, whether it is the same.
    pub(super) walls: Vec<bool>,
}

impl<D: FromScene> EarlierRun<D> {
    /// Reads the run that the grains of a scene continue from, if it has such grains; what is wrong is reported.
    pub(super) fn read(scene: &Scene, diagnostics: &mut Diagnostics<'_>) -> Option<Self> {
        let mut runs = scene.file.grains.iter().enumerate().filter_map(|(i, group)| match group {
            Grains::Run(run) => Some((i, run)),
            _ => None,
        });
        let (group, spec) = runs.next()?;
        let place = format!("grains[{group}].folder");
        if let Some((other, _)) = runs.next() {
            let key = format!("grains[{other}]");
            diagnostics
                .error(&key, format_args!("{key} is from a run, but grains[{group}] is, and one may be"));
            return None;
        }
        let read = open(scene, spec).and_then(|opened| Self::of(scene, spec, opened));
        read.map_err(|why| diagnostics.error(&place, format_args!("{place} is \"{}\": {why}", spec.folder)))
            .ok()
    }

    fn of(scene: &Scene, spec: &FromRun, opened: Opened) -> Result<Self, String> {
        let Opened { stamp, payload, scene: earlier, shapes } = opened;
        let file = earlier.file.clone();
        if file.dimension != scene.file.dimension {
            let of = file.dimension as u32;
            return Err(format!("that run has dimension = {of}, this scene {}", scene.file.dimension as u32));
        }
        let unreadable = || "the shapes of that run cannot be built again".to_owned();
        let built = Self::parts(&earlier)?.ok_or_else(unreadable)?;
        let origins =
            shapes.iter().map(|(name, scale)| Some((u32::try_from(file.shapes.find(name)?.0).ok()?, *scale)));
        let origins: Vec<(u32, f64)> = origins.collect::<Option<_>>().ok_or_else(unreadable)?;
        let sized = |&(shape, scale): &(u32, f64)| match built.shapes.get(shape as usize) {
            Some(same) if scale == 1.0 => Some(same.clone()),
            _ => scaled(&file.shapes.list.get(shape as usize)?.1, scale, &file),
        };
        let all: Vec<BuiltShape<D>> =
            origins.iter().map(sized).collect::<Option<_>>().ok_or_else(unreadable)?;
        // The time of a state is that of its checkpoint; none of its steps has the length zero.
        let time_step = if stamp.step > 0 { stamp.time / stamp.step as f64 } else { 1.0 };
        let setup = Setup {
            compounds: compounds::of(&all),
            shapes: all.into_iter().map(|made| made.shape).collect(),
            densities: laws::densities(&file),
            interactions: built.interactions,
            rules: laws::rules(&file),
            method: file.contact.method.clone(),
            grains: Vec::new(),
            walls: built.walls,
            tools: built.tools,
            gravity: file.gravity.vector::<D>(),
            time_step,
            domain: None,
            cell: super::cell::make(&file, None),
            earlier: None,
        };
        let world = Payload::read(&payload).ok_or_else(unreadable)?.world;
        let restored = World::restore(&setup, world).map_err(|error| error.to_string())?;
        let cell = restored.cell().map(|state| state.cell);
        check_axes(spec, cell.as_ref(), super::cell::make(&scene.file, None).as_ref())?;
        Ok(Self {
            spec: spec.clone(),
            shown: scene.shows(&scene.folder.join(&spec.folder)),
            shapes: built.shapes,
            origins,
            snapshot: restored.snapshot(),
            cell,
            state: world.into(),
            setup,
            file,
            stamp,
        })
    }

    /// Shapes, walls, tools and materials of the scene of the run.
    fn parts(earlier: &Scene) -> Result<Option<Parts<D>>, String> {
        let mut found = Diagnostics::new(earlier, Vec::new());
        let built = parts::<D>(&earlier.file, Some(earlier), None, &mut found);
        found.finish().map(|_| built).map_err(|problems| problems.to_string())
    }

    /// Moves walls that start where the run left them.
    pub(super) fn move_walls(&self, walls: &mut [Wall<D>]) {
        if self.spec.boundaries == Boundaries::Run {
            for wall in walls {
                if let Some((_, pose)) = self.wall(wall) {
                    wall.pose = pose;
                }
            }
        }
    }

    /// The wall of that name and shape in the run, and where it was at the end.
    fn wall(&self, wall: &Wall<D>) -> Option<(usize, gritstone_core::Pose<D>)> {
        let is_same = |there: &Wall<D>| {
            there.name == wall.name && there.shape == wall.shape && there.surface == wall.surface
        };
        let index = self.setup.walls.iter().position(is_same)?;
        let state = self.snapshot.walls.get(index).filter(|state| state.present)?;
        Some((index, state.pose))
    }

    fn is_same_wall(&self, wall: &Wall<D>) -> bool {
        wall.present && self.wall(wall).is_some_and(|(_, pose)| pose == wall.pose)
    }

    /// The cell that a scene's cell is to continue from.
    pub(super) fn cell(&self) -> Option<&Cell<D>> {
        self.cell.as_ref().filter(|_| self.spec.boundaries == Boundaries::Run)
    }

    /// What continues from the run.
    pub(super) fn going_on(&self, groups: &Placed<D>, parts: &Parts<D>) -> GoingOn {
        let walls = parts.walls.iter().map(|wall| self.is_same_wall(wall)).collect();
        GoingOn { grains: groups.going_on.clone(), walls }
    }

    /// What there is to tell of it.
    pub(super) fn continued(&self, parts: &Parts<D>) -> Continued {
        let same = |wall: &&Wall<D>| self.is_same_wall(wall);
        Continued {
            folder: self.spec.folder.clone(),
            step: self.stamp.step,
            time: self.stamp.time,
            grains: self.snapshot.bodies.len(),
            contacts: self.snapshot.contacts.len(),
            walls: parts.walls.iter().filter(same).count(),
            other_walls: parts
                .walls
                .iter()
                .filter(|wall| !same(wall))
                .map(|wall| wall.name.clone())
                .collect(),
        }
    }

    /// What the engine continues from.
    pub(super) fn state(self, groups: &Placed<D>) -> Earlier<D> {
        Earlier {
            setup: Box::new(self.setup),
            state: self.state,
            shapes: groups.shapes.clone(),
            materials: groups.materials.clone(),
        }
    }
}

/// Refuses a cell of a run that repeats along other axes than that of the scene.
fn check_axes<D: FromScene>(
    spec: &FromRun,
    before: Option<&Cell<D>>,
    now: Option<&Cell<D>>,
) -> Result<(), String> {
    let repeats = |cell: &Cell<D>| cell.sides.map(|side| side.is_some());
    let differ = before.zip(now).is_some_and(|(before, now)| repeats(before) != repeats(now));
    if spec.boundaries == Boundaries::Run && differ {
        return Err("its periodic cell repeats along other axes than the scene's".to_owned());
    }
    Ok(())
}

/// Indices in this scene of what a run has; none for what no grain of it has.
pub(super) struct Renumbered {
    pub(super) shapes: Vec<Option<u32>>,
    pub(super) materials: Vec<Option<u16>>,
}

impl<D: FromScene> GrainBuilder<'_, '_, D> {
    /// The grains of a run, with the indices that their shapes and materials have here.
    pub(super) fn run(&mut self, run: &EarlierRun<D>) -> Option<(Vec<Grain<D>>, Renumbered)> {
        let bodies = &run.snapshot.bodies;
        let mut shapes = vec![None; run.origins.len()];
        for shape in sorted(bodies.iter().map(|body| body.shape)) {
            shapes[shape as usize] = Some(self.shape_of_run(run, shape)?);
        }
        // Those of walls as well, whose contacts continue.
        let mut materials: Vec<Option<u16>> =
            run.file.materials.names().map(|name| self.material_here(name)).collect();
        for material in sorted(bodies.iter().map(|body| body.material)) {
            let name = run.file.materials.names().nth(material.into()).unwrap_or_default();
            // A name that this scene has, too, tells nothing.
            let known = self.material_here(name).is_some();
            let name = if known { name.to_owned() } else { self.name_of(run, name) };
            let place = self.key.to_owned();
            let said = format!("{place}: a material of that run");
            let here = heavy_material(&place, &said, &name, &self.scene.file, self.diagnostics)?;
            materials[usize::from(material)] = Some(here);
        }
        let grain = |body: &gritstone_engine::BodyState<D>| {
            Some(Grain {
                id: body.id,
                shape: shapes[body.shape as usize]?,
                material: materials[usize::from(body.material)]?,
                pose: body.pose,
                velocity: body.velocity,
                spin: body.spin,
                frozen: body.frozen,
            })
        };
        Some((bodies.iter().map(grain).collect::<Option<_>>()?, Renumbered { shapes, materials }))
    }

    fn material_here(&self, name: &str) -> Option<u16> {
        u16::try_from(self.scene.file.materials.find(name)?.0).ok()
    }

    /// A name of a run; nothing that could be told where its folder is outside of the scene's.
    fn name_of(&self, run: &EarlierRun<D>, name: &str) -> String {
        if run.shown { name.to_owned() } else { "(not shown)".to_owned() }
    }

    /// Index here of a shape of a run, which must be the same.
    fn shape_of_run(&mut self, run: &EarlierRun<D>, shape: u32) -> Option<u32> {
        let (origin, scale) = run.origins[shape as usize];
        let (name, folder) = (&run.file.shapes.list[origin as usize].0, &run.spec.folder);
        let (place, file) = (format!("{}.folder", self.key), &self.scene.file);
        let Some((here, _)) = file.shapes.find(name) else {
            let name = self.name_of(run, name);
            self.diagnostics.error(
                &place,
                format_args!(
                    "{place} is \"{folder}\", whose grains have the shape \"{name}\", which this scene has not: copy shapes.{name} \
                     from {folder}/scene.toml"
                ),
            );
            return None;
        };
        let (before, now) = (&run.shapes[origin as usize], self.shapes[here].as_ref()?);
        if (&before.shape, &before.compound) != (&now.shape, &now.compound) {
            let key = format!("shapes.{name}");
            self.diagnostics.error(
                &key,
                format_args!(
                    "{key} is another shape than in {folder}, whose grains go on with it: give the new one another name"
                ),
            );
            return None;
        }
        let made = self.sizes.get(here as u32, scale, file);
        if made.is_none() {
            self.diagnostics
                .error(&place, format_args!("{place}: shapes.{name} cannot be made {scale} times as large"));
        }
        made
    }
}

/// Each of some numbers once.
fn sorted<T: Ord>(numbers: impl Iterator<Item = T>) -> Vec<T> {
    let mut numbers: Vec<T> = numbers.collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// What of a scene continues from a run, in words and numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Continued {
    /// Folder of the run.
    pub folder: String,
    /// The step and time (s) at which it was.
    pub step: u64,
    /// Its time (s).
    pub time: f64,
    /// Number of its grains.
    pub grains: usize,
    /// Number of its contacts.
    pub contacts: usize,
    /// Walls of this scene that are the same.
    pub walls: usize,
    /// Names of the others, with which contacts begin anew.
    pub other_walls: Vec<String>,
}

impl Continued {
    /// The same as JSON.
    pub(super) fn to_json(&self) -> Value {
        json!({
            "folder": self.folder, "step": self.step, "time": self.time, "grains": self.grains, "contacts": self.contacts,
            "other_walls": self.other_walls,
        })
    }
}

impl Display for Continued {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (grains, contacts) = (plural(self.grains, "grain"), plural(self.contacts, "contact"));
        write!(f, "{grains} and {contacts} of {} at {}", self.folder, time(self.time))?;
        if !self.other_walls.is_empty() {
            write!(f, "; new or moved walls: {}", self.other_walls.join(", "))?;
        }
        Ok(())
    }
}
