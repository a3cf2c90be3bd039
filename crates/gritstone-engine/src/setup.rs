//! The setup: everything that a simulation starts from, in plain numbers. Scenes are built into this.

mod error;

use std::collections::HashSet;

use gritstone_contact::NarrowPhase;
use gritstone_core::{Dim, Linear as _, Pose, Vector};
use gritstone_force::{Interactions, LawError, Material};
use gritstone_shape::{AnyShape, Support};

pub use self::error::SetupError;
use crate::bodies::compound::{Compound, Compounds};
use crate::bodies::fast::half_thickness;
use crate::boundary::surface::Surface;
use crate::boundary::surface_motion::SurfaceMotion;
use crate::boundary::tools::Tool;
use crate::broad_phase::largest_skin;
use crate::contacts::Laws;
use crate::dimension::Dimension;
use crate::periodic::cell::{Cell, PeriodicCell};
use crate::world::Earlier;

/// Everything that a world is built from.
#[derive(Clone, Debug)]
pub struct Setup<D: NarrowPhase> {
    /// The shapes that grains have. Their centres of mass are at their origins.
    pub shapes: Vec<D::Shape>,
    /// Those of them that are compounds; in the list of shapes such a one has its first part.
    pub compounds: Compounds<D>,
    /// Density of each material (kg/m³; in the plane kg/m²).
    pub densities: Vec<f64>,
    /// Contact parameters of every pair of materials.
    pub interactions: Interactions,
    /// How the input of laws follows from contacts.
    pub rules: Rules,
    /// Name of the method that solves every contact, as published; none for the certified default. Pairs of shapes that it is
    /// not made for are solved by the default.
    pub method: Option<String>,
    /// The grains, in any order.
    pub grains: Vec<Grain<D>>,
    /// Walls: bodies that forces do not move, unless a tool is free.
    pub walls: Vec<Wall<D>>,
    /// Walls that move together; a wall that is in no tool is a tool of its own.
    pub tools: Vec<Tool<D>>,
    /// Acceleration of free fall (m/s²).
    pub gravity: D::Vec,
    /// Time step (s).
    pub time_step: f64,
    /// Where grains may be, if there are limits.
    pub domain: Option<Domain<D>>,
    /// The periodic cell, if there is one.
    pub cell: Option<Cell<D>>,
    /// The world that some of the grains continue from, if there is one.
    pub earlier: Option<Earlier<D>>,
}

/// A grain at the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grain<D: Dim> {
    /// Its id, which never changes; no two grains share one.
    pub id: u32,
    /// Index of its shape.
    pub shape: u32,
    /// Index of its material.
    pub material: u16,
    /// Position of its centre of mass, and orientation.
    pub pose: Pose<D>,
    /// Velocity of the centre of mass (m/s).
    pub velocity: D::Vec,
    /// Angular velocity (rad/s), in world axes.
    pub spin: D::Spin,
    /// Whether it is fixed in place.
    pub frozen: bool,
}

/// A body that forces do not move.
#[derive(Clone, Debug, PartialEq)]
pub struct Wall<D: NarrowPhase> {
    /// Its name in reports.
    pub name: String,
    /// Its shape; half-spaces and half-planes are the usual ones.
    pub shape: D::Shape,
    /// Index of its material.
    pub material: u16,
    /// Position of the shape's own origin, and orientation.
    pub pose: Pose<D>,
    /// Velocity of that origin (m/s).
    pub velocity: D::Vec,
    /// Angular velocity about that origin (rad/s).
    pub spin: D::Spin,
    /// Whether it is there from the start.
    pub present: bool,
    /// The surface of a wall that is not convex, in space; its shape is then a sphere that encloses it.
    pub surface: Option<Surface>,
    /// Motion of its material along the surface, as of a conveyor belt: it affects friction but not geometry.
    pub surface_motion: SurfaceMotion<D>,
}

impl<D: NarrowPhase> Setup<D> {
    /// Shapes and materials without grains, walls and gravity. The time step is zero and must be set: a world refuses zero.
    pub fn of(shapes: Vec<D::Shape>, materials: &[Material]) -> Result<Self, LawError> {
        Ok(Self {
            shapes,
            compounds: Compounds::new(),
            densities: materials.iter().map(|material| material.density).collect(),
            interactions: Interactions::mix(materials, &[])?,
            rules: Rules::default(),
            method: None,
            grains: Vec::new(),
            walls: Vec::new(),
            tools: Vec::new(),
            gravity: D::Vec::default(),
            time_step: 0.0,
            domain: None,
            cell: None,
            earlier: None,
        })
    }
}

impl<D: Dim> Grain<D> {
    /// A grain of the first material at rest, without rotation.
    pub fn at(id: u32, shape: u32, position: D::Vec) -> Self {
        let (velocity, spin) = Default::default();
        Self { id, shape, material: 0, pose: Pose::at(position), velocity, spin, frozen: false }
    }
}

