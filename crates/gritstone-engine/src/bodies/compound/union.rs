//! Mass of the union of convex bodies.
//!
//! **Idea.** The parts' own masses are known exactly. What they count too often is integrated along lines: a line meets each
//! convex part in one interval, and the intervals' moments minus those of their union are exact on it. Across the lines the
//! rest is integrated adaptively, to [`ACCURACY`]. Parts that do not overlap cost nothing and are exact. Balls have a way of
//! their own ([`balls`]), with one integral less.
//!
//! **Notation.** Moments: ∫1, ∫x_i, ∫x_i x_j, in the compound's frame.

use gritstone_core::{Dim, Mass, Vector as _};
use gritstone_shape::{AnyShape as _, Support as _};

use super::adaptive::integrate;
use super::chord::chord;
use super::{Part, balls, reach};
use crate::dimension::Dimension;

/// Accuracy of the volume relative to the cube of the smallest part's size (of moments: times levers), and how much finer
/// inner integrals are.
const ACCURACY: f64 = 1e-7;
const INNER: f64 = 0.2;
/// Panels at least between two ends, so that a thin overlap is not missed.
const PANELS: u32 = 4;

/// Number of moments: one, three first, six second ones. The plane leaves some of them zero.
pub(super) const MOMENTS: usize = 10;
/// Axes of the second moments.
const SECOND: [[usize; 2]; 6] = [[0, 0], [1, 1], [2, 2], [0, 1], [0, 2], [1, 2]];

pub(super) type Moments = [f64; MOMENTS];

/// Mass of what the parts fill, each place once.
pub(super) fn mass<D: Dimension>(parts: &[Part<D>]) -> Mass<D> {
    let of_balls = balls::moments(parts, &tolerance(parts));
    to_mass(&of_balls.unwrap_or_else(|| moments_of(parts)))
}

/// Moments of what the parts fill, of any shapes.
fn moments_of<D: Dimension>(parts: &[Part<D>]) -> Moments {
    let mut sum = [0.0; MOMENTS];
    for part in parts {
        if let Some(mass) = part.shape.mass_properties() {
            add(&mut sum, &of_part(&mass, part), 1.0);
        }
    }
    if parts.len() > 1 {
        add(&mut sum, &Overlap::new(parts).moments(), -1.0);
    }
    sum
}

/// Relative to the smallest part's volume times what the moments have in levers.
fn tolerance<D: Dimension>(parts: &[Part<D>]) -> Moments {
    let size = parts.iter().map(|part| part.pose.position.length() + part.shape.size()).fold(0.0, f64::max);
    let smallest = parts.iter().map(|part| part.shape.size()).fold(f64::INFINITY, f64::min);
    let volume = smallest.powi(D::N as i32) * ACCURACY;
    moments(volume, |_| volume * size, |_, _| volume * size * size)
}

fn add(sum: &mut Moments, other: &Moments, factor: f64) {
    sum.iter_mut().zip(other).for_each(|(sum, other)| *sum += factor * other);
}

/// Moments about the compound's origin.
fn of_part<D: Dimension>(mass: &Mass<D>, part: &Part<D>) -> Moments {
    let centre = padded::<D>(part.pose.to_world(mass.centroid));
    // Columns: the part's axes in the compound.
    let axes: [[f64; 3]; 3] = std::array::from_fn(|i| {
        if i < D::N { padded::<D>(D::rotate(part.pose.rotation, D::Vec::axis(i))) } else { [0.0; 3] }
    });
    let own = D::entries(&mass.second_moments);
    let turned = |i: usize, j: usize| -> f64 {
        (0..3)
            .flat_map(|k| (0..3).map(move |l| (k, l)))
            .map(|(k, l)| axes[k][i] * own[k][l] * axes[l][j])
            .sum()
    };
    moments(
        mass.volume,
        |i| mass.volume * centre[i],
        |i, j| turned(i, j) + mass.volume * centre[i] * centre[j],
    )
}

fn moments(volume: f64, first: impl Fn(usize) -> f64, second: impl Fn(usize, usize) -> f64) -> Moments {
    std::array::from_fn(|m| match m {
        0 => volume,
        1..=3 => first(m - 1),
        _ => second(SECOND[m - 4][0], SECOND[m - 4][1]),
    })
}

fn padded<D: Dim>(v: D::Vec) -> [f64; 3] {
    std::array::from_fn(|i| if i < D::N { v.component(i) } else { 0.0 })
}

fn to_mass<D: Dimension>(moments: &Moments) -> Mass<D> {
    let volume = moments[0];
    let centre: [f64; 3] = std::array::from_fn(|i| moments[1 + i] / volume);
    let mut second = [[0.0; 3]; 3];
    for (m, [i, j]) in SECOND.into_iter().enumerate() {
        let about_centre = moments[4 + m] - volume * centre[i] * centre[j];
        (second[i][j], second[j][i]) = (about_centre, about_centre);
    }
    Mass { volume, centroid: D::Vec::from_fn(|i| centre[i]), second_moments: D::symmetric(&second) }
}

/// What several parts fill together, counted once less than the parts count it.
struct Overlap<'p, D: Dimension> {
    parts: &'p [Part<D>],
    /// Interval of each part along each axis.
    boxes: Vec<[[f64; 2]; 3]>,
    tolerance: Moments,
}

impl<'p, D: Dimension> Overlap<'p, D> {
    fn new(parts: &'p [Part<D>]) -> Self {
        let bounds = |part: &Part<D>| {
            std::array::from_fn(|axis| {
                if axis < D::N {
                    [-reach(part, -D::Vec::axis(axis)), reach(part, D::Vec::axis(axis))]
                } else {
                    [0.0; 2]
                }
            })
        };
        Self { parts, boxes: parts.iter().map(bounds).collect(), tolerance: tolerance(parts) }
    }

