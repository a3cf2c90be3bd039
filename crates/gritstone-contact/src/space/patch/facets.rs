//! Surfaces seen along a normal, as facets.

use std::ops::Range;

use glam::{DMat3, DVec2, DVec3};
use gritstone_shape::Support;
use gritstone_shape::space::{Polytope, Solid};

use super::super::method::Placed;
use super::View;

/// Directions around the normal in which a smooth body is sampled.
const AROUND: usize = 12;
/// Rings of samples, as fractions of the way to the rim of the overlap.
const RINGS: [f64; 4] = [0.7, 0.84, 0.93, 1.0];
/// Steps in the search for the tilt at the rim, and their damping: depth grows with a power of the tilt between 1 and 2.
const RIM_STEPS: usize = 6;
const RIM_POWER: f64 = 0.7;
/// Largest tilt (rad), and the tilt that the search starts from.
const WIDEST: f64 = 0.5;
const FIRST: f64 = 1e-3;
/// Half the edge of the square that stands for a half-space, over the other body's size; its diameter is twice its size.
const WIDE: f64 = 4.0;
/// Faces turned away from the normal by more than this cosine are seen edge on and have no area.
const EDGE_ON: f64 = 1e-9;
/// Triangles with less area than this fraction of their side's square have no slope that could be relied on.
const SLIVER: f64 = 1e-8;

/// The facets of one body that can take part in the contact.
#[derive(Clone, Debug, Default)]
pub(super) struct Facets {
    corners: Vec<DVec2>,
    /// The line of the side that ends at each corner.
    lines: Vec<Line>,
    planes: Vec<Plane>,
    /// Vertices of a polytope as they are seen.
    points: Vec<DVec3>,
}

#[derive(Clone, Debug)]
struct Plane {
    corners: Range<usize>,
    bounds: Bounds,
    height: f64,
    slope: DVec2,
}

/// A rectangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    low: DVec2,
    high: DVec2,
}

impl Bounds {
    /// What two rectangles that overlap have in common.
    #[inline(always)]
    pub(super) fn and(&self, other: &Self) -> Self {
        Self { low: self.low.max(other.low), high: self.high.min(other.high) }
    }

    /// Its area.
    #[inline(always)]
    pub(super) fn area(&self) -> f64 {
        (self.high - self.low).element_product()
    }

    /// The least and the largest height of a line over it.
    #[inline(always)]
    pub(super) fn heights(&self, line: &Line) -> [f64; 2] {
        let (p, q) = (line.normal * self.low, line.normal * self.high);
        let (low, high) = (p.min(q), p.max(q));
        [low.x + low.y + line.offset, high.x + high.y + line.offset]
    }
}

/// A line, from which points within a facet have positive heights.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    normal: DVec2,
    offset: f64,
}

impl Line {
    /// How far a point lies to the left, times the length of the normal.
    #[inline(always)]
    pub(super) fn height(&self, x: DVec2) -> f64 {
        self.normal.dot(x) + self.offset
    }
}

/// A convex piece of surface: corners in the tangent plane, counter-clockwise, and a plane over them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facet<'f> {
    pub(super) corners: &'f [DVec2],
    /// The lines of its sides.
    pub(super) lines: &'f [Line],
    plane: &'f Plane,
}

impl Facet<'_> {
    /// Height along the normal over the point `x` of the tangent plane.
    pub(super) fn height(&self, x: DVec2) -> f64 {
        self.plane.height + self.plane.slope.dot(x)
    }

    /// What it lies within.
    #[inline(always)]
    pub(super) fn bounds(&self) -> Bounds {
        self.plane.bounds
    }

    /// How far it lies above another facet: the height over the line where they cross.
    #[inline(always)]
    pub(super) fn above(&self, other: &Self) -> Line {
        let (p, q) = (self.plane, other.plane);
        Line { normal: p.slope - q.slope, offset: p.height - q.height }
    }

    /// Whether the bounds of two facets overlap.
    pub(super) fn meets(&self, other: &Self) -> bool {
        let (p, q) = (&self.plane.bounds, &other.plane.bounds);
        p.low.cmplt(q.high).all() && q.low.cmplt(p.high).all()
    }
}

