//! The convex hull of points in space as triangles.
//!
//! **Idea.** Quickhull: every point that is still outside waits at a triangle that it sees; the farthest point of a
//! triangle joins the hull, the triangles it sees go, and their rim is joined to it.
//!
//! **Source.** [barber1996], with Shewchuk's exact orientation [shewchuk1997] in place of tolerances: the hull never
//! folds, however flat. Points in the middle of a flat face or of an edge may stay corners of triangles.

use glam::DVec3;
use robust::{Coord3D, orient3d};

/// A triangle; corner i stands opposite neighbour i. Seen from outside, the corners run counter-clockwise.
#[derive(Clone, Debug)]
pub(super) struct Triangle {
    pub(super) corners: [u32; 3],
    pub(super) neighbours: [u32; 3],
    /// Points that see this triangle and wait to be joined.
    waiting: Vec<u32>,
    alive: bool,
}

/// An edge of the rim of what a point sees, and the triangle behind it, which stays.
struct Edge {
    from: u32,
    to: u32,
    stays: u32,
}

/// Triangles of the hull of `points`, or `None` if these lie in one plane: nowhere farther from it than `flat`, or in
/// exact arithmetic.
pub(super) fn triangles(points: &[DVec3], flat: f64) -> Option<Vec<Triangle>> {
    let first = first_tetrahedron(points, flat)?;
    let mut hull = Hull { points, triangles: Vec::new(), sees: Vec::new() };
    hull.start(first);
    // Triangles are appended as the hull grows, and each is looked at once: its points leave it for newer ones.
    let mut t = 0;
    while t < hull.triangles.len() {
        if hull.triangles[t].alive
            && let Some(apex) = hull.farthest(t)
        {
            hull.join(t as u32, apex);
        }
        t += 1;
    }
    Some(hull.compact())
}

/// Four points that span space, as far from each other as a greedy choice finds.
fn first_tetrahedron(points: &[DVec3], flat: f64) -> Option<[u32; 4]> {
    let farthest = |measure: &dyn Fn(DVec3) -> f64| {
        let all = points.iter().map(|&p| measure(p)).enumerate();
        all.max_by(|x, y| x.1.total_cmp(&y.1)).filter(|x| x.1 > flat).map(|x| x.0)
    };
    let i = 0;
    let p = *points.first()?;
    let j = farthest(&|x| (x - p).length())?;
    let line = (points[j] - p).normalize();
    let k = farthest(&|x| line.cross(x - p).length())?;
    let normal = line.cross(points[k] - p).normalize();
    let l = farthest(&|x| normal.dot(x - p).abs())?;
    let spans = orientation(p, points[j], points[k], points[l]) != 0.0;
    spans.then_some([i, j, k, l].map(|x| x as u32))
}

/// Positive when `p` lies on the side of the triangle from which its corners run counter-clockwise; exact in sign, and
/// proportional to the height of `p` but for rounding.
fn orientation(x: DVec3, y: DVec3, z: DVec3, p: DVec3) -> f64 {
    let coord = |v: DVec3| Coord3D { x: v.x, y: v.y, z: v.z };
    -orient3d(coord(x), coord(y), coord(z), coord(p))
}

struct Hull<'p> {
    points: &'p [DVec3],
    triangles: Vec<Triangle>,
    /// Triangles that the point being joined sees.
    sees: Vec<u32>,
}

