//! States as columns.

use std::marker::PhantomData;

use gritstone::core::{Dim, Plane, Space, Vector as _};
use gritstone::engine::{BodyState, ContactState, Energies, WallState};
use gritstone::glam::{DQuat, DVec3};
use gritstone::io::trajectory::Frame;
use gritstone::run::{Live, RunDimension};
use numpy::{Element, IntoPyArray as _, PyArrayMethods as _};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Rotations and spins in plain numbers.
pub(crate) trait Plain: Dim {
    /// Numbers of a rotation: a quaternion (w, x, y, z), or an angle.
    fn rotation(rotation: Self::Rotation) -> impl AsRef<[f64]>;
    /// Numbers of an angular velocity or a torque.
    fn spin(spin: Self::Spin) -> impl AsRef<[f64]>;
}

impl Plain for Space {
    fn rotation(q: DQuat) -> impl AsRef<[f64]> {
        [q.w, q.x, q.y, q.z]
    }
    fn spin(spin: DVec3) -> impl AsRef<[f64]> {
        spin.to_array()
    }
}

impl Plain for Plane {
    fn rotation(angle: f64) -> impl AsRef<[f64]> {
        [angle]
    }
    fn spin(spin: f64) -> impl AsRef<[f64]> {
        [spin]
    }
}

/// Columns of things, a row for each.
struct Columns<'py, 't, D, T> {
    dict: Bound<'py, PyDict>,
    of: &'t [T],
    dimension: PhantomData<D>,
}

impl<'py, 't, D: Plain, T> Columns<'py, 't, D, T> {
    fn new(py: Python<'py>, of: &'t [T]) -> Self {
        Self { dict: PyDict::new(py), of, dimension: PhantomData }
    }

    /// A column with one axis.
    fn flat<N: Element>(self, name: &str, value: impl Fn(&T) -> N) -> PyResult<Self> {
        let values: Vec<N> = self.of.iter().map(value).collect();
        self.dict.set_item(name, values.into_pyarray(self.dict.py()))?;
        Ok(self)
    }

    /// A column of so many numbers for each.
    fn wide<N: AsRef<[f64]>>(self, name: &str, width: usize, numbers: impl Fn(&T) -> N) -> PyResult<Self> {
        let mut values = Vec::with_capacity(width * self.of.len());
        self.of.iter().for_each(|row| values.extend_from_slice(numbers(row).as_ref()));
        self.table(name, width, values)
    }

    /// A column of these numbers, so many for each; one axis where that is one.
    fn table(self, name: &str, width: usize, values: Vec<f64>) -> PyResult<Self> {
        let flat = values.into_pyarray(self.dict.py());
        if width == 1 {
            self.dict.set_item(name, flat)?;
        } else {
            self.dict.set_item(name, flat.reshape([self.of.len(), width])?)?;
        }
        Ok(self)
    }

    fn vector(self, name: &str, vector: impl Fn(&T) -> D::Vec) -> PyResult<Self> {
        let mut values = Vec::with_capacity(D::N * self.of.len());
        for row in self.of {
            let v = vector(row);
            values.extend((0..D::N).map(|axis| v.component(axis)));
        }
        self.table(name, D::N, values)
    }

    fn rotation(self, name: &str, rotation: impl Fn(&T) -> D::Rotation) -> PyResult<Self> {
        self.wide(name, if D::N == 3 { 4 } else { 1 }, |row| D::rotation(rotation(row)))
    }

    fn spin(self, name: &str, spin: impl Fn(&T) -> D::Spin) -> PyResult<Self> {
        self.wide(name, if D::N == 3 { 3 } else { 1 }, |row| D::spin(spin(row)))
    }
}

/// What grains have in a simulation and in a frame.
macro_rules! of_grains {
    ($columns:expr) => {
        $columns
            .flat("id", |grain| grain.id)?
            .flat("shape", |grain| grain.shape)?
            .flat("material", |grain| u32::from(grain.material))?
            .flat("coordination", |grain| u32::from(grain.coordination))?
            .vector("position", |grain| grain.pose.position)?
            .rotation("rotation", |grain| grain.pose.rotation)?
            .vector("velocity", |grain| grain.velocity)?
            .spin("spin", |grain| grain.spin)?
    };
}

