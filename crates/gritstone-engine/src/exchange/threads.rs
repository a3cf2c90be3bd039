//! Threads that stand for processes: for tests, and to try things out where there is no MPI.

use std::sync::{Arc, Barrier, Mutex, PoisonError};

use super::Communicator;

/// Mailboxes of all threads: what each has sent to each.
#[derive(Debug)]
struct Mail {
    boxes: Mutex<Vec<Vec<Vec<u8>>>>,
    barrier: Barrier,
}

/// A thread that stands for a process.
#[derive(Debug)]
struct Thread {
    rank: usize,
    size: usize,
    mail: Arc<Mail>,
}

/// Communicators for so many threads, one for each.
pub fn threads(size: usize) -> Vec<Arc<dyn Communicator>> {
    let mail = Arc::new(Mail { boxes: Mutex::new(vec![Vec::new(); size]), barrier: Barrier::new(size) });
    let thread = |rank| Arc::new(Thread { rank, size, mail: Arc::clone(&mail) }) as Arc<dyn Communicator>;
    (0..size).map(thread).collect()
}

impl Communicator for Thread {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn exchange(&self, messages: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        let boxes = || self.mail.boxes.lock().unwrap_or_else(PoisonError::into_inner);
        boxes()[self.rank] = messages;
        self.mail.barrier.wait();
        let come = boxes().iter().map(|sent| sent[self.rank].clone()).collect();
        self.mail.barrier.wait();
        come
    }
}

/// A single process, with nobody to share with.
#[derive(Debug)]
pub(crate) struct Single;

impl Communicator for Single {
    fn rank(&self) -> usize {
        0
    }

    fn size(&self) -> usize {
        1
    }

    fn exchange(&self, messages: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        messages
    }
}
