//! Symmetric matrices and tangent bases.

mod sym2;
mod sym3;
mod tangent;

pub use sym2::Sym2;
pub use sym3::Sym3;
pub use tangent::Tangent;
