//! What grains and walls are made of.

use crate::quantity::{
    Adhesion, Coefficient, Cohesion, DampingRatio, Density, FrictionAngle, Modulus, Poisson, Quantity,
    Restitution, Stiffness,
};
use crate::section::section;

section! {
    /// What grains and walls are made of. What two materials do together follows from both; `[[pairs]]` overrides it.
    Material {
        /// Mass per volume, in the plane per area. Walls need none.
        density: Option<Quantity<Density>>;
        /// Young's modulus, for the law `hertz-mindlin`.
        young: Option<Quantity<Modulus>>;
        /// Poisson's ratio, for the law `hertz-mindlin`.
        poisson: Option<Quantity<Poisson>>;
        /// Normal stiffness, for the law `linear`.
        kn: Option<Quantity<Stiffness>>;
        /// Tangential stiffness, for the law `linear`; default: 2/7 of `kn`.
        ks: Option<Quantity<Stiffness>>;
        /// Speed after a central impact over speed before it.
        restitution: Option<Quantity<Restitution>>;
        /// Damping as a fraction of the critical one, instead of `restitution`; without both there is none.
        damping_ratio: Option<Quantity<DampingRatio>>;
        /// Coefficient of friction; without it and `friction_angle` there is none.
        friction: Option<Quantity<Coefficient>>;
        /// Angle of friction, instead of `friction`.
        friction_angle: Option<Quantity<FrictionAngle>>;
        /// Coefficient of rolling resistance; without it there is none.
        rolling: Option<Quantity<Coefficient>>;
        /// Coefficient of twisting resistance; without it there is none.
        twisting: Option<Quantity<Coefficient>>;
        /// Cohesion that pulls in proportion to the area of contact: energy per volume, which is force per area.
        cohesion: Option<Quantity<Cohesion>>;
        /// Work of adhesion per area after Johnson, Kendall and Roberts, instead of `cohesion`; for the law `hertz-mindlin`.
        adhesion: Option<Quantity<Adhesion>>;
    }
}

section! {
    /// What two materials do together, where that does not follow from each of them.
    Pair {
        /// Names of the two materials; twice the same is fine.
        materials: Vec<String>;
        /// Normal stiffness of the contact, for the law `linear`.
        kn: Option<Quantity<Stiffness>>;
        /// Tangential stiffness of the contact, for the law `linear`.
        ks: Option<Quantity<Stiffness>>;
        /// Speed after a central impact over speed before it.
        restitution: Option<Quantity<Restitution>>;
        /// Damping as a fraction of the critical one, instead of `restitution`.
        damping_ratio: Option<Quantity<DampingRatio>>;
        /// Coefficient of friction.
        friction: Option<Quantity<Coefficient>>;
        /// Angle of friction, instead of `friction`.
        friction_angle: Option<Quantity<FrictionAngle>>;
        /// Coefficient of rolling resistance.
        rolling: Option<Quantity<Coefficient>>;
        /// Coefficient of twisting resistance.
        twisting: Option<Quantity<Coefficient>>;
        /// Cohesion that pulls in proportion to the area of contact: energy per volume, which is force per area.
        cohesion: Option<Quantity<Cohesion>>;
        /// Work of adhesion per area after Johnson, Kendall and Roberts, instead of `cohesion`.
        adhesion: Option<Quantity<Adhesion>>;
    }
}
