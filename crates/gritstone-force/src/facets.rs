//! Flat bodies on bumpy surfaces: an energy of how deep the surface's facets are in the body.
//!
//! **Idea.** Where bumps are as wide as grains, a grain overlaps several of them, and what it overlaps with is not convex. The depth d of a
//! point in the grain is its distance from the nearest of the grain's faces. Integrals of d and d² over the parts of the facets that are in
//! the grain change smoothly as the grain moves: over edges, into valleys, wherever parts begin, end, meet and split. With the mean depth
//! `δ̄ = ∫d²/∫d` and the mean area `Ā = (∫d)²/∫d²` the energy is `½·K·δ̄²`, with K as for [overlaps](crate::moment): a face on a
//! flat facet has the depth, the area and the stiffness of that law. Facets that hang together and look about the same way are one group
//! with one such energy, fixed once for all; the energies of groups add up. So tiles are one floor, and the walls of a corner are two.
//!
//! The force is the gradient: where the grain moves by u, the depth of a point of the surface grows by n·u with n of the nearest face.
//!
//! **Source.** Gritstone.
//!
//! **Deviations.** The depth in a grain is measured to its sides, too: a face of the width L is softer by 0.7·δ/L, an edge has 0.22 of the
//! stiffness of a face (overlaps: 0.5), a corner of a cube 0.08 (0.3).

use glam::DVec3;
use gritstone_core::Space;
use gritstone_core::linalg::Sym3;

use crate::moment::{HERTZ, OverlapForce, PressedOverlap, combined, punch_pull_off};
use crate::{Cohesion, Interaction, Spring, Touch, Wrench};

/// Integrals over the parts of a group of facets that are in a grain; positions are from the contact point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FacetMoments {
    /// ∫d dS (m³).
    pub depth: f64,
    /// ∫d² dS (m⁴).
    pub square: f64,
    /// What a pressure of one on the nearest faces does to the surface (m², m³).
    pub uniform: Wrench,
    /// What the pressure 2d does (m³, m⁴).
    pub linear: Wrench,
    /// Area (m²), ∫x dS, ∫xxᵀ dS.
    pub area: f64,
    /// ∫x dS (m³).
    pub first: DVec3,
    /// ∫xxᵀ dS (m⁴).
    pub second: Sym3,
}

/// What groups of facets that act as one contact do.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FacetForce {
    /// The energy and its wrenches on the surface.
    pub found: OverlapForce,
    /// As in [`FacetMoments`].
    pub area: f64,
    /// As in [`FacetMoments`].
    pub first: DVec3,
    /// As in [`FacetMoments`].
    pub second: Sym3,
}

impl FacetForce {
    /// Both together.
    pub fn and(&self, other: &Self) -> Self {
        let sum = |a: &Wrench, b: &Wrench| combined((1.0, a), (1.0, b));
        let [a, b] = [&self.found, &other.found];
        Self {
            found: OverlapForce {
                energy: a.energy + b.energy,
                adhesion: a.adhesion + b.adhesion,
                elastic: sum(&a.elastic, &b.elastic),
                pull: sum(&a.pull, &b.pull),
            },
            area: self.area + other.area,
            first: self.first + other.first,
            second: self.second + other.second,
        }
    }
}

impl Interaction {
    /// The energy of a group of facets, and what it does.
    pub fn facet_force(&self, facets: &FacetMoments) -> FacetForce {
        let FacetMoments { depth, square, area, first, second, .. } = *facets;
        // `value ∝ depth^m·square^n`.
        let power = |value: f64, [m, n]: [f64; 2]| {
            let wrench = combined((m * value / depth, &facets.uniform), (n * value / square, &facets.linear));
            (value, wrench)
        };
        let mean = square / depth;
        let (energy, elastic) = match self.spring {
            // ½·kn·δ̄².
            Spring::Linear { kn, .. } => power(0.5 * kn * mean * mean, [-2.0, 2.0]),
            // ½·K·δ̄² with √Ā·δ̄² = (∫d²)^(3/2)/∫d.
            Spring::Hertz { young, .. } => {
                power(0.5 * HERTZ * young * square * square.sqrt() / depth, [-1.0, 1.5])
            }
        };
        let (adhesion, pull) = match (self.cohesion, self.spring) {
            (Cohesion::Linear { density }, _) => power(-density * depth, [1.0, 0.0]),
            // Ā^(3/4)·δ̄ = √∫d·(∫d²)^(1/4).
            (Cohesion::Jkr { work }, Spring::Hertz { young, .. }) => {
                power(-punch_pull_off(young, work, depth / mean) * mean, [0.5, 0.25])
            }
            _ => (0.0, Wrench::default()),
        };
        FacetForce { found: OverlapForce { energy, adhesion, elastic, pull }, area, first, second }
    }

    /// What facets do but for friction: see [`Self::press_overlap`].
    pub fn press_facets(
        &self,
        touch: &Touch<Space>,
        facets: &FacetForce,
        last: Option<f64>,
        dt: f64,
        yielding: impl Fn(&Wrench) -> f64,
    ) -> Option<PressedOverlap> {
        let centroid = facets.first / facets.area;
        let of = |product: f64, x: f64, y: f64| product / facets.area - x * y;
        let DVec3 { x, y, z } = centroid;
        let second = &facets.second;
        let covariance = Sym3 {
            xx: of(second.xx, x, x),
            yy: of(second.yy, y, y),
            zz: of(second.zz, z, z),
            xy: of(second.xy, x, y),
            xz: of(second.xz, x, z),
            yz: of(second.yz, y, z),
        };
        self.press_found(touch, &facets.found, (centroid, &covariance), last, dt, yielding)
    }
}
