//! What steps cost on the way, in a few numbers.

use std::time::Duration;

/// Most moments that are kept; where there are more, every other one is dropped.
const MOST: usize = 32;

/// What was told at some moments of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Moments<T> {
    kept: Vec<T>,
    /// Moments that are passed over before the next one is kept.
    skip: usize,
    skipped: usize,
}

impl<T> Moments<T> {
    /// Moments are told at about equal distances.
    pub(super) fn note(&mut self, moment: T) {
        if self.skipped < self.skip {
            self.skipped += 1;
            return;
        }
        self.skipped = 0;
        self.kept.push(moment);
        if self.kept.len() > MOST {
            let mut keep = false;
            self.kept.retain(|_| {
                keep = !keep;
                !keep
            });
            self.skip = 2 * self.skip + 1;
        }
    }

    /// Those that were kept.
    pub(super) fn list(&self) -> &[T] {
        &self.kept
    }
}

/// How far a run was at some moments on the clock: step, seconds since the start, steps times grains since the start.
#[derive(Clone, Debug, Default)]
pub(super) struct Costs(Moments<(u64, f64, u64)>);

impl Costs {
    /// Notes how far the run is.
    pub(super) fn note(&mut self, step: u64, clock: Duration, particle_steps: u64) {
        self.0.note((step, clock.as_secs_f64(), particle_steps));
    }

    /// Up to which step, and microseconds per grain and step since the moment before.
    pub(super) fn list(&self) -> Vec<(u64, f64)> {
        let start = (0, 0.0, 0);
        let moments = self.0.list();
        let before = std::iter::once(&start).chain(moments);
        let cost = |(old, new): (&(u64, f64, u64), &(u64, f64, u64))| {
            let work = new.2.saturating_sub(old.2);
            (work > 0).then(|| (new.0, 1e6 * (new.1 - old.1) / work as f64))
        };
        before.zip(moments).filter_map(cost).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two microseconds per grain and step, however many moments are told.
    #[test]
    fn costs_are_differences_and_few() {
        for told in [1, 5, 33, 1000] {
            let mut costs = Costs::default();
            for i in 1..=told {
                costs.note(10 * i, Duration::from_micros(2 * 100 * i), 100 * i);
            }
            let list = costs.list();
            assert!(!list.is_empty() && list.len() <= MOST + 1);
            assert!(list.iter().all(|(_, cost)| (cost - 2.0).abs() < 1e-9));
            assert!(list.is_sorted_by_key(|(step, _)| *step));
        }
    }
}
