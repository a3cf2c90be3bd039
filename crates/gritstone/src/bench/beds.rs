//! Beds in known states.

use std::fs;

use glam::{DQuat, DVec3};
use gritstone_core::{Plane, Pose, Space};
use gritstone_engine::{FlatRule, Grain, RadiusRule, Rules, Setup, Wall, World};
use gritstone_force::{Adhesion, Damping, Friction, Interactions, Material, Stiffness};
use gritstone_scene::{Build, Scene, Template, template};
use gritstone_shape::space::{HalfSpace, Polyhedron, Solid};

use super::timing::Bed;
use super::{Options, Trouble, cache};
use crate::run::MakesWorlds;

/// When the settle scene is at rest (s).
pub(super) const SETTLED: f64 = 0.45;
/// Steps that are timed in a bed of a few thousand grains.
const STEPS: u64 = 200;

/// A dimension of which scenes are.
pub(super) trait Side: MakesWorlds {
    fn setup(build: Build) -> Option<Setup<Self>>;
}

impl Side for Space {
    fn setup(build: Build) -> Option<Setup<Self>> {
        if let Build::Space(built) = build { Some(built.setup) } else { None }
    }
}

impl Side for Plane {
    fn setup(build: Build) -> Option<Setup<Self>> {
        if let Build::Plane(built) = build { Some(built.setup) } else { None }
    }
}

/// A shipped scene at this time.
pub(super) fn scene<D: Side>(
    name: &'static str,
    of: &str,
    time: f64,
    options: &Options,
) -> Result<Bed<D>, Trouble> {
    let template = template(of).ok_or_else(|| Trouble::of(format!("there is no scene {of}")))?;
    let build = unpacked(template)?;
    let setup = D::setup(build).ok_or_else(|| Trouble::of(format!("{of} is of the other dimension")))?;
    let steps = (time / setup.time_step).round() as u64;
    let all = template.files.iter().map(|(_, content)| *content).chain([template.text.as_bytes()]);
    let saved = cache::settled(options.cache.as_deref(), &setup, &all.collect::<Vec<_>>().concat(), steps)?;
    Ok(Bed { name, state: String::new(), setup, saved, steps: STEPS })
}

/// A shipped scene, read from a folder that holds the files it needs until it has been read.
fn unpacked(template: &Template) -> Result<Build, Trouble> {
    let folder = tempfile::tempdir().map_err(Trouble::of)?;
    let scene = ("scene.toml", template.text.as_bytes());
    for (name, content) in template.files.iter().chain([&scene]) {
        let path = folder.path().join(name);
        path.parent().map_or(Ok(()), fs::create_dir_all).map_err(Trouble::of)?;
        fs::write(&path, content).map_err(Trouble::of)?;
    }
    let scene = Scene::read(&folder.path().join(scene.0)).map_err(Trouble::of)?;
    scene.build().map_err(Trouble::of)
}

impl Bed<Space> {
    /// The same bed after some time under gravity that is tilted towards x.
    pub(super) fn tilted(&self, degrees: f64, time: f64, options: &Options) -> Result<Self, Trouble> {
        let (sine, cosine) = degrees.to_radians().sin_cos();
        let gravity = self.setup.gravity.length() * DVec3::new(sine, 0.0, -cosine);
        let setup = Setup { gravity, ..self.setup.clone() };
        let steps = (time / setup.time_step).round() as u64;
        let mut world = Space::restore(options.backend, &setup, &self.saved).map_err(Trouble::of)?;
        world.advance(steps).map_err(Trouble::of)?;
        let state = format!("tilted by {degrees}°");
        Ok(Self {
            state,
            setup,
            saved: world.save().map_err(Trouble::of)?,
            steps: options.steps.unwrap_or(self.steps),
            ..*self
        })
    }
}

