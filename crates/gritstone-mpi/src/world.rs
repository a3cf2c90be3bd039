//! All processes of `mpirun`.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use gritstone_engine::Communicator;
use mpi::Threading;
use mpi::datatype::{Partition, PartitionMut};
use mpi::environment::Universe;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator as _, CommunicatorCollectives as _};

/// MPI, from its start to its end.
pub struct Mpi {
    _universe: Universe,
    world: Arc<World>,
}

/// What a process has sent to others.
#[derive(Clone, Copy, Debug)]
pub struct Traffic {
    /// Messages that were not empty.
    pub messages: u64,
    /// Their bytes.
    pub bytes: u64,
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

    /// What this process has sent so far.
    pub fn traffic(&self) -> Traffic {
        let [messages, bytes] =
            [&self.world.messages, &self.world.bytes].map(|sum| sum.load(Ordering::Relaxed));
        Traffic { messages, bytes }
    }

    /// Ends all processes.
    pub fn abort(&self) -> ! {
        SimpleCommunicator::world().abort(1)
    }
}

/// All processes.
#[derive(Debug, Default)]
struct World {
    rank: usize,
    size: usize,
    messages: AtomicU64,
    bytes: AtomicU64,
}

impl World {
    fn count(&self, messages: &[Vec<u8>]) {
        let others =
            messages.iter().enumerate().filter(|(rank, bytes)| *rank != self.rank && !bytes.is_empty());
        let lengths = others.map(|(_, bytes)| bytes.len() as u64);
        let (count, bytes) = lengths.fold((0, 0), |(count, sum), length| (count + 1, sum + length));
        self.messages.fetch_add(count, Ordering::Relaxed);
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
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
        self.count(&messages);
        let world = SimpleCommunicator::world();
        let longest = messages.iter().map(Vec::len).max().unwrap_or(0) as u64;
        let lengths: Vec<u64> = messages.iter().flat_map(|message| [message.len() as u64, longest]).collect();
        let mut others = vec![0_u64; lengths.len()];
        world.all_to_all_into(&lengths[..], &mut others[..]);
        let (coming, longest): (Vec<usize>, Vec<usize>) =
            others.chunks(2).map(|pair| (pair[0] as usize, pair[1] as usize)).unzip();
        // MPI counts in 32 bits: what is longer goes in several rounds, as many on all processes.
        let most = i32::MAX as usize / self.size;
        let rounds = longest.into_iter().max().unwrap_or(0).div_ceil(most);
        let mut come: Vec<Vec<u8>> = coming.iter().map(|&length| Vec::with_capacity(length)).collect();
        for round in 0..rounds {
            let part = |length: usize| (round * most).min(length)..((round + 1) * most).min(length);
            let outgoing: Vec<&[u8]> = messages.iter().map(|message| &message[part(message.len())]).collect();
            let incoming: Vec<usize> = coming.iter().map(|&length| part(length).len()).collect();
            exchange_some(&world, &outgoing, &incoming, &mut come);
        }
        come
    }
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
    for (come, (start, count)) in come.iter_mut().zip(starts.iter().zip(&counts)) {
        come.extend_from_slice(&got[*start as usize..(start + count) as usize]);
    }
}

/// Where each message starts behind those before it.
fn starts(lengths: &[i32]) -> Vec<i32> {
    let before = |start: &mut i32, length: &i32| Some(std::mem::replace(start, *start + length));
    lengths.iter().scan(0, before).collect()
}
