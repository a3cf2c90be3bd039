//! Frames of a finished run in the formats of other programs.
//!
//! All comes from the trajectory and the scene in the folder of the run, so that a run need not write large files on its way. Numbers
//! are as exact as the trajectory: see `docs/trajectory.md`.

use std::fs;
use std::path::{Path, PathBuf};

use gritstone_engine::{BodyState, ContactState, Dimension, Snapshot, WallState};
use gritstone_force::radius;
use gritstone_io::dump::write_dump_frame;
use gritstone_io::states::{Names, write_frame};
use gritstone_io::tessellation::UnitShapes;
use gritstone_io::trajectory::{Frame, PackedRotation, Reader};
use gritstone_io::vtk::{Content, Frames, write_hdf};
use gritstone_io::{FileError, replace};
use gritstone_scene::{Build, Built, Problems, Scene};

use crate::run::{RunDimension, SCENE, TRAJECTORY};

/// A format of other programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A table for each frame, in a folder; another run may start from it.
    Csv,
    /// All frames in one file, as LAMMPS writes them.
    Dump,
    /// Frames for ParaView, in a folder.
    Vtk,
    /// The same with all frames of a kind in one file.
    VtkHdf,
}

/// Why frames were not written.
#[derive(Debug, thiserror::Error)]
pub enum ConvertError {
    /// The folder holds no trajectory.
    #[error("{} holds no {TRAJECTORY}: it is no run, or its scene says trajectory = false", folder.display())]
    NoTrajectory {
        /// The folder.
        folder: PathBuf,
    },
    /// There is nothing to write.
    #[error("{} has no frames", path.display())]
    NoFrames {
        /// The trajectory.
        path: PathBuf,
    },
    /// The scene in the folder cannot be used.
    #[error("the scene of the run cannot be used: {0}")]
    Scene(#[from] Problems),
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
}

/// What was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Converted {
    /// Number of frames that were written.
    pub frames: usize,
    /// Number of frames of the run.
    pub of: usize,
}

/// Writes every so many frames of a run and its last one to a file, or into a folder.
pub fn convert(folder: &Path, format: Format, every: usize, out: &Path) -> Result<Converted, ConvertError> {
    let path = folder.join(TRAJECTORY);
    if !path.is_file() {
        return Err(ConvertError::NoTrajectory { folder: folder.to_owned() });
    }
    let mut reader = Reader::open(&path)?;
    let all = reader.moments().len();
    let frames: Vec<usize> = (0..all).filter(|i| i % every.max(1) == 0 || i + 1 == all).collect();
    if frames.is_empty() {
        return Err(ConvertError::NoFrames { path });
    }
    let scene = Scene::read(&folder.join(SCENE))?;
    let materials: Vec<String> = scene.file.materials.names().map(str::to_owned).collect();
    match scene.build()? {
        Build::Plane(built) => write(&mut reader, &frames, &built, &materials, format, out)?,
        Build::Space(built) => write(&mut reader, &frames, &built, &materials, format, out)?,
    }
    Ok(Converted { frames: frames.len(), of: all })
}

fn write<D: RunDimension>(
    reader: &mut Reader,
    frames: &[usize],
    built: &Built<D>,
    materials: &[String],
    format: Format,
    out: &Path,
) -> Result<(), FileError> {
    match format {
        Format::Csv => tables::<D>(reader, frames, &Names { shapes: &built.shape_origins, materials }, out),
        Format::Dump => dump(reader, frames, built, out),
        Format::Vtk => vtk(reader, frames, built, out),
        Format::VtkHdf => {
            let setup = &built.setup;
            let content = Content::for_grains(setup.grains.len());
            let shapes = (setup.shapes.as_slice(), &setup.compounds);
            let frame = |number| reader.frame::<D>(number).map(|frame| snapshot(&frame));
            write_hdf(out, shapes, &setup.walls, content, frames, frame)
        }
    }
}

fn tables<T: PackedRotation>(
    reader: &mut Reader,
    frames: &[usize],
    names: &Names<'_>,
    out: &Path,
) -> Result<(), FileError> {
    fs::create_dir_all(out).map_err(|source| FileError::System {
        doing: "make the folder",
        path: out.to_owned(),
        source,
    })?;
    for &number in frames {
        let frame = reader.frame::<T>(number)?;
        write_frame(&out.join(format!("grains_{:09}.csv", frame.step)), &frame, names)?;
    }
    Ok(())
}

fn dump<D: RunDimension>(
    reader: &mut Reader,
    frames: &[usize],
    built: &Built<D>,
    out: &Path,
) -> Result<(), FileError> {
    let setup = &built.setup;
    let unit_shapes = UnitShapes::new(&setup.shapes, Some(&setup.compounds));
    let radius = |shape: u32| radius::of_volume::<D>(setup.volume(shape));
    let radii: Vec<f64> = (0..setup.shapes.len() as u32).map(radius).collect();
    replace(out, |file| {
        frames.iter().try_for_each(|&number| {
            let frame = reader.frame::<D>(number).map_err(std::io::Error::other)?;
            write_dump_frame(file, &frame, &unit_shapes, &radii)
        })
    })
}

fn vtk<D: RunDimension>(
    reader: &mut Reader,
    frames: &[usize],
    built: &Built<D>,
    out: &Path,
) -> Result<(), FileError> {
    let setup = &built.setup;
    let content = Content::for_grains(setup.grains.len());
    let series = Frames::create(out, &setup.shapes, &setup.walls, content)?;
    let mut series = series.with_compounds(&setup.shapes, &setup.compounds);
    frames.iter().try_for_each(|&number| series.push(&snapshot(&reader.frame::<D>(number)?)))
}

/// A frame as the writer of frames for ParaView takes it. What a trajectory does not hold (forces on grains by direction, depths
/// and normals of contacts, torques on walls) is not a number.
fn snapshot<D: Dimension>(frame: &Frame<D>) -> Snapshot<D> {
    use gritstone_core::Vector as _;
    let unknown = D::Vec::from_fn(|_| f64::NAN);
    let bodies = frame.grains.iter().map(|grain| BodyState {
        id: grain.id,
        shape: grain.shape,
        material: grain.material,
        coordination: grain.coordination.into(),
        pose: grain.pose,
        velocity: grain.velocity,
        spin: grain.spin,
        force: unknown,
        ..BodyState::default()
    });
    let walls = frame.walls.iter().map(|wall| WallState {
        present: wall.present,
        pose: wall.pose,
        force: wall.force,
        ..WallState::default()
    });
    let contacts = frame.contacts.iter().flatten().map(|contact| ContactState {
        a: contact.a,
        b: contact.b,
        with_wall: contact.with_wall,
        point: contact.point,
        force: contact.force,
        normal: unknown,
        depth: f64::NAN,
        ..ContactState::default()
    });
    Snapshot {
        step: frame.step,
        time: frame.time,
        bodies: bodies.collect(),
        walls: walls.collect(),
        contacts: contacts.collect(),
    }
}
