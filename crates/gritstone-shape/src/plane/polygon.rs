//! Convex polygons.

mod hull;

use std::sync::Arc;

use glam::DVec2;
use gritstone_core::linalg::Sym2;
use gritstone_core::{Mass, Outline, Plane};

use crate::{Body, Implicit, Jet, ShapeError, Support, Trace, points};

/// Figures thinner than this fraction of their extent count as flat.
const FLAT: f64 = 1e-10;
/// Vertices belong to one line if they deviate from it by no more than this many units in the last place of the given
/// coordinates, which are rounded themselves.
const ROUNDING: f64 = 64.0 * f64::EPSILON;
/// More vertices than this are searched by the angles of their edges.
const SCANNED: usize = 24;

/// A convex polygon about its centre of mass. Copies share their data.
#[derive(Clone, Debug, PartialEq)]
pub struct Polygon(Arc<Data>);

#[derive(Debug, PartialEq)]
struct Data {
    vertices: Vec<DVec2>,
    edges: Vec<Edge>,
    mass: Mass<Plane>,
    size: f64,
    half_extents: DVec2,
}

/// An edge lies on the line `normal·x = offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// Outward unit normal.
    pub normal: DVec2,
    /// Distance of the line from the polygon's origin.
    pub offset: f64,
    /// Grows with the angle of the normal.
    turn: f64,
}

impl Polygon {
    /// The convex hull of `points`, moved so that its centre of mass is its origin; and where that was among the points.
    /// Points that are no corners are left out.
    pub fn hull(points: &[DVec2]) -> Result<(Self, DVec2), ShapeError> {
        points::check(points.iter().map(DVec2::to_array), 3)?;
        let low = points.iter().copied().fold(DVec2::INFINITY, DVec2::min);
        let high = points.iter().copied().fold(DVec2::NEG_INFINITY, DVec2::max);
        let (centre, extent) = (0.5 * (low + high), (high - low).max_element());
        ShapeError::check_length("vertices' extent", extent)?;
        // A power of two: the hull is built at unit scale, and scaling back loses nothing.
        let scale = libm::exp2(libm::log2(extent).ceil());
        let unit: Vec<DVec2> = points.iter().map(|&p| (p - centre) / scale).collect();
        let rounding = ROUNDING * (1.0 + low.abs().max(high.abs()).max_element() / scale);
        let corners = hull::corners(unit, rounding);
        let mass = mass(&corners);
        // Without any area its centroid is no number, and the comparison false.
        let encloses = corners.len() >= 3 && mass.volume > FLAT.max(16.0 * rounding);
        if !encloses {
            return Err(ShapeError::InLine);
        }
        let vertices = corners.iter().map(|&v| (v - mass.centroid) * scale).collect();
        Ok((Self::around_origin(vertices), centre + mass.centroid * scale))
    }

    fn around_origin(vertices: Vec<DVec2>) -> Self {
        // What is left of the centroid is rounding.
        let mass = Mass { centroid: DVec2::ZERO, ..mass(&vertices) };
        let edges = neighbours(&vertices).map(|(v, w)| Edge::between(v, w)).collect();
        let size = vertices.iter().map(|v| v.length()).fold(0.0, f64::max);
        let half_extents = vertices.iter().map(|v| v.abs()).fold(DVec2::ZERO, DVec2::max);
        Self(Arc::new(Data { vertices, edges, mass, size, half_extents }))
    }

    /// The vertices, counter-clockwise.
    #[inline]
    pub fn vertices(&self) -> &[DVec2] {
        &self.0.vertices
    }

    /// The edges: each from the vertex in the same place to the next one.
    #[inline]
    pub fn edges(&self) -> &[Edge] {
        &self.0.edges
    }

    /// The number of a vertex farthest along `n`.
    #[inline]
    pub fn farthest(&self, n: DVec2) -> usize {
        if self.vertices().len() <= SCANNED { self.scan(n) } else { self.search(n) }
    }

    #[inline]
    fn scan(&self, n: DVec2) -> usize {
        let (mut best, mut height) = (0, f64::NEG_INFINITY);
        for (i, v) in self.vertices().iter().enumerate() {
            let here = n.dot(*v);
            if here > height {
                (best, height) = (i, here);
            }
        }
        best
    }

    /// The vertex between the two edges whose normals enclose `n`; edges are in the order of their normals' angles, from
    /// −180° on.
    fn search(&self, n: DVec2) -> usize {
        let (vertices, count) = (self.vertices(), self.vertices().len());
        let turn = turn(n);
        let mut here = self.edges().partition_point(|edge| edge.turn < turn) % count;
        // Angles are rounded: a neighbour may be a little farther.
        loop {
            let next = [(here + 1) % count, (here + count - 1) % count]
                .into_iter()
                .find(|&i| n.dot(vertices[i]) > n.dot(vertices[here]));
            match next {
                Some(i) => here = i,
                None => return here,
            }
        }
    }

