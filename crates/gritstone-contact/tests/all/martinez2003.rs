//! The worked examples of [martinez2003]: what is printed, what its method gives with 40 digits, what is true.

use std::f64::consts::TAU;

use glam::DVec2;
use gritstone_contact::plane::crossings::crossings;
use gritstone_contact::plane::overlap_point::{Lowest, OverlapForm, Points, Search};
use gritstone_contact::plane::{Curvature, Oval, OverlapPoint, centre_distance, curvature, overlap_point};
use serde_json::Value;

const EXAMPLES: &str = include_str!("../../../../tests/data/thesis_ellipse_examples.json");

/// Examples with 40 digits are compared to this, in their own units (rad for angles).
const CLOSE: f64 = 1e-9;

struct Example {
    name: String,
    a: Oval,
    b: Oval,
    data: Value,
}

impl Example {
    fn number(&self, group: &str, key: &str) -> f64 {
        self.data[group][key].as_f64().unwrap_or_else(|| panic!("{}: no {group}.{key}", self.name))
    }

    fn vector(&self, group: &str, key: &str) -> DVec2 {
        vector(&self.data[group][key])
    }

    /// What is printed, and the unit of its last digit.
    fn printed(&self, key: &str) -> Option<(f64, f64)> {
        let text = self.data["published"]["printed"][key].as_str()?;
        let value: f64 = text.parse().unwrap();
        // Six significant digits, as a C++ stream prints by default; trailing zeros are not shown.
        Some((value, 10.0_f64.powf(value.abs().log10().floor() - 5.0)))
    }

    /// As published, with the tolerance of the example.
    fn published(&self) -> curvature::Outcome {
        let tolerance = self.data["tolerance"].as_f64().unwrap();
        let points = OverlapPoint { search: Search::WholeTurn { tolerance }, ..OverlapPoint::PUBLISHED };
        Curvature { points, ..Curvature::PUBLISHED }.outcome(&self.a, &self.b)
    }

    fn mended(&self) -> curvature::Outcome {
        Curvature::MENDED.outcome(&self.a, &self.b)
    }
}

fn examples() -> Vec<Example> {
    let file: Value = serde_json::from_str(EXAMPLES).unwrap();
    let examples = file["examples"].as_array().unwrap().iter().map(|data| Example {
        name: data["example"].as_str().unwrap().to_owned(),
        a: oval(&data["ellipse_a"]),
        b: oval(&data["ellipse_b"]),
        data: data.clone(),
    });
    examples.collect()
}

fn example(name: &str) -> Example {
    examples().into_iter().find(|example| example.name == name).unwrap()
}

fn oval(data: &Value) -> Oval {
    let number = |key: &str| data[key].as_f64().unwrap();
    let semi_axes = DVec2::new(number("a"), number("b"));
    Oval::new(semi_axes, number("phi_deg").to_radians(), vector(&data["center"]))
}

fn vector(data: &Value) -> DVec2 {
    DVec2::new(data[0].as_f64().unwrap(), data[1].as_f64().unwrap())
}

/// Difference of two angles (rad), whole turns apart from it.
fn turned(a: f64, b: f64) -> f64 {
    let difference = (a - b).rem_euclid(TAU);
    difference.min(TAU - difference)
}

fn class(text: &str) -> Points {
    match text {
        "NO CONTACT POINT" => Points::None,
        "ONE CONTACT POINT" => Points::One,
        "TWO CONTACT POINTS" => Points::Two,
        other => panic!("unknown class {other}"),
    }
}

