//! Section 5.2.2: a bucket that is pushed into a pile of soil, turned and lifted.

use glam::DVec3;
use gritstone_core::Space;
use gritstone_engine::{ConstantRate, CurveKind, Drive, MotionCurve, Move, Tool, Wall};

use super::particles::Sizes;
use super::replay;
use super::room::{Layer, Room, empty, plane, plate};
use super::{Measured, Trouble};

/// The paper's particles, and their sizes (m).
const PARTICLES: f64 = 21_952.0;
const SIZES: Sizes = Sizes { least: 0.01, median: 0.025, most: 0.04 };
/// Width and length of the bin (m), the length until its end is removed.
const ACROSS: f64 = 0.6;
const ALONG: f64 = 0.4;
/// Time step for 3000 grains (s); the lightest of fewer and larger ones, and with them the step, follow from the number.
const STEP: f64 = 5e-5;

/// The phases of Table I: name, start and end on the bucket's clock (s).
const PHASES: [(&str, f64, f64); 3] =
    [("horizontal translation", 0.0, 8.0), ("rotation", 5.0, 16.0), ("vertical translation", 13.0, 20.0)];
/// How far it goes in each (m, rad, m).
const FORWARD: f64 = 0.25;
const TURN: f64 = 65.0;
const UP: f64 = 0.18;

/// The bucket's heel, about which it turns, at the start (m).
const HEEL: DVec3 = DVec3::new(1.05, 0.3, 0.04);

/// A pile of so many grains, and how many times as fast as in the paper the bucket goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bucket {
    pub(super) grains: u32,
    pub(super) pace: f64,
}

impl Bucket {
    /// Makes the pile, moves the bucket, and times the methods in the first steps of each phase.
    pub(super) fn run(&self, seed: u64) -> Result<Vec<Measured>, Trouble> {
        // The same pile of fewer grains: each is larger.
        let scale = (PARTICLES / f64::from(self.grains)).cbrt();
        let mut setup = empty(STEP * (3000.0 / f64::from(self.grains)).sqrt())?;
        setup.walls = vec![
            plane("floor", DVec3::Z, 0.0)?,
            plane("end", DVec3::X, 0.0)?,
            plane("side-low", DVec3::Y, 0.0)?,
            plane("side-high", -DVec3::Y, -ACROSS)?,
            plane("gate", -DVec3::X, -ALONG)?,
        ];
        let first = setup.walls.len() as u32;
        setup.walls.extend(plates()?);
        let layers = self.layers();
        let opened = layers.last().map_or(0.0, |layer| layer.start) + 1.1;
        let clock = opened + 1.5;
        let walls = (first..setup.walls.len() as u32).collect();
        let drive = Drive::Moves(self.moves(clock));
        setup.tools = vec![Tool { name: "bucket".into(), walls, origin: HEEL, drive }];
        let mut room = Room::new(setup, SIZES.times(scale), &layers, 1100.0, seed)?;
        room.until(opened)?;
        room.world.remove_wall("gate");
        let mut phases = Vec::new();
        for (what, start, _) in PHASES {
            room.until(clock + start / self.pace)?;
            let detection = replay::measure(&mut room)?;
            phases.push(Measured { what, grains: room.world.grains().count(), detection });
        }
        Ok(phases)
    }

    fn layers(&self) -> Vec<Layer> {
        (0..4)
            .map(|i| Layer {
                low: DVec3::new(0.0, 0.0, 0.05 + 0.25 * f64::from(i)),
                high: DVec3::new(ALONG, ACROSS, 0.4 + 0.25 * f64::from(i)),
                grains: self.grains / 4,
                start: 0.8 / self.pace.sqrt() * f64::from(i),
            })
            .collect()
    }

    /// The rotation stands first: it turns about the heel, which the others take along.
    fn moves(&self, clock: f64) -> Vec<Move<Space>> {
        let course = |phase: usize, amount: f64| {
            let (_, start, end) = PHASES[phase];
            let [start, end] = [start, end].map(|time| clock + time / self.pace);
            MotionCurve {
                start,
                end,
                kind: CurveKind::ConstantRate(ConstantRate { rate: amount / (end - start) }),
            }
        };
        vec![
            Move::About { point: HEEL, axis: DVec3::Y, course: course(1, TURN.to_radians()) },
            Move::Along { axis: -DVec3::X, course: course(0, FORWARD) },
            Move::Along { axis: DVec3::Z, course: course(2, UP) },
        ]
    }
}

/// A floor, a slope behind it, a back and two sides, each 1 cm thick: 0.36 m wide, 0.20 m deep, 0.16 m high.
fn plates() -> Result<Vec<Wall<Space>>, Trouble> {
    // Drawn in the plane of x and z, and drawn out from one y to another.
    let along_y = |name: &str, outline: &[(f64, f64)], from: f64, to: f64| {
        let points: Vec<DVec3> = [from, to]
            .into_iter()
            .flat_map(|y| outline.iter().map(move |&(x, z)| DVec3::new(x, y, z)))
            .collect();
        plate(name, &points)
    };
    let side = [(0.87, 0.04), (1.06, 0.04), (0.95, 0.20), (1.06, 0.20)];
    Ok(vec![
        along_y("floor-plate", &[(0.85, 0.04), (1.05, 0.04), (0.87, 0.05), (1.05, 0.05)], 0.12, 0.48)?,
        along_y("slope-plate", &[(1.03, 0.05), (1.05, 0.05), (1.05, 0.08)], 0.12, 0.48)?,
        along_y("back-plate", &[(1.05, 0.04), (1.06, 0.04), (1.05, 0.20), (1.06, 0.20)], 0.12, 0.48)?,
        along_y("low-plate", &side, 0.11, 0.12)?,
        along_y("high-plate", &side, 0.48, 0.49)?,
    ])
}
