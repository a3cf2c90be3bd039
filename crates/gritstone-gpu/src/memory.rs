//! How much memory a device needs.

use crate::device::DeviceError;
use crate::layout::{BODY, CONTACT, ROW};

/// Candidates of a grain in a dense bed, about: neighbour lists have eight with the usual skins, walls add some.
const CANDIDATES: f64 = 9.0;

/// Memory of a device for so many grains (bytes), about.
pub fn bytes_for(grains: usize) -> usize {
    let number = size_of::<f64>();
    let grain = 2 * number * (2 * BODY + 2) + size_of::<u32>();
    // Two copies of a contact, its forces, gap, direction, bodies, lists and entries, and on its way to the host.
    let candidate =
        number * (2 * CONTACT + ROW + 4) + size_of::<u32>() * 11 + 1 + number * (CONTACT + ROW) / 2;
    ((grain as f64 + CANDIDATES * candidate as f64) * grains as f64) as usize
}

/// Whether the memory of the first device is enough for so many grains.
pub fn check_memory(grains: usize) -> Result<(), DeviceError> {
    let devices = crate::devices()?;
    let first = devices.first().ok_or(DeviceError::NoDevice)?;
    let needed = bytes_for(grains);
    if needed > first.memory {
        return Err(DeviceError::Memory { needed: needed as f64, free: first.memory as f64 });
    }
    Ok(())
}
