//! A world that is filled layer by layer and stepped to a moment.

use glam::DVec3;
use gritstone_core::{Pose, Space};
use gritstone_engine::{
    Compounds, FlatRule, Inlet, InletState, Measure, RadiusRule, Region, Rules, Setup, Wall, World,
};
use gritstone_force::{Adhesion, Damping, Friction, Interactions, Material, Stiffness};
use gritstone_shape::space::{HalfSpace, Polyhedron};

use super::Trouble;
use super::particles::{DENSITY, Sizes};

/// Acceleration of free fall (m/s²).
const G: f64 = 9.81;
/// Steps between two looks at what is due to come in.
const LOOKS: u64 = 50;

/// Grains that come in together: where, how many, from when (s).
pub(super) struct Layer {
    pub(super) low: DVec3,
    pub(super) high: DVec3,
    pub(super) grains: u32,
    pub(super) start: f64,
}

/// A world, and what comes into it.
pub(super) struct Room {
    pub(super) setup: Setup<Space>,
    pub(super) world: World<Space>,
    inlets: Vec<(Inlet<Space>, InletState<Space>)>,
}

/// A setup without grains: the paper's stiffnesses and friction; restitution is ours.
pub(super) fn empty(time_step: f64) -> Result<Setup<Space>, Trouble> {
    let material = Material {
        name: "steel".into(),
        density: DENSITY,
        stiffness: Stiffness::Linear { kn: 130e3, ks: 102e3 },
        damping: Damping::Restitution(0.5),
        friction: Friction::Coefficient(35_f64.to_radians().tan()),
        rolling: 0.0,
        twisting: 0.0,
        cohesion: Adhesion::None,
    };
    Ok(Setup {
        shapes: Vec::new(),
        compounds: Compounds::new(),
        densities: vec![DENSITY],
        interactions: Interactions::mix(&[material], &[])?,
        method: None,
        rules: Rules { radius: RadiusRule::Volume, flat: FlatRule::Patch, crown: 0.0 },
        grains: Vec::new(),
        walls: Vec::new(),
        tools: Vec::new(),
        gravity: DVec3::Z * -G,
        time_step,
        domain: None,
        cell: None,
        earlier: None,
    })
}

/// A wall in whose half-space no grain may be: below `offset` along `normal`.
pub(super) fn plane(name: &str, normal: DVec3, offset: f64) -> Result<Wall<Space>, Trouble> {
    Ok(Wall::fixed(name, HalfSpace::new(normal, offset)?.into(), 0))
}

/// A wall that is the hull of these points.
pub(super) fn plate(name: &str, points: &[DVec3]) -> Result<Wall<Space>, Trouble> {
    let (hull, center) = Polyhedron::hull(points)?;
    Ok(Wall { pose: Pose::at(center), ..Wall::fixed(name, hull.into(), 0) })
}

impl Room {
    /// The world of this setup, into which the layers will fall at `rate` grains a second each.
    pub(super) fn new(
        mut setup: Setup<Space>,
        sizes: Sizes,
        layers: &[Layer],
        rate: f64,
        seed: u64,
    ) -> Result<Self, Trouble> {
        let (shapes, mix) = sizes.particles()?;
        setup.shapes = shapes;
        let inlet = |(i, layer): (u64, &Layer)| Inlet {
            name: "layer".into(),
            region: Region::Box { low: layer.low, high: layer.high },
            mix: mix.clone(),
            rotation: None,
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            rate,
            by: Measure::Number,
            start: layer.start,
            end: f64::INFINITY,
            most: f64::from(layer.grains),
            every: LOOKS,
            attempts: 200,
            seed: seed.wrapping_mul(0x1000).wrapping_add(i),
        };
        let inlets: Vec<Inlet<Space>> = (0..).zip(layers).map(inlet).collect();
        let inlets = inlets.into_iter().map(|inlet| (inlet.clone(), InletState::new(&inlet))).collect();
        Ok(Self { world: World::new(&setup)?, setup, inlets })
    }

    /// One step.
    pub(super) fn step(&mut self) -> Result<(), Trouble> {
        for (inlet, feed) in &mut self.inlets {
            inlet.feed(feed, &mut self.world, &self.setup)?;
        }
        Ok(self.world.step()?)
    }

    /// Steps until this moment (s).
    pub(super) fn until(&mut self, time: f64) -> Result<(), Trouble> {
        while self.world.time() < time {
            self.step()?;
        }
        Ok(())
    }
}
