//! Tools: walls that move together, by a plan, by a servo, or freely; and what the grains do to them.
//!
//! Every wall belongs to one tool. Walls that no tool of the setup names are tools of their own, which go on with the
//! velocity and spin that they have.

mod area;
mod free;
mod motion_curve;
mod rigid_motion;
mod servo;

use gritstone_core::{Dim, Linear as _, Pose, Vector};
use serde::{Deserialize, Serialize};

pub use area::{Area, Span};
pub use free::Free;
pub use motion_curve::{ConstantRate, CurveKind, MotionCurve, Oscillation, SmoothStep};
pub use servo::{Servo, ServoReport};

use crate::bodies::Bodies;
use crate::broad_phase::Displacement;
use crate::dimension::Dimension;
use crate::setup::Setup;
use free::{FreeState, Push};
use rigid_motion::RigidMotion;
pub(crate) use servo::ContactImpedance;
use servo::ServoState;

/// Walls that move together.
#[derive(Clone, Debug, PartialEq)]
pub struct Tool<D: Dim> {
    /// What it is called in reports.
    pub name: String,
    /// Its walls, by their places in the setup.
    pub walls: Vec<u32>,
    /// The point that torques are taken about, and a free tool's centre of mass, where the setup has it.
    pub origin: D::Vec,
    /// What moves it.
    pub drive: Drive<D>,
}

/// What moves a tool.
#[derive(Clone, Debug, PartialEq)]
pub enum Drive<D: Dim> {
    /// Its walls have the velocity and spin of the setup, each about its own origin.
    Constant,
    /// Motions, each in the axes of the world, and each of what those before it have made of the tool: a rotation that stands
    /// before a translation turns about a point that the translation takes along.
    Moves(Vec<Move<D>>),
    /// Forces.
    Free(Free<D>),
}

/// One motion of a tool.
#[derive(Clone, Debug, PartialEq)]
pub enum Move<D: Dim> {
    /// Along a unit vector.
    Along {
        /// The unit vector.
        axis: D::Vec,
        /// How far when.
        course: MotionCurve,
    },
    /// About an axis through a point.
    About {
        /// A point on the axis.
        point: D::Vec,
        /// Unit vector of the axis; in the plane one.
        axis: D::Spin,
        /// How far when.
        course: MotionCurve,
    },
    /// Towards a force.
    Servo(Servo<D>),
}

impl<D: Dim> Tool<D> {
    /// Whether it moves by the clock, whatever the grains do.
    pub(crate) fn is_prescribed(&self) -> bool {
        match &self.drive {
            Drive::Constant => true,
            Drive::Moves(moves) => !moves.iter().any(|motion| matches!(motion, Move::Servo(_))),
            Drive::Free(_) => false,
        }
    }
}

/// A tool at one moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolReport<D: Dim> {
    /// Where its origin is.
    pub position: D::Vec,
    /// Velocity of its origin (m/s).
    pub velocity: D::Vec,
    /// Angular velocity (rad/s).
    pub spin: D::Spin,
    /// Force of the grains on it (N).
    pub force: D::Vec,
    /// Torque of the grains about its origin (N m).
    pub torque: D::Spin,
    /// Work that it has done on the grains since the start (J).
    pub work: f64,
    /// The servo that acts or acted last, if it has one.
    pub servo: Option<ServoReport>,
}

/// All tools.
#[derive(Clone, Debug)]
pub(crate) struct Tools<D: Dimension> {
    pub(crate) list: Vec<Tool<D>>,
    /// Where each wall was at the start.
    starts: Vec<Pose<D>>,
    /// The tool of each wall.
    tool_of: Vec<u32>,
    pub(crate) states: Vec<ToolState<D>>,
    /// What each tool touches, kept so that steps allocate nothing.
    pub(crate) impedances: Vec<ContactImpedance>,
}

/// What the next step depends on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct ToolState<D: Dimension> {
    work: f64,
    /// How it moves now.
    ride: RigidMotion<D>,
    /// One for each move; unused for those that are no servos.
    servos: Vec<ServoState>,
    free: FreeState<D>,
}

