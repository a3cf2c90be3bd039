//! What the cases of bulk behaviour share: soft grains with friction, heaps of them to start from, numbers with error bars.
//!
//! Grains have a mean volume like a ball of the diameter d. Lengths are told in d, times in √(d/g), springs in m·g/d.

use gritstone_core::Vector as _;
use gritstone_engine::{Dimension, Grain, Rules, Setup, World};
use gritstone_force::{Friction, Interactions, Material, Overrides};
use gritstone_shape::space::Sphere;

use super::Trouble;
use super::bench::{DENSITY, G, empty, grain, linear, material};
use crate::generate::Draw;

/// d: diameter of the grains, or of balls of their volume (m).
pub(super) const DIAMETER: f64 = 1e-2;
/// Stiffness of springs over m·g/d: forty layers overlap by less than a hundredth.
const STIFFNESS: f64 = 5e3;
/// Steps in a contact of two equal grains.
const FINENESS: f64 = 25.0;
/// Restitution of the grains.
const RESTITUTION: f64 = 0.5;
/// Diameters of grains that are not all equal, over their mean: equal ones make crystals at walls.
const CLASSES: [f64; 5] = [0.9, 0.95, 1.0, 1.05, 1.1];

/// A mean, or a number from a fit, with its standard error.
#[derive(Clone, Copy, Debug)]
pub(super) struct Estimate {
    pub(super) mean: f64,
    pub(super) error: f64,
}

impl Estimate {
    /// Of independent values; no error is known of a single one.
    pub(super) fn of(values: &[f64]) -> Self {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        Self { mean, error: (squares / (n * (n - 1.0))).sqrt() }
    }

    /// A function of the number, whose derivative there is known.
    pub(super) fn map(self, value: f64, derivative: f64) -> Self {
        Self { mean: value, error: (self.error * derivative).abs() }
    }
}

/// A straight line of least squares.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) slope: Estimate,
    /// Where it crosses zero.
    pub(super) root: Estimate,
}

impl Line {
    /// Through points `[x, y]`, three or more; errors from how far they lie off it.
    pub(super) fn through(points: &[[f64; 2]]) -> Self {
        let n = points.len() as f64;
        let mean = |of: &dyn Fn(&[f64; 2]) -> f64| points.iter().map(of).sum::<f64>() / n;
        let (x, y) = (mean(&|p| p[0]), mean(&|p| p[1]));
        let spread = mean(&|p| (p[0] - x).powi(2));
        let slope = mean(&|p| (p[0] - x) * (p[1] - y)) / spread;
        let off = mean(&|p| (p[1] - y - slope * (p[0] - x)).powi(2)) * n / (n - 2.0);
        let of_slope = (off / (n * spread)).sqrt();
        let root = x - y / slope;
        // The mean height and the slope have independent errors.
        let of_root = (off / n + ((root - x) * of_slope).powi(2)).sqrt() / slope.abs();
        Self {
            slope: Estimate { mean: slope, error: of_slope },
            root: Estimate { mean: root, error: of_root },
        }
    }
}

/// Coefficients of friction and of rolling resistance.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rough {
    pub(super) friction: f64,
    pub(super) rolling: f64,
}

impl Rough {
    pub(super) fn sliding(friction: f64) -> Self {
        Self { friction, rolling: 0.0 }
    }
}

/// √(d/g) (s).
pub(super) fn unit_of_time() -> f64 {
    (DIAMETER / G).sqrt()
}

/// Volume of a ball, or area of a disc, of the diameter d.
pub(super) fn volume<D: Dimension>() -> f64 {
    let disc = std::f64::consts::FRAC_PI_4 * DIAMETER * DIAMETER;
    if D::N == 2 { disc } else { disc * DIAMETER * 2.0 / 3.0 }
}

/// Grains of material 0, walls of material 1, smooth walls of material 2; nothing in it yet.
pub(super) fn soft<D: Dimension>(grains: Rough, walls: Rough) -> Result<Setup<D>, Trouble> {
    let mass = DENSITY * volume::<D>();
    let kn = STIFFNESS * mass * G / DIAMETER;
    let plain = Material {
        friction: Friction::Coefficient(grains.friction),
        rolling: grains.rolling,
        ..material(linear(kn), RESTITUTION)
    };
    let step = std::f64::consts::PI * (mass / (2.0 * kn)).sqrt() / FINENESS;
    let mut setup = empty::<D>(plain.clone(), Rules::default(), step)?;
    let at_walls = Overrides {
        friction: Some(Friction::Coefficient(walls.friction)),
        rolling: Some(walls.rolling),
        ..Overrides::default()
    };
    let smooth = Material {
        name: "smooth".into(),
        friction: Friction::Coefficient(0.0),
        rolling: 0.0,
        ..plain.clone()
    };
    let others = [Material { name: "walls".into(), ..plain.clone() }, smooth];
    setup.interactions =
        Interactions::mix(&[plain, others[0].clone(), others[1].clone()], &[(0, 1, at_walls)])?;
    setup.densities = vec![DENSITY; 3];
    setup.gravity = D::Vec::axis(D::N - 1) * -G;
    Ok(setup)
}

/// Spheres of [`CLASSES`] of diameters.
pub(super) fn spheres() -> Result<Vec<gritstone_shape::space::Solid>, Trouble> {
    CLASSES.iter().map(|class| Ok(Sphere::new(0.5 * class * DIAMETER)?.into())).collect()
}

/// Discs of [`CLASSES`] of diameters.
pub(super) fn discs() -> Result<Vec<gritstone_shape::plane::Figure>, Trouble> {
    CLASSES
        .iter()
        .map(|class| Ok(gritstone_shape::plane::Circle::new(0.5 * class * DIAMETER)?.into()))
        .collect()
}

/// Places on a lattice in a box from `low` to `high`, as far apart as `pitch` at least, layer by layer.
pub(super) fn lattice<D: Dimension>(low: D::Vec, high: D::Vec, pitch: f64) -> Vec<D::Vec> {
    let counts: Vec<usize> =
        (0..D::N).map(|axis| ((high - low).component(axis) / pitch).floor().max(1.0) as usize).collect();
    let place = |mut number: usize| {
        let mut cells = [0.0; 3];
        for (cell, count) in cells.iter_mut().zip(&counts) {
            *cell = ((number % count) as f64 + 0.5) / *count as f64;
            number /= count;
        }
        low + D::Vec::from_fn(|axis| cells[axis] * (high - low).component(axis))
    };
    (0..counts.iter().product()).map(place).collect()
}

/// Grains at these places, with a velocity of √(gd) in any direction, so that no lattice stays.
pub(super) fn scattered<D: Dimension>(places: &[D::Vec], shapes: usize, draw: &mut Draw) -> Vec<Grain<D>> {
    let speed = (G * DIAMETER).sqrt();
    let mut make = |(id, place): (usize, &D::Vec)| {
        let direction = draw.direction();
        let velocity = D::Vec::from_fn(|axis| speed * direction[axis]);
        Grain { velocity, ..grain(id as u32, draw.index(shapes) as u32, *place) }
    };
    places.iter().enumerate().map(&mut make).collect()
}

/// Steps for so many √(d/g).
pub(super) fn go_on<D: Dimension>(world: &mut World<D>, times: f64) -> Result<(), Trouble> {
    for _ in 0..(times * unit_of_time() / world.time_step()).round() as u64 {
        world.step()?;
    }
    Ok(())
}
