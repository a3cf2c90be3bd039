//! Apart: the vertex and face, or the two edges, that were nearest last time, and the walk to those that are now.
//!
//! **Idea.** Whether features are nearest shows without a simplex: a vertex that lies between the fences of a face, and is
//! lower over it than its neighbours; two edges whose common normal has all neighbours behind it, and whose lines are nearest
//! within both. Where that fails, it fails at a neighbour, which is the next to be tried: so a small motion takes few steps,
//! even between nearly parallel faces, where it moves the nearest point far. What is found is proven by the same tests; where
//! the walk does not end soon, the simplex takes over.
//!
//! **Source.** Lin and Canny 1991, for the walk; between faces it is the dual simplex method on heights over a face.
//!
//! **Notation.** As in [`polytope_pair`](super). A face lies on one body, the *floor*; the vertex on the other.

use glam::{DMat3, DVec3};
use gritstone_core::lanes::{Kernel, Lanes};
use gritstone_shape::space::{Fence, Polytope};
use serde::{Deserialize, Serialize};

use super::minkowski_difference::{Scene, highest};

/// Steps after which the simplex takes over.
const MAX_STEPS: u32 = 8;
/// Square of the sine of the angle between edges below which their common normal is left to the simplex.
const PARALLEL: f64 = 1e-6;

/// Features that carry the nearest points. Flat, in place of variants with contents, which would be moved through memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Features {
    pub(super) kind: Kind,
    /// Of a: a vertex, a face, or the ends of an edge.
    pub(super) a: [u32; 2],
    /// Of b.
    pub(super) b: [u32; 2],
}

/// What features are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Kind {
    /// Others, or it is not known.
    #[default]
    Unknown,
    /// A face of a and a vertex of b.
    FaceVertex,
    /// A vertex of a and a face of b.
    VertexFace,
    /// Edges of both.
    Edges,
    /// Vertices of both.
    Vertices,
    /// An edge of a and a vertex of b.
    EdgeVertex,
    /// A vertex of a and an edge of b.
    VertexEdge,
}

impl Features {
    pub(super) const LOST: Self = Self { kind: Kind::Unknown, a: [0; 2], b: [0; 2] };

    #[inline(always)]
    pub(super) fn face_vertex(face: u32, vertex: u32) -> Self {
        Self { kind: Kind::FaceVertex, a: [face; 2], b: [vertex; 2] }
    }

    #[inline(always)]
    pub(super) fn vertex_face(vertex: u32, face: u32) -> Self {
        Self { kind: Kind::VertexFace, a: [vertex; 2], b: [face; 2] }
    }

    #[inline(always)]
    pub(super) fn edges(a: [u32; 2], b: [u32; 2]) -> Self {
        Self { kind: Kind::Edges, a, b }
    }

    #[inline(always)]
    pub(super) fn vertices(a: u32, b: u32) -> Self {
        Self { kind: Kind::Vertices, a: [a; 2], b: [b; 2] }
    }

    #[inline(always)]
    pub(super) fn edge_vertex(a: [u32; 2], b: u32) -> Self {
        Self { kind: Kind::EdgeVertex, a, b: [b; 2] }
    }

    #[inline(always)]
    pub(super) fn vertex_edge(a: u32, b: [u32; 2]) -> Self {
        Self { kind: Kind::VertexEdge, a: [a; 2], b }
    }
}

/// What was found, in the axes of the world about the centre of a, or where to continue.
#[derive(Clone, Copy)]
pub(super) struct Step {
    /// Where these are not the features that are looked at, the ones to try next.
    pub(super) next: Features,
    /// Unit normal.
    pub(super) c: DVec3,
    pub(super) gap: f64,
    pub(super) point_a: DVec3,
    /// How far the bodies may reach beyond the vertices.
    pub(super) stray: f64,
    pub(super) steps: u32,
}

impl Step {
    #[inline(always)]
    fn on(next: Features) -> Self {
        Self { next, c: DVec3::ZERO, gap: 0.0, point_a: DVec3::ZERO, stray: 0.0, steps: 0 }
    }
}

