//! All processes of `mpirun`.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use gritstone_engine::{Communicator, Traffic};
use mpi::Threading;
use mpi::datatype::{Partition, PartitionMut};
use mpi::environment::Universe;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{
    Communicator as _, CommunicatorCollectives as _, Destination as _, Equivalence as _, Root as _,
    Source as _,
};

/// MPI, from its start to its end.
pub struct Mpi {
    _universe: Universe,
    world: Arc<World>,
}

/// MPI did not start.
#[derive(Debug)]
pub struct Failed;

impl Mpi {
    /// Starts MPI. A process that panics from now on ends all others, with one message.
    pub fn start() -> Result<Self, Failed> {
        // One thread of each process talks, but not always the first.
        let (universe, provided) = mpi::initialize_with_threading(Threading::Serialized).ok_or(Failed)?;
        if provided < Threading::Serialized {
            return Err(Failed);
        }
        let world = universe.world();
        let (rank, size) = (world.rank(), world.size());
        std::panic::set_hook(Box::new(move |panic| {
            eprintln!("process {rank} of {size}: {panic}");
            SimpleCommunicator::world().abort(1);
        }));
        let world = World { rank: rank as usize, size: size as usize, ..World::default() };
        Ok(Self { _universe: universe, world: Arc::new(world) })
    }

    /// All processes.
    pub fn world(&self) -> Arc<dyn Communicator> {
        Arc::clone(&self.world) as Arc<dyn Communicator>
    }

    /// Ends all processes.
    pub fn abort(&self) -> ! {
        SimpleCommunicator::world().abort(1)
    }
}

/// Bytes of a frame: what is short goes in one round, in frames with their lengths.
const FRAME: usize = 256;
/// Where a frame has the length.
const LENGTH: usize = size_of::<u64>();
/// Messages that one process knows of another to come.
const TAG: i32 = 1;

/// All processes.
#[derive(Debug, Default)]
struct World {
    rank: usize,
    size: usize,
    messages: AtomicU64,
    bytes: AtomicU64,
    nanoseconds: AtomicU64,
}

impl World {
    /// Counts messages to others by their lengths.
    fn count(&self, lengths: impl Iterator<Item = usize>) {
        let sent = lengths.filter(|&length| length > 0);
        let (count, bytes) = sent.fold((0, 0), |(count, sum), length| (count + 1, sum + length as u64));
        self.messages.fetch_add(count, Ordering::Relaxed);
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Counts the time that this takes.
    fn timed<R>(&self, talk: impl FnOnce(&SimpleCommunicator) -> R) -> R {
        let start = Instant::now();
        let done = talk(&SimpleCommunicator::world());
        self.nanoseconds.fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
        done
    }

    /// Messages that all processes get, of lengths that they do not know.
    fn gather_long(&self, world: &SimpleCommunicator, message: &[u8], lengths: &[usize]) -> Vec<Vec<u8>> {
        let mut come: Vec<Vec<u8>> = lengths.iter().map(|&length| Vec::with_capacity(length)).collect();
        for part in rounds(lengths.iter().copied(), self.size) {
            let counts: Vec<i32> = lengths.iter().map(|&length| part(length).len() as i32).collect();
            let starts = starts(&counts);
            let own = [&message[part(message.len())], &[0]].concat();
            let mut got = vec![0_u8; counts.iter().sum::<i32>() as usize + 1];
            let mut to = PartitionMut::new(&mut got[..], &counts[..], &starts[..]);
            world.all_gather_varcount_into(&own[..own.len() - 1], &mut to);
            add_parts(&mut come, &got, &starts, &counts);
        }
        come
    }
}

impl Communicator for World {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn exchange(&self, messages: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        let others = messages.iter().enumerate().filter(|(rank, _)| *rank != self.rank);
        self.count(others.map(|(_, bytes)| bytes.len()));
        self.timed(|world| {
            let longest = messages.iter().map(Vec::len).max().unwrap_or(0) as u64;
            let lengths: Vec<u64> =
                messages.iter().flat_map(|message| [message.len() as u64, longest]).collect();
            let mut others = vec![0_u64; lengths.len()];
            world.all_to_all_into(&lengths[..], &mut others[..]);
            let (coming, longest): (Vec<usize>, Vec<usize>) =
                others.chunks(2).map(|pair| (pair[0] as usize, pair[1] as usize)).unzip();
            let mut come: Vec<Vec<u8>> = coming.iter().map(|&length| Vec::with_capacity(length)).collect();
            for part in rounds(longest.into_iter(), self.size) {
                let outgoing: Vec<&[u8]> =
                    messages.iter().map(|message| &message[part(message.len())]).collect();
                let incoming: Vec<usize> = coming.iter().map(|&length| part(length).len()).collect();
                exchange_some(world, &outgoing, &incoming, &mut come);
            }
            come
        })
    }

