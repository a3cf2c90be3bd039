//! The methods together.

use std::path::Path;

use gritstone_contact::space::METHODS;
use gritstone_testkit::{Space, Tier, property, runner};

/// Of those that take round bodies.
#[test]
fn methods_agree() {
    let methods: Vec<_> = METHODS.iter().copied().filter(|m| m.card().shapes != "polyhedron").collect();
    assert_eq!(methods.len(), 5);
    property::agreement::<Space>(&mut runner(), &methods, &Tier::PUBLISHED);
}

#[test]
fn every_method_has_its_conformance_tests() {
    for method in METHODS {
        let file = format!("tests/all/{}.rs", method.card().name.replace('-', "_"));
        assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(&file).exists(), "{file} is missing");
    }
}