/// What contacts have in a simulation and in a frame.
macro_rules! of_contacts {
    ($columns:expr) => {
        $columns
            .flat("a", |contact| contact.a)?
            .flat("b", |contact| contact.b)?
            .flat("with_wall", |contact| contact.with_wall)?
            .vector("point", |contact| contact.point)?
            .vector("force", |contact| contact.force)?
    };
}

/// What walls have in a simulation and in a frame.
macro_rules! of_walls {
    ($columns:expr) => {
        $columns
            .flat("present", |wall| wall.present)?
            .vector("position", |wall| wall.pose.position)?
            .vector("force", |wall| wall.force)?
    };
}

pub(crate) fn grains<'py, D: Plain>(py: Python<'py>, of: &[BodyState<D>]) -> PyResult<Bound<'py, PyDict>> {
    let columns = of_grains!(Columns::<D, _>::new(py, of));
    Ok(columns.flat("frozen", |grain| grain.frozen)?.vector("force", |grain| grain.force)?.dict)
}

pub(crate) fn contacts<'py, D: Plain>(
    py: Python<'py>,
    of: &[ContactState<D>],
) -> PyResult<Bound<'py, PyDict>> {
    let columns = of_contacts!(Columns::<D, _>::new(py, of));
    Ok(columns.vector("normal", |contact| contact.normal)?.flat("depth", |contact| contact.depth)?.dict)
}

pub(crate) fn walls<'py, D: Plain>(py: Python<'py>, of: &[WallState<D>]) -> PyResult<Bound<'py, PyDict>> {
    let columns = of_walls!(Columns::<D, _>::new(py, of));
    Ok(columns.rotation("rotation", |wall| wall.pose.rotation)?.spin("torque", |wall| wall.torque)?.dict)
}

/// Grains, walls and contacts of a frame.
pub(crate) fn frame<'py, D: Plain>(py: Python<'py>, frame: &Frame<D>) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("step", frame.step)?;
    dict.set_item("time", frame.time)?;
    let grains = of_grains!(Columns::<D, _>::new(py, &frame.grains));
    dict.set_item("grains", grains.flat("load", |grain| grain.load)?.dict)?;
    dict.set_item("walls", of_walls!(Columns::<D, _>::new(py, &frame.walls)).dict)?;
    if let Some(contacts) = &frame.contacts {
        dict.set_item("contacts", of_contacts!(Columns::<D, _>::new(py, contacts)).dict)?;
    }
    Ok(dict)
}

pub(crate) fn energies<'py>(py: Python<'py>, energies: &Energies) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let Energies {
        translation,
        rotation,
        potential,
        elastic,
        dissipated,
        wall_work,
        external_work,
        taken_out,
    } = *energies;
    let named = [
        ("translation", translation),
        ("rotation", rotation),
        ("potential", potential),
        ("elastic", elastic),
        ("dissipated", dissipated),
        ("wall_work", wall_work),
        ("external_work", external_work),
        ("taken_out", taken_out),
        ("balance", energies.balance()),
    ];
    named.into_iter().try_for_each(|(name, value)| dict.set_item(name, value))?;
    Ok(dict)
}

pub(crate) fn status<'py, D: RunDimension>(py: Python<'py>, live: &Live<D>) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let status = live.world().status();
    dict.set_item("dimension", D::N)?;
    dict.set_item("step", status.step)?;
    dict.set_item("time", status.time)?;
    dict.set_item("time_step", live.world().time_step())?;
    dict.set_item("last_step", live.last_step())?;
    dict.set_item("grains", status.grains)?;
    dict.set_item("contacts", status.contacts)?;
    dict.set_item("unresolved", status.unresolved_since_start)?;
    dict.set_item("largest_overlap", status.deepest)?;
    dict.set_item("left", status.left)?;
    dict.set_item("energy_error", live.energy_error())?;
    Ok(dict)
}

/// A table by the names of its columns.
pub(crate) fn table<'py>(py: Python<'py>, names: &[String], rows: &[f64]) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (at, name) in names.iter().enumerate() {
        let column: Vec<f64> = rows.iter().skip(at).step_by(names.len()).copied().collect();
        dict.set_item(name, column.into_pyarray(py))?;
    }
    Ok(dict)
}
