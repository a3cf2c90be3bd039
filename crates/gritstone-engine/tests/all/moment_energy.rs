//! The moment energy of flat contacts by itself: its force against finite differences, and elastic impacts of two bodies.

use glam::{DMat3, DQuat, DVec3};
use gritstone_contact::Query;
use gritstone_contact::space::{Auto, Memory, Overlap, Placed, Scratch};
use gritstone_core::{Contact, Pose, Space};
use gritstone_force::{Interaction, OverlapForce, OverlapMoments, Wrench};
use gritstone_shape::space::{HalfSpace, Polyhedron, Solid};

/// Bodies and where they are.
type Bodies = Vec<(Solid, Pose<Space>)>;

struct Dice(u64);

impl Dice {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    fn vector(&mut self) -> DVec3 {
        loop {
            let v = DVec3::new(self.between(-1.0, 1.0), self.between(-1.0, 1.0), self.between(-1.0, 1.0));
            if v.length_squared() < 1.0 {
                return v;
            }
        }
    }

    fn rotation(&mut self) -> DQuat {
        loop {
            let [x, y, z, w] = [(); 4].map(|()| self.between(-1.0, 1.0));
            let q = DQuat::from_xyzw(x, y, z, w);
            if q.length_squared() < 1.0 && q.length_squared() > 1e-3 {
                return q.normalize();
            }
        }
    }
}

fn hull(points: &[DVec3]) -> (Solid, DVec3) {
    let (shape, centre) = Polyhedron::hull(points).unwrap();
    (shape.into(), centre)
}

fn cube() -> Solid {
    let sign = |bit: usize| [-1.0, 1.0][bit & 1];
    hull(&(0..8).map(|i| DVec3::new(sign(i), sign(i >> 1), sign(i >> 2)) * 0.6).collect::<Vec<_>>()).0
}

fn tetrahedron() -> Solid {
    let corners = [[1., 1., 1.], [1., -1., -1.], [-1., 1., -1.], [-1., -1., 1.]];
    hull(&corners.map(|x| DVec3::from_array(x) * 0.6)).0
}

/// A cube with a pyramid on every face.
fn grain() -> Solid {
    let sign = |bit: usize| [-1.0, 1.0][bit & 1];
    let cube = (0..8).map(|i| DVec3::new(sign(i), sign(i >> 1), sign(i >> 2)) * 0.6);
    let tips = DVec3::AXES.into_iter().flat_map(|axis| [axis * 0.9, axis * -0.9]);
    hull(&cube.chain(tips).collect::<Vec<_>>()).0
}

fn prism() -> Solid {
    let corner = |k: u32, z: f64| {
        let (sine, cosine) = (std::f64::consts::TAU * f64::from(k) / 24.0).sin_cos();
        DVec3::new(0.8 * cosine, 0.8 * sine, z)
    };
    hull(&(0..24).flat_map(|k| [corner(k, -0.6), corner(k, 0.6)]).collect::<Vec<_>>()).0
}

fn plane(normal: DVec3) -> (Solid, Pose<Space>) {
    (HalfSpace::new(normal.normalize(), 0.0).unwrap().into(), Pose::at(DVec3::ZERO))
}

/// A convex body whose highest point is the origin.
fn fixed(points: &[[f64; 3]]) -> (Solid, Pose<Space>) {
    let (shape, centre) = hull(&points.iter().map(|x| DVec3::from_array(*x)).collect::<Vec<_>>());
    (shape, Pose::at(centre))
}

fn ridge() -> (Solid, Pose<Space>) {
    fixed(&[
        [0., -9., 0.],
        [0., 9., 0.],
        [6., -9., -5.],
        [6., 9., -5.],
        [-6., -9., -5.],
        [-6., 9., -5.],
        [6., -9., -9.],
        [-6., 9., -9.],
    ])
}

fn peak() -> (Solid, Pose<Space>) {
    fixed(&[[0., 0., 0.], [6., 1., -4.], [-1., 6., -4.], [-6., -1., -4.], [1., -6., -4.], [0., 0., -9.]])
}

/// A body that may move.
#[derive(Clone)]
struct Mover {
    shape: Solid,
    pose: Pose<Space>,
    velocity: DVec3,
    momentum: DVec3,
    mass: f64,
    inertia: DMat3,
}

impl Mover {
    fn new(shape: Solid, pose: Pose<Space>, fixed: bool) -> Self {
        let (mass, inertia) = if fixed {
            (f64::INFINITY, DMat3::IDENTITY)
        } else {
            let mass = shape.body().unwrap().mass();
            (mass.volume, mass.inertia().full())
        };
        Self { shape, pose, velocity: DVec3::ZERO, momentum: DVec3::ZERO, mass, inertia }
    }