/// Angles are right to the tolerance of the search, f and h to the digits printed. The values of f in example 4.3 are
/// rounding alone: it is zero.
#[test]
fn as_published_gives_what_the_thesis_prints() {
    for example in examples() {
        let (name, found) = (&example.name, example.published());
        let tolerance = example.data["tolerance"].as_f64().unwrap();
        for (side, lowest) in [("b", found.points.b_in_a), ("a", found.points.a_in_b)] {
            let (theta, digit) = example.printed(&format!("theta_{side}")).unwrap();
            let off = turned(lowest.theta, theta.to_radians());
            assert!(off <= 1.2 * tolerance + 0.51 * digit.to_radians(), "{name}: θ_{side} is off by {off}");
            let (f, digit) = example.printed(&format!("f_{side}")).unwrap();
            let allowed = if f.abs() < 1e-9 { 1e-9 } else { 0.51 * digit };
            assert!((lowest.value - f).abs() <= allowed, "{name}: f_{side} {} not {f}", lowest.value);
        }
        if let Some((h, digit)) = example.printed("penetration") {
            assert!((found.penetration - h).abs() <= 0.51 * digit, "{name}: h {} not {h}", found.penetration);
        }
    }
}

#[test]
fn as_published_gives_the_printed_classes_and_verdicts() {
    for example in examples() {
        let (name, found, published) = (&example.name, example.published(), &example.data["published"]);
        for (key, points) in [("class_b", found.points.by_b), ("class_a", found.points.by_a)] {
            if let Some(text) = published[key].as_str() {
                assert_eq!(points, class(text), "{name}: {key}");
            }
        }
        match published["verdict"].as_str().unwrap() {
            "CONTACT EXISTS" => assert!(found.penetration >= 0.0, "{name}"),
            "NO CONTACT EXISTS" => assert!(found.penetration < 0.0, "{name}"),
            "no contact" => assert_eq!(found.points.contacts(), Points::None, "{name}"),
            "one contact" => assert_eq!(found.points.contacts(), Points::One, "{name}"),
            "two contacts" => assert_eq!(found.points.contacts(), Points::Two, "{name}"),
            "special case" => assert!(found.points.special(), "{name}"),
            other => panic!("{name}: unknown verdict {other}"),
        }
    }
}

/// Every quantity of the method at its own best: 40 digits, global minima.
#[test]
fn mended_agrees_with_forty_digits() {
    const EXACT: &str = "method_high_precision";
    for example in examples() {
        let (name, found) = (&example.name, example.mended());
        let near = |what: &str, value: f64, expected: f64| {
            assert!((value - expected).abs() <= CLOSE, "{name}: {what} {value} not {expected}");
        };
        for (side, lowest) in [("b", found.points.b_in_a), ("a", found.points.a_in_b)] {
            let theta = example.number(EXACT, &format!("theta_{side}_deg")).to_radians();
            near("turn of θ", turned(lowest.theta, theta), 0.0);
        }
        near("f_b", found.points.b_in_a.value, example.number(EXACT, "f_b_in_a"));
        near("f_a", found.points.a_in_b.value, example.number(EXACT, "f_a_in_b"));
        near("ρ_a", found.radii[0], example.number(EXACT, "rho_a"));
        near("ρ_b", found.radii[1], example.number(EXACT, "rho_b"));
        for (i, side) in ["a", "b"].into_iter().enumerate() {
            let centre = example.vector(EXACT, &format!("curvature_centre_{side}"));
            near("G", found.centres[i].distance(centre), 0.0);
            let normal = example.vector(EXACT, &format!("normal_{side}"));
            near("n̂", found.points.normals[i].distance(normal), 0.0);
        }
        near("d", found.distance.abs(), example.number(EXACT, "centre_distance"));
        near("h", found.penetration, example.number(EXACT, "penetration_signed_centres"));
        let unsigned = Curvature { centres: curvature::Centres::Unsigned, ..Curvature::MENDED };
        near(
            "unsigned h",
            unsigned.outcome(&example.a, &example.b).penetration,
            example.number(EXACT, "penetration"),
        );
    }
}

