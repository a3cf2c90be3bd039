use std::f64::consts::TAU;

use glam::{DQuat, DVec3};
use gritstone_shape::space::{Capsule, Cylinder, Ellipsoid, Polyhedron, Sphere, Superellipsoid};

use super::*;

/// Numbers between -1 and 1: splitmix64.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        2.0 * ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64 - 1.0
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.next(), self.next(), self.next())
    }

    fn pose(&mut self, position: DVec3) -> Pose<Space> {
        Pose::new(position, DQuat::from_scaled_axis(self.vector() * 3.0))
    }
}

fn shapes() -> Vec<Solid> {
    let mut draw = Draw(1);
    let corners: Vec<DVec3> = (0..9).map(|_| draw.vector().normalize()).collect();
    vec![
        Sphere::new(0.8).unwrap().into(),
        Ellipsoid::new(DVec3::new(1.0, 0.5, 0.3)).unwrap().into(),
        Ellipsoid::new(DVec3::new(1.0, 0.9, 0.1)).unwrap().into(),
        Superellipsoid::new(DVec3::new(1.0, 0.6, 0.5), [0.4, 0.4]).unwrap().into(),
        Superellipsoid::new(DVec3::new(0.7, 0.9, 0.5), [1.5, 1.2]).unwrap().into(),
        Capsule::new(0.2, 0.8).unwrap().into(),
        Cylinder::new(0.7, 0.4).unwrap().into(),
        Polyhedron::hull(&corners).unwrap().0.into(),
    ]
}

/// Inside and outside of a cylinder of radius 5, inside and outside of a cone.
fn sides() -> [TangentPlanes; 4] {
    let (cosine, sine) = (0.8, -0.6);
    [
        TangentPlanes { radial: 1.0, axial: 0.0, offset: 5.0 },
        TangentPlanes { radial: -1.0, axial: 0.0, offset: -5.0 },
        TangentPlanes { radial: cosine, axial: sine, offset: 4.0 },
        TangentPlanes { radial: -cosine, axial: -sine, offset: -4.0 },
    ]
}

fn find(band: Band, shape: &Solid, pose: &Pose<Space>) -> (Reach, Vec<Extremum>) {
    let mut found = Vec::new();
    let reach = band.find(shape, pose, &mut Scratch::default(), &mut found);
    (reach, found)
}

/// Depths in many half-spaces that touch a side.
fn scan(planes: &TangentPlanes, shape: &Solid, pose: &Pose<Space>, count: u32) -> Vec<f64> {
    let body = Body { shape, pose: *pose, frame: pose.frame(), size: shape.size() };
    let depth = |k: u32| {
        let angle = TAU * f64::from(k) / f64::from(count);
        let direction = planes.direction(DVec2::from_angle(angle));
        direction.dot(body.support(direction)) - planes.offset
    };
    (0..count).map(depth).collect()
}

/// Poses of a body that touches a side: moved along the normal so that it is deep by this.
fn touching(planes: &TangentPlanes, shape: &Solid, draw: &mut Draw, depth: f64) -> Pose<Space> {
    let u = DVec2::from_angle(3.0 * draw.next());
    let height = 0.5 * draw.next();
    let mut pose = draw.pose((u * 5.0).extend(height));
    if draw.next() > 0.0 {
        // Its x axis about along the side, around the axis.
        let along = DQuat::from_rotation_z(u.to_angle() + TAU / 4.0);
        pose.rotation = DQuat::from_scaled_axis(draw.vector() * 0.05) * along;
    }
    for _ in 0..60 {
        let reach = {
            let all = scan(planes, shape, &pose, 4000);
            let (least, most) = (f64::min, f64::max);
            if planes.is_hollow() { all.into_iter().fold(-1e9, most) } else { all.into_iter().fold(1e9, least) }
        };
        pose.position += planes.direction(u) * (depth - reach);
        if (depth - reach).abs() < 1e-6 {
            break;
        }
    }
    pose
}

