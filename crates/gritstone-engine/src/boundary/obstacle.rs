//! A surface that is not convex as an obstacle for grains that are placed: whether a body is clear of it, and how deep it is in it.

use gritstone_contact::{Goal, Placed, Query};
use gritstone_core::{Pose, Vector as _};
use gritstone_shape::Support as _;

use crate::boundary::surface::{Surface, SurfaceSides, Tree};
use crate::dimension::Dimension;
use crate::insertion::packing_grid::{bounds, meet};

/// A surface at a place.
#[derive(Clone, Debug)]
pub struct MeshObstacle<D: Dimension> {
    sides: SurfaceSides,
    pose: Pose<D>,
    /// The convex tiles that it is made of there, in its own frame.
    tiles: Vec<(D::Shape, Pose<D>)>,
    /// The boxes that hold them.
    boxes: Vec<[D::Vec; 2]>,
    tree: Tree<D>,
    /// Whether grains may be in the box if no part of the surface is in it.
    free: Option<bool>,
}

impl<D: Dimension> MeshObstacle<D> {
    /// This surface at this place, as far as it is between two corners of a box.
    pub fn new(surface: &Surface, pose: Pose<D>, [low, high]: [D::Vec; 2]) -> Self {
        let tiles = D::tiles(surface, &pose, [low, high]);
        let boxes: Vec<_> = tiles.iter().map(|(shape, pose)| bounds::<D>(shape, pose)).collect();
        let tree = Tree::new(&boxes);
        let middle = (low + high) * 0.5;
        let empty = tiles.is_empty() && middle.length().is_finite();
        let obstacle = Self { sides: surface.sides(), pose, tiles, boxes, tree, free: None };
        Self { free: empty.then(|| obstacle.is_free(middle)), ..obstacle }
    }

    /// Whether a point is where grains may be: not behind it.
    pub fn is_free(&self, x: D::Vec) -> bool {
        if let Some(free) = self.free {
            return free;
        }
        let x = self.pose.to_body(x);
        self.sides.is_free([0, 1, 2].map(|k| if k < D::N { x.component(k) } else { 0.0 }))
    }

    /// Whether a body is clear of it: proven by planes between them.
    pub fn is_clear(&self, body: Placed<'_, D>, scratch: &mut D::Scratch) -> bool {
        let mut clear = self.is_free(body.pose.position);
        self.each_near(body, |body, tile| clear = clear && gap(body, tile, scratch) > 0.0);
        clear
    }

    /// How deep a body is in it; negative where it is not.
    pub fn depth(&self, body: Placed<'_, D>, scratch: &mut D::Scratch) -> f64 {
        if !self.is_free(body.pose.position) {
            return body.shape.size();
        }
        let mut deepest = f64::NEG_INFINITY;
        self.each_near(body, |body, tile| deepest = deepest.max(-gap(body, tile, scratch)));
        deepest
    }

    fn each_near(&self, body: Placed<'_, D>, mut visit: impl FnMut(Placed<'_, D>, Placed<'_, D>)) {
        let centre = self.pose.to_body(body.pose.position);
        let end = |axis: usize, sign: f64| {
            let direction = D::rotate(self.pose.rotation, D::Vec::axis(axis) * sign);
            let point = body.shape.support(D::unrotate(body.pose.rotation, direction));
            self.pose.to_body(body.pose.to_world(point)).component(axis)
        };
        let own = [-1.0, 1.0].map(|sign| D::Vec::from_fn(|axis| end(axis, sign)));
        self.tree.near(centre, body.shape.size(), |tile| {
            // A needle's ball holds much that is far from it.
            if meet::<D>(&own, &self.boxes[tile]) {
                let (shape, pose) = &self.tiles[tile];
                visit(body, Placed { shape, pose: pose.moved_by(&self.pose) });
            }
        });
    }
}

/// A lower bound of the gap.
fn gap<D: Dimension>(a: Placed<'_, D>, b: Placed<'_, D>, scratch: &mut D::Scratch) -> f64 {
    let query = Query { goal: Goal::Detect, ..Query::default() };
    D::solve_warm(a, b, query, &mut D::Memory::default(), scratch).map_or(0.0, |answer| answer.lower)
}
