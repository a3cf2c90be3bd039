//! Triangles that make up a surface: joined at their corners, and checked.

use std::collections::HashMap;

use glam::DVec3;

use super::repair::drop_degenerate;

/// Corners that are this near are one, relative to the extent of the mesh: files have six digits.
const WELD: f64 = 1e-6;
/// Width of the cells in which corners are looked for, relative to how near they are one.
const CELL: f64 = 16.0;
/// A triangle is degenerate when its height is less than this part of the extent.
const THIN: f64 = 1e-9;

/// On which sides of a surface grains are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sides {
    /// Where the triangles run counter-clockwise: outside of a body.
    #[default]
    Outside,
    /// Where they run clockwise: inside of a container.
    Inside,
    /// On both: a sheet without thickness, which may have an edge.
    Both,
}

/// A surface of triangles.
#[derive(Clone, Debug, PartialEq)]
pub struct TriangleMesh {
    pub(crate) points: Vec<DVec3>,
    /// Corners, counter-clockwise seen from where grains are.
    pub(crate) triangles: Vec<[u32; 3]>,
    /// The triangle beyond each side, from a corner to the next one.
    pub(crate) beyond: Vec<[u32; 3]>,
    /// How many triangles the surface has; those behind them are the back of a sheet.
    pub(crate) fronts: usize,
    /// How many degenerate triangles were left out.
    dropped: usize,
}

/// What is wrong with a mesh. Triangles are counted from one.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MeshError {
    /// There is nothing.
    #[error("there are no triangles")]
    Empty,
    /// A coordinate is not finite.
    #[error("triangle {0} has a coordinate that is not finite")]
    NotFinite(usize),
    /// A triangle without area that cannot be taken out, with as many others around it.
    #[error(
        "triangle {0} is degenerate (its corners lie on a line or in a point), and so are too many around it"
    )]
    Degenerate(usize),
    /// An open edge.
    #[error(
        "the surface is not closed: triangle {triangle} has an open edge from {from:?} to {to:?} \
         ({count} open edges in total); an open surface must have grains on both sides"
    )]
    Open {
        /// The first such triangle.
        triangle: usize,
        /// Where the side starts.
        from: [f64; 3],
        /// Where it ends.
        to: [f64; 3],
        /// Number of open edges.
        count: usize,
    },
    /// Three or more triangles at a side, or two that run the same way.
    #[error(
        "triangles {triangles:?} share an edge with the same direction: one of them is flipped or duplicated, or more than \
         two triangles meet at the edge"
    )]
    Crossed {
        /// The two triangles.
        triangles: [usize; 2],
    },
    /// A closed surface whose triangles run clockwise seen from outside.
    #[error(
        "all triangles are flipped: seen from outside they are clockwise, and the enclosed volume is {volume:.3e}, but must be \
         positive"
    )]
    TurnedOver {
        /// The volume, counted with the sense of the triangles.
        volume: f64,
    },
}

impl TriangleMesh {
    /// Joins triangles at their corners, leaves out degenerate ones, and checks that the surface is closed, oriented and manifold.
    pub fn new(corners: &[[DVec3; 3]], sides: Sides) -> Result<Self, MeshError> {
        if corners.is_empty() {
            return Err(MeshError::Empty);
        }
        if let Some(i) = corners.iter().position(|t| t.iter().any(|x| !x.is_finite())) {
            return Err(MeshError::NotFinite(i + 1));
        }
        let all = || corners.iter().flatten();
        let low = all().fold(DVec3::INFINITY, |low, &x| low.min(x));
        let extent = (all().fold(DVec3::NEG_INFINITY, |high, &x| high.max(x)) - low).length();
        let (points, triangles) = weld(corners, low, WELD * extent);
        let repaired = drop_degenerate(&points, triangles, THIN * extent)?;
        let (mut triangles, sources, dropped) = (repaired.triangles, repaired.sources, repaired.dropped);
        if triangles.is_empty() {
            return Err(MeshError::Empty);
        }
        let points = used(points, &mut triangles);
        let volume = volume(&points, &triangles);
        if sides == Sides::Inside {
            triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
        }
        let fronts = triangles.len();
        if sides == Sides::Both {
            let backs: Vec<[u32; 3]> = triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
            triangles.extend(backs);
        }
        let beyond = join(&points, &triangles, &sources)?;
        // Plates may be so thin that rounding decides.
        if sides != Sides::Both && volume < -THIN * extent.powi(3) {
            return Err(MeshError::TurnedOver { volume });
        }
        Ok(Self { points, triangles, beyond, fronts, dropped })
    }

    /// Number of degenerate triangles that were left out.
    pub fn dropped(&self) -> usize {
        self.dropped
    }

    /// Corners of the triangles.
    pub fn points(&self) -> &[DVec3] {
        &self.points
    }

