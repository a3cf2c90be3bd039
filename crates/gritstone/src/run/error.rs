//! Why a run did not come to its end.

use std::path::PathBuf;

use gritstone_engine::{RestoreError, SaveError, SetupError, StepError};
use gritstone_io::FileError;
use gritstone_io::checkpoint::NoCheckpoint;
use gritstone_scene::{MOST_STEPS, Problems};

/// Why a run did not come to its end.
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
        "{} holds a run of {} --overwrite starts anew, --out names another folder",
        folder.display(),
        if *same { "this scene already: --resume goes on with it," } else { "another scene already:" }
    )]
    Taken {
        /// The folder.
        folder: PathBuf,
        /// Whether that run is of the same scene.
        same: bool,
    },
    /// The folder holds no run, but something of a name that a run gives its files: it is not ours to remove.
    #[error(
        "{} holds no run, but it holds {name}, which a run would write over: move it away, or name another folder with --out",
        folder.display()
    )]
    Foreign {
        /// The folder.
        folder: PathBuf,
        /// What is there.
        name: &'static str,
    },
    /// The folder cannot be made or written to.
    #[error("the folder for the results cannot be used: {0}")]
    Folder(#[source] FileError),
    /// The end that was asked for is too far away.
    #[error("an end at {until:e} s takes {:.1e} steps of {time_step:e} s, but at most {MOST_STEPS:e} can be made", until / time_step)]
    TooLong {
        /// The end that was asked for (s).
        until: f64,
        /// Time step (s).
        time_step: f64,
    },
    /// The folder holds a run of another scene, which cannot be gone on with.
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
        "{} holds results of this scene, such as {name}, but no checkpoint to go on from: --overwrite removes them and starts \
         anew, --out names another folder",
        folder.display()
    )]
    NoneToResume {
        /// The folder.
        folder: PathBuf,
        /// One of the results.
        name: String,
    },
    /// The run has come to its end, and has no checkpoint to go beyond it from.
    #[error("the run in {} has come to its end", folder.display())]
    Ended {
        /// The folder.
        folder: PathBuf,
    },
    /// A file that the run would go on with is not what it was at the checkpoint.
    #[error(
        "{} {}, but had {needed} bytes at the checkpoint of step {step}: the run cannot go on without a hole in it; put it back \
         as it was, or start anew with --overwrite",
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
    /// A file that the run would go on with has other bytes than at the checkpoint.
    #[error(
        "{} has been altered: its first bytes are not those of the checkpoint of step {step}; put it back as it was, or start \
         anew with --overwrite",
        path.display()
    )]
    Altered {
        /// The file.
        path: PathBuf,
        /// The step of the checkpoint.
        step: u64,
    },
    /// A file that the run would go on with is damaged where nothing can be left out.
    #[error("{0}; put it back as it was, or start anew with --overwrite")]
    Damaged(#[source] FileError),
    /// A checkpoint is whole but does not fit.
    #[error(transparent)]
    Restore(#[from] RestoreError),
    /// The state cannot be written.
    #[error(transparent)]
    Save(#[from] SaveError),
    /// The run is past the end that was asked for.
    #[error("the run has come to step {step} ({time} s) already, which is beyond the end that was asked for")]
    Beyond {
        /// Steps made.
        step: u64,
        /// Simulated time (s).
        time: f64,
    },
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// It was asked to stop while the grains came to rest before its beginning.
    #[error("stopped while the bed was prepared: nothing was written")]
    Unprepared,
    /// A step failed.
    #[error(transparent)]
    Step(#[from] StepError),
    /// The simulation is not to be trusted any longer.
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
    /// Whether what the user gave is at fault, rather than what came of it.
    pub fn is_bad_input(&self) -> bool {
        !matches!(
            self,
            Self::File(_) | Self::Save(_) | Self::Unprepared | Self::Step(_) | Self::Unstable { .. }
        )
    }
}
