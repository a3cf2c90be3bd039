//! What can be wrong with a setup, in words.

/// What is wrong with a setup.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SetupError {
    /// The time step is not a positive number.
    #[error("time step is {0:?}, but must be positive")]
    TimeStep(f64),
    /// An unknown method.
    #[error("there is no contact method {0:?}")]
    NoSuchMethod(String),
    /// An unknown shape.
    #[error("grain {id} has shape {shape}, but there are {count}")]
    NoShape {
        /// The grain.
        id: u32,
        /// Its shape.
        shape: u32,
        /// Number of shapes.
        count: usize,
    },
    /// A shape that grains cannot have.
    #[error("grain {id} is a {word}, which has no volume or no end")]
    NoVolume {
        /// The grain.
        id: u32,
        /// Its shape in words.
        word: String,
    },
    /// A shape whose centre of mass is not at its origin.
    #[error("grain {id} is a {word} whose centre of mass is not at its origin")]
    OffCentre {
        /// The grain.
        id: u32,
        /// Its shape in words.
        word: String,
    },
    /// An unknown material.
    #[error("{what} has material {material}, but there are {count}")]
    NoMaterial {
        /// Which body.
        what: String,
        /// Its material.
        material: u16,
        /// Number of materials.
        count: usize,
    },
    /// A density that is not a positive number.
    #[error("the density of material {material} is {density:?}, but must be positive")]
    Density {
        /// Which one.
        material: usize,
        /// What was given.
        density: f64,
    },
    /// A cell whose sides do not span a box.
    #[error("the cell's sides are not finite or lie in one plane or line")]
    FlatCell,
    /// An unbounded wall that is not parallel to a periodic axis.
    #[error("wall {name:?} is not parallel to the side of the cell along axis {axis}, which repeats")]
    LeaningWall {
        /// Which wall.
        name: String,
        /// Which axis, counted from 0.
        axis: usize,
    },
    /// A cell that is too narrow for its grains.
    #[error(
        "the cell is {width:e} m wide along axis {axis}, but must be wider than {needed:e} m: the largest grain plus \
         the cutoff of the neighbour lists"
    )]
    Narrow {
        /// Which axis, counted from 0.
        axis: usize,
        /// Distance of the sides (m).
        width: f64,
        /// Distance that is needed (m).
        needed: f64,
    },
    /// A compound with an index that no shape has.
    #[error("there is a compound with the index {0}, but no such shape")]
    NoSuchCompound(u32),
    /// Two grains with the same id.
    #[error("two grains have the id {0}")]
    SameId(u32),
    /// A tool without walls, with an unknown wall, or with a wall of another tool.
    #[error("tool {name:?} {what}")]
    Tool {
        /// Its name.
        name: String,
        /// What is wrong with it.
        what: &'static str,
    },
    /// A number that is not finite.
    #[error("{what} has a position, velocity or spin that is not finite")]
    NotFinite {
        /// Which body.
        what: String,
    },
    /// An earlier world that does not match the setup.
    #[error("grains cannot continue from the earlier state: {0}")]
    Earlier(String),
    /// Something that a backend cannot do.
    #[error("the {backend} backend does not support {what}: use the CPU backend")]
    NotSupported {
        /// The backend.
        backend: &'static str,
        /// What it cannot do, in words.
        what: String,
    },
    /// A device that is missing or cannot be used.
    #[error("{0}")]
    Device(String),
    /// A feature that distributed worlds do not support yet.
    #[error("a scene with {0} cannot be distributed over processes")]
    NotShared(&'static str),
    /// A world could not be sent to the processes that share it.
    #[error("the world cannot be sent to the other processes: {0}")]
    NotSent(String),
}