/// A bed in a box that stands beside itself so many times each way; its lowest quarter for none.
///
/// Boxes side by side are mirror images of each other where their grains are: who leant on a side then leans on his own
/// image, nearly as before. Others are put beside each other as they are, and come to rest anew.
pub(super) fn beside_itself(bed: &Bed<Space>, times: usize) -> Result<Bed<Space>, Trouble> {
    let world = World::restore(&bed.setup, &bed.saved).map_err(Trouble::of)?;
    let mut bodies = world.snapshot().bodies;
    let side = side_of_box(&bed.setup)?;
    if times == 0 {
        bodies.sort_by(|a, b| a.pose.position.z.total_cmp(&b.pose.position.z));
        bodies.truncate(bodies.len() / 4);
    }
    let times = times.max(1);
    let tiles = (0..times * times).map(|tile| [tile / times, tile % times]);
    let mirrored = bed.setup.shapes.iter().all(is_its_own_image);
    let grains = tiles.flat_map(|tile| bodies.iter().map(move |body| (tile, body)));
    let grains = grains.zip(0..).map(|(([i, j], body), id)| {
        // Which axes are turned round, and what of them stands for all that has no mirror image.
        let sign = |tile: usize| if mirrored && tile % 2 == 1 { -1.0 } else { 1.0 };
        let flip = DVec3::new(sign(i), sign(j), 1.0);
        let turn = flip * flip.element_product();
        let origin =
            DVec3::new((i + usize::from(flip.x < 0.0)) as f64, (j + usize::from(flip.y < 0.0)) as f64, 0.0);
        let rotation = body.pose.rotation;
        let axis = DVec3::new(rotation.x, rotation.y, rotation.z) * turn;
        Grain {
            id,
            shape: body.shape,
            material: body.material,
            pose: Pose::new(
                origin * side + body.pose.position * flip,
                DQuat::from_xyzw(axis.x, axis.y, axis.z, rotation.w),
            ),
            velocity: body.velocity * flip,
            spin: body.spin * turn,
            frozen: false,
        }
    });
    let grains: Vec<Grain<Space>> = grains.collect();
    let walls = open_box(DVec3::new(side * times as f64, side * times as f64, 0.0))?;
    let setup = Setup { grains, walls, ..bed.setup.clone() };
    let mut world = World::new(&setup).map_err(Trouble::of)?;
    for _ in 0..STEPS {
        world.step().map_err(Trouble::of)?;
    }
    // About as long for every size.
    let steps = (STEPS * bodies.len() as u64 / setup.grains.len() as u64).max(20);
    Ok(Bed { name: bed.name, state: String::new(), saved: world.save().map_err(Trouble::of)?, setup, steps })
}

/// Whether a shape is its own image in each of its planes of coordinates.
fn is_its_own_image(shape: &Solid) -> bool {
    matches!(shape, Solid::Sphere(_) | Solid::Ellipsoid(_) | Solid::Superellipsoid(_))
}

/// How wide the box of a scene is.
fn side_of_box(setup: &Setup<Space>) -> Result<f64, Trouble> {
    let sides = setup.walls.iter().map(|wall| wall.pose.position.x).chain(setup.walls.iter().map(offset));
    let widest = sides.fold(0.0, f64::max);
    if widest > 0.0 { Ok(widest) } else { Err(Trouble::of("the scene has no box")) }
}

fn offset(wall: &Wall<Space>) -> f64 {
    if let Solid::HalfSpace(plane) = &wall.shape { plane.offset().abs() } else { 0.0 }
}

/// Planes around x and y from zero to `high`, and a floor.
fn open_box(high: DVec3) -> Result<Vec<Wall<Space>>, Trouble> {
    let sides = [
        ("floor", DVec3::Z, 0.0),
        ("x-low", DVec3::X, 0.0),
        ("x-high", DVec3::NEG_X, -high.x),
        ("y-low", DVec3::Y, 0.0),
        ("y-high", DVec3::NEG_Y, -high.y),
    ];
    let wall = |(name, normal, offset): (&str, DVec3, f64)| {
        Ok(Wall::fixed(name, HalfSpace::new(normal, offset).map_err(Trouble::of)?.into(), 0))
    };
    sides.into_iter().map(wall).collect()
}

