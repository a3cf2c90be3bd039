//! Frames for ParaView and other programs that read VTK.
//!
//! Each frame is up to four `.vtp` files, named after their step, and each kind has a `.pvd` file that lists its frames with
//! their times; that is written anew, aside, after every frame, so that a killed run leaves a series that can be opened.
//!
//! | series | what | arrays |
//! |---|---|---|
//! | `grains.pvd` | surfaces of the grains as triangles, in the plane as polygons | cells: `id`, `shape`, `material`, `coordination`, `speed`; points: `Normals` |
//! | `points.pvd` | centres of the grains | the same, `velocity`, `spin`, `force`, `quaternion` (w, x, y, z), `semi_axes`, `blockiness`, `tensor` |
//! | `contacts.pvd` | lines from centre to contact to centre | cells: `a`, `b`, `with_wall`, `depth`, `normal`, `force`; points and cells: `force_magnitude` |
//! | `walls.pvd` | walls; of those without end the part near the grains | cells: `wall`, `force` |
//!
//! `open.py` beside them opens all four in ParaView. [`write_hdf`] writes the same series as VTKHDF, one file each.
//!
//! `tensor` is for ParaView's Tensor Glyph with its superquadric: columns a·e₁, c·e₃, −b·e₂ of the grain's axes, zero for
//! shapes that are no superquadric. Switch *Extract Eigenvalues* off, set *Phi Roundness* to 2/n₁, *Theta Roundness* to
//! 2/n₂ of `blockiness`, and the scale factor to 2, because that glyph is one across.

mod contacts;
mod grains;
mod hdf;
mod points;
mod poly_data;
mod pvd;
mod walls;

use std::fs;
use std::path::{Path, PathBuf};

use gritstone_contact::NarrowPhase;
use gritstone_engine::{Compounds, Snapshot, Wall};

use crate::file::{FileError, replace};
use crate::tessellation::{SurfaceMesh, Surfaces, UnitShapes};
use poly_data::PolyData;
use pvd::Pvd;

/// The script that opens a series in ParaView, see `docs/paraview.md`.
const OPENER: &str = "open.py";

/// What frames shall hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Content {
    /// Divisions of an eighth of a grain's girth, as for
    /// [`Tessellate`](gritstone_shape::Tessellate::tessellate); nothing leaves the surfaces out.
    pub surfaces: Option<u32>,
    /// Whether contacts are written.
    pub contacts: bool,
}

impl Content {
    /// Everything, with as much detail as keeps the surfaces of this many grains below some five million triangles.
    pub fn for_grains(grains: usize) -> Self {
        let detail = (5e6 / (48.0 * grains.max(1) as f64)).sqrt();
        Self { surfaces: Some((detail as u32).clamp(1, 8)), contacts: true }
    }
}

/// A series of frames in a folder.
#[derive(Debug)]
pub struct Frames<D: NarrowPhase> {
    folder: PathBuf,
    scenery: Scenery<D>,
    series: Vec<(Kind, Pvd)>,
}

/// What frames are drawn with.
#[derive(Debug)]
struct Scenery<D: NarrowPhase> {
    content: Content,
    unit_shapes: UnitShapes<D>,
    /// Surfaces of the unit shapes.
    surface_meshes: Vec<Option<SurfaceMesh<D>>>,
    walls: Vec<Wall<D>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Grains,
    Points,
    Contacts,
    Walls,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Self::Grains => "grains",
            Self::Points => "points",
            Self::Contacts => "contacts",
            Self::Walls => "walls",
        }
    }
}

impl<D: Surfaces> Frames<D> {
    /// Starts a series in a folder, which is made where it is missing. A series that is there is forgotten.
    pub fn create(
        folder: &Path,
        shapes: &[D::Shape],
        walls: &[Wall<D>],
        content: Content,
    ) -> Result<Self, FileError> {
        Self::open(folder, shapes, walls, content, None, &[])
    }

    /// The same series for shapes some of which are compounds.
    #[must_use]
    pub fn with_compounds(mut self, shapes: &[D::Shape], compounds: &Compounds<D>) -> Self {
        let Scenery { content, walls, .. } = self.scenery;
        self.scenery = Scenery::new(shapes, Some(compounds), walls, content);
        self
    }

