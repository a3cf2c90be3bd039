//! What every part of Gritstone that touches files needs.
//!
//! - [`Aside`]: a file that is written under a temporary name and renamed when it is complete;
//! - [`Lock`]: a folder for one program at a time;
//! - [`open_plain`]: opens a file, but no link to one;
//! - [`memory`]: the limit of memory, and files that are read no further than that.

mod aside;
mod lock;
pub mod memory;
mod plain;

pub use aside::Aside;
pub use lock::Lock;
pub use plain::open_plain;
