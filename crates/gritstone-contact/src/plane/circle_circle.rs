//! Two circles: closed form.

use glam::DVec2;
use gritstone_core::{Contact, Plane, Pose};

use crate::method::Goal;
use crate::{Answer, Query, Verdict, tolerance};

/// The contact of two circles. Where the centres coincide every direction is as good, and x is taken.
pub(crate) fn solve(
    r_a: f64,
    pose_a: &Pose<Plane>,
    r_b: f64,
    pose_b: &Pose<Plane>,
    query: Query<Plane>,
) -> Answer<Plane> {
    let offset = pose_b.position - pose_a.position;
    let normal = offset.try_normalize().unwrap_or(DVec2::X);
    let gap = offset.length() - (r_a + r_b);
    let verdict = if gap > 0.0 && query.goal == Goal::Detect {
        Verdict::Apart { at_least: gap, along: normal }
    } else {
        Verdict::Solved(Contact {
            point_a: pose_a.position + normal * r_a,
            point_b: pose_a.position + normal * (r_a + gap),
            normal,
            gap,
            curvature: r_a.recip() + r_b.recip(),
        })
    };
    let tolerance = tolerance::CERTIFICATE * r_a.min(r_b);
    Answer::new(verdict, [gap; 2], tolerance, [0; 2])
}
