//! The folder of a run: ownership and content.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use gritstone_files::{Lock, memory};
use gritstone_io::checkpoint::{self as container, Expected, LATEST, Latest, PREVIOUS, read, read_latest};
use gritstone_io::{FileError, replace};
use gritstone_scene::schema::{FromRun, Grains, Wall};
use gritstone_scene::{Scene, run_files};

use super::probes::PROBES;
use super::{Options, RunError, checkpoint, results};
use crate::digest::REPORT;

/// Name of the file that says where every grain is at the end.
pub const FINAL: &str = "final.csv";
/// The scene as used.
pub(crate) const SCENE: &str = "scene.toml";
/// There while a run writes.
const LOCK: &str = "run.lock";
/// Files that the scene reads.
const INPUTS: &str = "inputs";
pub(super) const VTK: &str = "vtk";
/// Name of the file that pictures are made from.
pub const TRAJECTORY: &str = "trajectory.grit";
pub(crate) const ENERGIES: &str = "energies.csv";
pub(crate) const WALLS: &str = "walls.csv";
pub(crate) const SUMMARY: &str = "summary.json";

/// Everything that a run writes: what it removes when it starts anew.
const OURS: [&str; 12] =
    [SCENE, LATEST, PREVIOUS, TRAJECTORY, ENERGIES, WALLS, PROBES, VTK, INPUTS, FINAL, SUMMARY, REPORT];
/// First line of the scene as used. A folder whose scene does not begin with it holds no run, whatever else is in it.
const MARK: &str = "# The scene as used, written by gritstone run.\n";
/// How the scene begins while what another run has left is removed. The rest is as ever: it may be the only copy there is.
const CLEARING: &str =
    "# The scene as used, written by gritstone run.\n# What another run has left here is being removed.\n";

/// The folder of a run.
#[derive(Debug)]
pub(super) struct Folder {
    pub(super) path: PathBuf,
    /// What checkpoints know the scene by: its text and the content of the files that it reads.
    pub(super) scene_hash: u64,
    used: Used,
    /// Held while the run writes.
    _lock: FolderLock,
}

/// The lock of a folder, which is let go of before the folder is left.
#[derive(Debug)]
struct FolderLock {
    _lock: Lock,
    _made: Option<Made>,
}

/// A folder that was made for this run. It goes again where nothing came to be in it.
#[derive(Debug)]
struct Made(PathBuf);

impl Drop for Made {
    fn drop(&mut self) {
        // A folder with something in it is not removed, as is meant.
        let _ = fs::remove_dir(&self.0);
    }
}

/// The scene with every default, which reads its files from [`INPUTS`].
#[derive(Debug)]
struct Used {
    text: String,
    /// Name and content of each file.
    inputs: Vec<(String, Vec<u8>)>,
    /// Where they were read.
    sources: Vec<PathBuf>,
}

impl Folder {
    /// Locks the folder for this run alone, if it can be used. Nothing else in it changes.
    pub(super) fn open(scene: &Scene, options: &Options) -> Result<Self, RunError> {
        let used = Used::of(scene)?;
        let path = options.folder.clone();
        // A first look, so that a folder that is not to be used is left as it is, and one under the lock, which counts.
        examine(&path, &used, options)?;
        let made = !path.exists();
        make_folder(&path).map_err(RunError::Folder)?;
        let lock = Lock::take(&path.join(LOCK))
            .map_err(|error| RunError::Folder(system("write to", &path, error)))?
            .ok_or_else(|| RunError::Busy { folder: path.clone() })?;
        let lock = FolderLock { _lock: lock, _made: made.then(|| Made(path.clone())) };
        examine(&path, &used, options)?;
        Ok(Self { path, scene_hash: used.hash(), used, _lock: lock })
    }

    /// The checkpoint to continue from, if there is one and one is wanted, and what is worth a line about that. `last` is the step that
    /// the run is to end at; `keeps` says whether the scene has checkpoints written: without them, a run that was killed starts anew.
    pub(super) fn latest(
        &self,
        options: &Options,
        last: u64,
        keeps: bool,
    ) -> Result<(Option<Latest>, Option<String>), RunError> {
        if !options.resume || self.is_being_cleared() {
            return Ok((None, None));
        }
        let folder = self.path.clone();
        match read_latest(&folder, &self.expected()) {
            Ok(latest) => Ok((Some(latest), None)),
            Err(none) if none.nothing_there() => match results::beyond_the_start(&folder) {
                _ if results::has_ended(&folder, last) => Err(RunError::Ended { folder }),
                None => Ok((None, None)),
                Some(_) if !keeps && !folder.join(FINAL).exists() => {
                    let note = "there is no checkpoint to resume from (output.checkpoint is false): the run starts again";
                    Ok((None, Some(note.to_owned())))
                }
                Some(name) => Err(RunError::NoneToResume { folder, name }),
            },
            Err(none) => Err(none.into()),
        }
    }