    /// The gauge and the edge that decides it: the scaled polygon on which `x` lies has it there.
    fn outermost(&self, x: DVec2) -> (f64, DVec2) {
        let mut outermost = (f64::NEG_INFINITY, DVec2::Y);
        for edge in self.edges() {
            let gauge = edge.normal.dot(x) / edge.offset;
            if gauge > outermost.0 {
                outermost = (gauge, edge.normal / edge.offset);
            }
        }
        outermost
    }
}

impl Edge {
    fn between(v: DVec2, w: DVec2) -> Self {
        let normal = -(w - v).normalize_or_zero().perp();
        Self { normal, offset: 0.5 * (normal.dot(v) + normal.dot(w)), turn: turn(normal) }
    }
}

/// Every vertex with the next one.
fn neighbours(vertices: &[DVec2]) -> impl Iterator<Item = (DVec2, DVec2)> {
    vertices.iter().copied().zip(vertices.iter().copied().cycle().skip(1))
}

/// A number between −2 and 2 that grows with the angle of `n` from −180° to 180°.
fn turn(n: DVec2) -> f64 {
    let along = n.x / (n.x.abs() + n.y.abs());
    if n.y < 0.0 { along - 1.0 } else { 1.0 - along }
}

/// Mass properties for density one: exact integrals over the triangles between the origin and each edge. Over the
/// triangle with corners 0, v, w and twice its area `k = v × w`: `∫ 1 = k/2`, `∫ x = k(v+w)/6`,
/// `∫ x xᵀ = k(s sᵀ + v vᵀ + w wᵀ)/24`, s = v + w.
fn mass(vertices: &[DVec2]) -> Mass<Plane> {
    let (mut area, mut first, mut second) = (0.0, DVec2::ZERO, Sym2::default());
    for (v, w) in neighbours(vertices) {
        let (k, s) = (v.perp_dot(w), v + w);
        area += k / 2.0;
        first += s * (k / 6.0);
        for x in [s, v, w] {
            second = second + Sym2::outer(x, k / 24.0);
        }
    }
    let centroid = first / area;
    Mass { volume: area, centroid, second_moments: second + Sym2::outer(centroid, -area) }
}

impl Support<Plane> for Polygon {
    #[inline]
    fn support(&self, n: DVec2) -> DVec2 {
        self.vertices()[self.farthest(n)]
    }

    /// Vertices have no extent: the Hessian is zero.
    #[inline]
    fn jet(&self, n: DVec2) -> Jet<Plane> {
        Jet { point: self.support(n), hessian: Sym2::default() }
    }

    #[inline]
    fn size(&self) -> f64 {
        self.0.size
    }

    fn implicit(&self) -> Option<&dyn Implicit<Plane>> {
        Some(self)
    }
}

/// F is the gauge: the largest of `normal·x/offset` over all edges.
impl Implicit<Plane> for Polygon {
    fn inside_outside(&self, x: DVec2) -> f64 {
        self.outermost(x).0
    }

    fn gradient(&self, x: DVec2) -> DVec2 {
        self.outermost(x).1
    }

    fn curvature(&self, _: DVec2) -> Sym2 {
        Sym2::default()
    }

    fn gauge(&self, x: DVec2) -> f64 {
        self.outermost(x).0
    }

    fn gauge_with_gradient(&self, x: DVec2) -> (f64, DVec2) {
        self.outermost(x)
    }

    fn gauge_jet(&self, x: DVec2) -> (f64, DVec2, Sym2) {
        let (gauge, gradient) = self.outermost(x);
        (gauge, gradient, Sym2::default())
    }

    fn normal(&self, x: DVec2) -> DVec2 {
        super::unit::unit(self.outermost(x).1)
    }
}

impl Body<Plane> for Polygon {
    fn mass(&self) -> Mass<Plane> {
        self.0.mass
    }

    fn half_extents(&self) -> DVec2 {
        self.0.half_extents
    }
}

impl Trace for Polygon {
    /// Every edge with its own normal, whatever the detail.
    fn outline(&self, _: u32) -> Outline {
        let positions = neighbours(self.vertices()).flat_map(|(v, w)| [v, w]).collect();
        let normals = self.edges().iter().flat_map(|edge| [edge.normal; 2]).collect();
        Outline { positions, normals }
    }
}
