//! One suite of properties that any contact method must have with any pair of shapes.
//!
//! A method's test file is one line, which says how much is asked of it:
//!
//! ```no_run
//! gritstone_testkit::conformance!("auto", gritstone_testkit::Tier::CERTIFIED);
//! ```
//!
//! - [`Tier`]: which pairs a method must solve, and how well;
//! - [`Scene`]: two placed grains, drawn by [`scene`], in space or in the plane ([`World`]);
//! - [`property`]: the properties, one file each;
//! - [`oracle`]: closed forms that the answers are compared with;
//! - [`mod@reference`]: pairs that were solved elsewhere with 60 digits;
//! - [`mod@backend`]: scenes through which any backend of the engine is run.
//!
//! A property that looks at directions judges them by the distance that they prove, g(c): where surfaces are flat,
//! directions and points are not determined, but g is.

pub mod backend;
pub mod oracle;
pub mod property;
pub mod reference;
mod run;
mod scene;
mod tier;
mod world;

pub use run::{Property, run, runner};
pub use scene::{Scene, scene};
pub use tier::Tier;
pub use world::World;

pub use gritstone_core::{Plane, Space};

/// Runs every property for the method of that name: `conformance!("name", tier)` in space, or
/// `conformance!(Plane, "name", tier)`. Those that need round bodies are left out by `conformance!(polytopes: …)`, and all
/// but what a method without any guarantee must have by `conformance!(honest: …)`: its bounds hold.
#[macro_export]
macro_rules! conformance {
    ($method:literal, $tier:expr) => {
        $crate::conformance!(Space, $method, $tier);
    };
    ($world:ident, $method:literal, $tier:expr) => {
        $crate::conformance! { @each $world, $method, $tier,
            bounds, truth, witness, swap, motion, scaling, translation, detection, start,
            balls, aligned_ellipsoids, ellipsoid_and_ball, coincident
        }
    };
    (polytopes: $world:ident, $method:literal, $tier:expr) => {
        $crate::conformance! { @each $world, $method, $tier,
            bounds, truth, witness, swap, motion, scaling, translation, detection, start, coincident
        }
    };
    (honest: $world:ident, $method:literal, $tier:expr) => {
        $crate::conformance! { @each $world, $method, $tier, bounds, coincident }
    };
    (@each $world:ident, $method:literal, $tier:expr, $($property:ident),*) => {
        $(#[test]
        fn $property() {
            $crate::run::<$crate::$world>($method, &$tier, $crate::property::$property);
        })*
    };
}
