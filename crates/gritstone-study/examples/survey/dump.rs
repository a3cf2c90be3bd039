//! Pairs as JSON lines that `gritstone contact` reads.

use glam::{DVec2, DVec3};
use gritstone_core::{Plane, Pose, Space};
use gritstone_shape::plane::Figure;
use gritstone_shape::space::Solid;
use serde_json::{Value, json};

use crate::counts::Outcome;
use crate::family::World;

/// One pair, and what was found for it.
pub(crate) fn line<D: World>(class: &str, seed: u64, outcome: &Outcome<D>) -> Value {
    let case = &outcome.case;
    json!({
        "id": format!("{class}/{seed}/{}", outcome.index),
        "a": D::json(&case.a, &case.pose_a),
        "b": D::json(&case.b, &case.pose_b),
        "found": outcome.answer.distance(),
        "error": outcome.error,
        "asymmetry": outcome.asymmetry,
        "certified": outcome.answer.certified(),
    })
}

pub(crate) fn solid(solid: &Solid, pose: &Pose<Space>) -> Value {
    let mut value = match solid {
        Solid::Sphere(s) => json!({ "radius": s.radius() }),
        Solid::Ellipsoid(s) => json!({ "radii": s.radii().to_array() }),
        Solid::Superellipsoid(s) => json!({ "radii": s.radii().to_array(), "exponents": s.exponents() }),
        Solid::Superquadric(s) => {
            json!({ "semi_axes": s.semi_axes().to_array(), "blockiness": s.blockiness() })
        }
        Solid::Polyhedron(s) => json!({ "vertices": points(s.polytope().vertices()) }),
        Solid::Cylinder(s) => json!({ "radius": s.radius(), "half_height": s.half_height() }),
        Solid::Capsule(s) => json!({ "radius": s.radius(), "half_height": s.half_height() }),
        // These two have no pose of their own.
        Solid::Triangle(s) => {
            let corners = s.corners().map(|p| pose.to_world(p));
            return json!({ "shape": solid.word(), "vertices": points(&corners) });
        }
        Solid::HalfSpace(s) => {
            let normal = pose.rotation * s.normal();
            let offset = s.offset() + normal.dot(pose.position);
            return json!({ "shape": solid.word(), "normal": normal.to_array(), "offset": offset });
        }
        Solid::Crowned(_) | Solid::Custom(_) => json!({}),
    };
    let q = pose.rotation;
    value["shape"] = solid.word().into();
    value["center"] = pose.position.to_array().into_iter().collect();
    if !matches!(solid, Solid::Sphere(_)) {
        value["quaternion"] = [q.w, q.x, q.y, q.z].into_iter().collect();
    }
    value
}

pub(crate) fn figure(figure: &Figure, pose: &Pose<Plane>) -> Value {
    let points = |points: &[DVec2]| points.iter().map(DVec2::to_array).collect::<Vec<_>>();
    let placed = |points: &[DVec2]| points.iter().map(|&p| pose.to_world(p).to_array()).collect::<Vec<_>>();
    let mut value = match figure {
        Figure::Circle(s) => json!({ "radius": s.radius() }),
        Figure::Ellipse(s) => json!({ "semi_axes": s.semi_axes().to_array() }),
        Figure::Superellipse(s) => {
            json!({ "semi_axes": s.semi_axes().to_array(), "blockiness": s.blockiness() })
        }
        Figure::Polygon(s) => json!({ "vertices": points(s.vertices()) }),
        Figure::Segment(s) => return json!({ "shape": "segment", "vertices": placed(s.ends()) }),
        Figure::HalfPlane(s) => {
            let normal = pose.frame() * s.normal();
            let offset = s.offset() + normal.dot(pose.position);
            return json!({ "shape": "half-plane", "normal": normal.to_array(), "offset": offset });
        }
        Figure::Crowned(_) | Figure::Custom(_) => json!({}),
    };
    value["shape"] = figure.word().into();
    value["center"] = pose.position.to_array().into_iter().collect();
    if !matches!(figure, Figure::Circle(_)) {
        value["angle_deg"] = pose.rotation.to_degrees().into();
    }
    value
}

fn points(points: &[DVec3]) -> Vec<[f64; 3]> {
    points.iter().map(DVec3::to_array).collect()
}