/// 500 polyhedra of 13 kinds that have come to rest in a box of 30 cm.
const DENSE: &str = include_str!("../../../../tests/data/dense_polyhedra_500.json");
/// How wide their box is (m), their density (kg/m³), their time step (s), and steps to rest.
const DENSE_SIDE: f64 = 0.3;
const DENSE_DENSITY: f64 = 2600.0;
const DENSE_TIME_STEP: f64 = 2e-5;
const DENSE_STEPS: u64 = 5000;

/// The bed of polyhedra on which other programs have been timed.
pub(super) fn dense_polyhedra(name: &'static str, options: &Options) -> Result<Bed<Space>, Trouble> {
    let setup = dense_setup()?;
    let saved = cache::settled(options.cache.as_deref(), &setup, DENSE.as_bytes(), DENSE_STEPS)?;
    Ok(Bed { name, state: String::new(), setup, saved, steps: STEPS })
}

/// The same bed, with every contact found in every step.
pub(super) fn strict(mut bed: Bed<Space>) -> Bed<Space> {
    bed.setup.rules.flat = FlatRule::StrictPatch;
    bed
}

/// How often the bed of polyhedra stands beside itself where it flows, each way, and for how many steps it has flowed.
const FLOWING_TILES: usize = 3;
const FLOWING_STEPS: u64 = 5000;

/// Beds of polyhedra beside each other, of which two sides that meet have been taken away.
pub(super) fn flowing_polyhedra(name: &'static str, options: &Options) -> Result<Bed<Space>, Trouble> {
    let mut setup = beside_itself(&dense_polyhedra(name, options)?, FLOWING_TILES)?.setup;
    setup.walls.retain(|wall| !wall.name.ends_with("-high"));
    let content = [DENSE.as_bytes(), b"flowing"].concat();
    let saved = cache::settled(options.cache.as_deref(), &setup, &content, FLOWING_STEPS)?;
    Ok(Bed { name, state: String::new(), setup, saved, steps: STEPS / 4 })
}

#[derive(serde::Deserialize)]
struct DenseGrain {
    pos: [f64; 3],
    verts: Vec<[f64; 3]>,
}

fn dense_setup() -> Result<Setup<Space>, Trouble> {
    let given: Vec<DenseGrain> = serde_json::from_str(DENSE).map_err(Trouble::of)?;
    let (mut shapes, mut grains) = (Vec::<Solid>::new(), Vec::new());
    for (id, grain) in (0..).zip(&given) {
        let vertices: Vec<DVec3> = grain.verts.iter().map(|&vertex| vertex.into()).collect();
        let (shape, centre) = Polyhedron::hull(&vertices).map_err(Trouble::of)?;
        shapes.push(shape.into());
        grains.push(Grain {
            id,
            shape: id,
            material: 0,
            pose: Pose::at(DVec3::from(grain.pos) + centre),
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            frozen: false,
        });
    }
    let material = Material {
        name: "stone".into(),
        density: DENSE_DENSITY,
        stiffness: Stiffness::Hertz { young: 1e7, poisson: 0.3 },
        damping: Damping::Published(0.5),
        friction: Friction::Coefficient(0.5),
        rolling: 0.0,
        twisting: 0.0,
        cohesion: Adhesion::None,
    };
    Ok(Setup {
        shapes,
        densities: vec![DENSE_DENSITY],
        interactions: Interactions::mix(&[material], &[]).map_err(Trouble::of)?,
        method: None,
        rules: Rules { radius: RadiusRule::Volume, flat: FlatRule::Patch, crown: 0.0 },
        grains,
        walls: open_box(DVec3::splat(DENSE_SIDE))?,
        tools: Vec::new(),
        gravity: DVec3::new(0.0, 0.0, -9.81),
        time_step: DENSE_TIME_STEP,
        domain: None,
        compounds: gritstone_engine::Compounds::new(),
        cell: None,
        earlier: None,
    })
}
