//! The methods of the plane have the properties that are asked of them.

use gritstone_contact::Card;
use gritstone_contact::plane::METHODS;
use gritstone_testkit::{Plane, Tier, property, runner};

/// Figures that are round everywhere, where Newton's method finds the maximum nearest to the centre line.
const ROUND: Tier = Tier::CONVERGED;

mod auto {
    gritstone_testkit::conformance!(Plane, "auto", gritstone_testkit::Tier::EXACT);
}

mod gjk {
    gritstone_testkit::conformance!(Plane, "gjk", gritstone_testkit::Tier::BOUNDED);
}

mod support_newton {
    gritstone_testkit::conformance!(Plane, "support-newton", super::ROUND);
}

/// The thesis' methods measure something else than the distance, and are compared with the thesis; some take polygons
/// alone.
#[test]
fn methods_agree() {
    let of_the_thesis = |name: &str| name.starts_with("overlap-point") || name.starts_with("curvature");
    let fits = |card: Card| !of_the_thesis(card.name) && card.shapes != "polygon";
    let methods: Vec<_> = METHODS.iter().copied().filter(|m| fits(m.card())).collect();
    assert_eq!(methods.len(), 3);
    property::agreement::<Plane>(&mut runner(), &methods, &Tier::PUBLISHED);
}
