//! Every case of mechanics, at reduced size.

use gritstone_study::verify::{CASES, Effort};

/// All checks of the cases whose number leaves this remainder: three tests that run beside each other.
fn check(remainder: usize) {
    let mut wrong = Vec::new();
    for case in CASES.iter().skip(remainder).step_by(3) {
        let checks = (case.run)(Effort::Quick).unwrap_or_else(|trouble| panic!("{}: {trouble}", case.name));
        assert!(!checks.is_empty());
        wrong.extend(checks.into_iter().filter(|check| !check.holds()).map(|check| (case.name, check)));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn first_third() {
    check(0);
}

#[test]
fn second_third() {
    check(1);
}

#[test]
fn last_third() {
    check(2);
}
