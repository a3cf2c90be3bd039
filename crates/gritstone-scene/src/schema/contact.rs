//! How grains push each other.

use crate::quantity::{Crown, Quantity};
use crate::section::{keywords, section};

section! {
    /// How grains push each other, for all pairs of materials.
    Contact {
        /// How the force grows with the overlap.
        law: Law = Law::HertzMindlin;
        /// The effective radius in Hertz' law.
        radius: Radius = Radius::BodyFunction;
        /// The model of contacts between faces.
        flat: Flat = Flat::Patch;
        /// Height of the slight crown, relative to the extent, that capsules, cylinders and very flat superellipsoids have in contacts,
        /// so that they rest and roll as smooth bodies: at least a fifteenth of the overlap over the radius. Zero for the exact shapes,
        /// whose contacts jump along lines.
        crown: Quantity<Crown> = Quantity::new(0.003);
        /// How the damping ratio follows from the restitution.
        damping: Damping = Damping::Exact;
        /// Method that solves contacts, of those that `gritstone methods` lists; default: auto, which is certified. Any
        /// other method is used as published: contacts that it cannot solve are counted as unresolved, and pairs of
        /// shapes that it does not support are solved by auto.
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
    /// The effective radius in Hertz' law.
    Radius {
        /// A function of direction, `R³/h²`, for smooth bodies, with its gradient in the force: elastic impacts conserve energy.
        BodyFunction => "body-function",
        /// That of the surfaces at the contact, without its gradient in the force: elastic impacts gain and lose energy.
        Curvature => "curvature",
        /// That of spheres of the same volume, as LIGGGHTS does.
        VolumeEquivalent => "volume-equivalent",
    }
}

keywords! {
    /// The model of contacts between faces.
    Flat {
        /// The pressure is integrated over the common area, so that flat grains rest and stack.
        Patch => "patch",
        /// As `patch`, but every contact is solved in every step: overlaps of polyhedra that hardly move are not reused.
        StrictPatch => "strict-patch",
        /// One force at one contact point.
        Point => "point",
    }
}

keywords! {
    /// How the damping ratio follows from the restitution.
    Damping {
        /// Grains rebound with exactly that restitution, though contacts never pull.
        Exact => "exact",
        /// By the published formula, which assumes that contacts can pull: grains rebound slightly faster.
        Published => "published",
    }
}
