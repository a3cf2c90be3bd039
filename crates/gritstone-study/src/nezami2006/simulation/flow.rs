//! Section 5.2.1: particles in a box, two adjacent walls of which are removed.

use glam::DVec3;

use super::particles::Sizes;
use super::replay::{self, Detection};
use super::room::{Layer, Room, empty, plane};
use super::{Measured, Trouble};

/// The paper's sizes (m).
const SIZES: Sizes = Sizes { least: 0.02, median: 0.038, most: 0.05 };
/// Width of the paper's box for up to 4000 particles (m).
const WIDTH: f64 = 0.3;
/// Time step (s): the paper's of 1.3e-4 s creates energy.
const STEP: f64 = 6e-5;
/// Grains of a layer, which make 0.3 m of height, and seconds between two layers: none falls far.
const LAYER: u32 = 800;
const LAYER_TIME: f64 = 1.0;
/// Seconds from the first grain of the last layer to the removal of the walls.
const SETTLE: f64 = 1.2;

/// Particles in a box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flow {
    pub(super) grains: u32,
    pub(super) seed: u64,
}

impl Flow {
    /// Fills the box, opens it, and times the methods in the first steps of the flow.
    pub(super) fn run(&self) -> Result<Measured, Trouble> {
        let mut setup = empty(STEP)?;
        setup.walls = vec![
            plane("floor", DVec3::Z, 0.0)?,
            plane("x-low", DVec3::X, 0.0)?,
            plane("y-low", DVec3::Y, 0.0)?,
            plane("x-high", -DVec3::X, -WIDTH)?,
            plane("y-high", -DVec3::Y, -WIDTH)?,
        ];
        let layers = self.layers();
        let settled = layers.last().map_or(0.0, |layer| layer.start) + SETTLE;
        let mut room = Room::new(setup, SIZES, &layers, 2000.0, self.seed)?;
        room.until(settled)?;
        room.world.remove_wall("x-high");
        room.world.remove_wall("y-high");
        let detection: Detection = replay::measure(&mut room)?;
        Ok(Measured { what: "particle flow", grains: room.world.grains().count(), detection })
    }

    fn layers(&self) -> Vec<Layer> {
        (0..self.grains.div_ceil(LAYER))
            .map(|i| Layer {
                low: DVec3::new(0.0, 0.0, 0.1 + 0.3 * f64::from(i)),
                high: DVec3::new(WIDTH, WIDTH, 0.45 + 0.3 * f64::from(i)),
                grains: LAYER.min(self.grains - LAYER * i),
                start: LAYER_TIME * f64::from(i),
            })
            .collect()
    }
}
