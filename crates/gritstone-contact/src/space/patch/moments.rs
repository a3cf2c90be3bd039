//! Integrals over a patch.

use glam::{DVec2, DVec3};
use gritstone_core::linalg::{Sym2, Tangent};

/// Integrals over a patch, in a frame whose origin is the contact's middle: levers are from there, the first two
/// coordinates across the normal, the third along it, midway between the surfaces.
#[derive(Clone, Copy, Debug, Default)]
pub struct Moments {
    /// Of one, of the depth, and of its square.
    pub area: f64,
    /// Of the depth.
    pub volume: f64,
    /// Of the depth's square.
    pub square: f64,
    /// Of the lever.
    pub lever: DVec3,
    /// Of the depth times the lever.
    pub deep_lever: DVec3,
    /// Of the products of the lever's parts across the normal.
    pub second: Sym2,
    /// Of the depth times the square of the lever across the normal.
    pub deep_square: f64,
    /// Axes of the first two coordinates, and the normal.
    pub axes: [DVec3; 3],
}

impl Moments {
    /// Nothing yet, seen along `normal`.
    #[inline(always)]
    pub(super) fn new(tangent: &Tangent, normal: DVec3) -> Self {
        Self { axes: [tangent.u, tangent.v, normal], ..Self::default() }
    }

    /// A vector of this frame in the world.
    #[inline(always)]
    pub fn lift(&self, v: DVec3) -> DVec3 {
        let [x, y, z] = self.axes;
        x * v.x + y * v.y + z * v.z
    }

    /// Adds a triangle, on which all is linear.
    ///
    /// Over a triangle of area A, with sums S and Σ over its corners: `∫f = A/3·Sf`, `∫fg = A/12·(Sf·Sg + Σfg)`,
    /// `∫fgh = A/60·(Sf·Sg·Sh + Sf·Σgh + Sg·Σfh + Sh·Σfg + 2Σfgh)`.
    #[inline(always)]
    pub(super) fn add(&mut self, p: &Point, q: &Point, r: &Point) {
        let area = 0.5 * (q.x - p.x).perp_dot(r.x - p.x);
        let (third, twelfth) = (area * (1.0 / 3.0), area * (1.0 / 12.0));
        let (sum, deep) = (p.x + q.x + r.x, p.deep + q.deep + r.deep);
        let depth = deep.x;
        // Σδx, Σδy; Σδδ, Σδz; Σxx, Σyy.
        let with_depth = p.x * p.deep.x + q.x * q.deep.x + r.x * r.deep.x;
        let deeper = p.deep * p.deep.x + q.deep * q.deep.x + r.deep * r.deep.x;
        let squares = p.x * p.x + q.x * q.x + r.x * r.x;
        let deep_lever = (sum * depth + with_depth) * twelfth;
        let deep_depth = (deep * depth + deeper) * twelfth;
        let second = (sum * sum + squares) * twelfth;
        self.area += area;
        self.volume += third * depth;
        self.square += deep_depth.x;
        self.lever += (sum * third).extend(third * deep.y);
        self.deep_lever += deep_lever.extend(deep_depth.y);
        self.second.xx += second.x;
        self.second.yy += second.y;
        self.second.xy += twelfth * (sum.x * sum.y + p.x.x * p.x.y + q.x.x * q.x.y + r.x.x * r.x.y);
        let cubes = (p.x * p.x) * p.deep.x + (q.x * q.x) * q.deep.x + (r.x * r.x) * r.deep.x;
        let deep_squares = (sum * sum + squares) * depth + (sum * with_depth + cubes) * 2.0;
        self.deep_square += (area * (1.0 / 60.0)) * (deep_squares.x + deep_squares.y);
    }
}

/// A corner as it is seen.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Point {
    /// Its lever across the normal.
    pub(super) x: DVec2,
    /// The depth there, and its lever along the normal.
    pub(super) deep: DVec2,
}
