//! Surfaces seen along a normal, as facets.

use glam::{DMat3, DVec2, DVec3};
use gritstone_core::{Pose, Space};
use gritstone_shape::Support;
use gritstone_shape::space::{Polytope, Solid};

use super::super::method::Placed;
use super::View;
use super::piece::{Bounds, Line, Polygon};

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
pub(super) const EDGE_ON: f64 = 1e-9;
/// Triangles with less area than this fraction of their side's square have no slope that could be relied on.
const SLIVER: f64 = 1e-8;
/// Corners that a facet can have: one more than what is taken of a face at a time, which is cut once.
pub(super) const FACET: usize = 8;

/// The facets of one body that can take part in the contact.
#[derive(Clone, Debug, Default)]
pub(super) struct Facets {
    facets: Vec<Facet>,
    count: usize,
    /// Vertices of a polytope as they are seen, in blocks of four by coordinate.
    points: Vec<[[f64; 4]; 3]>,
    /// How its vectors are seen.
    turned: DMat3,
    /// One bit for each vertex that reaches the other body.
    tops: Vec<u64>,
    /// One bit for each face that does.
    reaching: Vec<u64>,
}

/// Vertices that reach the other body.
pub(super) enum Tops {
    None,
    One(u32),
    Two([u32; 2]),
    /// The first of three or more.
    Many(u32),
}

/// A convex piece of surface: corners in the tangent plane, counter-clockwise, and a plane over them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Facet {
    pub(super) corners: Polygon<FACET>,
    pub(super) bounds: Bounds,
    /// The height of the plane over the point x is `height + slope·x`.
    pub(super) height: f64,
    pub(super) slope: DVec2,
}

impl Facet {
    /// How far it lies above another facet: the height over the line where they cross.
    #[inline(always)]
    pub(super) fn above(&self, other: &Self) -> Line {
        Line { normal: self.slope - other.slope, offset: self.height - other.height }
    }
}

impl Facets {
    #[inline(always)]
    pub(super) fn all(&self) -> &[Facet] {
        &self.facets[..self.count]
    }

    /// Room for one more facet with this plane. Rooms are used again: only what is counted has a meaning.
    #[inline(always)]
    fn next(&mut self, height: f64, slope: DVec2) -> &mut Facet {
        if self.count == self.facets.len() {
            self.facets.push(Facet::default());
        }
        let facet = &mut self.facets[self.count];
        self.count += 1;
        (facet.height, facet.slope) = (height, slope);
        facet
    }

    /// Adds a facet with these corners.
    pub(super) fn add(&mut self, corners: &[DVec2], height: f64, slope: DVec2) {
        let facet = self.next(height, slope);
        facet.corners.set(corners);
        facet.bounds = facet.corners.bounds();
    }

    /// The vertices that reach the other body.
    #[inline(always)]
    pub(super) fn tops(&self) -> Tops {
        let mut places = ones(&self.tops);
        match [places.next(), places.next(), places.next()] {
            [None, ..] => Tops::None,
            [Some(vertex), None, _] => Tops::One(vertex),
            [Some(from), Some(to), None] => Tops::Two([from, to]),
            [Some(first), ..] => Tops::Many(first),
        }
    }

    /// A vertex as it is seen.
    #[inline(always)]
    pub(super) fn point(&self, vertex: u32) -> DVec3 {
        seen(&self.points, vertex)
    }

    /// A vector of the body as it is seen.
    #[inline(always)]
    pub(super) fn turn(&self, v: DVec3) -> DVec3 {
        self.turned * v
    }

    /// How far a vector of the body leads towards the other body.
    #[inline(always)]
    pub(super) fn towards(&self, v: DVec3) -> f64 {
        self.turned.x_axis.z * v.x + self.turned.y_axis.z * v.y + self.turned.z_axis.z * v.z
    }

