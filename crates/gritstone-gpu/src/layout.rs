//! What kernels are given: the twin of `kernels/layout.h`.

use bytemuck::{Pod, Zeroable};

/// Numbers of a body, of a contact, of its row of forces, of its point, of all that on its way, of a block's part of sums.
pub(crate) const BODY: usize = 16;
pub(crate) const CONTACT: usize = 16;
pub(crate) const ROW: usize = 8;
pub(crate) const POINT: usize = 3;
pub(crate) const PACKED: usize = 28;
pub(crate) const PARTIAL: usize = 10;
/// Classes of pairs, the first of those with superellipsoids, and classes of shapes, in the order of `layout.h`.
pub(crate) const PAIR_CLASSES: usize = gritstone_engine::offload::LANE_CLASSES;
pub(crate) const QUARTICS: usize = 4;
pub(crate) const SHAPE_CLASSES: usize = 6;
pub(crate) const HALF_SPACE: usize = 4;
/// States of a candidate.
pub(crate) const TOUCHES: u8 = 1;
pub(crate) const LISTED: u8 = 2;
pub(crate) const HOSTED: u8 = 4;
/// Why kernels stop for a step of the host alone: the lists are stale, more grains go far than can be told.
pub(crate) const STALE: u32 = 1;
pub(crate) const FAST: u32 = 8;

/// The kernels, in the order of their names and of the table at the end of `step.cu`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
#[allow(missing_docs, reason = "their names say it, and their comments in step.cu")]
pub enum Kernel {
    BeginStep,
    DriftBodies,
    JudgeLists,
    ActivateCandidates,
    ActivateSuperellipsoids,
    SolveSpheres,
    SolveSpheresOnHalfSpaces,
    SolveEllipsoids,
    SolveEllipsoidsOnHalfSpaces,
    SolveQuartics,
    SolveSuperellipsoids,
    SolveSuperellipsoidsOnHalfSpaces,
    GatherAndKick,
    GatherWalls,
    EndStep,
    PackContacts,
    UnpackContacts,
    SampleBodies,
    PackQuestions,
    TakeAnswers,
    PackWallContacts,
}

impl Kernel {
    pub(crate) const NAMES: [&str; 21] = [
        "begin_step",
        "drift_bodies",
        "judge_lists",
        "activate_candidates",
        "activate_superellipsoids",
        "solve_all_spheres",
        "solve_all_spheres_on_half_spaces",
        "solve_all_ellipsoids",
        "solve_all_ellipsoids_on_half_spaces",
        "solve_all_quartics",
        "solve_all_superellipsoids",
        "solve_all_superellipsoids_on_half_spaces",
        "gather_and_kick",
        "gather_walls",
        "end_step",
        "pack_contacts",
        "unpack_contacts",
        "sample_bodies",
        "pack_questions",
        "take_answers",
        "pack_wall_contacts",
    ];
    pub(crate) const SOLVERS: [Self; PAIR_CLASSES] = [
        Self::SolveSpheres,
        Self::SolveSpheresOnHalfSpaces,
        Self::SolveEllipsoids,
        Self::SolveEllipsoidsOnHalfSpaces,
        Self::SolveQuartics,
        Self::SolveSuperellipsoids,
        Self::SolveSuperellipsoidsOnHalfSpaces,
    ];
}

/// What kernels tell each other and the host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Control {
    pub(crate) stop: u32,
    pub(crate) made: u32,
    pub(crate) parted: u32,
    pub(crate) contacts: u32,
    pub(crate) active: [u32; PAIR_CLASSES],
    pub(crate) looks: u32,
    pub(crate) fast: u32,
    pub(crate) asked: u32,
    pub(crate) due: u32,
    pub(crate) unused: u32,
    pub(crate) deepest: f64,
    pub(crate) common: [f64; 3],
    pub(crate) rounding: f64,
    pub(crate) largest_velocity: f64,
    pub(crate) velocity: [f64; 6],
}

/// All that kernels are given; addresses of the device's memory.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub struct Params {
    pub(crate) dt: f64,
    pub(crate) gravity: [f64; 3],
    pub(crate) skin: [f64; 2],
    /// Number of the step before the batch.
    pub(crate) step: u64,
    /// How far the thinnest grain may go in a step.
    pub(crate) least_far: f64,
    pub(crate) bodies: u32,
    pub(crate) walls: u32,
    pub(crate) candidates: u32,
    pub(crate) grain_candidates: u32,
    pub(crate) materials: u32,
    pub(crate) radius_rule: u32,
    /// Which copy is that of now, at the begin of the batch.
    pub(crate) first: u32,
    /// Blocks of bodies.
    pub(crate) blocks: u32,
    /// Whether the host has a part in the step.
    pub(crate) shared: u32,
    /// Walls in the plan, which is empty where none moves.
    pub(crate) planned: u32,
    /// How many fast grains can be told.
    pub(crate) fast_room: u32,
    /// Number of the first question that is packed, and whether questions are of contacts.
    pub(crate) question: u32,
    pub(crate) of_contacts: u32,
    pub(crate) unused: u32,
    pub(crate) shapes: u64,
    pub(crate) classes: u64,
    pub(crate) wall_classes: u64,
    pub(crate) inertias: u64,
    pub(crate) laws: u64,
    pub(crate) wall_plan: u64,
    pub(crate) wall_loads: u64,
    pub(crate) control: u64,
    pub(crate) partials: u64,
    pub(crate) records: [u64; 2],
    pub(crate) states: [u64; 2],
    pub(crate) displacements: [[u64; 2]; 2],
    pub(crate) contacts: [u64; 2],
    pub(crate) pairs: u64,
    pub(crate) due_at: u64,
    pub(crate) directions: u64,
    pub(crate) flags: u64,
    pub(crate) rows: u64,
    pub(crate) points: u64,
    pub(crate) active: [u64; PAIR_CLASSES],
    pub(crate) parted: u64,
    pub(crate) asked: u64,
    pub(crate) starts: u64,
    pub(crate) entries: u64,
    pub(crate) touching: u64,
    pub(crate) packed: u64,
    pub(crate) fast: u64,
    pub(crate) visited: u64,
    pub(crate) samples: u64,
    pub(crate) questions: u64,
    pub(crate) answers: u64,
    pub(crate) wall_contacts: u64,
}
