//! The table of times, ratios and wrong distances.

use std::error::Error;
use std::fmt::Write as _;

use super::{Bed, COLD, Group, WARM, groups, jobs, references, wrong_distances};
use crate::shortest_times;

/// Pairs of each group.
const PAIRS: u64 = 400;
/// Required of the default against the peer: cold; warm; warm and overlapping.
const REQUIRED: [f64; 3] = [1.5, 3.0, 2.0];
/// Moves of the dense bed, as fractions of the bodies' sizes.
const STEPS: [f64; 2] = [1e-3, 1e-4];

/// Times everything on the machine of that name.
pub fn report(machine: &str) -> Result<String, Box<dyn Error>> {
    let mut groups = groups(PAIRS);
    groups.extend(references()?);
    let times: Vec<_> = groups.iter().map(times).collect();
    let mut text = format!("# Polyhedra on {machine}\n\n");
    text += "`auto` against parry3d-f64 0.31 on the same pairs in one run, ns per pair; of each job the shortest of many \
             runs.\nWarm: both bodies have moved by a thousandth of their size and the same angle (rad) since they were \
             last solved, forth\nand back in turn; the peer starts from its last normal, `auto` from its memory. The \
             reference pairs are\nthose of `tests/data`.\n\n";
    text += "| pairs | parry | auto | ratio | parry, warm | auto, warm | ratio |\n|---|---|---|---|---|---|---|\n";
    for (group, times) in groups.iter().zip(&times) {
        let [peer, peer_warm, warm, cold] = [0, 1, 2, 3].map(|i| times[i].1);
        let required = if group.name.contains("overlap") { REQUIRED[2] } else { REQUIRED[1] };
        let (first, second) = (ratio(peer / cold, REQUIRED[0]), ratio(peer_warm / warm, required));
        let name = &group.name;
        writeln!(
            text,
            "| {name} | {peer:.0} | {cold:.0} | {first} | {peer_warm:.0} | {warm:.0} | {second} |"
        )?;
    }
    text += "\nRequired: 1.5 cold, 3 warm, 2 warm and overlapping.\n\n";
    write_methods(&mut text, "cold", COLD, &groups, &times)?;
    write_methods(&mut text, "warm", WARM, &groups, &times)?;
    write_wrong(&mut text, &groups)?;
    for step in STEPS {
        write_bed(&mut text, step)?;
    }
    Ok(text)
}

/// Names and times of a group's jobs.
fn times(group: &Group) -> Vec<(String, f64)> {
    let mut jobs = jobs(group);
    let times = shortest_times(&mut jobs);
    jobs.iter().map(|job| job.name.clone()).zip(times).collect()
}

fn ratio(ratio: f64, required: f64) -> String {
    format!("{ratio:.1}{}", if ratio >= required { "" } else { " (missed)" })
}

/// Other methods against the default, which is the first of `methods`.
fn write_methods(
    text: &mut String,
    how: &str,
    methods: &[&str],
    groups: &[Group],
    times: &[Vec<(String, f64)>],
) -> std::fmt::Result {
    let time = |row: &[(String, f64)], name: &str, group: &Group| {
        let job = format!("{name}: {}", group.name);
        row.iter().find(|(known, _)| *known == job).map(|(_, time)| *time)
    };
    let others: Vec<_> =
        methods[1..].iter().filter(|name| time(&times[0], name, &groups[0]).is_some()).collect();
    write!(text, "Other methods, {how}: ns per pair, and how many times `auto` takes.\n\n| pairs |")?;
    others.iter().try_for_each(|name| write!(text, " {name} |"))?;
    writeln!(text, "\n|---|{}", "---|".repeat(others.len()))?;
    for (group, row) in groups.iter().zip(times) {
        write!(text, "| {} |", group.name)?;
        let auto = time(row, methods[0], group).unwrap_or(f64::NAN);
        for name in &others {
            let ns = time(row, name, group).unwrap_or(f64::NAN);
            write!(text, " {ns:.0} ({:.1}) |", ns / auto)?;
        }
        writeln!(text)?;
    }
    writeln!(text)
}

fn write_wrong(text: &mut String, groups: &[Group]) -> std::fmt::Result {
    let tally = wrong_distances(groups);
    writeln!(
        text,
        "Wrong distances (off by more than 1e-9 of the distance, or of 1e-3 where that is more) of {} pairs, judged by brackets \
         that\nowe nothing to either library: `auto` {}, of which certified {}; not certified {}; parry {}.\n",
        tally.pairs, tally.ours, tally.certified, tally.doubtful, tally.peer
    )
}

fn write_bed(text: &mut String, step: f64) -> Result<(), Box<dyn Error>> {
    let bed = Bed::new(step)?;
    let mut jobs = bed.jobs();
    let [touching, near, patch] = shortest_times(&mut jobs)[..] else { return Err("three jobs".into()) };
    let pass = touching * bed.touching.len() as f64 + near * bed.near.len() as f64;
    writeln!(
        text,
        "Dense bed of 500 polyhedra, all moved by {step} of their size: {} touching and {} near pairs (their boxes overlap). \
         Detection,\nwarm: {touching:.0} ns per touching pair, {near:.0} ns per near pair, {:.2} µs per body in all; with the \
         patch {patch:.0} ns per\ntouching pair.\n",
        bed.touching.len(),
        bed.near.len(),
        pass / 500.0 / 1000.0
    )?;
    Ok(())
}
