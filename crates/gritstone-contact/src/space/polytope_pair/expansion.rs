//! Overlapping: a closed surface of vertices of the Minkowski difference that grows about the origin.
//!
//! The surface is a list of triangles and nothing else. Where a new vertex sees triangles they go, and every side that
//! is left without its counterpart is joined to the new vertex: so the surface stays closed whatever rounding does, and
//! the bound that its triangles prove ([`surface`](crate::space::surface)) needs no more than that.

use glam::DVec3;

use super::Found;
use super::flat::{self, Standing};
use super::minkowski_difference::{Corner, MinkowskiDifference};
use super::warm_start::{CORNERS, WarmStart};
use crate::space::surface::{FaceBound, closest_on_triangle, face_bound, lies_beyond};

/// Vertices that a surface can have.
const CAPACITY: usize = 250;

/// Working memory. Keep it: then growing does not allocate.
#[derive(Clone, Debug, Default)]
pub(crate) struct Expansion {
    corners: Vec<Corner>,
    faces: Vec<Face>,
    rim: Vec<[u8; 2]>,
    evaluations: u32,
}

/// A triangle whose corners run counter-clockwise seen from inside.
#[derive(Clone, Copy, Debug)]
struct Face {
    corners: [u8; 3],
    bound: FaceBound,
}

/// The best plane so far.
struct Best {
    /// Unit normal.
    c: DVec3,
    /// g(c).
    g: f64,
}

impl Expansion {
    /// Grows from a tetrahedron that holds the origin.
    pub(super) fn start(
        &mut self,
        difference: &MinkowskiDifference<'_>,
        simplex: &[Corner; 4],
        evaluations: u32,
        kept: &mut WarmStart,
    ) -> Option<Found> {
        self.corners.clear();
        self.faces.clear();
        self.evaluations = evaluations;
        self.corners.extend_from_slice(simplex);
        for [i, j, k, inside] in [[0, 1, 2, 3], [0, 1, 3, 2], [0, 2, 3, 1], [1, 2, 3, 0]] {
            let place = |i: u8| simplex[usize::from(i)].d;
            let (x, y, z, p) = (place(i), place(j), place(k), place(inside));
            let inward = (y - x).cross(z - x).dot(p - x) > 0.0;
            self.add(if inward { [i, j, k] } else { [i, k, j] });
        }
        self.grow(difference, Best { c: DVec3::ZERO, g: f64::NEG_INFINITY }, kept)
    }

    /// Looks whether the surface that is kept still proves the plane of its first triangle; grows it if not. `None` if
    /// the bodies have parted.
    #[inline(always)]
    pub(super) fn resume(
        &mut self,
        difference: &MinkowskiDifference<'_>,
        kept: &mut WarmStart,
    ) -> Option<Found> {
        if !kept.suits(difference.a, difference.b) {
            return None;
        }
        let places = kept.places(difference);
        let place = |i: u8| places[usize::from(i) % CORNERS];
        let [i, j, k] = kept.faces()[0];
        let FaceBound { upper, normal: c } = face_bound(place(i), place(j), place(k));
        let nearest = [kept.corner(i, difference), kept.corner(j, difference), kept.corner(k, difference)];
        // Vertices that are higher than their neighbours need not be searched for.
        let standing = flat::stand(difference, c, &nearest[0]);
        let (above_a, above_b) = (standing[0].above, standing[1].above);
        let holds = above_a.max(above_b) <= difference.level;
        let (w, stray) = if holds {
            (nearest[0], difference.stray(above_a, above_b))
        } else {
            (difference.support(c, &nearest[0]), 0.0)
        };
        let g = c.dot(w.d);
        let ceiling = g + difference.tight();
        // A loop in place of `all`, which would not be compiled for the instruction set.
        let mut beyond = g < 0.0 && upper <= ceiling;
        for &[i, j, k] in &kept.faces()[1..] {
            beyond = beyond && lies_beyond(place(i), place(j), place(k), -ceiling);
        }
        if beyond {
            kept.set_overlap(true);
            let best = Best { c, g };
            return Some(found(difference, &nearest, [g - stray, ceiling], &best, &standing, 1));
        }
        if g > 0.0 {
            kept.set_overlap(false);
            return None;
        }
        self.resume_slowly(difference, w, upper > ceiling, Best { c, g: g - stray }, kept)
    }