    /// The checkpoint before this one, which a run can continue from where its files do not reach as far as this one says.
    pub(super) fn before(&self, latest: &Latest) -> Option<Latest> {
        let path = self.path.join(PREVIOUS);
        let checkpoint = read(&path, &self.expected()).ok().filter(|_| latest.path != path)?;
        Some(Latest { checkpoint, path, refused: None })
    }

    /// The scene with every default.
    pub(super) fn scene_text(&self) -> &str {
        &self.used.text
    }

    fn expected(&self) -> Expected {
        Expected { payload_version: Some(checkpoint::VERSION), scene: Some(self.scene_hash) }
    }

    /// Whether a start was killed while it removed what another run had left.
    fn is_being_cleared(&self) -> bool {
        let there = memory::read_at_most(&self.path.join(SCENE), memory::limit() / 2);
        there.is_ok_and(|there| there.starts_with(CLEARING.as_bytes()))
    }

    /// Makes the folder this run's own. What is left of another is removed, or of this one what was its end.
    pub(super) fn claim(&mut self, afresh: bool) -> Result<(), RunError> {
        self.clear(afresh).and_then(|()| self.write_inputs()).map_err(RunError::Folder)
    }

    /// Removes what is not to stay. The scene begins with other words from the first removal to the last: a run that is
    /// killed here leaves a folder that is known as a run's, and in which nothing else is to be kept.
    fn clear(&self, afresh: bool) -> Result<(), FileError> {
        if afresh {
            let scene = self.used.text.strip_prefix(MARK).unwrap_or_default();
            replace(&self.path.join(SCENE), |file| write!(file, "{CLEARING}{scene}"))?;
        }
        // A scene that is run in its own folder reads them there, and nothing else may have them.
        let stays =
            |name: &str| name == SCENE || name == INPUTS && self.used.reads(&self.path, &[INPUTS]).is_some();
        let gone = |name: &str| if afresh { !stays(name) } else { [FINAL, SUMMARY, REPORT].contains(&name) };
        for name in OURS.into_iter().filter(|name| gone(name)) {
            remove(&self.path.join(name))?;
        }
        if afresh {
            replace(&self.path.join(SCENE), |file| file.write_all(self.used.text.as_bytes()))?;
        }
        Ok(())
    }

    fn write_inputs(&mut self) -> Result<(), FileError> {
        let inputs = std::mem::take(&mut self.used.inputs);
        // The content is on the disk then. A run that continues puts back what has been altered.
        write_inputs(&self.path, inputs)
    }
}

/// Writes the inputs of a run that are not there yet.
fn write_inputs(folder: &Path, inputs: Vec<(String, Vec<u8>)>) -> Result<(), FileError> {
    let folder = folder.join(INPUTS);
    if !inputs.is_empty() {
        make_folder(&folder)?;
    }
    for (name, content) in inputs {
        let path = folder.join(name);
        path.parent().map_or(Ok(()), make_folder)?;
        let there = memory::read_at_most(&path, content.len() as u64);
        if !there.is_ok_and(|there| there == content) {
            replace(&path, |file| file.write_all(&content))?;
        }
    }
    Ok(())
}

/// Writes the files that a scene reads into a folder that holds no run, for a checkpoint beside them. Returns the scene that reads
/// them there.
pub(super) fn write_scene(scene: &Scene, folder: &Path) -> Result<String, RunError> {
    let used = Used::of(scene)?;
    if folder.join(SCENE).exists() {
        return Err(RunError::Taken { folder: folder.to_owned(), same: false });
    }
    make_folder(folder).and_then(|()| write_inputs(folder, used.inputs)).map_err(RunError::Folder)?;
    Ok(used.text)
}

impl Used {
    fn of(scene: &Scene) -> Result<Self, RunError> {
        let mut used = scene.expanded()?.0;
        let (mut inputs, mut sources) = (Vec::<(String, Vec<u8>)>::new(), Vec::new());
        for group in &mut used.file.grains {
            if let Grains::Run(run) = group {
                inputs.extend(of_run(scene, run, &mut sources)?);
            }
        }
        let grains = used.file.grains.iter_mut().filter_map(|group| match group {
            Grains::Csv(csv) => Some(&mut csv.file),
            Grains::Dump(dump) => Some(&mut dump.file),
            _ => None,
        });
        let walls = used.file.walls.list.iter_mut().filter_map(|(_, wall)| match wall {
            Wall::Mesh(mesh) => Some(&mut mesh.file),
            _ => None,
        });
        for file in grains.chain(walls) {
            let path = scene.file_path(file).map_err(|why| {
                system("read", Path::new(file), io::Error::new(io::ErrorKind::PermissionDenied, why))
            })?;
            let content = content(&path)?;
            sources.push(path.clone());
            let name = path.file_name().map_or_else(|| "input".into(), |name| name.to_string_lossy());
            let name = free_name(&name, &content, &inputs);
            *file = format!("{INPUTS}/{name}");
            if !inputs.iter().any(|(known, _)| *known == name) {
                inputs.push((name, content));
            }
        }
        Ok(Self { text: format!("{MARK}{}", used.to_toml()), inputs, sources })
    }