impl<D: Dimension> Tools<D> {
    /// The tools of a setup, and those that its other walls are.
    pub(crate) fn new(setup: &Setup<D>) -> Self {
        let mut list = setup.tools.clone();
        let mut alone = vec![true; setup.walls.len()];
        list.iter().flat_map(|tool| &tool.walls).for_each(|&wall| alone[wall as usize] = false);
        for (i, wall) in setup.walls.iter().enumerate().filter(|(i, _)| alone[*i]) {
            let (name, walls, origin) = (wall.name.clone(), vec![i as u32], wall.pose.position);
            list.push(Tool { name, walls, origin, drive: Drive::Constant });
        }
        let mut tool_of = vec![0; setup.walls.len()];
        for (number, tool) in list.iter().enumerate() {
            tool.walls.iter().for_each(|&wall| tool_of[wall as usize] = number as u32);
        }
        let states = list.iter().map(ToolState::new).collect();
        Self {
            list,
            starts: setup.walls.iter().map(|wall| wall.pose).collect(),
            tool_of,
            states,
            impedances: Vec::new(),
        }
    }

    /// How fast walls are at the start, and the masses of those that forces move.
    pub(crate) fn begin(&mut self, bodies: &mut Bodies<D>) {
        for i in 0..self.list.len() {
            if let Drive::Moves(moves) = &self.list[i].drive {
                self.states[i].ride = total(moves, |motion| motion.planned(0.0));
                self.put(i, bodies, None);
            } else if let Drive::Free(free) = &self.list[i].drive {
                let walls = &self.list[i].walls;
                for &wall in walls {
                    let features = bodies.features.of(wall as usize);
                    let all = features.chain([wall as usize]);
                    all.for_each(|slot| bodies.records[slot].mass = free.mass);
                }
            }
        }
    }

    /// Moves all walls by a step that ends at `time`; adds how far each went to its displacement.
    pub(crate) fn advance(
        &mut self,
        bodies: &mut Bodies<D>,
        gravity: D::Vec,
        [time, dt]: [f64; 2],
        displacement: &mut Displacement<D>,
    ) {
        let layers = layers(bodies);
        for i in 0..self.list.len() {
            let Tool { drive, origin, walls, .. } = &self.list[i];
            let state = &mut self.states[i];
            let before = state.ride;
            // What is not there is not moved by forces: it comes where it was put.
            let there = is_there(bodies, walls);
            match drive {
                Drive::Constant => {
                    walls.iter().for_each(|&wall| go_on(bodies, wall as usize, dt, displacement));
                }
                Drive::Moves(moves) => {
                    let force = sum(bodies, walls, *origin).0;
                    let mut servos = state.servos.iter_mut().enumerate();
                    state.ride = total(moves, |motion| match (motion, servos.next()) {
                        (Move::Servo(servo), Some((i, state))) => {
                            // The force is that of the step's beginning.
                            let resistance = -force.dot(servo.heading(&moves[i + 1..], time - dt));
                            let [way, speed] = if there {
                                servo.follow(state, bodies, resistance, [time, dt], layers)
                            } else {
                                state.rest()
                            };
                            RigidMotion::along(servo.axis * way, servo.axis * speed)
                        }
                        _ => motion.planned(time),
                    });
                }
                Drive::Free(free) if there && time > free.start => {
                    let push = push(bodies, walls, state.free.position, gravity, dt);
                    state.ride = free.advance(&mut state.free, &push, *origin);
                }
                Drive::Free(_) => {}
            }
            if self.states[i].ride != before {
                self.put(i, bodies, Some(displacement));
            }
        }
    }

    /// The second half step of free tools.
    pub(crate) fn kick(&mut self, bodies: &mut Bodies<D>, gravity: D::Vec, [time, dt]: [f64; 2]) {
        for i in 0..self.list.len() {
            let Tool { drive, origin, walls, .. } = &self.list[i];
            if let Drive::Free(free) = drive
                && time > free.start
                && is_there(bodies, walls)
            {
                let state = &mut self.states[i];
                let push = push(bodies, walls, state.free.position, gravity, dt);
                state.ride = free.kick(&mut state.free, &push, *origin);
                self.put(i, bodies, None);
            }
        }
    }