/// With the minima of the whole turn, the least f of both directions has the sign of the signed distance.
#[test]
fn mended_verdicts_are_true() {
    for example in examples() {
        let (name, truth) = (&example.name, example.number("truth", "signed_distance"));
        let found = example.mended();
        let expected = match truth {
            t if t.abs() < 1e-12 => Points::One,
            t if t > 0.0 => Points::None,
            _ => Points::Two,
        };
        assert_eq!(found.points.contacts(), expected, "{name}");
        assert!((found.penetration >= -1e-12) == (truth <= 1e-12), "{name}: h {}", found.penetration);
    }
}

/// Example 4.7: f has two minima, and Brent's method on [0, 2π] takes the higher one.
#[test]
fn example_4_7_is_mended_by_a_scan() {
    let example = example("4.7");
    let (published, mended) = (example.published().points, example.mended().points);
    assert!(published.special() && published.a_in_b.value > 0.68);
    assert!(!mended.special() && mended.contacts() == Points::Two);
    assert!((mended.a_in_b.value + 0.987233).abs() < 1e-6);
    assert!((mended.a_in_b.theta.to_degrees() - 7.933545).abs() < 1e-6);
}

/// Example 4.12b: the centres of curvature have passed each other.
#[test]
fn example_4_12_b_is_mended_by_a_sign() {
    let example = example("4.12.b");
    assert!(example.published().penetration < -1.5);
    let mended = example.mended();
    assert!(mended.distance < 0.0 && mended.penetration > 11.5);
    let normal = mended.normal.unwrap();
    assert!(normal.dot(DVec2::ONE.normalize()) > 1.0 - 1e-9, "from a to b all the same, not {normal}");
}

#[test]
fn newton_finds_every_crossing_and_none_where_there_is_none() {
    for example in examples() {
        let (name, truth) = (&example.name, &example.data["truth"]);
        let found = crossings(&example.a, &example.b);
        if example.name == "4.3" {
            // A tangent: one point, to the square root of rounding.
            assert_eq!(found.len(), 1);
            assert!(found[0].point.distance(DVec2::new(4.0, 5.0)) < 1e-4, "{found:?}");
            continue;
        }
        assert_eq!(
            found.len() as u64,
            truth["boundary_intersections"].as_u64().unwrap(),
            "{name}: {found:?}"
        );
        for theta in truth["intersection_theta_b_deg"].as_array().unwrap() {
            let theta = theta.as_f64().unwrap().to_radians();
            assert!(
                found.iter().any(|c| turned(c.parameters[1], theta) < CLOSE),
                "{name}: {found:?} without {theta}"
            );
        }
    }
}

/// Table 2.1 against the true number of common points.
#[test]
fn centre_distances_prove_what_they_say() {
    let mut wrong = Vec::new();
    for example in examples() {
        let truth = example.number("truth", "signed_distance");
        let touching = truth.abs() < 1e-12;
        let crossings = example.data["truth"]["boundary_intersections"].as_u64().unwrap();
        let holds = |i: centre_distance::Intersections| match crossings {
            _ if touching => i.one,
            0 => i.none,
            1 => i.one,
            _ => i.more,
        };
        let mended = centre_distance::mended(&example.a, &example.b);
        assert!(holds(mended.intersections), "{}: {mended:?}", example.name);
        assert!(mended.meet.is_none_or(|meet| meet == (truth <= 1e-12)), "{}: {mended:?}", example.name);
        if !holds(centre_distance::published(&example.a, &example.b)) {
            wrong.push(example.name);
        }
    }
    assert_eq!(wrong, ["4.6", "4.11"], "an ellipse within the other has no crossing");
}

mod answers {
    use super::*;
    use gritstone_contact::plane::{Placed, Scratch, method};
    use gritstone_contact::{Answer, Goal, Query, Verdict};
    use gritstone_core::{Plane, Pose};
    use gritstone_shape::plane::{Circle, Conic, Ellipse, Figure, Superellipse};

    const NAMES: [&str; 4] = ["overlap-point", "overlap-point-mended", "curvature", "curvature-mended"];

    fn figure(oval: &Oval) -> (Figure, Pose<Plane>) {
        (Ellipse::new(oval.semi_axes).unwrap().into(), Pose::new(oval.centre, oval.angle))
    }

