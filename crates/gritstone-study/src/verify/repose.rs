//! Heaps that are left when what leans on a wall runs over the edge of its floor: the angle of repose.
//!
//! The heap leans on a wall, repeats across, and stands on grains that are fixed: those that run over their edge are taken out, as by the
//! side outlets of Zhou 2002. Grains start in layers that lie along each axis in turn, so that long ones are dense and have no common direction.

use std::f64::consts::FRAC_PI_2;

use glam::{DQuat, DVec3};
use gritstone_core::{Pose, Space};
use gritstone_engine::{Cell, Grain, Setup, Side, World};
use gritstone_shape::space::{Ellipsoid, Solid};

use super::bench::{G, grain, plane};
use super::bulk::{DIAMETER, Estimate, Line, Rough, go_on, soft, spheres};
use super::{Case, Check, Effort, Trouble};
use crate::generate::Draw;

pub(super) const CASE: Case = Case {
    name: "repose",
    proves: "heaps are as steep as those of others, steeper with more friction, and steeper where grains are longer",
    source: "spheres of 10 mm: the formula of Zhou 2002, which gives sliding friction the power 0.27; longer ellipsoids make steeper heaps: Zhou 2014",
    run,
};

/// Period across the floor (d), and the angle at which grains are placed (degrees).
const ACROSS: f64 = 8.0;
const START: f64 = 50.0;
/// Distance of grains at the start, over their extent.
const PITCH: f64 = 1.02;
/// Friction at floor and wall; rolling resistance among spheres, whose R* is d/4, and at walls, where it is d/2: 0.05 mm.
const AT_WALLS: f64 = 0.5;
const ROLLING: f64 = 0.02;
const ROLLING_AT_WALLS: f64 = 0.01;
/// Edge of the squares over which the surface is found (d), and the part of the floor over which it is a line.
const SQUARE: f64 = 2.0;
const SLOPE: [f64; 2] = [0.15, 0.85];
/// The formula holds within this share of the angle.
const SCATTER: f64 = 0.2;

/// How many heaps, how long their floor is (d), and how long they have to rest (√(d/g)).
#[derive(Clone, Copy, Debug)]
struct Heaps {
    count: u64,
    length: f64,
    time: f64,
}

fn run(effort: Effort) -> Result<Vec<Check>, Trouble> {
    let heaps = effort
        .pick(Heaps { count: 1, length: 16.0, time: 50.0 }, Heaps { count: 3, length: 30.0, time: 70.0 });
    let seeds = heaps.count;
    let frictions: &[f64] = effort.pick(&[0.4], &[0.2, 0.4, 0.6]);
    let mut checks = Vec::new();
    let mut points = Vec::new();
    for &friction in frictions {
        let angle = angle(&spheres()?, 1.0, friction, heaps)?;
        let published = published(friction);
        checks.push(Check::within(
            format!("{seeds} heaps of spheres, friction {friction}: angle of repose (degrees)"),
            angle,
            [published * (1.0 - SCATTER), published * (1.0 + SCATTER)],
        ));
        points.push([friction.ln(), angle.mean.ln()]);
    }
    if effort == Effort::Full {
        checks.push(Check::within("power of friction", Line::through(&points).slope, [0.17, 0.37]));
        checks.extend(against_aspect(heaps)?);
    }
    Ok(checks)
}

/// Ellipsoids of revolution with the volume of a ball.
fn against_aspect(heaps: Heaps) -> Result<Vec<Check>, Trouble> {
    let (mut checks, mut before) = (Vec::new(), None);
    for aspect in [1.0_f64, 1.5, 2.0, 2.5] {
        let short = 0.5 * DIAMETER / aspect.cbrt();
        let shape = Ellipsoid::new(DVec3::new(short, short, aspect * short))?.into();
        let angle = angle(&[shape], aspect, 0.4, heaps)?;
        let what = format!("{} heaps of ellipsoids 1:1:{aspect}: angle of repose (degrees)", heaps.count);
        checks.push(Check::within(what, angle, [14.0, 42.0]));
        if let Some(before) = before {
            checks.push(Check::at_least(
                format!("more than with the aspect ratio before, {aspect}"),
                angle.mean - before,
                0.0,
            ));
        }
        before = Some(angle.mean);
    }
    Ok(checks)
}

/// The angle (degrees) after Zhou 2002: diameters and lengths of rolling resistance in mm.
fn published(friction: f64) -> f64 {
    let diameter = 1e3 * DIAMETER;
    let [rolling, at_walls] = [ROLLING * diameter / 4.0, ROLLING_AT_WALLS * diameter / 2.0];
    68.61
        * friction.powf(0.27)
        * AT_WALLS.powf(0.22)
        * rolling.powf(0.06)
        * at_walls.powf(0.12)
        * diameter.powf(-0.2)
}

