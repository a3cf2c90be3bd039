//! Records in space as lines of eight numbers, for lanes.

#![expect(unsafe_code, reason = "a record of plain numbers without gaps is looked at as an array of them")]

use gritstone_core::Space;

use crate::bodies::{Record, State};

/// Two lines of eight numbers.
const LINES: usize = size_of::<[[f64; 8]; 2]>();

// There is no padding where the fields fill the lines: position, rotation, velocity, spin, mass and radius; shape, material
// and what is unused.
const _: () = assert!(size_of::<Record<Space>>() == LINES);
const _: () = assert!((3 + 4 + 3 + 3 + 1 + 1) * size_of::<f64>() + size_of::<(u32, u16, u16)>() == LINES);

// Velocity, momentum and mass; id and two flags; force, torque and two sums of energy.
const _: () = assert!(size_of::<State<Space>>() == LINES);
const _: () =
    assert!((3 + 3 + 1) * size_of::<f64>() + size_of::<(u32, u16, u16)>() + 8 * size_of::<f64>() == LINES);

// SAFETY: `repr(C)`, every field is made of numbers for which any bits are a value, and there is no padding (asserted above).
unsafe impl bytemuck::Zeroable for Record<Space> {}
// SAFETY: as above.
unsafe impl bytemuck::Pod for Record<Space> {}

// SAFETY: as above.
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
