//! Silos that discharge through holes in their floor: Beverloo's law in space and in the plane.
//!
//! **Idea.** W = C ρ √g (D − k d)^n with n = 5/2, in the plane 3/2: W^(1/n) is a straight line over D, whose slope gives C and
//! whose root gives k. W is the mass that leaves in a time, ρ the density of the bed that flows, D the diameter of the hole. What has left is put
//! on top again, so that the level stays while one hole after the other is opened.

use glam::{DVec2, DVec3};
use gritstone_core::{Plane, Pose, Space, Vector as _};
use gritstone_engine::{Dimension, Grain, Setup, Sides, Surface, TriangleMesh, Wall, World, revolved};
use gritstone_shape::plane::Segment;
use gritstone_shape::space::Sphere;

use super::bench::{DENSITY, grain, line, mass, plane};
use super::bulk::{DIAMETER, Estimate, Line, Rough, discs, go_on, lattice, scattered, soft, spheres, volume};
use super::{Case, Check, Effort, Trouble};
use crate::generate::Draw;

pub(super) const CASE: Case = Case {
    name: "beverloo",
    proves: "silos discharge as Beverloo's law says, in space and in the plane, whatever their level",
    source: "in space C and k of Beverloo 1961, Nedderman 1992, Mankoc 2007; in the plane C between what the profiles of Janda 2012 give for large \
             holes and the slots of Myers and Sellers (Nedderman 1992)",
    run,
};

/// Friction of grains and walls.
const FRICTION: f64 = 0.5;
/// Name of the wall that closes the hole.
const PLUG: &str = "plug";
/// Times in √(d/g) of filling and of flow before it is measured; pieces of the measurement.
const FILLING: f64 = 15.0;
const STARTING: f64 = 8.0;
const PIECES: usize = 8;
/// Heights between which the density is measured, and depth below which grains are taken out (d).
const MIDDLE: [f64; 2] = [5.0, 11.0];
const DEEP: f64 = -2.0;
/// Distance of grains that are put on top (d).
const PITCH: f64 = 1.15;

/// A silo and its floors.
struct Silo<D: Dimension> {
    setup: Setup<D>,
    /// Width inside (d).
    width: f64,
    /// Diameters of holes (d), and the walls that leave just this hole.
    floors: Vec<(f64, Vec<String>)>,
    draw: Draw,
}

/// What came out of a silo: constants of the law, and the largest deviation from it.
struct Law {
    c: Estimate,
    k: Estimate,
    off: f64,
}

fn run(effort: Effort) -> Result<Vec<Check>, Trouble> {
    let mut checks = Vec::new();
    let quick = effort == Effort::Quick;
    if !quick {
        let law = discharge(in_space(18.0, 18.0, &[4.0, 5.0, 6.5, 8.0])?, 40.0)?;
        checks.extend(told("space", &law, [0.55, 0.65], [1.2, 3.0], 0.1));
    }
    let (holes, [width, height], time): (&[f64], _, _) = effort
        .pick((&[5.5, 6.5, 8.0], [20.0, 20.0], 30.0), (&[6.5, 8.0, 10.0, 12.5, 15.0], [36.0, 36.0], 80.0));
    let law = discharge(in_the_plane(width, height, holes)?, time)?;
    // Few grains pass a small silo.
    let [wide_c, wide_k, off] = effort.pick([0.3, 2.0, 0.2], [0.0, 0.0, 0.1]);
    checks.extend(told("plane", &law, [0.75 - wide_c, 1.05 + wide_c], [1.0 - wide_k, 3.0 + wide_k], off));
    Ok(checks)
}

fn told(name: &str, law: &Law, c: [f64; 2], k: [f64; 2], off: f64) -> [Check; 3] {
    [
        Check::within(format!("{name}: C"), law.c, c),
        Check::within(format!("{name}: k"), law.k, k),
        Check::at_most(format!("{name}: flow, largest deviation from the law, relative"), law.off, off),
    ]
}

