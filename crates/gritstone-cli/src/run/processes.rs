//! The processes that `mpirun` has started, if it has.

use std::sync::Arc;

use gritstone::engine::{Communicator, first_failure};

use crate::failure::Failure;

/// How many processes a launcher says that there are, in the words of Open MPI, MPICH and its like, and Slurm with PMIx.
const COUNTS: [&str; 3] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_SIZE"];

/// All processes of this run.
pub(crate) struct Processes {
    world: Option<Arc<dyn Communicator>>,
    #[cfg(feature = "mpi")]
    mpi: Option<gritstone_mpi::Mpi>,
}

impl Processes {
    /// Joins the others, if there are any.
    #[cfg(feature = "mpi")]
    pub(crate) fn join() -> Result<Self, Failure> {
        if launched() < 1 {
            return Ok(Self { world: None, mpi: None });
        }
        let mpi = gritstone_mpi::Mpi::start()
            .map_err(|_| Failure::Failed("MPI cannot be started, or not with threads".to_owned()))?;
        Ok(Self { world: Some(mpi.world()), mpi: Some(mpi) })
    }

    /// Without MPI there are no others.
    #[cfg(not(feature = "mpi"))]
    pub(crate) fn join() -> Result<Self, Failure> {
        if launched() > 1 {
            let why = "this program was built without MPI, so that several processes would run the same scene several times: \
                build it with --features mpi (docs/cluster.md)";
            return Err(Failure::BadInput(why.to_owned()));
        }
        Ok(Self { world: None })
    }

    /// All of them, if there are others.
    pub(crate) fn world(&self) -> Option<Arc<dyn Communicator>> {
        self.world.clone()
    }

    /// Whether this is the one that writes and talks.
    pub(crate) fn is_first(&self) -> bool {
        self.world.as_ref().is_none_or(|world| world.rank() == 0)
    }

    /// What all processes need to go on. If any of them does not have it, all end; the first of them tells why.
    pub(crate) fn all_have<T>(&self, own: Result<T, Failure>) -> Result<T, Failure> {
        let Some(world) = &self.world else { return own };
        let why = own.as_ref().err().map(Failure::message);
        let failure = first_failure(&**world, why.as_deref());
        match (own, failure) {
            (Ok(_), Some((rank, why))) => Err(Failure::BadInput(format!("process {rank}: {why}"))),
            (own, _) => own,
        }
    }

    /// Ends all processes, after this one has failed where the others have not.
    #[cfg_attr(not(feature = "mpi"), expect(clippy::unused_self, reason = "there are no others"))]
    pub(crate) fn abort(&self) {
        #[cfg(feature = "mpi")]
        self.mpi.iter().for_each(|mpi| mpi.abort());
    }
}

/// How many processes there are; none without a launcher.
fn launched() -> usize {
    let count = |name| std::env::var(name).ok()?.parse().ok();
    COUNTS.into_iter().find_map(count).unwrap_or(0)
}
