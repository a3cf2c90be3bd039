//! Records in space as lines of eight numbers, for lanes.

#![expect(unsafe_code, reason = "a record of plain numbers without gaps is looked at as an array of them")]

use gritstone_core::Space;

use crate::bodies::Record;

// SAFETY: `repr(C)`, every field is made of numbers for which any bits are a value, and there is no padding: three, four,
// three, three, one and one `f64`, a `u32` and two `u16` are 128 bytes.
unsafe impl bytemuck::Zeroable for Record<Space> {}
// SAFETY: as above.
unsafe impl bytemuck::Pod for Record<Space> {}

impl Record<Space> {
    /// Position, quaternion x y z w, velocity x; velocity y z, spin, mass, radius, and bits that are no number.
    #[inline(always)]
    pub(crate) fn lines(&self) -> [&[f64; 8]; 2] {
        let [first, second]: &[[f64; 8]; 2] = bytemuck::cast_ref(self);
        [first, second]
    }
}
