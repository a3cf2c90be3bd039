//! How long a run will take, and how large its files will be: estimates to a factor of two or so.

use gritstone_engine::Setup;

use super::from_scene::FromScene;
use super::plan::Intervals;
use crate::schema::SceneFile;

/// Seconds per grain and step of dense beds on one core, by the keyword of the shape; see docs/performance.md.
const SECONDS: &[(&str, f64)] = &[
    ("sphere", 0.10e-6),
    ("ellipsoid", 0.15e-6),
    ("superellipsoid", 0.30e-6),
    ("superquadric", 0.30e-6),
    ("capsule", 1.0e-6),
    ("cylinder", 1.5e-6),
    ("polyhedron", 2.0e-6),
    ("circle", 0.4e-6),
    ("ellipse", 0.7e-6),
];
/// Of all other shapes.
const OTHERS: f64 = 2.0e-6;
/// What is gained by a second core, and by any other.
const PARALLEL: f64 = 0.7;
/// Work of one thread in a step (s) from which another thread pays: threads wait for each other a dozen times in a step, and two are
/// 1.05 times as fast as one where a step takes 65 us, 1.57 times where it takes 270 us.
const WORK_OF_A_THREAD: f64 = 1e-4;

/// Bytes per grain and frame of the trajectory, contacts included.
const TRAJECTORY: f64 = 60.0;
/// Bytes per grain and frame of surfaces, points and contacts for ParaView, compressed.
const VTK: f64 = 4000.0;
/// Bytes of a line of the tables of energies and walls.
const LINE: f64 = 300.0;
/// Bytes per grain of the two checkpoints.
const CHECKPOINTS: f64 = 3000.0;

/// What a run costs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// Wall-clock time (s).
    pub seconds: f64,
    /// Number of threads that this is for: as many as pay, at most one per core.
    pub threads: usize,
    /// Number of cores of this machine.
    pub cores: usize,
    /// Size of its files (bytes).
    pub disk: f64,
    /// Part of that for ParaView.
    pub vtk: f64,
}

/// An estimate for so many grains and steps.
pub(super) fn estimate<D: FromScene>(
    file: &SceneFile,
    setup: &Setup<D>,
    grains: usize,
    steps: u64,
    output: &Intervals,
) -> Cost {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let (grains, steps) = (grains as f64, steps as f64);
    let step = grains * per_grain_and_step(file, setup);
    let threads = ((step / WORK_OF_A_THREAD) as usize).clamp(1, cores);
    let speed_up = 1.0 + PARALLEL * (threads - 1) as f64;
    let frames = |every: Option<u64>| every.map_or(0.0, |every| 1.0 + (steps / every as f64).floor());
    let vtk = frames(output.vtk) * grains * VTK;
    let lines = frames(output.energies) + frames(output.walls);
    let checkpoints = if output.checkpoint.is_some() { grains * CHECKPOINTS } else { 0.0 };
    let trajectory = frames(output.trajectory) * grains * TRAJECTORY;
    Cost {
        seconds: steps * step / speed_up,
        threads,
        cores,
        disk: vtk + trajectory + lines * LINE + checkpoints,
        vtk,
    }
}

/// The mean of the shapes that grains can have.
fn per_grain_and_step<D: FromScene>(file: &SceneFile, setup: &Setup<D>) -> f64 {
    let of = |keyword: &str| SECONDS.iter().find(|(known, _)| *known == keyword).map_or(OTHERS, |(_, s)| *s);
    let shapes = file.shapes.list.iter().zip(0..).filter(|(_, shape)| setup.volume(*shape) > 0.0);
    let costs: Vec<f64> = shapes.map(|((_, shape), _)| of(shape.keyword())).collect();
    costs.iter().sum::<f64>() / costs.len().max(1) as f64
}
