//! What a simulation starts from, in plain numbers: scenes are turned into this.

use std::collections::HashSet;

use gritstone_contact::Setting;
use gritstone_core::{Dim, Pose, Vector};
use gritstone_force::Interactions;
use gritstone_shape::Support;

use crate::realm::Realm;

/// Everything that a world is made of.
#[derive(Clone, Debug)]
pub struct Setup<D: Setting> {
    /// The shapes that grains have. Their centres of mass are at their origins.
    pub shapes: Vec<D::Shape>,
    /// Density of each material (kg/m³; in the plane kg/m²).
    pub densities: Vec<f64>,
    /// How the materials act on each other.
    pub interactions: Interactions,
    /// How contacts are turned into what laws see.
    pub rules: Rules,
    /// The grains, in any order.
    pub grains: Vec<Grain<D>>,
    /// Walls: bodies that forces do not move.
    pub walls: Vec<Wall<D>>,
    /// Acceleration of free fall (m/s²).
    pub gravity: D::Vec,
    /// Time step (s).
    pub time_step: f64,
    /// Where grains may be, if there are limits.
    pub domain: Option<Domain<D>>,
}

/// A grain at the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grain<D: Dim> {
    /// Its name for good; no two grains share one.
    pub id: u32,
    /// Index of its shape.
    pub shape: u32,
    /// Index of its material.
    pub material: u16,
    /// Where its centre of mass is, and how it is turned.
    pub pose: Pose<D>,
    /// Velocity of the centre of mass (m/s).
    pub velocity: D::Vec,
    /// Angular velocity (rad/s), in world axes.
    pub spin: D::Spin,
    /// Whether it stays where it is, whatever pushes it.
    pub frozen: bool,
}

/// A body that forces do not move.
#[derive(Clone, Debug, PartialEq)]
pub struct Wall<D: Setting> {
    /// What it is called in reports.
    pub name: String,
    /// Its shape; half-spaces and half-planes are the usual ones.
    pub shape: D::Shape,
    /// Index of its material.
    pub material: u16,
    /// Where the shape's own origin is, and how it is turned.
    pub pose: Pose<D>,
    /// Velocity of that origin (m/s).
    pub velocity: D::Vec,
    /// Angular velocity about that origin (rad/s).
    pub spin: D::Spin,
}

/// A box that grains may not leave, and what happens when one does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Domain<D: Dim> {
    /// Corner with the smallest coordinates; may be infinite.
    pub low: D::Vec,
    /// Corner with the largest coordinates; may be infinite.
    pub high: D::Vec,
    /// What happens to a grain whose centre leaves.
    pub leaving: Leaving,
}

/// What happens to a grain that leaves the domain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Leaving {
    /// The run ends with an error that names the grain.
    #[default]
    Error,
    /// The grain is taken out, and counted.
    Remove,
    /// It goes on; the domain is only a region to report on.
    Keep,
}

/// How contacts are turned into what laws see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// What the effective radius is taken from.
    pub radius: RadiusRule,
    /// What happens where surfaces are flat.
    pub flat: FlatRule,
}

/// What the effective radius of a contact is taken from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RadiusRule {
    /// The curvature of both surfaces at the contact.
    #[default]
    Curvature,
    /// The radii of balls (discs) of the grains' volumes (areas).
    Volume,
}

/// What happens where surfaces are flat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FlatRule {
    /// Pressure is integrated over the patch that the grains share.
    #[default]
    Patch,
    /// One point stands for all.
    Point,
}

impl<D: Dim> Domain<D> {
    /// Whether a point is inside.
    pub fn holds(&self, x: D::Vec) -> bool {
        (0..D::N).all(|i| (self.low.component(i)..=self.high.component(i)).contains(&x.component(i)))
    }
}

/// How far a centre of mass may be from the shape's origin, relative to size.
const CENTRED: f64 = 1e-9;

