//! Bounding boxes of what is in a scene.

use std::fmt::{self, Display, Formatter};

use gritstone_core::Vector as _;
use gritstone_engine::{Setup, Wall};
use gritstone_force::radius;
use gritstone_shape::{AnyShape as _, Support as _};
use serde_json::{Value, json};

use super::from_scene::FromScene;
use crate::display::{length, plain, plural};

/// A bounding box along the axes (m).
#[derive(Clone, Debug, PartialEq)]
pub struct Extent {
    /// What it is the box of: `grains`, or the name of a wall.
    pub name: String,
    /// Number of triangles, for surfaces.
    pub triangles: Option<usize>,
    /// Number of degenerate triangles of the file that were dropped.
    pub dropped: usize,
    /// Least coordinates, as many as there are dimensions.
    pub low: Vec<f64>,
    /// Largest coordinates.
    pub high: Vec<f64>,
}

/// Smallest and largest diameter of the ball (disc) of the same volume as a grain (m).
pub(super) fn diameters<D: FromScene>(setup: &Setup<D>) -> Option<[f64; 2]> {
    let mut shapes: Vec<_> = setup.grains.iter().map(|grain| grain.shape).collect();
    shapes.sort_unstable();
    shapes.dedup();
    let of = |shape: &u32| 2.0 * radius::of_volume::<D>(setup.volume(*shape));
    let all = shapes.iter().map(of).map(|diameter| [diameter; 2]);
    all.reduce(|[low, high], [a, b]| [low.min(a), high.max(b)])
}

/// Of all grains, the balls that hold them, and of every wall that ends somewhere: planes do not.
pub(super) fn of<D: FromScene>(setup: &Setup<D>) -> Vec<Extent> {
    let of_walls =
        setup.walls.iter().filter(|wall| wall.surface.is_some() || wall.shape.plane_normal().is_none());
    grains(setup).into_iter().chain(of_walls.map(wall_extent)).collect()
}

fn grains<D: FromScene>(setup: &Setup<D>) -> Option<Extent> {
    let first = setup.grains.first()?;
    let (mut low, mut high) = (first.pose.position, first.pose.position);
    for grain in &setup.grains {
        let reach = setup.size(grain.shape);
        let (x, away) = (grain.pose.position, D::Vec::from_fn(|_| reach));
        low = D::Vec::from_fn(|i| low.component(i).min((x - away).component(i)));
        high = D::Vec::from_fn(|i| high.component(i).max((x + away).component(i)));
    }
    Some(Extent {
        name: "grains".to_owned(),
        triangles: None,
        dropped: 0,
        low: (0..D::N).map(|i| low.component(i)).collect(),
        high: (0..D::N).map(|i| high.component(i)).collect(),
    })
}

fn wall_extent<D: FromScene>(wall: &Wall<D>) -> Extent {
    let sides: Vec<_> = (0..D::N).map(|axis| along(wall, axis)).collect();
    Extent {
        name: wall.name.clone(),
        triangles: wall.surface.as_ref().map(|surface| surface.mesh().triangles().len()),
        dropped: wall.surface.as_ref().map_or(0, |surface| surface.mesh().dropped()),
        low: sides.iter().map(|[low, _]| *low).collect(),
        high: sides.iter().map(|[_, high]| *high).collect(),
    }
}

/// From where to where a wall is along an axis.
pub(super) fn along<D: FromScene>(wall: &Wall<D>, axis: usize) -> [f64; 2] {
    let Some(surface) = &wall.surface else {
        return [-1.0, 1.0].map(|sign| {
            let direction = D::unrotate(wall.pose.rotation, D::Vec::axis(axis) * sign);
            wall.pose.to_world(wall.shape.support(direction)).component(axis)
        });
    };
    let points = surface.mesh().points().iter();
    let along = points.map(|x| wall.pose.to_world(D::Vec::from_fn(|i| x[i])).component(axis));
    along.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)])
}

impl Extent {
    /// Lengths of its edges (m).
    pub fn edges(&self) -> impl Iterator<Item = f64> {
        self.low.iter().zip(&self.high).map(|(low, high)| high - low)
    }

    /// The longest of them (m).
    pub fn longest_edge(&self) -> f64 {
        self.edges().fold(0.0, f64::max)
    }

    /// As JSON.
    pub(super) fn to_json(&self) -> Value {
        json!({ "name": self.name, "triangles": self.triangles, "dropped_triangles": self.dropped, "low": self.low, "high": self.high })
    }
}

impl Display for Extent {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let edges: Vec<_> = self.edges().map(length).collect();
        let corner = |x: &[f64]| x.iter().map(|x| plain(*x)).collect::<Vec<_>>().join(", ");
        write!(f, "{} from ({}) to ({}) m", edges.join(" x "), corner(&self.low), corner(&self.high))?;
        if let Some(count) = self.triangles {
            write!(f, ", {count} triangles")?;
        }
        match self.dropped {
            0 => Ok(()),
            dropped => write!(f, ", {} dropped", plural(dropped, "degenerate triangle")),
        }
    }
}
