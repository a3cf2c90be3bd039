//! Pairs that were solved elsewhere: superellipsoids with 60 digits, polyhedra and polygons exactly, a thesis' ellipses
//! with 40.

use std::error::Error;

use glam::{DQuat, DVec2, DVec3};
use gritstone_core::{Plane, Pose, Space};
use gritstone_shape::plane::{Ellipse, Polygon};
use gritstone_shape::space::{Polyhedron, Superellipsoid};
use serde_json::Value;

use crate::Scene;

const PAIRS: &str = include_str!("../../../tests/data/public_superellipsoid_pairs.jsonl");
const POLYHEDRA: &str = include_str!("../../../tests/data/public_polyhedron_pairs.jsonl");
const POLYGONS: &str = include_str!("../../../tests/data/public_polygon_pairs.jsonl");
const ELLIPSES: &str = include_str!("../../../tests/data/thesis_ellipse_examples.json");

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

/// A pair of polyhedra and its answer.
#[derive(Clone, Debug, PartialEq)]
pub struct PolyhedronReference {
    /// Its name in the file.
    pub id: String,
    /// What is particular about it.
    pub kind: String,
    /// The pair.
    pub scene: Scene,
    /// Signed distance.
    pub distance: f64,
    /// Unit normal from a to b.
    pub normal: DVec3,
    /// Nearest or deepest points of a and of b, where there is one each.
    pub points: Option<[DVec3; 2]>,
}

/// Polyhedra: 600 pairs, in the order of the file. Distances hold to `1e-13 + 1e-9·|distance|`.
pub fn polyhedron_references() -> Result<Vec<PolyhedronReference>, Box<dyn Error>> {
    POLYHEDRA.lines().map(|line| read_polyhedra(&serde_json::from_str(line)?)).collect()
}

fn read_polyhedra(pair: &Value) -> Result<PolyhedronReference, Box<dyn Error>> {
    let expected = &pair["expected"];
    let [(a, pose_a), (b, pose_b)] = [polyhedron(&pair["a"])?, polyhedron(&pair["b"])?];
    let points = [&expected["point_a"], &expected["point_b"]];
    let known = points.iter().all(|point| !point.is_null());
    Ok(PolyhedronReference {
        id: pair["id"].as_str().ok_or("no id")?.to_owned(),
        kind: pair["kind"].as_str().ok_or("no kind")?.to_owned(),
        scene: Scene { a: a.into(), pose_a, b: b.into(), pose_b },
        distance: number(&expected["distance"])?,
        normal: vector(&expected["normal"])?,
        points: if known { Some([vector(points[0])?, vector(points[1])?]) } else { None },
    })
}

fn polyhedron(body: &Value) -> Result<(Polyhedron, Pose<Space>), Box<dyn Error>> {
    let vertices = body["vertices"].as_array().ok_or("no vertices")?.iter();
    let vertices = vertices.map(vector).collect::<Result<Vec<_>, _>>()?;
    let (shape, origin) = Polyhedron::hull(&vertices)?;
    Ok((shape, Pose::at(origin)))
}

/// A pair in the plane and its answer.
#[derive(Clone, Debug, PartialEq)]
pub struct PlaneReference {
    /// Its name in the file.
    pub id: String,
    /// What is particular about it.
    pub kind: String,
    /// The pair.
    pub scene: Scene<Plane>,
    /// Signed distance.
    pub distance: f64,
    /// Unit normal from a to b.
    pub normal: DVec2,
    /// Nearest or deepest points of a and of b, where there is one each.
    pub points: Option<[DVec2; 2]>,
}

/// Polygons: 200 pairs, in the order of the file. Distances hold to `1e-13 + 1e-9·|distance|`.
pub fn polygon_references() -> Result<Vec<PlaneReference>, Box<dyn Error>> {
    POLYGONS.lines().map(|line| read_polygons(&serde_json::from_str(line)?)).collect()
}

/// Every worked example of \[martinez2003\] with its true signed distance.
pub fn ellipse_references() -> Result<Vec<PlaneReference>, Box<dyn Error>> {
    let file: Value = serde_json::from_str(ELLIPSES)?;
    file["examples"].as_array().ok_or("no examples")?.iter().map(read_ellipses).collect()
}

fn read_polygons(pair: &Value) -> Result<PlaneReference, Box<dyn Error>> {
    let expected = &pair["expected"];
    let [(a, pose_a), (b, pose_b)] = [polygon(&pair["a"])?, polygon(&pair["b"])?];
    let points = [&expected["point_a"], &expected["point_b"]];
    let known = points.iter().all(|point| !point.is_null());
    Ok(PlaneReference {
        id: pair["id"].as_str().ok_or("no id")?.to_owned(),
        kind: pair["kind"].as_str().ok_or("no kind")?.to_owned(),
        scene: Scene { a: a.into(), pose_a, b: b.into(), pose_b },
        distance: number(&expected["distance"])?,
        normal: numbers(&expected["normal"])?.into(),
        points: if known { Some([numbers(points[0])?.into(), numbers(points[1])?.into()]) } else { None },
    })
}

fn polygon(body: &Value) -> Result<(Polygon, Pose<Plane>), Box<dyn Error>> {
    let vertices = body["vertices"].as_array().ok_or("no vertices")?.iter();
    let vertices =
        vertices.map(|v| Ok(DVec2::from_array(numbers(v)?))).collect::<Result<Vec<_>, Box<dyn Error>>>()?;
    let (shape, origin) = Polygon::hull(&vertices)?;
    Ok((shape, Pose::at(origin)))
}

fn read_ellipses(example: &Value) -> Result<PlaneReference, Box<dyn Error>> {
    let truth = &example["truth"];
    let [(a, pose_a), (b, pose_b)] = [ellipse(&example["ellipse_a"])?, ellipse(&example["ellipse_b"])?];
    Ok(PlaneReference {
        id: example["example"].as_str().ok_or("no name")?.to_owned(),
        kind: "ellipses".to_owned(),
        scene: Scene { a: a.into(), pose_a, b: b.into(), pose_b },
        distance: number(&truth["signed_distance"])?,
        normal: numbers(&truth["normal_a_to_b"])?.into(),
        points: Some([numbers(&truth["point_a"])?.into(), numbers(&truth["point_b"])?.into()]),
    })
}

fn ellipse(body: &Value) -> Result<(Ellipse, Pose<Plane>), Box<dyn Error>> {
    let shape = Ellipse::new(DVec2::new(number(&body["a"])?, number(&body["b"])?))?;
    let center: [f64; 2] = numbers(&body["center"])?;
    Ok((shape, Pose::new(center.into(), number(&body["phi_deg"])?.to_radians())))
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