    /// The triangles of the surface, counter-clockwise seen from where grains are; of a sheet those of its front.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles[..self.fronts]
    }

    /// Radius of the ball about the origin that holds it.
    pub fn size(&self) -> f64 {
        self.points.iter().map(|point| point.length()).fold(0.0, f64::max)
    }

    /// Whether it is a sheet, with grains on both sides.
    pub(crate) fn is_sheet(&self) -> bool {
        self.triangles.len() > self.fronts
    }

    /// The volume within a closed surface, counted with the sense of the triangles: negative for a container.
    pub(crate) fn signed_volume(&self) -> f64 {
        volume(&self.points, &self.triangles)
    }

    pub(crate) fn corners(&self, triangle: usize) -> [DVec3; 3] {
        self.triangles[triangle].map(|v| self.points[v as usize])
    }

    /// The vertices at the ends of a side of a triangle.
    pub(crate) fn side(&self, triangle: usize, side: usize) -> [u32; 2] {
        [side, (side + 1) % 3].map(|corner| self.triangles[triangle][corner])
    }

    /// Whether a sheet ends at a side of a triangle: its back is beyond it.
    pub(crate) fn is_rim(&self, triangle: usize, side: usize) -> bool {
        (triangle < self.fronts) != ((self.beyond[triangle][side] as usize) < self.fronts)
    }

    /// Twice the area, along the normal.
    pub(crate) fn area(&self, triangle: usize) -> DVec3 {
        let [a, b, c] = self.corners(triangle);
        (b - a).cross(c - a)
    }
}

/// The volume within a closed surface, positive where its triangles run counter-clockwise seen from outside. Taken from one
/// of its points: far from the origin less is lost to rounding.
fn volume(points: &[DVec3], triangles: &[[u32; 3]]) -> f64 {
    let from = points[0];
    let sixfold = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|v| points[v as usize] - from);
        a.dot(b.cross(c))
    };
    triangles.iter().map(sixfold).sum::<f64>() / 6.0
}

/// Numbers corners; those that are near enough are one. Most of them are the same numbers as one before.
fn weld(corners: &[[DVec3; 3]], low: DVec3, near: f64) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let mut same: HashMap<[u64; 3], u32> = HashMap::new();
    let mut cells: HashMap<[i64; 3], Vec<u32>> = HashMap::new();
    let mut points: Vec<DVec3> = Vec::new();
    let width = (CELL * near).max(f64::MIN_POSITIVE);
    let cell = |x: DVec3| ((x - low) / width).floor().to_array().map(|c| c as i64);
    let mut find = |x: DVec3| -> u32 {
        let [first, last] = [-near, near].map(|off| cell(x + DVec3::splat(off)));
        for i in first[0]..=last[0] {
            for j in first[1]..=last[1] {
                for k in first[2]..=last[2] {
                    let known = cells.get(&[i, j, k]).into_iter().flatten();
                    let found = known.into_iter().find(|&&v| points[v as usize].distance(x) <= near);
                    if let Some(&found) = found {
                        return found;
                    }
                }
            }
        }
        points.push(x);
        cells.entry(cell(x)).or_default().push(points.len() as u32 - 1);
        points.len() as u32 - 1
    };
    // Zeros of either sign are one number.
    let mut number =
        |x: DVec3| *same.entry((x + 0.0).to_array().map(f64::to_bits)).or_insert_with(|| find(x));
    let triangles = corners.iter().map(|triangle| triangle.map(&mut number)).collect();
    (points, triangles)
}

/// The points that triangles have as corners, in their order; the triangles then name those.
fn used(points: Vec<DVec3>, triangles: &mut [[u32; 3]]) -> Vec<DVec3> {
    let mut numbers = vec![None; points.len()];
    triangles.iter().flatten().for_each(|&v| numbers[v as usize] = Some(0));
    for (next, number) in (0..).zip(numbers.iter_mut().flatten()) {
        *number = next;
    }
    let number = |v: &mut u32| *v = numbers[*v as usize].unwrap_or_default();
    triangles.iter_mut().flatten().for_each(number);
    points.into_iter().zip(&numbers).filter_map(|(point, number)| number.map(|_| point)).collect()
}

/// The triangle beyond every side. The sides of a sheet's edge lead to its back. Errors name the triangles that `sources` says.
fn join(points: &[DVec3], triangles: &[[u32; 3]], sources: &[usize]) -> Result<Vec<[u32; 3]>, MeshError> {
    let fronts = sources.len();
    let mut sides: HashMap<(bool, u32, u32), (usize, usize)> = HashMap::new();
    for (t, triangle) in triangles.iter().enumerate() {
        for side in 0..3 {
            let key = (t < fronts, triangle[side], triangle[(side + 1) % 3]);
            if let Some((other, _)) = sides.insert(key, (t, side)) {
                return Err(MeshError::Crossed { triangles: [other, t].map(|t| sources[t % fronts] + 1) });
            }
        }
    }
    let sheet = triangles.len() > fronts;
    let (mut beyond, mut open) = (vec![[0; 3]; triangles.len()], Vec::new());
    for (t, triangle) in triangles.iter().enumerate() {
        for side in 0..3 {
            let (from, to) = (triangle[side], triangle[(side + 1) % 3]);
            beyond[t][side] = match sides.get(&(t < fronts, to, from)) {
                Some(&(other, _)) => other as u32,
                None if sheet => ((t + fronts) % triangles.len()) as u32,
                None => {
                    open.push((t, from, to));
                    0
                }
            };
        }
    }
    match open.first() {
        None => Ok(beyond),
        Some(&(t, from, to)) => Err(MeshError::Open {
            triangle: sources[t] + 1,
            from: points[from as usize].to_array(),
            to: points[to as usize].to_array(),
            count: open.len(),
        }),
    }
}
