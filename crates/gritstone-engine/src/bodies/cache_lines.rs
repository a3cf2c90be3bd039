//! Records in space as lines of eight numbers, for lanes.

#![expect(unsafe_code, reason = "a record of plain numbers without gaps is looked at as an array of them")]

use gritstone_core::Space;

use crate::bodies::{Record, State};

// SAFETY: `repr(C)`, every field is made of numbers for which any bits are a value, and there is no padding: three, four,
// three, three, one and one `f64`, a `u32` and two `u16` are 128 bytes.
unsafe impl bytemuck::Zeroable for Record<Space> {}
// SAFETY: as above.
unsafe impl bytemuck::Pod for Record<Space> {}

// SAFETY: seven `f64`, a `u32` and two `u16`, and eight `f64` are 128 bytes.
unsafe impl bytemuck::Zeroable for State<Space> {}
// SAFETY: as above.
unsafe impl bytemuck::Pod for State<Space> {}

impl State<Space> {
    /// Velocity, angular momentum, reciprocal of the mass, and bits that are no number; force, torque, and nothing.
    #[inline(always)]
    pub(crate) fn lines(&self) -> &[[f64; 8]; 2] {
        bytemuck::cast_ref(self)
    }

    #[inline(always)]
    pub(crate) fn lines_mut(&mut self) -> &mut [[f64; 8]; 2] {
        bytemuck::cast_mut(self)
    }
}

impl Record<Space> {
    #[inline(always)]
    pub(crate) fn lines_mut(&mut self) -> &mut [[f64; 8]; 2] {
        bytemuck::cast_mut(self)
    }

    /// Position, quaternion x y z w, velocity x; velocity y z, spin, mass, radius, and bits that are no number.
    #[inline(always)]
    pub(crate) fn lines(&self) -> &[[f64; 8]; 2] {
        bytemuck::cast_ref(self)
    }
}