    fn moments(&self) -> Moments {
        self.across(0, &mut [0.0; 3], self.tolerance)
    }

    /// Integrates over the axes from `axis` on; `point` holds the coordinates along those before.
    fn across(&self, axis: usize, point: &mut [f64; 3], tolerance: Moments) -> Moments {
        if axis + 1 == D::N {
            return self.along(point);
        }
        let pair = self.pair(axis);
        let length = match pair[..] {
            [first, .., last] => last - first,
            _ => return [0.0; MOMENTS],
        };
        let within = tolerance.map(|t| t / length * INNER);
        integrate(panels(&pair), &tolerance, &mut |x| {
            point[axis] = x;
            self.across(axis + 1, point, within)
        })
    }

    /// Where parts begin and end along an axis, as far as two of them overlap there: nothing jumps between.
    fn pair(&self, axis: usize) -> Vec<f64> {
        let mut pair: Vec<f64> = self.boxes.iter().flat_map(|part| part[axis]).collect();
        pair.sort_by(f64::total_cmp);
        pair.dedup();
        let shared =
            |x: f64| self.boxes.iter().filter(|part| part[axis][0] <= x && x <= part[axis][1]).count() > 1;
        pair.retain(|&x| shared(x));
        pair
    }

    /// Moments of the intervals of one line, less those of their union.
    fn along(&self, point: &[f64; 3]) -> Moments {
        let last = D::N - 1;
        let mut from = *point;
        from[last] = 0.0;
        let origin = D::Vec::from_fn(|i| from[i]);
        let inside = |part: &Part<D>| {
            let along = D::unrotate(part.pose.rotation, D::Vec::axis(last));
            chord::<D>(&part.shape, part.pose.to_body(origin), along)
        };
        let meets =
            |bounds: &&[[f64; 2]; 3]| (0..last).all(|i| bounds[i][0] < point[i] && point[i] < bounds[i][1]);
        if self.boxes.iter().filter(meets).count() < 2 {
            return [0.0; MOMENTS];
        }
        let mut intervals: Vec<[f64; 2]> = self.parts.iter().filter_map(inside).collect();
        intervals.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let mut sum = [0.0; MOMENTS];
        let mut reached = f64::NEG_INFINITY;
        for [enter, leave] in intervals {
            // What lies behind the farthest end so far was counted already.
            if enter < reached {
                add(&mut sum, &of_interval::<D>(from, [enter, leave.min(reached)]), 1.0);
            }
            reached = reached.max(leave);
        }
        sum
    }
}

/// Some panels between each two neighbouring ends.
pub(super) fn panels(pair: &[f64]) -> impl Iterator<Item = [f64; 2]> {
    pair.windows(2).flat_map(|pair| {
        let width = (pair[1] - pair[0]) / f64::from(PANELS);
        (0..PANELS).map(move |i| [i, i + 1].map(|i| pair[0] + width * f64::from(i)))
    })
}

/// Moments of an interval of a line along the last axis.
fn of_interval<D: Dim>(from: [f64; 3], [a, b]: [f64; 2]) -> Moments {
    let last = D::N - 1;
    let power = [b - a, (b * b - a * a) / 2.0, (b * b * b - a * a * a) / 3.0];
    let lever = |i: usize| if i == last { (1.0, 1) } else { (from[i], 0) };
    moments(
        power[0],
        |i| lever(i).0 * power[lever(i).1],
        |i, j| lever(i).0 * lever(j).0 * power[lever(i).1 + lever(j).1],
    )
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use gritstone_core::{Pose, Space};
    use gritstone_shape::space::Sphere;

    use super::*;
    use crate::insertion::random::RandomStream;

    fn clump(count: usize, seed: u64) -> Vec<Part<Space>> {
        let mut random = RandomStream::new(seed);
        let mut part = || {
            let x = DVec3::new(random.unit(), random.unit(), random.unit());
            Part { shape: Sphere::new(0.2 + 0.4 * random.unit()).unwrap().into(), pose: Pose::at(x) }
        };
        (0..count).map(|_| part()).collect()
    }

    /// Balls by discs and along lines.
    #[test]
    fn balls_are_bodies_like_others() {
        for seed in 0..4 {
            let parts = clump(4, seed);
            let found = balls::moments(&parts, &tolerance(&parts)).unwrap();
            for (m, (found, along_lines)) in found.iter().zip(moments_of(&parts)).enumerate() {
                assert!((found - along_lines).abs() < 3e-7, "{seed} {m}: {found} {along_lines}");
            }
        }
    }

    /// Two balls have a lens in common; one that is within another, or is the same, adds nothing.
    #[test]
    fn lens_of_two_balls() {
        let ball = |radius: f64, x: f64| Part::<Space> {
            shape: Sphere::new(radius).unwrap().into(),
            pose: Pose::at(DVec3::new(0.3, x, -0.2)),
        };
        let (r, s, d) = (1.0_f64, 0.7_f64, 1.2_f64);
        let parts = [ball(r, 0.0), ball(s, d), ball(0.2, 0.1), ball(s, d)];
        let volume = balls::moments(&parts, &tolerance(&parts)).unwrap()[0];
        let pi = std::f64::consts::PI;
        let lens =
            pi * (r + s - d).powi(2) * (d * d + 2.0 * d * (r + s) - 3.0 * (r - s).powi(2)) / (12.0 * d);
        let expected = 4.0 / 3.0 * pi * (r.powi(3) + s.powi(3)) - lens;
        assert!((volume / expected - 1.0).abs() < 1e-8, "{volume} {expected}");
    }
}
