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
    /// Whether the bodies may be so flat where they touch that they rock.
    const ROCKS: bool;
}

macro_rules! kinds {
    ($($solver:ident: $warm_start:ty, $turned:literal, $rocks:literal;)*) => {
        $(impl ContactKind for $solver {
            type WarmStart = $warm_start;
            const TURNED: usize = $turned;
            const ROCKS: bool = $rocks;
        })*
    };
}

kinds! {
    SpherePairs: (), 0, false;
    SpheresOnHalfSpaces: (), 0, false;
    EllipsoidPairs: NormalChange, 2, false;
    EllipsoidsOnHalfSpaces: (), 1, false;
    QuarticPairs: BodyPoints, 2, true;
    SuperellipsoidPairs: NormalChange, 2, true;
    SuperellipsoidsOnHalfSpaces: (), 1, true;
}
