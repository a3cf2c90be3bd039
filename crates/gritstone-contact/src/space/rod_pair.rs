//! Two rods: cylinders, capsules and spheres, in all combinations.
//!
//! **Idea.** A rod is the sum of a disc, a segment across it and a ball, and its support function is the sum of theirs,
//! `h(c) = R|u×c| + H|u·c| + ρ`. A direction meets a rod with a cap, along a line of its side, or at one point: of its rim, or
//! beyond an end of its segment. Where two rods meet is one of few cases, each of which leaves no unknown, one, or two:
//!
//! | case | direction |
//! |---|---|
//! | a cap and a point | the axis |
//! | two sides | across both axes |
//! | a side and a point | across the axis: Newton's method in one unknown |
//! | two points | Newton's method in two unknowns |
//!
//! All are tried; g cannot tell which is the right one, but its bounds can.
//!
//! **Bounds.** Every direction bounds the distance from below. From above, apart, the two points do; overlapping, a ball
//! inside the Minkowski difference that touches its surface at the point above the origin. With the radius ϱ it leaves the origin
//! at least `ϱ − |x + ϱc|` deep, which is −g for x = gc and ϱ ≥ −g. A ball fits into a cylinder below a point of its cap or side,
//! as large as the distance to the rim allows. Below a point of two rims there is one in the sum of the two discs: with t the
//! tangent of a rim and m the sine between its axis and c, `|P c′| − e·c′ ≥ ½(t·c′)²` for all directions c′, hence
//! `ϱ = ⅛ μ m²`, where μ is the least eigenvalue of `R_a t_a t_aᵀ + R_b t_b t_bᵀ` across c, and m that of either rim.
//!
//! **Source.** Gritstone.
//!
//! **Notation.** As in [`pair`](super::pair). u: axis; R, H, ρ: radius of the disc, half the segment, radius of the ball.
//!
//! **Fails when** axes are parallel or perpendicular to within rounding and faces or sides lie on each other, when rims nearly
//! lie along each other, and when a point lies deeper below a cap or side than it is away from the rim; then the general method
//! decides.
//!
//! **Cost.** About 0.3 µs a contact, a twentieth of a step of a bed of cylinders.

use glam::DVec3;
use gritstone_core::linalg::{Sym2, Tangent};
use gritstone_core::{Contact, Space};
use gritstone_shape::space::Solid;

use super::flat::SLOPE;
use super::memory::Memory;
use super::method::Placed;
use super::pair::relative_curvature;
use crate::{Answer, Goal, Query, Verdict, tolerance};

/// Newton steps.
const STEPS: u32 = 12;
/// The longest of them (rad).
const LONGEST: f64 = 0.3;

/// Solves two rods; `None` where the shapes are others, or the bounds do not meet.
pub(crate) fn solve(
    a: Placed<'_>,
    b: Placed<'_>,
    query: Query<Space>,
    memory: &mut Memory,
) -> Option<Answer<Space>> {
    let rods = Rods::new(&a, &b)?;
    let start = query.start.or(memory.direction).unwrap_or_else(|| rods.centre_line());
    let answer = rods.solve(start, query)?;
    memory.direction = Some(answer.direction());
    Some(answer)
}

/// The sum of a disc, a segment and a ball.
#[derive(Clone, Copy, Debug)]
struct Rod {
    axis: DVec3,
    disc: f64,
    half: f64,
    ball: f64,
}

/// What of a rod a direction meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Cap,
    Side,
    Point,
}

/// The point of a rod that a direction meets, from its centre, where there is but one.
struct Tip {
    point: DVec3,
    /// Tangent of the rim.
    tangent: DVec3,
    /// Sine between axis and direction.
    lean: f64,
}

impl Rod {
    fn of(body: &Placed<'_>) -> Option<Self> {
        let (disc, half, ball) = match body.shape {
            Solid::Cylinder(shape) => (shape.radius(), shape.half_height(), 0.0),
            Solid::Capsule(shape) => (0.0, shape.half_height(), shape.radius()),
            Solid::Sphere(shape) => (0.0, 0.0, shape.radius()),
            Solid::Ellipsoid(_)
            | Solid::Superellipsoid(_)
            | Solid::Superquadric(_)
            | Solid::Polyhedron(_)
            | Solid::Crowned(_)
            | Solid::Triangle(_)
            | Solid::HalfSpace(_)
            | Solid::Custom(_) => return None,
        };
        Some(Self { axis: body.pose.rotation * DVec3::Z, disc, half, ball })
    }

    /// The support function.
    fn reach(&self, c: DVec3) -> f64 {
        self.disc * self.axis.cross(c).length() + self.half * self.axis.dot(c).abs() + self.ball
    }

