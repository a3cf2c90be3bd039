//! Files that a run writes.

use gritstone_engine::{Backend, Energies, Setup, Status};
use gritstone_io::FileError;
use gritstone_io::series::{Column, Series};
use gritstone_io::trajectory::{Description, Repaired, Writer};
use gritstone_io::vtk::{Content, Frames};
use gritstone_scene::schema::SceneFile;
use gritstone_scene::{Built, Intervals};

use super::checksums::Checked;
use super::folder::{ENERGIES, Folder, TRAJECTORY, VTK, WALLS};
use super::{RunDimension, wall_table};

/// Triangles of a frame for ParaView, about; beyond, writing takes longer than the steps between two frames.
const TRIANGLES: f64 = 4e5;

/// The files that grow with the run.
#[derive(Debug)]
pub(super) struct Outputs<D: RunDimension> {
    intervals: Intervals,
    frames: Option<Frames<D>>,
    trajectory: Option<Writer<D>>,
    energies: Option<Series>,
    walls: Option<Series>,
    /// What is worth a line about files.
    pub(super) notes: Vec<String>,
}

impl<D: RunDimension> Outputs<D> {
    /// Starts the files, or continues with them after a step.
    pub(super) fn open(
        folder: &Folder,
        file: &SceneFile,
        built: &Built<D>,
        world: &dyn Backend<D>,
        reached: Option<u64>,
        checked: &Checked,
    ) -> Result<Self, FileError> {
        let (setup, intervals, path) = (&built.setup, built.plan.output, &folder.path);
        let content = content(setup.grains.len());
        let frames = intervals.vtk.map(|_| match reached {
            Some(step) => Frames::resume(
                &path.join(VTK),
                &setup.shapes,
                &setup.walls,
                content,
                step,
                &checked.bad_frames,
            ),
            None => Frames::create(&path.join(VTK), &setup.shapes, &setup.walls, content),
        });
        let frames = frames.transpose()?.map(|frames| frames.with_compounds(&setup.shapes, &setup.compounds));
        let materials = materials(file);
        let description = description(file, setup, &built.shape_names, &materials);
        let path = path.join(TRAJECTORY);
        let trajectory = intervals.trajectory.map(|_| match reached {
            Some(step) => Writer::resume(&path, &description, step),
            None => Writer::create(&path, &description).map(|writer| (writer, None)),
        });
        let (trajectory, repaired) = trajectory.transpose()?.unzip();
        let path = folder.path.join(ENERGIES);
        let energies = intervals.energies.map(|_| match reached {
            Some(step) => Series::resume(&path, &COLUMNS, step),
            None => Series::create(&path, &COLUMNS),
        });
        let walls = intervals.walls.map(|_| wall_table::open(&folder.path.join(WALLS), world, reached));
        Ok(Self {
            intervals,
            frames,
            trajectory,
            energies: energies.transpose()?,
            walls: walls.transpose()?.flatten(),
            notes: notes(checked, repaired.flatten().as_ref()),
        })
    }

    /// Looks whether the trajectory of a folder can be continued with, and changes nothing.
    pub(super) fn check(folder: &Folder, file: &SceneFile, built: &Built<D>) -> Result<(), FileError> {
        match built.plan.output.trajectory {
            None => Ok(()),
            Some(_) => {
                let materials = materials(file);
                let description = description(file, &built.setup, &built.shape_names, &materials);
                Writer::check(&folder.path.join(TRAJECTORY), &description)
            }
        }
    }

    /// Writes what is due, or everything at the end.
    pub(super) fn write(&mut self, world: &dyn Backend<D>, at_end: bool) -> Result<(), FileError> {
        let status = world.status();
        let due = |interval: Option<u64>| interval.is_some_and(|n| at_end || status.step.is_multiple_of(n));
        let (frame, moment) = (due(self.intervals.vtk), due(self.intervals.trajectory));
        if frame || moment {
            let snapshot = world.snapshot();
            if let Some(frames) = self.frames.as_mut().filter(|_| frame) {
                frames.push(&snapshot)?;
            }
            if let Some(trajectory) = self.trajectory.as_mut().filter(|_| moment) {
                let cell = world.cell().map(|state| state.cell);
                trajectory.push_in(&snapshot, cell.as_ref(), true)?;
            }
        }
        if let Some(energies) = self.energies.as_mut().filter(|_| due(self.intervals.energies)) {
            energies.push(status.step, &row(&status, &world.energies()))?;
        }
        if let Some(walls) = self.walls.as_mut().filter(|_| due(self.intervals.walls)) {
            walls.push(status.step, &wall_table::row(world))?;
        }
        Ok(())
    }

