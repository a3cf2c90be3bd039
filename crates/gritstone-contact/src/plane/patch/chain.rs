//! Boundaries seen along a normal, as chains of segments.

use glam::DVec2;
use gritstone_shape::Support;
use gritstone_shape::plane::Figure;

use super::super::method::Placed;
use super::View;

/// Chords to either side of the middle of a smooth body.
const CHORDS: usize = 8;
/// Steps in the search for the tilt at the rim, and their damping: depth grows with a power of the tilt between 1 and 2.
const RIM_STEPS: usize = 6;
const RIM_POWER: f64 = 0.7;
/// Largest tilt (rad), and the tilt that the search starts from.
const WIDEST: f64 = 0.5;
const FIRST: f64 = 1e-3;
/// Sides turned away from the normal by more than this cosine are seen edge on and have no length.
const EDGE_ON: f64 = 1e-9;

/// The part of a body's boundary that can take part in the contact.
#[derive(Clone, Debug, Default)]
pub(super) struct Chain {
    links: Vec<Link>,
}

/// A segment: where its ends are along the view, and how high.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    left: DVec2,
    right: DVec2,
}

impl Link {
    pub(super) fn low(&self) -> f64 {
        self.left.x
    }

    pub(super) fn high(&self) -> f64 {
        self.right.x
    }

    /// Height over the point `x` along the view.
    pub(super) fn height(&self, x: f64) -> f64 {
        let Self { left, right } = self;
        left.y + (right.y - left.y) * ((x - left.x) / (right.x - left.x))
    }
}

impl Chain {
    pub(super) fn links(&self) -> impl Iterator<Item = Link> {
        self.links.iter().copied()
    }

    /// Finds the boundary of a body on the side towards the other: `side` is 1 for a, −1 for b.
    pub(super) fn fill(&mut self, body: Placed<'_>, other: Placed<'_>, view: &View, side: f64) {
        self.links.clear();
        match (body.shape, body.shape.corners()) {
            (Figure::HalfPlane(_), _) => self.add_line(other, view, side),
            (_, Some(corners)) => self.add_sides(body, corners, view, side),
            _ => self.add_chords(body, view, side),
        }
    }

    /// What the other body can touch of a half-plane: its normal is the contact's.
    fn add_line(&mut self, other: Placed<'_>, view: &View, side: f64) {
        let centre = view.project(other.pose.position - view.origin).x;
        let (half, height) = (2.0 * other.shape.size(), side * view.reach);
        self.add(DVec2::new(centre - half, height), DVec2::new(centre + half, height));
    }

    fn add_sides(&mut self, body: Placed<'_>, corners: &[DVec2], view: &View, side: f64) {
        let at = |corner: DVec2| view.project(body.pose.to_world(corner) - view.origin);
        for (i, &corner) in corners.iter().enumerate() {
            let (p, q) = (at(corner), at(corners[(i + 1) % corners.len()]));
            // Counter-clockwise: the upper sides run to the left, the lower ones to the right.
            let (left, right) = if side > 0.0 { (q, p) } else { (p, q) };
            let faces = right.x - left.x > EDGE_ON * (right - left).length();
            if faces && (side * p.y).max(side * q.y) >= -view.reach {
                self.add(left, right);
            }
        }
    }

    /// Support points, from the middle to where the boundary has fallen by the depth of the overlap.
    fn add_chords(&mut self, body: Placed<'_>, view: &View, side: f64) {
        let frame = body.pose.frame();
        let centre = body.pose.position - view.origin;
        let outward = view.normal * side;
        let point = |tilt: f64| {
            let direction = (outward + view.along * tilt).normalize();
            view.project(frame * body.shape.support(frame.transpose() * direction) + centre)
        };
        let top = point(0.0);
        let fall = |tilt: f64| side * (top.y - 0.5 * (point(tilt).y + point(-tilt).y));
        let mut rim = FIRST;
        for _ in 0..RIM_STEPS {
            let ratio = 2.0 * view.reach / fall(rim).max(f64::MIN_POSITIVE);
            rim = (rim * libm::pow(ratio, RIM_POWER)).clamp(f64::EPSILON, WIDEST);
        }
        // How the way along the boundary grows with the tilt, to place the points.
        let way = |tilt: f64| (point(tilt) - point(-tilt)).length();
        let power = libm::log(2.0) / libm::log(way(rim) / way(0.5 * rim));
        let power = if power.is_finite() { power.clamp(1.0, 40.0) } else { 1.0 };
        for sign in [1.0, -1.0] {
            let mut before = top;
            for k in 1..=CHORDS {
                let next = point(sign * rim * libm::pow(k as f64 / CHORDS as f64, power));
                let (left, right) = if sign > 0.0 { (before, next) } else { (next, before) };
                self.add(left, right);
                before = next;
            }
        }
    }

    fn add(&mut self, left: DVec2, right: DVec2) {
        if left.x < right.x {
            self.links.push(Link { left, right });
        }
    }
}