    /// Puts the walls of a tool where it is, with the velocities that it has.
    fn put(&self, tool: usize, bodies: &mut Bodies<D>, mut displacement: Option<&mut Displacement<D>>) {
        let ride = &self.states[tool].ride;
        for &wall in &self.list[tool].walls {
            let wall = wall as usize;
            let size = bodies.size(wall);
            let body = &mut bodies.records[wall];
            let (before, now) = (body.pose(), ride.carry(&self.starts[wall]));
            (body.position, body.rotation) = (now.position, now.rotation);
            (body.velocity, body.spin) = (ride.velocity_at(now.position), ride.spin);
            if let Some(displacement) = &mut displacement {
                displacement.of[wall] += (now.position - before.position).length();
                let chord = D::chord(before.rotation, now.rotation);
                // Infinite for a plane that turns: nothing near it ever sleeps.
                displacement.of[wall] += if chord > 0.0 { chord * size } else { 0.0 };
            }
            bodies.carry_features(wall, displacement.as_deref_mut());
        }
    }

    /// Whether these states belong to the tools.
    pub(crate) fn fit(&self, states: &[ToolState<D>]) -> bool {
        states.len() == self.list.len()
            && states.iter().zip(&self.states).all(|(state, own)| state.servos.len() == own.servos.len())
    }

    /// Work of all tools on the grains during a step, with that of surfaces that move along themselves, whose power by wall is given.
    pub(crate) fn work(&mut self, bodies: &Bodies<D>, surface_power: impl Fn(usize) -> f64, dt: f64) -> f64 {
        let mut all = 0.0;
        for (tool, state) in self.list.iter().zip(&mut self.states) {
            for &wall in &tool.walls {
                let body = &bodies.records[wall as usize];
                let along = surface_power(wall as usize);
                if body.velocity == D::Vec::default() && body.spin == D::Spin::default() && along == 0.0 {
                    continue;
                }
                let (force, torque) = bodies.wall_load(wall as usize);
                let work = (along - (force.dot(body.velocity) + torque.dot(body.spin))) * dt;
                state.work += work;
                all += work;
            }
        }
        all
    }

    /// Whether any tool has a servo, which wants to know what it touches.
    pub(crate) fn has_servos(&self) -> bool {
        let is_servo = |motion: &Move<D>| matches!(motion, Move::Servo(_));
        self.list.iter().any(|tool| match &tool.drive {
            Drive::Moves(moves) => moves.iter().any(is_servo),
            _ => false,
        })
    }

    /// Whether any tool is moved by what grains do to it.
    pub(crate) fn are_driven(&self) -> bool {
        !self.list.iter().all(Tool::is_prescribed)
    }

    /// Whether a wall goes on with the velocity that it has: no tool moves it by a plan, a servo or forces.
    pub(crate) fn lets_go_on(&self, wall: usize) -> bool {
        matches!(self.list[self.tool_of[wall] as usize].drive, Drive::Constant)
    }

    /// The tool that a wall belongs to; none for a grain.
    pub(crate) fn of(&self, bodies: &Bodies<D>, slot: u32) -> Option<usize> {
        let wall = ((slot as usize) < bodies.walls).then(|| bodies.states[slot as usize].id)?;
        self.tool_of.get(wall as usize).map(|&tool| tool as usize)
    }

    /// Takes note of what tools touch, one impedance for each.
    pub(crate) fn take_impedances(&mut self, impedances: &[ContactImpedance]) {
        for (state, impedance) in self.states.iter_mut().zip(impedances) {
            state.servos.iter_mut().for_each(|servo| servo.take_impedance(impedance));
        }
    }

    /// A tool as it is at a time.
    pub(crate) fn report(&self, tool: usize, bodies: &Bodies<D>, time: f64) -> ToolReport<D> {
        let (Tool { walls, origin, drive, .. }, state) = (&self.list[tool], &self.states[tool]);
        let first = &bodies.records[walls[0] as usize];
        let (position, velocity, spin) = match drive {
            Drive::Constant => (first.position, first.velocity, first.spin),
            _ => {
                let position = state.ride.point(*origin);
                (position, state.ride.velocity_at(position), state.ride.spin)
            }
        };
        let (force, torque) = sum(bodies, walls, position);
        let servo = match drive {
            Drive::Moves(moves) => current(moves, time).map(|(i, servo)| {
                let resistance = -force.dot(servo.heading(&moves[i + 1..], time));
                servo.report(&state.servos[i], bodies, resistance, layers(bodies))
            }),
            _ => None,
        };
        ToolReport { position, velocity, spin, force, torque, work: state.work, servo }
    }
}

