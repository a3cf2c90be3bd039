//! Pieces of a device's memory.

use bytemuck::{Pod, cast_slice};

use crate::device::{Device, DeviceError};

/// Memory is taken for this much more than is needed: lists grow.
pub(crate) const SPARE: f64 = 1.15;

/// Pieces of memory that a session has.
const BUFFERS: usize = 44;

/// Memory of a device.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Buffer {
    address: u64,
    bytes: usize,
}

impl Buffer {
    /// Makes room for at least so many bytes, which are lost where it is too small.
    pub(crate) fn reserve<K: Device>(&mut self, device: &mut K, bytes: usize) -> Result<u64, DeviceError> {
        if self.bytes < bytes.max(8) {
            if self.bytes > 0 {
                device.free(self.address);
                *self = Self::default();
            }
            let bytes = (bytes as f64 * SPARE) as usize + 8;
            *self = Self { address: device.allocate(bytes)?, bytes };
        }
        Ok(self.address)
    }

    /// Copies numbers to it.
    pub(crate) fn put<K: Device, T: Pod>(
        &mut self,
        device: &mut K,
        values: &[T],
    ) -> Result<u64, DeviceError> {
        let bytes: &[u8] = cast_slice(values);
        let address = self.reserve(device, bytes.len())?;
        device.write(address, bytes)?;
        Ok(address)
    }
}

/// All buffers of a session.
#[derive(Debug)]
pub(crate) struct Buffers {
    list: [Buffer; BUFFERS],
    /// Those that change their size from step to step.
    pub(crate) packed: Buffer,
    pub(crate) visited: Buffer,
    pub(crate) samples: Buffer,
    pub(crate) answers: Buffer,
}

impl Buffers {
    pub(crate) fn new() -> Self {
        let none = Buffer::default();
        Self { list: [none; BUFFERS], packed: none, visited: none, samples: none, answers: none }
    }

    /// Gives all of it back.
    pub(crate) fn free<K: Device>(&mut self, device: &mut K) {
        let Self { list, packed, visited, samples, answers } = self;
        for buffer in list.iter_mut().chain([packed, visited, samples, answers]) {
            if buffer.bytes > 0 {
                device.free(buffer.address);
            }
            *buffer = Buffer::default();
        }
    }

    /// Puts numbers into the buffers of the list, one after the other.
    pub(crate) fn uploader<'b, K: Device>(&'b mut self, device: &'b mut K) -> Uploader<'b, K> {
        Uploader { device, buffers: self.list.iter_mut() }
    }
}

/// Puts numbers into buffers, one after the other.
pub(crate) struct Uploader<'b, K: Device> {
    device: &'b mut K,
    buffers: std::slice::IterMut<'b, Buffer>,
}

impl<'b, K: Device> Uploader<'b, K> {
    fn next(&mut self) -> Result<&'b mut Buffer, DeviceError> {
        let none = || DeviceError::Failed { what: "reserving memory", why: "no buffer is left".to_owned() };
        self.buffers.next().ok_or_else(none)
    }

    /// A buffer for at least so many bytes, of zeros where it is new.
    pub(crate) fn reserve(&mut self, bytes: usize) -> Result<u64, DeviceError> {
        self.next()?.reserve(self.device, bytes)
    }

    pub(crate) fn put<T: Pod>(&mut self, values: &[T]) -> Result<u64, DeviceError> {
        self.next()?.put(self.device, values)
    }

    /// Two copies, of which the first has these numbers.
    pub(crate) fn put_first<T: Pod>(&mut self, values: &[T]) -> Result<[u64; 2], DeviceError> {
        Ok([self.put(values)?, self.reserve(size_of_val(values))?])
    }

    /// A list with room for so many.
    pub(crate) fn put_with_room(&mut self, values: &[u32], most: usize) -> Result<u64, DeviceError> {
        let address = self.reserve(most.max(values.len()) * size_of::<u32>())?;
        self.device.write(address, cast_slice(values))?;
        Ok(address)
    }
}
