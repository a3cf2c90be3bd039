//! Ascent of g where it has creases.
//!
//! **Idea.** The support points of bodies with faces, edges or straight sides jump, and g, the smallest of several smooth
//! functions, has a crease wherever they do: its maxima lie there. Each evaluation shows one smooth piece, with value,
//! slope and curvature. A handful of pieces is kept, and the next direction is where the smallest of their second-order
//! models is largest: the top of one, the highest point of the crease between two, or the corner where three meet, each
//! found by Newton's method. In the end the pieces that meet are weighted so that their slopes cancel: the weighted point
//! of the Minkowski difference lies straight above the origin, and closes the bounds of bodies that are apart.
//!
//! **Source.** Gritstone; a bundle method with second-order models (Lukšan and Vlček 1998) in two unknowns.
//!
//! **Notation.** As in [`pair`](super::pair). A piece, evaluated at c_i, has the model
//! `d_i·c − ½ (c − c_i)ᵀ M_i (c − c_i)`, where `M_i = H_a + H_b` in world axes; its first term is an upper bound of g.
//!
//! **Fails when** a surface is nearly flat without being so: its curvature changes within the step. Then the hull of all
//! points decides, as it does wherever this ascent ends without an answer.
//!
//! **Cost.** 6 to 12 evaluations.

use glam::{DMat3, DVec2, DVec3};
use gritstone_core::Space;
use gritstone_core::linalg::{Sym2, Sym3, Tangent};
use gritstone_core::solve::trust_region;
use gritstone_shape::Support;

use super::ascent::{Ascent, Limits};
use super::pair::{Pair, PairJet, Sample};
use super::surface::closest_on_triangle;

/// Pieces that are kept.
const PIECES: usize = 5;
/// Radius of the first disc (rad).
const FIRST_RADIUS: f64 = 0.5;
/// Radius of the largest disc (rad).
const LARGEST_RADIUS: f64 = 1.5;
/// Newton steps on models, which cost no evaluation.
const TUNING: usize = 3;
/// An evaluation belongs to a piece that foretells all but this much of where its point moved.
const SAME: f64 = 0.1;
/// Tilt (rad) at which a piece is seen from the crease: more than rounding, and too little to move its point.
const SEEN_FROM: f64 = 1e-11;
/// Slopes cancel when what is left of them is below this, relative to the smaller body's size.
const CANCELLED: f64 = 1e-10;
/// Pieces meet when their heights differ by less than this, relative to the smaller body's size.
const LEVEL: f64 = 1e-11;
/// Newton steps where all gain drowns in rounding.
const POLISHING: usize = 4;
/// Longest of these steps (rad).
const SHORT: f64 = 1e-4;
/// Evaluations that complete the pieces that meet: corners of a face.
const MEETING: usize = 10;

/// A smooth piece of g, as it was seen at one direction.
#[derive(Clone, Copy, Debug)]
struct Piece {
    sample: Sample,
    /// `H_a + H_b` in world axes.
    second: Sym3,
}

impl Piece {
    fn of(jet: &PairJet) -> Self {
        let (h, Tangent { u, v }) = (jet.h_a + jet.h_b, jet.tangent);
        let mixed = Sym3::outer(u + v, 0.5 * h.xy) + Sym3::outer(u - v, -0.5 * h.xy);
        Self { sample: jet.sample, second: Sym3::outer(u, h.xx) + Sym3::outer(v, h.yy) + mixed }
    }

    /// The point of the Minkowski difference that the model expects at `c`: its slope.
    fn slope(&self, c: DVec3) -> DVec3 {
        self.sample.d - self.second * (c - self.sample.c)
    }

    fn value(&self, c: DVec3) -> f64 {
        let turn = c - self.sample.c;
        self.sample.d.dot(c) - 0.5 * turn.dot(self.second * turn)
    }

    /// Whether the model expects what was found elsewhere.
    fn expects(&self, found: &Sample) -> bool {
        let moved = (found.d - self.sample.d).length();
        (self.slope(found.c) - found.d).length() <= SAME * moved
    }
}

