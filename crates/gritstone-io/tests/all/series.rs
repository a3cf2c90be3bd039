//! A series that was cut short and goes on is the same as one that was never stopped.

use std::fs;

use gritstone_io::series::{Column, Series};

const COLUMNS: &[Column<'_>] = &[
    Column { name: "time", unit: "s" },
    Column { name: "kinetic", unit: "J" },
    Column { name: "contacts", unit: "" },
];

fn values(step: u64) -> [f64; 3] {
    [step as f64 * 1e-5, 1.0 / (step + 3) as f64, step as f64]
}

#[test]
fn lines_name_units_and_lose_no_bit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("energies.csv");
    let mut series = Series::create(&path, COLUMNS).unwrap();
    series.push(0, &[0.0, 0.1 + 0.2, 3.0]).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(text, "step,time [s],kinetic [J],contacts\n0,0.0,0.30000000000000004,3.0\n");
    let read: f64 = text.lines().nth(1).unwrap().split(',').nth(2).unwrap().parse().unwrap();
    assert_eq!(read.to_bits(), (0.1_f64 + 0.2).to_bits());
}

/// Killed at any byte, resumed at any step that the file still knows.
#[test]
fn cut_anywhere_and_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("energies.csv");
    let mut series = Series::create(&path, COLUMNS).unwrap();
    let steps = [0, 10, 20, 30, 40];
    steps.iter().for_each(|&step| series.push(step, &values(step)).unwrap());
    let whole = fs::read_to_string(&path).unwrap();
    for length in 0..=whole.len() {
        let lines = whole[..length].matches('\n').count();
        // Runs write their line before their checkpoint: the steps that may be resumed at are those that are there.
        for &resumed in steps.iter().take(lines.saturating_sub(1)) {
            fs::write(&path, &whole[..length]).unwrap();
            let mut series = Series::resume(&path, COLUMNS, resumed + 5).unwrap();
            assert_eq!(series.last_step(), Some(resumed));
            steps.iter().filter(|step| **step >= resumed).for_each(|&s| series.push(s, &values(s)).unwrap());
            assert_eq!(fs::read_to_string(&path).unwrap(), whole, "{length} bytes, step {resumed}");
        }
    }
}

#[test]
fn a_file_that_is_not_there_is_started() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("energies.csv");
    Series::resume(&path, COLUMNS, 100).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "step,time [s],kinetic [J],contacts\n");
    fs::write(&path, "step,ti").unwrap();
    assert_eq!(Series::resume(&path, COLUMNS, 100).unwrap().last_step(), None);
}

#[test]
fn other_columns_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("energies.csv");
    Series::create(&path, &COLUMNS[..2]).unwrap();
    let told = Series::resume(&path, COLUMNS, 0).unwrap_err().to_string();
    assert!(told.contains("energies.csv:1: the columns are \"step,time [s],kinetic [J]\""), "{told}");
}

/// Names of walls may hold anything; a table has as many fields in its first line as in the others.
#[test]
fn names_do_not_add_columns_or_lines() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("forces.csv");
    let columns = [Column { name: "a,b fx", unit: "N" }, Column { name: "c\nd\"e\r fx", unit: "N" }];
    Series::create(&path, &columns).unwrap().push(0, &[1.0, 2.0]).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "step,a_b fx [N],c_d_e_ fx [N]\n0,1.0,2.0\n");
    assert_eq!(Series::resume(&path, &columns, 0).unwrap().last_step(), Some(0));
}
