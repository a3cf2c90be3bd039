//! A simulation in memory: stepped, asked and changed between steps.

use std::collections::HashSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use gritstone::core::{Plane, Space};
use gritstone::run::{End, Live, RunError as Failed};
use gritstone::scene::Build;
use gritstone::sweep::measure;
use numpy::{IntoPyArray as _, PyArray1};
use pyo3::exceptions::{PyKeyError, PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::array::{check_finite, vector};
use crate::edit;
use crate::pool::Pool;
use crate::scene::{Scene, run_error};
use crate::state;
use crate::view::{self, Memory, Views};

/// Wall-clock time between two checks for Ctrl-C.
const CHECK_EVERY: Duration = Duration::from_millis(50);

#[derive(Debug)]
pub(crate) enum Any {
    Plane(Box<Live<Plane>>),
    Space(Box<Live<Space>>),
}

/// Does the same with a simulation of either dimension.
macro_rules! each {
    ($any:expr, $live:ident => $body:expr) => {
        match $any {
            $crate::simulation::Any::Plane($live) => $body,
            $crate::simulation::Any::Space($live) => $body,
        }
    };
}
pub(crate) use each;

/// A simulation.
#[pyclass(module = "gritstone._core")]
#[derive(Debug)]
pub(crate) struct Simulation {
    pub(crate) live: Any,
    pub(crate) pool: Pool,
    pub(crate) views: Views,
    has_lines: bool,
}

impl Simulation {
    fn build(py: Python<'_>, scene: &Scene, threads: usize, saved: Option<&[u8]>) -> PyResult<Self> {
        let mut pool = Pool::new(threads)?;
        let started = pool.threads()?;
        let make = || -> Result<Any, Failed> {
            Ok(match (scene.scene.build()?, saved) {
                (Build::Plane(built), None) => Any::Plane(Box::new(Live::start(built)?)),
                (Build::Space(built), None) => Any::Space(Box::new(Live::start(built)?)),
                (Build::Plane(built), Some(bytes)) => Any::Plane(Box::new(Live::restore(built, bytes)?)),
                (Build::Space(built), Some(bytes)) => Any::Space(Box::new(Live::restore(built, bytes)?)),
            })
        };
        let live = py.detach(|| started.install(make));
        let live = live.map_err(|error| run_error(&error, scene.has_lines))?;
        Ok(Self { live, pool, views: Views::default(), has_lines: scene.has_lines })
    }

    /// Steps for a while; how many steps were made, and whether the scene has ended.
    fn some_steps(&mut self, steps: u64, to_end: bool) -> Result<(u64, Option<End>), Failed> {
        let start = Instant::now();
        each!(&mut self.live, live => {
            let mut made = 0;
            while made < steps && (made == 0 || start.elapsed() < CHECK_EVERY) {
                if let Some(end) = live.end().filter(|_| to_end) {
                    return Ok((made, Some(end)));
                }
                live.step()?;
                made += 1;
            }
            Ok((made, None))
        })
    }
}

#[pymethods]
impl Simulation {
    #[new]
    fn new(py: Python<'_>, scene: &Scene, threads: usize) -> PyResult<Self> {
        Self::build(py, scene, threads, None)
    }

    /// The simulation that `save` has written.
    #[staticmethod]
    fn restore(py: Python<'_>, scene: &Scene, threads: usize, bytes: &[u8]) -> PyResult<Self> {
        Self::build(py, scene, threads, Some(bytes))
    }

    /// All that the next step depends on.
    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        view::refuse_while_writing(self)?;
        let saved = py.detach(|| each!(&self.live, live => live.save()));
        saved.map(|bytes| PyBytes::new(py, &bytes)).map_err(|error| run_error(&error.into(), self.has_lines))
    }

    /// Writes a checkpoint into a folder, from which grains of other scenes continue.
    fn write_checkpoint(&self, py: Python<'_>, scene: &Scene, folder: PathBuf) -> PyResult<()> {
        view::refuse_while_writing(self)?;
        let written = py.detach(|| each!(&self.live, live => live.write_checkpoint(&scene.scene, &folder)));
        written.map_err(|error| run_error(&error, self.has_lines))
    }

    /// Makes so many steps, fewer where `to_end` and the scene ends; whether it has. Without the GIL.
    fn advance(&mut self, py: Python<'_>, steps: u64, to_end: bool) -> PyResult<bool> {
        view::end_all(self)?;
        let pool = self.pool.threads()?;
        let mut left = steps;
        while left > 0 {
            let done = py.detach(|| pool.install(|| self.some_steps(left, to_end)));
            let (made, end) = done.map_err(|error| run_error(&error, self.has_lines))?;
            left -= made;
            py.check_signals()?;
            if end.is_some() {
                return Ok(true);
            }
        }
        Ok(to_end && each!(&self.live, live => live.end().is_some()))
    }

    /// How it goes: step, time, grains, contacts and the like.
    fn status<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        each!(&self.live, live => state::status(py, live))
    }

    /// Where the energy is (J).
    fn energies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        each!(&self.live, live => state::energies(py, &live.world().energies()))
    }

    /// Columns of grains, in order of their ids.
    fn grains<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        each!(&self.live, live => state::grains(py, &live.world().body_states()))
    }

    /// Columns of contacts.
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        each!(&self.live, live => state::contacts(py, &live.world().contact_states()))
    }

    /// Columns of walls, in the order of their names.
    fn walls<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        each!(&self.live, live => {
            let dict = state::walls(py, &live.world().wall_states())?;
            dict.set_item("name", live.world().wall_names())?;
            Ok(dict)
        })
    }

    /// Name, columns and rows of each probe.
    fn probes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        each!(&self.live, live => {
            let dict = PyDict::new(py);
            for (name, columns, rows) in live.probes() {
                dict.set_item(name, state::table(py, &columns, rows)?)?;
            }
            Ok(dict)
        })
    }

    /// What `summary.json` says of a run, but for files and the clock, as JSON.
    fn summary(&self) -> String {
        each!(&self.live, live => live.summary()).to_string()
    }

    /// Numbers of the summary by the names that lead to them.
    fn measure(&self, names: Vec<String>) -> PyResult<Vec<(String, f64)>> {
        measure(&each!(&self.live, live => live.summary()), &names).map_err(PyValueError::new_err)
    }

    /// What has happened since this was asked last.
    fn notes(&mut self) -> Vec<String> {
        each!(&mut self.live, live => live.take_notes())
    }

    /// Gives a wall a velocity and an angular velocity.
    fn move_wall(
        &mut self,
        name: &str,
        velocity: &Bound<'_, PyAny>,
        spin: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        view::end_all(self)?;
        let moved = match &mut self.live {
            Any::Plane(live) => {
                let (velocity, spin) = (vector::<2>(velocity, "velocity")?, spin.extract()?);
                check_finite(&velocity, 1, "velocity")?;
                check_finite(&[spin], 1, "spin")?;
                live.world_mut().move_wall(name, velocity.into(), spin)
            }
            Any::Space(live) => {
                let (velocity, spin) = (vector::<3>(velocity, "velocity")?, vector::<3>(spin, "spin")?);
                check_finite(&velocity, 1, "velocity")?;
                check_finite(&spin, 1, "spin")?;
                live.world_mut().move_wall(name, velocity.into(), spin.into())
            }
        };
        if moved { Ok(()) } else { Err(self.not_moved(name)) }
    }

    /// Takes a wall away.
    fn remove_wall(&mut self, name: &str) -> PyResult<()> {
        view::end_all(self)?;
        let gone = each!(&mut self.live, live => live.world_mut().remove_wall(name));
        if gone { Ok(()) } else { Err(self.no_wall(name)) }
    }

    /// Removes grains by their ids; how many there were.
    fn remove(&mut self, ids: &Bound<'_, PyAny>) -> PyResult<usize> {
        let ids: HashSet<u32> = edit::read_ids(ids)?.into_iter().collect();
        view::end_all(self)?;
        Ok(each!(&mut self.live, live => live.world_mut().remove_where(|grain| ids.contains(&grain.id))))
    }

    /// Gives grains velocities and spins, row by row of `ids`; how many there were that can move.
    fn set_velocities(
        &mut self,
        ids: &Bound<'_, PyAny>,
        velocities: &Bound<'_, PyAny>,
        spins: &Bound<'_, PyAny>,
    ) -> PyResult<usize> {
        view::end_all(self)?;
        edit::set_velocities(&mut self.live, ids, velocities, spins)
    }

    /// Has these forces and torques act on grains, row by row of `ids`, and no others.
    fn set_forces(
        &mut self,
        ids: &Bound<'_, PyAny>,
        forces: &Bound<'_, PyAny>,
        torques: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        edit::set_forces(&mut self.live, ids, forces, torques)
    }

    /// Has the materials of another scene act, which differs in nothing else.
    fn set_materials(&mut self, scene: &Scene) -> PyResult<()> {
        view::end_all(self)?;
        let pool = self.pool.threads()?;
        pool.install(|| edit::set_materials(&mut self.live, scene))
    }

    /// Opens a view of the grains' memory.
    fn open_view(
        slf: &Bound<'_, Self>,
        write: bool,
    ) -> PyResult<(u64, Py<Memory>, usize, Vec<view::Column>)> {
        view::open(slf, write)
    }

    /// Leaves a view; what was written is taken over where `keep`.
    fn close_view(&mut self, py: Python<'_>, token: u64, keep: bool) -> PyResult<()> {
        view::close(self, py, token, keep)
    }

    /// Writes the present moment as a trajectory of one frame.
    fn write_frame(&self, py: Python<'_>, scene: &Scene, path: PathBuf) -> PyResult<()> {
        view::refuse_while_writing(self)?;
        let written = py.detach(|| each!(&self.live, live => live.write_frame(&scene.scene.file, &path)));
        written.map_err(|error| PyOSError::new_err(error.to_string()))
    }

    /// Where the engine has the position of the first grain.
    fn address(&mut self) -> usize {
        let places = each!(&mut self.live, live => live.world_mut().column_places());
        places.iter().find(|place| place.name == "position").map_or(0, |place| place.address)
    }

    /// Ids of all grains, in order.
    fn ids<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        each!(&self.live, live => live.world().grain_ids()).into_pyarray(py)
    }

    /// Two or three.
    #[getter]
    fn dimension(&self) -> usize {
        if matches!(self.live, Any::Plane(_)) { 2 } else { 3 }
    }

    /// Steps made since the start.
    #[getter]
    fn step(&self) -> u64 {
        each!(&self.live, live => live.world().status().step)
    }

    /// The number of the step at or after a time.
    fn step_at(&self, time: f64) -> PyResult<u64> {
        let dt = each!(&self.live, live => live.world().time_step());
        if !(time >= 0.0 && time / dt < gritstone::scene::MOST_STEPS) {
            return Err(PyValueError::new_err(format!("until is {time:?}, but must be a time in seconds")));
        }
        Ok(gritstone::scene::steps_up_to(time, dt))
    }
}

impl Simulation {
    fn no_wall(&self, name: &str) -> PyErr {
        let names = each!(&self.live, live => {
            let states = live.world().wall_states();
            let present = live.world().wall_names().iter().zip(states).filter(|(_, wall)| wall.present);
            present.map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ")
        });
        PyKeyError::new_err(format!("there is no wall {name:?}; there are {names}"))
    }

    /// Why a wall of that name cannot be given a motion.
    fn not_moved(&self, name: &str) -> PyErr {
        if each!(&self.live, live => live.world().wall_names()).iter().any(|known| known == name) {
            return PyValueError::new_err(format!(
                "wall {name:?} has a motion in the scene: only walls without one can be moved"
            ));
        }
        self.no_wall(name)
    }
}
