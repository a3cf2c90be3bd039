//! Views of the engine's memory: NumPy looks at the grains where they are.
//!
//! Every array of a view refers to a [`Memory`]. When the simulation is about to change, its views end; bodies whose old memory
//! is still referred to move to other memory, and the `Memory` keeps the old one until its last array is gone. So no array
//! ever points at memory that was freed or that the engine works in.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use gritstone::core::{Plane, Space};
use gritstone::engine::{BodyMemory, ColumnPlace, Number};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::simulation::{Any, Simulation, each};

pyo3::create_exception!(gritstone, ViewError, PyRuntimeError, "A view has ended, or prevents the operation.");

/// Bodies of either dimension.
#[derive(Debug)]
pub(crate) enum Bodies {
    Plane(BodyMemory<Plane>),
    Space(BodyMemory<Space>),
}

/// What the arrays of a view refer to.
#[pyclass(frozen, module = "gritstone._core")]
#[derive(Debug)]
pub(crate) struct Memory(Arc<Shared>);

/// What a view and its simulation know of each other.
#[derive(Debug)]
struct Shared {
    valid: AtomicBool,
    /// While the view is open the arrays look into the simulation, which must live as long.
    simulation: Mutex<Option<Py<Simulation>>>,
    /// The memory that the bodies have left.
    left: Mutex<Option<Arc<Bodies>>>,
}

#[pymethods]
impl Memory {
    /// Whether the view is open.
    #[getter]
    fn valid(&self) -> bool {
        self.0.valid.load(Ordering::Relaxed)
    }
}

/// A view whose block was never left must not keep its simulation alive for ever.
impl Drop for Memory {
    fn drop(&mut self) {
        let simulation = self.0.simulation.lock().unwrap_or_else(PoisonError::into_inner).take();
        drop(simulation);
    }
}

impl Shared {
    fn invalidate(&self) {
        self.valid.store(false, Ordering::Relaxed);
    }
}

/// Views that are open.
#[derive(Debug, Default)]
pub(crate) struct Views {
    open: Vec<(u64, Arc<Shared>)>,
    /// The view that writes, and the bodies before it did.
    writer: Option<(u64, Bodies)>,
    next: u64,
}

/// Name, address, stride, width, type as NumPy writes it, and whether it is read-only, of a column.
pub(crate) type Column = (&'static str, usize, usize, usize, &'static str, bool);

/// Ends all views of a simulation that is about to change. Refused while one of them writes.
pub(crate) fn end_all(simulation: &mut Simulation) -> PyResult<()> {
    refuse_while_writing(simulation)?;
    end(simulation, |_| true);
    Ok(())
}

/// What was written is not taken over before the view is left.
pub(crate) fn refuse_while_writing(simulation: &Simulation) -> PyResult<()> {
    if simulation.views.writer.is_some() {
        return Err(ViewError::new_err("a view that writes is open: leave its block first"));
    }
    Ok(())
}

fn end(simulation: &mut Simulation, which: impl Fn(u64) -> bool) {
    let open = std::mem::take(&mut simulation.views.open);
    let (ended, open): (Vec<_>, Vec<_>) = open.into_iter().partition(|(token, _)| which(*token));
    simulation.views.open = open;
    ended.iter().for_each(|(_, shared)| shared.invalidate());
    // The list has one reference to each; the other is that of Python, from its arrays.
    if ended.iter().any(|(_, shared)| Arc::strong_count(shared) > 1) {
        let left = Arc::new(match &mut simulation.live {
            Any::Plane(live) => Bodies::Plane(live.world_mut().leave_memory()),
            Any::Space(live) => Bodies::Space(live.world_mut().leave_memory()),
        });
        // Views that stay open would look at memory that the bodies have left.
        for (_, shared) in ended.iter().chain(&simulation.views.open) {
            shared.invalidate();
            *shared.left.lock().unwrap_or_else(PoisonError::into_inner) = Some(left.clone());
        }
    }
    for (_, shared) in ended {
        drop(shared.simulation.lock().unwrap_or_else(PoisonError::into_inner).take());
    }
}

/// Opens a view: its number, what its arrays refer to, how many grains there are, and where their columns lie.
pub(crate) fn open(
    simulation: &Bound<'_, Simulation>,
    write: bool,
) -> PyResult<(u64, Py<Memory>, usize, Vec<Column>)> {
    let py = simulation.py();
    let mut this = simulation.try_borrow_mut()?;
    refuse_while_writing(&this)?;
    let shared = Arc::new(Shared {
        valid: AtomicBool::new(true),
        simulation: Mutex::new(Some(simulation.clone().unbind())),
        left: Mutex::new(None),
    });
    let memory = Py::new(py, Memory(shared.clone()))?;
    let token = this.views.next;
    this.views.next += 1;
    this.views.open.push((token, shared));
    if write {
        let before = match &this.live {
            Any::Plane(live) => Bodies::Plane(live.world().copy_of_bodies()),
            Any::Space(live) => Bodies::Space(live.world().copy_of_bodies()),
        };
        this.views.writer = Some((token, before));
    }
    let (places, grains) =
        each!(&mut this.live, live => (live.world_mut().column_places(), live.world().status().grains));
    let columns = places.iter().map(|place| column(place, write)).collect();
    Ok((token, memory, grains, columns))
}

fn column(place: &ColumnPlace, write: bool) -> Column {
    let ColumnPlace { name, address, stride, width, number, writable } = *place;
    let dtype = match number {
        Number::Real => "=f8",
        Number::Whole => "=u4",
        Number::Short => "=u2",
    };
    (name, address, stride, width, dtype, !(write && writable))
}

/// Leaves a view; what was written is taken over where `keep`.
pub(crate) fn close(simulation: &mut Simulation, py: Python<'_>, token: u64, keep: bool) -> PyResult<()> {
    let writer = simulation.views.writer.take_if(|(of, _)| *of == token);
    let Some((_, before)) = writer else {
        end(simulation, |of| of == token);
        return Ok(());
    };
    // The memory changes hands below, so every view ends. Arrays that are kept have what was written.
    end(simulation, |_| true);
    let pool = if keep { simulation.pool.threads().map(Some) } else { Ok(None) };
    let accepted = match (&mut simulation.live, &before, &pool) {
        (Any::Plane(live), Bodies::Plane(before), Ok(Some(pool))) => {
            py.detach(|| pool.install(|| live.world_mut().accept_written(before)))
        }
        (Any::Space(live), Bodies::Space(before), Ok(Some(pool))) => {
            py.detach(|| pool.install(|| live.world_mut().accept_written(before)))
        }
        (Any::Plane(live), Bodies::Plane(before), _) => {
            live.world_mut().reject_written(before);
            Ok(false)
        }
        (Any::Space(live), Bodies::Space(before), _) => {
            live.world_mut().reject_written(before);
            Ok(false)
        }
        // Not reached: a simulation has one dimension.
        _ => Ok(false),
    };
    pool?;
    accepted.map(drop).map_err(|error| PyValueError::new_err(error.to_string()))
}
