//! How much memory a device needs.

use crate::buffers::SPARE;
use crate::device::DeviceError;
use crate::layout::{BODY, CONTACT, PACKED, POINT, ROW};

/// Candidates of a grain in a dense bed, about: neighbour lists have eight with the usual skins, walls add some.
const CANDIDATES: f64 = 9.0;
/// Contacts of a grain, about.
const CONTACTS: f64 = 3.5;

/// Memory of a device for so many grains (bytes), about. It is the same for all shapes.
pub fn bytes_for(grains: usize) -> usize {
    let number = size_of::<f64>();
    // Two copies of record, state and displacements; where its entries start.
    let grain = 2 * number * (2 * BODY + 2) + size_of::<u32>();
    // Two copies of a contact; its forces and point, gap and direction; bodies, entries, and lists: of its class, of those that
    // touch, that come apart, that the host is asked about.
    let candidate = number * (2 * CONTACT + ROW + POINT + 4) + size_of::<u32>() * 8 + 1;
    // On its way to the host.
    let contact = number * PACKED;
    let each = grain as f64 + CANDIDATES * candidate as f64 + CONTACTS * contact as f64;
    (SPARE * each * grains as f64) as usize
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
