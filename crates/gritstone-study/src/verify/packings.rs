//! Packings of grains without friction, pressed from all sides until they are jammed.

use std::collections::BTreeSet;

use glam::DVec3;
use gritstone_core::{Pose, Space};
use gritstone_engine::{Cell, Grain, Rules, Setup, Side, StressControl, World};
use gritstone_shape::Support as _;
use gritstone_shape::space::{Ellipsoid, Solid, Sphere, Superellipsoid};

use super::bench::{DENSITY, empty, grain, linear, mass, material};
use super::bulk::{DIAMETER, Estimate, volume};
use super::{Case, Check, Effort, Trouble};
use crate::generate::Draw;

pub(super) const CASE: Case = Case {
    name: "packings",
    proves: "grains without friction jam at the solid fractions and coordination that are known for them",
    source: "spheres: Scott and Kilgour 1969, O'Hern 2003; ellipsoids: Donev 2004, Man 2005; superballs lie between the random packing of \
             spheres and what orders itself: Jiao 2010, Delaney and Cleary 2010; isostatic coordination of spheres: 6",
    run,
};

/// Springs (N/m), restitution, steps in a contact.
const KN: f64 = 1e4;
const RESTITUTION: f64 = 0.3;
const FINENESS: f64 = 25.0;
/// Pressure over kn/d: overlaps of some 1e-4 of the diameter.
const PRESSURE: f64 = 2e-4;
/// Part of the volume that the grains' bounding balls fill at the start.
const LOOSE: f64 = 0.25;
/// Contacts that a ball without friction needs to be held.
const HELD: usize = 4;

/// Grains of one kind, and the published range of the solid fraction.
struct Kind {
    name: &'static str,
    shape: Solid,
    published: [f64; 2],
}

/// What came out of one packing.
struct Packing {
    fraction: f64,
    /// Mean number of contacts of the grains that are held.
    coordination: f64,
}

fn run(effort: Effort) -> Result<Vec<Check>, Trouble> {
    // Inertial number of the compression, time under pressure at the end, in contacts of two grains.
    let (grains, seeds, haste) = effort.pick((125, 1, [0.05, 400.0]), (500, 3, [0.02, 1000.0]));
    let mut kinds = kinds()?;
    // Small packings that are made in haste are looser.
    let looser = effort.pick(0.03, 0.0);
    kinds.truncate(effort.pick(2, kinds.len()));
    let mut checks = Vec::new();
    for Kind { name, shape, published: [low, high] } in kinds {
        let packings: Vec<Packing> =
            (0..seeds).map(|seed| pack(&shape, grains, seed, haste)).collect::<Result<_, _>>()?;
        let of = |number: fn(&Packing) -> f64| Estimate::of(&packings.iter().map(number).collect::<Vec<_>>());
        checks.push(Check::within(
            format!("{seeds} packings of {grains} {name}: solid fraction"),
            of(|packing| packing.fraction),
            [low - looser, high],
        ));
        let coordination = of(|packing| packing.coordination);
        let what = format!("{name}: contacts of a grain that is held");
        checks.push(match &shape {
            Solid::Sphere(_) => Check::within(what, coordination, [5.9 - 10.0 * looser, 6.3]),
            _ => Check::estimated(what, coordination),
        });
    }
    Ok(checks)
}

fn kinds() -> Result<Vec<Kind>, Trouble> {
    let ellipsoid = |radii| -> Result<Solid, Trouble> { Ok(Ellipsoid::new(radii)?.into()) };
    let superellipsoid =
        |radii, exponents| -> Result<Solid, Trouble> { Ok(Superellipsoid::new(radii, exponents)?.into()) };
    let kind = |name, shape: Solid, published| Kind { name, shape, published };
    let mut kinds = vec![
        kind("spheres", Sphere::new(1.0)?.into(), [0.634, 0.648]),
        kind("ellipsoids 1.25:1:0.8", ellipsoid(DVec3::new(1.25, 1.0, 0.8))?, [0.725, 0.745]),
        kind("ellipsoids 1:1:0.52", ellipsoid(DVec3::new(1.0, 1.0, 0.52))?, [0.68, 0.715]),
        kind("ellipsoids 1:1:2", ellipsoid(DVec3::new(1.0, 1.0, 2.0))?, [0.68, 0.715]),
        kind("superballs of blockiness 4", superellipsoid(DVec3::ONE, [0.5, 0.5])?, [0.65, 0.82]),
        kind(
            "superellipsoids 1:1:2, ε = 0.6, 0.7",
            superellipsoid(DVec3::new(1.0, 1.0, 2.0), [0.6, 0.7])?,
            [0.65, 0.82],
        ),
    ];
    // All have the volume of a ball.
    for kind in &mut kinds {
        let scale = (volume::<Space>() * DENSITY / mass::<Space>(&kind.shape)).cbrt();
        kind.shape = scaled(&kind.shape, scale)?;
    }
    Ok(kinds)
}

