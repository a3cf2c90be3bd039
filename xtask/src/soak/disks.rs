//! Disks that are full, and folders that cannot be written to. A file that may not grow any more, by a limit of the process, is what a
//! full disk is to a program; where this user may mount one, there is a real disk of a few hundred kilobytes, too.

use std::fs;
use std::process::Command;

use super::Bench;
use super::counts::Counts;
use super::mutate::Random;
use super::program::{Ended, differences, files, first_lines};

pub(super) fn full(bench: &Bench, random: &mut Random, counts: &mut Counts) {
    let place = counts.place.clone();
    if let Err(error) = bench.program.write_scene(&place) {
        return counts.fail(error);
    }
    if random.below(2) == 0 { limited(bench, random, counts) } else { mounted(bench, random, counts) }
}

/// Files may have so many blocks of 512 bytes.
fn limited(bench: &Bench, random: &mut Random, counts: &mut Counts) {
    let place = counts.place.clone();
    for _ in 0..3 {
        let before = format!("trap '' XFSZ; ulimit -f {};", random.below(200));
        let ended = bench.program.run_after(
            &place,
            &before,
            &["run", "scene.toml", "--out", "out", "--resume"],
            counts,
        );
        counts.count("files that may not grow");
        match ended {
            Some(Ended { code: Some(0..=2), .. }) => {}
            Some(ended) => counts.fail(format!("{before} {:?}", ended.code)),
            None => return,
        }
    }
    bench.program.finish(&place, &bench.expected, random, counts);
}

/// A disk of its own, too small at first and read-only after that; then there is room.
fn mounted(bench: &Bench, random: &mut Random, counts: &mut Counts) {
    let place = counts.place.clone();
    let size = 20 + random.below(600);
    let program = bench.program.path.display();
    let again = "run scene.toml --out out/run --resume --threads 1 >>stderr 2>&1; echo $? >>codes";
    let script = format!(
        "mkdir -p out kept && mount -t tmpfs -o size={size}k none out || exit 77
         {program} {again}
         mount -o remount,ro out && {program} {again}
         mount -o remount,rw,size=100m out && {program} {again}
         cp -r out/run kept/"
    );
    let status = Command::new("unshare").args(["-rm", "sh", "-c", &script]).current_dir(&place).output();
    match status.ok().and_then(|output| output.status.code()) {
        Some(0) => {}
        // Neither namespaces nor mounts are for everybody.
        _ => return counts.count("disks that may not be mounted"),
    }
    counts.count("full and read-only disks");
    let codes = fs::read_to_string(place.join("codes")).unwrap_or_default();
    let stderr = fs::read_to_string(place.join("stderr")).unwrap_or_default();
    let codes: Vec<&str> = codes.lines().collect();
    let fine = matches!(codes[..], ["0" | "1" | "2", "0" | "1" | "2", "0"]);
    if !fine || stderr.contains("panicked") {
        return counts.fail(format!("{size} kB: exit codes {codes:?}: {}", first_lines(&stderr)));
    }
    for what in differences(&files(&place.join("kept/run")), &bench.expected, &[]) {
        counts.fail(format!("{what} after a disk of {size} kB"));
    }
}