#[test]
fn depths_are_the_largest_and_the_least_of_all_directions() {
    let mut draw = Draw(2);
    for planes in sides() {
        for shape in shapes() {
            for depth in [0.02, -0.02] {
                let pose = touching(&planes, &shape, &mut draw, depth);
                let all = scan(&planes, &shape, &pose, 100_000);
                let far = if planes.is_hollow() { f64::max } else { f64::min };
                let scanned = all.into_iter().reduce(far).unwrap();
                let (reach, found) = find(Band::Side(planes), &shape, &pose);
                assert!(reach.certified);
                if depth < 0.0 {
                    assert!(found.is_empty(), "{planes:?} {shape:?}: {found:?}");
                    assert!(reach.depth >= scanned - 1e-7 && reach.depth <= 0.0, "{reach:?} {scanned}");
                    continue;
                }
                let deepest = found.iter().map(|e| e.depth).fold(f64::NEG_INFINITY, f64::max);
                // The scan misses the extremum by the curvature over a step of 6e-5 rad.
                assert!((deepest - scanned).abs() < 1e-7, "{planes:?} {shape:?}: {deepest} {scanned}");
                assert!(reach.depth >= deepest - 1e-12);
                for extremum in &found {
                    let foot = extremum.foot();
                    assert!((extremum.direction.dot(foot) - planes.offset).abs() < 1e-12);
                    // Straight behind the axis.
                    let across = extremum.direction.truncate().perp_dot(foot.truncate());
                    assert!(across.abs() < 1e-9, "{planes:?} {shape:?}: {across}");
                }
            }
        }
    }
}

/// The signed number of extrema is the number of pieces of the overlap, at each depth, for bodies that are smooth.
#[test]
fn all_extrema_are_found() {
    let mut draw = Draw(3);
    let planes = sides()[0];
    let smooth = |shape: &Solid| !matches!(shape, Solid::Capsule(_) | Solid::Cylinder(_) | Solid::Polyhedron(_));
    let mut several = 0;
    for shape in shapes().iter().filter(|shape| smooth(shape)) {
        for _ in 0..40 {
            let pose = touching(&planes, shape, &mut draw, 0.05);
            let all = scan(&planes, shape, &pose, 10_000);
            let found = find(Band::Side(planes), shape, &pose).1;
            for level in [0.0, 0.01, 0.03, 0.049] {
                let above = |k: usize| all[k % all.len()] > level;
                let pieces = (0..all.len()).filter(|&k| above(k + 1) && !above(k)).count();
                let counted: f64 = found.iter().filter(|e| e.depth > level).map(|e| e.sign).sum();
                assert_eq!(counted, pieces as f64, "{shape:?} at {level}: {found:?}");
                several += usize::from(pieces > 1);
            }
        }
    }
    assert!(several > 20, "{several}");
}

/// A bar across a drum touches at both ends: a capsule of half-length H and radius r whose middle is R − δ − √(…) away.
#[test]
fn a_capsule_across_a_drum_touches_at_both_ends() {
    let planes = sides()[0];
    let (radius, half) = (0.2, 0.8);
    let shape: Solid = Capsule::new(radius, half).unwrap().into();
    let depth = 0.01;
    let away = ((5.0 + depth - radius) * (5.0 + depth - radius) - half * half).sqrt();
    let pose = Pose::new(DVec3::X * away, DQuat::from_rotation_x(TAU / 4.0));
    let found = find(Band::Side(planes), &shape, &pose).1;
    assert_eq!(found.len(), 2);
    for extremum in found {
        assert!((extremum.depth - depth).abs() < 1e-14);
        assert!((extremum.point.y.abs() - half * (1.0 + radius / (5.0 + depth - radius))).abs() < 1e-12);
    }
}

