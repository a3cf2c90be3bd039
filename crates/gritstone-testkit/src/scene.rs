//! Two placed grains, and how to draw them.

use glam::{DQuat, DVec3};
use gritstone_contact::space::{Method, Pair, Placed, Scratch};
use gritstone_contact::{Answer, Query, Verdict};
use gritstone_core::{Contact, Pose, Space};
use gritstone_shape::Support;
use gritstone_shape::space::{Ellipsoid, Polyhedron, Solid, Sphere, Superellipsoid};
use gritstone_study::truth::{self, Truth};
use proptest::prelude::*;

use crate::Tier;

/// Two placed grains.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// First grain.
    pub a: Solid,
    /// Where the first grain is.
    pub pose_a: Pose<Space>,
    /// Second grain.
    pub b: Solid,
    /// Where the second grain is.
    pub pose_b: Pose<Space>,
}

impl Scene {
    /// Size of the smaller grain.
    pub fn size(&self) -> f64 {
        self.a.size().min(self.b.size())
    }

    /// Rounding errors of lengths in this scene: those of coordinates and of the larger grain.
    pub fn rounding(&self) -> f64 {
        let reach = self.pose_a.position.length().max(self.pose_b.position.length());
        64.0 * f64::EPSILON * (reach + self.a.size() + self.b.size())
    }

    /// What a method makes of this scene.
    pub fn ask(&self, method: &dyn Method, query: Query<Space>) -> Result<Answer<Space>, TestCaseError> {
        let (a, b) =
            (Placed { shape: &self.a, pose: self.pose_a }, Placed { shape: &self.b, pose: self.pose_b });
        let answer = method.solve(a, b, query, &mut Scratch::default());
        answer.map_err(|refusal| TestCaseError::fail(refusal.to_string()))
    }

    /// The contact that a method finds here; it must find one, and prove it where the tier says so. A scene that a method
    /// may leave unresolved is rejected; the runner allows few of those.
    pub fn solve(&self, method: &dyn Method, tier: &Tier) -> Result<Contact<Space>, TestCaseError> {
        let answer = self.ask(method, Query::default())?;
        match answer.verdict {
            Verdict::Solved(_) if tier.certified && !answer.certified() => {
                Err(TestCaseError::fail(format!("not certified: {answer:?}")))
            }
            Verdict::Solved(contact) => Ok(contact),
            Verdict::Unresolved { .. } if tier.may_give_up => Err(TestCaseError::reject("gave up")),
            _ => Err(TestCaseError::fail(format!("not solved: {answer:?}"))),
        }
    }

    /// The signed distance that the direction `c` proves.
    pub fn g(&self, c: DVec3) -> f64 {
        Pair::new(&self.a, &self.pose_a, &self.b, &self.pose_b).sample(c.normalize()).g
    }

    /// The independent answer.
    pub fn truth(&self) -> Truth {
        truth::bracket(&self.a, &self.pose_a, &self.b, &self.pose_b, truth::TOLERANCE)
    }

    /// The same scene with a and b exchanged.
    pub fn swapped(&self) -> Self {
        Self { a: self.b.clone(), pose_a: self.pose_b, b: self.a.clone(), pose_b: self.pose_a }
    }

    /// The same scene after a rigid motion of the world.
    pub fn moved_by(&self, motion: &Pose<Space>) -> Self {
        let [pose_a, pose_b] = [self.pose_a, self.pose_b].map(|pose| pose.moved_by(motion));
        Self { pose_a, pose_b, ..self.clone() }
    }

    /// The same scene with all lengths multiplied by `factor`.
    pub fn scaled_by(&self, factor: f64) -> Self {
        let pose = |p: &Pose<Space>| Pose { position: p.position * factor, ..*p };
        let [a, b] = [&self.a, &self.b].map(|solid| scaled(solid, factor));
        Self { a, pose_a: pose(&self.pose_a), b, pose_b: pose(&self.pose_b) }
    }

    /// The same scene with b shifted.
    pub fn shifted_by(&self, shift: DVec3) -> Self {
        let pose_b = Pose { position: self.pose_b.position + shift, ..self.pose_b };
        Self { pose_b, ..self.clone() }
    }
}

fn scaled(solid: &Solid, factor: f64) -> Solid {
    match solid {
        Solid::Sphere(s) => sphere(s.radius() * factor),
        Solid::Ellipsoid(s) => ellipsoid(s.radii() * factor),
        Solid::Superellipsoid(s) => superellipsoid(s.radii() * factor, s.exponents()),
        Solid::Polyhedron(s) => {
            polyhedron(&s.polytope().vertices().iter().map(|&v| v * factor).collect::<Vec<_>>())
        }
    }
}

