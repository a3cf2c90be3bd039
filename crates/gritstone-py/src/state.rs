//! States as columns.

use gritstone::core::{Dim, Plane, Space, Vector as _};
use gritstone::engine::{BodyState, ContactState, Energies, WallState};
use gritstone::glam::{DQuat, DVec3};
use gritstone::io::trajectory::{FrameContact, FrameGrain, FrameWall};
use gritstone::run::{Live, RunDimension};
use numpy::{IntoPyArray as _, PyArrayMethods as _};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Rotations and spins in plain numbers.
pub(crate) trait Plain: Dim {
    /// Numbers of a rotation: a quaternion (w, x, y, z), or an angle.
    fn rotation(rotation: Self::Rotation) -> Vec<f64>;
    /// Numbers of an angular velocity or a torque.
    fn spin(spin: Self::Spin) -> Vec<f64>;
}

impl Plain for Space {
    fn rotation(q: DQuat) -> Vec<f64> {
        vec![q.w, q.x, q.y, q.z]
    }
    fn spin(spin: DVec3) -> Vec<f64> {
        spin.to_array().to_vec()
    }
}

impl Plain for Plane {
    fn rotation(angle: f64) -> Vec<f64> {
        vec![angle]
    }
    fn spin(spin: f64) -> Vec<f64> {
        vec![spin]
    }
}

fn vector<D: Dim>(v: D::Vec) -> Vec<f64> {
    (0..D::N).map(|axis| v.component(axis)).collect()
}

/// A column of numbers; one axis where each has one, two otherwise.
fn column<'py, T>(
    dict: &Bound<'py, PyDict>,
    name: &str,
    of: &[T],
    width: usize,
    numbers: impl Fn(&T) -> Vec<f64>,
) -> PyResult<()> {
    let values: Vec<f64> = of.iter().flat_map(numbers).collect();
    let flat = values.into_pyarray(dict.py());
    if width == 1 { dict.set_item(name, flat) } else { dict.set_item(name, flat.reshape([of.len(), width])?) }
}

fn whole<T>(dict: &Bound<'_, PyDict>, name: &str, of: &[T], number: impl Fn(&T) -> u32) -> PyResult<()> {
    let values: Vec<u32> = of.iter().map(number).collect();
    dict.set_item(name, values.into_pyarray(dict.py()))
}

fn flag<T>(dict: &Bound<'_, PyDict>, name: &str, of: &[T], is: impl Fn(&T) -> bool) -> PyResult<()> {
    let values: Vec<bool> = of.iter().map(is).collect();
    dict.set_item(name, values.into_pyarray(dict.py()))
}

/// Numbers of a rotation and of a spin.
const fn widths<D: Dim>() -> (usize, usize) {
    if D::N == 3 { (4, 3) } else { (1, 1) }
}

pub(crate) fn grains<'py, D: Plain>(py: Python<'py>, of: &[BodyState<D>]) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let (turns, spins) = widths::<D>();
    whole(&dict, "id", of, |grain| grain.id)?;
    whole(&dict, "shape", of, |grain| grain.shape)?;
    whole(&dict, "material", of, |grain| grain.material.into())?;
    whole(&dict, "coordination", of, |grain| grain.coordination.into())?;
    flag(&dict, "frozen", of, |grain| grain.frozen)?;
    column(&dict, "position", of, D::N, |grain| vector::<D>(grain.pose.position))?;
    column(&dict, "rotation", of, turns, |grain| D::rotation(grain.pose.rotation))?;
    column(&dict, "velocity", of, D::N, |grain| vector::<D>(grain.velocity))?;
    column(&dict, "spin", of, spins, |grain| D::spin(grain.spin))?;
    column(&dict, "force", of, D::N, |grain| vector::<D>(grain.force))?;
    Ok(dict)
}

pub(crate) fn contacts<'py, D: Plain>(
    py: Python<'py>,
    of: &[ContactState<D>],
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    whole(&dict, "a", of, |contact| contact.a)?;
    whole(&dict, "b", of, |contact| contact.b)?;
    flag(&dict, "with_wall", of, |contact| contact.with_wall)?;
    column(&dict, "point", of, D::N, |contact| vector::<D>(contact.point))?;
    column(&dict, "normal", of, D::N, |contact| vector::<D>(contact.normal))?;
    column(&dict, "depth", of, 1, |contact| vec![contact.depth])?;
    column(&dict, "force", of, D::N, |contact| vector::<D>(contact.force))?;
    Ok(dict)
}

pub(crate) fn walls<'py, D: Plain>(py: Python<'py>, of: &[WallState<D>]) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let (turns, spins) = widths::<D>();
    flag(&dict, "present", of, |wall| wall.present)?;
    column(&dict, "position", of, D::N, |wall| vector::<D>(wall.pose.position))?;
    column(&dict, "rotation", of, turns, |wall| D::rotation(wall.pose.rotation))?;
    column(&dict, "force", of, D::N, |wall| vector::<D>(wall.force))?;
    column(&dict, "torque", of, spins, |wall| D::spin(wall.torque))?;
    Ok(dict)
}

pub(crate) fn frame_grains<'py, D: Plain>(
    py: Python<'py>,
    of: &[FrameGrain<D>],
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let (turns, spins) = widths::<D>();
    whole(&dict, "id", of, |grain| grain.id)?;
    whole(&dict, "shape", of, |grain| grain.shape)?;
    whole(&dict, "material", of, |grain| grain.material.into())?;
    whole(&dict, "coordination", of, |grain| grain.coordination.into())?;
    column(&dict, "position", of, D::N, |grain| vector::<D>(grain.pose.position))?;
    column(&dict, "rotation", of, turns, |grain| D::rotation(grain.pose.rotation))?;
    column(&dict, "velocity", of, D::N, |grain| vector::<D>(grain.velocity))?;
    column(&dict, "spin", of, spins, |grain| D::spin(grain.spin))?;
    column(&dict, "load", of, 1, |grain| vec![grain.load])?;
    Ok(dict)
}

pub(crate) fn frame_contacts<'py, D: Plain>(
    py: Python<'py>,
    of: &[FrameContact<D>],
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    whole(&dict, "a", of, |contact| contact.a)?;
    whole(&dict, "b", of, |contact| contact.b)?;
    flag(&dict, "with_wall", of, |contact| contact.with_wall)?;
    column(&dict, "point", of, D::N, |contact| vector::<D>(contact.point))?;
    column(&dict, "force", of, D::N, |contact| vector::<D>(contact.force))?;
    Ok(dict)
}

pub(crate) fn frame_walls<'py, D: Plain>(
    py: Python<'py>,
    of: &[FrameWall<D>],
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    flag(&dict, "present", of, |wall| wall.present)?;
    column(&dict, "position", of, D::N, |wall| vector::<D>(wall.pose.position))?;
    column(&dict, "force", of, D::N, |wall| vector::<D>(wall.force))?;
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
