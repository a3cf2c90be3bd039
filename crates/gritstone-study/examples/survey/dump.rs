//! Pairs as JSON lines that `gritstone contact` reads.

use gritstone_core::{Pose, Space};
use gritstone_shape::space::Solid;
use gritstone_study::generate::Class;
use serde_json::{Value, json};

use crate::tally::Outcome;

/// One pair, and what was found for it.
pub(crate) fn line(class: &Class, seed: u64, outcome: &Outcome) -> Value {
    let case = &outcome.case;
    json!({
        "id": format!("{}/{seed}/{}", class.name, outcome.index),
        "a": shape(&case.a, &case.pose_a),
        "b": shape(&case.b, &case.pose_b),
        "found": outcome.answer.distance(),
        "error": outcome.error,
        "certified": outcome.answer.certified(),
    })
}

fn shape(solid: &Solid, pose: &Pose<Space>) -> Value {
    let mut value = match solid {
        Solid::Sphere(s) => json!({ "radius": s.radius() }),
        Solid::Ellipsoid(s) => json!({ "radii": s.radii().to_array() }),
        Solid::Superellipsoid(s) => json!({ "radii": s.radii().to_array(), "exponents": s.exponents() }),
        Solid::Polyhedron(s) => {
            json!({ "vertices": s.polytope().vertices().iter().map(glam::DVec3::to_array).collect::<Vec<_>>() })
        }
    };
    let q = pose.rotation;
    value["shape"] = solid.word().into();
    value["center"] = pose.position.to_array().into_iter().collect();
    if !matches!(solid, Solid::Sphere(_)) {
        value["quaternion"] = [q.w, q.x, q.y, q.z].into_iter().collect();
    }
    value
}
