//! What a simulation starts from, in plain numbers: scenes are turned into this.

use std::collections::HashSet;

use gritstone_contact::NarrowPhase;
use gritstone_core::{Dim, Linear as _, Pose, Vector};
use gritstone_force::{Interactions, LawError, Material};
use gritstone_shape::{AnyShape, Support};

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

/// Everything that a world is made of.
#[derive(Clone, Debug)]
pub struct Setup<D: NarrowPhase> {
    /// The shapes that grains have. Their centres of mass are at their origins.
    pub shapes: Vec<D::Shape>,
    /// Those of them that are compounds; in the list of shapes such a one has its first part.
    pub compounds: Compounds<D>,
    /// Density of each material (kg/m³; in the plane kg/m²).
    pub densities: Vec<f64>,
    /// How the materials act on each other.
    pub interactions: Interactions,
    /// How contacts are turned into what laws see.
    pub rules: Rules,
    /// Name of the method that solves every contact, as published; none for the certified default. Pairs of shapes that it is
    /// not made for are solved by the default.
    pub method: Option<String>,
    /// The grains, in any order.
    pub grains: Vec<Grain<D>>,
    /// Walls: bodies that forces do not move, unless a tool is free.
    pub walls: Vec<Wall<D>>,
    /// Walls that move together; those that are in none move alone.
    pub tools: Vec<Tool<D>>,
    /// Acceleration of free fall (m/s²).
    pub gravity: D::Vec,
    /// Time step (s).
    pub time_step: f64,
    /// Where grains may be, if there are limits.
    pub domain: Option<Domain<D>>,
    /// What repeats, if anything does.
    pub cell: Option<Cell<D>>,
    /// The world that some of the grains go on from, if there is one.
    pub earlier: Option<Earlier<D>>,
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
pub struct Wall<D: NarrowPhase> {
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
    /// Whether it is there from the start.
    pub present: bool,
    /// What it is where it is not convex, in space; its shape is then a ball that holds it.
    pub surface: Option<Surface>,
    /// How its surface moves along itself, as a conveyor belt does: friction sees it, geometry does not.
    pub surface_motion: SurfaceMotion<D>,
}

impl<D: NarrowPhase> Setup<D> {
    /// Shapes and materials without any grain, wall or gravity. The time step is zero, which a world does not take: it is to be
    /// set.
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
    /// A grain of the first material at rest, turned by nothing.
    pub fn at(id: u32, shape: u32, position: D::Vec) -> Self {
        let (velocity, spin) = Default::default();
        Self { id, shape, material: 0, pose: Pose::at(position), velocity, spin, frozen: false }
    }
}

impl<D: NarrowPhase> Wall<D> {
    /// A wall that stands still, where its shape has it.
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
    /// The grain is removed, and counted.
    Remove,
    /// It goes on; the domain is only a region to report on.
    Keep,
}

/// How contacts are turned into what laws see.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// What the effective radius is taken from.
    pub radius: RadiusRule,
    /// What happens where surfaces are flat.
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

/// What happens where surfaces are flat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FlatRule {
    /// Pressure is integrated over the patch that the grains share. Patches that hardly move are followed.
    #[default]
    Patch,
    /// The same, with every patch measured in every step.
    StrictPatch,
    /// One point stands for all.
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

    /// Whether a point is inside, as far as these axes tell.
    pub fn holds_along(&self, x: D::Vec, axes: [bool; 3]) -> bool {
        let holds = |i: usize| (self.low.component(i)..=self.high.component(i)).contains(&x.component(i));
        (0..D::N).all(|i| !axes[i] || holds(i))
    }
}

/// How far a centre of mass may be from the shape's origin, relative to size.
const CENTRED: f64 = 1e-9;

/// How flat a cell may be, and how far walls without end may lean against what repeats.
const FLAT: f64 = 1e-6;

/// What is wrong with a setup.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SetupError {
    /// The time step is not a positive number.
    #[error("time step is {0:?}, but must be positive")]
    TimeStep(f64),
    /// An unknown method.
    #[error("there is no contact method {0:?}")]
    NoSuchMethod(String),
    /// An unknown shape.
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
    /// An unknown material.
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
    /// A cell whose sides are no box.
    #[error("the cell's sides are not finite or lie in one plane or line")]
    FlatCell,
    /// A wall that does not look the same from one cell to the next.
    #[error("wall {name:?} is not parallel to the side of the cell along axis {axis}, which repeats")]
    LeaningWall {
        /// Which wall.
        name: String,
        /// Which axis, counted from 0.
        axis: usize,
    },
    /// A cell that is too narrow for its grains.
    #[error(
        "the cell is {width:e} m wide along axis {axis}, but must be wider than {needed:e} m: than the largest grain and \
         what lists need around it"
    )]
    Narrow {
        /// Which axis, counted from 0.
        axis: usize,
        /// Distance of the sides (m).
        width: f64,
        /// Distance that is needed (m).
        needed: f64,
    },
    /// A compound whose index is no shape's.
    #[error("there is a compound with the index {0}, but no such shape")]
    NoSuchCompound(u32),
    /// Two grains with one name.
    #[error("two grains have the id {0}")]
    SameId(u32),
    /// A tool with a wall that is not there, that another tool has, or with none.
    #[error("tool {name:?} {what}")]
    Tool {
        /// Its name.
        name: String,
        /// What is wrong with it.
        what: &'static str,
    },
    /// A number that is none.
    #[error("{what} has a position, velocity or spin that is not finite")]
    NotFinite {
        /// Which body.
        what: String,
    },
    /// An earlier world that grains cannot go on from.
    #[error("grains cannot go on from the earlier state: {0}")]
    Earlier(String),
    /// Something that a backend cannot do.
    #[error("the {backend} backend does not support {what}: use the CPU backend")]
    NotSupported {
        /// The backend.
        backend: &'static str,
        /// What it cannot do, in words.
        what: String,
    },
    /// A device that is missing or cannot be used.
    #[error("{0}")]
    Device(String),
    /// A world could not be sent to the processes that share it.
    #[error("the world cannot be sent to the other processes: {0}")]
    NotSent(String),
}

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

    /// How wide a cell must be for the grains that there are: wider than the largest one and what lists need around it (m).
    pub fn needed_width(&self) -> f64 {
        let mut used: Vec<u32> = self.grains.iter().map(|grain| grain.shape).collect();
        used.sort_unstable();
        used.dedup();
        let largest = used.iter().map(|&shape| self.size(shape)).fold(0.0, f64::max);
        if used.is_empty() {
            // Nobody there yet: lists are made for the smallest that may come, as the world does.
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
                    None => return wrong("has a wall that is not there"),
                    Some(false) => return wrong("has a wall that it, or another tool, has already"),
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
