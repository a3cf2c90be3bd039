//! The reproduction of the interior point method: what the method's mathematics promises, found in the counts.

use std::cell::Cell;

use gritstone_study::podlozhnyuk::{ALPHAS, OVERLAPPING, PAPER, Quantiles, Reproduction, reproduce};
use gritstone_study::reproduce::Settings;

const SETTINGS: Settings = Settings { pairs: 150, seed: 3, full: false };

fn measured() -> Reproduction {
    reproduce(&SETTINGS, &|_, _| ())
}

#[test]
fn counts_agree_with_theory() {
    let all = measured();
    for summary in &all.overlapping {
        let s = &summary.shrinkings;
        assert_eq!(s.pairs, s.converged + s.collapsed + s.stalled + s.limited + s.wrong_side);
        assert_eq!(s.pairs + s.left_out, SETTINGS.pairs);
    }
    // Smooth grains always converge, and better the more is done about the depth.
    for summary in &all.overlapping[..2] {
        assert_eq!(summary.shrinkings.failed(), 0.0);
        assert_eq!((summary.polish.not_converged, summary.polish.wrong), (0, 0));
        let [homothety, full_depth] =
            [summary.shrinkings.homothety.unwrap(), summary.shrinkings.full_depth.unwrap()];
        let polished = summary.polish.errors.unwrap();
        assert!(
            homothety.median() > 10.0 * full_depth.median() && full_depth.median() > 1e6 * polished.median()
        );
    }
    // Distances of separated pairs are exact.
    for summary in &all.separated[..2] {
        assert_eq!(summary.apart.converged, summary.apart.separated);
        assert!(summary.apart.errors.unwrap().p99() < 1e-11);
    }
    // Overlapping bodies have no nearest points: without shrinking none are found.
    for (s, (name, _)) in all.unshrunk.iter().zip(OVERLAPPING) {
        assert_eq!(s.converged, 0, "{name}");
    }
}

/// The slope of log(error) over log(1 − α) is the order of the error.
#[test]
fn errors_have_the_orders_of_the_shrinkage() {
    let interval_1 = &measured().alphas[0];
    let order = |of: &dyn Fn(usize) -> Quantiles| {
        let [from, to] = [0.98, 0.9].map(|alpha| ALPHAS.iter().position(|a| *a == alpha).unwrap());
        (of(to).median() / of(from).median()).log(0.1 / 0.02)
    };
    let homothety = order(&|i| interval_1[i].homothety.unwrap());
    let full_depth = order(&|i| interval_1[i].full_depth.unwrap());
    assert!((homothety - 1.0).abs() < 0.2, "{homothety}");
    assert!((full_depth - 2.0).abs() < 0.2, "{full_depth}");
}

#[test]
fn results_do_not_depend_on_the_threads() {
    let with =
        |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(measured);
    assert_eq!(with(1), with(3));
}

#[test]
fn progress_ends_where_it_should_and_the_report_is_complete() {
    let last = Cell::new((0, 1));
    let settings = Settings { pairs: 20, ..SETTINGS };
    let report = (PAPER.run)(&settings, &|done, total| {
        assert!(done >= last.get().0 && done <= total);
        last.set((done, total));
    })
    .unwrap();
    assert_eq!(last.get().0, last.get().1);
    let names: Vec<_> = report.tables().map(|table| table.name.as_str()).collect();
    assert_eq!(names, ["convergence", "newton", "depths", "alphas", "unshrunk", "apart", "forms"]);
    let files =
        report.write_to(std::env::temp_dir().join(format!("podlozhnyuk-{}", std::process::id()))).unwrap();
    assert!(files.iter().all(|path| path.exists()));
    std::fs::remove_dir_all(files[0].parent().unwrap()).unwrap();
}
