//! Where a line enters and leaves a convex body.
//!
//! **Idea.** The gauge F of a convex body (one on its surface) is convex along a line. Newton's steps from outside towards
//! the body follow tangents that lie below F: they never pass the surface, and for bodies with flat faces they end after a
//! few. A slope that does not fall any more while F is still above one says that the line misses the body.

use gritstone_core::{Dim, Linear as _, Vector as _};
use gritstone_shape::{AnyShape as _, Implicit, Support as _};

use crate::dimension::Dimension;

/// Newton's steps at most: close to a tangent they halve the way, far from it they are a handful.
const STEPS: usize = 80;

/// The parameters at which the line `from + t·along` enters and leaves the shape; `along` is a unit vector. Nothing if the
/// line misses it.
pub(super) fn chord<D: Dimension>(shape: &D::Shape, from: D::Vec, along: D::Vec) -> Option<[f64; 2]> {
    match shape.semi_axes() {
        Some(axes) => of_ball::<D>(axes, from, along),
        None => of_convex(shape.implicit()?, from, along),
    }
}

/// With the half-axes as units an ellipsoid is the unit ball.
fn of_ball<D: Dim>(axes: D::Vec, from: D::Vec, along: D::Vec) -> Option<[f64; 2]> {
    let [p, d] = [from, along].map(|v| D::Vec::from_fn(|i| v.component(i) / axes.component(i)));
    let square = d.dot(d);
    let nearest = -p.dot(d) / square;
    let miss = p + d * nearest;
    let half = ((1.0 - miss.dot(miss)) / square).sqrt();
    (half > 0.0).then_some([nearest - half, nearest + half])
}

fn of_convex<D: Dim>(body: &dyn Implicit<D>, from: D::Vec, along: D::Vec) -> Option<[f64; 2]> {
    let (nearest, size) = (-from.dot(along), body.size());
    let miss = from + along * nearest;
    let half = (size * size - miss.dot(miss)).max(0.0).sqrt();
    if half == 0.0 {
        return None;
    }
    let enter = nearest - approach(body, miss, along, -half)?;
    let leave = nearest + approach(body, miss, -along, -half)?;
    // Written so that both are measured from the same point: an empty chord is none.
    (leave > enter).then_some([enter, leave])
}

/// How far before the point `middle` the line enters the body, coming from `start` (negative) along `along`.
fn approach<D: Dim>(body: &dyn Implicit<D>, middle: D::Vec, along: D::Vec, start: f64) -> Option<f64> {
    let mut t = start;
    for _ in 0..STEPS {
        let (value, gradient) = body.gauge_with_gradient(middle + along * t);
        let slope = gradient.dot(along);
        if value <= 1.0 {
            break;
        }
        if slope >= 0.0 {
            return None;
        }
        let next = t + (1.0 - value) / slope;
        if next > -start {
            return None;
        }
        if next <= t {
            break;
        }
        t = next;
    }
    Some(-t)
}
