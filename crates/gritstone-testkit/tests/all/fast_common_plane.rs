//! The bounds of `fast-common-plane` hold; more is not asked of it.

mod plane {
    gritstone_testkit::conformance!(honest: Plane, "fast-common-plane", gritstone_testkit::Tier::POLYTOPES);
}

mod space {
    gritstone_testkit::conformance!(honest: Space, "fast-common-plane", gritstone_testkit::Tier::POLYTOPES);
}
