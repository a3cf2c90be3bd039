//! What buckets keep of contacts of each kind, beside what their solvers need.

use gritstone_contact::space::lanes::{
    EllipsoidPairs, EllipsoidsOnHalfSpaces, PairSolver, QuarticPairs, SpherePairs, SpheresOnHalfSpaces,
    SuperellipsoidPairs, SuperellipsoidsOnHalfSpaces,
};

use super::block::{BodyPoints, NormalChange, WarmStart};

/// Contacts of one kind.
pub(super) trait ContactKind: PairSolver {
    /// What is kept of contacts beside their normals, to start from in the next step.
    type WarmStart: WarmStart;
    /// How many of the bodies, a first, are turned by a force along the normal: that of a sphere passes through its centre.
    const TURNED: usize;
}

macro_rules! kinds {
    ($($solver:ident: $warm_start:ty, $turned:literal;)*) => {
        $(impl ContactKind for $solver {
            type WarmStart = $warm_start;
            const TURNED: usize = $turned;
        })*
    };
}

kinds! {
    SpherePairs: (), 0;
    SpheresOnHalfSpaces: (), 0;
    EllipsoidPairs: NormalChange, 2;
    EllipsoidsOnHalfSpaces: (), 1;
    QuarticPairs: BodyPoints, 2;
    SuperellipsoidPairs: NormalChange, 2;
    SuperellipsoidsOnHalfSpaces: (), 1;
}
