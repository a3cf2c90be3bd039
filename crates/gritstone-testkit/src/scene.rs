//! Two placed grains, and how to draw them.

use gritstone_contact::{Answer, Method, Placed, Query, Verdict};
use gritstone_core::{Contact, Linear, Pose, Space, Vector};
use gritstone_shape::Support;
use gritstone_study::truth::Truth;
use proptest::prelude::*;

use crate::{Tier, World};

/// Two placed grains.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene<D: World = Space> {
    /// First grain.
    pub a: D::Shape,
    /// Where the first grain is.
    pub pose_a: Pose<D>,
    /// Second grain.
    pub b: D::Shape,
    /// Where the second grain is.
    pub pose_b: Pose<D>,
}

impl<D: World> Scene<D> {
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
    pub fn ask(&self, method: &dyn Method<D>, query: Query<D>) -> Result<Answer<D>, TestCaseError> {
        let (a, b) =
            (Placed { shape: &self.a, pose: self.pose_a }, Placed { shape: &self.b, pose: self.pose_b });
        let answer = method.solve(a, b, query, &mut D::Scratch::default());
        answer.map_err(|refusal| TestCaseError::fail(refusal.to_string()))
    }

    /// The contact that a method finds here; it must find one, and prove it where the tier says so. A scene that a method
    /// may leave unresolved is rejected; the runner allows few of those.
    pub fn solve(&self, method: &dyn Method<D>, tier: &Tier) -> Result<Contact<D>, TestCaseError> {
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
    pub fn g(&self, c: D::Vec) -> f64 {
        let c = c * c.length().recip();
        let height = |shape: &D::Shape, pose: &Pose<D>, n: D::Vec| {
            let n = D::unrotate(pose.rotation, n);
            n.dot(shape.support(n))
        };
        let apart = c.dot(self.pose_b.position - self.pose_a.position);
        apart - height(&self.a, &self.pose_a, c) - height(&self.b, &self.pose_b, -c)
    }

    /// The independent answer.
    pub fn truth(&self) -> Truth<D> {
        D::truth(self)
    }

    /// The same scene with a and b exchanged.
    pub fn swapped(&self) -> Self {
        Self { a: self.b.clone(), pose_a: self.pose_b, b: self.a.clone(), pose_b: self.pose_a }
    }

    /// The same scene after a rigid motion of the world.
    pub fn moved_by(&self, motion: &Pose<D>) -> Self {
        let [pose_a, pose_b] = [self.pose_a, self.pose_b].map(|pose| pose.moved_by(motion));
        Self { pose_a, pose_b, ..self.clone() }
    }

    /// The same scene with all lengths multiplied by `factor`.
    pub fn scaled_by(&self, factor: f64) -> Self {
        let pose = |p: &Pose<D>| Pose { position: p.position * factor, ..*p };
        let [a, b] = [&self.a, &self.b].map(|shape| D::scaled(shape, factor));
        Self { a, pose_a: pose(&self.pose_a), b, pose_b: pose(&self.pose_b) }
    }

    /// The same scene with b shifted.
    pub fn shifted_by(&self, shift: D::Vec) -> Self {
        let pose_b = Pose { position: self.pose_b.position + shift, ..self.pose_b };
        Self { pose_b, ..self.clone() }
    }
}

/// Scenes of a tier: apart or overlapping, turned at random or aligned, built around a contact.
pub fn scene<D: World>(tier: &Tier) -> BoxedStrategy<Scene<D>> {
    let (deepest, shapes) = (tier.deepest, (D::shape(tier), D::shape(tier)));
    let farthest = 0.2;
    let poses = (D::rotation(tier), D::rotation(tier), D::position());
    (shapes, poses, D::direction(tier), -deepest..farthest)
        .prop_map(|((a, b), (turn_a, turn_b, at), c, distance)| {
            let smallest = D::half_width(&a).min(D::half_width(&b));
            let (pose_a, pose_b) = (Pose::<D>::new(at, turn_a), Pose::<D>::new(D::Vec::default(), turn_b));
            let x_a = pose_a.to_world(a.support(D::unrotate(turn_a, c)));
            let lever = pose_b.to_world(b.support(D::unrotate(turn_b, -c)));
            let pose_b = Pose { position: x_a + c * (distance * smallest) - lever, ..pose_b };
            Scene { a, pose_a, b, pose_b }
        })
        .boxed()
}
