//! Reference pairs that were solved elsewhere with 60 digits.

use glam::{DQuat, DVec3};
use gritstone_core::{Pose, Space};
use gritstone_shape::space::{Solid, Superellipsoid};
use serde_json::Value;

const PAIRS: &str = include_str!("../../../../../tests/data/public_superellipsoid_pairs.jsonl");

/// One pair and its answer.
pub(crate) struct Reference {
    pub(crate) id: String,
    pub(crate) interval: u64,
    pub(crate) a: (Solid, Pose<Space>),
    pub(crate) b: (Solid, Pose<Space>),
    pub(crate) distance: f64,
    pub(crate) normal: DVec3,
}

/// All pairs, in the order of the file.
pub(crate) fn references() -> Vec<Reference> {
    let pairs = PAIRS.lines().map(|line| serde_json::from_str(line).unwrap());
    let reference = |pair: Value| Reference {
        id: pair["id"].as_str().unwrap().to_owned(),
        interval: pair["interval"].as_u64().unwrap(),
        a: placed(&pair["a"]),
        b: placed(&pair["b"]),
        distance: pair["expected"]["distance"].as_f64().unwrap(),
        normal: vector(&pair["expected"]["normal"]),
    };
    pairs.map(reference).collect()
}

fn placed(body: &Value) -> (Solid, Pose<Space>) {
    let [e1, e2] = [0, 1].map(|i| body["exponents"][i].as_f64().unwrap());
    let [w, x, y, z] = [0, 1, 2, 3].map(|i| body["quaternion"][i].as_f64().unwrap());
    let shape = Superellipsoid::new(vector(&body["radii"]), [e1, e2]).unwrap();
    (shape.into(), Pose::new(vector(&body["center"]), DQuat::from_xyzw(x, y, z, w)))
}

fn vector(value: &Value) -> DVec3 {
    DVec3::from_array([0, 1, 2].map(|i| value[i].as_f64().unwrap()))
}
