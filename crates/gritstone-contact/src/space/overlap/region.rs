//! A convex polytope that is cut by planes.
//!
//! Whether a vertex is cut off is decided once for all faces that meet there, and an edge is cut at one point for both of its
//! faces: the surface is closed after every cut, also where planes are flush with faces. A plane that cuts off no more than rounding cuts
//! nothing: planes of both bodies that are flush would leave slivers whose corners are nowhere.

use glam::DVec3;

/// Whose surface a face is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// Body a.
    A,
    /// Body b.
    B,
}

/// What is cut off counts from this height on, relative to the distance of the region's farthest corner from the origin.
const ROUNDING: f64 = 1e-14;

/// Numbers from this one on are those of the sides of the box that is cut: nothing of them is left at the end.
const SIDES: u32 = 1 << 31;

/// The half-space `normal · x ≤ offset`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    pub(super) normal: DVec3,
    pub(super) offset: f64,
    pub(super) owner: Owner,
    /// The number of the body's face.
    pub(super) face: u32,
}

impl Plane {
    /// How far a point lies beyond it.
    #[inline(always)]
    fn height(&self, x: DVec3) -> f64 {
        self.normal.dot(x) - self.offset
    }
}

/// The point that three planes have in common; not finite where there is none.
#[inline(always)]
pub(super) fn crossing([a, b, c]: [&Plane; 3]) -> DVec3 {
    let bc = b.normal.cross(c.normal);
    (bc * a.offset + (c.normal * b.offset - b.normal * c.offset).cross(a.normal)) / a.normal.dot(bc)
}

/// A box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    low: DVec3,
    high: DVec3,
}

impl Bounds {
    pub(super) fn nothing() -> Self {
        Self { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY }
    }

    pub(super) fn everything() -> Self {
        Self { low: DVec3::NEG_INFINITY, high: DVec3::INFINITY }
    }

    #[inline(always)]
    pub(super) fn add(&mut self, x: DVec3) {
        (self.low, self.high) = (self.low.min(x), self.high.max(x));
    }

    pub(super) fn and(&self, other: &Self) -> Self {
        Self { low: self.low.max(other.low), high: self.high.min(other.high) }
    }

    /// What is not farther than `level` along z times `side`.
    pub(super) fn and_level(mut self, side: f64, level: f64) -> Self {
        if side > 0.0 {
            self.high.z = self.high.z.min(level);
        } else {
            self.low.z = self.low.z.max(-level);
        }
        self
    }

    /// Wider by a part of its extents on every side.
    pub(super) fn widened(&self, part: f64) -> Self {
        let more = (self.high - self.low) * part;
        Self { low: self.low - more, high: self.high + more }
    }

    pub(super) fn is_finite(&self) -> bool {
        self.low.is_finite() && self.high.is_finite()
    }

    pub(super) fn has_volume(&self) -> bool {
        self.low.cmplt(self.high).all()
    }

    fn contains(&self, x: DVec3) -> bool {
        x.cmpge(self.low).all() && x.cmple(self.high).all()
    }

    /// The largest height over a plane of points in it.
    #[inline(always)]
    pub(super) fn highest(&self, plane: &Plane) -> f64 {
        let (low, high) = (plane.normal * self.low, plane.normal * self.high);
        low.max(high).element_sum() - plane.offset
    }

    /// The least height over a plane of points in it.
    #[inline(always)]
    pub(super) fn lowest(&self, plane: &Plane) -> f64 {
        let (low, high) = (plane.normal * self.low, plane.normal * self.high);
        low.min(high).element_sum() - plane.offset
    }
}

/// A face: its corners are a range of a common list, counter-clockwise seen from outside.
#[derive(Clone, Copy, Debug)]
struct Face {
    start: u32,
    end: u32,
    /// The number of its plane.
    plane: u32,
}

/// Where an edge is cut: from the corner that is kept to that which is cut off.
#[derive(Clone, Copy, Debug)]
struct Cut {
    ends: [u32; 2],
    /// The number of the new corner.
    at: u32,
    /// The new corner that follows around the new face.
    next: u32,
}

/// A convex polytope.
#[derive(Clone, Debug, Default)]
pub(super) struct Region {
    points: Vec<DVec3>,
    /// The three planes in which each point lies.
    triples: Vec<[u32; 3]>,
    faces: Vec<Face>,
    corners: Vec<u32>,
    /// Heights that are rounding.
    rounding: f64,
    heights: Vec<f64>,
    cuts: Vec<Cut>,
    new_faces: Vec<Face>,
    new_corners: Vec<u32>,
}

/// The corners of a box's faces; a corner's number has the bits x, y, z.
const BOX: [[u32; 4]; 6] =
    [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];

