//! Flat and rod-like smooth bodies with a slight crown.
//!
//! **Idea.** A capsule touches a plane along a line, a cylinder on a whole cap: which point carries the load is not determined by
//! the direction, and a contact law that acts at a point has no energy. A crown makes such a body very slightly barrelled. It is
//! then strictly convex and smooth, its contacts move smoothly as it turns, and the restoring moment of a line or a face is the
//! shift of one point. With the relative height η of the crown `|c_z|` becomes `√(c_z² + η²|c|²)` in the support function, and
//! lengths are rescaled such that the body keeps its extents along its axes.
//!
//! | shape | support function |
//! |---|---|
//! | capsule | needle ⊕ ball: `H √(c_z² + η²\|c\|²) + R' \|c\|` |
//! | cylinder | disc ⊕ needle ⊕ ball: `R' √(c_ρ² + η²\|c\|²) + H' √(c_z² + η²\|c\|²) + ϱ \|c\|`, ϱ a rounded rim of `10 η min(R, H)` |
//! | superellipsoid | its norm of `r'_i √(c_i² + η²\|c\|²)` instead of `r_i \|c_i\|` ⊕ ball: edges rounded by `10 η min r_i` |
//!
//! **Notation.** η: crown; c: direction; c_ρ: its part across the axis; R, H: radius and half height, primes for rescaled ones.
//!
//! **Deviations.** η is bounded by a tenth of the ratio of the smallest to the largest extent, so that a thin plate or a long needle
//! does not lose its thickness. Mass, inertia and pictures are those of the exact shape; its support
//! function differs from theirs by at most √3 η of the size, and by the rounding of rims and edges.

mod rod;
mod superellipsoid;

use glam::DVec3;
use gritstone_core::{Mass, Mesh, Space};

use self::rod::Rod;
use self::superellipsoid::Barrel;
use super::{Capsule, Cylinder, Solid, Superellipsoid};
use crate::{Body, Jet, ShapeError, Support, Tessellate};

/// Largest crown in parts of the ratio of the smallest to the largest extent.
const THINNEST: f64 = 0.1;

/// Radius of rounded rims and edges, over η and the smallest extent: a ball of it rolls inside the body, which certifies contacts.
const RIM: f64 = 10.0;

/// Exponent from which superellipsoids get no crown: those below are so flat that nothing else holds them at rest.
pub const CURVED_EXPONENT: f64 = 0.35;

/// A flat or rod-like smooth body with a slight crown: see the table at the head of `crowned.rs`.
#[derive(Clone, Debug, PartialEq)]
pub struct Crowned {
    /// Out of the way of what contacts read.
    exact: Box<Exact>,
    form: Form,
    /// η, as it was asked for and as the shape has it.
    asked: f64,
    crown: f64,
}

/// The shape without its crown.
#[derive(Clone, Debug, PartialEq)]
enum Exact {
    Capsule(Capsule),
    Cylinder(Cylinder),
    Superellipsoid(Superellipsoid),
}

/// Its support function.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    Rod(Rod),
    Barrel(Barrel),
}

/// Evaluates for the exact shape, whichever it is.
macro_rules! exact {
    ($self:ident, $shape:ident => $do:expr) => {
        match &*$self.exact {
            Exact::Capsule($shape) => $do,
            Exact::Cylinder($shape) => $do,
            Exact::Superellipsoid($shape) => $do,
        }
    };
}

impl Crowned {
    /// A shape with the crown η; none for shapes that need none: those that are curved everywhere, and those that have faces.
    pub fn of(shape: &Solid, crown: f64) -> Option<Self> {
        let exact = match shape {
            Solid::Capsule(shape) => Exact::Capsule(*shape),
            Solid::Cylinder(shape) => Exact::Cylinder(*shape),
            Solid::Superellipsoid(shape)
                if shape.exponents()[0].min(shape.exponents()[1]) < CURVED_EXPONENT =>
            {
                Exact::Superellipsoid(*shape)
            }
            _ => return None,
        };
        (crown > 0.0).then(|| Self::new(exact, crown))
    }