    fn solve_pair(
        name: &str,
        (a, pose_a): &(Figure, Pose<Plane>),
        (b, pose_b): &(Figure, Pose<Plane>),
        goal: Goal,
    ) -> Answer<Plane> {
        let (a, b) = (Placed { shape: a, pose: *pose_a }, Placed { shape: b, pose: *pose_b });
        let query = Query { goal, ..Query::default() };
        method(name).unwrap().solve(a, b, query, &mut Scratch::default()).unwrap()
    }

    fn solve(name: &str, a: &Oval, b: &Oval) -> Answer<Plane> {
        solve_pair(name, &figure(a), &figure(b), Goal::Distance)
    }

    /// `auto` gives the signed distance of every example, 4.7 and 4.12b among them, and the normal that goes with it.
    #[test]
    fn auto_is_true_in_every_example() {
        for example in examples() {
            let (name, truth) = (&example.name, example.number("truth", "signed_distance"));
            let answer = solve("auto", &example.a, &example.b);
            assert!(answer.certified(), "{name}");
            assert!((answer.distance() - truth).abs() < CLOSE, "{name}: {} not {truth}", answer.distance());
            assert!(answer.lower <= truth + 1e-12 && truth - 1e-12 <= answer.upper, "{name}: {answer:?}");
            let normal = example.vector("truth", "normal_a_to_b");
            let found = answer.contact().unwrap().normal;
            // 4.12b is symmetric about the line of the centres, and its mirrored normal is as good.
            let mirrored = if name == "4.12.b" { DVec2::new(normal.y, normal.x) } else { normal };
            let off = found.distance(normal).min(found.distance(mirrored));
            assert!(off < 1e-6, "{name}: {found} not {normal}");
        }
    }

    /// Whatever they say, what they prove is true, the points lie apart by the gap along the normal, and nothing is
    /// certified that is not the signed distance.
    #[test]
    fn answers_of_every_example_have_true_bounds() {
        for example in examples() {
            let truth = example.number("truth", "signed_distance");
            for name in NAMES {
                let answer = solve(name, &example.a, &example.b);
                let what = format!("{name} on {}: {answer:?}", example.name);
                assert!(answer.lower <= truth + 1e-12 && truth - 1e-12 <= answer.upper, "{what}");
                assert!(!answer.certified() || (answer.distance() - truth).abs() < CLOSE, "{what}");
                let contact = answer.contact().unwrap();
                let apart = contact.point_b - contact.point_a;
                assert!(
                    apart.distance(contact.normal * contact.gap) < 1e-12 * (1.0 + contact.gap.abs()),
                    "{what}"
                );
                assert!(matches!(answer.verdict, Verdict::Solved(_)), "{what}");
            }
        }
    }

    /// The thesis' verdict is the answer, right or wrong; where it is wrong in 4.12b, it is not certified, and `auto` proves
    /// the opposite.
    #[test]
    fn answers_carry_the_printed_verdicts() {
        for example in examples() {
            let answer = |name| solve(name, &example.a, &example.b).distance();
            let verdict = example.data["published"]["verdict"].as_str().unwrap();
            match verdict {
                "CONTACT EXISTS" => assert!(answer("curvature") <= 0.0),
                "NO CONTACT EXISTS" => assert!(answer("curvature") > 0.0),
                "no contact" => assert!(answer("overlap-point") > 0.0),
                "one contact" => assert!(answer("overlap-point") == 0.0),
                _ => assert!(answer("overlap-point") < 0.0),
            }
        }
        let example = example("4.12.b");
        let published = solve("curvature", &example.a, &example.b);
        assert!(published.distance() > 1.5 && !published.certified(), "{published:?}");
        let proven = solve("auto", &example.a, &example.b);
        assert!(proven.certified() && proven.upper < 0.0, "{proven:?}");
        assert!(solve("curvature-mended", &example.a, &example.b).distance() < -11.5);
    }