/// Climbs from the unit direction `start` to a local maximum of g. Every evaluation is shown to `visit`.
pub(crate) fn climb<A, B>(
    pair: &Pair<'_, A, B>,
    start: DVec3,
    limits: Limits,
    mut visit: impl FnMut(&Sample),
) -> Ascent
where
    A: Support<Space> + ?Sized,
    B: Support<Space> + ?Sized,
{
    let noise = 4.0 * pair.rounding();
    let mut evaluate = |c: DVec3| {
        let jet = pair.jet(c);
        visit(&jet.sample);
        jet
    };
    let mut best = evaluate(start);
    let mut bundle = Bundle::new(Piece::of(&best));
    let (mut radius, mut iterations, mut rejected) = (FIRST_RADIUS, 0, 0);
    let mut settled: Option<Settled> = None;
    while iterations < limits.iterations && !(limits.detect && best.sample.g > 0.0) {
        iterations += 1;
        bundle.admit(&best.sample, noise);
        let (c, expected) = bundle.summit(best.sample.c, radius, best.sample.g + noise);
        let gain = expected - best.sample.g;
        if gain <= noise {
            // No more is expected: either this is the maximum, or the models reach too far.
            let end = settled.get_or_insert_with(|| {
                bundle.settle(pair.size, best, &mut evaluate).polish(noise, &mut evaluate)
            });
            radius *= 0.1;
            if end.converged || radius < SEEN_FROM {
                break;
            }
            continue;
        }
        let step = c.distance(best.sample.c);
        let trial = evaluate(c);
        if trial.sample.g > best.sample.g {
            if step > 0.9 * radius && trial.sample.g - best.sample.g > 0.5 * gain {
                radius = (3.0 * radius).min(LARGEST_RADIUS);
            }
            best = trial;
            settled = None;
            rejected = 0;
        } else {
            // A new piece improves the models as it is; if that does not help, they reach too far.
            rejected += 1;
            radius = if rejected > 2 { 0.3 * step } else { step };
        }
        bundle.add(Piece::of(&trial), best.sample.c);
    }
    let Settled { jet, converged, .. } =
        settled.unwrap_or_else(|| bundle.settle(pair.size, best, &mut evaluate));
    Ascent { jet, converged, creased: true, iterations }
}

/// The pieces that are known, the newest last.
#[derive(Clone, Copy, Debug)]
struct Bundle {
    pieces: [Piece; PIECES],
    count: usize,
}

impl Bundle {
    fn new(first: Piece) -> Self {
        Self { pieces: [first; PIECES], count: 1 }
    }

    fn known(&self) -> &[Piece] {
        &self.pieces[..self.count]
    }

    /// Where a model lies below what was found at `best`, it reaches too far; its first term is right everywhere.
    fn admit(&mut self, best: &Sample, noise: f64) {
        for piece in &mut self.pieces[..self.count] {
            if piece.value(best.c) < best.g - noise {
                piece.second = Sym3::default();
            }
        }
    }

    /// Adds a piece. What was seen of the same piece before goes, but for what was seen at the best direction `c`; if there
    /// are still too many, the one that lies highest there.
    fn add(&mut self, new: Piece, c: DVec3) {
        let mut kept = 0;
        for i in 0..self.count {
            let seen = &self.pieces[i].sample;
            if seen.c == c || !new.expects(seen) {
                self.pieces[kept] = self.pieces[i];
                kept += 1;
            }
        }
        if kept == PIECES {
            let height = |i: &usize| self.pieces[*i].value(c);
            let highest = (0..kept).max_by(|i, j| height(i).total_cmp(&height(j))).unwrap_or(0);
            self.pieces.copy_within(highest + 1.., highest);
            kept -= 1;
        }
        self.pieces[kept] = new;
        self.count = kept + 1;
    }

    /// The direction within `radius` of `c` where the smallest model is largest, and its value there. The newest piece has
    /// cut off what was highest before, so summits that it has a part in come first, and the others only where those are
    /// below `enough`.
    fn summit(&self, c: DVec3, radius: f64, enough: f64) -> (DVec3, f64) {
        let newest = self.count - 1;
        let mut best = (c, f64::NEG_INFINITY);
        for first in (0..=newest).rev() {
            self.offer(&[first], c, radius, &mut best);
            for i in 0..first {
                self.offer(&[first, i], c, radius, &mut best);
                for j in 0..i {
                    self.offer(&[first, i, j], c, radius, &mut best);
                }
            }
            if best.1 > enough {
                break;
            }
        }
        best
    }

    /// Takes the summit of some of the pieces if it lies higher than `best`.
    fn offer(&self, subset: &[usize], c: DVec3, radius: f64, best: &mut (DVec3, f64)) {
        if let Some(summit) = self.tune(subset, c, radius) {
            let value = self.known().iter().map(|p| p.value(summit)).fold(f64::INFINITY, f64::min);
            if value > best.1 {
                *best = (summit, value);
            }
        }
    }

