//! Where grains are at the start.

use crate::quantity::{
    Coefficient, Coordinates, Fraction, Length, Mass, Position, Quantity, Velocity, Width,
};
use crate::section::{choice, keywords, section};

use super::region::Region;
use super::size::{By, Size};
use super::values::{Counts, LengthUnit, Names, Orientation, Spin};

choice! {
    /// A group of grains. Ids are numbered consecutively over the groups.
    Grains by "from" {
        Lattice(Lattice) => "lattice",
        Points(Points) => "points",
        Random(Random) => "random",
        Csv(Csv) => "csv",
        Dump(Dump) => "dump",
        Run(FromRun) => "run",
    }
}

section! {
    /// Grains on a rectangular lattice.
    Lattice {
        /// Name of their shape, or a list of names from which one is drawn at random for each grain.
        shape: Names;
        /// Name of their material.
        material: String;
        /// Number along each axis.
        count: Counts;
        /// Distance between neighbours along each axis.
        spacing: Coordinates<Length>;
        /// Position of the first grain's centre of mass; the others follow along the axes.
        origin: Coordinates<Position>;
        /// Largest random shift of each coordinate.
        jitter: Quantity<Width> = Quantity::new(0.0);
        /// Largest number of grains; x is numbered first, then y, then z.
        limit: Option<u64>;
        /// Their orientation.
        orientation: Option<Orientation>;
        /// Initial velocity of all of them.
        velocity: Option<Coordinates<Velocity>>;
        /// Initial angular velocity of all of them.
        spin: Option<Spin>;
        /// Seed of the random numbers.
        seed: u64 = 1;
    }
}

section! {
    /// Grains at given points.
    Points {
        /// Name of their shape, or a list of names from which one is drawn at random for each grain.
        shape: Names;
        /// Name of their material.
        material: String;
        /// Positions of their centres of mass.
        at: Vec<Coordinates<Position>>;
        /// Their orientation.
        orientation: Option<Orientation>;
        /// Initial velocity of all of them.
        velocity: Option<Coordinates<Velocity>>;
        /// Initial angular velocity of all of them.
        spin: Option<Spin>;
        /// Seed of the random numbers.
        seed: u64 = 1;
    }
}

section! {
    /// Grains at random positions without overlap with each other or walls: give `count`, `mass` or `solid_fraction`. Large grains are
    /// placed first; a warning states how many could not be placed.
    Random {
        /// Name of their shape, or a list of names from which one is drawn at random for each grain.
        shape: Names;
        /// Shares of the shapes, in their order; default: equal.
        shares: Option<Vec<Quantity<Coefficient>>>;
        /// Whether shares are of number or mass.
        share_by: By = By::Number;
        /// Their size distribution; default: the size of their shapes.
        size: Option<Size>;
        /// Name of their material.
        material: String;
        /// The region that holds them entirely. At curved sides the bounding sphere of a grain counts.
        region: Region;
        /// Their number.
        count: Option<u64>;
        /// Their total mass.
        mass: Option<Quantity<Mass>>;
        /// Solid fraction in the region. Random placement reaches at most 0.38 for equal spheres and 0.54 for equal discs, and
        /// slows down near these limits.
        solid_fraction: Option<Quantity<Fraction>>;
        /// Their orientation.
        orientation: Orientation = Orientation::Random;
        /// Initial velocity of all of them.
        velocity: Option<Coordinates<Velocity>>;
        /// Initial angular velocity of all of them.
        spin: Option<Spin>;
        /// Trial positions per grain.
        attempts: u32 = 2000;
        /// Seed of the random numbers.
        seed: u64 = 1;
    }
}

section! {
    /// Grains from a table in a file: columns `id, x, y, z` (in 2D `id, x, y`) with a header row; optional:
    /// `qw, qx, qy, qz` or `angle` (radians), `vx, vy, vz` or `vx, vy`, `wx, wy, wz` or `spin`, `shape`, `scale` (a factor on the
    /// lengths of that shape), `material`. The `final.csv` of a run is such a file; contacts begin anew
    /// (`from = "run"` keeps them).
    Csv {
        /// Name of their shape if the file has none, or a list of names from which one is drawn at random for each grain. A name in
        /// the file must be one of these, if there are any.
        shape: Option<Names>;
        /// Name of their material if the file has none. A name in the file must be this one.
        material: Option<String>;
        /// The file, relative to the scene.
        file: String;
        /// Unit of lengths in the file: positions, and velocities per second.
        units: LengthUnit = LengthUnit::Metre;
        /// Seed of the random numbers.
        seed: u64 = 1;
    }
}

section! {
    /// Grains from a text dump of LAMMPS or LIGGGHTS (`dump custom`), in SI units: columns `id` and `x y z` (or `xu`, `xs`),
    /// and where there are, `type`, `quat1` to `quat4` or `c_q[1]` and so on, `vx vy vz`, `omegax omegay omegaz`.
    Dump {
        /// Names of the shapes of types 1, 2 and so on; one name stands for all types.
        shape: Names;
        /// Name of their material.
        material: String;
        /// The file, relative to the scene.
        file: String;
        /// The time step to read; default: the last one.
        step: Option<u64>;
    }
}

section! {
    /// Grains of another run as they were at its end, or at its last checkpoint: ids, shapes, materials, positions, velocities, and
    /// contacts with their history, so that static friction persists. Shapes and materials are found by their names:
    /// shapes must be the same as there, materials may have other parameters. Contacts with walls go on where a wall has the same
    /// name, shape and place. Where nothing but events, motions and times differs, the run goes on with the bits that the other
    /// would have had. At most one group; more grains may be added by others after it.
    FromRun {
        /// Folder of the run, relative to the scene. It needs a checkpoint (`output.checkpoint`).
        folder: String;
        /// Where walls and periodic sides are at the start.
        boundaries: Boundaries = Boundaries::Scene;
    }
}

keywords! {
    /// Where walls and periodic sides are at the start.
    Boundaries {
        /// where this scene has them.
        Scene => "scene",
        /// walls with the name and shape of a wall of the run start at its final position, and the periodic cell as it was at the end.
        Run => "run",
    }
}