/// Edges against a fine scan of the depth of their points. Deep in a body that has kinks: a step of it is 3e-6 rad.
#[test]
fn edges_are_nearest_where_a_scan_has_them() {
    let mut draw = Draw(4);
    for shape in shapes() {
        for inside in [true, false] {
            let edge = Band::Edge { radius: 3.0, height: 0.5 };
            let u = DVec2::from_angle(3.0 * draw.next());
            let rise = 0.6 * draw.next();
            let distance = if inside { 2.3 } else { 3.8 };
            let pose = draw.pose((u * distance).extend(0.5 + rise));
            let body = Body { shape: &shape, pose, frame: pose.frame(), size: shape.size() };
            let mut scratch = Scratch::default();
            let mut curve = EdgeCurve { body: &body, radius: 3.0, height: 0.5, scratch: &mut scratch };
            let mut depth = |angle: f64| search::Curve::node(&mut curve, DVec2::from_angle(angle)).depth;
            let mut scan = |from: f64, step: f64| {
                let angles = (0..2000).map(|k| from + step * f64::from(k));
                angles.map(|angle| (depth(angle), angle)).max_by(|a, b| a.0.total_cmp(&b.0)).unwrap()
            };
            let (_, coarse) = scan(0.0, TAU / 2000.0);
            let (scanned, _) = scan(coarse - TAU / 2000.0, TAU / 2e6);
            let (reach, found) = find(edge, &shape, &pose);
            if scanned <= 0.0 {
                assert!(found.is_empty() && reach.depth >= scanned - 1e-9, "{shape:?} {reach:?} {scanned}");
                continue;
            }
            let deepest = found.iter().map(|e| e.depth).fold(f64::NEG_INFINITY, f64::max);
            assert!((deepest - scanned).abs() < 6e-6 && deepest > scanned - 1e-9, "{shape:?} {deepest} {scanned}");
        }
    }
}

/// The force of `Σ ± ½ D²` is its gradient, in all six directions, wherever extrema come and go.
#[test]
fn the_signed_sum_has_a_gradient() {
    let mut draw = Draw(5);
    let hollow = [sides()[0], sides()[2]];
    for planes in hollow {
        for shape in shapes() {
            let energy = |pose: &Pose<Space>| -> f64 {
                let found = find(Band::Side(planes), &shape, pose).1;
                found.iter().map(|e| 0.5 * e.sign * e.depth * e.depth).sum()
            };
            for _ in 0..6 {
                let pose = touching(&planes, &shape, &mut draw, 0.03);
                let found = find(Band::Side(planes), &shape, &pose).1;
                let slope = |sum: DVec3, axis: DVec3| sum.dot(axis);
                let force: DVec3 = found.iter().map(|e| e.direction * (e.sign * e.depth)).sum();
                let torque: DVec3 = found
                    .iter()
                    .map(|e| (e.point - pose.position).cross(e.direction * (e.sign * e.depth)))
                    .sum();
                for axis in DVec3::AXES {
                    let h = 1e-5;
                    let moved = |s: f64| Pose::new(pose.position + axis * s, pose.rotation);
                    let turned = |s: f64| {
                        Pose::new(pose.position, DQuat::from_scaled_axis(axis * s) * pose.rotation)
                    };
                    let by_moving = (energy(&moved(h)) - energy(&moved(-h))) / (2.0 * h);
                    let by_turning = (energy(&turned(h)) - energy(&turned(-h))) / (2.0 * h);
                    assert!((by_moving - slope(force, axis)).abs() < 2e-6, "{shape:?}: {by_moving} {force}");
                    assert!((by_turning - slope(torque, axis)).abs() < 2e-6, "{shape:?}: {by_turning} {torque}");
                }
            }
        }
    }
}

/// A ball in a funnel touches on both sides: what it feels has no kink on the axis.
#[test]
fn a_ball_in_a_funnel_is_held_in_the_middle() {
    let planes = sides()[2];
    let ball: Solid = Sphere::new(1.0).unwrap().into();
    let lateral = |x: f64| -> f64 {
        // As deep as 0.01 on the axis: r − d = −m_z z + 0.01 − …
        let height = (1.0 - planes.offset - 0.01) / -planes.axial;
        let pose = Pose::at(DVec3::new(x, 0.0, height));
        let found = find(Band::Side(planes), &ball, &pose).1;
        assert_eq!(found.len(), 2);
        found.iter().map(|e| e.depth * e.direction.x).sum()
    };
    for x in [1e-3, 1e-6, -1e-4] {
        assert!((lateral(x) / (2.0 * planes.radial * planes.radial * x) - 1.0).abs() < 1e-9);
    }
}