    fn placed(&self) -> Placed<'_> {
        Placed { shape: &self.shape, pose: self.pose }
    }

    fn spin_of(&self, rotation: DQuat, momentum: DVec3) -> DVec3 {
        if self.mass.is_infinite() {
            return DVec3::ZERO;
        }
        rotation * (self.inertia.inverse() * (rotation.conjugate() * momentum))
    }

    fn spin(&self) -> DVec3 {
        self.spin_of(self.pose.rotation, self.momentum)
    }

    fn energy(&self) -> f64 {
        if self.mass.is_infinite() {
            return 0.0;
        }
        0.5 * self.mass * self.velocity.length_squared() + 0.5 * self.momentum.dot(self.spin())
    }

    fn kick(&mut self, force: DVec3, torque: DVec3, dt: f64) {
        if self.mass.is_finite() {
            self.velocity += force * (dt / self.mass);
            self.momentum += torque * dt;
        }
    }

    /// Moves on freely; the implicit midpoint rule keeps the energy of rotation.
    fn drift(&mut self, dt: f64) {
        self.pose.position += self.velocity * dt;
        let start = self.pose.rotation;
        let mut spin = self.spin();
        for _ in 0..6 {
            let half = DQuat::from_scaled_axis(spin * (0.5 * dt)) * start;
            spin = self.spin_of(half, self.momentum);
        }
        self.pose.rotation = (DQuat::from_scaled_axis(spin * dt) * start).normalize();
    }
}

fn find(a: Placed<'_>, b: Placed<'_>) -> Option<Contact<Space>> {
    let answer = Auto.solve_warm(a, b, Query::default(), &mut Memory::default(), &mut Scratch::default());
    answer.unwrap().contact().copied().filter(|contact| contact.gap < 0.0)
}

fn moments(found: &gritstone_contact::space::OverlapIntegrals) -> OverlapMoments {
    let wrench = |w: gritstone_contact::space::Wrench| Wrench { force: w.force, torque: w.torque };
    OverlapMoments {
        in_plane: false,
        volume: found.volume,
        centroid: found.centroid,
        covariance: found.covariance,
        thinness: found.thinness,
        uniform: wrench(found.uniform),
        quadratic: wrench(found.quadratic),
    }
}

/// What a contact does, and its point.
fn act(
    law: &Interaction,
    a: Placed<'_>,
    b: Placed<'_>,
    overlap: &mut Overlap,
) -> Option<(OverlapForce, DVec3)> {
    let contact = find(a, b)?;
    let found = overlap.measure(a, b, &contact)?;
    Some((law.overlap_force(&moments(&found)), contact.midpoint()))
}

fn laws() -> [Interaction; 4] {
    let cohesion = gritstone_force::Cohesion::Linear { density: 1e3 };
    [
        Interaction::linear(1e5, 1e5),
        Interaction::hertz(1e5, 1e5),
        Interaction::linear(1e5, 1e5).with_cohesion(cohesion),
        Interaction::hertz(1e5, 1e5).with_cohesion(gritstone_force::Cohesion::Jkr { work: 10.0 }),
    ]
}

/// Moves b to an overlap of 0.02 with a.
fn press(a: Placed<'_>, shape: &Solid, mut pose: Pose<Space>) -> Pose<Space> {
    for _ in 0..30 {
        let b = Placed { shape, pose };
        let answer =
            Auto.solve_warm(a, b, Query::default(), &mut Memory::default(), &mut Scratch::default()).unwrap();
        let contact = *answer.contact().unwrap();
        pose.position -= contact.normal * (contact.gap + 0.02);
    }
    pose
}

