//! What the engine needs to know of a dimension beside its vectors: how bodies turn in it, and how contacts are solved.

mod plane;
pub(crate) mod space;

use std::fmt::Debug;

use crate::contacts::batch::ContactBatch;
use gritstone_contact::{Answer, Placed, Query, Refusal};
use gritstone_core::{Contact, Mass, Pose};
use gritstone_force::{PatchSums, Touch};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::bodies::integrate;
use crate::bodies::{Record, State, StepInput};
use crate::boundary::surface::{Approach, Clearance, MeshFeature, Ownership, Surface};
use crate::broad_phase::LargestDisplacements;
use crate::contacts::effective_radius::Curved;
use crate::insertion::random::RandomStream;

/// What can be written to a checkpoint and read back.
pub trait Storable: Serialize + DeserializeOwned {}

impl<T: Serialize + DeserializeOwned> Storable for T {}

/// A dimension in which grains move.
pub trait Dimension: Curved<Vec: Storable, Rotation: Storable, Spin: Storable> {
    /// Resistance of a body to being turned.
    type Inertia: Copy + Debug + Default + Send + Sync;
    /// What a pair keeps from one step to the next for the narrow phase.
    type Memory: Clone + Debug + Default + Send + Sync + Storable;
    /// Contacts that are solved many at a time.
    type ContactBatch: ContactBatch<Self>;
    /// Workspace for the patch of a flat contact.
    type Patch: Default + Send;
    /// A contact with its patch that is followed while it hardly moves.
    type PatchCache: Clone + Debug + Default + Send + Sync + Storable;

    /// Which contacts with a feature of a surface are its own.
    type FacetFilter: Clone + Debug + Send + Sync;

    /// The features of a surface for grains up to a size; none in the plane.
    fn features(surface: &Surface, largest: f64) -> Vec<MeshFeature<Self>>;

    /// The convex tiles without thickness that a surface at this pose is made of in a box, in its own frame; none in the plane.
    fn tiles(surface: &Surface, pose: &Pose<Self>, corners: [Self::Vec; 2])
    -> Vec<(Self::Shape, Pose<Self>)>;

    /// Whether a contact of a grain with a feature that is at this pose is the feature's own.
    fn admits(
        filter: &Self::FacetFilter,
        grain: Placed<'_, Self>,
        pose: &Pose<Self>,
        contact: &Contact<Self>,
        approach: &Approach<Self>,
        scratch: &mut Self::Scratch,
    ) -> Ownership;

    /// A lower bound of the displacement after which a feature that is at this pose can own a contact with a grain.
    fn clearance(
        filter: &Self::FacetFilter,
        grain: Placed<'_, Self>,
        pose: &Pose<Self>,
        approach: &Approach<Self>,
    ) -> Clearance<Self>;

    /// A contact with a feature as laws see it.
    fn smooth(
        filter: &Self::FacetFilter,
        grain: Placed<'_, Self>,
        contact: Contact<Self>,
        scratch: &mut Self::Scratch,
    ) -> Contact<Self>;