    fn exchange_with(&self, to: Vec<(usize, Vec<u8>)>, from: &[usize]) -> Vec<Vec<u8>> {
        self.count(to.iter().map(|(_, message)| message.len()));
        self.timed(|world| {
            mpi::request::scope(|scope| {
                // Longer messages than MPI can count are copies of ten million grains for one process.
                let sent: Vec<_> = to
                    .iter()
                    .map(|(rank, message)| {
                        let process = world.process_at_rank(*rank as i32);
                        process.immediate_send_with_tag(scope, message.as_slice(), TAG)
                    })
                    .collect();
                let receive = |&rank: &usize| {
                    let (coming, status) = world.process_at_rank(rank as i32).matched_probe_with_tag(TAG);
                    let mut message = vec![0_u8; status.count(u8::equivalent_datatype()) as usize];
                    coming.matched_receive_into(&mut message[..]);
                    message
                };
                let come = from.iter().map(receive).collect();
                sent.into_iter().for_each(|request| {
                    request.wait_without_status();
                });
                come
            })
        })
    }

    fn gather(&self, message: Vec<u8>) -> Vec<Vec<u8>> {
        self.count((1..self.size).map(|_| message.len()));
        self.timed(|world| {
            let own = framed(&message);
            let mut all = vec![0_u8; FRAME * self.size];
            world.all_gather_into(&own[..], &mut all[..]);
            let lengths: Vec<usize> = all.chunks(FRAME).map(length_of).collect();
            if lengths.iter().all(|&length| length <= FRAME - LENGTH) {
                let short = |(frame, &length): (&[u8], &usize)| frame[LENGTH..LENGTH + length].to_vec();
                return all.chunks(FRAME).zip(&lengths).map(short).collect();
            }
            self.gather_long(world, &message, &lengths)
        })
    }

    fn gather_at_first(&self, message: Vec<u8>) -> Vec<Vec<u8>> {
        let is_first = self.rank == 0;
        if !is_first {
            self.count([message.len()].into_iter());
        }
        self.timed(|world| {
            let (first, own) = (world.process_at_rank(0), framed(&message));
            if !is_first {
                first.gather_into(&own[..]);
                if message.len() > FRAME - LENGTH {
                    // The first one knows from the frame that it comes.
                    message.chunks(i32::MAX as usize).for_each(|part| first.send_with_tag(part, TAG));
                }
                return Vec::new();
            }
            let mut all = vec![0_u8; FRAME * self.size];
            first.gather_into_root(&own[..], &mut all[..]);
            let receive = |(rank, frame): (usize, &[u8])| match length_of(frame) {
                _ if rank == 0 => message.clone(),
                length if length <= FRAME - LENGTH => frame[LENGTH..LENGTH + length].to_vec(),
                length => {
                    let mut come = vec![0; length];
                    let from = world.process_at_rank(rank as i32);
                    come.chunks_mut(i32::MAX as usize).for_each(|part| {
                        from.receive_into_with_tag(part, TAG);
                    });
                    come
                }
            };
            all.chunks(FRAME).enumerate().map(receive).collect()
        })
    }

