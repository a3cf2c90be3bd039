//! Flat bodies come to rest and stay there.

use glam::{DQuat, DVec3};
use gritstone_contact::space::patch::Corner;
use gritstone_contact::space::{self, Patch, Placed, Scratch};
use gritstone_contact::{Goal, Method as _, Query};
use gritstone_core::{Pose, Space};
use gritstone_force::{History, Interaction, Touch, patch, radius};
use gritstone_shape::Support as _;
use gritstone_shape::space::{Polyhedron, Solid, Superellipsoid};

const G: f64 = 9.81;
const DENSITY: f64 = 2500.0;
/// Half the edge of the cubes.
const HALF: f64 = 0.01;

/// A body whose moments of inertia are all equal, so that it need not be turned to be integrated; or a fixed one.
struct Body {
    shape: Solid,
    mass: f64,
    inertia: f64,
    position: DVec3,
    rotation: DQuat,
    velocity: DVec3,
    spin: DVec3,
    acceleration: DVec3,
    turning: DVec3,
    fixed: bool,
}

impl Body {
    fn new(shape: Solid, position: DVec3, rotation: DQuat) -> Self {
        let mass = shape.body().map(|body| body.mass()).unwrap();
        Self {
            shape,
            mass: DENSITY * mass.volume,
            inertia: DENSITY * mass.inertia().xx,
            position,
            rotation,
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            acceleration: DVec3::ZERO,
            turning: DVec3::ZERO,
            fixed: false,
        }
    }

    fn fixed(shape: Solid, position: DVec3) -> Self {
        Self { fixed: true, ..Self::new(shape, position, DQuat::IDENTITY) }
    }

    fn placed(&self) -> Placed<'_> {
        Placed { shape: &self.shape, pose: Pose::new(self.position, self.rotation) }
    }

    fn inverse_mass(&self) -> f64 {
        if self.fixed { 0.0 } else { 1.0 / self.mass }
    }

    /// Half a step of velocities.
    fn kick(&mut self, dt: f64) {
        self.velocity += self.acceleration * dt;
        self.spin += self.turning * dt;
    }

    /// Speed of its fastest point over √(g·size).
    fn liveliness(&self) -> f64 {
        let size = self.shape.size();
        (self.velocity.length() + self.spin.length() * size) / (G * size).sqrt()
    }
}

/// A column of bodies: each touches the next.
struct Column {
    bodies: Vec<Body>,
    histories: Vec<History<Space>>,
    law: Interaction,
    gravity: DVec3,
    dt: f64,
    patch: Patch,
    scratch: Scratch,
}

impl Column {
    fn new(bodies: Vec<Body>, law: Interaction, gravity: DVec3, dt: f64) -> Self {
        let histories = vec![History::default(); bodies.len() - 1];
        Self { bodies, histories, law, gravity, dt, patch: Patch::default(), scratch: Scratch::default() }
    }

    fn step(&mut self) {
        let dt = self.dt;
        for body in self.bodies.iter_mut().filter(|body| !body.fixed) {
            body.kick(0.5 * dt);
            body.position += body.velocity * dt;
            body.rotation = (DQuat::from_scaled_axis(body.spin * dt) * body.rotation).normalize();
            body.kick(0.5 * dt); // A prediction, which is taken back below.
        }
        let before: Vec<_> = self.bodies.iter().map(|body| (body.acceleration, body.turning)).collect();
        for body in &mut self.bodies {
            (body.acceleration, body.turning) = (self.gravity, DVec3::ZERO);
        }
        for i in 0..self.histories.len() {
            self.touch(i);
        }
        for (body, (acceleration, turning)) in
            self.bodies.iter_mut().zip(before).filter(|(body, _)| !body.fixed)
        {
            body.velocity += (body.acceleration - acceleration) * (0.5 * dt);
            body.spin += (body.turning - turning) * (0.5 * dt);
        }
    }

    /// Contact of body i with the next one.
    fn touch(&mut self, i: usize) {
        let [a, b] = [&self.bodies[i], &self.bodies[i + 1]];
        let query = Query { goal: Goal::Detect, ..Query::default() };
        let answer = space::Auto.solve(a.placed(), b.placed(), query, &mut self.scratch).unwrap();
        let Some(contact) = answer.contact() else { return };
        let point = contact.midpoint();
        let velocity = |body: &Body| body.velocity + body.spin.cross(point - body.position);
        let touch = Touch::<Space> {
            depth: -contact.gap,
            normal: contact.normal,
            velocity: velocity(b) - velocity(a),
            spin: b.spin - a.spin,
            mean_spin: (a.spin + b.spin) * 0.5,
            radius: radius::from_curvature::<Space>(contact.curvature, b.shape.size()),
            mass: 1.0 / (a.inverse_mass() + b.inverse_mass()),
        };
        self.patch.fill(a.placed(), b.placed(), contact);
        let lever = |corner: &Corner| (corner.position - point, corner.depth);
        let points = self.patch.pieces().flat_map(|piece| {
            let fan = (1..piece.len() - 1).map(move |k| [&piece[0], &piece[k], &piece[k + 1]].map(lever));
            fan.flat_map(|corners| patch::triangle(corners, contact.normal))
        });
        let (area, weight) = (self.patch.area, self.patch.weight);
        let load = self.law.load_patch(&touch, area, weight, points, &mut self.histories[i], self.dt);
        for (k, side) in [(i, -1.0), (i + 1, 1.0)] {
            let body = &mut self.bodies[k];
            let torque = (point - body.position).cross(load.force) + load.torque;
            body.acceleration += load.force * (side / body.mass);
            body.turning += torque * (side / body.inertia);
        }
    }
}

