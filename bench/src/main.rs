//! Times every job in one process and writes the ratios, beside what is required of them.
//!
//! Jobs take turns, in short chunks, and of each chunk the shortest time counts: what else the machine does can only
//! lengthen times.

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;

use gritstone_bench::{Workloads, jobs, mixed, polyhedra, shortest_times};
use gritstone_core::lanes::Backend;

/// Pairs of each workload.
const PAIRS: u64 = 400;

/// A ratio of times that is required.
struct Claim {
    what: &'static str,
    slow: &'static str,
    fast: &'static str,
    at_least: f64,
}

static CLAIMS: &[Claim] = &[
    claim("Newton's method against the common normal", "common-normal", "support-newton", 3.0),
    claim("Newton's method against the interior point", "interior-point", "support-newton", 10.0),
    claim("warm start after a move", "support-newton, moved", "support-newton, warm", 1.7),
    claim("lanes against the scalar call, both certified", "auto", "lanes", 3.0),
    claim("ellipsoids against powers", "support-newton, round", "support-newton, ellipsoids", 2.0),
    claim("ellipsoids against powers, in lanes", "lanes, round", "lanes, ellipsoids", 2.0),
    claim("certified after a move, with memory", "auto", "auto, warm", 1.0),
];

const fn claim(what: &'static str, slow: &'static str, fast: &'static str, at_least: f64) -> Claim {
    Claim { what, slow, fast, at_least }
}

fn main() -> Result<(), Box<dyn Error>> {
    // All, unless one of them is named.
    let only = std::env::args().nth(1);
    let wanted = |name: &str| only.as_deref().is_none_or(|only| only == name);
    if wanted("smooth") {
        write("", &smooth())?;
    }
    if wanted("polyhedra") {
        write("polyhedra-on-", &polyhedra::report(&machine().1)?)?;
    }
    if wanted("mixed") {
        write("mixed-on-", &mixed::report(&machine().1)?)?;
    }
    Ok(())
}

/// Prints a report and keeps it beside those of other machines.
fn write(prefix: &str, report: &str) -> std::io::Result<()> {
    print!("{report}");
    let name = format!("{prefix}{}.md", machine().0);
    std::fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("results").join(name), report)
}

fn smooth() -> String {
    let workloads = Workloads::new(PAIRS);
    let mut jobs = jobs(&workloads);
    let times = shortest_times(&mut jobs);
    let names: Vec<String> = jobs.iter().map(|job| job.name.clone()).collect();
    report(&names, &times)
}

fn report(names: &[String], times: &[f64]) -> String {
    let best = Backend::best().name();
    // In claims, lanes are those of the best backend.
    let time = |name: &str| {
        let name = name.replacen("lanes", &format!("lanes ({best})"), 1);
        names.iter().position(|known| *known == name).map(|i| times[i])
    };
    let mut text = format!("# Contact methods on {}\n\n", machine().1);
    text += "Ratios of times within one run; of each job the shortest of many. Pairs: overlaps of interval 3 of \
             [wellmann2008],\nexcept where ellipsoids are named (interval 1). Lanes are those of the best \
             instruction set.\n\n";
    text += "| | slower | faster | ratio | required |\n|---|---|---|---|---|\n";
    for Claim { what, slow, fast, at_least } in CLAIMS {
        if let (Some(slow_time), Some(fast_time)) = (time(slow), time(fast)) {
            let ratio = slow_time / fast_time;
            let verdict = if ratio >= *at_least { "" } else { " (missed)" };
            let _ = writeln!(text, "| {what} | {slow} | {fast} | {ratio:.1} | {at_least}{verdict} |");
        }
    }
    text += "\n| job | ns per pair |\n|---|---|\n";
    for (name, time) in names.iter().zip(times) {
        let _ = writeln!(text, "| {name} | {time:.0} |");
    }
    text
}

/// The machine's name as part of a file's name, and in words.
fn machine() -> (String, String) {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let model = model.map_or(std::env::consts::ARCH, |(_, name)| name.trim());
    let words = format!("{model} with {}", Backend::best().name());
    let slug = words.to_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    (slug, words)
}
