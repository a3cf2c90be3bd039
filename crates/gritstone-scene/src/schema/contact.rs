//! How grains push each other.

use crate::quantity::{Crown, Quantity};
use crate::section::{keywords, section};

section! {
    /// Contact law for all pairs of materials.
    Contact {
        /// The normal force law.
        law: Law = Law::HertzMindlin;
        /// The radius in Hertz' law.
        radius: Radius = Radius::Curvature;
        /// Treatment of flat contacts.
        flat: Flat = Flat::Patch;
        /// Relation between damping and restitution.
        damping: Damping = Damping::Exact;
        /// Contact detection method, one of those that `gritstone methods` lists; default: auto, which is certified. Another one
        /// is used as published: contacts that it cannot solve are counted as unresolved, and pairs of shapes that it does not
        /// support are solved by auto.
        method: Option<String>;
    }
}

keywords! {
    /// The normal force law.
    Law {
        /// Linear springs, from `kn` and `ks`.
        Linear => "linear",
        /// Hertz–Mindlin contact, from `young` and `poisson`.
        HertzMindlin => "hertz-mindlin",
    }
}

keywords! {
    /// The radius in Hertz' law.
    Radius {
        /// The local radius of curvature at the contact.
        Curvature => "curvature",
        /// That of spheres of the same volume, as in LIGGGHTS.
        VolumeEquivalent => "volume-equivalent",
    }
}

keywords! {
    /// Treatment of flat contacts.
    Flat {
        /// Pressure is integrated over the contact area, so that flat grains rest and stack.
        Patch => "patch",
        /// As `patch`, but every contact is recomputed in every step: patches of slow polyhedra are not reused.
        StrictPatch => "strict-patch",
        /// One force at one contact point, as for curved surfaces.
        Point => "point",
    }
}

keywords! {
    /// Relation between damping and restitution.
    Damping {
        /// Exact: grains rebound with the given restitution, without tensile forces.
        Exact => "exact",
        /// The published formula, which assumes tensile forces at separation: the rebound is slightly higher.
        Published => "published",
    }
}