    /// Grows the surface that is kept; first to the vertex `w`, if that lies beyond its first triangle.
    #[cold]
    fn resume_slowly(
        &mut self,
        difference: &MinkowskiDifference<'_>,
        w: Corner,
        beyond: bool,
        best: Best,
        kept: &mut WarmStart,
    ) -> Option<Found> {
        if !kept.is_sound() {
            return None;
        }
        self.corners.clear();
        self.corners.extend(kept.corners(difference));
        self.faces.clear();
        kept.faces().iter().for_each(|&face| self.add(face));
        self.evaluations = 1;
        if beyond && !self.has(&w) {
            self.join(w, difference.tight());
        }
        self.grow(difference, best, kept)
    }

    fn has(&self, w: &Corner) -> bool {
        self.corners.iter().any(|c| c.is(w))
    }

    #[inline]
    fn add(&mut self, corners: [u8; 3]) {
        let [i, j, k] = corners;
        let place = |i: u8| self.corners[usize::from(i)].d;
        self.faces.push(Face { corners, bound: face_bound(place(i), place(j), place(k)) });
    }

    /// Adds vertices beyond the triangle that bounds the signed distance least, until there are none.
    fn grow(
        &mut self,
        difference: &MinkowskiDifference<'_>,
        mut best: Best,
        kept: &mut WarmStart,
    ) -> Option<Found> {
        loop {
            let worst = self.worst()?;
            let FaceBound { upper, normal: c } = worst.bound;
            // Not about the origin, the surface proves nothing, but each of its points still does.
            let upper = if upper > 0.0 { self.distance(worst.corners) } else { upper };
            if upper - best.g <= difference.tight() {
                return Some(self.finish(difference, &worst, upper, &best, kept));
            }
            let w = difference.support(c, &self.corners[usize::from(worst.corners[0])]);
            self.evaluations += 1;
            let g = c.dot(w.d);
            if g > best.g {
                best = Best { c, g };
            }
            let width = upper - best.g;
            let stuck = self.corners.len() == CAPACITY || self.has(&w);
            if width <= difference.tight() || (stuck && width <= difference.tolerance) {
                return Some(self.finish(difference, &worst, upper, &best, kept));
            }
            if best.g > 0.0 {
                kept.keep_simplex(&worst.corners.map(|i| self.corners[usize::from(i)]));
                return None;
            }
            if stuck {
                return None;
            }
            self.join(w, difference.tight());
        }
    }

    /// The triangle that bounds the signed distance least.
    #[inline(always)]
    fn worst(&self) -> Option<Face> {
        let mut worst = self.faces.first()?;
        for face in &self.faces {
            if face.bound.upper > worst.bound.upper {
                worst = face;
            }
        }
        Some(*worst)
    }

    /// How far a triangle is from the origin.
    #[cold]
    fn distance(&self, corners: [u8; 3]) -> f64 {
        let [x, y, z] = corners.map(|i| self.corners[usize::from(i)].d);
        let [u, v, w] = closest_on_triangle(x, y, z);
        (x * u + y * v + z * w).length()
    }

