//! The plane: one angle, one moment of inertia.

use gritstone_core::{Dim as _, Mass, Plane};

use super::Kinematics;
use crate::insertion::random::RandomStream;

impl Kinematics for Plane {
    type Inertia = f64;

    fn inertia(mass: &Mass<Self>, density: f64) -> f64 {
        mass.inertia() * density
    }

    fn inertia_of_moments(moments: f64) -> f64 {
        moments
    }

    #[inline]
    fn spin(inertia: &f64, _: f64, momentum: f64) -> f64 {
        momentum / inertia
    }

    fn constrained_spin(inertia: &f64, _: f64, momentum: f64, about: [bool; 3]) -> f64 {
        Self::spin_about(momentum, about) / inertia
    }

    #[inline]
    fn momentum(inertia: &f64, _: f64, spin: f64) -> f64 {
        inertia * spin
    }

    #[inline]
    fn free_rotation(inertia: &f64, rotation: f64, momentum: f64, dt: f64) -> f64 {
        rotation + momentum / inertia * dt
    }

    fn random_rotation(random: &mut RandomStream) -> f64 {
        random.angle()
    }
}
