//! `auto` with every two kinds of shapes: its points lie in the bodies, and where these face each other.

use glam::{DQuat, DVec3};
use gritstone_contact::space::{self, Placed, Scratch};
use gritstone_contact::{Query, Verdict};
use gritstone_core::{Pose, Space};
use gritstone_shape::Support;
use gritstone_shape::space::{
    Capsule, Cylinder, Ellipsoid, Polyhedron, Solid, Sphere, Superellipsoid, Superquadric,
};

/// How far points of bodies of size one may be off.
const ALLOWED: f64 = 2e-6;

/// Contacts of each two kinds.
const CASES: usize = 120;

const HALF: DVec3 = DVec3::new(1.0, 0.8, 0.6);

fn shapes() -> [Solid; 7] {
    let corner = |i: u32| DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)) * 2.0 - 1.0;
    let corners: Vec<DVec3> = (0..8).map(|i| HALF * corner(i)).collect();
    [
        Sphere::new(0.5).unwrap().into(),
        Ellipsoid::new(HALF).unwrap().into(),
        Capsule::new(0.6, 0.8).unwrap().into(),
        Cylinder::new(1.0, 0.4).unwrap().into(),
        Polyhedron::hull(&corners).unwrap().0.into(),
        Superellipsoid::new(HALF, [0.4, 0.6]).unwrap().into(),
        Superquadric::new(HALF, [4.0, 5.0, 6.0]).unwrap().into(),
    ]
}

/// How far a point of a body's frame is outside of it, along an axis or a radius; zero inside.
fn outside(solid: &Solid, x: DVec3) -> f64 {
    let across = x.truncate().length();
    let beyond = match solid {
        Solid::Sphere(ball) => x.length() - ball.radius(),
        Solid::Capsule(_) => (x - DVec3::Z * x.z.clamp(-0.8, 0.8)).length() - 0.6,
        Solid::Cylinder(_) => (across - 1.0).max(x.z.abs() - 0.4),
        Solid::Polyhedron(_) => (x.abs() - HALF).max_element(),
        _ => solid.implicit().map_or(0.0, |implicit| (implicit.gauge(x) - 1.0) * x.length()),
    };
    beyond.max(0.0)
}

/// Numbers from 0 to 1, the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn rotation(&mut self) -> DQuat {
        loop {
            let q = DQuat::from_array([0; 4].map(|_| 2.0 * self.roll() - 1.0));
            if (0.01..1.0).contains(&q.length_squared()) {
                return q.normalize();
            }
        }
    }

    /// Turned any way, or face on face.
    fn turn(&mut self) -> DQuat {
        match (8.0 * self.roll()) as u32 {
            0 | 1 => DQuat::IDENTITY,
            2 => DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2),
            _ => self.rotation(),
        }
    }
}

/// Two bodies.
type Two<'s> = [(&'s Solid, Pose<Space>); 2];

/// Checks that the points of a contact lie in the bodies, and on the planes across the normal that support them.
fn check(bodies: Two<'_>) {
    let [a, b] = bodies.map(|(shape, pose)| Placed { shape, pose });
    let auto = space::method("auto").unwrap();
    let answer = auto.solve(a, b, Query::default(), &mut Scratch::default()).unwrap();
    let Verdict::Solved(contact) = answer.verdict else { panic!("{bodies:?} {answer:?}") };
    let closure = contact.point_b - contact.point_a - contact.gap * contact.normal;
    assert!(closure.length() < 1e-12, "{bodies:?} {contact:?}");
    for ((solid, pose), point, normal) in
        [(bodies[0], contact.point_a, contact.normal), (bodies[1], contact.point_b, -contact.normal)]
    {
        let (x, n) = (pose.to_body(point), pose.rotation.conjugate() * normal);
        let off = outside(solid, x).max(n.dot(solid.support(n) - x).abs());
        assert!(
            off < ALLOWED,
            "{off} from where it should be on the {}: {bodies:?} {contact:?}",
            solid.word()
        );
    }
}

#[test]
fn points_lie_in_their_bodies() {
    let shapes = shapes();
    let mut dice = Dice(1);
    for (a, b) in shapes.iter().flat_map(|a| shapes.iter().map(move |b| (a, b))) {
        for k in 0..CASES {
            let [turn_a, turn_b] = [dice.turn(), dice.turn()];
            let c = if k % 4 == 0 { DVec3::Z } else { dice.rotation() * DVec3::Z };
            let gap = [-0.3 * dice.roll(), -1e-3, -1e-6, 0.05 * dice.roll()][k % 4];
            // Beside each other, with support planes across c that are this far from each other.
            let reach =
                |solid: &Solid, turn: DQuat, c: DVec3| (turn * solid.support(turn.conjugate() * c)).dot(c);
            let aside = c.any_orthonormal_vector() * (dice.roll() - 0.5);
            let position = c * (reach(a, turn_a, c) + reach(b, turn_b, -c) + gap) + aside;
            check([(a, Pose::new(DVec3::ZERO, turn_a)), (b, Pose::new(position, turn_b))]);
        }
    }
}
