//! Every shape of the plane against every other.

use std::f64::consts::{PI, TAU};

use glam::DVec2;
use gritstone_core::{Plane, Pose};
use gritstone_shape::plane::{Circle, Ellipse, Figure, HalfPlane, Polygon, Segment, Superellipse};
use gritstone_shape::{Body, Support};

use super::{Case, Draw};

/// A family of pairs in the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mixed {
    /// The name by which it is called.
    pub name: &'static str,
    /// The constructed distance, as a fraction of the smallest half-width of both figures.
    pub distance: [f64; 2],
    /// Whether figures have the same axes and touch along one, between two or on an edge; exactly, in half of the pairs.
    pub aligned: bool,
}

/// Every family.
#[rustfmt::skip]
pub static MIXED: &[Mixed] = &[
    Mixed { name: "plane-separate", distance: [0.0, 0.5], aligned: false },
    Mixed { name: "plane-touching", distance: [-1e-6, 1e-6], aligned: false },
    Mixed { name: "plane-overlap", distance: [-0.05, 0.0], aligned: false },
    Mixed { name: "plane-deep", distance: [-2.0, -0.05], aligned: false },
    Mixed { name: "plane-aligned", distance: [-0.2, 0.05], aligned: true },
    Mixed { name: "plane-aligned-deep", distance: [-2.0, -0.2], aligned: true },
    Mixed { name: "plane-aligned-touching", distance: [0.0, 0.0], aligned: true },
];

/// Lengths are log-uniform on this interval.
const LENGTHS: [f64; 2] = [0.15, 3.0];

impl Mixed {
    /// Pair `index` of this family under `seed`.
    pub fn case(&self, seed: u64, index: u64) -> Case<Plane> {
        let stream =
            self.name.bytes().fold(0, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x9e37_79b1));
        let draw = &mut Draw::new(stream, seed, index);
        let (a, b) = (any_figure(draw), figure(draw));
        let smallest = a.half_extents().min(b.half_extents()).min_element();
        // Segments may have no width.
        let smallest = if smallest < LENGTHS[0] { 1.0 } else { smallest };
        let distance = smallest * draw.uniform(self.distance[0], self.distance[1]);
        let exact = self.aligned && draw.coin();
        let pose_a = if exact {
            Pose::at(DVec2::ZERO)
        } else {
            Pose::new(DVec2::new(draw.uniform(-5.0, 5.0), draw.uniform(-5.0, 5.0)), draw.uniform(-PI, PI))
        };
        let c = match &a {
            Figure::HalfPlane(wall) => pose_a.frame() * wall.normal(),
            a if self.aligned => pose_a.frame() * axis(a, draw),
            _ => DVec2::from_angle(draw.uniform(-PI, PI)),
        };
        let turn_b =
            if self.aligned { aligned(&b, -c, pose_a.rotation, draw) } else { draw.uniform(-PI, PI) };
        let pose_b = Pose::new(DVec2::ZERO, turn_b);
        if let Figure::HalfPlane(wall) = &a {
            // Its support point is one only along its normal to the last bit, which rotations do not keep.
            let lever_b = pose_b.to_world(b.support(pose_b.to_body(-c)));
            let position = pose_a.to_world(wall.normal() * wall.offset()) + c * distance - lever_b;
            return Case { a, pose_a, b, pose_b: Pose { position, ..pose_b }, built: None };
        }
        Case::around(a, pose_a, b, pose_b, c, distance)
    }
}

/// A direction along or between axes, or the normal of an edge.
fn axis(figure: &Figure, draw: &mut Draw) -> DVec2 {
    match figure {
        Figure::Polygon(polygon) => draw.one_of(polygon.edges()).normal,
        Figure::Segment(segment) => segment.ends()[1].normalize().perp(),
        _ => draw.one_of(&[DVec2::X, DVec2::NEG_Y, DVec2::ONE.normalize()]),
    }
}

/// A turn that has an edge of b, if there are any, along the direction `outward`; or the axes of a.
fn aligned(b: &Figure, outward: DVec2, turn_a: f64, draw: &mut Draw) -> f64 {
    match b {
        Figure::Polygon(_) | Figure::Segment(_) if draw.coin() => axis(b, draw).angle_to(outward),
        _ => turn_a + draw.one_of(&[0.0, 0.5 * PI]),
    }
}

/// Any shape but a half-plane.
fn figure(draw: &mut Draw) -> Figure {
    let length = |draw: &mut Draw| draw.log_uniform(LENGTHS[0], LENGTHS[1]);
    let lengths = |draw: &mut Draw| DVec2::new(length(draw), length(draw));
    let fine = "every family draws from inside the allowed ranges";
    match draw.one_of(&[0, 1, 1, 2, 2, 2, 3, 3, 3, 4]) {
        0 => Circle::new(length(draw)).expect(fine).into(),
        1 => Ellipse::new(lengths(draw)).expect(fine).into(),
        2 => {
            let blockiness = 1.0 + draw.log_uniform(0.05, 20.0);
            Superellipse::new(lengths(draw), blockiness).expect(fine).into()
        }
        3 => polygon(lengths(draw), draw),
        _ => {
            let half = DVec2::from_angle(draw.uniform(0.0, TAU)) * length(draw);
            Segment::between([-half, half]).expect(fine).0.into()
        }
    }
}

/// Any shape, now and then a half-plane.
fn any_figure(draw: &mut Draw) -> Figure {
    if draw.unit() < 0.05 {
        let normal = DVec2::from_angle(draw.uniform(0.0, TAU));
        return HalfPlane::new(normal, draw.uniform(-1.0, 1.0))
            .expect("a unit vector has a direction")
            .into();
    }
    figure(draw)
}

/// A rectangle, a regular polygon, or corners anywhere on an ellipse.
fn polygon(half: DVec2, draw: &mut Draw) -> Figure {
    let corners = 3 + (draw.unit() * 10.0) as u32;
    let angle = |k: u32| TAU * f64::from(k) / f64::from(corners);
    let points: Vec<DVec2> = match draw.one_of(&[0, 1, 2, 2]) {
        0 => [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)].map(|x| DVec2::from(x) * half).into(),
        1 => (0..corners).map(|k| DVec2::from_angle(angle(k)) * half.x).collect(),
        // Never all within half a turn, so that none is flat.
        _ => (0..corners)
            .map(|k| DVec2::from_angle(angle(k) + draw.uniform(0.0, 0.9 * TAU / f64::from(corners))) * half)
            .collect(),
    };
    Polygon::hull(&points).expect("corners all around enclose an area").0.into()
}
