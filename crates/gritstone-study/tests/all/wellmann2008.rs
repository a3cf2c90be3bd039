//! The reproduction against the paper's own numbers, and against itself on other numbers of threads.

use gritstone_study::reproduce::{Settings, paper};
use gritstone_study::wellmann2008::{Reproduction, published, reproduce};

/// Enough pairs for shares to be right within two per cent.
const SETTINGS: Settings = Settings { pairs: 4000, seed: 7, full: false };

fn on(threads: usize, settings: &Settings) -> Reproduction {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    // Progress is told on the thread that asked, and rayon wants a closure that may be sent.
    pool.install(|| reproduce(settings, &|_, _| ()))
}

/// Shares of interval 1, 2 and 3 that differ by less than `by`.
fn close(measured: [f64; 3], wanted: [f64; 3], by: f64) -> bool {
    measured.iter().zip(wanted).all(|(m, w)| (m - w).abs() < by)
}

#[test]
fn what_the_paper_reports_is_found_where_it_can_be() {
    let found = on(2, &SETTINGS);
    for shift in [0, 1] {
        // "After 0 iterations" is within one step: see the report's remarks.
        let first = found.separated.each_ref().map(|cell| cell.paper[shift].within(1));
        assert!(close(first, published::SEPARATED.at_once, 0.025), "{first:?}");
        let slow = found.separated.each_ref().map(|cell| cell.paper[shift].at_least(5));
        assert!(close(slow, published::SEPARATED.five_or_more, 0.012), "{slow:?}");
        for (cell, wanted) in found.overlapping.iter().zip(published::ERRORS.point) {
            let point = cell.paper[shift].point_as_built.mean().unwrap();
            assert!(point < wanted, "{point} instead of {wanted}");
        }
    }
    // Most likely after two to ten iterations.
    for cell in &found.overlapping {
        let counts = &cell.paper[0];
        assert!(counts.within(10) - counts.within(1) > 0.9);
    }
    // Shift B is the reading that comes near the long tail of interval 3.
    let tail = found.overlapping[2].paper[1].at_least(20);
    assert!((tail - published::OVERLAPPING.twenty_or_more[2]).abs() < 0.015, "{tail}");
}

#[test]
fn other_methods_agree_on_the_same_pairs() {
    let found = on(2, &SETTINGS);
    for cell in found.separated.iter().chain(&found.overlapping) {
        assert_eq!(cell.paper[0].all.pairs, SETTINGS.pairs);
        let [_, auto] = &cell.peers;
        assert_eq!((auto.pairs, auto.unresolved, auto.wrong), (SETTINGS.pairs, 0, 0));
    }
    // Round shapes leave no room for doubt; in interval 3 a few in ten thousand are another contact.
    for cell in &found.overlapping[..2] {
        assert_eq!([cell.paper[0].all.wrong, cell.paper[1].all.wrong, cell.not_as_built], [0; 3]);
    }
    assert!(found.overlapping[2].paper[0].all.wrong < 8);
}

#[test]
fn bits_do_not_depend_on_the_number_of_threads() {
    let few = Settings { pairs: 500, seed: 3, full: false };
    assert_eq!(on(1, &few), on(3, &few));
    assert_ne!(on(1, &few), on(1, &Settings { seed: 4, ..few }));
}

#[test]
fn the_report_has_every_table_and_figure() {
    let paper = paper("wellmann2008").unwrap();
    let told = std::cell::Cell::new((0, 0));
    let settings = Settings { pairs: 200, seed: 1, full: false };
    let report = (paper.run)(&settings, &|done, of| told.set((done, of))).unwrap();
    assert_eq!(told.get(), (1200, 1200));
    let tables: Vec<_> = report.tables().map(|table| table.name.as_str()).collect();
    for name in
        ["table-1", "series-1", "series-2", "table-2", "methods-1", "methods-2", "figure-5", "figure-6"]
    {
        assert!(tables.contains(&name), "{name}");
    }
    let page = report.to_html();
    for part in ["Figure 5 with shift A", "Figure 6 with shift B", "What cannot be reproduced, and why"] {
        assert!(page.contains(part), "{part}");
    }
}
