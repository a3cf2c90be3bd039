//! Walls that move together, and what moves them.

use super::cell::Axis;
use crate::quantity::{
    Angle, Area, Coordinates, Dimensionless, Force, Frequency, Inertia, Mass, Position, Pressure, Quantity,
    Speed, TimePoint, Velocity,
};
use crate::section::{choice, keywords, section};

use super::values::{Names, Spin};

section! {
    /// Walls that move together and report their force, torque and work as one. Give it `moves`, or make it `free`.
    Tool {
        /// Names of its walls: `box` with all its sides, or `box.x-high` alone.
        walls: Names;
        /// The point that torques are taken about, and the centre of mass of a free tool; default: zeros.
        origin: Option<Coordinates<Position>>;
        /// What it does, each in the axes of the world, and each with what those before it have made of the tool: a rotation
        /// that stands before a translation turns about a point that the translation takes along.
        moves: Vec<Move>;
        /// Forces move it.
        free: Option<Free>;
    }
}

choice! {
    /// A motion. Nothing moves before its start, and after its end the tool stays where it is.
    Move by "move" {
        Translate(Translate) => "translate",
        Rotate(Rotate) => "rotate",
        Oscillate(Oscillate) => "oscillate",
        Rock(Rock) => "rock",
        Servo(Servo) => "servo",
    }
}

section! {
    /// Along a line: give `velocity`, or `by` and `end`.
    Translate {
        /// Constant velocity.
        velocity: Option<Coordinates<Velocity>>;
        /// The whole way.
        by: Option<Coordinates<Position>>;
        /// How it goes from start to end: for `by` alone.
        profile: Profile = Profile::Smooth;
        /// When it begins.
        start: Quantity<TimePoint> = Quantity::new(0.0);
        /// When it ends; default: never.
        end: Option<Quantity<TimePoint>>;
    }
}

section! {
    /// About an axis: give `spin`, or `by`, `axis` and `end`.
    Rotate {
        /// A point on the axis.
        point: Coordinates<Position>;
        /// Constant angular velocity.
        spin: Option<Spin>;
        /// The whole angle.
        by: Option<Quantity<Angle>>;
        /// Direction of the axis for `by`, in space; turns are counter-clockwise seen from where it points to.
        axis: Option<Coordinates<Dimensionless>>;
        /// How it goes from start to end: for `by` alone.
        profile: Profile = Profile::Smooth;
        /// When it begins.
        start: Quantity<TimePoint> = Quantity::new(0.0);
        /// When it ends; default: never.
        end: Option<Quantity<TimePoint>>;
    }
}

section! {
    /// To and fro along a line: amplitude · (sin(2π·frequency·t + phase) − sin(phase)), t from the start on.
    Oscillate {
        /// Half the way from end to end, with its direction.
        amplitude: Coordinates<Position>;
        /// Swings per second.
        frequency: Quantity<Frequency>;
        /// Where in the swing it starts: "90 deg" starts from rest.
        phase: Quantity<Angle> = Quantity::new(0.0);
        /// When it begins.
        start: Quantity<TimePoint> = Quantity::new(0.0);
        /// When it ends; default: never.
        end: Option<Quantity<TimePoint>>;
    }
}

section! {
    /// To and fro about an axis.
    Rock {
        /// A point on the axis.
        point: Coordinates<Position>;
        /// Direction of the axis, in space.
        axis: Option<Coordinates<Dimensionless>>;
        /// Half the angle from end to end.
        amplitude: Quantity<Angle>;
        /// Swings per second.
        frequency: Quantity<Frequency>;
        /// Where in the swing it starts: "90 deg" starts from rest.
        phase: Quantity<Angle> = Quantity::new(0.0);
        /// When it begins.
        start: Quantity<TimePoint> = Quantity::new(0.0);
        /// When it ends; default: never.
        end: Option<Quantity<TimePoint>>;
    }
}

section! {
    /// Along an axis, so that grains resist with a force or stress: give one of `force` and `stress`. The gain is chosen from
    /// the stiffness of the tool's contacts and the masses of their grains in every step, and stated in the summary. A tool has
    /// one servo at a time.
    Servo {
        /// Direction in which the tool pushes; of any length. Rotations that stand after the servo turn it.
        axis: Coordinates<Dimensionless>;
        /// Force to be reached, zero or more.
        force: Option<Quantity<Force>>;
        /// Stress to be reached, zero or more.
        stress: Option<Quantity<Pressure>>;
        /// The area that the stress acts on; for a side of a box it is found from the other sides where they are by then.
        area: Option<Quantity<Area>>;
        /// Greatest speed.
        max_speed: Quantity<Speed>;
        /// When it begins.
        start: Quantity<TimePoint> = Quantity::new(0.0);
        /// When it ends; default: never.
        end: Option<Quantity<TimePoint>>;
    }
}

section! {
    /// A tool that gravity, the grains and a constant force move.
    Free {
        /// Its mass.
        mass: Quantity<Mass>;
        /// Axes along which it may move; default: all.
        along: Option<Vec<Axis>>;
        /// Moments of inertia about x, y, z at the start, through its origin (in the plane one of them in a list); default:
        /// it does not turn.
        moments: Vec<Quantity<Inertia>>;
        /// Axes of the world about which it may turn; default: all; about the others it has no angular velocity.
        about: Option<Vec<Axis>>;
        /// A force on it.
        force: Option<Coordinates<Force>>;
        /// From when on it is free.
        start: Quantity<TimePoint> = Quantity::new(0.0);
    }
}

keywords! {
    /// How a motion goes from its start to its end.
    Profile {
        /// From rest to rest along 3u² − 2u³.
        Smooth => "smooth",
        /// At constant speed.
        Steady => "steady",
    }
}
