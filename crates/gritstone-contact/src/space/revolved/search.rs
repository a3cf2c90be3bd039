//! The extrema of a function of the direction around an axis.

use glam::{DVec2, DVec3};

use super::{Extremum, Reach, Window};

/// How much deeper a maximum may be than what is known between two directions: relative to the depth, and to the size of the body.
const HIDDEN: [f64; 2] = [1e-3, 1e-9];
/// Slope at which an extremum is found, relative to the size of the body.
const LEVEL: f64 = 1e-13;
/// How often the directions between two are halved.
const HALVINGS: u32 = 30;
/// Directions that are looked at between two for an extremum.
const ROUNDS: u32 = 100;

/// A direction around the axis, and what is there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) u: DVec2,
    pub(super) depth: f64,
    /// Derivative of the depth.
    pub(super) slope: f64,
    pub(super) direction: DVec3,
    /// The deepest point of the body.
    pub(super) point: DVec3,
}

impl Node {
    pub(super) fn extremum(&self, sign: f64) -> Extremum {
        Extremum { sign, depth: self.depth, direction: self.direction, point: self.point }
    }
}

/// Depth as a function of the direction.
pub(super) trait Curve {
    /// Evaluates a direction.
    fn node(&mut self, u: DVec2) -> Node;

    /// Upper bound of the depth between two directions less than half a turn apart.
    fn bound(&self, left: &Node, right: &Node) -> f64;
}

/// Evaluates a direction. Where it is level, by symmetry, it falls: on one side of it there is an extremum then, which is itself.
fn inclined(curve: &mut impl Curve, u: DVec2) -> Node {
    let node = curve.node(u);
    Node { slope: if node.slope == 0.0 { -f64::MIN_POSITIVE } else { node.slope }, ..node }
}

/// All maxima of positive depth, and the minima between them.
pub(super) fn deepest(
    curve: &mut impl Curve,
    window: Window,
    size: f64,
    found: &mut Vec<Extremum>,
) -> Reach {
    let start = found.len();
    // All around, the last direction is the first.
    let (directions, count) = match window {
        Window::Arc([first, middle, last]) => ([first, middle, last, last, last], 3),
        Window::Around(u) => ([u, u.perp(), -u, -u.perp(), u], 5),
    };
    let nodes = directions.map(|u| inclined(curve, u));
    let nodes = &nodes[..count];
    let best = nodes.iter().copied().fold(nodes[0], |a, b| if b.depth > a.depth { b } else { a });
    let reach = Reach { depth: best.depth, direction: best.direction, certified: true };
    let mut search = Search { curve, size, best, reach, found };
    for pair in nodes.windows(2) {
        search.between(&pair[0], &pair[1], HALVINGS);
    }
    let Search { best, reach, .. } = search;
    if best.depth > 0.0 && !found[start..].iter().any(|extremum| extremum.sign > 0.0) {
        found.push(best.extremum(1.0)); // As deep all around.
    }
    let signs: f64 = found[start..].iter().map(|extremum| extremum.sign).sum();
    if signs <= 0.0 {
        // All around the axis: the least minimum is a contact on the far side.
        let minima = found[start..].iter_mut().filter(|extremum| extremum.sign < 0.0);
        if let Some(least) = minima.min_by(|a, b| a.depth.total_cmp(&b.depth)) {
            least.sign = 1.0;
        }
    }
    reach
}

/// The least depth.
pub(super) fn shallowest(
    curve: &mut impl Curve,
    window: Window,
    size: f64,
    found: &mut Vec<Extremum>,
) -> Reach {
    let [first, middle, last] = match window {
        Window::Arc(arc) => arc,
        // A body as wide as that is all on one side of the axis but for a corner of it.
        Window::Around(middle) => [-middle.perp(), middle, middle.perp()],
    };
    let between = |a: DVec2, b: DVec2| (a + b).normalize();
    let nodes = [first, between(first, middle), middle, between(middle, last), last].map(|u| curve.node(u));
    let lower = |a: Node, b: Node| if b.depth < a.depth { b } else { a };
    let mut least = nodes.iter().copied().fold(nodes[0], lower);
    for pair in nodes.windows(2) {
        if pair[0].slope < 0.0 && pair[1].slope > 0.0 {
            least = lower(least, root(curve, pair[0], pair[1], size));
        }
    }
    if least.depth > 0.0 {
        found.push(least.extremum(1.0));
    }
    Reach { depth: least.depth, direction: least.direction, certified: true }
}

