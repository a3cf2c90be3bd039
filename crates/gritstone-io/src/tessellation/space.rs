//! Shapes in space.

use glam::{DQuat, DVec3};
use gritstone_core::{Pose, Space};
use gritstone_shape::space::{Cylinder, Solid, Sphere, Superellipsoid};
use gritstone_shape::{Support, Tessellate};
use serde_json::{Value, json};

use super::{Superquadric, SurfaceMesh, Surfaces, read_first};

/// Divisions of an eighth of the girth in polyhedra that stand for other shapes.
const DETAIL: u32 = 3;

impl Surfaces for Space {
    fn describe(shape: &Solid) -> Value {
        let word = shape.word();
        let list = |v: DVec3| json!(v.to_array());
        match shape {
            Solid::Sphere(s) => json!({ "shape": word, "radius": s.radius() }),
            Solid::Ellipsoid(s) => json!({ "shape": word, "radii": list(s.radii()) }),
            Solid::Superellipsoid(s) => {
                json!({ "shape": word, "radii": list(s.radii()), "exponents": s.exponents() })
            }
            Solid::Superquadric(s) => {
                json!({ "shape": word, "semi_axes": list(s.semi_axes()), "blockiness": s.blockiness() })
            }
            Solid::Polyhedron(s) => {
                let vertices: Vec<Value> = s.polytope().vertices().iter().map(|v| list(*v)).collect();
                json!({ "shape": word, "vertices": vertices })
            }
            Solid::Cylinder(s) => {
                json!({ "shape": word, "radius": s.radius(), "half_height": s.half_height() })
            }
            Solid::Capsule(s) => {
                json!({ "shape": word, "radius": s.radius(), "half_height": s.half_height() })
            }
            Solid::Crowned(s) => Self::describe(&s.exact()),
            Solid::Triangle(s) => json!({ "shape": word, "vertices": s.corners().map(list) }),
            Solid::HalfSpace(s) => json!({ "shape": word, "normal": list(s.normal()), "offset": s.offset() }),
            // Files have no words for shapes of other crates: a polyhedron stands for them in pictures.
            Solid::Custom(s) => {
                let vertices: Vec<Value> = s.tessellate(DETAIL).positions.into_iter().map(list).collect();
                json!({ "shape": "polyhedron", "vertices": vertices })
            }
        }
    }

    fn from_description(description: &Value) -> Result<Solid, String> {
        let pair = read_first(description)?.in_space();
        pair.map(|pair| pair.a.shape).ok_or_else(|| "it is of the wrong dimension".to_owned())
    }

    fn unit(shape: &Solid) -> (Solid, DVec3) {
        let unit = match shape {
            Solid::Sphere(s) => Sphere::new(1.0).map(|unit| (unit.into(), DVec3::splat(s.radius()))),
            Solid::Ellipsoid(s) => Sphere::new(1.0).map(|unit| (unit.into(), s.radii())),
            Solid::Superellipsoid(s) => {
                Superellipsoid::new(DVec3::ONE, s.exponents()).map(|unit| (unit.into(), s.radii()))
            }
            Solid::Superquadric(s) => gritstone_shape::space::Superquadric::new(DVec3::ONE, s.blockiness())
                .map(|unit| (unit.into(), s.semi_axes())),
            Solid::Cylinder(s) => Cylinder::new(1.0, 1.0)
                .map(|unit| (unit.into(), DVec3::new(s.radius(), s.radius(), s.half_height()))),
            Solid::HalfSpace(_) => Ok((shape.clone(), DVec3::ONE)),
            Solid::Crowned(s) => return Self::unit(&s.exact()),
            Solid::Polyhedron(_) | Solid::Capsule(_) | Solid::Triangle(_) | Solid::Custom(_) => {
                let size = shape.size();
                shape.scaled(1.0 / size).map(|unit| (unit, DVec3::splat(size)))
            }
        };
        unit.unwrap_or_else(|_| (shape.clone(), DVec3::ONE))
    }

    fn surface_mesh(shape: &Solid, detail: u32) -> Option<SurfaceMesh<Self>> {
        let mesh = shape.surface()?.tessellate(detail);
        let faces = mesh.triangles.into_iter().flatten().collect();
        Some(SurfaceMesh { points: mesh.positions, normals: mesh.normals, faces, corners: 3 })
    }

    fn centroid(shape: &Solid) -> DVec3 {
        shape.body().map_or(DVec3::ZERO, |body| body.mass().centroid)
    }

    fn volume(shape: &Solid) -> f64 {
        shape.body().map_or(0.0, |body| body.mass().volume)
    }

    fn superquadric(shape: &Solid) -> Option<Superquadric> {
        match shape {
            Solid::Sphere(s) => Some(([s.radius(); 3], [2.0; 2])),
            Solid::Ellipsoid(s) => Some((s.radii().to_array(), [2.0; 2])),
            Solid::Superellipsoid(s) => {
                let [e1, e2] = s.exponents();
                Some((s.radii().to_array(), [2.0 / e2, 2.0 / e1]))
            }
            Solid::Superquadric(s) => match s.blockiness() {
                [n1, n2, n3] if n1 == n2 && n2 == n3 => Some((s.semi_axes().to_array(), [n1; 2])),
                _ => None,
            },
            Solid::Crowned(s) => return Self::superquadric(&s.exact()),
            Solid::Polyhedron(_)
            | Solid::Cylinder(_)
            | Solid::Capsule(_)
            | Solid::Triangle(_)
            | Solid::HalfSpace(_)
            | Solid::Custom(_) => None,
        }
        .map(|(semi_axes, blockiness)| Superquadric { semi_axes, blockiness })
    }

    fn patch(shape: &Solid, pose: &Pose<Self>, centre: DVec3, radius: f64) -> Option<Vec<DVec3>> {
        let Solid::HalfSpace(half) = shape else { return None };
        let normal = pose.rotation * half.normal();
        let foot = pose.to_world(half.normal() * half.offset());
        let middle = centre - normal * normal.dot(centre - foot);
        let (u, v) = normal.any_orthonormal_pair();
        Some(
            [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
                .map(|(s, t)| middle + (u * s + v * t) * radius)
                .into(),
        )
    }

    fn xyz(v: DVec3) -> [f64; 3] {
        v.to_array()
    }

    fn spin_xyz(spin: DVec3) -> [f64; 3] {
        spin.to_array()
    }

    fn quaternion(q: DQuat) -> [f64; 4] {
        [q.w, q.x, q.y, q.z]
    }

    fn from_quaternion([w, x, y, z]: [f64; 4]) -> DQuat {
        DQuat::from_xyzw(x, y, z, w)
    }
}