/// Force and torque are the derivatives of the energy.
#[test]
fn force_is_the_gradient() {
    let mut dice = Dice(3);
    let mut overlap = Overlap::default();
    let fixed = [plane(DVec3::Z), ridge(), peak()];
    let shapes = [cube(), tetrahedron(), grain(), prism()];
    let (mut worst, mut count, mut pulls) = (0.0_f64, 0, 0);
    for round in 0..400 {
        let law = &laws()[round % 4];
        let b = &shapes[dice.0 as usize % 4];
        let turn = dice.rotation();
        let (a, place) = if round % 3 == 0 {
            (cube(), Pose::new(dice.vector(), dice.rotation()))
        } else {
            fixed[dice.0 as usize / 5 % 3].clone()
        };
        let a = Placed { shape: &a, pose: place };
        let mut pose = Pose::new(place.position + dice.vector() * 0.4 + DVec3::Z * 1.2, turn);
        if round % 3 != 0 {
            pose.position -= place.position;
        }
        let pose = press(a, b, pose);
        let at = |pose: Pose<Space>| Placed { shape: b, pose };
        let Some((force, point)) = act(law, a, at(pose), &mut overlap) else { continue };
        count += 1;
        let total = Wrench::<Space> {
            force: force.elastic.force + force.pull.force,
            torque: force.elastic.torque + force.pull.torque,
        };
        pulls += usize::from(force.elastic.force.dot(find(a, at(pose)).unwrap().normal) <= 0.0);
        let h = 2e-6;
        let mut energy = |pose: Pose<Space>| {
            let force = act(law, a, at(pose), &mut overlap).unwrap().0;
            force.energy + force.adhesion
        };
        for axis in DVec3::AXES {
            let moved = |s: f64| Pose::new(pose.position + axis * s, pose.rotation);
            let turned = |s: f64| {
                let turn = DQuat::from_scaled_axis(axis * s);
                Pose::new(point + turn * (pose.position - point), turn * pose.rotation)
            };
            // Four points: the error is of the fourth order.
            let mut slope = |place: &dyn Fn(f64) -> Pose<Space>| {
                let mut centred = |h: f64| (energy(place(h)) - energy(place(-h))) / (2.0 * h);
                -(4.0 * centred(h) - centred(2.0 * h)) / 3.0
            };
            let scale = total.force.length();
            let off = (slope(&moved) - total.force.dot(axis)).abs() / scale;
            let twist = (slope(&turned) - total.torque.dot(axis)).abs() / scale;
            worst = worst.max(off).max(twist);
        }
    }
    println!("gradient: {count} contacts, worst {worst:.1e}, pulling {pulls}");
    assert!(count > 350 && pulls == 0, "{count} {pulls}");
    assert!(worst < 1e-8, "{worst}");
}

/// Face, edge and corner of a cube with the edge L on a plane, at the depth h: `1/q` is 12/h² + 24/L², 24/h² + 12/L² and 40/h², so
/// that the stiffness is 1, 0.50 and 0.30 of kn at small depths.
#[test]
fn stiffness_of_face_edge_and_corner() {
    let (kn, h, edge) = (1e5, 0.01, 1.2_f64);
    let level = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_4);
    let upright = DQuat::from_rotation_arc(DVec3::ONE.normalize(), DVec3::Z);
    let half = 0.5 * edge;
    let cases = [
        (DQuat::IDENTITY, half, [12.0, 24.0], 1.0),
        (level, half * 2_f64.sqrt(), [24.0, 12.0], 0.5),
        (upright, half * 3_f64.sqrt(), [40.0, 0.0], 0.3),
    ];
    for (turn, height, [by_depth, by_edge], stiffness) in cases {
        let (floor, place) = plane(DVec3::Z);
        let (a, b) = (
            Placed { shape: &floor, pose: place },
            Placed { shape: &cube(), pose: Pose::new(DVec3::Z * (height - h), turn) },
        );
        let force = act(&Interaction::linear(kn, kn), a, b, &mut Overlap::default()).unwrap().0;
        let q = 1.0 / (by_depth / (h * h) + by_edge / (edge * edge));
        let expected = 6.0 * kn * q * q * 2.0 * by_depth / (h * h * h);
        assert!((force.energy / (6.0 * kn * q) - 1.0).abs() < 1e-10, "{force:?}");
        assert!((force.elastic.force - DVec3::Z * expected).length() < 1e-9 * expected, "{force:?}");
        assert!((expected / (stiffness * kn * h) - 1.0).abs() < 1e-3);
    }
}

/// One elastic impact with so many steps per contact: relative change of the energy, or none where they missed.
fn impact(law: &Interaction, bodies: &mut [Mover], steps: f64, period: f64) -> Option<f64> {
    let mut overlap = Overlap::default();
    let before: f64 = bodies.iter().map(Mover::energy).sum();
    let dt = period / steps;
    let count = bodies.len();
    let (mut touched, mut apart) = (false, 0);
    let mut loads = vec![(DVec3::ZERO, DVec3::ZERO); count];
    for _ in 0..(40.0 * steps) as usize {
        for (body, load) in bodies.iter_mut().zip(&loads) {
            body.kick(load.0, load.1, 0.5 * dt);
            body.drift(dt);
        }
        loads.fill((DVec3::ZERO, DVec3::ZERO));
        let mut touching = false;
        // The last one meets all others.
        let last = count - 1;
        for i in 0..last {
            if let Some((force, point)) = act(law, bodies[i].placed(), bodies[last].placed(), &mut overlap) {
                touching = true;
                let Wrench { force, torque } = force.elastic;
                for (k, sign) in [(i, -1.0), (last, 1.0)] {
                    let lever = point - bodies[k].pose.position;
                    loads[k].0 += force * sign;
                    loads[k].1 += (torque + lever.cross(force)) * sign;
                }
            }
        }
        for (body, load) in bodies.iter_mut().zip(&loads) {
            body.kick(load.0, load.1, 0.5 * dt);
        }
        touched |= touching;
        apart = if touching { 0 } else { apart + 1 };
        if touched && apart > steps as usize {
            let after: f64 = bodies.iter().map(Mover::energy).sum();
            return Some(after / before - 1.0);
        }
    }
    None
}