fn scaled(shape: &Solid, scale: f64) -> Result<Solid, Trouble> {
    Ok(match shape {
        Solid::Sphere(sphere) => Sphere::new(sphere.size() * scale)?.into(),
        Solid::Ellipsoid(ellipsoid) => Ellipsoid::new(ellipsoid.radii() * scale)?.into(),
        Solid::Superellipsoid(body) => Superellipsoid::new(body.radii() * scale, body.exponents())?.into(),
        other => other.clone(),
    })
}

/// Grains at random places, apart from each other, are pressed together.
fn pack(shape: &Solid, grains: usize, seed: u64, [inertia, resting]: [f64; 2]) -> Result<Packing, Trouble> {
    let m = volume::<Space>() * DENSITY;
    let contact = std::f64::consts::PI * (m / (2.0 * KN)).sqrt();
    let pressure = PRESSURE * KN / DIAMETER;
    let rate = inertia * (pressure / DENSITY).sqrt() / DIAMETER;
    let mut setup = empty::<Space>(material(linear(KN), RESTITUTION), Rules::default(), contact / FINENESS)?;
    let width = fill(&mut setup, shape, grains, seed)?;
    let side = |axis: usize| Some(Side { vector: DVec3::AXES[axis] * width, velocity: DVec3::ZERO });
    let press = StressControl { stress: [Some(pressure); 3], max_rate: rate };
    setup.cell = Some(Cell { centre: DVec3::ZERO, sides: std::array::from_fn(side), press: Some(press) });
    let mut world = World::new(&setup)?;
    // As far as the cell shrinks until the grains fill three quarters of it.
    let way = (width.powi(3) * 0.75 / (grains as f64 * volume::<Space>())).ln() / 3.0;
    for _ in 0..((way / rate + resting * contact) / setup.time_step) as u64 {
        world.step()?;
    }
    let inside = world.cell().map_or(f64::NAN, |cell| cell.volume);
    Ok(Packing { fraction: grains as f64 * volume::<Space>() / inside, coordination: coordination(&world) })
}

/// Puts grains into a cube around the origin, no two of their bounding balls into each other; returns its edge.
fn fill(setup: &mut Setup<Space>, shape: &Solid, grains: usize, seed: u64) -> Result<f64, Trouble> {
    let mut draw = Draw::new(41, seed, 0);
    let ball = 4.0 / 3.0 * std::f64::consts::PI * shape.size().powi(3);
    let width = (grains as f64 * ball / LOOSE).cbrt();
    let mut places: Vec<DVec3> = Vec::with_capacity(grains);
    let is_free = |places: &[DVec3], x: DVec3| {
        let apart = |y: &DVec3| {
            let way = x - y;
            (way - width * (way / width).round()).length() > 2.0 * shape.size()
        };
        places.iter().all(apart)
    };
    while places.len() < grains {
        let x = draw.vector(-0.5 * width, 0.5 * width);
        if is_free(&places, x) {
            places.push(x);
        }
    }
    setup.shapes = vec![shape.clone()];
    let mut make = |(id, place): (usize, &DVec3)| Grain {
        pose: Pose::new(*place, draw.rotation()),
        ..grain(id as u32, 0, *place)
    };
    setup.grains = places.iter().enumerate().map(&mut make).collect();
    Ok(width)
}

/// Mean number of contacts of the grains that are held; those that are not are left out, one after the other.
fn coordination(world: &World<Space>) -> f64 {
    let pairs: Vec<[u32; 2]> = world.contact_states().iter().map(|contact| [contact.a, contact.b]).collect();
    let mut held: BTreeSet<u32> = pairs.iter().flatten().copied().collect();
    loop {
        let mut counts = std::collections::BTreeMap::<u32, usize>::new();
        let both = |pair: &&[u32; 2]| pair.iter().all(|id| held.contains(id));
        pairs.iter().filter(both).flatten().for_each(|id| *counts.entry(*id).or_default() += 1);
        let still: BTreeSet<u32> =
            counts.iter().filter(|(_, count)| **count >= HELD).map(|(id, _)| *id).collect();
        if still.len() == held.len() {
            return counts.values().sum::<usize>() as f64 / held.len() as f64;
        }
        held = still;
    }
}