fn angle(shapes: &[Solid], aspect: f64, friction: f64, heaps: Heaps) -> Result<Estimate, Trouble> {
    let mut angles = Vec::new();
    for seed in 0..heaps.count {
        let mut world = World::new(&heap(shapes, aspect, friction, heaps.length, seed)?)?;
        for _ in 0..heaps.time as usize {
            go_on(&mut world, 1.0)?;
            world.remove_where(|body| body.pose.position.x > heaps.length * DIAMETER);
        }
        angles.push(-Line::through(&surface(&world, heaps.length)).slope.mean.atan().to_degrees());
    }
    Ok(Estimate::of(&angles))
}

fn heap(
    shapes: &[Solid],
    aspect: f64,
    friction: f64,
    length: f64,
    seed: u64,
) -> Result<Setup<Space>, Trouble> {
    let grains = Rough { friction, rolling: ROLLING };
    let mut setup = soft::<Space>(grains, Rough { friction: AT_WALLS, rolling: ROLLING_AT_WALLS })?;
    setup.walls = vec![plane("floor", DVec3::Z, 0.0)?, plane("wall", DVec3::X, 0.0)?];
    setup.walls.iter_mut().for_each(|wall| wall.material = 1);
    let side = Side { vector: DVec3::Y * (ACROSS * DIAMETER), velocity: DVec3::ZERO };
    setup.cell = Some(Cell { sides: [None, Some(side), None], ..Cell::default() });
    setup.shapes = shapes.to_vec();
    let mut draw = Draw::new(45, seed, (1e3 * friction) as u64);
    // The largest class of balls, if there are several.
    let largest = if shapes.len() > 1 { 1.1 } else { 1.0 };
    let poses = layers(aspect, largest * PITCH, length);
    let speed = (G * DIAMETER).sqrt();
    let floor = poses[0].position.z;
    let make = |(id, pose): (usize, Pose<Space>)| {
        let shape = draw.index(shapes.len()) as u32;
        let frozen = pose.position.z <= floor;
        let velocity = if frozen { DVec3::ZERO } else { draw.direction() * speed };
        Grain { pose, velocity, frozen, ..grain(id as u32, shape, DVec3::ZERO) }
    };
    setup.grains = poses.into_iter().enumerate().map(make).collect();
    Ok(setup)
}

/// Layers below the slope at which grains start.
fn layers(aspect: f64, pitch: f64, floor: f64) -> Vec<Pose<Space>> {
    let short = pitch * DIAMETER / aspect.cbrt();
    let turns = [DQuat::from_rotation_y(FRAC_PI_2), DQuat::from_rotation_x(FRAC_PI_2), DQuat::IDENTITY];
    let slope = START.to_radians().tan();
    let (mut poses, mut bottom) = (Vec::new(), 0.0);
    for layer in 0.. {
        let long = layer % 3;
        let extent = |axis: usize| if axis == long { aspect * short } else { short };
        let z = bottom + 0.5 * extent(2);
        let length = floor * DIAMETER - z / slope;
        let [along, across] = [(length / extent(0)).floor(), (ACROSS * DIAMETER / extent(1)).floor()];
        if along < 1.0 {
            break;
        }
        for (i, j) in (0..along as usize).flat_map(|i| (0..across as usize).map(move |j| (i, j))) {
            let x = (i as f64 + 0.5) * extent(0);
            let y = ((j as f64 + 0.5) / across - 0.5) * ACROSS * DIAMETER;
            poses.push(Pose::new(DVec3::new(x, y, z), turns[long]));
        }
        bottom += extent(2);
    }
    poses
}

/// Mean height of the highest grains over squares, along the floor.
fn surface(world: &World<Space>, length: f64) -> Vec<[f64; 2]> {
    let [columns, rows] = [length, ACROSS].map(|width| (width / SQUARE) as usize);
    let mut tops = vec![vec![0.0_f64; rows]; columns];
    for body in world.grains() {
        let x = body.pose.position / (SQUARE * DIAMETER);
        let row = (x.y + 0.5 * rows as f64).rem_euclid(rows as f64) as usize;
        let top = &mut tops[(x.x.max(0.0) as usize).min(columns - 1)][row.min(rows - 1)];
        *top = top.max(x.z);
    }
    let point = |(i, tops): (usize, &Vec<f64>)| [i as f64 + 0.5, tops.iter().sum::<f64>() / rows as f64];
    let on_slope = |point: &[f64; 2]| (SLOPE[0]..SLOPE[1]).contains(&(point[0] / columns as f64));
    tops.iter().enumerate().map(point).filter(on_slope).collect()
}
