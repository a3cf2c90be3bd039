//! Messages among the processes that share a world.

use std::fmt::Debug;

use serde::{Deserialize, Serialize};

/// What a process has sent to others so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Traffic {
    /// Messages that were not empty, one for each process that gets it.
    pub messages: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Time that sending and waiting for others took (s).
    pub seconds: f64,
}

/// Messages among the processes that share a world. All processes make the same calls, in the same order.
pub trait Communicator: Debug + Send + Sync {
    /// The number of this process, from zero.
    fn rank(&self) -> usize;

    /// How many processes there are.
    fn size(&self) -> usize;

    /// Sends a message to every process, this one included, and returns what each of them sent here.
    fn exchange(&self, messages: Vec<Vec<u8>>) -> Vec<Vec<u8>>;

    /// Sends messages to some processes, none of which is this one, and returns those that come `from` some, which know that they
    /// are to send one.
    fn exchange_with(&self, to: Vec<(usize, Vec<u8>)>, from: &[usize]) -> Vec<Vec<u8>> {
        let mut messages = vec![Vec::new(); self.size()];
        to.into_iter().for_each(|(rank, message)| messages[rank] = message);
        let mut come = self.exchange(messages);
        from.iter().map(|&rank| std::mem::take(&mut come[rank])).collect()
    }

    /// What every process says to all, by rank.
    fn gather(&self, message: Vec<u8>) -> Vec<Vec<u8>> {
        self.exchange(vec![message; self.size()])
    }

    /// What every process says to the first one, by rank; nothing in the others.
    fn gather_at_first(&self, message: Vec<u8>) -> Vec<Vec<u8>> {
        let mut messages = vec![Vec::new(); self.size()];
        messages[0] = message;
        let come = self.exchange(messages);
        if self.rank() == 0 { come } else { Vec::new() }
    }

    /// What the first process says to all; what others give does not count.
    fn broadcast(&self, message: Vec<u8>) -> Vec<u8> {
        let message = if self.rank() == 0 { message } else { Vec::new() };
        std::mem::take(&mut self.exchange(vec![message; self.size()])[0])
    }

    /// What this process has sent so far; nothing where it is not counted.
    fn traffic(&self) -> Traffic {
        Traffic::default()
    }
}
