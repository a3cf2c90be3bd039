//! What is timed: one line per case.

use gritstone_core::{Plane, Space};

use super::beds::{SETTLED, beside_itself, dense_polyhedra, flowing_polyhedra, scene, strict};
use super::hoppers::{CLOSED, SHEET, THICK, hopper};
use super::{Options, Row, Trouble, pairs, shapes};

/// A benchmark.
pub struct Case {
    /// What it is asked for by.
    pub name: &'static str,
    /// What it times, in a line.
    pub about: &'static str,
    /// Whether it is made when no name is given.
    pub usual: bool,
    run: fn(&Case, &Options) -> Result<Vec<Row>, Trouble>,
}

impl Case {
    /// Makes it, in the rayon pool of the caller.
    pub fn run(&self, options: &Options) -> Result<Vec<Row>, Trouble> {
        (self.run)(self, options)
    }
}

/// The cases of these names; all usual ones if there are none.
pub fn chosen(names: &[String]) -> Vec<&'static Case> {
    let wanted =
        |case: &&Case| if names.is_empty() { case.usual } else { names.iter().any(|name| name == case.name) };
    CASES.iter().filter(wanted).collect()
}

macro_rules! cases {
    ($($name:literal, $usual:literal, $about:literal, $run:expr;)*) => {
        /// Every case.
        pub static CASES: &[Case] = &[$(Case { name: $name, about: $about, usual: $usual, run: $run }),*];
    };
}

#[rustfmt::skip]
cases! {
    "settle-sphere",         true,  "4 000 spheres at rest",             |case, options| settled(case, "settle-sphere", options);
    "settle-ellipsoid",      true,  "4 000 ellipsoids at rest",          |case, options| settled(case, "settle-ellipsoid", options);
    "settle-box",            true,  "4 000 boxes with round edges at rest", |case, options| settled(case, "settle-box", options);
    "settle-superellipsoid", true,  "4 000 superellipsoids at rest",     |case, options| settled(case, "settle-superellipsoid", options);
    "flow-ellipsoid",        true,  "ellipsoids in tilted boxes",        |case, options| flowing(case, "settle-ellipsoid", options);
    "flow-box",              true,  "boxes with round edges in tilted boxes", |case, options| flowing(case, "settle-box", options);
    "impact-ellipsoid",      true,  "ellipsoids that come down",         |case, options| falling(case, "settle-ellipsoid", options);
    "impact-box",            true,  "boxes with round edges that come down", |case, options| falling(case, "settle-box", options);
    "dense-polyhedra",       true,  "500 polyhedra at rest",             |case, options| Ok(vec![dense_polyhedra(case.name, options)?.time(options)?]);
    "strict-polyhedra",      true,  "the same, every contact found in every step", |case, options| Ok(vec![strict(dense_polyhedra(case.name, options)?).time(options)?]);
    "flow-polyhedra",        true,  "4 500 polyhedra that flow out of their box", |case, options| Ok(vec![flowing_polyhedra(case.name, options)?.time(options)?]);
    "hopper-closed",         true,  "1 500 grains in a closed container of triangles",   |case, options| Ok(vec![hopper(case.name, CLOSED, options)?.time(options)?]);
    "hopper-mesh",           true,  "the same in a hopper with thick walls",             |case, options| Ok(vec![hopper(case.name, THICK, options)?.time(options)?]);
    "hopper-sheet",          true,  "the same in a hopper of sheet metal",               |case, options| Ok(vec![hopper(case.name, SHEET, options)?.time(options)?]);
    "bed-ellipsoids",        true,  "768 ellipsoids at rest", |case, options| Ok(vec![shapes::bed::<Space>(case.name, shapes::ELLIPSOIDS, "", options)?.time(options)?]);
    "bed-rolling",           true,  "the same with rolling and twisting resistance", |case, options| Ok(vec![shapes::bed::<Space>(case.name, shapes::ELLIPSOIDS, ", rolling = 0.02, twisting = 0.02", options)?.time(options)?]);
    "bed-mixed",             true,  "spheres, ellipsoids and superellipsoids at rest", |case, options| Ok(vec![shapes::bed::<Space>(case.name, shapes::MIXED, "", options)?.time(options)?]);
    "bed-lenses",            true,  "lenses with a sharp rim at rest", |case, options| Ok(vec![shapes::bed::<Space>(case.name, shapes::LENSES, "", options)?.time(options)?]);
    "bed-tablets",           true,  "flat superellipsoids at rest", |case, options| Ok(vec![shapes::bed::<Space>(case.name, shapes::TABLETS, "", options)?.time(options)?]);
    "bed-capsules",          true,  "capsules at rest", |case, options| Ok(vec![shapes::bed::<Space>(case.name, shapes::CAPSULES, "", options)?.time(options)?]);
    "bed-cylinders",         true,  "cylinders at rest", |case, options| Ok(vec![shapes::bed::<Space>(case.name, shapes::CYLINDERS, "", options)?.time(options)?]);
    "bed-spheres-cubes",     true,  "spheres and a quarter as many cubes at rest", |case, options| Ok(vec![shapes::bed::<Space>(case.name, shapes::SPHERES_AND_CUBES, "", options)?.time(options)?]);
    "bed-compounds",         true,  "compounds of four spheres at rest", |case, options| Ok(vec![shapes::bed::<Space>(case.name, shapes::COMPOUNDS, "", options)?.time(options)?]);
    "bed-ellipses",          true,  "768 ellipses in the plane at rest", |case, options| Ok(vec![shapes::bed::<Plane>(case.name, shapes::ELLIPSES, "", options)?.time(options)?]);
    "bed-polygons",          true,  "polygons in the plane at rest", |case, options| Ok(vec![shapes::bed::<Plane>(case.name, shapes::POLYGONS, "", options)?.time(options)?]);
    "drum-mesh",             true,  "336 ellipsoids in a turning drum of triangles", |case, options| Ok(vec![scene::<Space>(case.name, "drum", 0.8, options)?.time(options)?]);
    "ellipse-2d",            true,  "ellipses in the plane",             |case, options| ellipses(case, options);
    "pairs-sphere",          true,  "pairs of spheres",                  |case, options| pairs::of_bed(case.name, "settle-sphere", options);
    "pairs-ellipsoid",       true,  "pairs of ellipsoids",               |case, options| pairs::of_bed(case.name, "settle-ellipsoid", options);
    "pairs-box",             true,  "pairs of boxes with round edges",   |case, options| pairs::of_bed(case.name, "settle-box", options);
    "pairs-superellipsoid",  true,  "pairs of superellipsoids",          |case, options| pairs::of_bed(case.name, "settle-superellipsoid", options);
    "pairs-polyhedron",      true,  "pairs of polyhedra",                |case, options| pairs::of_polyhedra(case.name, options);
    "growth-sphere",         false, "1 000 to 1 000 000 spheres at rest",    |case, options| growth(case, "settle-sphere", options);
    "growth-ellipsoid",      false, "1 000 to 1 000 000 ellipsoids at rest", |case, options| growth(case, "settle-ellipsoid", options);
}

