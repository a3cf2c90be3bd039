//! Discs: round faces, and the middle of what they have in common with others.

use glam::DVec2;

use super::polygon::{Polygon, cut};

/// Size of a polygon, relative to the radius, below which the rim is straight where it crosses it, to 1e-8 of the radius; and
/// above which the integral around it, whose terms are of the disc's size, is right to 1e-8.
const SMALL: f64 = 2e-4;

/// A disc in a tangent plane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Disc {
    pub(crate) centre: DVec2,
    pub(crate) radius: f64,
}

impl Disc {
    /// The centroid of what two discs have in common: one of them, or a lens between two arcs. `None` where that is
    /// nothing.
    pub(crate) fn common_middle(&self, other: &Self) -> Option<DVec2> {
        let (between, [r, s]) = (other.centre - self.centre, [self.radius, other.radius]);
        let distance = between.length();
        if distance <= (r - s).abs() {
            return Some(if r < s { self.centre } else { other.centre });
        }
        if distance > r + s {
            return None;
        }
        // Where the chord between the two arcs crosses the line of the centres, seen from each of them.
        let chord = 0.5 * (distance + (r - s) * (r + s) / distance);
        let (mine, my_moment) = segment(r, chord);
        let (theirs, their_moment) = segment(s, distance - chord);
        let area = mine + theirs;
        let along = if area > 0.0 { (my_moment - their_moment + theirs * distance) / area } else { chord };
        Some(self.centre + between * (along / distance))
    }

    /// The centroid of what the disc has in common with a convex polygon with counter-clockwise corners. `None` where that
    /// is nothing.
    pub(crate) fn common_middle_with(&self, corners: &[DVec2]) -> Option<DVec2> {
        let extent = corners.iter().map(|corner| corner.distance(corners[0])).fold(0.0, f64::max);
        if extent <= SMALL * self.radius {
            self.middle_of_small(corners)
        } else {
            self.middle_of_large(corners)
        }
    }

    /// For a polygon so small that the rim is a straight line where it crosses it.
    fn middle_of_small(&self, corners: &[DVec2]) -> Option<DVec2> {
        let outward = (corners[0] - self.centre).normalize_or_zero();
        let rim = self.centre + outward * self.radius;
        let mut within = Polygon::default();
        cut(corners, |x| outward.dot(rim - x), |x| within.push(x));
        within.centroid()
    }

    /// By the integral around what they have in common: edges where they are inside, arcs where they are not.
    fn middle_of_large(&self, corners: &[DVec2]) -> Option<DVec2> {
        let (mut twice, mut moment) = (0.0, DVec2::ZERO);
        for (i, corner) in corners.iter().enumerate() {
            let [p, q] = [*corner, corners[(i + 1) % corners.len()]].map(|x| x - self.centre);
            let [enter, leave] = self.inside(p, q);
            let way = [p, p + (q - p) * enter, p + (q - p) * leave, q];
            for (from, to) in [(way[0], way[1]), (way[2], way[3])] {
                let [from, to] = [from, to].map(|x| x.normalize_or_zero() * self.radius);
                twice += self.radius * self.radius * libm::atan2(from.perp_dot(to), from.dot(to));
                moment -= (to - from).perp() * (self.radius * self.radius / 3.0);
            }
            let triangle = way[1].perp_dot(way[2]);
            twice += triangle;
            moment += (way[1] + way[2]) * (triangle / 6.0);
        }
        (twice > 0.0).then(|| self.centre + moment / (0.5 * twice))
    }

    /// Which part of the way from `p` to `q`, seen from the centre, lies inside; without length where none does.
    fn inside(&self, p: DVec2, q: DVec2) -> [f64; 2] {
        let way = q - p;
        let (square, half) = (way.length_squared(), p.dot(way));
        let discriminant = half * half - square * (p.length_squared() - self.radius * self.radius);
        if discriminant <= 0.0 || square == 0.0 {
            return [0.0; 2];
        }
        let root = discriminant.sqrt();
        [-half - root, -half + root].map(|t| (t / square).clamp(0.0, 1.0))
    }
}