struct Search<'s, C> {
    curve: &'s mut C,
    size: f64,
    best: Node,
    reach: Reach,
    found: &'s mut Vec<Extremum>,
}

impl<C: Curve> Search<'_, C> {
    /// Looks between two directions.
    fn between(&mut self, left: &Node, right: &Node, halvings: u32) {
        let bound = self.curve.bound(left, right);
        if bound <= 0.0 {
            self.reach.depth = self.reach.depth.max(bound);
            return;
        }
        let rises = left.slope > 0.0 && right.slope < 0.0;
        if rises || left.slope < 0.0 && right.slope > 0.0 {
            let node = root(self.curve, *left, *right, self.size);
            self.see(&node);
            if node.depth > 0.0 {
                self.found.push(node.extremum(if rises { 1.0 } else { -1.0 }));
            }
            // It is on neither side of itself.
            let level = Node { slope: 0.0, ..node };
            self.beside(left, &level, halvings);
            self.beside(&level, right, halvings);
        } else {
            self.beside(left, right, halvings);
        }
    }

    /// Looks between two directions where no change of the slope's sign is known.
    fn beside(&mut self, left: &Node, right: &Node, halvings: u32) {
        let (bound, ends) = (self.curve.bound(left, right), left.depth.max(right.depth));
        let slack = HIDDEN[0] * self.best.depth.max(0.0) + HIDDEN[1] * self.size;
        if bound <= 0.0 || bound - ends <= slack {
            self.reach.depth = self.reach.depth.max(bound);
        } else if halvings == 0 {
            self.reach.depth = self.reach.depth.max(bound);
            self.reach.certified = false;
        } else {
            let middle = inclined(self.curve, (left.u + right.u).normalize());
            self.see(&middle);
            self.between(left, &middle, halvings - 1);
            self.between(&middle, right, halvings - 1);
        }
    }

    fn see(&mut self, node: &Node) {
        if node.depth > self.best.depth {
            self.best = *node;
            self.reach.direction = node.direction;
            self.reach.depth = self.reach.depth.max(node.depth);
        }
    }
}

/// Where the slope is zero between two directions in which it has opposite signs: false position after Illinois, with a halving where that
/// is slow. At a kink the two sides are mixed so that the slope is zero.
fn root(curve: &mut impl Curve, left: Node, right: Node, size: f64) -> Node {
    let (mut a, mut b) = (left, right);
    let (mut weight_a, mut weight_b) = (1.0, 1.0);
    for round in 0..ROUNDS {
        if let Some(level) = [a, b].into_iter().find(|node| node.slope.abs() <= LEVEL * size) {
            return level;
        }
        let (fa, fb) = (a.slope.abs() * weight_a, b.slope.abs() * weight_b);
        let share = if round % 4 == 3 { 0.5 } else { fa / (fa + fb) };
        let u = (a.u + (b.u - a.u) * share).normalize();
        if u == a.u || u == b.u {
            break;
        }
        let node = curve.node(u);
        if (node.slope > 0.0) == (a.slope > 0.0) {
            (a, weight_a) = (node, 1.0);
            weight_b *= 0.5;
        } else {
            (b, weight_b) = (node, 1.0);
            weight_a *= 0.5;
        }
    }
    let share = a.slope.abs() / (a.slope.abs() + b.slope.abs());
    Node {
        u: (a.u + (b.u - a.u) * share).normalize(),
        depth: a.depth + (b.depth - a.depth) * share,
        slope: 0.0,
        direction: (a.direction + (b.direction - a.direction) * share).normalize(),
        point: a.point + (b.point - a.point) * share,
    }
}