    fn new(exact: Exact, asked: f64) -> Self {
        let extents = match &exact {
            Exact::Capsule(shape) => shape.half_extents(),
            Exact::Cylinder(shape) => shape.half_extents(),
            Exact::Superellipsoid(shape) => shape.half_extents(),
        };
        let crown = asked.min(THINNEST * extents.min_element() / extents.max_element());
        let form = match &exact {
            Exact::Capsule(shape) => Form::Rod(Rod::capsule(shape.radius(), shape.half_height(), crown)),
            Exact::Cylinder(shape) => {
                let rim = RIM * crown * shape.radius().min(shape.half_height());
                Form::Rod(Rod::cylinder(shape.radius(), shape.half_height(), crown, rim))
            }
            Exact::Superellipsoid(shape) => {
                let rim = RIM * crown * shape.radii().min_element();
                Form::Barrel(Barrel::new(shape.radii(), shape.exponents(), crown, rim))
            }
        };
        Self { exact: Box::new(exact), form, asked, crown }
    }

    /// The shape without its crown.
    pub fn exact(&self) -> Solid {
        exact!(self, shape => (*shape).into())
    }

    /// The crown η that the shape has.
    pub fn crown(&self) -> f64 {
        self.crown
    }

    /// The same shape with all lengths multiplied by `factor`.
    pub fn scaled(&self, factor: f64) -> Result<Self, ShapeError> {
        let exact = match &*self.exact {
            Exact::Capsule(shape) => Exact::Capsule(shape.scaled(factor)?),
            Exact::Cylinder(shape) => Exact::Cylinder(shape.scaled(factor)?),
            Exact::Superellipsoid(shape) => Exact::Superellipsoid(shape.scaled(factor)?),
        };
        Ok(Self::new(exact, self.asked))
    }

    /// The name of the exact shape.
    pub(super) fn name(&self) -> &'static str {
        match *self.exact {
            Exact::Capsule(_) => "capsule",
            Exact::Cylinder(_) => "cylinder",
            Exact::Superellipsoid(_) => "superellipsoid",
        }
    }

    pub(super) fn shape(&self) -> &Self {
        self
    }
}

impl Support<Space> for Crowned {
    #[inline]
    fn support(&self, n: DVec3) -> DVec3 {
        match &self.form {
            Form::Rod(rod) => rod.support(n),
            Form::Barrel(barrel) => barrel.support(n),
        }
    }

    #[inline]
    fn jet(&self, n: DVec3) -> Jet<Space> {
        match &self.form {
            Form::Rod(rod) => rod.jet(n),
            Form::Barrel(barrel) => barrel.jet(n),
        }
    }

    fn change(&self, n: DVec3, s: DVec3) -> Option<f64> {
        if let Form::Rod(rod) = &self.form { Some(rod.change(n, s)) } else { None }
    }

    /// That of the exact shape, which holds it.
    fn size(&self) -> f64 {
        exact!(self, shape => shape.size())
    }

    fn curved(&self) -> bool {
        true
    }

    fn nested_ball(&self, _: DVec3, _: DVec3, _: f64) -> f64 {
        self.rolling_ball()
    }

    fn rolling_ball(&self) -> f64 {
        match &self.form {
            Form::Rod(rod) => rod.ball(),
            Form::Barrel(barrel) => barrel.ball(),
        }
    }
}

/// That of the exact shape.
impl Body<Space> for Crowned {
    fn mass(&self) -> Mass<Space> {
        exact!(self, shape => shape.mass())
    }

    fn half_extents(&self) -> DVec3 {
        exact!(self, shape => shape.half_extents())
    }
}

/// That of the exact shape: the crown is too slight to be seen.
impl Tessellate for Crowned {
    fn tessellate(&self, detail: u32) -> Mesh {
        exact!(self, shape => shape.tessellate(detail))
    }
}