    #[test]
    fn circles_and_conics_are_taken_and_other_shapes_refused() {
        let circle = (Figure::from(Circle::new(1.5).unwrap()), Pose::new(DVec2::new(-1.0, 0.5), 0.3));
        let oval = Oval::new(DVec2::new(2.0, 0.5), 0.7, DVec2::new(1.0, 1.0));
        let (Figure::Ellipse(ellipse), pose) = figure(&oval) else { unreachable!() };
        let (back, back_pose) = Conic::of(&ellipse, &pose).to_ellipse().unwrap();
        let square = (Figure::from(Superellipse::new(DVec2::ONE, 4.0).unwrap()), Pose::at(DVec2::ZERO));
        for name in NAMES {
            let direct = solve_pair(name, &circle, &figure(&oval), Goal::Distance).distance();
            let conic = solve_pair(name, &circle, &(back.into(), back_pose), Goal::Distance).distance();
            // The same curve with other parameters: the search on [0, 2π] is cut elsewhere.
            assert!((direct - conic).abs() < 1e-4, "{name}: {direct} and {conic}");
            let (a, b) =
                (Placed { shape: &square.0, pose: square.1 }, Placed { shape: &circle.0, pose: circle.1 });
            let refusal =
                method(name).unwrap().solve(a, b, Query::default(), &mut Scratch::default()).unwrap_err();
            assert_eq!((refusal.method, refusal.shapes), (name, ["superellipse", "circle"]));
        }
    }

    #[test]
    fn detection_stops_at_a_separating_line() {
        let example = example("4.1.a");
        let truth = example.number("truth", "signed_distance");
        for name in NAMES {
            let answer = solve_pair(name, &figure(&example.a), &figure(&example.b), Goal::Detect);
            let Verdict::Apart { at_least, .. } = answer.verdict else { panic!("{name}: {answer:?}") };
            assert!(at_least > 0.0 && at_least <= truth + 1e-12 && answer.certified());
        }
    }

    mod properties {
        use super::*;
        use proptest::prelude::*;

        fn scaled(oval: &Oval, by: f64) -> Oval {
            Oval::new(oval.semi_axes * by, oval.angle, oval.centre * by)
        }

        proptest! {
            #![proptest_config(ProptestConfig::with_cases(1000))]

            /// What is proven holds the signed distance that `auto` proves; the mended verdict has its sign.
            #[test]
            fn bounds_hold_the_truth(a in super::super::properties::any_oval(), b in super::super::properties::any_oval()) {
                let truth = solve("auto", &a, &b);
                prop_assert!(truth.certified());
                for name in NAMES {
                    let answer = solve(name, &a, &b);
                    prop_assert!(answer.lower <= truth.upper + 1e-12, "{name}: {answer:?}");
                    prop_assert!(answer.upper >= truth.lower - 1e-12, "{name}: {answer:?}");
                    prop_assert!(!answer.certified() || (answer.distance() - truth.distance()).abs() < 2e-9 * 3.0);
                }
                if truth.distance().abs() > 1e-9 {
                    let mended = solve("overlap-point-mended", &a, &b);
                    prop_assert_eq!(mended.distance() > 0.0, truth.distance() > 0.0, "{:?}", mended);
                }
            }

            /// Nothing depends on the unit of length.
            #[test]
            fn units_do_not_matter(a in super::super::properties::any_oval(), b in super::super::properties::any_oval()) {
                for (name, unit) in NAMES.into_iter().zip([1e-6, 1e6, 1e-6, 1e6]) {
                    let answer = solve(name, &a, &b);
                    let other = solve(name, &scaled(&a, unit), &scaled(&b, unit));
                    let off = (other.distance() / unit - answer.distance()).abs();
                    // Brent's method passes rounding on to θ, up to its tolerance.
                    prop_assert!(off < 1e-3 * (1.0 + answer.distance().abs()), "{name}: {answer:?} {other:?}");
                    prop_assert_eq!(other.distance() > 0.0, answer.distance() > 0.0);
                }
            }
        }
    }

