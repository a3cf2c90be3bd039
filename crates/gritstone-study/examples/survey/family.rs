//! Families of pairs in space and in the plane, and what a survey needs to know of them.

use std::f64::consts::PI;

use gritstone_contact::NarrowPhase;
use gritstone_core::{Plane, Pose, Space};
use gritstone_shape::plane::{Circle, Ellipse, Figure, HalfPlane, Polygon, Segment, Superellipse};
use gritstone_shape::space::Solid;
use gritstone_shape::{ShapeError, Support};
use gritstone_study::generate::{self, Case, Class, Draw, MIXED, Mixed};
use gritstone_study::truth;
use serde_json::Value;

use crate::dump;

/// A dimension that can be surveyed.
pub(crate) trait World: NarrowPhase {
    /// Bounds of the signed distance that owe nothing to the contact methods.
    fn truth(case: &Case<Self>) -> [f64; 2];
    /// Any motion of the whole pair.
    fn motion(draw: &mut Draw) -> Pose<Self>;
    /// The same shape with all lengths multiplied by `factor`.
    fn scaled(shape: &Self::Shape, factor: f64) -> Result<Self::Shape, ShapeError>;
    /// A placed shape as `gritstone contact` reads it.
    fn json(shape: &Self::Shape, pose: &Pose<Self>) -> Value;
}

impl World for Space {
    fn truth(case: &Case<Self>) -> [f64; 2] {
        if let (false, Some(built)) = (case.a.is_bounded() && case.b.is_bounded(), &case.built) {
            // The search needs bounded bodies; a half-space has one direction only, around which the pair is built.
            return [built.distance; 2];
        }
        let truth = truth::bracket(&case.a, &case.pose_a, &case.b, &case.pose_b, truth::TOLERANCE);
        [truth.lower, truth.upper]
    }

    fn motion(draw: &mut Draw) -> Pose<Self> {
        Pose::new(draw.vector(-2.0, 2.0), draw.rotation())
    }

    fn scaled(shape: &Solid, factor: f64) -> Result<Solid, ShapeError> {
        shape.scaled(factor)
    }

    fn json(shape: &Self::Shape, pose: &Pose<Self>) -> Value {
        dump::solid(shape, pose)
    }
}

impl World for Plane {
    fn truth(case: &Case<Self>) -> [f64; 2] {
        if case.a.size().is_infinite() {
            // The search needs bounded bodies; a wall's depth is how these pairs are built.
            return [f64::NEG_INFINITY, f64::INFINITY];
        }
        let truth = truth::bracket_in_plane(&case.a, &case.pose_a, &case.b, &case.pose_b, truth::TOLERANCE);
        [truth.lower, truth.upper]
    }

    fn motion(draw: &mut Draw) -> Pose<Self> {
        Pose::new(draw.vector(-2.0, 2.0).truncate(), draw.uniform(-PI, PI))
    }

    fn scaled(shape: &Figure, factor: f64) -> Result<Figure, ShapeError> {
        Ok(match shape {
            Figure::Circle(s) => Circle::new(s.radius() * factor)?.into(),
            Figure::Ellipse(s) => Ellipse::new(s.semi_axes() * factor)?.into(),
            Figure::Superellipse(s) => Superellipse::new(s.semi_axes() * factor, s.blockiness())?.into(),
            Figure::Polygon(s) => {
                let vertices: Vec<_> = s.vertices().iter().map(|v| v * factor).collect();
                Polygon::hull(&vertices)?.0.into()
            }
            Figure::Segment(s) => Segment::between(s.ends().map(|v| v * factor))?.0.into(),
            Figure::Crowned(s) => Self::scaled(&s.exact(), factor)?,
            Figure::HalfPlane(s) => HalfPlane::new(s.normal(), s.offset() * factor)?.into(),
            Figure::Custom(s) => s.scaled(factor)?.into(),
        })
    }

    fn json(shape: &Self::Shape, pose: &Pose<Self>) -> Value {
        dump::figure(shape, pose)
    }
}

/// The factor of lengths of a scaled pair.
const SCALE: f64 = 1e-6;

/// The same pair exchanged, moved, and scaled, each with the factor of its lengths.
pub(crate) fn variants<D: World>(case: &Case<D>, draw: &mut Draw) -> Result<[(Case<D>, f64); 3], ShapeError> {
    let with = |a: &D::Shape, pose_a, b: &D::Shape, pose_b| Case {
        a: a.clone(),
        pose_a,
        b: b.clone(),
        pose_b,
        built: None,
    };
    let Case { a, pose_a, b, pose_b, .. } = case;
    let motion = D::motion(draw);
    let (small_a, small_b) = (D::scaled(a, SCALE)?, D::scaled(b, SCALE)?);
    let small = |pose: &Pose<D>| Pose { position: pose.position * SCALE, ..*pose };
    Ok([
        (with(b, *pose_b, a, *pose_a), 1.0),
        (with(a, pose_a.moved_by(&motion), b, pose_b.moved_by(&motion)), 1.0),
        (with(&small_a, small(pose_a), &small_b, small(pose_b)), SCALE),
    ])
}

/// A family of pairs.
pub(crate) enum Family {
    Space(Class),
    Plane(&'static Mixed),
}

impl Family {
    /// The family of that name; or all whose names begin with it.
    pub(crate) fn chosen(name: &str) -> Vec<Self> {
        let plane = MIXED.iter().map(Self::Plane);
        let all = || generate::classes().into_iter().map(Self::Space).chain(plane.clone());
        let exact: Vec<Self> = all().filter(|family| family.name() == name).collect();
        if !exact.is_empty() {
            return exact;
        }
        all().filter(|family| name == "all" || family.name().starts_with(name)).collect()
    }

    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Space(class) => &class.name,
            Self::Plane(mixed) => mixed.name,
        }
    }
}
