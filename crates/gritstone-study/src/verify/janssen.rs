//! A silo whose walls slide upwards along the grains: Janssen's law.
//!
//! **Idea.** Walls that carry all they can leave the floor the apparent mass M∞ (1 − exp(−M/M∞)) of the filling M, with
//! M∞ = ρ L² λ, λ = L/(4 μ K) for a square of width L. K, the ratio of the pressure on the walls to that in the bed, is fitted; μ is the
//! friction that the walls are found to have. They carry all they can, because their material moves up along the grains for ever.
//!
//! **Source.** Janssen 1895; Bertho, Giorgiutti-Dauphiné and Hulin 2003, for walls that move.

use glam::DVec3;
use gritstone_core::Space;
use gritstone_engine::{Setup, SurfaceMotion, World};

use super::bench::{DENSITY, G, mass, plane};
use super::bulk::{DIAMETER, Estimate, Rough, go_on, lattice, scattered, soft, spheres};
use super::{Case, Check, Effort, Trouble};
use crate::generate::Draw;

pub(super) const CASE: Case = Case {
    name: "janssen",
    proves: "the force on the floor of a silo saturates with the filling as Janssen's law says where walls slide along the grains",
    source: "Janssen 1895; Bertho 2003: along moving walls the law is followed precisely, and its length is of the order of the width; K from the \
             least of EN 1991-4 to that of equal pressures",
    run,
};

/// Friction of grains and of walls.
const FRICTION: f64 = 0.5;
const WALLS: f64 = 0.3;
/// Speed of the walls over √(gd).
const SPEED: f64 = 0.02;
/// Times before and in the measurement (√(d/g)); how often forces are taken.
const SETTLING: f64 = 30.0;
const MEASURING: f64 = 20.0;
const SAMPLES: usize = 40;
/// Distance of grains at the start (d).
const PITCH: f64 = 1.1;

/// A filling: its mass, what the floor carries of it (kg), and forces at the walls.
#[derive(Clone, Copy, Debug)]
struct Filling {
    mass: f64,
    apparent: f64,
    /// Friction at the walls over the force across them.
    friction: f64,
    /// Solid fraction of the lower half.
    fraction: f64,
}

fn run(effort: Effort) -> Result<Vec<Check>, Trouble> {
    // Width and heights (d).
    let (width, heights, seeds): (f64, &[f64], _) =
        effort.pick((5.0, &[3.0, 6.0, 12.0], 1), (10.0, &[5.0, 10.0, 15.0, 20.0, 30.0, 45.0], 2));
    let (mut ratios, mut lengths, mut frictions, mut off) = (Vec::new(), Vec::new(), Vec::new(), 0.0_f64);
    for seed in 0..seeds {
        let fillings: Vec<Filling> =
            heights.iter().map(|height| fill(width, *height, seed)).collect::<Result<_, _>>()?;
        let limit = fit(&fillings);
        let law = |filling: &Filling| apparent(filling.mass, limit);
        off = fillings.iter().map(|f| (f.apparent - law(f)).abs() / limit).fold(off, f64::max);
        let Some(Filling { friction, fraction, .. }) = fillings.last() else { continue };
        // M∞ = ρ L³/(4 μ K).
        ratios.push(fraction * DENSITY * (width * DIAMETER).powi(3) / (4.0 * friction * limit));
        lengths.push(limit / (fraction * DENSITY * (width * DIAMETER).powi(3)));
        frictions.push(friction / WALLS);
    }
    Ok(vec![
        Check::within(
            format!("silos of {} fillings, {seeds} of each: K", heights.len()),
            Estimate::of(&ratios),
            [0.36, 1.0],
        ),
        Check::within("length of the law over the width", Estimate::of(&lengths), [0.5, 2.0]),
        Check::at_most("apparent mass, largest deviation from the law, over M∞", off, effort.pick(0.1, 0.05)),
        // Balls roll along walls as far as their neighbours let them: less than all of it is mobilised.
        Check::within(
            "friction at the walls over the largest possible",
            Estimate::of(&frictions),
            [0.7, 1.0],
        ),
    ])
}

fn apparent(mass: f64, limit: f64) -> f64 {
    -limit * (-mass / limit).exp_m1()
}

/// M∞ of least squares, by golden section: the sum of squares has one minimum between a small and the whole mass.
fn fit(fillings: &[Filling]) -> f64 {
    let squares =
        |limit: f64| fillings.iter().map(|f| (f.apparent - apparent(f.mass, limit)).powi(2)).sum::<f64>();
    let largest = fillings.iter().map(|filling| filling.mass).fold(0.0, f64::max);
    let (mut low, mut high) = (1e-3 * largest, 10.0 * largest);
    let golden = 0.5 * (5.0_f64.sqrt() - 1.0);
    for _ in 0..100 {
        let [a, b] = [high - golden * (high - low), low + golden * (high - low)];
        if squares(a) < squares(b) { high = b } else { low = a }
    }
    0.5 * (low + high)
}

/// Fills the silo and measures while the walls slide.
fn fill(width: f64, height: f64, seed: u64) -> Result<Filling, Trouble> {
    let setup = silo(width, height, seed)?;
    let filled: f64 =
        setup.grains.iter().map(|grain| mass::<Space>(&setup.shapes[grain.shape as usize])).sum();
    let mut world = World::new(&setup)?;
    go_on(&mut world, SETTLING)?;
    let (mut floor, mut along, mut across, mut solid) = (0.0, 0.0, 0.0, 0.0);
    let half = 0.5 * height * DIAMETER;
    for _ in 0..SAMPLES {
        go_on(&mut world, MEASURING / SAMPLES as f64)?;
        let walls = world.wall_states();
        floor -= walls[0].force.z;
        along -= walls[1..].iter().map(|wall| wall.force.z).sum::<f64>();
        across += walls[1..].iter().map(|wall| wall.force.x.abs() + wall.force.y.abs()).sum::<f64>();
        let low = world.grains().filter(|body| body.pose.position.z < half);
        solid += low.map(|body| world.mass_of(&body, &setup)).sum::<f64>();
    }
    let part = 1.0 / SAMPLES as f64;
    Ok(Filling {
        mass: filled,
        apparent: floor * part / G,
        friction: along / across,
        fraction: solid * part / (DENSITY * half * (width * DIAMETER).powi(2)),
    })
}

fn silo(width: f64, height: f64, seed: u64) -> Result<Setup<Space>, Trouble> {
    let mut setup = soft::<Space>(Rough::sliding(FRICTION), Rough::sliding(WALLS))?;
    let half = 0.5 * width * DIAMETER;
    setup.walls = vec![plane("floor", DVec3::Z, 0.0)?];
    for axis in [DVec3::X, DVec3::Y] {
        for side in [axis, -axis] {
            let mut wall = plane("side", side, -half)?;
            wall.material = 1;
            let velocity = DVec3::Z * (SPEED * (G * DIAMETER).sqrt());
            wall.surface_motion = SurfaceMotion { velocity, spin: DVec3::ZERO };
            setup.walls.push(wall);
        }
    }
    setup.shapes = spheres()?;
    let mut draw = Draw::new(44, seed, height as u64);
    // What is loose settles to the height.
    let top = height * DIAMETER * PITCH.powi(3) * 0.58 / 0.5236;
    let places =
        lattice::<Space>(DVec3::new(-half, -half, 0.0), DVec3::new(half, half, top), PITCH * DIAMETER);
    setup.grains = scattered(&places, setup.shapes.len(), &mut draw);
    Ok(setup)
}
