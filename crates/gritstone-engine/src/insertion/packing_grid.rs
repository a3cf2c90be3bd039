//! Bodies that are put in place one after the other, none into another.
//!
//! One cell grid for each power of two of the size: a body is compared with the cells around it in every grid that is in
//! use, so that large ones among small ones cost no more. Cells are found through a hash of their coordinates; those that
//! share a place by that alone are told apart by their distance.

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

/// Bodies in place.
#[derive(Clone, Debug)]
pub struct PackingGrid<'s, D: Dimension> {
    /// Walls with their poses, and those that are not convex.
    walls: Vec<(&'s D::Shape, Pose<D>)>,
    hurdles: Vec<MeshObstacle<'s, D>>,
    bodies: Vec<Standing<'s, D>>,
    levels: Vec<Level>,
}

/// A body in place.
#[derive(Clone, Debug)]
struct Standing<'s, D: Dimension> {
    shape: &'s D::Shape,
    pose: Pose<D>,
    size: f64,
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
        hurdles: impl IntoIterator<Item = MeshObstacle<'s, D>>,
    ) -> Self {
        let (walls, hurdles) = (walls.into_iter().collect(), hurdles.into_iter().collect());
        Self { walls, hurdles, bodies: Vec::new(), levels: Vec::new() }
    }

    /// No bodies yet in a region, among these walls of a setup at their poses.
    pub fn within(region: &Region<D>, walls: impl IntoIterator<Item = (&'s Wall<D>, Pose<D>)>) -> Self {
        let (mut convex, mut hurdles) = (Vec::new(), Vec::new());
        for (wall, pose) in walls {
            match &wall.surface {
                Some(surface) => hurdles.push(MeshObstacle::new(surface, pose, region.corners())),
                None => convex.push((&wall.shape, pose)),
            }
        }
        Self::new(convex, hurdles)
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
        self.bodies.push(Standing { shape, pose, size, next: NONE });
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

    /// Whether a grain would overlap neither a body nor a wall: proven by planes between them.
    pub fn has_room(&self, form: GrainShape<'_, D>, pose: Pose<D>, scratch: &mut D::Scratch) -> bool {
        form.bodies(pose).all(|(shape, pose)| self.has_room_for(shape, pose, scratch))
    }

    fn has_room_for(&self, shape: &D::Shape, pose: Pose<D>, scratch: &mut D::Scratch) -> bool {
        let placed = Placed { shape, pose };
        let size = placed.shape.size();
        let levels = self.levels.iter();
        let free =
            levels.flat_map(|level| level.around::<D>(&self.bodies, pose.position, size)).all(|other| {
                let body = &self.bodies[other as usize];
                let near = (body.pose.position - pose.position).length() < body.size + size;
                let other = Placed { shape: body.shape, pose: body.pose };
                !near || is_apart(placed, other, scratch)
            });
        free && self.walls.iter().all(|&(shape, pose)| is_apart(placed, Placed { shape, pose }, scratch))
            && self.hurdles.iter().all(|hurdle| hurdle.is_clear(placed, scratch))
    }
}

/// Whether a plane between two bodies was found.
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
        let cells = (low[2]..=high[2]).flat_map(move |k| {
            (low[1]..=high[1]).flat_map(move |j| (low[0]..=high[0]).map(move |i| [i, j, k]))
        });
        cells.flat_map(move |cell| {
            let first = self.heads[self.place(cell)];
            let next = |&body: &u32| Some(bodies[body as usize].next).filter(|next| *next != NONE);
            std::iter::successors(Some(first).filter(|first| *first != NONE), next)
        })
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use gritstone_core::Space;
    use gritstone_shape::space::{HalfSpace, Solid, Sphere};

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
}