    /// The summit of some of the pieces within `radius` of `from`, by Newton's method on their models. The first step takes
    /// them as planes, which are right however far they reach: all planes that touch a cone meet in its tip.
    fn tune(&self, subset: &[usize], from: DVec3, radius: f64) -> Option<DVec3> {
        let steps = if subset.len() == 1 { 1 } else { TUNING };
        let mut c = from;
        for step in 0..steps {
            let tangent = Tangent::across(c);
            let plane = subset.len() > 1 && step == 0;
            let local = |&i: &usize| Local::of(&self.pieces[i], c, &tangent, plane);
            let s = match subset {
                [i] => {
                    let Local { slope, model, .. } = local(i);
                    Some(trust_region::step(model, slope, radius))
                }
                [i, j] => highest_on_crease(&local(i), &local(j), radius),
                [i, j, k] => corner(&local(i), &local(j), &local(k)),
                _ => None,
            }?;
            c = within(from, (c + tangent.lift(s)).normalize(), radius);
        }
        c.is_finite().then_some(c)
    }

    /// Weights the pieces that meet at the best direction so that their slopes cancel, and looks for those that are missing.
    fn settle(&self, size: f64, best: PairJet, evaluate: &mut impl FnMut(DVec3) -> PairJet) -> Settled {
        let Sample { c, g, .. } = best.sample;
        // Seen from a point well below the plane, the nearest of the weighted points is the lowest.
        let eye = c * (g - size);
        let mut seen_towards = |slope: DVec3| {
            let lean = (slope - c * c.dot(slope)).normalize_or_zero() * SEEN_FROM;
            Piece::of(&evaluate((c + lean).normalize()))
        };
        let slopes = self.pieces.map(|piece| piece.slope(c) - eye);
        let expected = nearest(&slopes[..self.count]);
        let mean: DVec3 = expected.iter().map(|&(i, weight)| slopes[i] * weight).sum();
        let mut meeting = Meeting::new(Piece::of(&best));
        for (i, _) in expected.into_iter().filter(|(_, weight)| *weight > 0.0) {
            let fresh = self.pieces[i].sample.c.distance(c) <= SEEN_FROM;
            meeting.add(if fresh { self.pieces[i] } else { seen_towards(mean - slopes[i]) }, eye);
        }
        // The lowest point against what is left of the slopes is what cancels more of it.
        for _ in 0..MEETING {
            let rest = best.tangent.project(meeting.mean().d);
            if rest.length() <= CANCELLED * size {
                break;
            }
            let lowest = seen_towards(best.tangent.lift(rest));
            let gain = rest.dot(rest - best.tangent.project(lowest.sample.d));
            if gain <= 1e-3 * rest.length_squared() {
                break;
            }
            meeting.add(lowest, eye);
        }
        Settled::of(&best, meeting, size)
    }
}

/// A direction with the pieces that meet there.
#[derive(Clone, Copy, Debug)]
struct Settled {
    /// The points are the weighted ones.
    jet: PairJet,
    /// Whether the slopes cancel.
    converged: bool,
    meeting: Meeting,
    size: f64,
}

impl Settled {
    fn of(best: &PairJet, meeting: Meeting, size: f64) -> Self {
        let Sample { c, g, .. } = best.sample;
        let sample = Sample { c, g, ..meeting.mean() };
        let d_t = best.tangent.project(sample.d);
        let converged = d_t.length() <= CANCELLED * size && c.dot(sample.d) - g <= LEVEL * size;
        Self { jet: PairJet { sample, d_t, ..*best }, converged, meeting, size }
    }

    /// Newton's method on the pieces that meet, where all gain drowns in rounding and the slopes tell what is better.
    fn polish(mut self, noise: f64, evaluate: &mut impl FnMut(DVec3) -> PairJet) -> Self {
        for _ in 0..POLISHING {
            if self.converged {
                break;
            }
            let bundle = self.meeting.bundle();
            let Some(c) = bundle.tune(&[0, 1, 2][..bundle.count], self.jet.sample.c, SHORT) else { break };
            let trial = bundle.settle(self.size, evaluate(c), evaluate);
            let level = trial.jet.sample.g >= self.jet.sample.g - noise;
            if !(level && trial.jet.d_t.length() < 0.5 * self.jet.d_t.length()) {
                break;
            }
            self = trial;
        }
        self
    }
}

