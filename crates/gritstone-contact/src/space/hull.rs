//! The convex hull of points of the Minkowski difference, grown one point at a time.
//!
//! Its faces bound the signed distance from above (see [`surface`](super::surface)); the direction of the worst face
//! is where to look next. Visibility is decided by exact orientation, so that the hull never folds, however flat.

use glam::DVec3;

use super::pair::{PointPair, Sample};
use super::surface::{FaceBound, closest_on_triangle, face_bound, side};

/// Points that a hull can hold. A corner deep in the tip of an almost round body, beyond the tip's centre of curvature, has a
/// ring of directions that are almost alike, and takes 2500 points to be certain of the best.
pub(crate) const CAPACITY: usize = 4096;

/// Thickness, relative to its length, below which a set of points counts as flat.
const THINNEST: f64 = 1e-14;

/// Difference, relative to their coordinates, up to which two points count as one.
const SAME: f64 = 4.0 * f64::EPSILON;

/// Distinct points in a plane that are looked at: two triangles have nine.
const FEW: usize = 24;

/// A hull under construction. Keep it and [`clear`](Self::clear) it: then growing does not allocate.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hull {
    points: Vec<Sample>,
    faces: Vec<Face>,
    free: Vec<u32>,
    stack: Vec<u32>,
    horizon: Vec<Edge>,
    /// Faces that the point being inserted sees.
    gone: Vec<u32>,
    /// Counts insertions, to tell visited faces.
    mark: u32,
    /// The face that bounded the signed distance least when last asked.
    worst: u32,
}

/// A triangle; corner i stands opposite neighbour i. Seen from inside, the corners run counter-clockwise.
#[derive(Clone, Copy, Debug)]
struct Face {
    corners: [u32; 3],
    neighbours: [u32; 3],
    normal: DVec3,
    bound: f64,
    alive: bool,
    mark: u32,
}

/// An edge between a face that stays and one that goes.
#[derive(Clone, Copy, Debug)]
struct Edge {
    from: u32,
    to: u32,
    stays: u32,
}

/// The face of a hull that bounds the signed distance least.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Worst {
    /// Inward unit normal: the direction to evaluate next.
    pub(crate) normal: DVec3,
    /// Upper bound that this face gives.
    pub(crate) bound: f64,
}

impl Hull {
    /// Forgets everything but the memory.
    pub(crate) fn clear(&mut self) {
        self.points.clear();
        self.faces.clear();
        self.free.clear();
    }

    /// Remembers a point, if it is one, without growing the hull, until [`build`](Self::build) is called.
    pub(crate) fn remember(&mut self, sample: &Sample) {
        if self.points.len() < CAPACITY && sample.d.is_finite() {
            self.points.push(*sample);
        }
    }

    /// All points so far.
    pub(crate) fn points(&self) -> &[Sample] {
        &self.points
    }

    /// Builds the hull of the remembered points; false when they lie in one plane, or so nearly that its faces would say
    /// nothing.
    pub(crate) fn build(&mut self) -> bool {
        self.faces.clear();
        self.free.clear();
        let Some(first) = self.first_tetrahedron() else { return false };
        for corner in 0..4 {
            // Each face leaves one corner out and is oriented so that this corner is inside.
            let [i, j, k] = [1, 2, 3].map(|step| first[(corner + step) % 4]);
            let d = |p: u32| self.points[p as usize].d;
            let inside = side(d(i), d(j), d(k), d(first[corner])) > 0.0;
            self.add_face(if inside { [i, j, k] } else { [i, k, j] });
        }
        self.link_tetrahedron();
        for p in 0..self.points.len() as u32 {
            if !first.contains(&p) {
                self.insert(p);
            }
        }
        true
    }

    /// Grows the hull to the remembered points from `first` on; false when all of them lie in it already.
    pub(crate) fn grow_from(&mut self, first: usize) -> bool {
        let mut grown = false;
        for p in first..self.points.len() {
            grown |= self.insert(p as u32);
        }
        grown
    }

    /// The face that bounds the signed distance least.
    pub(crate) fn worst(&mut self) -> Option<Worst> {
        let alive = self.faces.iter().enumerate().filter(|(_, f)| f.alive);
        let (index, face) = alive.max_by(|x, y| x.1.bound.total_cmp(&y.1.bound))?;
        self.worst = index as u32;
        Some(Worst { normal: face.normal, bound: face.bound })
    }

    /// The point of the hull's surface nearest to the origin, over the faces whose bound is at least `from`.
    pub(crate) fn nearest(&self, from: f64) -> Option<PointPair> {
        let faces = self.faces.iter().filter(|f| f.alive && f.bound >= from);
        nearest_of(faces.map(|face| face.corners.map(|p| &self.points[p as usize])))
    }

