//! Running a property.

use gritstone_contact::Method;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestError, TestRunner};

use crate::{Tier, World};

/// A property: the number of cases requested comes from `PROPTEST_CASES`, 256 without it.
pub type Property<D> = fn(&mut TestRunner, &dyn Method<D>, &Tier);

/// Scenes in a hundred that a method may leave unresolved, where its tier allows it to.
const REJECTS: u32 = 3;

/// Runs one property for the method of that name. The cases follow from `PROPTEST_RNG_SEED`.
///
/// # Panics
/// When the property does not hold, with the simplest scene that was found.
pub fn run<D: World>(method: &str, tier: &Tier, property: Property<D>) {
    let method = D::method(method).expect("the method must be in the table");
    property(&mut runner(), method, tier);
}

/// A runner whose cases follow from `PROPTEST_RNG_SEED`: the same each time, unless another seed is given.
pub fn runner() -> TestRunner {
    let default = Config::default();
    let config =
        Config { failure_persistence: None, max_global_rejects: default.cases * REJECTS / 100, ..default };
    TestRunner::new(config)
}

/// Checks that `holds` for everything that `strategy` draws.
pub(crate) fn check<S: Strategy>(
    runner: &mut TestRunner,
    strategy: &S,
    holds: impl Fn(S::Value) -> Result<(), TestCaseError>,
) {
    match runner.run(strategy, holds) {
        Ok(()) => {}
        Err(TestError::Fail(reason, value)) => panic!("{reason}\nfor {value:#?}"),
        Err(TestError::Abort(reason)) => panic!("gave up: {reason}"),
    }
}
