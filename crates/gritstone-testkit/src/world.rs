//! What the suite needs to know of a dimension.

mod plane;
mod space;

use gritstone_contact::NarrowPhase;
use gritstone_core::Contact;
use gritstone_study::truth::Truth;
use proptest::prelude::*;

use crate::{Scene, Tier};

/// A dimension whose methods the suite can test.
pub trait World: NarrowPhase {
    /// The independent answer.
    fn truth(scene: &Scene<Self>) -> Truth<Self>;

    /// Smallest radius of curvature of g at a contact, if neither surface is nearly flat or sharp there.
    fn stiffness(scene: &Scene<Self>, contact: &Contact<Self>) -> Option<f64>;

    /// Checks that a point of the shape's supporting plane lies on the shape, within `allowed`.
    fn check_on(shape: &Self::Shape, x: Self::Vec, allowed: f64) -> Result<(), TestCaseError>;

    /// Smallest half-width of a shape; what depths are measured by.
    fn half_width(shape: &Self::Shape) -> f64;

    /// The shape with all lengths multiplied by `factor`.
    fn scaled(shape: &Self::Shape, factor: f64) -> Self::Shape;

    /// A sphere or circle.
    fn ball(radius: f64) -> Self::Shape;

    /// An ellipsoid or ellipse.
    fn ellipsoid(radii: Self::Vec) -> Self::Shape;

    /// Any shape of the tier.
    fn shape(tier: &Tier) -> BoxedStrategy<Self::Shape>;

    /// Any rotation; or none, where the tier has aligned grains.
    fn rotation(tier: &Tier) -> BoxedStrategy<Self::Rotation>;

    /// Any direction; or an axis, where the tier has those.
    fn direction(tier: &Tier) -> BoxedStrategy<Self::Vec>;

    /// A vector whose components are drawn each by itself.
    fn vector(component: BoxedStrategy<f64>) -> BoxedStrategy<Self::Vec>;

    /// Anywhere near the origin.
    fn position() -> BoxedStrategy<Self::Vec> {
        Self::vector((-5.0..5.0).boxed())
    }

    /// Semi-axes.
    fn radii(aspect: f64) -> BoxedStrategy<Self::Vec> {
        Self::vector(radius(aspect))
    }
}

/// A radius between 1 and 3, or up to `aspect` times smaller.
pub(crate) fn radius(aspect: f64) -> BoxedStrategy<f64> {
    let scale = move |u: f64| if aspect > 1.0 { 3.0 * aspect.powf(0.5 * (u - 1.0)) } else { 2.0 + u };
    (-1.0..1.0).prop_map(scale).boxed()
}
