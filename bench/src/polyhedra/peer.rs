//! The same pairs for parry3d-f64.

use glam::DVec3;
use gritstone_core::{Pose, Space};
use gritstone_shape::space::Solid;
use parry3d_f64::math;
use parry3d_f64::query::details::contact_support_map_support_map_with_params;
use parry3d_f64::query::gjk::{GJKResult, VoronoiSimplex};
use parry3d_f64::shape::ConvexPolyhedron;

/// Two convex polyhedra as the peer takes them.
pub(super) struct Peer {
    shapes: [ConvexPolyhedron; 2],
    /// The normals before and after the move, in the frame of the first: what the peer asks to be started from.
    directions: [Option<DVec3>; 2],
}

impl Peer {
    /// The pair, and the directions that its solves from scratch end with.
    pub(super) fn new(bodies: &[(Solid, Pose<Space>); 2], moved: &[(Solid, Pose<Space>); 2]) -> Self {
        let shapes = bodies.each_ref().map(|(solid, _)| {
            let vertices = solid.polytope().map_or(&[][..], |polytope| polytope.vertices());
            ConvexPolyhedron::from_convex_hull(vertices).expect("a polytope has a hull")
        });
        let mut peer = Self { shapes, directions: [None; 2] };
        peer.directions = [bodies, moved].map(|bodies| match peer.cold([bodies[0].1, bodies[1].1]) {
            GJKResult::ClosestPoints(_, _, normal) => Some(normal),
            _ => None,
        });
        peer
    }

    /// GJK, and EPA where the bodies overlap, from the centres' line.
    pub(super) fn cold(&self, poses: [Pose<Space>; 2]) -> GJKResult {
        self.solve(poses, None)
    }

    /// The same from the last normal: that before the move where it goes `forth`, else that after it.
    pub(super) fn warm(&self, poses: [Pose<Space>; 2], forth: bool) -> GJKResult {
        self.solve(poses, self.directions[usize::from(!forth)])
    }

    fn solve(&self, poses: [Pose<Space>; 2], direction: Option<DVec3>) -> GJKResult {
        let [a, b] = poses.map(|pose| math::Pose::from_parts(pose.position, pose.rotation));
        let [x, y] = &self.shapes;
        let simplex = &mut VoronoiSimplex::new();
        contact_support_map_support_map_with_params(&a.inv_mul(&b), x, y, f64::MAX, simplex, direction)
    }
}

/// The signed distance; not a number where the peer gave up.
pub(super) fn distance(result: &GJKResult) -> f64 {
    match result {
        GJKResult::ClosestPoints(a, b, normal) => (*b - *a).dot(*normal),
        _ => f64::NAN,
    }
}