fn hull(points: &[DVec3]) -> Solid {
    Solid::from(Polyhedron::hull(points).unwrap().0)
}

fn cuboid(half: DVec3) -> Solid {
    let corners: Vec<_> = (0..8)
        .map(|i| half * DVec3::from_array(std::array::from_fn(|k| if i >> k & 1 == 1 { 1.0 } else { -1.0 })))
        .collect();
    hull(&corners)
}

fn floor() -> Body {
    Body::fixed(cuboid(DVec3::new(0.2, 0.2, 0.05)), DVec3::Z * -0.05)
}

/// Springs under which the weight of a cube of half edge `HALF` sinks in by this fraction of the edge.
fn springs(sink: f64) -> Interaction {
    let weight = DENSITY * 8.0 * HALF * HALF * HALF * G;
    let kn = weight / (sink * 2.0 * HALF);
    Interaction::linear(kn, 0.8 * kn).with_restitution(0.5).with_friction(0.5)
}

fn drop(shape: Solid, law: Interaction, dt: f64) {
    let tilt = DQuat::from_scaled_axis(DVec3::new(0.3, 0.2, 0.1));
    let height = 2.5 * shape.size();
    let body = Body::new(shape, DVec3::Z * height, tilt);
    let mut column = Column::new(vec![floor(), body], law, DVec3::Z * -G, dt);
    let mut time = 0.0;
    for k in 0..(5.0 / dt) as usize {
        column.step();
        time += dt;
        if k % 5000 == 0 {
            println!(
                "{time:.3} {:.2e} {:?} {:?}",
                column.bodies[1].liveliness(),
                column.bodies[1].position,
                column.bodies[1].rotation
            );
        }
    }
    println!("end {:.2e}", column.bodies[1].liveliness());
    assert!(column.bodies[1].liveliness() < 1e-6);
}

fn step_of(law: &Interaction) -> f64 {
    law.contact_time(HALF, DENSITY * 8.0 * HALF * HALF * HALF, 1.0) / 50.0
}

#[test]
fn cube() {
    let law = springs(1e-3);
    drop(cuboid(DVec3::splat(HALF)), law, step_of(&law));
}

#[test]
fn tetra() {
    let law = springs(1e-3);
    let points = [
        DVec3::new(1., 1., 1.),
        DVec3::new(1., -1., -1.),
        DVec3::new(-1., 1., -1.),
        DVec3::new(-1., -1., 1.),
    ]
    .map(|p| p * HALF);
    drop(hull(&points), law, step_of(&law) * 0.5);
}

#[test]
fn superell() {
    let law = springs(1e-3);
    drop(Solid::from(Superellipsoid::new(DVec3::splat(HALF), [0.2, 0.2]).unwrap()), law, step_of(&law));
}

#[test]
fn tower() {
    let law = springs(1e-5);
    let dt = step_of(&law);
    let mut bodies = vec![floor()];
    for k in 0..10 {
        bodies.push(Body::new(
            cuboid(DVec3::splat(HALF)),
            DVec3::Z * HALF * (2.0 * k as f64 + 1.0),
            DQuat::from_rotation_z(0.01 * k as f64),
        ));
    }
    let mut column = Column::new(bodies, law, DVec3::Z * -G, dt);
    println!("dt {dt} {}", (1.0 / dt));
    for k in 0..(1.0 / dt) as usize {
        column.step();
        if k % 50000 == 0 {
            println!(
                "{:.2e} {:?} {:?}",
                column.bodies[10].liveliness(),
                column.bodies[10].position,
                column.bodies[10].rotation
            );
        }
    }
}
#[test]
fn incline() {
    for (angle, slides) in [(25.0_f64, false), (26.5, false), (28.0, true)] {
        let angle = angle.to_radians();
        let law = springs(1e-3);
        let dt = step_of(&law);
        let body = Body::new(cuboid(DVec3::splat(HALF)), DVec3::Z * HALF, DQuat::from_rotation_z(0.3));
        let mut column =
            Column::new(vec![floor(), body], law, DVec3::new(angle.sin(), 0.0, -angle.cos()) * G, dt);
        for k in 0..(1.0 / dt) as usize {
            column.step();
            if k % 1000 == 0 {
                println!(
                    "{slides} {:.2e} {:?} {:?} {}",
                    column.bodies[1].liveliness(),
                    column.bodies[1].position,
                    column.bodies[1].rotation,
                    column.bodies[1].velocity.x
                        / ((k + 1) as f64 * dt)
                        / (G * (angle.sin() - 0.5 * angle.cos()))
                );
            }
        }
    }
}
#[test]
fn half() {
    let law = springs(1e-3);
    let dt = step_of(&law);
    let tilt = DQuat::from_scaled_axis(DVec3::new(0.3, 0.2, 0.1));
    let mut fl = floor();
    fl.shape = Solid::from(gritstone_shape::space::HalfSpace::new(DVec3::Z, 0.05).unwrap());
    let body = Body::new(cuboid(DVec3::splat(HALF)), DVec3::Z * 0.04, tilt);
    let mut column = Column::new(vec![fl, body], law, DVec3::Z * -G, dt);
    for k in 0..20000 {
        column.step();
        if k % 2000 == 0 {
            println!(
                "{:.2e} {:?} {:?} {} {}",
                column.bodies[1].liveliness(),
                column.bodies[1].position,
                column.bodies[1].rotation,
                column.patch.weight,
                column.patch.area
            );
        }
    }
}