impl<D: Dimension> ToolState<D> {
    fn new(tool: &Tool<D>) -> Self {
        let moves = if let Drive::Moves(moves) = &tool.drive { moves.len() } else { 0 };
        Self {
            servos: vec![ServoState::default(); moves],
            free: Free::at_rest(tool.origin),
            ..Self::default()
        }
    }
}

impl<D: Dimension> Move<D> {
    /// Where a motion that is a function of time has come; nowhere for a servo.
    fn planned(&self, time: f64) -> RigidMotion<D> {
        match self {
            Self::Along { axis, course } => {
                let [way, speed] = course.at(time);
                RigidMotion::along(*axis * way, *axis * speed)
            }
            Self::About { point, axis, course } => RigidMotion::about(*point, *axis, course.at(time)),
            Self::Servo(_) => RigidMotion::default(),
        }
    }
}

/// The servo that acts at a time, with its place among the moves; between and after servos that which acted last, before all
/// of them the first.
fn current<D: Dimension>(moves: &[Move<D>], time: f64) -> Option<(usize, &Servo<D>)> {
    let servos = moves.iter().enumerate().filter_map(|(i, motion)| match motion {
        Move::Servo(servo) => Some((i, servo)),
        _ => None,
    });
    let by_start = |a: &(usize, &Servo<D>), b: &(usize, &Servo<D>)| a.1.start.total_cmp(&b.1.start);
    let begun = servos.clone().filter(|(_, servo)| servo.start <= time).max_by(by_start);
    begun.or_else(|| servos.min_by(by_start))
}

/// All motions, one after the other.
fn total<D: Dimension>(
    moves: &[Move<D>],
    mut ride: impl FnMut(&Move<D>) -> RigidMotion<D>,
) -> RigidMotion<D> {
    moves.iter().fold(RigidMotion::default(), |all, motion| all.then(&ride(motion)))
}

/// A wall that goes on with its velocity and spin.
fn go_on<D: Dimension>(bodies: &mut Bodies<D>, wall: usize, dt: f64, displacement: &mut Displacement<D>) {
    let size = bodies.size(wall);
    let body = &mut bodies.records[wall];
    let before = body.rotation;
    body.position += body.velocity * dt;
    displacement.of[wall] += body.velocity.length() * dt;
    if body.spin != D::Spin::default() {
        body.rotation = D::rotated(before, body.spin, dt);
        // Infinite for a plane that turns: nothing near it ever sleeps.
        displacement.of[wall] += D::chord(before, body.rotation) * size;
    }
    bodies.carry_features(wall, Some(displacement));
}

/// Force of the grains on some walls, and their torque about a point.
fn sum<D: Dimension>(bodies: &Bodies<D>, walls: &[u32], point: D::Vec) -> (D::Vec, D::Spin) {
    let (mut force, mut torque) = (D::Vec::default(), D::Spin::default());
    for &wall in walls {
        let (on, about) = bodies.wall_load(wall as usize);
        force += on;
        torque += about + D::moment(bodies.records[wall as usize].position - point, on);
    }
    (force, torque)
}

fn push<D: Dimension>(
    bodies: &Bodies<D>,
    walls: &[u32],
    centre: D::Vec,
    gravity: D::Vec,
    dt: f64,
) -> Push<D> {
    let (force, torque) = sum(bodies, walls, centre);
    Push { force, torque, gravity, dt }
}

/// Grains across the whole bed, about.
fn layers<D: Dimension>(bodies: &Bodies<D>) -> f64 {
    libm::pow((bodies.grains().len() + bodies.elsewhere.grains).max(1) as f64, 1.0 / D::N as f64)
}

/// Whether one of these walls is there.
fn is_there<D: Dimension>(bodies: &Bodies<D>, walls: &[u32]) -> bool {
    walls.iter().any(|&wall| bodies.states[wall as usize].is_present())
}