/// Walks from `next`, the second features that are tried, to those that are nearest now. `Features::LOST` where the walk does
/// not end soon, or the bodies overlap.
#[inline(always)]
pub(super) fn follow<L: Lanes>(scene: &Scene<'_>, next: Features) -> Step {
    let mut here = next;
    for steps in 2..=MAX_STEPS {
        if here.kind == Kind::Unknown {
            break;
        }
        let step = L::call(Trial { scene, here });
        if step.next == here {
            return Step { steps, ..step };
        }
        here = step.next;
    }
    Step::on(Features::LOST)
}

/// One step, as a function of its own: in a loop, what all features may need would be prepared before the first.
struct Trial<'t, 's> {
    scene: &'t Scene<'s>,
    here: Features,
}

impl Kernel for Trial<'_, '_> {
    type Output = Step;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Step {
        step(self.scene, self.here)
    }
}

/// Whether these features, which are known, are nearest, else what to try next.
#[inline(always)]
pub(super) fn step(scene: &Scene<'_>, here: Features) -> Step {
    match here.kind {
        Kind::FaceVertex => Floor::of_a(scene).step(scene, here.a[0], here.b[0]),
        Kind::VertexFace => Floor::of_b(scene).step(scene, here.b[0], here.a[0]),
        Kind::Edges => cross(scene, here),
        _ => point(scene, here),
    }
}

/// Two bodies, one of which has the face that is looked at.
struct Floor<'s> {
    floor: &'s Polytope,
    other: &'s Polytope,
    /// Axes of the floor and of the other.
    frame: &'s DMat3,
    other_frame: &'s DMat3,
    /// Centre of the other, seen from that of the floor.
    offset: DVec3,
    is_b: bool,
}

impl<'s> Floor<'s> {
    #[inline(always)]
    fn of_a(scene: &'s Scene<'_>) -> Self {
        let Scene { a, b, frame_a, frame_b, offset, .. } = scene;
        Self { floor: a, other: b, frame: frame_a, other_frame: frame_b, offset: *offset, is_b: false }
    }

    #[inline(always)]
    fn of_b(scene: &'s Scene<'_>) -> Self {
        let Scene { a, b, frame_a, frame_b, offset, .. } = scene;
        Self { floor: b, other: a, frame: frame_b, other_frame: frame_a, offset: -*offset, is_b: true }
    }

    /// A vertex over a face: whether they are nearest, else what to try next.
    #[inline(always)]
    fn step(&self, scene: &Scene<'_>, face: u32, vertex: u32) -> Step {
        let plane = self.floor.face(face);
        let normal = *self.frame * plane.normal;
        let down = back(self.other_frame, -normal);
        let above = highest(self.other.rays(vertex), down);
        if above > scene.level {
            let lowest = which(self.other.rays(vertex), down, above);
            return Step::on(self.features(face, self.other.neighbours(vertex)[lowest]));
        }
        let arm = *self.other_frame * self.other.vertex(vertex);
        let x = arm + self.offset;
        let gap = normal.dot(x) - plane.offset;
        if gap <= scene.tight() {
            return Step::on(Features::LOST);
        }
        let seen = back(self.frame, x);
        let beyond = outermost(self.floor.fences(face), seen);
        if beyond <= scene.level {
            let stray = self.other.stray() * above.max(0.0);
            let (c, point_a) = if self.is_b { (-normal, arm) } else { (normal, x - normal * gap) };
            return Step { next: self.features(face, vertex), c, gap, point_a, stray, steps: 1 };
        }
        let side = which_fence(self.floor.fences(face), seen, beyond);
        self.leave(face, vertex, side, down)
    }

    /// The vertex lies beyond a side of the face: that side, and the edge of the other body that rises least on its way in.
    #[inline(always)]
    fn leave(&self, face: u32, vertex: u32, side: usize, down: DVec3) -> Step {
        let corners = self.floor.corners(face);
        let ends = [corners[side], corners[if side + 1 == corners.len() { 0 } else { side + 1 }]];
        let inward = back(self.other_frame, *self.frame * -self.floor.fences(face)[side].outward);
        match flattest(self.other, vertex, down, inward) {
            Some(to) if self.is_b => Step::on(Features::edges([vertex, to], ends)),
            Some(to) => Step::on(Features::edges(ends, [vertex, to])),
            None => Step::on(Features::LOST),
        }
    }

