//! The signed distance of two ellipses, proven.

use gritstone_contact::plane::{Auto, Oval, Placed, Scratch};
use gritstone_contact::{Answer, Method, Query};
use gritstone_core::{Plane, Pose};
use gritstone_shape::plane::{Ellipse, Figure};

/// The answer of `auto`. Semi-axes must be positive.
pub(super) fn signed_distance(a: &Oval, b: &Oval, scratch: &mut Scratch) -> Answer<Plane> {
    let [figure_a, figure_b] =
        [a, b].map(|oval| Figure::from(Ellipse::new(oval.semi_axes).expect("positive semi-axes")));
    let placed = |shape, oval: &Oval| Placed { shape, pose: Pose::new(oval.centre, oval.angle) };
    Auto.solve(placed(&figure_a, a), placed(&figure_b, b), Query::default(), scratch)
        .expect("auto takes all shapes")
}