impl<D: NarrowPhase> Wall<D> {
    /// A wall at rest at the position of its shape.
    pub fn fixed(name: impl Into<String>, shape: D::Shape, material: u16) -> Self {
        Self {
            name: name.into(),
            shape,
            material,
            pose: Pose::default(),
            velocity: D::Vec::default(),
            spin: D::Spin::default(),
            present: true,
            surface: None,
            surface_motion: SurfaceMotion::default(),
        }
    }
}

/// The bounds of the simulation, and what happens to grains that leave them.
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
    /// The grain is removed, and counted.
    Remove,
    /// It stays in the simulation.
    Keep,
}

/// How the input of laws follows from contacts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// What the effective radius is taken from.
    pub radius: RadiusRule,
    /// The model of contacts between flat surfaces.
    pub flat: FlatRule,
    /// Height of the [crown](gritstone_shape::space::Crowned) of flat and rod-like smooth bodies, relative to their extent; zero
    /// for the exact shapes.
    pub crown: f64,
}

/// A crown that holds usual overlaps: a fifteenth of the overlap over the radius, at fifty steps in a contact, is to be less.
pub const CROWN: f64 = 0.003;

impl Default for Rules {
    fn default() -> Self {
        Self { radius: RadiusRule::default(), flat: FlatRule::default(), crown: CROWN }
    }
}

/// What the effective radius of a contact is taken from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RadiusRule {
    /// A function of the direction for each smooth body, with its gradient in the force: elastic impacts keep their energy. Bodies
    /// with edges have the constant one of their volumes.
    #[default]
    BodyFunction,
    /// The curvature of both surfaces at the contact, without its gradient: elastic impacts gain and lose energy.
    Curvature,
    /// The radii of balls (discs) of the grains' volumes (areas).
    Volume,
}

/// The model of contacts between flat surfaces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FlatRule {
    /// Pressure is integrated over the patch that the grains share. Patches that hardly move are reused.
    #[default]
    Patch,
    /// The same, with every patch measured in every step.
    StrictPatch,
    /// One contact point.
    Point,
}

impl FlatRule {
    /// Whether flat contacts have patches.
    pub fn has_patches(self) -> bool {
        self != Self::Point
    }
}

impl<D: Dim> Domain<D> {
    /// Whether a point is inside.
    pub fn holds(&self, x: D::Vec) -> bool {
        self.holds_along(x, [true; 3])
    }

    /// Whether a point is inside along these axes.
    pub fn holds_along(&self, x: D::Vec, axes: [bool; 3]) -> bool {
        let holds = |i: usize| (self.low.component(i)..=self.high.component(i)).contains(&x.component(i));
        (0..D::N).all(|i| !axes[i] || holds(i))
    }
}

/// How far a centre of mass may be from the shape's origin, relative to size.
const CENTRED: f64 = 1e-9;

/// Least relative width of a cell, and largest sine of the angle between an unbounded wall and a periodic axis.
const FLAT: f64 = 1e-6;

impl<D: Dimension> Setup<D> {
    /// Adds a compound to the shapes, and returns its index.
    pub fn add_compound(&mut self, compound: Compound<D>) -> u32 {
        let index = self.shapes.len() as u32;
        self.shapes.extend(compound.parts().first().map(|part| part.shape.clone()));
        self.compounds.insert(index, compound);
        index
    }

    /// The axis along which the cell is too narrow for the grains, its width there and the width that is needed (m).
    pub fn narrow_side(&self) -> Option<(usize, f64, f64)> {
        let cells = PeriodicCell::new(self.cell.as_ref()?);
        let needed = self.needed_width();
        (0..D::N).map(|axis| (axis, cells.width(axis), needed)).find(|(_, width, _)| *width < needed)
    }

    /// How wide a cell must be for the grains of the setup: wider than the largest one and the cutoff of the lists (m).
    pub fn needed_width(&self) -> f64 {
        let mut used: Vec<u32> = self.grains.iter().map(|grain| grain.shape).collect();
        used.sort_unstable();
        used.dedup();
        let largest = used.iter().map(|&shape| self.size(shape)).fold(0.0, f64::max);
        if used.is_empty() {
            // No grains yet: lists are built for the smallest grain that may be inserted, as in the world.
            used.extend((0..self.shapes.len() as u32).filter(|&shape| self.volume(shape) > 0.0));
        }
        let smallest = used.iter().map(|&shape| self.smallest_part(shape)).reduce(f64::min);
        2.0 * largest + smallest.map_or(0.0, largest_skin) + Laws::new(self).reach()
    }

    fn smallest_part(&self, shape: u32) -> f64 {
        let of_parts = |compound: &Compound<D>| {
            compound.parts().iter().map(|part| part.shape.size()).fold(f64::INFINITY, f64::min)
        };
        self.compounds.get(&shape).map_or_else(|| self.size(shape), of_parts)
    }