impl Facets {
    pub(super) fn iter(&self) -> impl Iterator<Item = Facet<'_>> {
        self.planes.iter().map(|plane| Facet {
            corners: &self.corners[plane.corners.clone()],
            lines: &self.lines[plane.corners.clone()],
            plane,
        })
    }

    /// Finds the facets of a body on the side towards the other: `side` is 1 for a, −1 for b. `size` is the smaller
    /// body's, which bounds what counts of a half-space.
    pub(super) fn fill(&mut self, body: Placed<'_>, view: &View, side: f64, size: f64) {
        self.corners.clear();
        self.lines.clear();
        self.planes.clear();
        let frame = body.pose.frame();
        let centre = body.pose.position - view.origin;
        match (body.shape.polytope(), body.shape) {
            (Some(polytope), _) => self.add_faces(polytope, &frame, centre, view, side),
            (None, Solid::HalfSpace(shape)) => {
                let normal = frame * shape.normal();
                self.add_square(normal, centre + normal * shape.offset(), WIDE * size, view);
            }
            (None, _) => self.add_rings(body, &frame, centre, view, side),
        }
    }

    /// The plane through `point`, as far as the other body can reach.
    fn add_square(&mut self, normal: DVec3, point: DVec3, half: f64, view: &View) {
        let start = self.corners.len();
        self.corners.extend([(-half, -half), (half, -half), (half, half), (-half, half)].map(DVec2::from));
        let slope = -view.tangent.project(normal) / normal.dot(view.normal);
        self.add_plane(start, view.normal.dot(point) - slope.dot(view.tangent.project(point)), slope);
    }

    fn add_faces(&mut self, polytope: &Polytope, frame: &DMat3, centre: DVec3, view: &View, side: f64) {
        // Seen along the normal: across it, and along it towards the other body.
        let across = DMat3::from_cols(view.tangent.u, view.tangent.v, view.normal * side).transpose();
        let (turned, shift) = (across * *frame, across * centre);
        self.points.clear();
        self.points.extend(polytope.vertices().iter().map(|&v| turned * v + shift));
        if polytope.faces().len() > 64 {
            for index in 0..polytope.faces().len() as u32 {
                self.add_face(polytope, index, &turned, view, side);
            }
            return;
        }
        // Faces that reach the other body have a vertex that does. One bit for each.
        let mut reaching = 0_u64;
        for (vertex, point) in self.points.iter().enumerate() {
            if point.z >= -view.reach {
                for face in polytope.sectors(vertex as u32) {
                    reaching |= 1 << face;
                }
            }
        }
        while reaching != 0 {
            self.add_face(polytope, reaching.trailing_zeros(), &turned, view, side);
            reaching &= reaching - 1;
        }
    }

    /// Adds a face that reaches the other body, where it does.
    fn add_face(&mut self, polytope: &Polytope, index: u32, turned: &DMat3, view: &View, side: f64) {
        let normal = *turned * polytope.face(index).normal;
        let corners = polytope.corners(index);
        let (Some(&last), true) = (corners.last(), normal.z >= EDGE_ON) else { return };
        let start = self.corners.len();
        self.corners.resize(start + 2 * corners.len() + 1, DVec2::ZERO);
        let (mut from, mut count) = (self.points[last as usize], start);
        for &corner in corners {
            // What lies lower than the other body reaches is cut off. As in `polygon::clip`, without branches.
            let to = self.points[corner as usize];
            let (above_from, above_to) = (from.z + view.reach, to.z + view.reach);
            let part = above_from / (above_from - above_to);
            self.corners[count] = from.truncate() + (to - from).truncate() * part;
            count += usize::from((above_from >= 0.0) != (above_to >= 0.0));
            self.corners[count] = to.truncate();
            count += usize::from(above_to >= 0.0);
            from = to;
        }
        self.corners.truncate(count);
        // Seen from outside the corners run counter-clockwise; b's faces are seen from behind.
        if side < 0.0 {
            self.corners[start..].reverse();
        }
        let slope = -normal.truncate() / normal.z;
        let height = from.z - slope.dot(from.truncate());
        self.add_plane(start, side * height, slope * side);
    }

    /// Rings of support points, from the middle to where the surface has fallen by the depth of the overlap. The directions
    /// are tied to the body's axes, so that the facets move with it.
    fn add_rings(&mut self, body: Placed<'_>, frame: &DMat3, centre: DVec3, view: &View, side: f64) {
        let outward = view.normal * side;
        let point = |direction: DVec3| *frame * body.shape.support(frame.transpose() * direction) + centre;
        let [u, v] = axes_across(frame, view.normal);
        let around: [DVec3; AROUND] = std::array::from_fn(|k| {
            let (sin, cos) = (std::f64::consts::TAU * (k as f64 + 0.5) / AROUND as f64).sin_cos();
            u * cos + v * sin
        });
        let top = outward.dot(point(outward));
        let fall = |tilt: f64| {
            let lowest = |k: usize| outward.dot(point((outward + around[k] * tilt).normalize()));
            top - 0.25 * (0..4).map(|i| lowest(i * AROUND / 4)).sum::<f64>()
        };
        let mut rim = FIRST;
        for _ in 0..RIM_STEPS {
            let ratio = 2.0 * view.reach / fall(rim).max(f64::MIN_POSITIVE);
            rim = (rim * ratio.powf(RIM_POWER)).clamp(f64::EPSILON, WIDEST);
        }
        // How the way along the surface grows with the tilt, to place the rings.
        let way = |tilt: f64| {
            let x = |k: usize| point((outward + around[k] * tilt).normalize());
            (x(0) - x(AROUND / 2)).length()
        };
        let power = 2.0_f64.ln() / (way(rim) / way(0.5 * rim)).ln();
        let power = if power.is_finite() { power.clamp(1.0, 40.0) } else { 1.0 };
        let rings = RINGS.map(|part| {
            let tilt = rim * part.powf(power);
            around.map(|lean| point((outward + lean * tilt).normalize()))
        });
        let middle = rings[0].iter().sum::<DVec3>() / AROUND as f64;
        let middle = middle + outward * (top - outward.dot(middle));
        for k in 0..AROUND {
            let l = (k + 1) % AROUND;
            self.add_triangle([middle, rings[0][k], rings[0][l]], view);
            for (inner, outer) in rings.iter().zip(&rings[1..]) {
                self.add_triangle([inner[k], outer[k], outer[l]], view);
                self.add_triangle([inner[k], outer[l], inner[l]], view);
            }
        }
    }

    fn add_triangle(&mut self, corners: [DVec3; 3], view: &View) {
        let start = self.corners.len();
        let flat = corners.map(|x| view.tangent.project(x));
        let heights = corners.map(|x| view.normal.dot(x));
        let (e, f) = (flat[1] - flat[0], flat[2] - flat[0]);
        let area = e.perp_dot(f);
        if area <= SLIVER * e.length_squared().max(f.length_squared()) {
            return; // Where rings coincide nothing is left between them but rounding.
        }
        let (rise_e, rise_f) = (heights[1] - heights[0], heights[2] - heights[0]);
        let slope = DVec2::new(rise_e * f.y - rise_f * e.y, rise_f * e.x - rise_e * f.x) / area;
        self.corners.extend(flat);
        self.add_plane(start, heights[0] - slope.dot(flat[0]), slope);
    }

    fn add_plane(&mut self, start: usize, height: f64, slope: DVec2) {
        let corners = &self.corners[start..];
        let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        let mut from = corners.last().copied().unwrap_or_default();
        for &to in corners {
            (low, high) = (low.min(to), high.max(to));
            let normal = (to - from).perp();
            self.lines.push(Line { normal, offset: -normal.dot(from) });
            from = to;
        }
        self.planes.push(Plane {
            corners: start..self.corners.len(),
            bounds: Bounds { low, high },
            height,
            slope,
        });
    }
}

/// Two unit vectors across `normal`, right-handed with it, tied to the body axis after the one that is most nearly along it.
fn axes_across(frame: &DMat3, normal: DVec3) -> [DVec3; 2] {
    let along = (frame.transpose() * normal).abs();
    let next = if along.x >= along.max_element() {
        frame.y_axis
    } else if along.y >= along.max_element() {
        frame.z_axis
    } else {
        frame.x_axis
    };
    let u = (next - normal * normal.dot(next)).normalize();
    [u, normal.cross(u)]
}