    fn broadcast(&self, message: Vec<u8>) -> Vec<u8> {
        let is_first = self.rank == 0;
        if is_first {
            self.count((1..self.size).map(|_| message.len()));
        }
        self.timed(|world| {
            let first = world.process_at_rank(0);
            let mut frame = framed(&message);
            first.broadcast_into(&mut frame[..]);
            let length = length_of(&frame);
            if length <= FRAME - LENGTH {
                return frame[LENGTH..LENGTH + length].to_vec();
            }
            let mut all = if is_first { message } else { vec![0; length] };
            // MPI counts in 32 bits.
            all.chunks_mut(i32::MAX as usize).for_each(|part| first.broadcast_into(part));
            all
        })
    }

    fn traffic(&self) -> Traffic {
        let [messages, bytes, nanoseconds] =
            [&self.messages, &self.bytes, &self.nanoseconds].map(|sum| sum.load(Ordering::Relaxed));
        Traffic { messages, bytes, seconds: nanoseconds as f64 * 1e-9 }
    }
}

/// The length of a message, and as much of it as a frame holds.
fn framed(message: &[u8]) -> [u8; FRAME] {
    let mut frame = [0; FRAME];
    frame[..LENGTH].copy_from_slice(&(message.len() as u64).to_le_bytes());
    let short = message.len().min(FRAME - LENGTH);
    frame[LENGTH..LENGTH + short].copy_from_slice(&message[..short]);
    frame
}

fn length_of(frame: &[u8]) -> usize {
    frame[..LENGTH].iter().rev().fold(0, |length, &byte| length << 8 | usize::from(byte))
}

/// MPI counts in 32 bits: what is longer goes in several rounds, as many on all processes. Each gives the part of a message that it
/// takes, by the message's length; `longest` has the longest message of each process.
fn rounds(
    longest: impl Iterator<Item = usize>,
    processes: usize,
) -> impl Iterator<Item = impl Fn(usize) -> Range<usize>> {
    let most = i32::MAX as usize / processes - 1;
    let count = longest.max().unwrap_or(0).div_ceil(most);
    (0..count)
        .map(move |round| move |length: usize| (round * most).min(length)..((round + 1) * most).min(length))
}

/// One round: so many bytes come from each process, and are added to what has come before.
fn exchange_some(world: &SimpleCommunicator, outgoing: &[&[u8]], incoming: &[usize], come: &mut [Vec<u8>]) {
    let lengths: Vec<i32> = outgoing.iter().map(|bytes| bytes.len() as i32).collect();
    let counts: Vec<i32> = incoming.iter().map(|&length| length as i32).collect();
    // One byte more than is sent: the address of an empty buffer may be that of Open MPI's MPI_IN_PLACE.
    let sent = [&outgoing.concat()[..], &[0]].concat();
    let mut got = vec![0_u8; incoming.iter().sum::<usize>() + 1];
    let starts = starts(&counts);
    let from = Partition::new(&sent[..], &lengths[..], self::starts(&lengths));
    let mut to = PartitionMut::new(&mut got[..], &counts[..], &starts[..]);
    world.all_to_all_varcount_into(&from, &mut to);
    add_parts(come, &got, &starts, &counts);
}

/// Adds what has come from each process to what has come from it before.
fn add_parts(come: &mut [Vec<u8>], got: &[u8], starts: &[i32], counts: &[i32]) {
    for (come, (start, count)) in come.iter_mut().zip(starts.iter().zip(counts)) {
        come.extend_from_slice(&got[*start as usize..(start + count) as usize]);
    }
}

/// Where each message starts behind those before it.
fn starts(lengths: &[i32]) -> Vec<i32> {
    let before = |start: &mut i32, length: &i32| Some(std::mem::replace(start, *start + length));
    lengths.iter().scan(0, before).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_tell_lengths() {
        for length in [0, 1, FRAME - LENGTH, 100_000] {
            let message = vec![7; length];
            let frame = framed(&message);
            assert_eq!(length_of(&frame), length);
            let short = length.min(FRAME - LENGTH);
            assert_eq!(frame[LENGTH..LENGTH + short], message[..short]);
        }
    }
}