/// How long a bed flows before it is timed (s).
const FLOWING: f64 = 0.05;
/// When grains of the settle scene come down on each other (s).
const COMING_DOWN: f64 = 0.15;
/// How many times the bed beside itself, each way; nothing for a part of it.
const TILES: [usize; 6] = [0, 1, 2, 4, 8, 16];

fn settled(case: &Case, template: &str, options: &Options) -> Result<Vec<Row>, Trouble> {
    Ok(vec![scene::<Space>(case.name, template, SETTLED, options)?.time(options)?])
}

fn flowing(case: &Case, template: &str, options: &Options) -> Result<Vec<Row>, Trouble> {
    let bed = scene::<Space>(case.name, template, SETTLED, options)?;
    [35.0, 60.0].iter().map(|&degrees| bed.tilted(degrees, FLOWING, options)?.time(options)).collect()
}

fn falling(case: &Case, template: &str, options: &Options) -> Result<Vec<Row>, Trouble> {
    Ok(vec![scene::<Space>(case.name, template, COMING_DOWN, options)?.time(options)?])
}

fn ellipses(case: &Case, options: &Options) -> Result<Vec<Row>, Trouble> {
    Ok(vec![scene::<Plane>(case.name, "ellipses-pour", 1.0, options)?.time(options)?])
}

fn growth(case: &Case, template: &str, options: &Options) -> Result<Vec<Row>, Trouble> {
    let bed = scene::<Space>(case.name, template, SETTLED, options)?;
    let grains = |tiles: usize| bed.setup.grains.len() * tiles * tiles;
    let tiles = TILES.iter().filter(|&&tiles| grains(tiles) <= options.largest);
    tiles.map(|&tiles| beside_itself(&bed, tiles)?.time(options)).collect()
}
