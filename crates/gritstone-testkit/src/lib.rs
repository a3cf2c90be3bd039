//! One suite of properties that any contact method must have with any pair of shapes.
//!
//! A method's test file is one line, which says how much is asked of it:
//!
//! ```no_run
//! gritstone_testkit::conformance!("auto", gritstone_testkit::Tier::CERTIFIED);
//! ```
//!
//! - [`Tier`]: which pairs a method must solve, and how well;
//! - [`Scene`]: two placed grains, drawn by [`scene`];
//! - [`property`]: the properties, one file each;
//! - [`oracle`]: closed forms that the answers are compared with;
//! - [`mod@reference`]: pairs that were solved elsewhere with 60 digits.
//!
//! A property that looks at directions judges them by the distance that they prove, g(c): where surfaces are flat,
//! directions and points are not determined, but g is.

pub mod oracle;
pub mod property;
pub mod reference;
mod run;
mod scene;
mod tier;

pub use run::{Property, run, runner};
pub use scene::{Scene, scene};
pub use tier::Tier;

/// Runs every property for the method of that name: `conformance!("name", tier)`.
#[macro_export]
macro_rules! conformance {
    ($method:literal, $tier:expr) => {
        $crate::conformance! { @each $method, $tier,
            bounds, truth, witness, swap, motion, scaling, translation, detection, start,
            spheres, aligned_ellipsoids, ellipsoid_and_sphere, coincident
        }
    };
    (@each $method:literal, $tier:expr, $($property:ident),*) => {
        $(#[test]
        fn $property() {
            $crate::run($method, &$tier, $crate::property::$property);
        })*
    };
}
