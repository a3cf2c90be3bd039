//! How much of a grain is in a zone.
//!
//! All of it or nothing where the ball that holds it says so. Balls (discs) that are cut by one plane of a box or of the ends
//! of a cylinder, or by a ball, in closed form; everything else by counting: the midpoints of a grid of 24 cells along each
//! axis (96 in the plane) over what the boxes around both have in common. For a grain that is cut in the middle the error is
//! some parts in a thousand of its volume.
//!
//! Compounds are taken part by part: each with what of it is in no earlier part, which is counted where two parts may overlap.

use std::f64::consts::PI;

use gritstone_core::{Linear, Pose, Vector};
use gritstone_engine::{Dimension, GrainShape, Region};
use gritstone_shape::{AnyShape as _, Support};

/// Volume (area) of the part of a body that is in a zone; `volume` is that of the whole body.
pub(crate) fn volume_inside<D: Dimension>(
    zone: &Region<D>,
    form: GrainShape<'_, D>,
    pose: Pose<D>,
    volume: f64,
) -> f64 {
    let (x, size) = (pose.position, form.size());
    if zone.holds_ball(x, size) {
        return volume;
    }
    if !zone.meets_ball(x, size) {
        return 0.0;
    }
    let parts: Vec<_> = form.bodies(pose).collect();
    (0..parts.len()).map(|i| own_inside(zone, &parts[..i], parts[i])).sum()
}

/// Volume (area) of what of a convex body is in a zone and in none of the earlier ones.
fn own_inside<D: Dimension>(
    zone: &Region<D>,
    earlier: &[(&D::Shape, Pose<D>)],
    (shape, pose): (&D::Shape, Pose<D>),
) -> f64 {
    let (x, size) = (pose.position, shape.size());
    if !zone.meets_ball(x, size) {
        return 0.0;
    }
    let near = |(other, at): &&(&D::Shape, Pose<D>)| (at.position - x).length() < other.size() + size;
    let rivals: Vec<_> = earlier.iter().filter(near).copied().collect();
    let exact = match shape.word() {
        _ if !rivals.is_empty() => None,
        _ if zone.holds_ball(x, size) => shape.mass_properties().map(|mass| mass.volume),
        "sphere" | "circle" => cut_ball(zone, x, size),
        _ => None,
    };
    exact.unwrap_or_else(|| counted(zone, &rivals, (shape, pose)))
}

/// The part of a ball that is inside, where that is simple.
fn cut_ball<D: Dimension>(zone: &Region<D>, x: D::Vec, radius: f64) -> Option<f64> {
    // Distances from the centre to each plane that bounds the zone, positive inside.
    let flat: Vec<f64> = match *zone {
        Region::Box { low, high } => {
            let ends = |i: usize| [x.component(i) - low.component(i), high.component(i) - x.component(i)];
            (0..D::N).flat_map(ends).collect()
        }
        Region::Cylinder { base, axis, length, radius: side } => {
            let along = axis.dot(x - base);
            if (x - base - axis * along).length() + radius > side {
                return None;
            }
            vec![along, length - along]
        }
        Region::Beyond { point, normal } => vec![normal.dot(x - point)],
        Region::Ball { center, radius: other } => {
            return Some(lens(D::N, radius, other, (x - center).length()));
        }
    };
    if flat.iter().any(|distance| *distance <= -radius) {
        return Some(0.0);
    }
    let mut cuts = flat.into_iter().filter(|distance| *distance < radius);
    let first = cuts.next()?;
    cuts.next().is_none().then(|| cap(D::N, radius, first))
}

/// The part of a ball on the inner side of a plane at this distance from its centre, positive towards the other side.
fn cap(dimensions: usize, r: f64, distance: f64) -> f64 {
    let d = distance.clamp(-r, r);
    if dimensions == 2 {
        return r * r * (PI - libm::acos(d / r)) + d * (r * r - d * d).max(0.0).sqrt();
    }
    let h = r + d;
    PI * h * h * (r - h / 3.0)
}

/// What two balls at this distance have in common: two caps, cut by the plane through where they cross.
fn lens(dimensions: usize, r: f64, other: f64, distance: f64) -> f64 {
    let whole = |r: f64| cap(dimensions, r, r);
    if distance >= r + other {
        return 0.0;
    }
    if distance <= (r - other).abs() {
        return whole(r.min(other));
    }
    let to_plane = 0.5 * (distance * distance + r * r - other * other) / distance;
    cap(dimensions, r, -to_plane) + cap(dimensions, other, to_plane - distance)
}

/// The part of a body that is inside, and in none of its rivals, counted on a grid.
fn counted<D: Dimension>(
    zone: &Region<D>,
    rivals: &[(&D::Shape, Pose<D>)],
    (shape, pose): (&D::Shape, Pose<D>),
) -> f64 {
    let holds = |(shape, pose): &(&D::Shape, Pose<D>), x: D::Vec| {
        shape.implicit().is_some_and(|implicit| implicit.inside_outside(pose.to_body(x)) <= 1.0)
    };
    let cells: usize = if D::N == 2 { 96 } else { 24 };
    let reach = |u: D::Vec| u.dot(D::rotate(pose.rotation, shape.support(D::unrotate(pose.rotation, u))));
    let (mut low, mut edge) = ([0.0; 3], [0.0; 3]);
    for i in 0..D::N {
        let (axis, x, (from, to)) = (D::Vec::axis(i), pose.position.component(i), zone.span(i));
        low[i] = from.max(x - reach(-axis));
        edge[i] = (to.min(x + reach(axis)) - low[i]).max(0.0) / cells as f64;
    }
    let inside = |k: &usize| {
        let mut rest = *k;
        let mut point = [0.0; 3];
        for i in 0..D::N {
            point[i] = low[i] + edge[i] * ((rest % cells) as f64 + 0.5);
            rest /= cells;
        }
        let point = D::Vec::from_fn(|i| point[i]);
        zone.holds(point) && holds(&(shape, pose), point) && !rivals.iter().any(|rival| holds(rival, point))
    };
    let count = (0..cells.pow(D::N as u32)).filter(inside).count();
    count as f64 * edge.iter().take(D::N).product::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caps_and_lenses_are_those_of_the_tables() {
        // Half a ball, a whole one, and 5/32 of one at half the radius from the centre.
        let ball = 4.0 / 3.0 * PI;
        assert!((cap(3, 1.0, 0.0) / ball - 0.5).abs() < 1e-15);
        assert!((cap(3, 1.0, -0.5) / ball - 5.0 / 32.0).abs() < 1e-15);
        assert!((cap(2, 1.0, 0.0) - 0.5 * PI).abs() < 1e-15);
        // Two unit balls a radius apart: 5π/12. Two unit discs: 2π/3 − √3/2.
        assert!((lens(3, 1.0, 1.0, 1.0) - 5.0 * PI / 12.0).abs() < 1e-14);
        assert!((lens(2, 1.0, 1.0, 1.0) - (2.0 * PI / 3.0 - 0.75_f64.sqrt())).abs() < 1e-14);
        assert_eq!(lens(3, 1.0, 2.0, 3.5), 0.0);
        assert!((lens(3, 1.0, 2.0, 0.5) - ball).abs() < 1e-14);
    }
}
