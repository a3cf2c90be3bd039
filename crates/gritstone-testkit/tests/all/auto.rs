//! `auto` has the properties that are asked of it.

gritstone_testkit::conformance!("auto", gritstone_testkit::Tier::CERTIFIED);