    /// The one point that lies farthest along the unit vector `c`; none where there are more.
    fn tip(&self, c: DVec3) -> Option<Tip> {
        let along = self.axis.dot(c);
        let around = self.axis.cross(c);
        let lean = around.length();
        let is_line = self.half > 0.0 && along.abs() <= SLOPE;
        let is_face = self.disc > 0.0 && lean <= SLOPE;
        if is_line || is_face {
            return None;
        }
        let tangent = if lean > 0.0 { around / lean } else { DVec3::ZERO };
        let rim = tangent.cross(self.axis) * self.disc;
        let point = rim + self.axis * self.half.copysign(along) + c * self.ball;
        Some(Tip { point, tangent, lean })
    }

    /// Radii of curvature where its part meets the plane across c.
    fn radii(&self, part: Part, c: DVec3, plane: &Tangent) -> Sym2 {
        let round = |axis: DVec3, radius: f64| Sym2::outer(plane.project(axis).normalize_or_zero(), radius);
        let around = self.axis.cross(c);
        Sym2::scalar(self.ball)
            + match part {
                Part::Cap => Sym2::scalar(self.disc / SLOPE),
                Part::Side => round(self.axis, self.half / SLOPE) + round(around, self.disc),
                Part::Point if self.disc > 0.0 => round(around, self.disc / around.length()),
                Part::Point => Sym2::scalar(0.0),
            }
    }
}

/// Two rods. Points are relative to the centre of a.
#[derive(Clone, Copy, Debug)]
struct Rods {
    a: Rod,
    b: Rod,
    offset: DVec3,
    /// Where the centre of a is.
    origin: DVec3,
    /// Size of the smaller one.
    size: f64,
    rounding: f64,
}

/// Points that face each other along c.
#[derive(Clone, Copy, Debug)]
struct Facing {
    c: DVec3,
    x_a: DVec3,
    x_b: DVec3,
    parts: [Part; 2],
    /// Radius of the ball that touches the Minkowski difference there from within.
    room: f64,
}

impl Rods {
    fn new(a: &Placed<'_>, b: &Placed<'_>) -> Option<Self> {
        use gritstone_shape::Support;
        let (rod_a, rod_b) = (Rod::of(a)?, Rod::of(b)?);
        let (size_a, size_b) = (a.shape.size(), b.shape.size());
        let offset = b.pose.position - a.pose.position;
        let rounding = tolerance::ROUNDING * (size_a.max(size_b) + offset.length());
        Some(Self { a: rod_a, b: rod_b, offset, origin: a.pose.position, size: size_a.min(size_b), rounding })
    }

    fn centre_line(&self) -> DVec3 {
        self.offset.try_normalize().unwrap_or(self.a.axis)
    }

    /// The same with a and b exchanged.
    fn swapped(&self) -> Self {
        let Self { a, b, offset, origin, .. } = *self;
        Self { a: b, b: a, offset: -offset, origin: origin + offset, ..*self }
    }

    /// g(c).
    fn value(&self, c: DVec3) -> f64 {
        self.offset.dot(c) - self.a.reach(c) - self.b.reach(c)
    }

    fn solve(&self, start: DVec3, query: Query<Space>) -> Option<Answer<Space>> {
        let g = self.value(start);
        if query.goal == Goal::Detect && g > 0.0 {
            return Some(self.apart(start, g));
        }
        let other = self.swapped();
        None.or_else(|| self.close(self.on_cap(start)?, query))
            .or_else(|| Some(other.close(other.on_cap(-start)?, query)?.swapped()))
            .or_else(|| self.close(self.across(start)?, query))
            .or_else(|| self.close(self.on_side(start)?, query))
            .or_else(|| Some(other.close(other.on_side(-start)?, query)?.swapped()))
            .or_else(|| self.close(self.at_points(start)?, query))
    }

    /// A point of b on a cap of a.
    fn on_cap(&self, start: DVec3) -> Option<Facing> {
        if self.a.disc == 0.0 {
            return None;
        }
        let c = self.a.axis * 1.0_f64.copysign(self.a.axis.dot(start));
        let x_b = self.offset + self.b.tip(-c)?.point;
        let from_axis = (x_b - c * c.dot(x_b)).length();
        let x_a = x_b + c * (self.a.half - c.dot(x_b));
        let room = self.a.half.min(self.a.disc - from_axis) + self.b.ball;
        (from_axis <= self.a.disc).then_some(Facing { c, x_a, x_b, parts: [Part::Cap, Part::Point], room })
    }

    /// Two sides that cross.
    fn across(&self, start: DVec3) -> Option<Facing> {
        let (a, b) = (&self.a, &self.b);
        let cross = a.axis.cross(b.axis);
        let square = cross.length_squared();
        if !(a.half > 0.0 && b.half > 0.0 && square > SLOPE * SLOPE) {
            return None;
        }
        let c = cross * (1.0 / square.sqrt()).copysign(cross.dot(start));
        // offset + b.axis·t − a.axis·s lies along c.
        let s = self.offset.cross(b.axis).dot(cross) / square;
        let t = self.offset.cross(a.axis).dot(cross) / square;
        let [from_a, from_b] = [a.half - s.abs(), b.half - t.abs()];
        let x_a = a.axis * s + c * (a.disc + a.ball);
        let x_b = self.offset + b.axis * t - c * (b.disc + b.ball);
        let room = a.disc.min(from_a) + b.disc.min(from_b) + a.ball + b.ball;
        (from_a >= 0.0 && from_b >= 0.0).then_some(Facing { c, x_a, x_b, parts: [Part::Side; 2], room })
    }

