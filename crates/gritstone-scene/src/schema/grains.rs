//! Where grains are at the start.

use crate::quantity::{
    Coefficient, Coordinates, Fraction, Length, Mass, Position, Quantity, Velocity, Width,
};
use crate::section::{choice, section};

use super::region::Region;
use super::size::{By, Size};
use super::values::{Counts, Names, Orientation, Spin};

choice! {
    /// A group of grains. Groups add up; ids go on from group to group.
    Grains by "from" {
        Lattice(Lattice) => "lattice",
        Points(Points) => "points",
        Random(Random) => "random",
        Csv(Csv) => "csv",
        Dump(Dump) => "dump",
    }
}

section! {
    /// Grains on a rectangular lattice.
    Lattice {
        /// Name of their shape, or a list of names, from which each grain takes one at random.
        shape: Names;
        /// Name of their material.
        material: String;
        /// How many along each axis.
        count: Counts;
        /// Distance of neighbours along each axis.
        spacing: Coordinates<Length>;
        /// Where the first grain's centre of mass is; the others are further along the axes.
        origin: Coordinates<Position>;
        /// How far at most each coordinate is shifted at random.
        jitter: Quantity<Width> = Quantity::new(0.0);
        /// Take only so many, x running fastest, then y, then z.
        limit: Option<u64>;
        /// How they are turned.
        orientation: Option<Orientation>;
        /// Velocity of all of them.
        velocity: Option<Coordinates<Velocity>>;
        /// Angular velocity of all of them.
        spin: Option<Spin>;
        /// Start of the random numbers.
        seed: u64 = 1;
    }
}

section! {
    /// Grains at given points.
    Points {
        /// Name of their shape, or a list of names, from which each grain takes one at random.
        shape: Names;
        /// Name of their material.
        material: String;
        /// Where their centres of mass are.
        at: Vec<Coordinates<Position>>;
        /// How they are turned.
        orientation: Option<Orientation>;
        /// Velocity of all of them.
        velocity: Option<Coordinates<Velocity>>;
        /// Angular velocity of all of them.
        spin: Option<Spin>;
        /// Start of the random numbers.
        seed: u64 = 1;
    }
}

section! {
    /// Grains at random places, none into another or into a wall: give `count`, `mass` or `solid_fraction`. Large grains are
    /// placed first; a warning tells how many found no place.
    Random {
        /// Name of their shape, or a list of names, from which each grain takes one at random.
        shape: Names;
        /// Shares of the shapes, in their order; default: equal.
        shares: Option<Vec<Quantity<Coefficient>>>;
        /// What the shares are of.
        share_by: By = By::Number;
        /// How large they are; default: as their shapes say.
        size: Option<Size>;
        /// Name of their material.
        material: String;
        /// Where they are, each as a whole. Against round sides a grain counts as the ball that holds it.
        region: Region;
        /// How many.
        count: Option<u64>;
        /// How much.
        mass: Option<Quantity<Mass>>;
        /// How much of the region they fill. Equal spheres find no place beyond 0.38, equal discs none beyond 0.54, and it
        /// takes long to come near to that.
        solid_fraction: Option<Quantity<Fraction>>;
        /// How they are turned.
        orientation: Orientation = Orientation::Random;
        /// Velocity of all of them.
        velocity: Option<Coordinates<Velocity>>;
        /// Angular velocity of all of them.
        spin: Option<Spin>;
        /// Places that are tried for each grain.
        attempts: u32 = 2000;
        /// Start of the random numbers.
        seed: u64 = 1;
    }
}

section! {
    /// Grains from a table in a file: columns `id, x, y, z` in space or `id, x, y` in the plane, with a line of names; after
    /// them, if wanted, `qw, qx, qy, qz` or `angle` (radians), `vx, vy, vz` or `vx, vy`, `wx, wy, wz` or `spin`, `shape`,
    /// `material`. The `final.csv` of a run is such a file.
    Csv {
        /// Name of their shape, where the file has none; or a list of names, from which each grain takes one at random.
        shape: Option<Names>;
        /// Name of their material, where the file has none.
        material: Option<String>;
        /// The file, beside the scene.
        file: String;
        /// Start of the random numbers.
        seed: u64 = 1;
    }
}

section! {
    /// Grains from a text dump of LAMMPS or LIGGGHTS (`dump custom`), in SI units: columns `id` and `x y z` (or `xu`, `xs`),
    /// and where there are, `type`, `quat1` to `quat4` or `c_q[1]` and so on, `vx vy vz`, `omegax omegay omegaz`.
    Dump {
        /// Names of the shapes of types 1, 2 and so on; one name is for all types.
        shape: Names;
        /// Name of their material.
        material: String;
        /// The file, beside the scene.
        file: String;
        /// The time step to take; default: the last one.
        step: Option<u64>;
    }
}