    /// Volume of grains of this shape (in the plane area); zero for shapes that have none.
    pub fn volume(&self, shape: u32) -> f64 {
        let convex = || {
            let mass = self.shapes.get(shape as usize).and_then(AnyShape::mass_properties);
            mass.map_or(0.0, |mass| mass.volume)
        };
        self.compounds.get(&shape).map_or_else(convex, |compound| compound.mass().volume)
    }

    /// Half the smallest width of a grain of this shape, of a compound that of its thinnest part (m).
    pub fn half_thickness(&self, shape: u32) -> f64 {
        let thickness = |shape: &D::Shape| half_thickness::<D>(shape);
        match self.compounds.get(&shape) {
            Some(compound) => {
                compound.parts().iter().map(|part| thickness(&part.shape)).fold(f64::INFINITY, f64::min)
            }
            None => self.shapes.get(shape as usize).map_or(f64::INFINITY, thickness),
        }
    }

    /// Radius of a ball about the centre of mass that holds a grain of this shape (m).
    pub fn size(&self, shape: u32) -> f64 {
        let convex = || self.shapes.get(shape as usize).map_or(0.0, Support::size);
        self.compounds.get(&shape).map_or_else(convex, Compound::size)
    }

    /// Checks the setup.
    pub(crate) fn check(&self) -> Result<(), SetupError> {
        if !(self.time_step > 0.0 && self.time_step.is_finite()) {
            return Err(SetupError::TimeStep(self.time_step));
        }
        if let Some(name) = self.method.as_ref().filter(|name| D::method(name).is_none()) {
            return Err(SetupError::NoSuchMethod(name.clone()));
        }
        if let Some((material, &density)) =
            self.densities.iter().enumerate().find(|&(_, &density)| !(density > 0.0 && density.is_finite()))
        {
            return Err(SetupError::Density { material, density });
        }
        self.check_cell()?;
        let mut ids = HashSet::with_capacity(self.grains.len());
        // Distance of the centre of mass from the origin, relative to size.
        let off_centre =
            |shape: &D::Shape| shape.mass_properties().map(|mass| mass.centroid.length() / shape.size());
        let mut off_centre: Vec<Option<f64>> = self.shapes.iter().map(off_centre).collect();
        for &index in self.compounds.keys() {
            // Compounds are made about their centres of mass.
            *off_centre.get_mut(index as usize).ok_or(SetupError::NoSuchCompound(index))? = Some(0.0);
        }
        for grain in &self.grains {
            let (id, shape) = (grain.id, grain.shape);
            let word = || self.shapes[shape as usize].word().to_owned();
            match off_centre.get(shape as usize) {
                None => return Err(SetupError::NoShape { id, shape, count: off_centre.len() }),
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
        })?;
        self.check_tools()
    }

    fn check_tools(&self) -> Result<(), SetupError> {
        let mut free = vec![true; self.walls.len()];
        for tool in &self.tools {
            let wrong = |what| Err(SetupError::Tool { name: tool.name.clone(), what });
            if tool.walls.is_empty() {
                return wrong("has no walls");
            }
            for &wall in &tool.walls {
                match free.get_mut(wall as usize) {
                    None => return wrong("has a wall that does not exist"),
                    Some(false) => return wrong("has a wall that is already in a tool"),
                    Some(free) => *free = false,
                }
            }
        }
        Ok(())
    }

    fn check_cell(&self) -> Result<(), SetupError> {
        let Some(cell) = &self.cell else { return Ok(()) };
        let sides = cell.sides.iter().flatten();
        let numbers = sides.map(|side| side.vector.length() + side.velocity.length());
        let sum: f64 = numbers.sum::<f64>() + cell.centre.length();
        let cells = PeriodicCell::new(cell);
        // Relative to the sides: a box that is flat has no width.
        let flat = |axis: usize| {
            cell.sides[axis].is_some_and(|side| cells.width(axis) <= FLAT * side.vector.length())
        };
        if !sum.is_finite() || (0..D::N).any(|axis| flat(axis) || cells.width(axis).is_nan()) {
            return Err(SetupError::FlatCell);
        }
        self.walls.iter().try_for_each(|wall| {
            let normal = wall.shape.plane_normal().map(|normal| D::rotate(wall.pose.rotation, normal));
            let leans = |axis: &usize| {
                let side = cell.sides[*axis].map(|side| side.vector);
                side.zip(normal).is_some_and(|(side, normal)| side.dot(normal).abs() > FLAT * side.length())
            };
            match (0..D::N).find(leans) {
                None => Ok(()),
                Some(axis) => Err(SetupError::LeaningWall { name: wall.name.clone(), axis }),
            }
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