/// What is wrong with a setup.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SetupError {
    /// The time step is not a positive number.
    #[error("time step is {0:?}, but must be positive")]
    TimeStep(f64),
    /// A shape that is not there.
    #[error("grain {id} has shape {shape}, but there are {count}")]
    NoShape {
        /// The grain.
        id: u32,
        /// Its shape.
        shape: u32,
        /// Number of shapes.
        count: usize,
    },
    /// A shape that no grain can have.
    #[error("grain {id} is a {word}, which has no volume or no end")]
    NoVolume {
        /// The grain.
        id: u32,
        /// Its shape in words.
        word: String,
    },
    /// A shape whose centre of mass is not at its origin.
    #[error("grain {id} is a {word} whose centre of mass is not at its origin")]
    OffCentre {
        /// The grain.
        id: u32,
        /// Its shape in words.
        word: String,
    },
    /// A material that is not there.
    #[error("{what} has material {material}, but there are {count}")]
    NoMaterial {
        /// Which body.
        what: String,
        /// Its material.
        material: u16,
        /// Number of materials.
        count: usize,
    },
    /// A density that is not a positive number.
    #[error("the density of material {material} is {density:?}, but must be positive")]
    Density {
        /// Which one.
        material: usize,
        /// What was given.
        density: f64,
    },
    /// Two grains with one name.
    #[error("two grains have the id {0}")]
    SameId(u32),
    /// A number that is none.
    #[error("{what} has a position, velocity or spin that is not finite")]
    NotFinite {
        /// Which body.
        what: String,
    },
}

impl<D: Realm> Setup<D> {
    /// Looks for what would not work.
    pub(crate) fn check(&self) -> Result<(), SetupError> {
        if !(self.time_step > 0.0 && self.time_step.is_finite()) {
            return Err(SetupError::TimeStep(self.time_step));
        }
        if let Some((material, &density)) =
            self.densities.iter().enumerate().find(|&(_, &density)| !(density > 0.0 && density.is_finite()))
        {
            return Err(SetupError::Density { material, density });
        }
        let mut ids = HashSet::with_capacity(self.grains.len());
        // Distance of the centre of mass from the origin, relative to size.
        let off_centre = |shape: &D::Shape| D::mass(shape).map(|mass| mass.centroid.length() / shape.size());
        let off_centre: Vec<Option<f64>> = self.shapes.iter().map(off_centre).collect();
        for grain in &self.grains {
            let (id, shape) = (grain.id, grain.shape);
            let word = || D::word(&self.shapes[shape as usize]).to_owned();
            match off_centre.get(shape as usize) {
                None => return Err(SetupError::NoShape { id, shape, count: self.shapes.len() }),
                Some(None) => return Err(SetupError::NoVolume { id, word: word() }),
                Some(Some(off)) if *off > CENTRED => return Err(SetupError::OffCentre { id, word: word() }),
                Some(Some(_)) => {}
            }
            if !ids.insert(id) {
                return Err(SetupError::SameId(id));
            }
            let numbers = [grain.pose.position.length(), grain.velocity.length(), D::rate(grain.spin)];
            self.check_body(|| format!("grain {id}"), grain.material, numbers)?;
        }
        self.walls.iter().try_for_each(|wall| {
            let numbers = [wall.pose.position.length(), wall.velocity.length(), D::rate(wall.spin)];
            self.check_body(|| format!("wall {:?}", wall.name), wall.material, numbers)
        })
    }

    pub(crate) fn check_body(
        &self,
        what: impl Fn() -> String,
        material: u16,
        numbers: [f64; 3],
    ) -> Result<(), SetupError> {
        if numbers.iter().any(|number| !number.is_finite()) {
            return Err(SetupError::NotFinite { what: what() });
        }
        if usize::from(material) >= self.densities.len() {
            return Err(SetupError::NoMaterial { what: what(), material, count: self.densities.len() });
        }
        Ok(())
    }
}