    /// The point nearest to the origin of the triangles between the points seen, where those lie in a plane and are few.
    pub(crate) fn nearest_in_plane(&self) -> Option<PointPair> {
        let distinct: Vec<_> = (0..self.points.len())
            .filter(|&p| !self.has_near(p as u32))
            .take(FEW)
            .map(|p| &self.points[p])
            .collect();
        let points = distinct.as_slice();
        let triangles = (0..points.len())
            .flat_map(|i| (0..=i).flat_map(move |j| (0..=j).map(move |k| [points[i], points[j], points[k]])));
        nearest_of(triangles)
    }

    /// Four points that span space, as far from each other as a greedy choice finds.
    fn first_tetrahedron(&self) -> Option<[u32; 4]> {
        let d = |p: usize| self.points[p].d;
        let all = 0..self.points.len();
        let farthest = |measure: &dyn Fn(usize) -> f64| {
            all.clone().map(|p| (p, measure(p))).max_by(|x, y| x.1.total_cmp(&y.1)).filter(|x| x.1 > 0.0)
        };
        if self.points.is_empty() {
            return None;
        }
        let i = 0;
        let (j, _) = farthest(&|p| (d(p) - d(i)).length_squared())?;
        let line = d(j) - d(i);
        let (k, _) = farthest(&|p| line.cross(d(p) - d(i)).length_squared())?;
        let normal = line.cross(d(k) - d(i));
        let (l, _) = farthest(&|p| normal.dot(d(p) - d(i)).abs())?;
        let thickness = normal.dot(d(l) - d(i)).abs() / normal.length();
        let flat = thickness < THINNEST * line.length() || side(d(i), d(j), d(k), d(l)) == 0.0;
        (!flat).then_some([i as u32, j as u32, k as u32, l as u32])
    }

    fn link_tetrahedron(&mut self) {
        for f in 0..4 {
            for i in 0..3 {
                let corners = self.faces[f].corners;
                let (from, to) = (corners[(i + 1) % 3], corners[(i + 2) % 3]);
                let other = (0..4).find(|&g| {
                    let c = self.faces[g].corners;
                    (0..3).any(|k| c[k] == to && c[(k + 1) % 3] == from)
                });
                self.faces[f].neighbours[i] = other.unwrap_or(f) as u32;
            }
        }
    }

    fn add_face(&mut self, corners: [u32; 3]) -> u32 {
        let [x, y, z] = corners.map(|p| self.points[p as usize].d);
        let FaceBound { upper: bound, normal } = face_bound(x, y, z);
        let face = Face { corners, neighbours: [0; 3], normal, bound, alive: true, mark: 0 };
        if let Some(slot) = self.free.pop() {
            self.faces[slot as usize] = face;
            slot
        } else {
            self.faces.push(face);
            self.faces.len() as u32 - 1
        }
    }

    fn sees(&self, face: u32, point: DVec3) -> bool {
        let [x, y, z] = self.faces[face as usize].corners.map(|p| self.points[p as usize].d);
        side(x, y, z, point) < 0.0
    }

    /// Whether an earlier point is the same but for rounding: the faces between them would say nothing.
    fn has_near(&self, p: u32) -> bool {
        let point = self.points[p as usize].d;
        let rounding = SAME * point.abs().max_element();
        self.points[..p as usize].iter().any(|q| (q.d - point).abs().max_element() <= rounding)
    }

    /// A face that the point sees. The worst face is tried first: new points are searched for beyond it.
    fn first_seen(&self, point: DVec3) -> Option<u32> {
        let worst = Some(self.worst).filter(|&f| (f as usize) < self.faces.len());
        let all = worst.into_iter().chain(0..self.faces.len() as u32);
        all.into_iter().find(|&f| self.faces[f as usize].alive && self.sees(f, point))
    }

    /// Grows the hull to point `p`: the faces it sees go, their rim is joined to it.
    fn insert(&mut self, p: u32) -> bool {
        let point = self.points[p as usize].d;
        if self.has_near(p) {
            return false;
        }
        let Some(seen) = self.first_seen(point) else { return false };
        self.mark += 1;
        self.horizon.clear();
        self.stack.clear();
        self.stack.push(seen);
        self.faces[seen as usize].mark = self.mark;
        while let Some(f) = self.stack.pop() {
            self.faces[f as usize].alive = false;
            self.gone.push(f);
            let Face { corners, neighbours, .. } = self.faces[f as usize];
            for i in 0..3 {
                let g = neighbours[i];
                if self.faces[g as usize].mark == self.mark {
                    continue;
                }
                if self.sees(g, point) {
                    self.faces[g as usize].mark = self.mark;
                    self.stack.push(g);
                } else {
                    self.horizon.push(Edge {
                        from: corners[(i + 1) % 3],
                        to: corners[(i + 2) % 3],
                        stays: g,
                    });
                }
            }
        }
        self.free.append(&mut self.gone);
        self.close(p);
        true
    }

