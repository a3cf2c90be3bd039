//! `common-normal` has the properties that are asked of it.

gritstone_testkit::conformance!("common-normal", gritstone_testkit::Tier::PUBLISHED);
