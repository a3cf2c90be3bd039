//! `support-newton` has the properties that are asked of it.

gritstone_testkit::conformance!("support-newton", gritstone_testkit::Tier::CONVERGED);
