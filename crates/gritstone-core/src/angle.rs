//! Angles as directions and rotations, with the same bits on every machine.
//!
//! The sines and cosines of the system's library differ in the last digit from one processor to the next, and so would
//! every position that follows from them. Crates that move grains take them, as all powers and logarithms, from `libm`,
//! which is compiled with them; `clippy.toml` refuses the others.

use glam::{DMat2, DQuat, DVec2, DVec3};

/// The unit vector at an angle from the x axis.
#[inline]
pub fn direction(angle: f64) -> DVec2 {
    let (sine, cosine) = libm::sincos(angle);
    DVec2::new(cosine, sine)
}

/// The rotation of the plane by an angle, as a matrix.
#[inline]
pub fn matrix(angle: f64) -> DMat2 {
    let (sine, cosine) = libm::sincos(angle);
    DMat2::from_cols(DVec2::new(cosine, sine), DVec2::new(-sine, cosine))
}

/// The rotation about an axis by an angle that is the length of the vector.
#[inline]
pub fn rotation(scaled_axis: DVec3) -> DQuat {
    let angle = scaled_axis.length();
    if angle == 0.0 { DQuat::IDENTITY } else { about(scaled_axis / angle, angle) }
}

/// The rotation about a unit vector by an angle.
#[inline]
pub fn about(axis: DVec3, angle: f64) -> DQuat {
    let (sine, cosine) = libm::sincos(0.5 * angle);
    DQuat::from_vec4((axis * sine).extend(cosine))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotations_are_those_of_glam() {
        for k in -40..=40 {
            let angle = f64::from(k) * 0.31;
            let axis = DVec3::new(1.0, -2.0, 0.5 + f64::from(k)).normalize();
            assert!((direction(angle) - DVec2::from_angle(angle)).length() < 4.0 * f64::EPSILON);
            assert!((matrix(angle) - DMat2::from_angle(angle)).col(1).length() < 4.0 * f64::EPSILON);
            let expected = DQuat::from_axis_angle(axis, angle);
            assert!((about(axis, angle) - expected).length() < 4.0 * f64::EPSILON);
            // Rounding of the length turns the rotation by as much.
            let slack = 4.0 * f64::EPSILON * (1.0 + angle.abs());
            assert!((rotation(axis * angle) * axis - axis).length() < slack);
            assert!(rotation(axis * angle).angle_between(expected) < 1e-7);
        }
        assert_eq!(rotation(DVec3::ZERO), DQuat::IDENTITY);
    }
}
