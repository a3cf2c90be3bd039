//! How jobs are timed.

use std::time::Instant;

use crate::Job;

/// Times that each chunk is timed.
const ROUNDS: usize = 25;

/// Sum of the shortest times of each job's chunks (ns per pair).
///
/// Jobs take turns, in short chunks, and of each chunk the shortest time counts: what else the machine does can only
/// lengthen times.
pub fn shortest_times(jobs: &mut [Job<'_>]) -> Vec<f64> {
    let mut times: Vec<_> = jobs.iter().map(|job| vec![f64::INFINITY; job.chunks]).collect();
    for _ in 0..ROUNDS {
        for (job, times) in jobs.iter_mut().zip(&mut times) {
            for (chunk, time) in times.iter_mut().enumerate() {
                // The first run finds other jobs' data in the caches.
                job.run(chunk);
                let start = Instant::now();
                job.run(chunk);
                *time = time.min(start.elapsed().as_secs_f64() * 1e9);
            }
        }
    }
    jobs.iter().zip(&times).map(|(job, times)| times.iter().sum::<f64>() / job.pairs as f64).collect()
}
