//! Two polytopes: the certified method that [`auto`](super::auto) uses for them.
//!
//! **Idea.** The unknowns are pairs of vertices, which are the vertices of the Minkowski difference D. Apart, GJK
//! walks over them to the ones that carry the nearest point ([`descent`]); overlapping, a closed surface of them grows
//! about the origin until the nearest of its triangles lies on the surface of D ([`expansion`]). Both end when no
//! vertex lies beyond the plane found, to rounding: then the plane's distance is the lower bound, the nearest point or
//! the surface the upper one, and they agree.
//!
//! **Memory.** The pairs of vertices of the last answer are material: wherever the bodies move, they stay points of D.
//! Apart, they are features of the bodies (a vertex and a face, two edges …), whose neighbours prove that they are still
//! right or show where to continue ([`features`]); where that leads nowhere, they are the simplex to start from. Overlapping, the
//! last surface is a closed surface still, and its triangles bound the moved overlap without any search. Where bodies part and
//! meet again, the one follows from the other: the nearest triangle says which features part, and the surface waits for the
//! bodies to meet. Keep one [`WarmStart`] for each pair.
//!
//! **Source.** Gritstone; Gilbert, Johnson and Keerthi 1988, van den Bergen 2001 for the two walks,
//! Lin and Canny 1991 for that over features.
//!
//! **Notation.** As in [`pair`](super::pair), but vectors are in the axes of a. w: the vertex of D found last. u: the
//! direction that is looked along, of any length.
//!
//! **Fails when** rounding hides which vertices carry the answer (needles, nearly parallel edges); then the general method
//! takes over.
//!
//! **Cost.** Evaluations: cold 4 to 7 apart, 5 to 9 overlapping; warm 1 in nine of ten pairs, 2 to 6 short steps where the
//! nearest point jumps between nearly parallel faces.

mod descent;
mod expansion;
mod features;
mod flat;
mod minkowski_difference;
mod warm_start;

use glam::DVec3;
use gritstone_core::lanes::{Backend, Kernel, Lanes};
use gritstone_core::{Contact, Space};

use self::descent::{Arrival, Descent, Outcome};
pub(crate) use self::expansion::Expansion;
use self::features::{Features, Kind, Step};
pub use self::minkowski_difference::Posed;
use self::minkowski_difference::{MinkowskiDifference, Scene};
pub use self::warm_start::WarmStart;
use super::Memory;
use super::auto::certify;
use super::method::Scratch;
use super::pair::Pair;
use crate::{Answer, Goal, Query, Verdict};

/// Weights of a mean of vertices may be below zero by this: it is no more than rounding.
const BESIDE: f64 = 1e-12;

/// Solves two polyhedra from what is kept of their last answer, and keeps what the next one needs.
#[inline]
pub fn solve(
    a: &Posed<'_>,
    b: &Posed<'_>,
    query: Query<Space>,
    kept: &mut WarmStart,
    scratch: &mut Scratch,
) -> Answer<Space> {
    Backend::for_scalars().run(Task(Search { a, b, query: &query, kept, scratch }))
}

/// One pair. It uses no lanes, but gains from the instruction set that comes with them.
struct Task<'t, 's>(Search<'t, 's>);

impl Kernel for Task<'_, '_> {
    type Output = Answer<Space>;

    /// Mostly the features of the last answer are still nearest: that is looked at first and by itself, so that the code of
    /// all else costs it neither registers nor memory.
    #[inline(always)]
    fn run<L: Lanes>(self) -> Answer<Space> {
        let Self(rest) = self;
        let here = rest.kept.features(rest.a.shape.polytope(), rest.b.shape.polytope());
        if here.kind == Kind::Unknown {
            return L::call(rest);
        }
        let scene = Scene::new(rest.a, rest.b);
        let step = features::step(&scene, here);
        if step.next == here {
            return Found::apart(&scene, &step).answer();
        }
        if step.next.kind == Kind::Unknown {
            return L::call(rest);
        }
        L::call(Walk { scene, next: step.next, rest })
    }
}

/// A pair whose features have changed.
struct Walk<'t, 's> {
    scene: Scene<'s>,
    /// What to try next.
    next: Features,
    /// What is done where the walk does not end soon.
    rest: Search<'t, 's>,
}

impl Kernel for Walk<'_, '_> {
    type Output = Answer<Space>;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Answer<Space> {
        let Self { scene, next, rest } = self;
        let step = features::follow::<L>(&scene, next);
        if step.next.kind != Kind::Unknown {
            rest.kept.keep_features([scene.a, scene.b], step.next);
            return Found::apart(&scene, &step).answer();
        }
        L::call(rest)
    }
}

