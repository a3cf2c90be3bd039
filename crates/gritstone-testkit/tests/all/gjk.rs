//! `gjk` has the properties that are asked of it.

gritstone_testkit::conformance!("gjk", gritstone_testkit::Tier::BOUNDED);