/// Points of the Minkowski difference, weighted so that their mean is nearest to an eye.
#[derive(Clone, Copy, Debug)]
struct Meeting {
    /// The pieces and their weights; the fourth is for the newest.
    weighted: [(Piece, f64); 4],
    count: usize,
}

impl Meeting {
    /// None yet; `any` is not looked at.
    fn new(any: Piece) -> Self {
        Self { weighted: [(any, 0.0); 4], count: 0 }
    }

    fn add(&mut self, piece: Piece, eye: DVec3) {
        self.weighted[self.count].0 = piece;
        let old = self.weighted;
        let points = old.map(|(piece, _)| piece.sample.d - eye);
        let used = nearest(&points[..=self.count]).into_iter().filter(|(_, weight)| *weight > 0.0);
        self.count = 0;
        for (i, weight) in used {
            self.weighted[self.count] = (old[i].0, weight);
            self.count += 1;
        }
    }

    /// The weighted points; direction and value are left to the caller.
    fn mean(&self) -> Sample {
        let mut mean = Sample::default();
        for (Piece { sample, .. }, weight) in &self.weighted[..self.count] {
            mean.x_a += sample.x_a * *weight;
            mean.x_b += sample.x_b * *weight;
        }
        mean.d = mean.x_b - mean.x_a;
        mean
    }

    fn bundle(&self) -> Bundle {
        let mut bundle = Bundle::new(self.weighted[0].0);
        bundle.count = self.count;
        for i in 1..self.count {
            bundle.pieces[i] = self.weighted[i].0;
        }
        bundle
    }
}

/// Three of the points, by number, with the weights of the point between them all that is nearest to the origin.
fn nearest(points: &[DVec3]) -> [(usize, f64); 3] {
    let mut best = (f64::INFINITY, [(0, 1.0), (0, 0.0), (0, 0.0)]);
    for i in 0..points.len() {
        for j in i..points.len() {
            for k in j..points.len() {
                let [x, y, z] = [points[i], points[j], points[k]];
                let [u, v, w] = closest_on_triangle(x, y, z);
                let distance = (x * u + y * v + z * w).length();
                if distance < best.0 {
                    best = (distance, [(i, u), (j, v), (k, w)]);
                }
            }
        }
    }
    best.1
}

/// A piece in the tangent plane at a direction.
struct Local {
    value: f64,
    slope: DVec2,
    /// Hessian of minus the model on the sphere.
    model: Sym2,
}

impl Local {
    /// The model of a piece at `c`, or its first term alone.
    fn of(piece: &Piece, c: DVec3, tangent: &Tangent, plane: bool) -> Self {
        let (value, slope) =
            if plane { (piece.sample.d.dot(c), piece.sample.d) } else { (piece.value(c), piece.slope(c)) };
        let model = tangent.restrict(&piece.second, &DMat3::IDENTITY) + Sym2::scalar(value);
        Self { value, slope: tangent.project(slope), model }
    }
}

/// The step to the highest point of the crease between two pieces.
fn highest_on_crease(p: &Local, q: &Local, radius: f64) -> Option<DVec2> {
    let across = p.slope - q.slope;
    let square = across.length_squared();
    let to_crease = across * ((q.value - p.value) / square);
    let along = across.perp() / square.sqrt();
    // Weighted so that the slope across the crease vanishes.
    let weight = (-q.slope.dot(across) / square).clamp(0.0, 1.0);
    let slope = p.slope * weight + q.slope * (1.0 - weight);
    let model = p.model * weight + q.model * (1.0 - weight);
    let (rise, bend) = (along.dot(slope - model * to_crease), model.form(along));
    let climb = if bend * radius > rise.abs() { rise / bend } else { radius.copysign(rise) };
    let s = to_crease + along * climb;
    s.is_finite().then_some(s)
}

/// The step to where three pieces are equally high.
fn corner(p: &Local, q: &Local, r: &Local) -> Option<DVec2> {
    let (e, f) = (p.slope - r.slope, q.slope - r.slope);
    let (a, b) = (r.value - p.value, r.value - q.value);
    let s = DVec2::new(a * f.y - b * e.y, b * e.x - a * f.x) / e.perp_dot(f);
    s.is_finite().then_some(s)
}

/// `c`, or the direction on the way to it that lies at `radius` from `from`.
fn within(from: DVec3, c: DVec3, radius: f64) -> DVec3 {
    let step = c - from;
    let length = step.length();
    if length <= radius { c } else { (from + step * (radius / length)).normalize() }
}
