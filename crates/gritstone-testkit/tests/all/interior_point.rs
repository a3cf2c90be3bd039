//! `interior-point` has the properties that are asked of it.

gritstone_testkit::conformance!("interior-point", gritstone_testkit::Tier::CONVERGED);