pub(crate) fn sphere(radius: f64) -> Solid {
    Sphere::new(radius).expect("radii are drawn from inside the allowed range").into()
}

pub(crate) fn ellipsoid(radii: DVec3) -> Solid {
    Ellipsoid::new(radii).expect("radii are drawn from inside the allowed range").into()
}

fn superellipsoid(radii: DVec3, exponents: [f64; 2]) -> Solid {
    Superellipsoid::new(radii, exponents).expect("parameters are drawn from inside the allowed ranges").into()
}

fn polyhedron(points: &[DVec3]) -> Solid {
    Polyhedron::hull(points).expect("points are drawn so that they enclose a volume").0.into()
}

/// Scenes of a tier: apart or overlapping, turned at random or aligned, built around a contact.
pub fn scene(tier: &Tier) -> impl Strategy<Value = Scene> + use<> {
    let (deepest, solids) = (tier.deepest, (solid(tier), solid(tier)));
    let farthest = 0.2;
    let poses = (rotation(tier), rotation(tier), position());
    (solids, poses, direction(tier), -deepest..farthest).prop_map(
        |((a, b), (turn_a, turn_b, at), c, distance)| {
            let smallest = smallest_radius(&a).min(smallest_radius(&b));
            let pose_a = Pose::<Space>::new(at, turn_a);
            let pose_b = Pose::<Space>::new(DVec3::ZERO, turn_b);
            let x_a = pose_a.to_world(a.support(pose_a.rotation.conjugate() * c));
            let lever = pose_b.to_world(b.support(pose_b.rotation.conjugate() * -c));
            let pose_b = Pose { position: x_a + c * (distance * smallest) - lever, ..pose_b };
            Scene { a, pose_a, b, pose_b }
        },
    )
}

fn smallest_radius(solid: &Solid) -> f64 {
    gritstone_shape::Body::half_extents(solid).min_element()
}

/// A sphere, an ellipsoid or a superellipsoid of the tier.
fn solid(tier: &Tier) -> impl Strategy<Value = Solid> + use<> {
    let [low, high] = tier.exponents;
    let exponent = || low..=high;
    prop_oneof![
        1 => radius(1.0).prop_map(sphere),
        2 => radii(tier.aspect).prop_map(ellipsoid),
        5 => (radii(tier.aspect), exponent(), exponent()).prop_map(|(radii, e1, e2)| superellipsoid(radii, [e1, e2])),
    ]
}

/// A radius between 1 and 3, or up to `aspect` times smaller.
fn radius(aspect: f64) -> impl Strategy<Value = f64> {
    (-1.0..1.0)
        .prop_map(move |u: f64| if aspect > 1.0 { 3.0 * aspect.powf(0.5 * (u - 1.0)) } else { 2.0 + u })
}

pub(crate) fn radii(aspect: f64) -> impl Strategy<Value = DVec3> {
    (radius(aspect), radius(aspect), radius(aspect)).prop_map(DVec3::from)
}

pub(crate) fn position() -> impl Strategy<Value = DVec3> {
    (-5.0..5.0, -5.0..5.0, -5.0..5.0).prop_map(DVec3::from)
}

/// Any direction; or an axis, where the tier has those.
pub(crate) fn direction(tier: &Tier) -> impl Strategy<Value = DVec3> + use<> {
    let any = (-1.0..1.0, -1.0..1.0, -1.0..1.0).prop_map(DVec3::from);
    let any =
        any.prop_filter_map("too short to have a direction", |x| (x.length() > 0.1).then(|| x.normalize()));
    let axis = prop::sample::select(vec![DVec3::X, DVec3::NEG_Y, DVec3::Z]);
    prop_oneof![5 => any, u32::from(tier.aligned) => axis]
}

/// Any rotation; or none, where the tier has aligned grains.
pub(crate) fn rotation(tier: &Tier) -> impl Strategy<Value = DQuat> + use<> {
    let any = (-1.0..1.0, -1.0..1.0, -1.0..1.0, -1.0..1.0);
    let unit = |(x, y, z, w)| {
        let q = DQuat::from_xyzw(x, y, z, w);
        (q.length() > 0.1).then(|| q.normalize())
    };
    let any = any.prop_filter_map("too short to be a rotation", unit);
    prop_oneof![4 => any, u32::from(tier.aligned) => Just(DQuat::IDENTITY)]
}
