//! The shortest link of two segments in a plane (\[nezami2006\], appendix A).

use glam::DVec2;

/// Where on the segments AB and CD, from 0 to 1, their shortest link ends.
pub(crate) fn shortest_link([a, b]: [DVec2; 2], [c, d]: [DVec2; 2]) -> [f64; 2] {
    let (ab, cd, ac) = (b - a, d - c, c - a);
    // Figure A1(a): they cross, and the link is a point.
    let across = ab.perp_dot(cd);
    if across != 0.0 {
        let crossing = [ac.perp_dot(cd) / across, ac.perp_dot(ab) / across];
        if crossing.iter().all(|t| (0.0..=1.0).contains(t)) {
            return crossing;
        }
    }
    // Figure A1(b), right: A₁, B₁, C₁, D₁, of which those inside of the segments count.
    let on_cd = |x: DVec2| (x - c).dot(cd) / cd.length_squared();
    let on_ab = |x: DVec2| (x - a).dot(ab) / ab.length_squared();
    let feet = [[0.0, on_cd(a)], [1.0, on_cd(b)], [on_ab(c), 0.0], [on_ab(d), 1.0]]
        .into_iter()
        .filter(|link| link.iter().all(|t| (0.0..=1.0).contains(t)));
    // Figure A1(b), left: AC, BC, AD and BD (printed as CD).
    let corners = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]];
    let length = |&[s, t]: &[f64; 2]| (c + cd * t).distance_squared(a + ab * s);
    feet.chain(corners).min_by(|x, y| length(x).total_cmp(&length(y))).unwrap_or([0.0, 0.0])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(ab: [(f64, f64); 2], cd: [(f64, f64); 2]) -> (DVec2, DVec2) {
        let (ab, cd) = (ab.map(DVec2::from), cd.map(DVec2::from));
        let [s, t] = shortest_link(ab, cd);
        (ab[0].lerp(ab[1], s), cd[0].lerp(cd[1], t))
    }

    #[test]
    fn segments_that_cross_have_a_link_without_length() {
        let (p, q) = link([(0.0, 0.0), (2.0, 2.0)], [(0.0, 2.0), (2.0, 0.0)]);
        assert_eq!((p, q), (DVec2::ONE, DVec2::ONE));
    }

    /// Each of the eight candidates where it is the shortest.
    #[test]
    fn segments_apart_are_linked_at_an_end_of_one_of_them() {
        let ab = [(0.0, 0.0), (4.0, 0.0)];
        let cases = [
            ([(1.0, 1.0), (2.0, 5.0)], ((1.0, 0.0), (1.0, 1.0))),
            ([(2.0, 5.0), (3.0, 1.0)], ((3.0, 0.0), (3.0, 1.0))),
            ([(-1.0, -2.0), (-1.0, 3.0)], ((0.0, 0.0), (-1.0, 0.0))),
            ([(5.0, -2.0), (5.0, 3.0)], ((4.0, 0.0), (5.0, 0.0))),
            ([(-3.0, 4.0), (-5.0, 9.0)], ((0.0, 0.0), (-3.0, 4.0))),
            ([(-5.0, 9.0), (-3.0, 4.0)], ((0.0, 0.0), (-3.0, 4.0))),
            ([(7.0, 4.0), (9.0, 9.0)], ((4.0, 0.0), (7.0, 4.0))),
            ([(9.0, 9.0), (7.0, 4.0)], ((4.0, 0.0), (7.0, 4.0))),
        ];
        for (cd, (p, q)) in cases {
            let found = link(ab, cd);
            assert!(found.0.distance(p.into()).max(found.1.distance(q.into())) < 1e-15, "{cd:?}: {found:?}");
        }
    }

    #[test]
    fn parallel_segments_are_linked_across() {
        let (p, q) = link([(0.0, 0.0), (4.0, 0.0)], [(3.0, 0.5), (1.0, 0.5)]);
        assert_eq!((q - p, p.x >= 1.0 && p.x <= 3.0), (DVec2::new(0.0, 0.5), true));
        let (p, q) = link([(0.0, 0.0), (4.0, 0.0)], [(6.0, 0.0), (5.0, 0.0)]);
        assert_eq!((p.x, q.x), (4.0, 5.0));
    }
}