/// A pair, and what is done where its features are not known.
struct Search<'t, 's> {
    a: &'t Posed<'s>,
    b: &'t Posed<'s>,
    query: &'t Query<Space>,
    kept: &'t mut WarmStart,
    scratch: &'t mut Scratch,
}

impl Kernel for Search<'_, '_> {
    type Output = Answer<Space>;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Answer<Space> {
        let Self { a, b, query, kept, scratch } = self;
        let scene = Scene::new(a, b);
        let difference = &MinkowskiDifference::new(&scene);
        let overlapped = kept.overlapped();
        if kept.is_surface()
            && let Some(found) = scratch.expansion.resume(difference, kept)
        {
            return found.answer();
        }
        // Bodies that part do so where they touched.
        let here = if overlapped { kept.features(scene.a, scene.b) } else { Features::LOST };
        let step = features::follow::<L>(&scene, here);
        if step.next.kind != Kind::Unknown {
            kept.keep_features([scene.a, scene.b], step.next);
            return Found::apart(&scene, &step).answer();
        }
        match find(difference, query, kept, &mut scratch.expansion) {
            Some(found) => found.answer(),
            None => general(a, b, *query, scratch),
        }
    }
}

/// By the general method.
#[cold]
fn general(a: &Posed<'_>, b: &Posed<'_>, query: Query<Space>, scratch: &mut Scratch) -> Answer<Space> {
    let pair = Pair::new(a.shape, &a.pose, b.shape, &b.pose);
    certify(&pair, query, &mut Memory::default(), scratch)
}

/// What was found, in the world. Small parts in place of an answer, which would be copied on its way.
pub(crate) struct Found {
    /// Whether it is a separating plane only, which was all that was wanted.
    detected: bool,
    normal: DVec3,
    gap: f64,
    point_a: DVec3,
    curvature: [f64; 2],
    lower: f64,
    upper: f64,
    tolerance: f64,
    evaluations: u32,
}

impl Found {
    /// Features that are apart.
    #[inline(always)]
    fn apart(scene: &Scene<'_>, step: &Step) -> Self {
        Self {
            detected: false,
            normal: step.c,
            gap: step.gap,
            point_a: scene.origin + step.point_a,
            curvature: [f64::INFINITY; 2],
            lower: step.gap - step.stray,
            upper: step.gap,
            tolerance: scene.tolerance,
            evaluations: step.steps,
        }
    }

    /// As an answer.
    #[inline(always)]
    pub(crate) fn answer(&self) -> Answer<Space> {
        let Self { normal, gap, point_a, curvature, lower, upper, tolerance, evaluations, .. } = *self;
        let verdict = if self.detected {
            Verdict::Apart { at_least: lower, along: normal }
        } else {
            Verdict::Solved(Contact { point_a, point_b: point_a + normal * gap, normal, gap, curvature })
        };
        Answer::new(verdict, [lower, upper], tolerance, [evaluations; 2])
    }
}

/// Solves two polytopes from what is kept of their last answer; `None` where rounding prevents it.
#[inline(always)]
fn find(
    difference: &MinkowskiDifference<'_>,
    query: &Query<Space>,
    kept: &mut WarmStart,
    expansion: &mut Expansion,
) -> Option<Found> {
    let mut descent = Descent::new(difference, kept, query.start);
    let outcome = descent.run(query.goal == Goal::Detect);
    if outcome == Outcome::Overlap {
        return expansion.start(difference, descent.tetrahedron(), descent.evaluations, kept);
    }
    let Arrival { c, gap, lower, weights } = descent.arrival();
    let detected = outcome == Outcome::Apart;
    // A foot beside its triangle is no point of the Minkowski difference, and proves nothing.
    let beside = weights[0].min(weights[1]).min(weights[2]) < -BESIDE;
    if outcome == Outcome::Lost || !(detected || (gap - lower <= difference.tolerance && !beside)) {
        return None;
    }
    kept.keep_simplex(descent.corners());
    Some(Found {
        detected,
        normal: difference.to_world(c),
        gap,
        point_a: difference.point_to_world(difference.mean(descent.corners(), &weights)),
        curvature: [f64::INFINITY; 2],
        lower,
        // A separating plane ends the descent before the distance is known; centres are points of both bodies.
        upper: if detected { difference.offset.length() } else { gap },
        tolerance: difference.tolerance,
        evaluations: descent.evaluations,
    })
}
