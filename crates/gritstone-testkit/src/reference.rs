//! Pairs of superellipsoids that were solved elsewhere, with 60 digits.

use std::error::Error;

use glam::{DQuat, DVec3};
use gritstone_core::{Pose, Space};
use gritstone_shape::space::Superellipsoid;
use serde_json::Value;

use crate::Scene;

const PAIRS: &str = include_str!("../../../tests/data/public_superellipsoid_pairs.jsonl");

/// A pair and its answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// Its name in the file.
    pub id: String,
    /// The pair.
    pub scene: Scene,
    /// Signed distance.
    pub distance: f64,
    /// Unit normal from a to b.
    pub normal: DVec3,
    /// Nearest or deepest points of a and of b.
    pub points: [DVec3; 2],
    /// What a normal may be off by: rounding of the input, as the surfaces pass it on.
    pub normal_tolerance: f64,
    /// What a point may be off by.
    pub point_tolerance: f64,
}

/// What a distance may be off by.
pub const DISTANCE_TOLERANCE: f64 = 1e-12;

/// All 1200 pairs, in the order of the file.
pub fn references() -> Result<Vec<Reference>, Box<dyn Error>> {
    PAIRS.lines().map(|line| read(&serde_json::from_str(line)?)).collect()
}

fn read(pair: &Value) -> Result<Reference, Box<dyn Error>> {
    let (expected, meta) = (&pair["expected"], &pair["meta"]);
    let ((a, pose_a), (b, pose_b)) = (grain(&pair["a"])?, grain(&pair["b"])?);
    let tolerance = |key: &str| Ok::<_, Box<dyn Error>>(1e-12 + 1e-15 * number(&meta[key])?);
    Ok(Reference {
        id: pair["id"].as_str().ok_or("no id")?.to_owned(),
        scene: Scene { a: a.into(), pose_a, b: b.into(), pose_b },
        distance: number(&expected["distance"])?,
        normal: vector(&expected["normal"])?,
        points: [vector(&expected["point_a"])?, vector(&expected["point_b"])?],
        normal_tolerance: tolerance("normal_sensitivity")?,
        point_tolerance: tolerance("point_rotation_sensitivity")?,
    })
}

fn grain(body: &Value) -> Result<(Superellipsoid, Pose<Space>), Box<dyn Error>> {
    let [e1, e2] = numbers(&body["exponents"])?;
    let [w, x, y, z] = numbers(&body["quaternion"])?;
    let shape = Superellipsoid::new(vector(&body["radii"])?, [e1, e2])?;
    Ok((shape, Pose::new(vector(&body["center"])?, DQuat::from_xyzw(x, y, z, w))))
}

fn vector(value: &Value) -> Result<DVec3, Box<dyn Error>> {
    Ok(DVec3::from_array(numbers(value)?))
}

fn numbers<const N: usize>(value: &Value) -> Result<[f64; N], Box<dyn Error>> {
    let list = value.as_array().ok_or("no list of numbers")?;
    let list = list.iter().map(number).collect::<Result<Vec<_>, _>>()?;
    list.try_into().map_err(|_| "a list of the wrong length".into())
}

fn number(value: &Value) -> Result<f64, Box<dyn Error>> {
    value.as_f64().ok_or_else(|| "no number".into())
}