    /// Finds the facets of a body on the side towards the other: `side` is 1 for a, −1 for b. `size` is the smaller
    /// body's, which bounds what counts of a half-space.
    #[inline(always)]
    pub(super) fn fill(&mut self, body: &Placed<'_>, view: &View, side: f64, size: f64) {
        self.count = 0;
        let frame = body.pose.frame();
        let centre = body.pose.position - view.origin;
        match (body.shape.polytope(), body.shape) {
            (Some(polytope), _) => self.add_faces(polytope, view, side),
            (None, Solid::HalfSpace(shape)) => {
                let normal = frame * shape.normal();
                self.add_square(normal, centre + normal * shape.offset(), WIDE * size, view);
            }
            (None, Solid::Cylinder(shape)) => self.add_cylinder(shape, &frame, centre, view, side),
            (None, _) => self.add_rings(*body, &frame, centre, view, side),
        }
    }

    /// The plane through `point`, as far as the other body can reach.
    fn add_square(&mut self, normal: DVec3, point: DVec3, half: f64, view: &View) {
        let corners = [(-half, -half), (half, -half), (half, half), (-half, half)].map(DVec2::from);
        let slope = -view.tangent.project(normal) / normal.dot(view.normal);
        let height = view.normal.dot(point) - slope.dot(view.tangent.project(point));
        self.add(&corners, height, slope);
    }

    /// Sees a polytope along the normal: across it, and along it towards the other body.
    #[inline(always)]
    pub(super) fn look(&mut self, polytope: &Polytope, pose: &Pose<Space>, view: &View, side: f64) {
        let across = DMat3::from_cols(view.tangent.u, view.tangent.v, view.normal * side).transpose();
        let (turned, shift) = (across * pose.frame(), across * (pose.position - view.origin));
        self.turned = turned;
        self.points.clear();
        self.tops.clear();
        let vertices = polytope.vertices().len();
        for (word, blocks) in polytope.blocks().chunks(16).enumerate() {
            let mut tops = 0;
            for (block, [x, y, z]) in blocks.iter().enumerate() {
                let mut seen = [[0.0; 4]; 3];
                for (row, out) in seen.iter_mut().enumerate() {
                    let [u, v, w] = [turned.x_axis[row], turned.y_axis[row], turned.z_axis[row]];
                    // One loop for each operation: that is how they become vector instructions.
                    (0..4).for_each(|i| out[i] = u * x[i]);
                    (0..4).for_each(|i| out[i] += v * y[i]);
                    (0..4).for_each(|i| out[i] += w * z[i]);
                    (0..4).for_each(|i| out[i] += shift[row]);
                }
                self.points.push(seen);
                let high = seen[2].map(|height| u64::from(height >= -view.reach));
                tops |= (high[0] | high[1] << 1 | high[2] << 2 | high[3] << 3) << (4 * block);
            }
            // The last block may have more places than there are vertices.
            let left = vertices - (64 * word).min(vertices);
            self.tops.push(if left < 64 { tops & ((1 << left) - 1) } else { tops });
        }
    }

    /// Adds the faces of the polytope that was looked at.
    #[inline(always)]
    fn add_faces(&mut self, polytope: &Polytope, view: &View, side: f64) {
        // Faces that reach the other body have a vertex that does.
        let Self { tops, reaching, .. } = self;
        reaching.clear();
        reaching.resize(polytope.faces().len().div_ceil(64), 0);
        for vertex in ones(tops) {
            for &face in polytope.sectors(vertex) {
                reaching[face as usize / 64] |= 1 << (face % 64);
            }
        }
        let turned = self.turned;
        for word in 0..self.reaching.len() {
            for face in ones(&[self.reaching[word]]) {
                self.add_face(polytope, 64 * word as u32 + face, &turned, view, side);
            }
        }
    }

    /// Adds a face that reaches the other body, where it does: large ones in parts.
    #[inline(always)]
    fn add_face(&mut self, polytope: &Polytope, index: u32, turned: &DMat3, view: &View, side: f64) {
        let normal = *turned * polytope.face(index).normal;
        if normal.z < EDGE_ON {
            return;
        }
        let corners = polytope.corners(index);
        let Some(&first) = corners.first() else { return };
        let point = seen(&self.points, first);
        let slope = -normal.truncate() / normal.z;
        let height = point.z - slope.dot(point.truncate());
        let plane = (side * height, slope * side);
        if corners.len() < FACET {
            self.cut(corners, plane, view.reach, side);
        } else {
            self.add_parts(corners, plane, view.reach, side);
        }
    }