    #[inline(always)]
    fn features(&self, face: u32, vertex: u32) -> Features {
        if self.is_b { Features::vertex_face(vertex, face) } else { Features::face_vertex(face, vertex) }
    }
}

/// Two edges: whether they are nearest, else what to try next.
#[inline(always)]
fn cross(scene: &Scene<'_>, here: Features) -> Step {
    let Features { a, b, .. } = here;
    let [p, q] = ends(scene, a[0], b[0]);
    let e = scene.frame_a * (scene.a.vertex(a[1]) - scene.a.vertex(a[0]));
    let f = scene.frame_b * (scene.b.vertex(b[1]) - scene.b.vertex(b[0]));
    let (d, n) = (q - p, e.cross(f));
    let square = n.length_squared();
    if square <= PARALLEL * e.length_squared() * f.length_squared() {
        return Step::on(Features::LOST);
    }
    let height = n.dot(d);
    let along = n * 1.0_f64.copysign(height);
    // Where the lines are nearest, as parts of the edges, times `square`.
    let (s, t) = (d.cross(f).dot(n), d.cross(e).dot(n));
    let (up, down) = (back(&scene.frame_a, along), back(&scene.frame_b, -along));
    let [above_a, above_b] = [highest(scene.a.rays(a[0]), up), highest(scene.b.rays(b[0]), down)];
    let inverse = square.sqrt().recip();
    let level = scene.level * (square * inverse);
    let gap = height.abs() * inverse;
    if gap <= scene.tight() {
        return Step::on(Features::LOST);
    }
    if above_a > level {
        let Some(face) = facing(scene.a, a, up) else { return Step::on(Features::LOST) };
        return Step::on(Features::face_vertex(face, b[usize::from(t > 0.5 * square)]));
    }
    if above_b > level {
        let Some(face) = facing(scene.b, b, down) else { return Step::on(Features::LOST) };
        return Step::on(Features::vertex_face(a[usize::from(s > 0.5 * square)], face));
    }
    if s < 0.0 || s > square {
        let Some(face) = facing(scene.b, b, down) else { return Step::on(Features::LOST) };
        return Step::on(Features::vertex_face(a[usize::from(s > 0.0)], face));
    }
    if t < 0.0 || t > square {
        let Some(face) = facing(scene.a, a, up) else { return Step::on(Features::LOST) };
        return Step::on(Features::face_vertex(face, b[usize::from(t > 0.0)]));
    }
    let stray = stray(scene, above_a, above_b) * inverse;
    let point_a = p + e * (s * inverse * inverse);
    Step { next: here, c: along * inverse, gap, point_a, stray, steps: 1 }
}

/// A vertex, and a vertex or an edge: whether they are nearest, else what to try next.
#[inline(always)]
fn point(scene: &Scene<'_>, here: Features) -> Step {
    let Features { kind, a, b } = here;
    let [p, q] = ends(scene, a[0], b[0]);
    let d = q - p;
    // The edge: moving along it takes this from d. Both ends of a vertex are the same.
    let e = scene.frame_a * (scene.a.vertex(a[1]) - scene.a.vertex(a[0]))
        - scene.frame_b * (scene.b.vertex(b[1]) - scene.b.vertex(b[0]));
    let (along, square) = (d.dot(e), e.length_squared());
    if kind != Kind::Vertices && (along < 0.0 || along > square) {
        let end = usize::from(along > 0.0);
        return Step::on(Features::vertices(a[end], b[end]));
    }
    let part = if kind == Kind::Vertices { 0.0 } else { along / square };
    let w = d - e * part;
    let (up, down) = (back(&scene.frame_a, w), back(&scene.frame_b, -w));
    let [above_a, above_b] = [highest(scene.a.rays(a[0]), up), highest(scene.b.rays(b[0]), down)];
    let gap = w.length();
    let level = scene.level * gap;
    if gap <= scene.tight() {
        return Step::on(Features::LOST);
    }
    if above_a > level {
        let to = [a[0], scene.a.neighbours(a[0])[which(scene.a.rays(a[0]), up, above_a)]];
        return Step::on(match kind {
            Kind::Vertices => Features::edge_vertex(to, b[0]),
            Kind::VertexEdge => Features::edges(to, b),
            _ => facing(scene.a, a, up).map_or(Features::LOST, |face| Features::face_vertex(face, b[0])),
        });
    }
    if above_b > level {
        let to = [b[0], scene.b.neighbours(b[0])[which(scene.b.rays(b[0]), down, above_b)]];
        return Step::on(match kind {
            Kind::Vertices => Features::vertex_edge(a[0], to),
            Kind::EdgeVertex => Features::edges(a, to),
            _ => facing(scene.b, b, down).map_or(Features::LOST, |face| Features::vertex_face(a[0], face)),
        });
    }
    let inverse = gap.recip();
    let point_a = if kind == Kind::EdgeVertex { p + e * part } else { p };
    Step {
        next: here,
        c: w * inverse,
        gap,
        point_a,
        stray: stray(scene, above_a, above_b) * inverse,
        steps: 1,
    }
}

