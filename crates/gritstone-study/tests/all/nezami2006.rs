//! The reproduction of the shortest link: what it finds in many pairs, and that it finds the same on any number of threads.

use gritstone_contact::Query;
use gritstone_contact::polytopes::Polytopes;
use gritstone_study::generate::Case;
use gritstone_study::nezami2006::{Cell, FIGURE_13, Reproduction, pairs, reproduce, simulation};
use gritstone_study::reproduce::{Settings, paper};
use gritstone_study::statistics::Histogram;
use gritstone_study::truth::{self, bracket, bracket_in_plane};

/// Ten times through all kinds of polyhedra.
const SETTINGS: Settings = Settings { pairs: 760, seed: 3, full: false };

fn on(threads: usize) -> Reproduction {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| reproduce(&SETTINGS, &|_, _| ()))
}

fn exact<D: Polytopes>(case: &Case<D>) -> f64 {
    let (a, b) = (case.placed_a(), case.placed_b());
    let answer =
        D::exact(a, b, Query::default(), &mut D::WarmStart::default(), &mut D::Scratch::default()).unwrap();
    assert!(answer.certified());
    answer.distance()
}

/// The truth of the survey is that of the search that shares nothing with the methods.
#[test]
fn truths_are_true() {
    for index in 0..76 {
        let (_, case) = pairs::polyhedra(1, index);
        let known = bracket(&case.a, &case.pose_a, &case.b, &case.pose_b, truth::TOLERANCE);
        assert!((exact(&case) - known.lower).abs() <= 1e-11 * case.size(), "{index}");
        let touching = pairs::touching(1, index);
        assert!(exact(&touching) < 0.0, "{index}");
        let (_, case) = pairs::polygons(1, index);
        let known = bracket_in_plane(&case.a, &case.pose_a, &case.b, &case.pose_b, truth::TOLERANCE);
        assert!((exact(&case) - known.lower).abs() <= 1e-11 * case.size(), "{index}");
    }
}

#[test]
fn published_links_are_wrong_at_times_and_proven_ones_never() {
    let all = on(2);
    for cell in all.plane.iter().chain(&all.space) {
        let [_, published, verified, proven] = &cell.forms;
        assert_eq!((published.given_up, proven.wrong), (0, 0), "{}", cell.kind);
        // What the verified form gets wrong is proven of nothing else.
        assert!(verified.wrong == 0 || cell.kind.contains("nearly parallel"), "{}", cell.kind);
        assert!(proven.given_up == 0 || cell.kind.contains("nearly parallel"), "{}", cell.kind);
        assert!(cell.warm.iter().all(|[_, proven]| proven.wrong == 0), "{}", cell.kind);
    }
    let [plain, published, ..] = &Cell::sum(&all.space, "all").forms;
    assert!(plain.given_up > 50 && published.wrong > 100, "{plain:?} {published:?}");
    // The paper: 95 % of contacts need no more than two iterations.
    let within_two = |steps: &Histogram| steps.below(3) as f64 / steps.total() as f64;
    for generic in &all.contacts[..2] {
        assert!(within_two(&generic.warm[2].iterations) > 0.9, "{:?}", generic.warm);
    }
    assert!(within_two(&all.space[0].warm[2][0].iterations) > 0.85, "{:?}", all.space[0].warm);
    // With the right normal the move apart gives the right depths, but for links that are wrong.
    let wrong = |prior: usize| all.contacts.iter().map(|contacts| contacts.plane[prior]).sum::<u64>();
    assert!(wrong(0) < wrong(3), "{:?}", all.contacts);
}

/// The nine pairs are what they are called, and the methods that try and link agree with the truth on nearly all of them.
#[test]
fn nine_pairs_are_solved() {
    let all = on(1);
    assert_eq!(all.drawn.iter().map(|drawn| drawn.name).collect::<Vec<_>>(), FIGURE_13);
    let right = |method: usize, allowed: f64| {
        let off = |drawn: &&gritstone_study::nezami2006::Drawn| {
            let truth = drawn.truth.distance();
            assert!(truth > 0.0, "{}", drawn.name);
            (drawn.answers[method].distance() - truth).abs() <= allowed * truth
        };
        all.drawn.iter().filter(off).count()
    };
    assert_eq!((right(0, 0.02), right(2, 1e-12)), (9, 9));
    assert!(right(1, 1e-12) >= 8);
}

#[test]
fn any_number_of_threads_finds_the_same() {
    let (one, four) = (on(1), on(4));
    assert_eq!((&one.plane, &one.space, &one.contacts), (&four.plane, &four.space, &four.contacts));
}

#[test]
fn the_report_has_all_tables() {
    let run = paper("nezami2006").unwrap().run;
    let report = run(&Settings { pairs: 80, seed: 1, full: false }, &|_, _| ()).unwrap();
    let names: Vec<_> = report.tables().map(|table| table.name.as_str()).collect();
    for name in [
        "figure-13",
        "times-figure-13",
        "failures-space",
        "within-two",
        "times-ratios",
        "times-figure-16",
        "simulated",
        "errata",
    ] {
        assert!(names.contains(&name), "{names:?}");
    }
}

/// Every kind of pair occurs, by its weight.
#[test]
fn all_kinds_are_drawn() {
    let kinds = |count: usize, kind: &dyn Fn(u64) -> usize| {
        let mut seen = vec![0; count];
        (0..380).for_each(|index| seen[kind(index)] += 1);
        seen
    };
    let space = kinds(pairs::SPACE.len(), &|index| pairs::polyhedra(1, index).0);
    assert_eq!(space, [200, 20, 15, 15, 20, 20, 20, 30, 40]);
    let plane = kinds(pairs::PLANE.len(), &|index| pairs::polygons(1, index).0);
    assert!(plane.iter().all(|&count| count >= 40), "{plane:?}");
}

/// In a small flow: the same on any number of threads, near pairs hold those that touch, and most contacts need at most two
/// iterations, as the paper says of 95 %.
#[test]
fn a_flow_is_simulated_and_looked_at() {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| simulation::simulate(&SETTINGS, &|_, _| ()).unwrap())
    };
    let (one, two) = (on(1), on(2));
    let [flow, again] = [&one.flows[0], &two.flows[0]];
    assert_eq!(flow.grains, 60);
    let found = |flow: &simulation::Measured| {
        let detection = &flow.detection;
        (detection.near, detection.touching, detection.iterations.clone(), detection.iterations_near.clone())
    };
    assert_eq!(found(flow), found(again));
    let detection = &flow.detection;
    // Sixty grains cover the floor of the box once: each touches one or two others, and a pair counts once; where two walls
    // are gone some are on their way alone.
    let per_grain = detection.touching as f64 / (20 * flow.grains) as f64;
    assert!(per_grain > 0.3 && per_grain < 1.2, "{per_grain}");
    assert!(detection.near > detection.touching);
    assert!(detection.iterations.below(3) as f64 > 0.8 * detection.iterations.total() as f64);
}