/// Area of what a chord at a distance from the centre cuts off a disc, and its moment about the centre.
fn segment(radius: f64, distance: f64) -> (f64, f64) {
    let half_squared = (radius - distance) * (radius + distance);
    let half = half_squared.max(0.0).sqrt();
    (radius * radius * libm::atan2(half, distance) - distance * half, 2.0 / 3.0 * half * half * half)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The centroid of the points of a fine grid that lie in all of some regions.
    fn counted(inside: impl Fn(DVec2) -> bool) -> DVec2 {
        let place = |i: i32| (f64::from(i) + 0.5) * 1e-3;
        let (mut sum, mut count) = (DVec2::ZERO, 0.0);
        for i in -2000..2000 {
            for x in (-2000..2000).map(|j| DVec2::new(place(i), place(j))).filter(|&x| inside(x)) {
                sum += x;
                count += 1.0;
            }
        }
        sum / count
    }

    #[test]
    fn lenses_have_their_middle() {
        let a = Disc { centre: DVec2::new(0.1, -0.2), radius: 0.7 };
        for (shift, radius) in [(0.9, 0.5), (0.3, 0.5), (0.65, 0.3), (0.1, 0.2)] {
            let b = Disc { centre: a.centre + DVec2::new(0.6, 0.8) * shift, radius };
            let within = |disc: &Disc, x: DVec2| x.distance(disc.centre) < disc.radius;
            let expected = counted(|x| within(&a, x) && within(&b, x));
            for middle in [a.common_middle(&b), b.common_middle(&a)] {
                // Cells of 1e-3 along rims of some hundred cells.
                assert!(middle.unwrap().distance(expected) < 5e-4, "{shift}: {middle:?} {expected}");
            }
        }
        let symmetric = Disc { centre: a.centre + DVec2::X, radius: 0.7 };
        assert!(a.common_middle(&symmetric).unwrap().distance(a.centre + DVec2::X * 0.5) < 1e-15);
        assert!(a.common_middle(&Disc { centre: DVec2::X * 2.0, radius: 0.5 }).is_none());
    }

    #[test]
    fn discs_cut_by_polygons_have_their_middle() {
        let disc = Disc { centre: DVec2::new(0.3, 0.1), radius: 0.8 };
        let triangle = |x: f64, y: f64, size: f64| {
            [[-1.0, -0.5], [1.0, -0.7], [0.2, 0.9]].map(|[u, v]| DVec2::new(x + size * u, y + size * v))
        };
        // All round, across one side, across a corner, inside, and with the disc inside.
        for corners in [triangle(0.2, 0.0, 1.0), triangle(0.9, 0.3, 0.8), triangle(-1.2, 0.4, 0.9)]
            .into_iter()
            .chain([triangle(0.3, 0.1, 0.3), triangle(0.3, 0.1, 9.0)])
        {
            let left =
                |i: usize, x: DVec2| (corners[(i + 1) % 3] - corners[i]).perp_dot(x - corners[i]) > 0.0;
            let both = |x: DVec2| x.distance(disc.centre) < disc.radius && (0..3).all(|i| left(i, x));
            let middle = disc.common_middle_with(&corners).unwrap();
            assert!(middle.distance(counted(both)) < 5e-4, "{middle} {}", counted(both));
        }
        // The half to the right has its centroid at 4/3π of the radius.
        let half = [[0.0, -9.0], [9.0, -9.0], [9.0, 9.0], [0.0, 9.0]];
        let half = half.map(|[x, y]| disc.centre + DVec2::new(x, y));
        let expected = disc.centre + DVec2::X * (0.8 * 4.0 / (3.0 * std::f64::consts::PI));
        assert!(disc.common_middle_with(&half).unwrap().distance(expected) < 1e-15);
        assert!(disc.common_middle_with(&triangle(4.0, 0.0, 1.0)).is_none());
        // The flat part of a ball is a point, all but.
        let tiny = triangle(0.7, 0.4, 1e-9);
        assert!(disc.common_middle_with(&tiny).unwrap().distance(DVec2::new(0.7, 0.4)) < 1e-9);
        assert!(disc.common_middle_with(&triangle(0.3, 0.91, 1e-9)).is_none());
    }
}
