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
    proves: "heaps are as steep as those of others, steeper with more friction and rolling resistance, and steeper where grains are longer",
    source: "spheres with friction 0.5: from the slope on which thick beds of them stop, Silbert 2001, to that on which the thinnest of glass beads \
             do, Pouliquen 1999; sliding and rolling friction: Zhou 2001; ellipsoids: Zhou 2014",
    run,
};

/// Period across the floor (d), and the angle at which grains are placed (degrees).
const ACROSS: f64 = 8.0;
const START: f64 = 50.0;
/// Distance of grains at the start, over their extent.
const PITCH: f64 = 1.02;
/// Friction where something else is changed, and the published range of its angle (degrees).
const FRICTION: f64 = 0.5;
const PUBLISHED: [f64; 2] = [19.4, 32.8];
/// Edge of the squares over which the surface is found (d), and the part of the floor over which it is a line.
const SQUARE: f64 = 2.0;
const SLOPE: [f64; 2] = [0.15, 0.85];

/// How many heaps, how long their floor is (d), and how long they have to rest (√(d/g)).
#[derive(Clone, Copy, Debug)]
struct Heaps {
    count: u64,
    length: f64,
    time: f64,
}

fn run(effort: Effort) -> Result<Vec<Check>, Trouble> {
    let heaps = effort
        .pick(Heaps { count: 1, length: 14.0, time: 40.0 }, Heaps { count: 2, length: 22.0, time: 60.0 });
    let spheres = spheres()?;
    let of = |friction, rolling| angle(&spheres, 1.0, Rough { friction, rolling }, heaps);
    let plain = of(FRICTION, 0.0)?;
    let named = |what: &str| format!("{} heaps of {what}: angle of repose (degrees)", heaps.count);
    let mut checks = vec![Check::within(named(&format!("spheres, friction {FRICTION}")), plain, PUBLISHED)];
    if effort == Effort::Quick {
        return Ok(checks);
    }
    let mut steeper = |name: String, angle: Estimate, than: Estimate| {
        checks.push(Check::at_least(
            format!("{name}: more than with less (degrees)"),
            angle.mean - than.mean,
            0.0,
        ));
        checks.push(Check::estimated(named(&name), angle));
    };
    let [smooth, middle, rough] = [of(0.1, 0.0)?, of(0.3, 0.0)?, of(0.8, 0.0)?];
    let fewer = of(0.0, 0.0)?;
    steeper("spheres, friction 0.1".to_owned(), smooth, fewer);
    steeper("spheres, friction 0.3".to_owned(), middle, smooth);
    steeper("spheres, friction 0.8".to_owned(), rough, middle);
    steeper("spheres, friction 0.5, rolling resistance 0.1".to_owned(), of(FRICTION, 0.1)?, plain);
    let mut before = plain;
    for aspect in [1.5_f64, 2.0] {
        let short = 0.5 * DIAMETER / aspect.cbrt();
        let shape = Ellipsoid::new(DVec3::new(short, short, aspect * short))?.into();
        let angle = angle(&[shape], aspect, Rough::sliding(FRICTION), heaps)?;
        steeper(format!("ellipsoids 1:1:{aspect}, friction {FRICTION}"), angle, before);
        before = angle;
    }
    Ok(checks)
}

fn angle(shapes: &[Solid], aspect: f64, rough: Rough, heaps: Heaps) -> Result<Estimate, Trouble> {
    let mut angles = Vec::new();
    for seed in 0..heaps.count {
        let mut world = World::new(&heap(shapes, aspect, rough, heaps.length, seed)?)?;
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
    rough: Rough,
    length: f64,
    seed: u64,
) -> Result<Setup<Space>, Trouble> {
    let mut setup = soft::<Space>(rough, rough)?;
    setup.walls = vec![plane("floor", DVec3::Z, 0.0)?, plane("wall", DVec3::X, 0.0)?];
    setup.walls.iter_mut().for_each(|wall| wall.material = 1);
    let side = Side { vector: DVec3::Y * (ACROSS * DIAMETER), velocity: DVec3::ZERO };
    setup.cell = Some(Cell { sides: [None, Some(side), None], ..Cell::default() });
    setup.shapes = shapes.to_vec();
    let mut draw = Draw::new(45, seed, (1e3 * rough.friction) as u64);
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
