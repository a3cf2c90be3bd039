//! Overlapping: a closed surface of vertices of the Minkowski difference that grows about the origin.
//!
//! The surface is a list of triangles and nothing else. Where a new vertex sees triangles they go, and every side that
//! is left without its counterpart is joined to the new vertex: so the surface stays closed whatever rounding does, and
//! the bound that its triangles prove ([`surface`](crate::space::surface)) needs no more than that.

use glam::DVec3;

use super::Found;
use super::couple::{Corner, Couple};
use super::flat;
use super::kept::Kept;
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
        couple: &Couple<'_>,
        simplex: &[Corner; 4],
        evaluations: u32,
        kept: &mut Kept,
    ) -> Option<Found> {
        self.corners.clear();
        self.faces.clear();
        self.evaluations = evaluations;
        self.corners.extend_from_slice(simplex);
        for [i, j, k, inside] in [[0, 1, 2, 3], [0, 1, 3, 2], [0, 2, 3, 1], [1, 2, 3, 0]] {
            let [x, y, z, p] = [i, j, k, inside].map(|i: u8| simplex[usize::from(i)].d);
            let inward = (y - x).cross(z - x).dot(p - x) > 0.0;
            self.add(if inward { [i, j, k] } else { [i, k, j] });
        }
        self.grow(couple, kept)
    }

    /// Looks whether the surface that is kept still proves the plane of its first triangle; grows it if not. `None` if the
    /// bodies have parted.
    #[inline(always)]
    pub(super) fn resume(&mut self, couple: &Couple<'_>, kept: &mut Kept) -> Option<Found> {
        let corners = kept.surface(couple)?;
        let place = |i: u8| corners[usize::from(i) % corners.len()].d;
        let [i, j, k] = kept.faces()[0];
        let FaceBound { upper, normal: c } = face_bound(place(i), place(j), place(k));
        let w = couple.support(c, &corners[0]);
        let g = c.dot(w.d);
        let ceiling = g + couple.tight();
        let beyond = |&[i, j, k]: &[u8; 3]| lies_beyond(place(i), place(j), place(k), -ceiling);
        self.evaluations = 1;
        if g < 0.0 && upper <= ceiling && kept.faces()[1..].iter().all(beyond) {
            let nearest = [i, j, k].map(|i| corners[usize::from(i) % corners.len()]);
            return Some(found(couple, &nearest, ceiling, &Best { c, g }, 1));
        }
        self.corners.clear();
        self.corners.extend_from_slice(&corners[..kept.corner_count()]);
        self.faces.clear();
        kept.faces().iter().for_each(|&face| self.add(face));
        if upper > ceiling && !self.has(&w) {
            self.join(w, couple.tight());
        }
        self.grow(couple, kept)
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
    fn grow(&mut self, couple: &Couple<'_>, kept: &mut Kept) -> Option<Found> {
        let mut best = Best { c: DVec3::ZERO, g: f64::NEG_INFINITY };
        loop {
            let worst = *self.faces.iter().max_by(|f, g| f.bound.upper.total_cmp(&g.bound.upper))?;
            let FaceBound { upper, normal: c } = worst.bound;
            let w = couple.support(c, &self.corners[usize::from(worst.corners[0])]);
            self.evaluations += 1;
            let g = c.dot(w.d);
            if g > best.g {
                best = Best { c, g };
            }
            // Not about the origin, the surface proves nothing, but each of its points still does.
            let upper = if upper > 0.0 { self.distance(worst.corners) } else { upper };
            let closed = upper - best.g <= couple.tight();
            if best.g > 0.0 && !closed {
                kept.keep_simplex(&worst.corners.map(|i| self.corners[usize::from(i)]));
                return None;
            }
            let stuck = self.corners.len() == CAPACITY || self.has(&w);
            if closed || (stuck && upper - best.g <= couple.tolerance) {
                kept.keep_surface(&self.corners, self.faces.iter().map(|f| f.corners), worst.corners);
                let nearest = worst.corners.map(|i| self.corners[usize::from(i)]);
                return Some(found(couple, &nearest, upper, &best, self.evaluations));
            }
            if stuck {
                return None;
            }
            self.join(w, couple.tight());
        }
    }

    /// How far a triangle is from the origin.
    #[cold]
    fn distance(&self, corners: [u8; 3]) -> f64 {
        let [x, y, z] = corners.map(|i| self.corners[usize::from(i)].d);
        let [u, v, w] = closest_on_triangle(x, y, z);
        (x * u + y * v + z * w).length()
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
fn found(couple: &Couple<'_>, nearest: &[Corner; 3], upper: f64, best: &Best, evaluations: u32) -> Found {
    let (x_a, curvature) = match flat::lie(couple, best.c, &nearest[0]) {
        Some(lie) => (lie.middle, lie.curvature),
        None => {
            let weights = below_origin(nearest[0].d, nearest[1].d, nearest[2].d);
            (couple.mean(nearest, &weights), [f64::INFINITY; 2])
        }
    };
    Found {
        detected: false,
        normal: couple.to_world(best.c),
        gap: best.g,
        point_a: couple.point_to_world(x_a),
        curvature,
        lower: best.g,
        upper,
        tolerance: couple.tolerance,
        evaluations,
    }
}

/// The point of a triangle's plane nearest to the origin as a mean of the corners. It may lie beside the triangle: then the
/// triangle is part of a larger face, all of which the same mean describes (a vertex and a face, or two edges).
fn below_origin(x: DVec3, y: DVec3, z: DVec3) -> [f64; 3] {
    let n = (y - x).cross(z - x);
    let weights = [y.cross(z), z.cross(x), x.cross(y)].map(|m| m.dot(n) / n.length_squared());
    if weights.iter().all(|w| w.is_finite()) { weights } else { closest_on_triangle(x, y, z) }
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
