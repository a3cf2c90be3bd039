//! A surface that is not convex as an obstacle to what is put in place: whether a body is clear of it, and how deep it is in it.

use gritstone_contact::{Goal, Placed, Query};
use gritstone_core::{Pose, Vector as _};
use gritstone_shape::Support as _;

use crate::boundary::surface::{Surface, Tree};
use crate::dimension::Dimension;

/// A surface at a place.
#[derive(Clone, Debug)]
pub struct MeshObstacle<'s, D: Dimension> {
    surface: &'s Surface,
    pose: Pose<D>,
    /// The convex tiles that it is made of there, in its own frame.
    tiles: Vec<(D::Shape, Pose<D>)>,
    tree: Tree<D>,
    /// Whether grains may be there, where nothing of it is in the box.
    free: Option<bool>,
}

impl<'s, D: Dimension> MeshObstacle<'s, D> {
    /// This surface at this place, as far as it is between two corners of a box.
    pub fn new(surface: &'s Surface, pose: Pose<D>, [low, high]: [D::Vec; 2]) -> Self {
        let tiles = D::tiles(surface, &pose, [low, high]);
        let bounds = |(shape, pose): &(D::Shape, Pose<D>)| {
            let end = |k: usize, sign: f64| {
                let axis = D::Vec::axis(k) * sign;
                (pose.position + D::rotate(pose.rotation, shape.support(D::unrotate(pose.rotation, axis))))
                    .component(k)
            };
            [-1.0, 1.0].map(|sign| D::Vec::from_fn(|k| end(k, sign)))
        };
        let tree = Tree::new(&tiles.iter().map(bounds).collect::<Vec<_>>());
        let middle = (low + high) * 0.5;
        let empty = tiles.is_empty() && middle.length().is_finite();
        let hurdle = Self { surface, pose, tiles, tree, free: None };
        Self { free: empty.then(|| hurdle.is_free(middle)), ..hurdle }
    }

    /// Whether a point is where grains may be: not behind it.
    pub fn is_free(&self, x: D::Vec) -> bool {
        if let Some(free) = self.free {
            return free;
        }
        let x = self.pose.to_body(x);
        self.surface.is_free([0, 1, 2].map(|k| if k < D::N { x.component(k) } else { 0.0 }))
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
        self.tree.near(centre, body.shape.size(), |tile| {
            let (shape, pose) = &self.tiles[tile];
            visit(body, Placed { shape, pose: pose.moved_by(&self.pose) });
        });
    }
}

/// A lower bound of the gap.
fn gap<D: Dimension>(a: Placed<'_, D>, b: Placed<'_, D>, scratch: &mut D::Scratch) -> f64 {
    let query = Query { goal: Goal::Detect, ..Query::default() };
    D::solve_warm(a, b, query, &mut D::Memory::default(), scratch).map_or(0.0, |answer| answer.lower)
}