    /// Goes on with a series after `step`: later frames are dropped, and files with these names are left out.
    pub fn resume(
        folder: &Path,
        shapes: &[D::Shape],
        walls: &[Wall<D>],
        content: Content,
        step: u64,
        without: &[String],
    ) -> Result<Self, FileError> {
        Self::open(folder, shapes, walls, content, Some(step), without)
    }

    fn open(
        folder: &Path,
        shapes: &[D::Shape],
        walls: &[Wall<D>],
        content: Content,
        keep: Option<u64>,
        without: &[String],
    ) -> Result<Self, FileError> {
        fs::create_dir_all(folder).map_err(FileError::when("make the folder", folder))?;
        replace(&folder.join(OPENER), |file| file.write_all(include_bytes!("vtk/open.py")))?;
        let scenery = Scenery::new(shapes, None, walls.to_vec(), content);
        let series = scenery
            .kinds()
            .map(|kind| Pvd::open(folder, kind.word(), keep, without).map(|pvd| (kind, pvd)))
            .collect::<Result<_, _>>()?;
        Ok(Self { folder: folder.to_owned(), scenery, series })
    }

    /// Names of all files of frames, in the folder of the series.
    pub fn file_names(&self) -> impl Iterator<Item = String> {
        self.series.iter().flat_map(|(_, pvd)| pvd.file_names())
    }

    /// Step of the last frame.
    pub fn last_step(&self) -> Option<u64> {
        self.series.iter().filter_map(|(_, pvd)| pvd.last_step()).max()
    }

    /// Adds a frame. A step that a series has already is not written again.
    pub fn push(&mut self, snapshot: &Snapshot<D>) -> Result<(), FileError> {
        for i in 0..self.series.len() {
            let (kind, pvd) = &self.series[i];
            if pvd.last_step().is_some_and(|last| snapshot.step <= last) {
                continue;
            }
            let path = self.folder.join(pvd.file_name(snapshot.step));
            self.scenery.part(*kind, snapshot).write(&path, snapshot.time)?;
            self.series[i].1.push(snapshot.step, snapshot.time)?;
        }
        Ok(())
    }
}

impl<D: Surfaces> Scenery<D> {
    fn new(
        shapes: &[D::Shape],
        compounds: Option<&Compounds<D>>,
        walls: Vec<Wall<D>>,
        content: Content,
    ) -> Self {
        let unit_shapes = UnitShapes::new(shapes, compounds);
        let surface_meshes =
            content.surfaces.map_or_else(Vec::new, |detail| unit_shapes.surface_meshes(detail));
        Self { content, unit_shapes, surface_meshes, walls }
    }

    /// The series that there are.
    fn kinds(&self) -> impl Iterator<Item = Kind> + use<D> {
        let kinds = [
            (Kind::Grains, self.content.surfaces.is_some()),
            (Kind::Points, true),
            (Kind::Contacts, self.content.contacts),
            (Kind::Walls, !self.walls.is_empty()),
        ];
        kinds.into_iter().filter(|(_, wanted)| *wanted).map(|(kind, _)| kind)
    }

    fn part(&self, kind: Kind, snapshot: &Snapshot<D>) -> PolyData {
        match kind {
            Kind::Grains => grains::surfaces(snapshot, &self.unit_shapes, &self.surface_meshes),
            Kind::Points => points::centres(snapshot, &self.unit_shapes),
            Kind::Contacts => contacts::lines(snapshot),
            Kind::Walls => walls::walls(snapshot, &self.walls, self.content.surfaces.unwrap_or(4)),
        }
    }
}

/// Writes frames into a folder as VTKHDF files, one for each series with all frames; `frame` gives them by their numbers.
pub fn write_hdf<D: Surfaces>(
    folder: &Path,
    (shapes, compounds): (&[D::Shape], &Compounds<D>),
    walls: &[Wall<D>],
    content: Content,
    frames: &[usize],
    mut frame: impl FnMut(usize) -> Result<Snapshot<D>, FileError>,
) -> Result<(), FileError> {
    fs::create_dir_all(folder).map_err(FileError::when("make the folder", folder))?;
    let scenery = Scenery::new(shapes, Some(compounds), walls.to_vec(), content);
    for kind in scenery.kinds() {
        let path = folder.join(format!("{}.vtkhdf", kind.word()));
        let mut series = hdf::Series::default();
        for &number in frames {
            let snapshot = frame(number)?;
            series.push(scenery.part(kind, &snapshot), snapshot.time, &path)?;
        }
        series.write(&path)?;
    }
    Ok(())
}