/// The corners of a tetrahedron's faces, each opposite to the corner with the face's number, if that has its first three
/// corners counter-clockwise seen from the fourth.
const TETRAHEDRON: [[u32; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];

impl Region {
    /// Becomes a box.
    pub(super) fn set_box(&mut self, bounds: &Bounds) {
        self.clear();
        let ends = [bounds.low, bounds.high];
        self.rounding = ROUNDING * bounds.low.abs().max(bounds.high.abs()).max_element();
        let corner = |i: usize| DVec3::new(ends[i & 1].x, ends[i >> 1 & 1].y, ends[i >> 2].z);
        self.points.extend((0..8).map(corner));
        // Nobody asks for the planes of these points: they are cut off, or there is no region.
        self.triples.resize(8, [SIDES; 3]);
        for (plane, corners) in (SIDES..).zip(&BOX) {
            self.add_face(corners, plane);
        }
    }

    /// Becomes the tetrahedron between four planes, if they have one between them and it lies in the box.
    pub(super) fn set_tetrahedron(&mut self, planes: &[Plane], bounds: &Bounds) -> bool {
        if planes.len() != 4 {
            return false;
        }
        self.clear();
        for (i, triple) in [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]].into_iter().enumerate() {
            let x = crossing(triple.map(|k| &planes[k as usize]));
            if !(planes[i].height(x) < 0.0 && bounds.contains(x)) {
                return false;
            }
            self.points.push(x);
            self.triples.push(triple);
        }
        let [x, y, z, w] = [0, 1, 2, 3].map(|i| self.points[i]);
        let turned = (y - x).cross(z - x).dot(w - x) < 0.0;
        for (plane, [a, b, c]) in (0..).zip(TETRAHEDRON) {
            self.add_face(&if turned { [a, c, b] } else { [a, b, c] }, plane);
        }
        true
    }

    /// Cuts off what is beyond a plane, which has this number.
    pub(super) fn cut(&mut self, number: u32, plane: &Plane) {
        self.heights.clear();
        self.heights.extend(self.points.iter().map(|&x| plane.height(x)));
        let beyond = |i: &u32| self.heights[*i as usize] > self.rounding;
        if !self.corners.iter().any(beyond) {
            return;
        }
        self.cuts.clear();
        self.new_faces.clear();
        self.new_corners.clear();
        for face in 0..self.faces.len() {
            self.cut_face(face, number);
        }
        self.close(number);
        std::mem::swap(&mut self.faces, &mut self.new_faces);
        std::mem::swap(&mut self.corners, &mut self.new_corners);
    }

    /// Adds what is left of a face, and links the new corners that it has.
    fn cut_face(&mut self, face: usize, cutter: u32) {
        let Face { start, end, plane } = self.faces[face];
        let count = (end - start) as usize;
        let at = |region: &Self, i: usize| region.corners[start as usize + i % count];
        let kept = |region: &Self, i: usize| region.heights[at(region, i) as usize] <= region.rounding;
        let Some(first) = (0..count).find(|&i| kept(self, i)) else { return };
        let new_start = self.new_corners.len() as u32;
        let mut left: Option<usize> = None;
        for i in first..first + count {
            let (from, to) = (at(self, i), at(self, i + 1));
            match (kept(self, i), kept(self, i + 1)) {
                (true, true) => self.new_corners.push(from),
                (true, false) => {
                    let cut = self.cut_edge([from, to], [plane, cutter]);
                    self.new_corners.extend([from, self.cuts[cut].at]);
                    left = Some(cut);
                }
                (false, true) => {
                    let cut = self.cut_edge([to, from], [plane, cutter]);
                    self.new_corners.push(self.cuts[cut].at);
                    if let Some(left) = left.take() {
                        // The new face runs the other way.
                        self.cuts[cut].next = left as u32;
                    }
                }
                (false, false) => {}
            }
        }
        self.new_faces.push(Face { start: new_start, end: self.new_corners.len() as u32, plane });
    }

    /// The place at which an edge of a face is cut, in the list of all.
    fn cut_edge(&mut self, [kept, off]: [u32; 2], [plane, cutter]: [u32; 2]) -> usize {
        if let Some(known) = self.cuts.iter().position(|cut| cut.ends == [kept, off]) {
            // Its other face has been here.
            self.triples[self.cuts[known].at as usize][1] = plane;
            return known;
        }
        let [p, q] = [kept, off].map(|i| self.points[i as usize]);
        let [here, there] = [kept, off].map(|i| self.heights[i as usize]);
        let here = here.min(0.0);
        let new = self.points.len() as u32;
        self.points.push(p + (q - p) * (here / (here - there)));
        self.triples.push([plane, plane, cutter]);
        self.cuts.push(Cut { ends: [kept, off], at: new, next: u32::MAX });
        self.cuts.len() - 1
    }

    /// Closes the surface with faces in the plane.
    fn close(&mut self, plane: u32) {
        for first in 0..self.cuts.len() {
            let start = self.new_corners.len();
            let mut at = first;
            while let Some(cut) = self.cuts.get_mut(at).filter(|cut| cut.next != u32::MAX) {
                self.new_corners.push(cut.at);
                at = std::mem::replace(&mut cut.next, u32::MAX) as usize;
            }
            if self.new_corners.len() >= start + 3 {
                let (start, end) = (start as u32, self.new_corners.len() as u32);
                self.new_faces.push(Face { start, end, plane });
            } else {
                self.new_corners.truncate(start);
            }
        }
    }

    /// The number of the plane of each face, and the face's corners among the points.
    pub(super) fn faces(&self) -> impl Iterator<Item = (u32, &[u32])> {
        self.faces.iter().map(|face| (face.plane, &self.corners[face.start as usize..face.end as usize]))
    }

    /// A corner.
    pub(super) fn point(&self, corner: u32) -> DVec3 {
        self.points[corner as usize]
    }

    /// The three planes in which a corner lies.
    pub(super) fn triple(&self, corner: u32) -> [u32; 3] {
        self.triples[corner as usize]
    }

    fn clear(&mut self) {
        self.points.clear();
        self.triples.clear();
        self.faces.clear();
        self.corners.clear();
    }

    fn add_face(&mut self, corners: &[u32], plane: u32) {
        let start = self.corners.len() as u32;
        self.corners.extend_from_slice(corners);
        self.faces.push(Face { start, end: self.corners.len() as u32, plane });
    }
}
