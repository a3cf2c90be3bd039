//! Reading, solving and writing at the same time, in input order and in bounded memory.

use std::io;
use std::sync::mpsc::{Receiver, sync_channel};

use gritstone::io::json_lines::{Line, Lines};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::prelude::*;

use super::Input;
use super::counts::Counts;
use super::solve::Solver;
use crate::failure::Failure;
use crate::output::Output;

/// Batches that may wait to be solved. A batch is about a quarter of a megabyte, or one line if that is longer.
const WAITING: usize = 8;

/// Enough bytes to keep many cores busy; a chunk has no more than this and one batch.
const CHUNK: u64 = 2 << 20;

/// Lines that are solved together.
const GROUP: usize = 64;

type Batch = io::Result<Vec<Line>>;

/// Answers every line of `input`.
pub(super) fn solve_all(
    input: Input,
    mut output: Output,
    pool: &rayon::ThreadPool,
    solver: Solver,
) -> Result<Counts, Failure> {
    let progress = progress_bar(input.length, &output);
    let mut counts = Counts::new(input.name.clone());
    let batches = read_ahead(input.stream);
    while let Some(chunk) = next_chunk(&batches, &input.name)? {
        let answers: Vec<_> =
            pool.install(|| chunk.par_chunks(GROUP).flat_map_iter(|lines| solver.answer(lines)).collect());
        for (answer, outcome) in answers {
            output.write(answer.as_bytes())?;
            output.write(b"\n")?;
            counts.count(outcome);
        }
        // Whoever waits for these answers before asking on gets them now.
        output.flush()?;
        progress.inc(chunk.iter().map(bytes).sum());
    }
    output.finish()?;
    progress.finish_and_clear();
    Ok(counts)
}

/// Reads in a thread of its own, which ends with the stream or with the process: a read cannot be interrupted.
fn read_ahead(stream: Box<dyn io::Read + Send>) -> Receiver<Batch> {
    let (send, receive) = sync_channel(WAITING);
    std::thread::spawn(move || {
        let mut lines = Lines::new(stream);
        loop {
            let batch = lines.next_batch();
            let last = batch.as_ref().map_or(true, Vec::is_empty);
            if send.send(batch).is_err() || last {
                return;
            }
        }
    });
    receive
}

/// Waits for one batch and takes what else is there already.
fn next_chunk(batches: &Receiver<Batch>, name: &str) -> Result<Option<Vec<Line>>, Failure> {
    let failed = |error: io::Error| Failure::reading(name, &error);
    let Ok(first) = batches.recv() else { return Ok(None) };
    let mut chunk = first.map_err(failed)?;
    if chunk.is_empty() {
        return Ok(None);
    }
    let mut size: u64 = chunk.iter().map(bytes).sum();
    while size < CHUNK {
        let Ok(more) = batches.try_recv() else { break };
        let more = more.map_err(failed)?;
        size += more.iter().map(bytes).sum::<u64>();
        chunk.extend(more);
    }
    Ok(Some(chunk))
}

fn bytes(line: &Line) -> u64 {
    line.text.as_ref().map_or(0, |text| text.len() as u64 + 1)
}

/// A bar where the length is known, a count where it is not, and neither where nobody would see it.
fn progress_bar(length: Option<u64>, output: &Output) -> ProgressBar {
    if output.is_terminal() {
        return ProgressBar::hidden();
    }
    let target = ProgressDrawTarget::stderr_with_hz(10);
    let (bar, template) = match length {
        Some(bytes) => {
            (ProgressBar::with_draw_target(Some(bytes), target), "{wide_bar} {percent:>3} % · {eta} left")
        }
        None => (ProgressBar::with_draw_target(None, target), "{spinner} {bytes} read · {bytes_per_sec}"),
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}