    /// Concentric circles leave no direction; nothing is made up beyond the bounds.
    #[test]
    fn coincident_centres_are_answered() {
        let oval = Oval::new(DVec2::splat(2.0), 0.0, DVec2::new(3.0, 4.0));
        for name in NAMES {
            let answer = solve(name, &oval, &Oval::new(DVec2::ONE, 0.0, oval.centre));
            assert!(answer.lower <= -3.0 + 1e-12 && answer.upper >= -3.0 - 1e-12, "{name}: {answer:?}");
            assert!(answer.contact().unwrap().normal.is_normalized(), "{name}: {answer:?}");
        }
    }
}

mod properties {
    use super::*;
    use proptest::prelude::*;

    pub(super) fn any_oval() -> impl Strategy<Value = Oval> {
        (0.2..3.0, 0.2..3.0, 0.0..TAU, -4.0..4.0, -4.0..4.0)
            .prop_map(|(a, b, angle, x, y)| Oval::new(DVec2::new(a, b), angle, DVec2::new(x, y)))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// Nothing on the curve is lower than the mended minimum; its slope is zero.
        #[test]
        fn the_scan_finds_the_global_minimum(i in any_oval(), j in any_oval()) {
            let form = OverlapForm::new(&i, &j);
            let Lowest { theta, value, .. } = Search::Periodic.lowest(&form);
            let scale = 1.0 + form.value(0.0).abs();
            for k in 0..1000 {
                let other = form.value(TAU * f64::from(k) / 1000.0);
                prop_assert!(other >= value - 1e-12 * scale, "{other} below {value}");
            }
            prop_assert!(form.derivatives(theta)[0].abs() < 1e-9 * scale);
        }

        /// Derivatives are those of the value.
        #[test]
        fn derivatives_are_those_of_f(i in any_oval(), j in any_oval(), theta in 0.0..TAU) {
            let form = OverlapForm::new(&i, &j);
            let h = 1e-4;
            let [before, here, after] = [-h, 0.0, h].map(|s| form.value(theta + s));
            let [slope, bend] = form.derivatives(theta);
            let scale = 1.0 + here.abs() + bend.abs();
            prop_assert!(((after - before) / (2.0 * h) - slope).abs() < 1e-5 * scale);
            prop_assert!(((after - 2.0 * here + before) / (h * h) - bend).abs() < 1e-4 * scale);
        }

        /// Circles: everything has a closed form, by either method.
        #[test]
        fn circles_are_exact(r in 0.1..3.0, s in 0.1..3.0, x in -3.0..3.0, y in -3.0..3.0, turn in 0.0..TAU) {
            let (a, b) = (Oval::new(DVec2::splat(r), turn, DVec2::ZERO), Oval::new(DVec2::splat(s), -turn, DVec2::new(x, y)));
            let distance = b.centre.length();
            prop_assume!(distance > 1e-3);
            let found = Curvature::MENDED.outcome(&a, &b);
            prop_assert!((found.penetration - (r + s - distance)).abs() < 1e-12);
            prop_assert!(found.normal.unwrap().distance(b.centre / distance) < 1e-12);
            let published = Curvature::PUBLISHED.outcome(&a, &b);
            prop_assert!((published.penetration - (r + s - distance)).abs() < 1e-12);
        }

        /// Both ellipses are treated alike.
        #[test]
        fn the_order_does_not_matter(a in any_oval(), b in any_oval()) {
            let there: overlap_point::Outcome = OverlapPoint::MENDED.outcome(&a, &b);
            let back = OverlapPoint::MENDED.outcome(&b, &a);
            prop_assert_eq!(there.contacts(), back.contacts());
            prop_assert!((there.a_in_b.value - back.b_in_a.value).abs() < 1e-9 * (1.0 + back.b_in_a.value.abs()));
        }
    }
}
