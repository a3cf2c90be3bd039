//! Shapes from other crates.
//!
//! A shape that is not in the tables of this crate implements [`UserShape`] and becomes a [`Solid`](crate::space::Solid) or
//! a [`Figure`](crate::plane::Figure) by [`Custom`]. It meets every other shape in the general certified method, which
//! needs its support function only; shapes of this crate pay nothing for it.

use std::fmt::Debug;
use std::sync::Arc;

use gritstone_core::{Dim, Linear, Mass, Vector};

use crate::{Body, Cubic, Implicit, Jet, ShapeError, Support};

/// A convex shape with a volume, given by its support function, its mass properties and its extents.
///
/// Contacts of such shapes are points: even where they have flat faces there are no contact patches.
pub trait UserShape<D: Dim>: Support<D> + Body<D> + Debug + Send + Sync {
    /// The shape's name in messages.
    fn name(&self) -> &'static str;

    /// The same shape with all lengths multiplied by `factor`.
    fn scaled(&self, factor: f64) -> Result<Arc<dyn UserShape<D>>, ShapeError>;
}

/// A shape from another crate. Clones share it; two are equal when they share it.
#[derive(Clone, Debug)]
pub struct Custom<D: Dim>(Arc<dyn UserShape<D>>);

impl<D: Dim> PartialEq for Custom<D> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Relative rounding that is allowed for in the checks of a support function.
const ROUNDING: f64 = 1e-9;

impl<D: Dim> Custom<D> {
    /// Takes a shape, after a look at its support function in a few dozen directions: every support point must be the
    /// farthest one along its direction, and lie within the shape's size and extents.
    pub fn new(shape: Arc<dyn UserShape<D>>) -> Result<Self, ShapeError> {
        ShapeError::check_length("size", shape.size())?;
        ShapeError::check_length("volume", libm::pow(shape.mass().volume, 1.0 / D::N as f64))?;
        let allowed = shape.size() * ROUNDING;
        let directions = directions::<D>();
        let points: Vec<D::Vec> = directions.iter().map(|&n| shape.support(n)).collect();
        let wrong = |what| Err(ShapeError::Support { name: shape.name(), what });
        for (&n, &x) in directions.iter().zip(&points) {
            // Comparisons with NaN are false.
            let is_inside = x.length() <= shape.size() + allowed; // false for what is not a number
            if !is_inside {
                return wrong("has a support point beyond its size");
            }
            let extents = shape.half_extents();
            if !(0..D::N).all(|i| x.component(i).abs() <= extents.component(i) + allowed) {
                return wrong("has a support point beyond its half-extents");
            }
            if !points.iter().all(|y| n.dot(*y) <= n.dot(x) + allowed * n.length()) {
                return wrong("has a support point that is not the farthest one along its direction");
            }
            if (shape.jet(n * n.length().recip()).point - x).length() > allowed && !shape.creased() {
                return wrong("has another support point with derivatives than without");
            }
        }
        Ok(Self(shape))
    }

    /// The shape itself.
    pub fn shape(&self) -> &dyn UserShape<D> {
        &*self.0
    }

    /// The same shape with all lengths multiplied by `factor`.
    pub fn scaled(&self, factor: f64) -> Result<Self, ShapeError> {
        Self::new(self.0.scaled(factor)?)
    }
}

/// Directions to the points of a cube or square of 5 by 5 (by 5) points, which have any length.
fn directions<D: Dim>() -> Vec<D::Vec> {
    const SIDE: usize = 5;
    let all = 0..SIDE.pow(D::N as u32);
    let at = |k: usize| D::Vec::from_fn(|i| (k / SIDE.pow(i as u32) % SIDE) as f64 - 2.0);
    all.map(at).filter(|n| n.length() > 0.0).collect()
}

impl<D: Dim> Support<D> for Custom<D> {
    fn support(&self, n: D::Vec) -> D::Vec {
        self.0.support(n)
    }
    fn jet(&self, n: D::Vec) -> Jet<D> {
        self.0.jet(n)
    }
    fn cubic_jet(&self, n: D::Vec) -> (Jet<D>, Option<Cubic<D>>) {
        self.0.cubic_jet(n)
    }
    fn change(&self, n: D::Vec, s: D::Vec) -> Option<f64> {
        self.0.change(n, s)
    }
    fn size(&self) -> f64 {
        self.0.size()
    }
    fn creased(&self) -> bool {
        self.0.creased()
    }
    fn curved(&self) -> bool {
        self.0.curved()
    }
    fn round_face(&self, n: D::Vec, slope: f64) -> Option<(D::Vec, f64)> {
        self.0.round_face(n, slope)
    }
    fn nested_ball(&self, n: D::Vec, x: D::Vec, wanted: f64) -> f64 {
        self.0.nested_ball(n, x, wanted)
    }
    fn rolling_ball(&self) -> f64 {
        self.0.rolling_ball()
    }
    fn implicit(&self) -> Option<&dyn Implicit<D>> {
        self.0.implicit()
    }
}

impl<D: Dim> Body<D> for Custom<D> {
    fn mass(&self) -> Mass<D> {
        self.0.mass()
    }
    fn half_extents(&self) -> D::Vec {
        self.0.half_extents()
    }
}
