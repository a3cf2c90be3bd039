//! Bodies that are placed one after the other without overlap.
//!
//! One cell grid for each power of two of the size: a body is compared with the cells around it in every grid that is in
//! use, so that large ones among small ones cost no more. Cells are found through a hash of their coordinates; those that
//! share a hash value are told apart by their distance. If a body reaches into more cells than the table has places, as a
//! needle among dust does, the whole table is scanned. Bounding spheres of needles overlap even when the needles are far apart: pairs
//! whose bounding boxes are disjoint are not solved, and the work is counted, so that it can be limited.

use std::cell::Cell;

use gritstone_contact::{Goal, Placed, Query};
use gritstone_core::{Dim, Pose, Vector};
use gritstone_shape::Support;

use crate::bodies::grain_shape::GrainShape;
use crate::boundary::obstacle::MeshObstacle;
use crate::dimension::Dimension;
use crate::insertion::region::Region;
use crate::setup::Wall;

/// No body.
const NONE: u32 = u32::MAX;

/// Cost of finding a separating plane, relative to comparing the distance of centres.
const SOLVE: u64 = 32;

/// Bodies in place.
#[derive(Clone, Debug)]
pub struct PackingGrid<'s, D: Dimension> {
    /// Walls with their poses, and those that are not convex.
    walls: Vec<(&'s D::Shape, Pose<D>)>,
    obstacles: Vec<MeshObstacle<D>>,
    bodies: Vec<Standing<'s, D>>,
    levels: Vec<Level>,
    work: Cell<u64>,
}

/// A body in place.
#[derive(Clone, Debug)]
struct Standing<'s, D: Dimension> {
    shape: &'s D::Shape,
    pose: Pose<D>,
    size: f64,
    bounds: [D::Vec; 2],
    /// The next body in the same place of the table.
    next: u32,
}

/// The bodies of one class of sizes.
#[derive(Clone, Debug)]
struct Level {
    /// Bodies have diameters up to two to this power: the width of cells.
    power: i32,
    /// First body of each place of the table, whose length is a power of two.
    heads: Vec<u32>,
    count: usize,
}

