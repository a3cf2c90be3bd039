//! A cylinder seen along a normal, as facets: its cap, and strips along its side.
//!
//! **Idea.** Only what reaches the other body counts: an arc of the rim with its chord, and an angle about the axis. Both are
//! divided evenly from their deepest points on, so that a cylinder that rolls, on its side or on its rim, always has the same
//! facets below it.

use glam::{DMat3, DVec2, DVec3};
use gritstone_shape::space::Cylinder;

use super::super::polygon::cut;
use super::View;
use super::facets::{EDGE_ON, FACET, Facets};

/// Parts of the arc, and strips of the side; an even number, so that one ends at the deepest line.
const ARC: usize = 24;
const STRIPS: usize = 8;
/// Cosine of the angle to the normal below which the cap or the side is not looked at: next to nothing of it is seen.
const STEEP: f64 = 1e-3;

/// A cylinder as it is seen: two coordinates across the normal, and one along it towards the other body.
struct Seen {
    centre: DVec3,
    /// Along the axis, towards the other body.
    axis: DVec3,
    /// Across the axis: towards the other body, and sideways.
    down: DVec3,
    aside: DVec3,
    /// Across the axis, fixed in the body.
    fixed: DVec3,
    /// Sine of the angle between axis and normal.
    lean: f64,
    radius: f64,
    half_height: f64,
    /// Height that the other body reaches.
    lowest: f64,
    side: f64,
}

impl Facets {
    /// Adds the facets of a cylinder.
    pub(super) fn add_cylinder(
        &mut self,
        cylinder: &Cylinder,
        frame: &DMat3,
        centre: DVec3,
        view: &View,
        side: f64,
    ) {
        let across = DMat3::from_cols(view.tangent.u, view.tangent.v, view.normal * side).transpose();
        let axis = across * frame.z_axis;
        let axis = if axis.z < 0.0 { -axis } else { axis };
        let lean = axis.truncate().length();
        // Without differences: on a cap, where the lean is all rounding, one way is as good as the other.
        let aside = if lean > 0.0 { DVec3::new(axis.y, -axis.x, 0.0) / lean } else { DVec3::X };
        let seen = Seen {
            centre: across * centre,
            axis,
            down: aside.cross(axis),
            aside,
            fixed: across * frame.x_axis,
            lean,
            radius: cylinder.radius(),
            half_height: cylinder.half_height(),
            lowest: -view.reach,
            side,
        };
        self.add_cap(&seen);
        self.add_side(&seen);
    }

    fn add_cap(&mut self, seen: &Seen) {
        let normal = seen.axis;
        if normal.z < STEEP {
            return;
        }
        let centre = seen.centre + normal * seen.half_height;
        let Some(half) = seen.angle(seen.lowest - centre.z, std::f64::consts::PI) else { return };
        // A whole cap has its corners always at the same places: there may be no deepest one.
        let whole = half == std::f64::consts::PI;
        let [from, to] =
            if whole { [seen.fixed, seen.axis.cross(seen.fixed)] } else { [seen.down, seen.aside] };
        let corner = |i: usize| {
            let (sin, cos) = libm::sincos(half * (2.0 * i as f64 / ARC as f64 - 1.0));
            (centre + (from * cos + to * sin) * seen.radius).truncate()
        };
        let plane = seen.plane(normal, centre);
        // In parts that share the first corner.
        for first in (1..ARC).step_by(FACET - 2) {
            let mut corners = [corner(0); FACET];
            let count = (FACET - 1).min(ARC + 1 - first);
            (0..count).for_each(|i| corners[i + 1] = corner(first + i));
            self.add(&corners[..=count], plane.0, plane.1);
        }
    }

    fn add_side(&mut self, seen: &Seen) {
        if seen.lean < STEEP {
            return;
        }
        let end = seen.axis * seen.half_height;
        let top = seen.centre.z + end.z;
        let Some(half) = seen.angle(seen.lowest - top, std::f64::consts::FRAC_PI_2) else { return };
        for strip in 0..STRIPS {
            let angle = |i: f64| half * (2.0 * (strip as f64 + i) / STRIPS as f64 - 1.0);
            let normal = seen.radial(angle(0.5));
            if normal.z < EDGE_ON {
                continue;
            }
            let [p, q] = [0.0, 1.0].map(|i| seen.centre + seen.radial(angle(i)) * seen.radius);
            let plane = seen.plane(normal, p);
            let (corners, count) = above(&[p - end, q - end, q + end, p + end], seen.lowest);
            self.add(&corners[..count], plane.0, plane.1);
        }
    }
}

impl Seen {
    /// Unit vector across the axis, at an angle from the one towards the other body.
    fn radial(&self, angle: f64) -> DVec3 {
        let (sin, cos) = libm::sincos(angle);
        self.down * cos + self.aside * sin
    }

    /// The angle up to which a circle about the axis is at least this high above its middle; none if it is nowhere.
    fn angle(&self, height: f64, most: f64) -> Option<f64> {
        let reach = self.radius * self.lean;
        (height < reach).then(|| if height <= -reach { most } else { libm::acos(height / reach).min(most) })
    }

    /// Height and slope of a plane in the view of both bodies.
    fn plane(&self, normal: DVec3, point: DVec3) -> (f64, DVec2) {
        let slope = -normal.truncate() / normal.z;
        (self.side * (point.z - slope.dot(point.truncate())), slope * self.side)
    }
}

/// The part of a convex polygon that is no lower than this, seen along the normal.
fn above(corners: &[DVec3; 4], lowest: f64) -> ([DVec2; FACET], usize) {
    let (mut kept, mut count) = ([DVec2::ZERO; FACET], 0);
    cut(
        corners,
        |x| x.z - lowest,
        |x| {
            kept[count] = x.truncate();
            count += 1;
        },
    );
    (kept, count)
}
