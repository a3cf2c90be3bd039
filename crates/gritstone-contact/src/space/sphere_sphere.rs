//! Two spheres: closed form.

use glam::DVec3;
use gritstone_core::{Contact, Pose, Space};
use gritstone_shape::space::Sphere;

use crate::method::Goal;
use crate::{Answer, Query, Verdict, tolerance};

/// The contact of two spheres. Where the centres coincide every direction is as good, and x is taken.
pub(crate) fn solve(
    a: &Sphere,
    pose_a: &Pose<Space>,
    b: &Sphere,
    pose_b: &Pose<Space>,
    query: Query<Space>,
) -> Answer<Space> {
    let offset = pose_b.position - pose_a.position;
    let distance = offset.length();
    let normal = offset.try_normalize().unwrap_or(DVec3::X);
    let gap = distance - (a.radius() + b.radius());
    let verdict = if gap > 0.0 && query.goal == Goal::Detect {
        Verdict::Apart { at_least: gap, along: normal }
    } else {
        Verdict::Solved(Contact {
            point_a: pose_a.position + normal * a.radius(),
            point_b: pose_a.position + normal * (a.radius() + gap),
            normal,
            gap,
            curvature: [a.radius().recip() + b.radius().recip(); 2],
        })
    };
    let tolerance = tolerance::CERTIFICATE * a.radius().min(b.radius());
    Answer::new(verdict, [gap; 2], tolerance, [0; 2])
}