    /// The answer, and what is kept of it: the whole surface if it is small, else a tetrahedron.
    fn finish(
        &mut self,
        difference: &MinkowskiDifference<'_>,
        worst: &Face,
        upper: f64,
        best: &Best,
        kept: &mut WarmStart,
    ) -> Found {
        let base = self.base(worst, difference.tight());
        let corners = self.faces[base].corners.map(|i| self.corners[usize::from(i)]);
        if self.corners.len() <= CORNERS {
            self.faces.swap(0, base);
            kept.keep_surface(&self.corners, self.faces.iter().map(|face| face.corners));
        } else {
            let [x, y, z] = corners;
            let far = difference.support(-best.c, &x);
            kept.keep_tetrahedron(&[x, y, z, far]);
        }
        let standing = flat::stand(difference, best.c, &corners[0]);
        found(difference, &corners, [best.g, upper], best, &standing, self.evaluations)
    }

    /// The triangle in the plane of `worst` that lies below the origin.
    fn base(&self, worst: &Face, tight: f64) -> usize {
        let (mut base, mut room) = (0, f64::NEG_INFINITY);
        for (i, face) in self.faces.iter().enumerate() {
            if face.bound.upper >= worst.bound.upper - tight {
                let place = |i: u8| self.corners[usize::from(i)].d;
                let [u, v, w] =
                    below_origin(place(face.corners[0]), place(face.corners[1]), place(face.corners[2]));
                // How far the origin's foot lies within this triangle.
                let least = u.min(v).min(w);
                if least > room {
                    (base, room) = (i, least);
                }
            }
        }
        base
    }

    /// Joins a vertex: the triangles that it sees go, and what opens is closed from it.
    fn join(&mut self, w: Corner, tight: f64) {
        let number = self.corners.len() as u8;
        self.corners.push(w);
        self.rim.clear();
        let rim = &mut self.rim;
        self.faces.retain(|face| {
            let sees = face.bound.normal.dot(w.d) < face.bound.upper - tight;
            if sees {
                cancel(rim, face.corners);
            }
            !sees
        });
        for i in 0..self.rim.len() {
            // The other side of what went: turned round once more.
            let [to, from] = self.rim[i];
            self.add([from, to, number]);
        }
    }
}

/// What was found where this triangle is the nearest.
#[inline(always)]
fn found(
    difference: &MinkowskiDifference<'_>,
    nearest: &[Corner; 3],
    [lower, upper]: [f64; 2],
    best: &Best,
    standing: &[Standing; 2],
    evaluations: u32,
) -> Found {
    let (x_a, curvature) = match flat::lie(difference, best.c, &nearest[0], standing) {
        Some(lie) => (lie.middle, lie.curvature),
        None => {
            let weights = below_origin(nearest[0].d, nearest[1].d, nearest[2].d);
            (difference.mean(nearest, &weights), [f64::INFINITY; 2])
        }
    };
    Found {
        detected: false,
        normal: difference.to_world(best.c),
        gap: best.g,
        point_a: difference.point_to_world(x_a),
        curvature,
        lower,
        upper,
        tolerance: difference.tolerance,
        evaluations,
    }
}

/// The point of a triangle's plane nearest to the origin as a mean of the corners. It may lie beside the triangle: then the
/// triangle is part of a larger face, all of which the same mean describes (a vertex and a face, or two edges).
#[inline(always)]
pub(super) fn below_origin(x: DVec3, y: DVec3, z: DVec3) -> [f64; 3] {
    let n = (y - x).cross(z - x);
    let square = n.length_squared();
    let inverse = if square > 0.0 { square.recip() } else { return closest_on_triangle(x, y, z) };
    [y.cross(z).dot(n) * inverse, z.cross(x).dot(n) * inverse, x.cross(y).dot(n) * inverse]
}

/// Adds the sides of a triangle, turned round, to a rim; a side meets its counterpart and both go.
fn cancel(rim: &mut Vec<[u8; 2]>, [i, j, k]: [u8; 3]) {
    for [from, to] in [[i, j], [j, k], [k, i]] {
        match rim.iter().position(|&side| side == [from, to]) {
            Some(counterpart) => drop(rim.swap_remove(counterpart)),
            None => rim.push([to, from]),
        }
    }
}
