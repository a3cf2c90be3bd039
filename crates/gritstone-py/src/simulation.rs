//! A simulation in memory: stepped, asked and changed between steps.

use std::sync::Arc;
use std::time::{Duration, Instant};

use gritstone::core::{Plane, Space};
use gritstone::run::{End, Live, RunError as Failed};
use gritstone::scene::Build;
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use rayon::ThreadPool;

use crate::array::vector;
use crate::scene::{Scene, run_error};
use crate::state;

/// Time on the clock after which Ctrl-C is looked for.
const LOOK_EVERY: Duration = Duration::from_millis(50);

#[derive(Debug)]
enum Any {
    Plane(Box<Live<Plane>>),
    Space(Box<Live<Space>>),
}

/// Does the same with a simulation of either dimension.
macro_rules! each {
    ($any:expr, $live:ident => $body:expr) => {
        match $any {
            Any::Plane($live) => $body,
            Any::Space($live) => $body,
        }
    };
}

/// A simulation.
#[pyclass(module = "gritstone._core")]
#[derive(Debug)]
pub(crate) struct Simulation {
    live: Any,
    pool: Arc<ThreadPool>,
    has_lines: bool,
}

impl Simulation {
    fn build(py: Python<'_>, scene: &Scene, threads: usize, saved: Option<&[u8]>) -> PyResult<Self> {
        let pool = if threads == 0 { crate::pool::shared()? } else { crate::pool::new(threads)? };
        let make = || -> Result<Any, Failed> {
            Ok(match (scene.scene.build()?, saved) {
                (Build::Plane(built), None) => Any::Plane(Box::new(Live::start(built)?)),
                (Build::Space(built), None) => Any::Space(Box::new(Live::start(built)?)),
                (Build::Plane(built), Some(bytes)) => Any::Plane(Box::new(Live::restore(built, bytes)?)),
                (Build::Space(built), Some(bytes)) => Any::Space(Box::new(Live::restore(built, bytes)?)),
            })
        };
        let live = py.detach(|| pool.install(make));
        let live = live.map_err(|error| run_error(&error, scene.has_lines))?;
        Ok(Self { live, pool, has_lines: scene.has_lines })
    }

    /// Steps for a while; how many steps were made, and whether the scene has ended.
    fn some_steps(&mut self, steps: u64, to_end: bool) -> Result<(u64, Option<End>), Failed> {
        let start = Instant::now();
        each!(&mut self.live, live => {
            let mut made = 0;
            while made < steps && (made == 0 || start.elapsed() < LOOK_EVERY) {
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
        let saved = py.detach(|| each!(&self.live, live => live.save()));
        saved.map(|bytes| PyBytes::new(py, &bytes)).map_err(|error| run_error(&error.into(), self.has_lines))
    }

    /// Makes so many steps, fewer where `to_end` and the scene ends; whether it has. Without the GIL.
    fn advance(&mut self, py: Python<'_>, steps: u64, to_end: bool) -> PyResult<bool> {
        let pool = self.pool.clone();
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
        each!(&self.live, live => state::grains(py, &live.world().snapshot().bodies))
    }

    /// Columns of contacts.
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        each!(&self.live, live => state::contacts(py, &live.world().snapshot().contacts))
    }

    /// Columns of walls, in the order of their names.
    fn walls<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        each!(&self.live, live => {
            let dict = state::walls(py, &live.world().snapshot().walls)?;
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
        let moved = match &mut self.live {
            Any::Plane(live) => {
                let velocity = vector::<2>(velocity, "velocity")?.into();
                live.world_mut().move_wall(name, velocity, spin.extract()?)
            }
            Any::Space(live) => {
                let velocity = vector::<3>(velocity, "velocity")?.into();
                live.world_mut().move_wall(name, velocity, vector::<3>(spin, "spin")?.into())
            }
        };
        if moved { Ok(()) } else { Err(self.no_wall(name)) }
    }

    /// Takes a wall away.
    fn remove_wall(&mut self, name: &str) -> PyResult<()> {
        let gone = each!(&mut self.live, live => live.world_mut().remove_wall(name));
        if gone { Ok(()) } else { Err(self.no_wall(name)) }
    }

    /// Removes grains by their ids; how many there were.
    fn remove(&mut self, ids: Vec<u32>) -> usize {
        let ids: std::collections::HashSet<u32> = ids.into_iter().collect();
        each!(&mut self.live, live => live.world_mut().remove_where(|grain| ids.contains(&grain.id)))
    }

    /// The number of the step at or after a time.
    fn step_at(&self, time: f64) -> PyResult<u64> {
        let dt = each!(&self.live, live => live.world().time_step());
        if !(time >= 0.0 && time / dt < gritstone::scene::MOST_STEPS) {
            return Err(PyValueError::new_err(format!("until is {time}, but must be a time in seconds")));
        }
        Ok(gritstone::scene::steps_up_to(time, dt))
    }
}

impl Simulation {
    fn no_wall(&self, name: &str) -> PyErr {
        let names = each!(&self.live, live => live.world().wall_names().join(", "));
        PyKeyError::new_err(format!(
            "there is no wall {name:?} that this could be done to; there are {names}"
        ))
    }
}
