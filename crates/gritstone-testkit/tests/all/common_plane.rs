//! The bounds of `common-plane` hold; more is not asked of it.

mod plane {
    gritstone_testkit::conformance!(honest: Plane, "common-plane", gritstone_testkit::Tier::POLYTOPES);
}

mod space {
    gritstone_testkit::conformance!(honest: Space, "common-plane", gritstone_testkit::Tier::POLYTOPES);
}