/// Where two vertices are.
#[inline(always)]
fn ends(scene: &Scene<'_>, a: u32, b: u32) -> [DVec3; 2] {
    [scene.frame_a * scene.a.vertex(a), scene.frame_b * scene.b.vertex(b) + scene.offset]
}

/// A vector of the world in the axes of a frame.
#[inline(always)]
fn back(frame: &DMat3, v: DVec3) -> DVec3 {
    DVec3::new(frame.x_axis.dot(v), frame.y_axis.dot(v), frame.z_axis.dot(v))
}

/// How far bodies may reach beyond vertices whose neighbours lie `above` them.
#[inline(always)]
fn stray(scene: &Scene<'_>, above_a: f64, above_b: f64) -> f64 {
    scene.a.stray() * above_a.max(0.0) + scene.b.stray() * above_b.max(0.0)
}

/// Which of these vectors reaches as high along `n` as the highest. Asked by itself, since it is seldom wanted.
#[inline(always)]
fn which(rays: &[DVec3], n: DVec3, highest: f64) -> usize {
    // A loop in place of `position`, which would not be compiled for the instruction set.
    for (i, ray) in rays.iter().enumerate() {
        if n.dot(*ray) >= highest {
            return i;
        }
    }
    0
}

/// Beyond which of these fences a point lies as far as beyond the outermost.
#[inline(always)]
fn which_fence(fences: &[Fence], x: DVec3, outermost: f64) -> usize {
    for (i, fence) in fences.iter().enumerate() {
        if fence.height(x) >= outermost {
            return i;
        }
    }
    0
}

/// How far a point lies beyond these fences.
#[inline(always)]
fn outermost(fences: &[Fence], x: DVec3) -> f64 {
    let mut beyond = f64::NEG_INFINITY;
    for fence in fences {
        let height = fence.height(x);
        beyond = if height > beyond { height } else { beyond };
    }
    beyond
}

/// The neighbour of a vertex to which the way rises least against `down` for its way `inward`; `None` where none leads
/// inward.
#[inline(always)]
fn flattest(polytope: &Polytope, vertex: u32, down: DVec3, inward: DVec3) -> Option<u32> {
    let mut best = None;
    let (mut least, mut way) = (f64::INFINITY, 1.0);
    for (ray, &neighbour) in polytope.rays(vertex).iter().zip(polytope.neighbours(vertex)) {
        let (rise, inside) = (-down.dot(*ray), inward.dot(*ray));
        if inside > 0.0 && rise * way < least * inside {
            (best, least, way) = (Some(neighbour), rise, inside);
        }
    }
    best
}

/// Of the two faces beside an edge, the one that looks more along `n`; `None` where the vertices are no neighbours.
#[inline(always)]
fn facing(polytope: &Polytope, [from, to]: [u32; 2], n: DVec3) -> Option<u32> {
    let place = polytope.neighbours(from).iter().position(|&v| v == to)?;
    let sectors = polytope.sectors(from);
    let (left, right) = (sectors[place], sectors[if place == 0 { sectors.len() } else { place } - 1]);
    let along = |face: u32| polytope.face(face).normal.dot(n);
    Some(if along(left) >= along(right) { left } else { right })
}