impl<'s, D: Dimension> PackingGrid<'s, D> {
    /// No bodies yet, among these walls and surfaces.
    pub fn new(
        walls: impl IntoIterator<Item = (&'s D::Shape, Pose<D>)>,
        obstacles: impl IntoIterator<Item = MeshObstacle<D>>,
    ) -> Self {
        let (walls, obstacles) = (walls.into_iter().collect(), obstacles.into_iter().collect());
        Self { walls, obstacles, bodies: Vec::new(), levels: Vec::new(), work: Cell::new(0) }
    }

    /// No bodies yet in a region, among these walls of a setup at their poses.
    pub fn within(region: &Region<D>, walls: impl IntoIterator<Item = (&'s Wall<D>, Pose<D>)>) -> Self {
        let (mut convex, mut obstacles) = (Vec::new(), Vec::new());
        for (wall, pose) in walls {
            match &wall.surface {
                Some(surface) => obstacles.push(MeshObstacle::new(surface, pose, region.corners())),
                None => convex.push((&wall.shape, pose)),
            }
        }
        Self::new(convex, obstacles)
    }

    /// Adds a grain, whether it overlaps or not.
    pub fn add(&mut self, form: GrainShape<'s, D>, pose: Pose<D>) {
        form.bodies(pose).for_each(|(shape, pose)| self.add_body(shape, pose));
    }

    fn add_body(&mut self, shape: &'s D::Shape, pose: Pose<D>) {
        let size = shape.size();
        let power = libm::log2(2.0 * size).ceil() as i32;
        let index = match self.levels.iter().position(|level| level.power == power) {
            Some(index) => index,
            None => {
                self.levels.push(Level { power, heads: vec![NONE; 64], count: 0 });
                self.levels.len() - 1
            }
        };
        self.bodies.push(Standing { shape, pose, size, bounds: bounds::<D>(shape, &pose), next: NONE });
        let Self { levels, bodies, .. } = self;
        let level = &mut levels[index];
        level.count += 1;
        if level.count > level.heads.len() {
            level.widen(bodies);
        } else {
            let last = bodies.len() - 1;
            level.link(bodies, last);
        }
    }

    /// Work so far: pairs of bodies whose distance was compared, and [`SOLVE`] for each pair that was solved.
    pub fn work(&self) -> u64 {
        self.work.get()
    }

    /// Whether a grain would overlap neither a body nor a wall: proven by planes between them.
    pub fn has_room(&self, form: GrainShape<'_, D>, pose: Pose<D>, scratch: &mut D::Scratch) -> bool {
        form.bodies(pose).all(|(shape, pose)| self.has_room_for(shape, pose, scratch))
    }

    fn has_room_for(&self, shape: &D::Shape, pose: Pose<D>, scratch: &mut D::Scratch) -> bool {
        let placed = Placed { shape, pose };
        let (size, own) = (placed.shape.size(), bounds::<D>(shape, &pose));
        let mut work = 0;
        let mut is_free = |other: u32| {
            let body = &self.bodies[other as usize];
            work += 1;
            let near = (body.pose.position - pose.position).length() < body.size + size;
            if !near || !meet::<D>(&own, &body.bounds) {
                return true;
            }
            work += SOLVE;
            is_apart(placed, Placed { shape: body.shape, pose: body.pose }, scratch)
        };
        let around = |level| Level::around::<D>(level, &self.bodies, pose.position, size);
        let free = self.levels.iter().all(|level| around(level).all(&mut is_free));
        self.work.set(self.work.get() + work);
        free && self.walls.iter().all(|&(shape, pose)| is_apart(placed, Placed { shape, pose }, scratch))
            && self.obstacles.iter().all(|obstacle| obstacle.is_clear(placed, scratch))
    }
}

/// The box along the axes that holds a body.
pub(crate) fn bounds<D: Dimension>(shape: &D::Shape, pose: &Pose<D>) -> [D::Vec; 2] {
    let end = |axis: usize, sign: f64| {
        let direction = D::unrotate(pose.rotation, D::Vec::axis(axis) * sign);
        (pose.position + D::rotate(pose.rotation, shape.support(direction))).component(axis)
    };
    [-1.0, 1.0].map(|sign| D::Vec::from_fn(|axis| end(axis, sign)))
}

/// Whether two boxes have a point in common.
pub(crate) fn meet<D: Dimension>([low, high]: &[D::Vec; 2], [low2, high2]: &[D::Vec; 2]) -> bool {
    (0..D::N).all(|i| low.component(i) <= high2.component(i) && low2.component(i) <= high.component(i))
}

/// Whether a separating plane of two bodies was found.
fn is_apart<D: Dimension>(a: Placed<'_, D>, b: Placed<'_, D>, scratch: &mut D::Scratch) -> bool {
    let query = Query { goal: Goal::Detect, ..Query::default() };
    D::solve_warm(a, b, query, &mut D::Memory::default(), scratch).is_ok_and(|answer| answer.lower > 0.0)
}

impl Level {
    fn cell<D: Dim>(&self, x: D::Vec) -> [i64; 3] {
        let width = libm::exp2(f64::from(self.power));
        std::array::from_fn(|i| if i < D::N { (x.component(i) / width).floor() as i64 } else { 0 })
    }

    /// Place of a cell in the table.
    fn place(&self, cell: [i64; 3]) -> usize {
        let mix = |hash: u64, x: i64| (hash.rotate_left(5) ^ x as u64).wrapping_mul(0x517c_c1b7_2722_0a95);
        let hash = cell.into_iter().fold(0, mix);
        (hash >> 20) as usize & (self.heads.len() - 1)
    }

    fn link<D: Dimension>(&mut self, bodies: &mut [Standing<'_, D>], body: usize) {
        let place = self.place(self.cell::<D>(bodies[body].pose.position));
        bodies[body].next = std::mem::replace(&mut self.heads[place], body as u32);
    }

    /// Twice the table, so that chains stay short.
    fn widen<D: Dimension>(&mut self, bodies: &mut [Standing<'_, D>]) {
        self.heads = vec![NONE; 2 * self.heads.len()];
        for body in 0..bodies.len() {
            if libm::log2(2.0 * bodies[body].size).ceil() as i32 == self.power {
                self.link(bodies, body);
            }
        }
    }

    /// Bodies of this level whose cells a ball may reach into.
    fn around<'b, D: Dimension>(
        &'b self,
        bodies: &'b [Standing<'_, D>],
        x: D::Vec,
        size: f64,
    ) -> impl Iterator<Item = u32> + 'b {
        let width = libm::exp2(f64::from(self.power));
        let reach = size + 0.5 * width;
        let low = self.cell::<D>(D::Vec::from_fn(|i| x.component(i) - reach));
        let high = self.cell::<D>(D::Vec::from_fn(|i| x.component(i) + reach));
        let count: f64 = (0..3).map(|i| high[i] as f64 - low[i] as f64 + 1.0).product();
        let all = if count > self.heads.len() as f64 { self.heads.len() } else { 0 };
        let ranges = [0, 1, 2].map(|i| if all > 0 { 0..0 } else { low[i]..high[i].saturating_add(1) });
        let [x, y, z] = ranges;
        let cells = z.flat_map(move |k| {
            (y.clone()).flat_map({
                let x = x.clone();
                move |j| x.clone().map(move |i| [i, j, k])
            })
        });
        let places = (0..all).chain(cells.map(|cell| self.place(cell)));
        places.flat_map(move |place| {
            let first = self.heads[place];
            let next = |&body: &u32| Some(bodies[body as usize].next).filter(|next| *next != NONE);
            std::iter::successors(Some(first).filter(|first| *first != NONE), next)
        })
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use gritstone_core::Space;
    use gritstone_shape::space::{Ellipsoid, HalfSpace, Solid, Sphere};

    use super::*;
    use crate::insertion::random::RandomStream;

    /// Spheres of very different sizes, against a comparison of each with each.
    #[test]
    fn room_is_where_no_sphere_is() {
        let radii = [0.01, 0.023, 0.11, 0.4];
        let shapes: Vec<Solid> = radii.iter().map(|&r| Sphere::new(r).unwrap().into()).collect();
        let floor = Solid::from(HalfSpace::new(DVec3::Z, 0.0).unwrap());
        let mut packing = PackingGrid::<Space>::new([(&floor, Pose::default())], []);
        let (mut random, mut scratch) = (RandomStream::new(5), Default::default());
        let mut placed: Vec<(DVec3, f64)> = Vec::new();
        let mut refused = 0;
        for k in 0..4000 {
            let kind = random.below(4).min(random.below(4));
            let x = DVec3::new(random.unit(), random.unit(), random.unit());
            let clear = placed.iter().all(|(y, r)| x.distance(*y) > r + radii[kind]) && x.z > radii[kind];
            assert_eq!(
                packing.has_room(GrainShape::Convex(&shapes[kind]), Pose::at(x), &mut scratch),
                clear,
                "{k}"
            );
            if clear {
                packing.add(GrainShape::Convex(&shapes[kind]), Pose::at(x));
                placed.push((x, radii[kind]));
            } else {
                refused += 1;
            }
        }
        assert!(placed.len() > 200 && refused > 200, "{} {refused}", placed.len());
    }

    /// A needle reaches into a thousand million cells of the grains of dust around it.
    #[test]
    fn a_needle_among_dust_takes_no_longer_than_the_dust() {
        let (dust, needle) =
            (Sphere::new(0.001).unwrap(), Ellipsoid::new(DVec3::new(1.0, 0.001, 0.002)).unwrap());
        let (dust, needle) = (Solid::from(dust), Solid::from(needle));
        let mut packing = PackingGrid::<Space>::new([], []);
        let mut random = RandomStream::new(5);
        for _ in 0..10_000 {
            let x = DVec3::new(random.unit(), random.unit(), random.unit());
            packing.add(GrainShape::Convex(&dust), Pose::at(x));
        }
        let mut scratch = Default::default();
        let mut room = |y: f64| {
            packing.has_room(GrainShape::Convex(&needle), Pose::at(DVec3::new(0.5, y, 0.5)), &mut scratch)
        };
        assert!(room(-0.1));
        // Of a hundred needles side by side through the dust, some meet none of it and some do.
        let clear = (0..100).filter(|i| room(0.01 * f64::from(*i))).count();
        assert!((1..100).contains(&clear), "{clear}");
        assert!(packing.work() < 101 * 10_000 + SOLVE * 10_000, "{}", packing.work());
    }
}