    /// What the scene reads of these names in a folder, if it does.
    fn reads(&self, folder: &Path, names: &[&str]) -> Option<&PathBuf> {
        // A folder that is not there has no files.
        let folder = folder.canonicalize().ok()?;
        let is_below = |source: &&PathBuf| {
            let source = source.canonicalize().unwrap_or_default();
            names.iter().any(|name| source.starts_with(folder.join(name)))
        };
        self.sources.iter().find(is_below)
    }

    fn hash(&self) -> u64 {
        let mut all = self.text.clone().into_bytes();
        self.inputs.iter().for_each(|(_, content)| all.extend(content));
        container::scene_hash(&all)
    }
}

/// Content of an input.
fn content(path: &Path) -> Result<Vec<u8>, FileError> {
    memory::read_at_most(path, memory::limit()).map_err(|error| system("read", path, error))
}

/// What is needed of a run that grains go on from, in a folder of its own among the inputs, which `run` then names.
fn of_run(
    scene: &Scene,
    run: &mut FromRun,
    sources: &mut Vec<PathBuf>,
) -> Result<Vec<(String, Vec<u8>)>, RunError> {
    let folder = scene.folder.join(&run.folder);
    let files = run_files(scene, run)
        .map_err(|why| system("read", &folder, io::Error::new(io::ErrorKind::InvalidData, why)))?;
    let name = folder.file_name().map_or_else(|| "run".into(), |name| name.to_string_lossy());
    run.folder = format!("{INPUTS}/{name}");
    sources.extend(files.iter().map(|(_, path)| path.clone()));
    let input = |(file, path): (String, PathBuf)| Ok((format!("{name}/{file}"), content(&path)?));
    files.into_iter().map(input).collect()
}

/// What a scene is told from others by: its text with every default, and the content of the files that it reads.
pub fn scene_hash(scene: &Scene) -> Result<u64, RunError> {
    Used::of(scene).map(|used| used.hash())
}

/// Whether a folder holds a run of this very scene, to its end or not.
pub fn holds_run_of(scene: &Scene, folder: &Path) -> Result<bool, RunError> {
    let used = Used::of(scene)?;
    let there = memory::read_at_most(&folder.join(SCENE), used.text.len() as u64);
    Ok(there.is_ok_and(|there| there == used.text.as_bytes()))
}

/// The name itself, or with a number before it where another file has that name.
fn free_name(name: &str, content: &[u8], taken: &[(String, Vec<u8>)]) -> String {
    let names = std::iter::once(name.to_owned()).chain((2..).map(|number| format!("{number}-{name}")));
    let free = |name: &String| {
        let folder = format!("{name}/");
        taken.iter().all(|(known, there)| !known.starts_with(&folder) && (known != name || there == content))
    };
    // There is always one: the numbers continue for longer than any list.
    names.take(taken.len() + 1).find(free).unwrap_or_default()
}

/// Looks whether the folder can be used, and changes nothing in it.
fn examine(path: &Path, used: &Used, options: &Options) -> Result<(), RunError> {
    let names = OURS.map(|name| if name == INPUTS { LOCK } else { name });
    if let Some(source) = used.reads(path, &names) {
        return Err(RunError::Source { path: source.clone() });
    }
    // Names first: a scene that another start writes in between is then read whole, with our mark.
    let name = OURS.into_iter().find(|name| path.join(name).symlink_metadata().is_ok());
    let there = memory::read_at_most(&path.join(SCENE), memory::limit() / 2).unwrap_or_default();
    let folder = path.to_owned();
    // A start that was killed while it cleared the folder: it has said that all may go.
    if there.starts_with(CLEARING.as_bytes()) {
        return Ok(());
    }
    if there.starts_with(MARK.as_bytes()) {
        let same = there == used.text.as_bytes();
        return match (options.resume, options.overwrite) {
            (false, false) => Err(RunError::Taken { folder, same }),
            (true, _) if !same => Err(RunError::OtherScene { folder }),
            _ => Ok(()),
        };
    }
    name.map_or(Ok(()), |name| Err(RunError::Foreign { folder, name }))
}

fn make_folder(path: &Path) -> Result<(), FileError> {
    let made = if path.exists() && !path.is_dir() {
        Err(io::ErrorKind::NotADirectory.into())
    } else {
        fs::create_dir_all(path)
    };
    made.map_err(|error| system("make the folder", path, error))
}

/// Removes a file, or a folder with all that is in it; none is as good.
fn remove(path: &Path) -> Result<(), FileError> {
    let removed = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(system("remove", path, error)),
        _ => Ok(()),
    }
}

fn system(doing: &'static str, path: &Path, source: io::Error) -> FileError {
    FileError::System { doing, path: path.to_owned(), source }
}
