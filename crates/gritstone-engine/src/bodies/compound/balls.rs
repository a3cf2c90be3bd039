//! Moments of the union of balls.
//!
//! **Idea.** A plane cuts balls in discs. The moments of a union of discs are integrals around it, along arcs that no other
//! disc covers, in closed form (Green's theorem). In space they are integrated over the planes, adaptively: kinks are where
//! balls, or circles that two of them have in common, begin or end.
//!
//! **Notation.** θ: angle about the centre (a, b) of a disc of radius r; c = cos θ, s = sin θ.

use std::f64::consts::TAU;

use gritstone_core::Vector as _;
use gritstone_shape::AnyShape as _;

use super::Part;
use super::adaptive::integrate;
use super::union::{MOMENTS, Moments, panels};
use crate::dimension::Dimension;

/// A disc.
#[derive(Clone, Copy, Debug)]
struct Disc {
    centre: [f64; 2],
    radius: f64,
}

/// ∫1, ∫x, ∫y, ∫x², ∫y², ∫xy.
type Flat = [f64; 6];

/// Moments of what the parts fill, if all of them are balls: to `tolerance` in space, exact in the plane.
pub(super) fn moments<D: Dimension>(parts: &[Part<D>], tolerance: &Moments) -> Option<Moments> {
    let balls: Option<Vec<(D::Vec, f64)>> =
        parts.iter().map(|part| Some((part.pose.position, radius::<D>(&part.shape)?))).collect();
    let balls = balls?;
    if D::N == 2 {
        let disc = |&(x, radius): &(D::Vec, f64)| Disc { centre: [x.component(0), x.component(1)], radius };
        let [area, x, y, xx, yy, xy] = of_discs(&balls.iter().map(disc).collect::<Vec<_>>());
        return Some([area, x, y, 0.0, xx, yy, 0.0, xy, 0.0, 0.0]);
    }
    let mut pair: Vec<f64> =
        balls.iter().flat_map(|(x, radius)| [-1.0, 1.0].map(|sign| x.component(0) + sign * radius)).collect();
    pair.sort_by(f64::total_cmp);
    pair.dedup();
    let mut discs = Vec::new();
    Some(integrate::<MOMENTS>(panels(&pair), tolerance, &mut |x| {
        discs.clear();
        discs.extend(balls.iter().filter_map(|(centre, radius)| {
            let square = radius * radius - (x - centre.component(0)).powi(2);
            let centre = [centre.component(1), centre.component(2)];
            (square > 0.0).then(|| Disc { centre, radius: square.sqrt() })
        }));
        let [area, y, z, yy, zz, yz] = of_discs(&discs);
        [area, x * area, y, z, x * x * area, yy, zz, x * y, x * z, yz]
    }))
}

/// The radius of a ball.
fn radius<D: Dimension>(shape: &D::Shape) -> Option<f64> {
    let axes = shape.semi_axes()?;
    let radius = axes.component(0);
    (1..D::N).all(|axis| axes.component(axis) == radius).then_some(radius)
}

/// Moments of a union of discs.
fn of_discs(discs: &[Disc]) -> Flat {
    let mut sum = [0.0; 6];
    let mut covered = Vec::new();
    for (i, disc) in discs.iter().enumerate() {
        covered.clear();
        let others = discs.iter().enumerate().filter(|(j, _)| *j != i);
        let hidden = others.into_iter().any(|(j, other)| disc.is_hidden_by(other, j < i, &mut covered));
        if hidden {
            continue;
        }
        covered.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let mut from = 0.0;
        for &[start, end] in &covered {
            if start > from {
                disc.add_arc([from, start], &mut sum);
            }
            from = f64::max(from, end);
        }
        if from < TAU {
            disc.add_arc([from, TAU], &mut sum);
        }
    }
    sum
}

impl Disc {
    /// Whether another disc covers all of this one; else the angles that it covers are added, within a turn. Of two that are
    /// the same, the `first` one covers the other.
    fn is_hidden_by(&self, other: &Self, first: bool, covered: &mut Vec<[f64; 2]>) -> bool {
        let [x, y] = [0, 1].map(|axis| other.centre[axis] - self.centre[axis]);
        let (distance, r, s) = (libm::hypot(x, y), self.radius, other.radius);
        if distance >= r + s {
            return false;
        }
        if distance <= (r - s).abs() {
            return s > r || s == r && first;
        }
        let cosine = (distance * distance + r * r - s * s) / (2.0 * distance * r);
        let (middle, half) = (libm::atan2(y, x), libm::acos(cosine.clamp(-1.0, 1.0)));
        let start = (middle - half).rem_euclid(TAU);
        let end = start + 2.0 * half;
        covered.push([start, end.min(TAU)]);
        if end > TAU {
            covered.push([0.0, end - TAU]);
        }
        false
    }

    /// Adds what an arc gives to the integrals around the union.
    fn add_arc(&self, [from, to]: [f64; 2], sum: &mut Flat) {
        let ([a, b], r) = (self.centre, self.radius);
        let (low, high) = (primitives(from), primitives(to));
        let [c1, c2, c3, c4, s1, s2, s3, s4, cs, ccs, cccs] = std::array::from_fn(|k| high[k] - low[k]);
        // ½∮(x dy − y dx)
        sum[0] += 0.5 * r * (a * c1 + b * s1 + r * (to - from));
        // ½∮x² dy, −½∮y² dx
        let xx = a * a * c1 + 2.0 * a * r * c2 + r * r * c3;
        sum[1] += 0.5 * r * xx;
        sum[2] += 0.5 * r * (b * b * s1 + 2.0 * b * r * s2 + r * r * s3);
        // ⅓∮x³ dy, −⅓∮y³ dx
        let cubes = |a: f64, [p, q, t, u]: [f64; 4]| {
            a * a * a * p + 3.0 * a * a * r * q + 3.0 * a * r * r * t + r * r * r * u
        };
        sum[3] += r / 3.0 * cubes(a, [c1, c2, c3, c4]);
        sum[4] += r / 3.0 * cubes(b, [s1, s2, s3, s4]);
        // ½∮x²y dy
        sum[5] += 0.5 * r * (b * xx + r * (a * a * cs + 2.0 * a * r * ccs + r * r * cccs));
    }
}

/// Of c, c², c³, c⁴, s, s², s³, s⁴, cs, c²s, c³s.
fn primitives(angle: f64) -> [f64; 11] {
    let (s, c) = libm::sincos(angle);
    let (double, quadruple) = (2.0 * s * c, 4.0 * s * c * (c * c - s * s));
    [
        s,
        0.5 * angle + 0.25 * double,
        s - s * s * s / 3.0,
        0.375 * angle + 0.25 * double + quadruple / 32.0,
        -c,
        0.5 * angle - 0.25 * double,
        c * c * c / 3.0 - c,
        0.375 * angle - 0.25 * double + quadruple / 32.0,
        0.5 * s * s,
        -c * c * c / 3.0,
        -0.25 * c * c * c * c,
    ]
}
