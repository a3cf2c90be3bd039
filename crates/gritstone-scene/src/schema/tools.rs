//! Walls that move together, and what moves them.

use super::cell::Axis;
use crate::quantity::{
    Angle, Area, Coordinates, Dimensionless, Force, Frequency, Inertia, Length, Mass, PeakAcceleration,
    Position, Pressure, Quantity, Speed, TimePoint, Velocity,
};
use crate::section::{choice, keywords, section};

use super::values::{Names, Spin};

section! {
    /// Walls that move together, with force, torque and work reported as one. Give it `moves`, or make it `free`.
    Tool {
        /// Names of its walls: `box` with all its sides, or `box.x-high` alone.
        walls: Names;
        /// Reference point of torques, and centre of mass of a free tool; default: zeros.
        origin: Option<Coordinates<Position>>;
        /// Its motions in world axes, each applied after those before it in the list: a rotation
        /// before a translation turns about a point that moves with the translation.
        moves: Vec<Move>;
        /// Makes it a free body under forces.
        free: Option<Free>;
    }
}

choice! {
    /// A motion. The tool is at rest before its start, and stays where it is after its end.
    Move by "move" {
        Translate(Translate) => "translate",
        Rotate(Rotate) => "rotate",
        Oscillate(Oscillate) => "oscillate",
        Vibrate(Vibrate) => "vibrate",
        Rock(Rock) => "rock",
        Servo(Servo) => "servo",
    }
}

section! {
    /// Along a line: give `velocity`, or `by` and `end`.
    Translate {
        /// Constant velocity.
        velocity: Option<Coordinates<Velocity>>;
        /// Total displacement.
        by: Option<Coordinates<Position>>;
        /// Velocity profile from start to end; with `by` only.
        profile: Profile = Profile::Smooth;
        /// Start time.
        start: Quantity<TimePoint> = Quantity::new(0.0);
        /// End time; default: none.
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
        /// Total angle.
        by: Option<Quantity<Angle>>;
        /// Direction of the axis for `by`, in 3D (right-hand rule).
        axis: Option<Coordinates<Dimensionless>>;
        /// Velocity profile from start to end; with `by` only.
        profile: Profile = Profile::Smooth;
        /// Start time.
        start: Quantity<TimePoint> = Quantity::new(0.0);
        /// End time; default: none.
        end: Option<Quantity<TimePoint>>;
    }
}

section! {
    /// Oscillation along a line: amplitude · (sin(2π·frequency·t + phase) − sin(phase)), with t from the start time.
    Oscillate {
        /// Amplitude with its direction.
        amplitude: Coordinates<Position>;
        /// Frequency.
        frequency: Quantity<Frequency>;
        /// Phase at the start: "90 deg" starts from rest.
        phase: Quantity<Angle> = Quantity::new(0.0);
        /// Start time.
        start: Quantity<TimePoint> = Quantity::new(0.0);
        /// End time; default: none.
        end: Option<Quantity<TimePoint>>;
    }
}

section! {
    /// Sinusoidal shaking along a line, from rest: amplitude · (1 − cos(2π·frequency·t)), with t from the start time. Give two of
    /// `amplitude`, `frequency` and `acceleration`.
    Vibrate {
        /// Direction in which it moves first; of any length.
        direction: Coordinates<Dimensionless>;
        /// Half the distance between the two ends.
        amplitude: Option<Quantity<Length>>;
        /// Frequency.
        frequency: Option<Quantity<Frequency>>;
        /// Peak acceleration, amplitude · (2π·frequency)².
        acceleration: Option<Quantity<PeakAcceleration>>;
        /// Start time.
        start: Quantity<TimePoint> = Quantity::new(0.0);
        /// End time; default: none. After whole periods it ends at rest where it began.
        end: Option<Quantity<TimePoint>>;
    }
}

section! {
    /// Oscillation about an axis.
    Rock {
        /// A point on the axis.
        point: Coordinates<Position>;
        /// Direction of the axis, in 3D.
        axis: Option<Coordinates<Dimensionless>>;
        /// Amplitude.
        amplitude: Quantity<Angle>;
        /// Frequency.
        frequency: Quantity<Frequency>;
        /// Phase at the start: "90 deg" starts from rest.
        phase: Quantity<Angle> = Quantity::new(0.0);
        /// Start time.
        start: Quantity<TimePoint> = Quantity::new(0.0);
        /// End time; default: none.
        end: Option<Quantity<TimePoint>>;
    }
}

section! {
    /// Servo control of a force or stress along an axis: give one of `force` and `stress`. The gain follows from
    /// the stiffness of the tool's contacts and the masses of their grains in every step; the summary states it. A tool has
    /// one servo at a time.
    Servo {
        /// Direction in which the tool pushes; of any length. Rotations after the servo in the list rotate it.
        axis: Coordinates<Dimensionless>;
        /// Target force, zero or more.
        force: Option<Quantity<Force>>;
        /// Target stress, zero or more.
        stress: Option<Quantity<Pressure>>;
        /// The area on which the stress acts; default for a side of a box: the current area of that side.
        area: Option<Quantity<Area>>;
        /// Largest speed.
        max_speed: Quantity<Speed>;
        /// Start time.
        start: Quantity<TimePoint> = Quantity::new(0.0);
        /// End time; default: none.
        end: Option<Quantity<TimePoint>>;
    }
}

section! {
    /// A tool that moves freely under gravity, contact forces and a constant force.
    Free {
        /// Its mass.
        mass: Quantity<Mass>;
        /// Axes along which it may move; default: all.
        along: Option<Vec<Axis>>;
        /// Moments of inertia about x, y, z at the start, through its origin (in 2D a list of one); default:
        /// it does not rotate.
        moments: Vec<Quantity<Inertia>>;
        /// World axes about which it may rotate; default: all. About the others its angular velocity is zero.
        about: Option<Vec<Axis>>;
        /// A force on it.
        force: Option<Coordinates<Force>>;
        /// Time from which it is free.
        start: Quantity<TimePoint> = Quantity::new(0.0);
    }
}

keywords! {
    /// Velocity profile of a motion.
    Profile {
        /// From rest to rest: displacement 3u² − 2u³.
        Smooth => "smooth",
        /// At constant speed.
        Steady => "steady",
    }
}
