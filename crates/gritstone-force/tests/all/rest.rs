//! Flat bodies come to rest and stay there.

use glam::{DQuat, DVec3};
use gritstone_contact::space::patch::Corner;
use gritstone_contact::space::{self, Patch, Placed, Scratch};
use gritstone_contact::{Goal, Method as _, Query};
use gritstone_core::{Pose, Space};
use gritstone_force::{History, Interaction, Touch, Wrench, linear, patch, radius};
use gritstone_shape::Support as _;
use gritstone_shape::space::{HalfSpace, Polyhedron, Solid, Superellipsoid};

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
        let mass = shape.body().map(gritstone_shape::Body::mass).unwrap();
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

    /// In flight.
    fn energy(&self) -> f64 {
        let kinetic = self.mass * self.velocity.length_squared() + self.inertia * self.spin.length_squared();
        0.5 * kinetic + self.mass * G * self.position.z
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

    fn run(&mut self, seconds: f64) {
        for _ in 0..(seconds / self.dt).round() as usize {
            self.step();
        }
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
            radius_gradient: Wrench::default(),
            radius: radius::from_curvature::<Space>(contact.curvature, b.shape.size()),
            mass: 1.0 / (a.inverse_mass() + b.inverse_mass()),
            normal_mass: 1.0 / (a.inverse_mass() + b.inverse_mass()),
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

/// All below z = 0, with the mass of some body: fixed.
fn floor() -> Body {
    let half_space = Solid::from(HalfSpace::new(DVec3::Z, 0.0).unwrap());
    let any = Body::new(cuboid(DVec3::splat(HALF)), DVec3::ZERO, DQuat::IDENTITY);
    Body { shape: half_space, fixed: true, ..any }
}

fn cube() -> Solid {
    cuboid(DVec3::splat(HALF))
}

/// Springs under which the weight of a cube sinks in by this fraction of the edge.
fn springs(sink: f64) -> Interaction {
    let kn = cube_mass() * G / (sink * 2.0 * HALF);
    Interaction::linear(kn, 0.8 * kn).with_restitution(0.5).with_friction(0.5)
}

fn cube_mass() -> f64 {
    DENSITY * 8.0 * HALF * HALF * HALF
}

/// A fiftieth of the time that a cube takes to bounce off its face.
fn step_of(law: &Interaction) -> f64 {
    linear::contact_time(law.patch_stiffness::<Space>(4.0 * HALF * HALF), cube_mass()) / 50.0
}

/// Dropped askew, a body is at rest after `seconds` and stays so.
fn comes_to_rest(shape: Solid, law: Interaction, dt: f64, seconds: f64) {
    let height = 2.5 * shape.size();
    let body = Body::new(shape, DVec3::Z * height, DQuat::from_scaled_axis(DVec3::new(0.3, 0.2, 0.1)));
    let mut column = Column::new(vec![floor(), body], law, DVec3::Z * -G, dt);
    column.run(seconds);
    for _ in 0..100 {
        column.run(10.0 * dt);
        assert!(column.bodies[1].liveliness() < 1e-6, "{}", column.bodies[1].liveliness());
    }
}

#[test]
fn cube_comes_to_rest() {
    let law = springs(1e-3);
    comes_to_rest(cube(), law, step_of(&law), 1.5);
    let law = Interaction::hertz(5e6, 1e6).with_restitution(0.5).with_friction(0.5);
    comes_to_rest(cube(), law, step_of(&law), 1.5);
}

#[test]
fn tetrahedron_comes_to_rest() {
    let corners = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
    let shape = hull(&corners.map(|corner| DVec3::from(corner) * HALF));
    let law = springs(1e-3);
    // A third of the cube's mass.
    comes_to_rest(shape, law, 0.5 * step_of(&law), 1.5);
}

#[test]
fn nearly_flat_superellipsoid_comes_to_rest() {
    let law = springs(1e-3);
    let shape = Solid::from(Superellipsoid::new(DVec3::splat(HALF), [0.2, 0.2]).unwrap());
    comes_to_rest(shape, law, step_of(&law), 1.8);
}

#[test]
fn tower_of_ten_cubes_stands() {
    let law = springs(1e-5); // Ten of them on the lowest face: 1e-4 of the edge.
    let mut bodies = vec![floor()];
    bodies.extend((0..10).map(|k| {
        let middle = HALF * (2.0 * f64::from(k) + 1.0);
        let turn = DQuat::from_rotation_z(0.01 * f64::from(k));
        Body::new(cube(), DVec3::new(0.0, 1e-4 * f64::from(k % 3), middle), turn)
    }));
    let top = bodies[10].position;
    let mut column = Column::new(bodies, law, DVec3::Z * -G, step_of(&law));
    column.run(0.3);
    let moved = column.bodies[10].position - top;
    assert!(moved.length() < 1e-3 * 2.0 * HALF, "{moved}");
    assert!(column.bodies[10].liveliness() < 1e-3, "{}", column.bodies[10].liveliness());
}

/// A cube on a slope, turned against it. On a slope below the friction angle of 26.57° the patch does not cover its face.
fn on_a_slope(degrees: f64) -> Column {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let law = springs(1e-3);
    let body = Body::new(cube(), DVec3::Z * HALF, DQuat::from_rotation_z(0.3));
    Column::new(vec![floor(), body], law, DVec3::new(sin, 0.0, -cos) * G, step_of(&law))
}

#[test]
fn block_rests_below_the_friction_angle_without_creep() {
    for degrees in [10.0, 26.0] {
        let mut column = on_a_slope(degrees);
        column.run(1.0);
        let start = column.bodies[1].position;
        column.run(1.0);
        let crept = (column.bodies[1].position - start).length();
        assert!(crept < 1e-7 * 2.0 * HALF, "{degrees}: {crept}");
    }
}

#[test]
fn block_slides_with_the_acceleration_that_friction_leaves() {
    let mut column = on_a_slope(35.0);
    column.run(0.4);
    let start = column.bodies[1].velocity.x;
    column.run(0.4);
    let (sin, cos) = 35_f64.to_radians().sin_cos();
    let expected = G * (sin - 0.5 * cos);
    let found = (column.bodies[1].velocity.x - start) / (0.4 / column.dt).round() / column.dt;
    assert!((found / expected - 1.0).abs() < 1e-6, "{found} {expected}");
}

/// Without damping and friction a cube tumbles on, and keeps its energy through bounces off corners, edges and faces.
#[test]
fn elastic_cube_keeps_its_energy() {
    let damped = springs(1e-4);
    let stiffness = damped.patch_stiffness::<Space>(4.0 * HALF * HALF);
    for law in [Interaction::linear(stiffness, 0.0), Interaction::hertz(5e6, 1e6)] {
        let body = Body::new(cube(), DVec3::Z * 0.04, DQuat::from_scaled_axis(DVec3::new(0.5, -0.7, 0.1)));
        let mut column = Column::new(vec![floor(), body], law, DVec3::Z * -G, step_of(&law));
        let start = column.bodies[1].energy();
        for _ in 0..4 {
            column.run(0.25);
            // In flight.
            while column.bodies[1].position.z < 2.0 * HALF {
                column.step();
            }
            let found = column.bodies[1].energy();
            assert!((found / start - 1.0).abs() < 2e-3, "{found} {start}");
        }
    }
}
