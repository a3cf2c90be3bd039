//! The moment energy of figures with straight sides by itself: its force against finite differences, and its stiffness.

use glam::{DVec2, DVec3};
use gritstone_contact::plane::{Auto, Overlap, OverlapIntegrals, Placed, Scratch};
use gritstone_contact::{Method as _, Query};
use gritstone_core::linalg::Sym3;
use gritstone_core::{Contact, Plane, Pose};
use gritstone_force::{Cohesion, Interaction, OverlapForce, OverlapMoments, Wrench};
use gritstone_shape::plane::{Figure, HalfPlane, Polygon, Segment};

struct Dice(u64);

impl Dice {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        low + (high - low) * ((self.0 >> 11) as f64 / (1_u64 << 53) as f64)
    }
}

fn ring(corners: &[(f64, f64)]) -> Figure {
    let points: Vec<DVec2> =
        corners.iter().map(|(angle, radius)| DVec2::from_angle(*angle) * *radius).collect();
    Polygon::hull(&points).unwrap().0.into()
}

fn square() -> Figure {
    let quarter = std::f64::consts::FRAC_PI_2;
    ring(&[0.5, 1.5, 2.5, 3.5].map(|k| (k * quarter, 0.6 * 2_f64.sqrt())))
}

fn find(a: Placed<'_>, b: Placed<'_>) -> Contact<Plane> {
    *Auto.solve(a, b, Query::default(), &mut Scratch::default()).unwrap().contact().unwrap()
}

fn act(law: &Interaction, a: Placed<'_>, b: Placed<'_>) -> Option<(OverlapForce, DVec2)> {
    let contact = find(a, b);
    let found = Overlap::default().measure(a, b, &contact).filter(|_| contact.gap < 0.0)?;
    let OverlapIntegrals { area, centroid, covariance, thinness, uniform, quadratic } = found;
    let lifted =
        |(force, torque): (DVec2, f64)| Wrench { force: force.extend(0.0), torque: DVec3::Z * torque };
    let moments = OverlapMoments {
        in_plane: true,
        volume: area,
        centroid: centroid.extend(0.0),
        covariance: Sym3 { xx: covariance.xx, yy: covariance.yy, xy: covariance.xy, ..Sym3::default() },
        thinness,
        uniform: lifted(uniform),
        quadratic: lifted(quadratic),
    };
    Some((law.overlap_force(&moments), contact.midpoint()))
}

#[test]
fn force_is_the_gradient_in_the_plane() {
    let laws = [
        Interaction::linear(1e5, 1e5),
        Interaction::hertz(1e5, 1e5),
        Interaction::linear(1e5, 1e5).with_cohesion(Cohesion::Linear { density: 1e3 }),
        Interaction::hertz(1e5, 1e5).with_cohesion(Cohesion::Jkr { work: 10.0 }),
    ];
    let lopsided = [(0.0, 0.9), (0.9, 0.8), (1.7, 0.7), (2.6, 0.8), (3.5, 0.9), (4.4, 0.6), (5.4, 0.75)];
    let shapes = [square(), ring(&[(0.0, 0.9), (2.1, 0.9), (4.2, 0.9)]), ring(&lopsided)];
    let (segment, _) = Segment::between([DVec2::new(-9.0, 1.0), DVec2::new(9.0, -1.0)]).unwrap();
    let fixed: [Figure; 4] = [
        HalfPlane::new(DVec2::new(0.1, 1.0), 0.0).unwrap().into(),
        segment.into(),
        square(),
        ring(&[(0.3, 1.5), (2.5, 1.3), (4.0, 1.1)]),
    ];
    let mut dice = Dice(7);
    let (mut worst, mut count, mut pulls) = (0.0_f64, 0, 0);
    for round in 0..400 {
        let (law, b) = (&laws[round % 4], &shapes[round / 4 % 3]);
        let a = Placed { shape: &fixed[round / 12 % 4], pose: Pose::at(DVec2::ZERO) };
        let from = DVec2::from_angle(dice.between(0.3, 2.8));
        let mut pose = Pose::new(from * 2.0, dice.between(0.0, 6.3));
        for _ in 0..30 {
            let contact = find(a, Placed { shape: b, pose });
            pose.position -= contact.normal * (contact.gap + 0.02);
        }
        let at = |pose: Pose<Plane>| Placed { shape: b, pose };
        let Some((force, point)) = act(law, a, at(pose)) else { continue };
        count += 1;
        let push = force.elastic.force + force.pull.force;
        let torque = (force.elastic.torque + force.pull.torque).z;
        pulls += usize::from(force.elastic.force.truncate().dot(find(a, at(pose)).normal) <= 0.0);
        let energy = |pose: Pose<Plane>| {
            let force = act(law, a, at(pose)).unwrap().0;
            force.energy + force.adhesion
        };
        let slope = |place: &dyn Fn(f64) -> Pose<Plane>| {
            // Four points: the error is of the fourth order.
            let centred = |h: f64| (energy(place(h)) - energy(place(-h))) / (2.0 * h);
            -(4.0 * centred(2e-6) - centred(4e-6)) / 3.0
        };
        for axis in [DVec2::X, DVec2::Y] {
            let moved = slope(&|s| Pose::new(pose.position + axis * s, pose.rotation));
            worst = worst.max((moved - push.truncate().dot(axis)).abs() / push.length());
        }
        let turned = slope(&|s| {
            let way = DVec2::from_angle(s).rotate(pose.position - point);
            Pose::new(point + way, pose.rotation + s)
        });
        worst = worst.max((turned - torque).abs() / push.length());
    }
    assert!(count > 350 && pulls == 0, "{count} {pulls}");
    assert!(worst < 1e-8, "{worst}");
}

/// A square with the side L on a line, at the depth h: `1/q` is 12/h² + 12/L² on a side and 24/h² on a corner, so that the stiffness is 1 and
/// 0.5 of kn at small depths.
#[test]
fn stiffness_of_side_and_corner() {
    let (kn, h, side) = (1e5, 0.01, 1.2_f64);
    let corner = std::f64::consts::FRAC_PI_4;
    let cases = [(0.0, 0.5 * side, [12.0, 12.0], 1.0), (corner, side / 2_f64.sqrt(), [24.0, 0.0], 0.5)];
    for (turn, height, [by_depth, by_side], stiffness) in cases {
        let floor = HalfPlane::new(DVec2::Y, 0.0).unwrap().into();
        let a = Placed { shape: &floor, pose: Pose::at(DVec2::ZERO) };
        let b = Placed { shape: &square(), pose: Pose::new(DVec2::Y * (height - h), turn) };
        let force = act(&Interaction::linear(kn, kn), a, b).unwrap().0;
        let q = 1.0 / (by_depth / (h * h) + by_side / (side * side));
        let expected = 6.0 * kn * q * q * 2.0 * by_depth / (h * h * h);
        assert!((force.energy / (6.0 * kn * q) - 1.0).abs() < 1e-10, "{force:?}");
        assert!((force.elastic.force - DVec3::Y * expected).length() < 1e-9 * expected, "{force:?}");
        assert!((expected / (stiffness * kn * h) - 1.0).abs() < 1e-3);
    }
}