impl Hull<'_> {
    fn start(&mut self, first: [u32; 4]) {
        for corner in 0..4 {
            // Each triangle leaves one corner out and is oriented so that this corner is inside.
            let [i, j, k] = [1, 2, 3].map(|step| first[(corner + step) % 4]);
            let outside = self.height([i, j, k], first[corner]) > 0.0;
            self.add(if outside { [i, k, j] } else { [i, j, k] });
        }
        for t in 0..4 {
            let [i, j, k] = self.triangles[t].corners;
            self.triangles[t].neighbours =
                [(j, k), (k, i), (i, j)].map(|(from, to)| self.triangle_with([0, 1, 2, 3], to, from));
        }
        for p in 0..self.points.len() as u32 {
            self.assign(p, 0);
        }
    }

    /// The one of some triangles that has an edge in this direction.
    fn triangle_with(&self, among: [u32; 4], from: u32, to: u32) -> u32 {
        let has_edge = |t: &u32| {
            let c = self.triangles[*t as usize].corners;
            (0..3).any(|i| c[i] == from && c[(i + 1) % 3] == to)
        };
        among.into_iter().find(has_edge).unwrap_or(among[0])
    }

    fn add(&mut self, corners: [u32; 3]) -> u32 {
        self.triangles.push(Triangle { corners, neighbours: [0; 3], waiting: Vec::new(), alive: true });
        self.triangles.len() as u32 - 1
    }

    fn height(&self, corners: [u32; 3], p: u32) -> f64 {
        let [x, y, z] = corners.map(|i| self.points[i as usize]);
        orientation(x, y, z, self.points[p as usize])
    }

    /// Lets a point wait at the first triangle from `from` on that it sees; a point that sees none lies inside.
    fn assign(&mut self, p: u32, from: usize) {
        let seen = (from..self.triangles.len()).find(|&t| self.height(self.triangles[t].corners, p) > 0.0);
        if let Some(t) = seen {
            self.triangles[t].waiting.push(p);
        }
    }

    fn farthest(&self, t: usize) -> Option<u32> {
        let Triangle { corners, waiting, .. } = &self.triangles[t];
        let heights = waiting.iter().map(|&p| (p, self.height(*corners, p)));
        heights.max_by(|x, y| x.1.total_cmp(&y.1)).map(|(p, _)| p)
    }

    /// Joins `apex`, which sees triangle `t`, to the hull.
    fn join(&mut self, t: u32, apex: u32) {
        let mut rim = Vec::new();
        self.sees.clear();
        self.sees.push(t);
        self.triangles[t as usize].alive = false;
        let mut next = 0;
        while next < self.sees.len() {
            let Triangle { corners, neighbours, .. } = self.triangles[self.sees[next] as usize];
            next += 1;
            for i in 0..3 {
                let other = neighbours[i];
                if !self.triangles[other as usize].alive {
                    continue;
                }
                if self.height(self.triangles[other as usize].corners, apex) > 0.0 {
                    self.triangles[other as usize].alive = false;
                    self.sees.push(other);
                } else {
                    rim.push(Edge { from: corners[(i + 1) % 3], to: corners[(i + 2) % 3], stays: other });
                }
            }
        }
        let first = self.triangles.len();
        self.close(&rim, apex);
        for gone in std::mem::take(&mut self.sees) {
            for p in std::mem::take(&mut self.triangles[gone as usize].waiting) {
                if p != apex {
                    self.assign(p, first);
                }
            }
        }
    }

    /// Joins the rim, one closed loop, to `apex`.
    fn close(&mut self, rim: &[Edge], apex: u32) {
        let first = self.triangles.len() as u32;
        for edge in rim {
            let t = self.add([edge.from, edge.to, apex]);
            self.triangles[t as usize].neighbours[2] = edge.stays;
            let stays = &mut self.triangles[edge.stays as usize];
            let side = (0..3).find(|&i| stays.corners[(i + 1) % 3] == edge.to);
            if let Some(i) = side {
                stays.neighbours[i] = t;
            }
        }
        let mut starts: Vec<(u32, u32)> = rim.iter().zip(first..).map(|(edge, t)| (edge.from, t)).collect();
        starts.sort_unstable();
        for (edge, t) in rim.iter().zip(first..) {
            let Ok(at) = starts.binary_search_by_key(&edge.to, |s| s.0) else { continue };
            let after = starts[at].1;
            self.triangles[t as usize].neighbours[0] = after;
            self.triangles[after as usize].neighbours[1] = t;
        }
    }

    /// The triangles that are left, renumbered.
    fn compact(self) -> Vec<Triangle> {
        let mut count = 0;
        let numbers: Vec<u32> = self
            .triangles
            .iter()
            .map(|t| {
                count += u32::from(t.alive);
                count.wrapping_sub(1)
            })
            .collect();
        let mut left: Vec<_> = self.triangles.into_iter().filter(|t| t.alive).collect();
        for triangle in &mut left {
            triangle.neighbours = triangle.neighbours.map(|t| numbers[t as usize]);
        }
        left
    }
}

/// Takes one of every two corners out of `points` that are no farther apart than `distance`; false if there are none.
pub(super) fn drop_twins(points: &mut Vec<DVec3>, triangles: &[Triangle], distance: f64) -> bool {
    let mut twin = vec![false; points.len()];
    for Triangle { corners, .. } in triangles {
        for i in 0..3 {
            let (p, q) = (corners[i] as usize, corners[(i + 1) % 3] as usize);
            // Of two that are each other's twins the first stays.
            if p < q && !twin[p] && (points[p] - points[q]).length() <= distance {
                twin[q] = true;
            }
        }
    }
    let mut index = 0;
    let before = points.len();
    points.retain(|_| {
        index += 1;
        !twin[index - 1]
    });
    points.len() < before
}
