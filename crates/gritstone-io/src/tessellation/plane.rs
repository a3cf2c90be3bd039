//! Shapes in the plane.

use glam::DVec2;
use gritstone_core::{Plane, Pose};
use gritstone_shape::plane::{Circle, Figure, Polygon, Segment, Superellipse};
use gritstone_shape::{Body, ShapeError, Support, Trace};
use serde_json::{Value, json};

use super::{Superquadric, SurfaceMesh, Surfaces, read_first};

/// Divisions of an eighth of the girth in polygons that stand for other shapes.
const DETAIL: u32 = 8;

impl Surfaces for Plane {
    fn describe(shape: &Figure) -> Value {
        let word = shape.word();
        let list = |v: DVec2| json!(v.to_array());
        match shape {
            Figure::Circle(s) => json!({ "shape": word, "radius": s.radius() }),
            Figure::Ellipse(s) => json!({ "shape": word, "semi_axes": list(s.semi_axes()) }),
            Figure::Superellipse(s) => {
                json!({ "shape": word, "semi_axes": list(s.semi_axes()), "blockiness": s.blockiness() })
            }
            Figure::Polygon(s) => {
                let vertices: Vec<Value> = s.vertices().iter().map(|v| list(*v)).collect();
                json!({ "shape": word, "vertices": vertices })
            }
            Figure::Segment(s) => json!({ "shape": word, "vertices": s.ends().map(list) }),
            Figure::HalfPlane(s) => {
                json!({ "shape": word, "normal": list(s.normal()), "offset": s.offset() })
            }
            Figure::Crowned(s) => Self::describe(&s.exact()),
            // Files have no words for shapes of other crates: a polygon stands for them in pictures.
            Figure::Custom(s) => {
                let vertices: Vec<Value> = s.outline(DETAIL).positions.into_iter().map(list).collect();
                json!({ "shape": "polygon", "vertices": vertices })
            }
        }
    }

    fn from_description(description: &Value) -> Result<Figure, String> {
        let pair = read_first(description)?.in_plane();
        pair.map(|pair| pair.a.shape).ok_or_else(|| "it is of the wrong dimension".to_owned())
    }

    fn unit(shape: &Figure) -> (Figure, DVec2) {
        let size = shape.size();
        let smaller = |corners: &[DVec2]| -> Vec<DVec2> { corners.iter().map(|v| *v / size).collect() };
        let unit: Result<(Figure, DVec2), ShapeError> = match shape {
            Figure::Circle(s) => Circle::new(1.0).map(|unit| (unit.into(), DVec2::splat(s.radius()))),
            Figure::Ellipse(s) => Circle::new(1.0).map(|unit| (unit.into(), s.semi_axes())),
            Figure::Superellipse(s) => {
                Superellipse::new(DVec2::ONE, s.blockiness()).map(|unit| (unit.into(), s.semi_axes()))
            }
            Figure::Polygon(s) => {
                Polygon::hull(&smaller(s.vertices())).map(|(unit, _)| (unit.into(), DVec2::splat(size)))
            }
            Figure::Segment(s) => Segment::between(s.ends().map(|end| end / size))
                .map(|(unit, _)| (unit.into(), DVec2::splat(size))),
            Figure::HalfPlane(_) => Ok((shape.clone(), DVec2::ONE)),
            Figure::Crowned(s) => return Self::unit(&s.exact()),
            Figure::Custom(s) => s.scaled(1.0 / size).map(|unit| (unit.into(), DVec2::splat(size))),
        };
        unit.unwrap_or_else(|_| (shape.clone(), DVec2::ONE))
    }

    fn surface_mesh(shape: &Figure, detail: u32) -> Option<SurfaceMesh<Self>> {
        let mut points = shape.outline(detail).positions;
        // Outlines have their corners once for each side.
        points.dedup();
        if points.len() > 1 && points.first() == points.last() {
            points.pop();
        }
        let corners = points.len();
        (corners > 0).then(|| SurfaceMesh {
            faces: (0..corners as u32).collect(),
            normals: Vec::new(),
            corners,
            points,
        })
    }

    fn centroid(shape: &Figure) -> DVec2 {
        shape.mass().centroid
    }

    fn volume(shape: &Figure) -> f64 {
        shape.mass().volume
    }

    /// Without height.
    fn superquadric(shape: &Figure) -> Option<Superquadric> {
        match shape {
            Figure::Circle(s) => Some((DVec2::splat(s.radius()), 2.0)),
            Figure::Ellipse(s) => Some((s.semi_axes(), 2.0)),
            Figure::Superellipse(s) => Some((s.semi_axes(), s.blockiness())),
            Figure::Crowned(s) => return Self::superquadric(&s.exact()),
            Figure::Polygon(_) | Figure::Segment(_) | Figure::HalfPlane(_) | Figure::Custom(_) => None,
        }
        .map(|(semi_axes, n)| Superquadric { semi_axes: Self::xyz(semi_axes), blockiness: [2.0, n] })
    }

    fn patch(shape: &Figure, pose: &Pose<Self>, centre: DVec2, radius: f64) -> Option<Vec<DVec2>> {
        let Figure::HalfPlane(half) = shape else { return None };
        let normal = gritstone_core::angle::direction(pose.rotation).rotate(half.normal());
        let foot = pose.to_world(half.normal() * half.offset());
        let middle = centre - normal * normal.dot(centre - foot);
        Some([-1.0, 1.0].map(|s| middle + normal.perp() * (s * radius)).into())
    }

    fn xyz(v: DVec2) -> [f64; 3] {
        [v.x, v.y, 0.0]
    }

    fn spin_xyz(spin: f64) -> [f64; 3] {
        [0.0, 0.0, spin]
    }

    fn quaternion(angle: f64) -> [f64; 4] {
        let (sin, cos) = libm::sincos(0.5 * angle);
        [cos, 0.0, 0.0, sin]
    }

    fn from_quaternion([w, _, _, z]: [f64; 4]) -> f64 {
        2.0 * libm::atan2(z, w)
    }
}
