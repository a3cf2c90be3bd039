//! Several starts at once in the same folder, one of them killed now and then: one has the folder, and what it leaves is right.

use std::time::Duration;

use super::Bench;
use super::counts::Counts;
use super::mutate::Random;
use super::program::{first_lines, wait};

pub(super) fn several(bench: &Bench, random: &mut Random, counts: &mut Counts) {
    let place = counts.place.clone();
    if let Err(error) = bench.program.write_scene(&place) {
        return counts.fail(error);
    }
    let count = 2 + random.below(2);
    let mut children = Vec::new();
    for number in 0..count {
        let mut arguments = vec!["run", "scene.toml", "--out", "out", "--threads", "1"];
        arguments.extend(["--resume"].iter().take(random.below(2)));
        match bench.program.start(&place, &arguments, number) {
            Ok(child) => children.push(child),
            Err(error) => counts.fail(format!("cannot be started: {error}")),
        }
        std::thread::sleep(Duration::from_micros(random.below(3000) as u64));
    }
    let killed = (random.below(4) == 0).then(|| random.below(count));
    counts.count(if count == 2 { "double starts" } else { "triple starts" });
    if let Some(child) = killed.and_then(|number| children.get_mut(number)) {
        std::thread::sleep(Duration::from_millis(random.below(60) as u64));
        let _ = child.kill();
    }
    for (number, mut child) in children.into_iter().enumerate() {
        let status = wait(&mut child, Duration::from_secs(120));
        let stderr = std::fs::read_to_string(place.join(format!("stderr-{number}"))).unwrap_or_default();
        let code = status.and_then(|status| status.code());
        if Some(number) != killed && !matches!(code, Some(0 | 2)) || stderr.contains("panicked") {
            counts.fail(format!("start {number} ended with {status:?}: {}", first_lines(&stderr)));
        }
    }
    bench.program.finish(&place, &bench.expected, random, counts);
}