/// A body close above a target, falling on it with the speed for an overlap of 2 %, as the last of the bodies; and the duration of the contact.
fn fall(shape: &Solid, target: &Bodies, fixed: bool, dice: &mut Dice) -> (Vec<Mover>, f64) {
    let mut bodies: Vec<Mover> =
        target.iter().map(|(shape, pose)| Mover::new(shape.clone(), *pose, fixed)).collect();
    if !fixed {
        bodies[0].pose.rotation = dice.rotation();
    }
    let mut mover = Mover::new(shape.clone(), Pose::at(DVec3::ZERO), false);
    mover.pose.rotation = dice.rotation();
    mover.pose.position = DVec3::new(dice.between(-0.4, 0.4), dice.between(-0.4, 0.4), 0.0);
    let is_apart = |z: f64, mover: &Mover| {
        let pose = Pose::new(mover.pose.position + DVec3::Z * z, mover.pose.rotation);
        bodies.iter().all(|b| find(b.placed(), Placed { shape: &mover.shape, pose }).is_none())
    };
    let (mut low, mut high) = (0.0, 4.0);
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if is_apart(middle, &mover) { high = middle } else { low = middle }
    }
    mover.pose.position.z = high + 0.002;
    let (spin, kn) = (dice.vector(), 1e5);
    let mass = if fixed { mover.mass } else { mover.mass * bodies[0].mass / (mover.mass + bodies[0].mass) };
    let speed = 0.02 / (mass / kn).sqrt();
    mover.velocity = DVec3::new(0.2 * spin.x, 0.2 * spin.y, -1.0) * speed;
    mover.momentum =
        mover.pose.rotation * (mover.inertia * (mover.pose.rotation.conjugate() * (spin * 0.5 * speed)));
    bodies.push(mover);
    (bodies, std::f64::consts::PI * (mass / kn).sqrt())
}

/// All pairings: root of the mean square, and the largest, of the relative change of the energy.
fn survey(law: &Interaction, steps: f64, events: usize, by_pairing: bool) -> (f64, f64) {
    let shapes = [cube(), tetrahedron(), grain(), prism()];
    let valley = || vec![plane(DVec3::new(0.5, 0.0, 1.0)), plane(DVec3::new(-0.5, 0.1, 1.0))];
    let (mut squares, mut all, mut worst) = (0.0, 0, 0.0_f64);
    for (i, shape) in shapes.iter().enumerate() {
        let mut targets: Vec<(&str, Bodies, bool)> = vec![
            ("plane", vec![plane(DVec3::Z)], true),
            ("ridge", vec![ridge()], true),
            ("peak", vec![peak()], true),
            ("valley", valley(), true),
        ];
        for other in &shapes[i..] {
            targets.push(("grain", vec![(other.clone(), Pose::at(DVec3::ZERO))], false));
        }
        for (name, target, fixed) in targets {
            let mut dice = Dice(17);
            let (mut own, mut found) = (0.0_f64, 0);
            for _ in 0..events {
                let (mut bodies, period) = fall(shape, &target, fixed, &mut dice);
                if let Some(change) = impact(law, &mut bodies, steps, period) {
                    (squares, all) = (squares + change * change, all + 1);
                    (own, found) = (own.max(change.abs()), found + 1);
                }
            }
            worst = worst.max(own);
            if by_pairing {
                println!("{i} on {name}: {found} impacts, worst {own:.1e}");
            }
        }
    }
    ((squares / f64::from(all)).sqrt(), worst)
}

/// Impacts keep their energy to second order in the step.
#[test]
fn impacts_keep_energy() {
    for (name, law) in [("linear", laws()[0]), ("hertz", Interaction::hertz(1e5, 1e5))] {
        let found = [20.0, 50.0, 100.0].map(|steps| survey(&law, steps, 6, false));
        println!("{name}: rms and worst at 20, 50, 100 steps: {found:?}");
        let [_, (rms, worst), (finer, _)] = found;
        assert!(rms < 1e-3 && worst < 1e-2 && finer < 0.4 * rms, "{name}: {found:?}");
    }
}

/// The table of the page on laws.
#[test]
#[ignore = "minutes; run by hand"]
fn impacts_at_length() {
    for (name, law) in [("linear", laws()[0]), ("hertz", Interaction::hertz(1e5, 1e5))] {
        for steps in [20.0, 50.0, 100.0] {
            let (rms, worst) = survey(&law, steps, 100, steps == 50.0);
            println!("{name}, {steps} steps: rms {rms:.1e}, worst {worst:.1e}");
        }
    }
}
