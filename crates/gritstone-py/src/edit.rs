//! Changes of a simulation between steps.

use std::sync::Arc;

use gritstone::engine::{Backend as _, Dimension};
use gritstone::glam::{DVec2, DVec3};
use gritstone::run::{Live, RunDimension};
use gritstone::scene::{Build, Built};
use numpy::PyUntypedArrayMethods as _;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::array::{check_finite, indices, reals, table};
use crate::external::ArrayForce;
use crate::scene::{Scene, scene_error};
use crate::simulation::Any;

/// Ids, a vector for each, and a spin or torque for each, sorted by id.
struct Rows<D: Dimension> {
    ids: Vec<u32>,
    vectors: Vec<D::Vec>,
    spins: Vec<D::Spin>,
}

impl<D: Dimension> Rows<D> {
    fn new(ids: Vec<u32>, vectors: Vec<D::Vec>, spins: Vec<D::Spin>, names: [&str; 2]) -> PyResult<Self> {
        for (name, given) in names.into_iter().zip([vectors.len(), spins.len()]) {
            if given != ids.len() {
                return Err(PyValueError::new_err(format!(
                    "{name} has {given} rows, but must have {}, one for each id",
                    ids.len()
                )));
            }
        }
        if ids.is_sorted_by(|a, b| a < b) {
            return Ok(Self { ids, vectors, spins });
        }
        let mut order: Vec<usize> = (0..ids.len()).collect();
        order.sort_unstable_by_key(|&i| ids[i]);
        if let Some(twice) = order.windows(2).find(|pair| ids[pair[0]] == ids[pair[1]]) {
            return Err(PyValueError::new_err(format!(
                "ids has {} twice, but must name each grain once",
                ids[twice[0]]
            )));
        }
        Ok(Self {
            ids: order.iter().map(|&i| ids[i]).collect(),
            vectors: order.iter().map(|&i| vectors[i]).collect(),
            spins: order.iter().map(|&i| spins[i]).collect(),
        })
    }
}

/// Ids of grains, which must be one column of whole numbers that an id can be.
pub(crate) fn read_ids(ids: &Bound<'_, PyAny>) -> PyResult<Vec<u32>> {
    let array = indices(ids, "ids")?;
    if array.ndim() != 1 {
        let axes = array.ndim();
        return Err(PyValueError::new_err(format!("ids has {axes} axes, but must have one")));
    }
    let wrong = |id: &i64| PyValueError::new_err(format!("ids has {id}, but must hold ids of grains"));
    array.as_slice()?.iter().map(|id| u32::try_from(*id).map_err(|_| wrong(id))).collect()
}

fn in_plane(
    ids: &Bound<'_, PyAny>,
    vectors: &Bound<'_, PyAny>,
    spins: &Bound<'_, PyAny>,
    names: [&str; 2],
) -> PyResult<Rows<gritstone::core::Plane>> {
    let spins = reals(spins, names[1])?;
    let spins = spins.as_slice()?.to_vec();
    check_finite(&spins, 1, names[1])?;
    let rows = table(vectors, names[0], 2)?;
    let vectors = rows.as_chunks::<2>().0.iter().map(|row| DVec2::from(*row)).collect();
    Rows::new(read_ids(ids)?, vectors, spins, names)
}

fn in_space(
    ids: &Bound<'_, PyAny>,
    vectors: &Bound<'_, PyAny>,
    spins: &Bound<'_, PyAny>,
    names: [&str; 2],
) -> PyResult<Rows<gritstone::core::Space>> {
    let [vectors, spins] = [(vectors, names[0]), (spins, names[1])].map(|(value, name)| {
        let rows = table(value, name, 3)?;
        PyResult::Ok(rows.as_chunks::<3>().0.iter().map(|row| DVec3::from(*row)).collect::<Vec<_>>())
    });
    Rows::new(read_ids(ids)?, vectors?, spins?, names)
}

pub(crate) fn set_velocities(
    live: &mut Any,
    ids: &Bound<'_, PyAny>,
    velocities: &Bound<'_, PyAny>,
    spins: &Bound<'_, PyAny>,
) -> PyResult<usize> {
    let names = ["velocity", "spin"];
    Ok(match live {
        Any::Plane(live) => {
            let rows = in_plane(ids, velocities, spins, names)?;
            live.world_mut().set_velocities(&rows.ids, &rows.vectors, &rows.spins)
        }
        Any::Space(live) => {
            let rows = in_space(ids, velocities, spins, names)?;
            live.world_mut().set_velocities(&rows.ids, &rows.vectors, &rows.spins)
        }
    })
}

pub(crate) fn set_forces(
    live: &mut Any,
    ids: &Bound<'_, PyAny>,
    forces: &Bound<'_, PyAny>,
    torques: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let names = ["force", "torque"];
    match live {
        Any::Plane(live) => act(live, in_plane(ids, forces, torques, names)?),
        Any::Space(live) => act(live, in_space(ids, forces, torques, names)?),
    }
    Ok(())
}

fn act<D: RunDimension>(live: &mut Live<D>, rows: Rows<D>) {
    let world = live.world_mut();
    world.clear_forces();
    if !rows.ids.is_empty() {
        world.add_force(Arc::new(ArrayForce { ids: rows.ids, forces: rows.vectors, torques: rows.spins }));
    }
}

pub(crate) fn set_materials(live: &mut Any, scene: &Scene) -> PyResult<()> {
    let built = scene.scene.build().map_err(|problems| scene_error(&problems, scene.has_lines))?;
    match (live, built) {
        (Any::Plane(live), Build::Plane(built)) => exchange(live, built),
        (Any::Space(live), Build::Space(built)) => exchange(live, built),
        _ => Err(PyValueError::new_err("the scene has another dimension")),
    }
}

fn exchange<D: RunDimension>(live: &mut Live<D>, built: Built<D>) -> PyResult<()> {
    let (old, new) = (live.setup(), &built.setup);
    if old.densities != new.densities {
        return Err(PyValueError::new_err("density cannot be changed: grains keep their masses"));
    }
    if old.rules != new.rules || !live.set_interactions(built.setup.interactions) {
        return Err(PyValueError::new_err(
            "only parameters of materials and of their laws can be changed while a simulation runs",
        ));
    }
    Ok(())
}
