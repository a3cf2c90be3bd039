//! Threads that keep polling while steps are made.
//!
//! **Idea.** A step has a dozen parallel parts of some microseconds each, with short serial ones between them. Rayon's threads go to
//! sleep in between, and waking one takes longer than such a part of a small bed. So the other threads of the pool poll for
//! work as long as steps follow each other.
//!
//! What a thread computes does not depend on this: results are the same bits with and without.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rayon::Yield;

/// Steps after which threads that went to sleep are started again.
pub const STEPS_AWAKE: u64 = 64;
/// How long a thread that finds no work keeps polling. It is longer than a serial part of a step. It also bounds the wait of
/// another simulation in the same pool, part of which this thread may have put aside.
const PATIENCE: Duration = Duration::from_micros(500);
/// How often a thread polls for work before it yields to other programs and reads the clock.
const POLLS: u32 = 64;

/// Makes this number of steps; `step` makes one. A single step is not worth waking threads for: callers that make steps one by one use
/// [`with_threads_awake`] around some of them.
pub(crate) fn make_steps<E>(steps: u64, mut step: impl FnMut() -> Result<(), E>) -> Result<(), E> {
    if steps == 1 {
        return step();
    }
    let mut left = steps;
    while left > 0 {
        let some = left.min(STEPS_AWAKE);
        with_threads_awake(|| (0..some).try_for_each(|_| step()))?;
        left -= some;
    }
    Ok(())
}

/// Does this work, about [`STEPS_AWAKE`] steps, while the other threads of the pool poll.
pub fn with_threads_awake<R>(work: impl FnOnce() -> R) -> R {
    if rayon::current_num_threads() == 1 {
        return work();
    }
    let own = rayon::current_thread_index();
    let done = AtomicBool::new(false);
    rayon::in_place_scope(|scope| {
        let done = &done;
        scope.spawn_broadcast(move |_, context| {
            if Some(context.index()) != own {
                look_for_work(done);
            }
        });
        let _ended = SetAtEnd(done);
        work()
    })
}

/// Ends what waits for this, also where the work has panicked.
struct SetAtEnd<'d>(&'d AtomicBool);

impl Drop for SetAtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

/// Takes part in parallel work until `done`, or until there has been none for long.
fn look_for_work(done: &AtomicBool) {
    let mut polls = 0;
    let mut idle_since = None;
    while !done.load(Ordering::Acquire) {
        if rayon::yield_now() == Some(Yield::Executed) {
            (polls, idle_since) = (0, None);
            continue;
        }
        polls += 1;
        if polls < POLLS {
            std::hint::spin_loop();
            continue;
        }
        polls = 0;
        if idle_since.get_or_insert_with(Instant::now).elapsed() > PATIENCE {
            return;
        }
        std::thread::yield_now();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pool of four threads on a machine of any size.
    fn pool() -> rayon::ThreadPool {
        rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap()
    }

    #[test]
    fn all_steps_are_made_and_the_first_error_ends_them() {
        for outside in [true, false] {
            let mut count = 0_u64;
            let mut made = |steps| {
                let mut count_one = || {
                    count += 1;
                    if count == 200 { Err("at 200") } else { Ok(()) }
                };
                if outside {
                    make_steps(steps, &mut count_one)
                } else {
                    pool().install(|| make_steps(steps, &mut count_one))
                }
            };
            assert_eq!(made(150), Ok(()));
            assert_eq!(made(150), Err("at 200"));
            assert_eq!(count, 200);
        }
    }

    /// Simulations that share a pool do not wait for each other for ever.
    #[test]
    fn simulations_in_one_pool_all_end() {
        use rayon::prelude::*;
        let sums: Vec<u64> = pool().install(|| {
            (0..8_u64)
                .into_par_iter()
                .map(|seed| {
                    let mut sum = 0;
                    make_steps(200, || {
                        sum += (0..1000_u64).into_par_iter().map(|i| i % (seed + 1)).sum::<u64>();
                        Ok::<(), ()>(())
                    })
                    .unwrap();
                    sum
                })
                .collect()
        });
        for (seed, sum) in (0..).zip(sums) {
            assert_eq!(sum, 200 * (0..1000).map(|i| i % (seed + 1)).sum::<u64>());
        }
    }

    #[test]
    #[should_panic(expected = "in a step")]
    fn a_panic_ends_the_wait_of_the_others() {
        pool().install(|| make_steps(10, || -> Result<(), ()> { panic!("in a step") }).unwrap());
    }
}
