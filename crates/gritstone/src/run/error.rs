//! Why a run failed.

use std::path::PathBuf;

use gritstone_engine::{RestoreError, SaveError, SetupError, StepError};
use gritstone_io::FileError;
use gritstone_io::checkpoint::NoCheckpoint;
use gritstone_scene::{MOST_STEPS, Problems};

/// Why a run failed.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The scene is wrong.
    #[error(transparent)]
    Scene(#[from] Problems),
    /// Another process that is to share the world cannot take part.
    #[error("process {rank}: {why}")]
    Process {
        /// Which one.
        rank: usize,
        /// Why.
        why: String,
    },
    /// The engine does not take what the scene describes.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The folder holds a run already.
    #[error(
        "{} holds a run of {} --overwrite starts again, --out names another folder",
        folder.display(),
        if *same { "this scene already: --resume continues it," } else { "another scene already:" }
    )]
    Taken {
        /// The folder.
        folder: PathBuf,
        /// Whether that run is of the same scene.
        same: bool,
    },
    /// The folder holds no run, but something of a name that a run gives its files: it is not ours to remove.
    #[error(
        "{} holds no run, but it holds {name}, which a run would overwrite: move it away, or name another folder with --out",
        folder.display()
    )]
    Foreign {
        /// The folder.
        folder: PathBuf,
        /// What is there.
        name: &'static str,
    },
    /// The scene reads what a run in this folder would remove or write over.
    #[error(
        "the scene reads {}, which is among what a run in this folder writes: name another folder with --out",
        path.display()
    )]
    Source {
        /// What it reads.
        path: PathBuf,
    },
    /// The folder cannot be made or written to.
    #[error("the folder for the results cannot be used: {0}")]
    Folder(#[source] FileError),
    /// The end that was requested is too far away.
    #[error("an end at {until:e} s takes {:.1e} steps of {time_step:e} s, but at most {MOST_STEPS:e} can be made", until / time_step)]
    TooLong {
        /// The end that was requested (s).
        until: f64,
        /// Time step (s).
        time_step: f64,
    },
    /// The folder holds a run of another scene, which cannot be continued with.
    #[error(
        "{} holds a run of another scene, or of this one before it was changed: the scene it was run with is its scene.toml",
        folder.display()
    )]
    OtherScene {
        /// The folder.
        folder: PathBuf,
    },
    /// Another program is writing to the folder.
    #[error("another run is writing to {} now", folder.display())]
    Busy {
        /// The folder.
        folder: PathBuf,
    },
    /// There are checkpoints, but none can be used.
    #[error(transparent)]
    NoCheckpoint(#[from] NoCheckpoint),
    /// The folder holds results of the scene, but no checkpoint.
    #[error(
        "{} holds results of this scene, such as {name}, but no checkpoint to resume from: --overwrite removes them and starts \
         again, --out names another folder",
        folder.display()
    )]
    NoneToResume {
        /// The folder.
        folder: PathBuf,
        /// One of the results.
        name: String,
    },
    /// The run has finished, and has no checkpoint to continue from.
    #[error("the run in {} has finished", folder.display())]
    Ended {
        /// The folder.
        folder: PathBuf,
    },
    /// A file that the run would continue with is not what it was at the checkpoint.
    #[error(
        "{} {}, but had {needed} bytes at the checkpoint of step {step}: the run cannot be resumed without losing data; restore \
         the file, or start again with --overwrite",
        path.display(),
        found.map_or_else(|| "is missing".to_owned(), |found| format!("has {found} bytes"))
    )]
    Shortened {
        /// The file.
        path: PathBuf,
        /// The step of the checkpoint.
        step: u64,
        /// Its bytes, if it is there.
        found: Option<u64>,
        /// Its bytes at the checkpoint.
        needed: u64,
    },
    /// A file that the run would continue with has other bytes than at the checkpoint.
    #[error(
        "{} has been altered: its first bytes are not those of the checkpoint of step {step}; restore the file, or start \
         again with --overwrite",
        path.display()
    )]
    Altered {
        /// The file.
        path: PathBuf,
        /// The step of the checkpoint.
        step: u64,
    },
    /// A file that the run would continue with is damaged where nothing can be left out.
    #[error("{0}; restore the file, or start again with --overwrite")]
    Damaged(#[source] FileError),
    /// A checkpoint is whole but does not fit.
    #[error(transparent)]
    Restore(#[from] RestoreError),
    /// The state cannot be written.
    #[error(transparent)]
    Save(#[from] SaveError),
    /// The run is past the end that was requested.
    #[error("the run has already reached step {step} ({time} s), which is beyond the requested end")]
    Beyond {
        /// Steps made.
        step: u64,
        /// Simulated time (s).
        time: f64,
    },
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The machine has no more threads.
    #[error("cannot start threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// A step failed.
    #[error(transparent)]
    Step(#[from] StepError),
    /// The simulation has become unstable.
    #[error("the run became unstable at step {step} ({time:.6e} s): {what}")]
    Unstable {
        /// Steps made.
        step: u64,
        /// Simulated time (s).
        time: f64,
        /// What was seen, what is allowed, and what may help.
        what: String,
    },
}

impl RunError {
    /// Whether the input is at fault, rather than the run.
    pub fn is_bad_input(&self) -> bool {
        !matches!(
            self,
            Self::File(_) | Self::Save(_) | Self::Threads(_) | Self::Step(_) | Self::Unstable { .. }
        )
    }
}
