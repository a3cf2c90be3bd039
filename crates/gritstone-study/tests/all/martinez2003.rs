//! The reproduction of the thesis: what it says of the examples, and what it finds in many pairs.

use gritstone_contact::plane::overlap_point::Points;
use gritstone_study::martinez2003::published::Printed;
use gritstone_study::martinez2003::{ASPECTS, Cell, DISTANCES, NEWTON_STARTS, Reproduction, reproduce};
use gritstone_study::reproduce::{Settings, paper};

/// Enough pairs for shares to be right within two per cent.
const SETTINGS: Settings = Settings { pairs: 1500, seed: 7, full: false };

fn on(threads: usize, settings: &Settings) -> Reproduction {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    // Progress is told on the thread that asked, and rayon wants a closure that may be sent.
    pool.install(|| reproduce(settings, &|_, _| ()))
}

/// Six significant digits, as the thesis prints.
fn digits(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap()
}

#[test]
fn printed_values_are_found() {
    let all = on(1, &Settings { pairs: 1, seed: 1, full: false });
    for worked in &all.worked {
        let name = worked.example.name;
        assert!(worked.certified, "{name}");
        let pairs = [
            (worked.example.b_in_a.f, worked.published.points.b_in_a.value),
            (worked.example.a_in_b.f, worked.published.points.a_in_b.value),
        ];
        // f is zero in 4.3, and what is printed of it is rounding.
        for (printed, found) in pairs.into_iter().filter(|_| name != "4.3") {
            assert_eq!(digits(found), printed, "{name}");
        }
        match worked.example.verdict {
            Printed::Points { by_b, by_a } => {
                assert_eq!(
                    (worked.published.points.by_b, worked.published.points.by_a),
                    (by_b, by_a),
                    "{name}"
                );
            }
            Printed::Penetration(h) => assert_eq!(digits(worked.published.penetration), h, "{name}"),
        }
    }
}

#[test]
fn what_is_wrong_in_the_thesis_is_found_wrong() {
    let all = on(1, &Settings { pairs: 1, seed: 1, full: false });
    let wrong: Vec<_> = all
        .worked
        .iter()
        .filter(|w| (w.published.penetration < -1e-12) != (w.truth > 1e-12))
        .map(|w| w.example.name)
        .collect();
    assert_eq!(wrong, ["4.12b"]);
    let disagree: Vec<_> =
        all.worked.iter().filter(|w| w.published.points.contacts() != w.mended.points.contacts()).collect();
    assert_eq!(disagree.iter().map(|w| w.example.name).collect::<Vec<_>>(), ["4.17"], "the band");
    let missed = |w: &&_| {
        let w: &gritstone_study::martinez2003::Worked = w;
        w.published.points.a_in_b.value - w.mended.points.a_in_b.value > 1e-6
    };
    assert_eq!(all.worked.iter().filter(missed).map(|w| w.example.name).collect::<Vec<_>>(), ["4.7"]);
    let mended = all.worked.iter().all(|w| (w.mended.points.contacts() == Points::None) == (w.truth > 1e-12));
    assert!(mended, "mended verdicts are true");
    // Two printed minima of appendix A are none.
    let off: Vec<_> = all
        .minimised
        .iter()
        .filter(|m| (m.found.at - m.example.x).abs() > 2e-5)
        .map(|m| m.example.name)
        .collect();
    assert_eq!(off, ["A.3.4", "A.3.5"]);
}

/// Crossings counted by changes of sign are those that Newton's method finds; without any it never converges.
#[test]
fn newton_finds_what_is_there() {
    for worked in on(1, &Settings { pairs: 1, seed: 1, full: false }).worked {
        let (name, newton) = (worked.example.name, &worked.newton);
        match name {
            "4.3" => assert_eq!(newton.found, 1),
            _ => assert_eq!(newton.found, worked.crossings as usize, "{name}"),
        }
        assert_eq!(newton.converged == 0, newton.found == 0, "{name}");
        assert!(newton.found == 0 || newton.converged > NEWTON_STARTS / 2, "{name}: {newton:?}");
    }
}

#[test]
fn many_pairs_show_what_examples_cannot() {
    let all = on(2, &SETTINGS);
    let share = |cell: &Cell| cell.missed as f64 / (2 * cell.pairs) as f64;
    for row in &all.cells {
        for cell in row {
            assert_eq!((cell.pairs, cell.mended.wrong_points), (SETTINGS.pairs, 0), "{cell:?}");
        }
    }
    // One in a hundred for round ellipses, more than one in ten for slender ones, at any distance.
    assert!(all.cells[0].iter().all(|cell| (0.002..0.03).contains(&share(cell))));
    assert!(all.cells[ASPECTS.len() - 1].iter().all(|cell| (0.08..0.25).contains(&share(cell))));
    // A gap of 5 % is within the band of f: one contact point, nearly always.
    let near = DISTANCES.iter().position(|distance| *distance == 0.05).unwrap();
    assert!(
        all.cells.iter().all(|row| row[near].published.wrong_points as f64 > 0.9 * SETTINGS.pairs as f64)
    );
    // With the right points the error of the depth is of second order: a hundred times the overlap, ten thousand
    // times the error.
    for row in &all.cells[2..] {
        let at = |distance: f64| row.iter().find(|cell| cell.distance == distance).unwrap();
        let error = |cell: &Cell| cell.mended.errors.quantile(0.99).unwrap();
        let order = (error(at(-0.2)) / error(at(-1e-2))).log10() / 20.0_f64.log10();
        assert!((1.7..2.3).contains(&order), "{order}");
    }
}

#[test]
fn bits_do_not_depend_on_the_number_of_threads() {
    let few = Settings { pairs: 100, seed: 3, full: false };
    assert_eq!(on(1, &few).cells, on(3, &few).cells);
    assert_ne!(on(1, &few).cells, on(1, &Settings { seed: 4, ..few }).cells);
}

#[test]
fn the_report_has_every_table_and_figure() {
    let paper = paper("martinez2003").unwrap();
    let told = std::cell::Cell::new((0, 0));
    let report =
        (paper.run)(&Settings { pairs: 20, seed: 1, full: false }, &|done, of| told.set((done, of))).unwrap();
    let total = 20 * (ASPECTS.len() * DISTANCES.len()) as u64;
    assert_eq!(told.get(), (total, total));
    let tables: Vec<_> = report.tables().map(|table| (table.name.as_str(), table.rows().len())).collect();
    let expected = [
        ("angles", 21),
        ("values", 21),
        ("points", 21),
        ("penetration", 21),
        ("centres", 21),
        ("brent", 11),
        ("crossings", 21),
        ("radii", 16),
        ("missed", ASPECTS.len()),
        ("verdicts", 4 * ASPECTS.len()),
        ("depths", 6 * ASPECTS.len()),
    ];
    for table in expected {
        assert!(tables.contains(&table), "{table:?} not in {tables:?}");
    }
    let page = report.to_html();
    for part in ["f of A in B, example 4.7", "Example 4.12b", "Error of the depth by curvature", "Errata"] {
        assert!(page.contains(part), "{part}");
    }
}