    /// A point of b on the side of a.
    fn on_side(&self, start: DVec3) -> Option<Facing> {
        let a = &self.a;
        if a.half == 0.0 {
            return None;
        }
        let mut c = (start - a.axis * a.axis.dot(start)).try_normalize()?;
        for _ in 0..STEPS {
            let tip = self.b.tip(-c)?;
            let (x_b, along) = (self.offset + tip.point, a.axis.cross(c));
            let slope = along.dot(x_b);
            if slope.abs() <= tolerance::CONVERGENCE * self.size {
                let s = a.axis.dot(x_b);
                let x_a = a.axis * s + c * (a.disc + a.ball);
                let room = a.disc.min(a.half - s.abs()) + a.ball + self.b.ball;
                let parts = [Part::Side, Part::Point];
                return (s.abs() <= a.half).then_some(Facing { c, x_a, x_b, parts, room });
            }
            let bend = a.disc + a.ball + self.b.bend(&tip, along) + self.value(c);
            let step = slope / bend;
            if !(bend > 0.0 && step.abs() <= LONGEST) {
                return None;
            }
            c = (c + along * step).normalize();
        }
        None
    }

    /// A point of each.
    fn at_points(&self, start: DVec3) -> Option<Facing> {
        let (a, b) = (&self.a, &self.b);
        let mut c = start;
        for _ in 0..STEPS {
            let (tip_a, tip_b) = (a.tip(c)?, b.tip(-c)?);
            let (x_a, x_b) = (tip_a.point, self.offset + tip_b.point);
            let plane = Tangent::across(c);
            let slope = plane.project(x_b - x_a);
            if slope.length() <= tolerance::CONVERGENCE * self.size {
                let rims = tip_a.rim(a.disc, &plane) + tip_b.rim(b.disc, &plane);
                let ([least, _], _) = rims.eigen();
                let lean = tip_a.lean.max(tip_b.lean);
                let room = 0.125 * least.max(0.0) * lean * lean + a.ball + b.ball;
                return Some(Facing { c, x_a, x_b, parts: [Part::Point; 2], room });
            }
            let bend = [(a, &tip_a), (b, &tip_b)]
                .map(|(rod, tip)| tip.rim(rod.edge(tip), &plane) + Sym2::scalar(rod.ball));
            let model = bend[0] + bend[1] + Sym2::scalar(self.value(c));
            let step = model.solve(slope);
            if !(model.determinant() > 0.0 && model.trace() > 0.0 && step.length() <= LONGEST) {
                return None;
            }
            c = (c + plane.lift(step)).normalize();
        }
        None
    }

    /// The answer, if the bounds meet.
    fn close(&self, facing: Facing, query: Query<Space>) -> Option<Answer<Space>> {
        let Facing { c, x_a, x_b, parts, room } = facing;
        let (g, x) = (self.value(c), x_b - x_a);
        if query.goal == Goal::Detect && g > 0.0 {
            return Some(self.apart(c, g));
        }
        let upper = if g >= 0.0 || room < -g { x.length() } else { (x + c * room).length() - room };
        let width = query.width((tolerance::CERTIFICATE * self.size).max(self.rounding), g);
        if upper - g > width {
            return None;
        }
        let plane = Tangent::across(c);
        let curvature =
            relative_curvature(&self.a.radii(parts[0], c, &plane), &self.b.radii(parts[1], c, &plane));
        let point_a = self.origin + x_a;
        let contact = Contact { point_a, point_b: point_a + c * g, normal: c, gap: g, curvature };
        Some(Answer::new(Verdict::Solved(contact), [g, upper], width, [0, 1]))
    }

    fn apart(&self, along: DVec3, g: f64) -> Answer<Space> {
        let verdict = Verdict::Apart { at_least: g, along };
        Answer::new(verdict, [g, f64::INFINITY], 0.0, [0, 1])
    }
}

impl Rod {
    /// Second derivative of the disc's support function along the rim; zero without a disc.
    fn edge(&self, tip: &Tip) -> f64 {
        if self.disc > 0.0 { self.disc / tip.lean } else { 0.0 }
    }

    /// Second derivative of the support function at a tip, along a unit vector across its direction.
    fn bend(&self, tip: &Tip, along: DVec3) -> f64 {
        let rim = tip.tangent.dot(along);
        self.edge(tip) * rim * rim + self.ball
    }
}

impl Tip {
    fn rim(&self, weight: f64, plane: &Tangent) -> Sym2 {
        Sym2::outer(plane.project(self.tangent), weight)
    }
}