    /// Names of the files that grow by and by; all but frames for ParaView.
    pub(super) fn names(&self) -> impl Iterator<Item = String> {
        let there = [
            (TRAJECTORY, self.trajectory.is_some()),
            (ENERGIES, self.energies.is_some()),
            (WALLS, self.walls.is_some()),
        ];
        there.into_iter().filter(|(_, there)| *there).map(|(name, _)| name.to_owned())
    }

    /// Names of the frames for ParaView.
    pub(super) fn frame_names(&self) -> impl Iterator<Item = String> {
        self.frames.iter().flat_map(Frames::file_names).map(|name| format!("{VTK}/{name}"))
    }

    /// Makes what has been written survive a loss of power; all but frames for ParaView.
    pub(super) fn sync(&self) -> Result<(), FileError> {
        self.trajectory.as_ref().map_or(Ok(()), Writer::sync)?;
        self.energies.as_ref().map_or(Ok(()), Series::sync)?;
        self.walls.as_ref().map_or(Ok(()), Series::sync)
    }
}

pub(super) fn materials(file: &SceneFile) -> Vec<String> {
    file.materials.names().map(str::to_owned).collect()
}

/// What the trajectory says of shapes, walls and materials.
pub(super) fn description<'r, D: RunDimension>(
    file: &'r SceneFile,
    setup: &'r Setup<D>,
    shape_names: &'r [String],
    materials: &'r [String],
) -> Description<'r, D> {
    Description {
        title: file.title.as_deref().unwrap_or_default(),
        shapes: &setup.shapes,
        compounds: Some(&setup.compounds),
        shape_names,
        materials,
        walls: &setup.walls,
    }
}

/// What was found wrong with files that the run continues with.
fn notes(checked: &Checked, repaired: Option<&Repaired>) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(repaired) = repaired {
        notes.push(format!("{TRAJECTORY}: {repaired}"));
    } else if checked.trajectory_altered {
        notes.push(format!("{TRAJECTORY}: bytes have changed; damaged frames are left out"));
    }
    if let Some(first) = checked.bad_frames.first() {
        let count = checked.bad_frames.len();
        notes.push(format!(
            "frames for ParaView that are missing or altered are left out: {first} ({count} in all)"
        ));
    }
    notes
}

/// Surfaces in as much detail as is worth the time, and contacts.
fn content(grains: usize) -> Content {
    let detail = (TRIANGLES / (48.0 * grains.max(1) as f64)).sqrt();
    Content { surfaces: Some((detail as u32).clamp(1, 8)), contacts: true }
}

const fn joule(name: &str) -> Column<'_> {
    Column { name, unit: "J" }
}

const fn number(name: &str) -> Column<'_> {
    Column { name, unit: "" }
}

/// Columns of `energies.csv` behind the step.
const COLUMNS: [Column<'static>; 13] = [
    Column { name: "time", unit: "s" },
    joule("translation"),
    joule("rotation"),
    joule("potential"),
    joule("elastic"),
    joule("dissipated"),
    joule("wall_work"),
    joule("taken_out"),
    joule("balance"),
    number("grains"),
    number("contacts"),
    number("largest_overlap"),
    number("unresolved"),
];

fn row(status: &Status, energies: &Energies) -> [f64; 13] {
    [
        status.time,
        energies.translation,
        energies.rotation,
        energies.potential,
        energies.elastic,
        energies.dissipated,
        energies.wall_work,
        energies.taken_out,
        energies.balance(),
        status.grains as f64,
        status.contacts as f64,
        status.deepest,
        status.unresolved_since_start as f64,
    ]
}