    /// Adds a face with many corners, in parts that share the first one.
    #[cold]
    fn add_parts(&mut self, corners: &[u32], plane: (f64, DVec2), reach: f64, side: f64) {
        let mut rest = &corners[1..];
        while rest.len() >= 2 {
            let count = rest.len().min(FACET - 2);
            let mut part = [corners[0]; FACET - 1];
            part[1..=count].copy_from_slice(&rest[..count]);
            self.cut(&part[..=count], plane, reach, side);
            rest = &rest[count - 1..];
        }
    }

    /// Adds the part of a polygon that is no lower than the other body reaches.
    #[inline(always)]
    fn cut(&mut self, corners: &[u32], (height, slope): (f64, DVec2), reach: f64, side: f64) {
        let Some(&last) = corners.last() else { return };
        let points = std::mem::take(&mut self.points);
        let facet = self.next(height, slope);
        facet.corners.clear();
        let mut from = seen(&points, last);
        for &to in corners {
            let to = seen(&points, to);
            let (above_from, above_to) = (from.z + reach, to.z + reach);
            let part = above_from / (above_from - above_to);
            let crossing = from.truncate() + (to - from).truncate() * part;
            facet.corners.push_if((above_from >= 0.0) != (above_to >= 0.0), crossing);
            facet.corners.push_if(above_to >= 0.0, to.truncate());
            from = to;
        }
        // Seen from outside the corners run counter-clockwise; b's faces are seen from behind.
        if side < 0.0 {
            facet.corners.reverse();
        }
        facet.bounds = facet.corners.bounds();
        self.points = points;
    }

    /// Rings of support points, from the middle to where the surface has fallen by the depth of the overlap. The directions
    /// are tied to the body's axes, so that the facets move with it.
    fn add_rings(&mut self, body: Placed<'_>, frame: &DMat3, centre: DVec3, view: &View, side: f64) {
        let outward = view.normal * side;
        let point = |direction: DVec3| *frame * body.shape.support(frame.transpose() * direction) + centre;
        let [u, v] = axes_across(frame, view.normal);
        let around: [DVec3; AROUND] = std::array::from_fn(|k| {
            let (sin, cos) = libm::sincos(std::f64::consts::TAU * (k as f64 + 0.5) / AROUND as f64);
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
            rim = (rim * libm::pow(ratio, RIM_POWER)).clamp(f64::EPSILON, WIDEST);
        }
        // How the way along the surface grows with the tilt, to place the rings.
        let way = |tilt: f64| {
            let x = |k: usize| point((outward + around[k] * tilt).normalize());
            (x(0) - x(AROUND / 2)).length()
        };
        let power = libm::log(2.0) / libm::log(way(rim) / way(0.5 * rim));
        let power = if power.is_finite() { power.clamp(1.0, 40.0) } else { 1.0 };
        let rings = RINGS.map(|part| {
            let tilt = rim * libm::pow(part, power);
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
        let flat = corners.map(|x| view.tangent.project(x));
        let heights = corners.map(|x| view.normal.dot(x));
        let (e, f) = (flat[1] - flat[0], flat[2] - flat[0]);
        let area = e.perp_dot(f);
        if area <= SLIVER * e.length_squared().max(f.length_squared()) {
            return; // Where rings coincide nothing is left between them but rounding.
        }
        let (rise_e, rise_f) = (heights[1] - heights[0], heights[2] - heights[0]);
        let slope = DVec2::new(rise_e * f.y - rise_f * e.y, rise_f * e.x - rise_e * f.x) / area;
        self.add(&flat, heights[0] - slope.dot(flat[0]), slope);
    }
}

/// The places of ones in a row of bits.
#[inline(always)]
fn ones(words: &[u64]) -> impl Iterator<Item = u32> {
    words.iter().zip(0..).flat_map(|(&word, index)| {
        let mut left = word;
        std::iter::from_fn(move || {
            let place = left.trailing_zeros();
            left &= left.wrapping_sub(1);
            (place < 64).then_some(64 * index + place)
        })
    })
}

/// A vertex as it is seen.
#[inline(always)]
fn seen(points: &[[[f64; 4]; 3]], vertex: u32) -> DVec3 {
    let ([x, y, z], i) = (&points[vertex as usize / 4], vertex as usize % 4);
    DVec3::new(x[i], y[i], z[i])
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
