//! How grains push each other.

use crate::quantity::{Crown, Quantity};
use crate::section::{keywords, section};

section! {
    /// How grains push each other, for all pairs of materials.
    Contact {
        /// How the force grows with the overlap.
        law: Law = Law::HertzMindlin;
        /// Which radius Hertz' law uses.
        radius: Radius = Radius::BodyFunction;
        /// What is done where faces meet.
        flat: Flat = Flat::Patch;
        /// Height of the slight crown, relative to the extent, that capsules, cylinders and very flat superellipsoids have in contacts,
        /// so that they rest and roll as smooth bodies: at least a fifteenth of the overlap over the radius. Zero for the exact shapes,
        /// whose contacts jump along lines.
        crown: Quantity<Crown> = Quantity::new(0.003);
        /// How damping is found from the restitution.
        damping: Damping = Damping::Exact;
        /// Method that solves contacts, of those that `gritstone methods` lists; default: auto, which is certified. Another one
        /// is used as published: contacts that it cannot solve are counted as unresolved, and pairs of shapes that it is not
        /// made for are left to auto.
        method: Option<String>;
    }
}

keywords! {
    /// How the force grows with the overlap.
    Law {
        /// In proportion: stiffness times overlap, from `kn` and `ks`.
        Linear => "linear",
        /// As elastic bodies do: with the power 3/2, from `young` and `poisson`.
        HertzMindlin => "hertz-mindlin",
    }
}

keywords! {
    /// Which radius Hertz' law uses.
    Radius {
        /// A function of direction, `R³/h²`, for smooth bodies, with its gradient in the force: elastic impacts keep their energy.
        BodyFunction => "body-function",
        /// That of the surfaces where they touch, whose change is not in the force: elastic impacts gain and lose energy.
        Curvature => "curvature",
        /// That of spheres of the same volume, as LIGGGHTS does.
        VolumeEquivalent => "volume-equivalent",
    }
}

keywords! {
    /// What is done where faces meet.
    Flat {
        /// The pressure is integrated over the common area, so that flat grains rest and stack.
        Patch => "patch",
        /// As `patch`, but every contact is found anew in every step: those of polyhedra that hardly move are not followed.
        StrictPatch => "strict-patch",
        /// One force at one point, as everywhere else.
        Point => "point",
    }
}

keywords! {
    /// How damping is found from the restitution.
    Damping {
        /// So that grains come back with just that restitution, though contacts never pull.
        Exact => "exact",
        /// By the published formula, which allows contacts to pull: a little more comes back.
        Published => "published",
    }
}
