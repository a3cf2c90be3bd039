//! The outline of a periodic cell.

use glam::DVec3;

/// A periodic cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CellPlace {
    pub(super) centre: DVec3,
    /// From a place to the next one that is the same; none along axes where nothing repeats.
    pub(super) sides: [Option<DVec3>; 3],
}

impl CellPlace {
    /// Its edges in 2 or 3 dimensions. Where nothing repeats it reaches as far as the grains, whose bounds are given.
    pub(super) fn edges(&self, dimension: usize, [low, high]: [DVec3; 2]) -> Vec<[DVec3; 2]> {
        let mut middle = self.centre;
        let mut sides = [DVec3::ZERO; 3];
        for axis in 0..dimension {
            sides[axis] = self.sides[axis].unwrap_or_else(|| {
                middle[axis] = 0.5 * (low[axis] + high[axis]);
                DVec3::AXES[axis] * (high[axis] - low[axis])
            });
        }
        let half = |bits: usize, axis: usize| if bits >> axis & 1 == 0 { -0.5 } else { 0.5 };
        let corner = |bits: usize| middle + (0..3).map(|axis| sides[axis] * half(bits, axis)).sum::<DVec3>();
        // From each corner along every axis at whose beginning it is.
        let corners = 0..1_usize << dimension;
        corners
            .flat_map(|bits| (0..dimension).map(move |axis| (bits, axis)))
            .filter(|(bits, axis)| bits >> axis & 1 == 0)
            .map(|(bits, axis)| [corner(bits), corner(bits | 1 << axis)])
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: [DVec3; 2] = [DVec3::new(-9.0, -9.0, 1.0), DVec3::new(9.0, 9.0, 3.0)];

    #[test]
    fn a_sheared_cell_in_the_plane_is_a_parallelogram() {
        let (x, y) = (DVec3::new(2.0, 0.0, 0.0), DVec3::new(0.5, 1.0, 0.0));
        let cell = CellPlace { centre: DVec3::new(1.0, 0.5, 0.0), sides: [Some(x), Some(y), None] };
        let edges = cell.edges(2, BOUNDS);
        assert_eq!(edges.len(), 4);
        let first = DVec3::new(-0.25, 0.0, 0.0);
        assert_eq!(edges[..2], [[first, first + x], [first, first + y]]);
    }

    #[test]
    fn where_nothing_repeats_it_ends_with_the_grains() {
        let cell =
            CellPlace { centre: DVec3::ZERO, sides: [Some(DVec3::X * 4.0), Some(DVec3::Y * 4.0), None] };
        let edges = cell.edges(3, BOUNDS);
        assert_eq!(edges.len(), 12);
        let heights: Vec<f64> = edges.iter().flatten().map(|corner| corner.z).collect();
        assert!(heights.iter().all(|z| [1.0, 3.0].contains(z)));
        assert!(edges.iter().flatten().all(|corner| corner.x.abs() == 2.0 && corner.y.abs() == 2.0));
    }
}