    /// The body that a grain lies flat on, where that is another than the feature.
    fn ground<'g>(
        filter: &'g Self::FacetFilter,
        grain: Placed<'_, Self>,
        pose: &Pose<Self>,
        contact: &Contact<Self>,
    ) -> Option<Placed<'g, Self>>;

    /// Whether a grain of this shape may lie flat on a feature.
    fn lies_flat(filter: &Self::FacetFilter, grain: &Self::Shape) -> bool;

    /// The shape's name in scenes.
    fn word(shape: &Self::Shape) -> &'static str;

    /// Magnitude of a spin.
    fn rate(spin: Self::Spin) -> f64 {
        use gritstone_core::Linear as _;
        spin.dot(spin).sqrt()
    }

    /// Mass properties for density one, for shapes that have a volume.
    fn mass(shape: &Self::Shape) -> Option<Mass<Self>>;

    /// Half-axes of a ball or an ellipsoid.
    fn semi_axes(shape: &Self::Shape) -> Option<Self::Vec>;

    /// Outward normal of a shape without end.
    fn normal(shape: &Self::Shape) -> Option<Self::Vec>;

    /// The symmetric matrix with these entries.
    fn symmetric(entries: &[[f64; 3]; 3]) -> Self::Sym;

    /// The entries of a symmetric matrix; zero beyond the dimension.
    fn entries(matrix: &Self::Sym) -> [[f64; 3]; 3];

    /// Moment of inertia of a body of this density.
    fn inertia(mass: &Mass<Self>, density: f64) -> Self::Inertia;

    /// What lanes know of a body's resistance, and of its size.
    fn inertia_numbers(_: &Self::Inertia, _: f64) -> [f64; 8] {
        [0.0; 8]
    }

    /// ω = I⁻¹ L in world axes.
    fn spin(inertia: &Self::Inertia, rotation: Self::Rotation, momentum: Self::Spin) -> Self::Spin;

    /// ω of a body that may turn about these axes of the world alone, from the parts of L about them: what holds it has no
    /// torque about them. In the plane the first one counts.
    fn held_spin(
        inertia: &Self::Inertia,
        rotation: Self::Rotation,
        momentum: Self::Spin,
        about: [bool; 3],
    ) -> Self::Spin;

    /// L = I ω in world axes.
    fn momentum(inertia: &Self::Inertia, rotation: Self::Rotation, spin: Self::Spin) -> Self::Spin;

    /// The orientation after free turning for `dt` with the angular momentum kept.
    fn turned(
        inertia: &Self::Inertia,
        rotation: Self::Rotation,
        momentum: Self::Spin,
        dt: f64,
    ) -> Self::Rotation;

    /// The orientation after turning with this spin for `dt`, whatever it takes.
    fn driven(rotation: Self::Rotation, spin: Self::Spin, dt: f64) -> Self::Rotation;

    /// The resistance of a body with these moments about the axes of the world.
    fn with_moments(moments: Self::Spin) -> Self::Inertia;

    /// A spin after a rotation of the whole world.
    fn carried(rotation: Self::Rotation, spin: Self::Spin) -> Self::Spin;

    /// The part of a spin that turns about these axes; in the plane the first one counts.
    fn masked(spin: Self::Spin, about: [bool; 3]) -> Self::Spin;

    /// How far a point at unit distance from the centre moved at most between two orientations.
    fn chord(before: Self::Rotation, after: Self::Rotation) -> f64;

    /// The first half of a step for some bodies: see [`integrate`].
    fn advance(
        input: &StepInput<'_, Self>,
        records: &mut [Record<Self>],
        states: &mut [State<Self>],
        displacements: [&mut [f64]; 2],
    ) -> [LargestDisplacements; 2] {
        integrate::advance(input, records, states, displacements)
    }

    /// A rotation at random; all are equally likely.
    fn any_rotation(random: &mut RandomStream) -> Self::Rotation;

    /// The memory of a pair of which only the direction is known.
    fn remember(direction: Self::Vec) -> Self::Memory;

    /// The patch of a contact whose surfaces may be flat there, of no weight where they are not. `touch` is at its midpoint.
    fn measure_flat(
        a: Placed<'_, Self>,
        b: Placed<'_, Self>,
        contact: &Contact<Self>,
        patch: &mut Self::Patch,
        touch: &Touch<Self>,
    ) -> PatchSums<Self>;

    /// Keeps a contact whose patch was measured, to follow it; forgets the last one where this one cannot be followed.
    fn keep(
        patch_cache: &mut Self::PatchCache,
        bodies: [Placed<'_, Self>; 2],
        contact: &Contact<Self>,
        touch: &Touch<Self>,
        patch: &Self::Patch,
    );

    /// Follows a contact by a step: where it is now, unless its bodies may have moved too far.
    fn follow(
        patch_cache: &mut Self::PatchCache,
        bodies: [&Record<Self>; 2],
        dt: f64,
    ) -> Option<Contact<Self>>;

    /// The patch of a contact that was followed.
    fn followed(patch_cache: &Self::PatchCache, touch: &Touch<Self>) -> PatchSums<Self>;

    /// Solves a pair from what it keeps of the last time.
    fn solve(
        a: Placed<'_, Self>,
        b: Placed<'_, Self>,
        query: Query<Self>,
        memory: &mut Self::Memory,
        scratch: &mut Self::Scratch,
    ) -> Result<Answer<Self>, Refusal>;
}