    /// Joins the rim to point `p`. The rim is one closed loop, so each edge starts where one other ends.
    fn close(&mut self, p: u32) {
        let rim = std::mem::take(&mut self.horizon);
        self.stack.clear();
        for edge in &rim {
            let f = self.add_face([edge.from, edge.to, p]);
            self.stack.push(f);
            self.faces[f as usize].neighbours[2] = edge.stays;
            let stays = &mut self.faces[edge.stays as usize];
            if let Some(i) = (0..3)
                .find(|&i| stays.corners[(i + 1) % 3] == edge.to && stays.corners[(i + 2) % 3] == edge.from)
            {
                stays.neighbours[i] = f;
            }
        }
        for (i, edge) in rim.iter().enumerate() {
            let next = rim.iter().position(|e| e.from == edge.to).unwrap_or(i);
            let (f, g) = (self.stack[i], self.stack[next]);
            self.faces[f as usize].neighbours[0] = g;
            self.faces[g as usize].neighbours[1] = f;
        }
        self.horizon = rim;
    }
}

/// The point of some triangles nearest to the origin.
fn nearest_of<'s>(triangles: impl Iterator<Item = [&'s Sample; 3]>) -> Option<PointPair> {
    let mut best: Option<(f64, PointPair)> = None;
    for [x, y, z] in triangles {
        let [u, v, w] = closest_on_triangle(x.d, y.d, z.d);
        let witness =
            PointPair { x_a: x.x_a * u + y.x_a * v + z.x_a * w, x_b: x.x_b * u + y.x_b * v + z.x_b * w };
        let distance = witness.difference().length();
        if best.is_none_or(|(d, _)| distance < d) {
            best = Some((distance, witness));
        }
    }
    best.map(|(_, witness)| witness)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn hull_of(points: &[DVec3]) -> Hull {
        let mut hull = Hull::default();
        for &d in points {
            hull.remember(&Sample { d, x_b: d, ..Sample::default() });
        }
        assert!(hull.build());
        hull
    }

    /// Every edge belongs to two faces that name each other, and no point lies outside.
    fn check(hull: &Hull) {
        let alive: Vec<_> = (0..hull.faces.len()).filter(|&f| hull.faces[f].alive).collect();
        for &f in &alive {
            for i in 0..3 {
                let face = &hull.faces[f];
                let other = &hull.faces[face.neighbours[i] as usize];
                let (from, to) = (face.corners[(i + 1) % 3], face.corners[(i + 2) % 3]);
                let back =
                    (0..3).find(|&k| other.corners[(k + 1) % 3] == to && other.corners[(k + 2) % 3] == from);
                assert!(other.alive && back.is_some_and(|k| other.neighbours[k] as usize == f));
            }
            assert!(hull.points.iter().all(|p| !hull.sees(f as u32, p.d)));
        }
        let corners: std::collections::BTreeSet<_> =
            alive.iter().flat_map(|&f| hull.faces[f].corners).collect();
        assert_eq!(alive.len(), 2 * corners.len() - 4, "Euler");
    }

    #[test]
    fn octahedron_holds_a_ball_of_one_over_root_three() {
        let mut hull =
            hull_of(&[DVec3::X, DVec3::Y, DVec3::Z, -DVec3::X, -DVec3::Y, -DVec3::Z, DVec3::splat(0.1)]);
        check(&hull);
        assert!((hull.worst().unwrap().bound + 1.0 / 3.0_f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn nearest_point_from_outside() {
        let cube =
            [0.0, 1.0].map(|x| [0.0, 1.0].map(|y| [2.0, 3.0].map(|z| DVec3::new(x - 0.3, y - 0.4, z))));
        let mut hull = hull_of(&cube.as_flattened().concat());
        check(&hull);
        assert!((hull.worst().unwrap().bound - 2.0).abs() < 1e-14);
        assert!((hull.nearest(0.0).unwrap().difference() - DVec3::new(0.0, 0.0, 2.0)).length() < 1e-14);
    }

    #[test]
    fn points_in_a_plane_have_no_hull() {
        let mut hull = Hull::default();
        for d in [DVec3::X, DVec3::Y, -DVec3::X, -DVec3::Y, DVec3::new(0.5, 0.5, 1e-60)] {
            hull.remember(&Sample { d, ..Sample::default() });
        }
        assert!(!hull.build());
    }

    proptest! {
        /// On a coarse grid most sets have coplanar, collinear and coincident points.
        #[test]
        fn hulls_of_grid_points_are_closed(points in prop::collection::vec((0..4i8, 0..4i8, 0..4i8), 8..40)) {
            let mut hull = Hull::default();
            for (x, y, z) in points {
                let d = DVec3::new(f64::from(x), f64::from(y), f64::from(z)) * 0.1;
                hull.remember(&Sample { d, ..Sample::default() });
            }
            if hull.build() {
                check(&hull);
            }
        }
    }
}