/// A silo with a square floor, which is a plate with a round hole.
fn in_space(width: f64, height: f64, holes: &[f64]) -> Result<Silo<Space>, Trouble> {
    let rough = Rough::sliding(FRICTION);
    let mut setup = soft::<Space>(rough, rough)?;
    let half = 0.5 * width * DIAMETER;
    setup.walls = vec![plane(PLUG, DVec3::Z, 0.0)?];
    for axis in [DVec3::X, DVec3::Y] {
        setup.walls.extend([plane("side", axis, -half)?, plane("side", -axis, -half)?]);
    }
    let mut floors = Vec::new();
    for &hole in holes {
        let floor = revolved(&[[0.5 * hole * DIAMETER, 0.0], [1.5 * half, 0.0]], 64);
        let mesh = TriangleMesh::new(&floor, Sides::Both)?;
        let ball = Sphere::new(mesh.size())?;
        let sheet = Wall::fixed(format!("floor {hole}"), ball.into(), 1);
        floors.push((hole, vec![sheet.name.clone()]));
        setup.walls.push(Wall { surface: Some(Surface::Mesh(mesh.into())), present: false, ..sheet });
    }
    setup.walls.iter_mut().for_each(|wall| wall.material = 1);
    setup.shapes = spheres()?;
    let mut draw = Draw::new(42, 1, 0);
    let (low, high) = (DVec3::new(-half, -half, 0.0), DVec3::new(half, half, height * PITCH * DIAMETER));
    let places = lattice::<Space>(low, high, PITCH * DIAMETER);
    setup.grains = scattered(&places, setup.shapes.len(), &mut draw);
    Ok(Silo { setup, width, floors, draw })
}

/// A silo whose floor is two lines.
fn in_the_plane(width: f64, height: f64, holes: &[f64]) -> Result<Silo<Plane>, Trouble> {
    let rough = Rough::sliding(FRICTION);
    let mut setup = soft::<Plane>(rough, rough)?;
    let half = 0.5 * width * DIAMETER;
    setup.walls =
        vec![line(PLUG, DVec2::Y, 0.0)?, line("side", DVec2::X, -half)?, line("side", -DVec2::X, -half)?];
    let mut floors = Vec::new();
    for &hole in holes {
        let mut names = Vec::new();
        for side in [-1.0, 1.0] {
            let ends = [0.5 * hole * DIAMETER, 1.5 * half].map(|x| DVec2::new(side * x, 0.0));
            let (segment, middle) = Segment::between(ends)?;
            let floor = Wall::fixed(format!("floor {hole}, side {side}"), segment.into(), 1);
            names.push(floor.name.clone());
            setup.walls.push(Wall { present: false, pose: Pose::at(middle), ..floor });
        }
        floors.push((hole, names));
    }
    setup.walls.iter_mut().for_each(|wall| wall.material = 1);
    setup.shapes = discs()?;
    let mut draw = Draw::new(43, 1, 0);
    let (low, high) = (DVec2::new(-half, 0.0), DVec2::new(half, height * PITCH * DIAMETER));
    let places = lattice::<Plane>(low, high, PITCH * DIAMETER);
    setup.grains = scattered(&places, setup.shapes.len(), &mut draw);
    Ok(Silo { setup, width, floors, draw })
}

