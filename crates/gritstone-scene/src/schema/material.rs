//! What grains and walls are made of.

use crate::quantity::{
    Adhesion, Coefficient, Cohesion, DampingRatio, Density, FrictionAngle, Modulus, Poisson, Quantity,
    Restitution, Stiffness,
};
use crate::section::section;

section! {
    /// A material of grains and walls. Contact parameters of two materials follow from both; `[[pairs]]` overrides them.
    Material {
        /// Mass per volume, in 2D per area. Walls need none.
        density: Option<Quantity<Density>>;
        /// Young's modulus, for the law `hertz-mindlin`.
        young: Option<Quantity<Modulus>>;
        /// Poisson's ratio, for the law `hertz-mindlin`.
        poisson: Option<Quantity<Poisson>>;
        /// Normal stiffness, for the law `linear`.
        kn: Option<Quantity<Stiffness>>;
        /// Tangential stiffness, for the law `linear`; default: 2/7 of `kn`.
        ks: Option<Quantity<Stiffness>>;
        /// Coefficient of restitution: speed after a central impact over speed before it.
        restitution: Option<Quantity<Restitution>>;
        /// Damping ratio (fraction of critical damping), instead of `restitution`; default: no damping.
        damping_ratio: Option<Quantity<DampingRatio>>;
        /// Coefficient of friction; default: 0, unless `friction_angle` is given.
        friction: Option<Quantity<Coefficient>>;
        /// Friction angle, instead of `friction`.
        friction_angle: Option<Quantity<FrictionAngle>>;
        /// Coefficient of rolling resistance; default: 0.
        rolling: Option<Quantity<Coefficient>>;
        /// Coefficient of twisting resistance; default: 0.
        twisting: Option<Quantity<Coefficient>>;
        /// Cohesive energy density: attraction proportional to the contact area (SJKR).
        cohesion: Option<Quantity<Cohesion>>;
        /// Work of adhesion per area after Johnson, Kendall and Roberts, instead of `cohesion`; for the law `hertz-mindlin`.
        adhesion: Option<Quantity<Adhesion>>;
    }
}

section! {
    /// Contact parameters of a pair of materials, where they do not follow from each of them.
    Pair {
        /// Names of the two materials, which may be the same.
        materials: Vec<String>;
        /// Normal stiffness of the contact, for the law `linear`.
        kn: Option<Quantity<Stiffness>>;
        /// Tangential stiffness of the contact, for the law `linear`.
        ks: Option<Quantity<Stiffness>>;
        /// Coefficient of restitution: speed after a central impact over speed before it.
        restitution: Option<Quantity<Restitution>>;
        /// Damping ratio (fraction of critical damping), instead of `restitution`.
        damping_ratio: Option<Quantity<DampingRatio>>;
        /// Coefficient of friction.
        friction: Option<Quantity<Coefficient>>;
        /// Friction angle, instead of `friction`.
        friction_angle: Option<Quantity<FrictionAngle>>;
        /// Coefficient of rolling resistance.
        rolling: Option<Quantity<Coefficient>>;
        /// Coefficient of twisting resistance.
        twisting: Option<Quantity<Coefficient>>;
        /// Cohesive energy density: attraction proportional to the contact area (SJKR).
        cohesion: Option<Quantity<Cohesion>>;
        /// Work of adhesion per area after Johnson, Kendall and Roberts, instead of `cohesion`.
        adhesion: Option<Quantity<Adhesion>>;
    }
}