/// Opens hole after hole and fits the law. The time of each measurement is that of the smallest hole, less for larger ones.
fn discharge<D: Dimension>(mut silo: Silo<D>, time: f64) -> Result<Law, Trouble> {
    let mut world = World::new(&silo.setup)?;
    go_on(&mut world, FILLING)?;
    let power = D::N as f64 - 0.5;
    let (mut flows, mut fractions, mut closed) = (Vec::new(), Vec::new(), vec![PLUG.to_owned()]);
    let floors = std::mem::take(&mut silo.floors);
    let smallest = floors[0].0;
    for (hole, floor) in floors {
        let opened = floor.iter().all(|name| world.add_wall(name));
        if !opened || !closed.iter().all(|name| world.remove_wall(name)) {
            return Err(format!("the floor with a hole of {hole} d cannot be opened").into());
        }
        closed = floor;
        flow(&mut world, &mut silo, STARTING)?;
        let mut pieces = Vec::with_capacity(PIECES);
        for _ in 0..PIECES {
            let [grains, fraction] = flow(&mut world, &mut silo, time * smallest / hole / PIECES as f64)?;
            pieces.push(grains);
            fractions.push(fraction);
        }
        flows.push((hole, Estimate::of(&pieces)));
    }
    // In d and √(d/g) the law reads Q = C φ (D − k)^n / v: Q counts grains, whose volume is v.
    let grain = volume::<D>() / DIAMETER.powi(D::N as i32);
    let fraction = Estimate::of(&fractions).mean;
    let points: Vec<[f64; 2]> =
        flows.iter().map(|(hole, flow)| [*hole, flow.mean.powf(1.0 / power)]).collect();
    let Line { slope, root } = Line::through(&points);
    let c = slope.mean.powf(power) * grain / fraction;
    let law = |hole: f64| slope.mean.powf(power) * (hole - root.mean).powf(power);
    let off = flows.iter().map(|(hole, flow)| (flow.mean / law(*hole) - 1.0).abs()).fold(0.0, f64::max);
    Ok(Law { c: slope.map(c, c * power / slope.mean), k: root, off })
}

/// Lets grains flow for a time (√(d/g)) and puts them on top again. Returns how many left in a unit of time, as balls of the
/// diameter d, and the solid fraction in the middle of the bed.
fn flow<D: Dimension>(world: &mut World<D>, silo: &mut Silo<D>, time: f64) -> Result<[f64; 2], Trouble> {
    let (up, mut left) = (D::N - 1, 0.0);
    let rounds = time.round().max(1.0);
    let volumes: Vec<f64> = silo.setup.shapes.iter().map(|shape| mass::<D>(shape) / DENSITY).collect();
    for _ in 0..rounds as usize {
        go_on(world, time / rounds)?;
        let bodies = world.body_states();
        let is_out = |x: D::Vec| x.component(up) < DEEP * DIAMETER;
        let out = bodies.iter().filter(|body| is_out(body.pose.position));
        let shapes: Vec<u32> = out.map(|body| body.shape).collect();
        left += shapes.iter().map(|shape| volumes[*shape as usize]).sum::<f64>();
        world.remove_where(|body| is_out(body.pose.position));
        let top = bodies.iter().map(|body| body.pose.position.component(up)).fold(0.0, f64::max);
        let grains = on_top::<D>(silo.width, top, &shapes, &mut silo.draw);
        world.add(&silo.setup, &grains)?;
    }
    let [low, high] = MIDDLE.map(|height| height * DIAMETER);
    let inside = world.grains().filter(|body| (low..high).contains(&body.pose.position.component(up)));
    let solid: f64 = inside.map(|body| volumes[body.shape as usize]).sum();
    let fraction = solid / ((high - low) * (silo.width * DIAMETER).powi(up as i32));
    Ok([left / volume::<D>() / time, fraction])
}

/// Grains of these shapes above all others, at rest.
fn on_top<D: Dimension>(width: f64, top: f64, shapes: &[u32], draw: &mut Draw) -> Vec<Grain<D>> {
    let (up, half) = (D::N - 1, 0.5 * width * DIAMETER);
    let corner =
        |sideways: f64, height: f64| D::Vec::from_fn(|axis| if axis == up { height } else { sideways });
    let pitch = PITCH * DIAMETER;
    let layer = ((width / PITCH).floor() as usize).pow(up as u32);
    let layers = shapes.len().div_ceil(layer);
    let low = top + DIAMETER;
    let mut places =
        lattice::<D>(corner(-half, low), corner(half, low + (layers as f64 + 0.01) * pitch), pitch);
    let take = |(i, shape): (usize, &u32)| {
        // Anywhere in the layers, each place once.
        let left = places.len() - i;
        places.swap(i, i + draw.index(left));
        grain(0, *shape, places[i])
    };
    shapes.iter().enumerate().map(take).collect()
}
