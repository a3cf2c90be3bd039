//! `docs/gallery.md`: a picture of every scene in `scenes/`, made by the program itself.
//!
//! Scenes are run for a while that fits their size, and drawn as they are then. `cargo xtask gallery NAME…` makes some of the
//! pictures only, and `NAME=FOLDER` draws the last frame of a run that is there, `NAME=FOLDER@TIME` that of a time: long
//! scenes are worth one. The page lists whatever pictures there are.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::{Outcome, cargo, output, root};

/// Steps times grains that a scene may take.
const WORK: u64 = 100_000_000;

/// Grains that a scene is taken to have at least.
const FEWEST: u64 = 2_000;

/// Width and height of a picture.
const SIZE: &str = "640x440";

const PICTURES: &str = "docs/pictures/gallery";
const PAGE: &str = "docs/gallery.md";

/// Makes pictures and page.
pub(crate) fn make() -> Outcome {
    cargo(&["build", "--release", "--package", "gritstone-cli"])?;
    let chosen: Vec<String> = std::env::args().skip(2).collect();
    let pictures = root().join(PICTURES);
    fs::create_dir_all(&pictures).map_err(|error| format!("cannot make {PICTURES}: {error}"))?;
    let scenes = scenes()?;
    let chosen: Vec<(&str, Option<&str>)> = chosen
        .iter()
        .map(|word| word.split_once('=').map_or((word.as_str(), None), |(name, run)| (name, Some(run))))
        .collect();
    let mut wrong = Vec::new();
    for scene in &scenes {
        let name = stem(scene);
        let asked = chosen.iter().find(|(asked, _)| *asked == name);
        if chosen.is_empty() || asked.is_some() {
            println!("{name}");
            let to = pictures.join(format!("{name}.png"));
            let run = asked.and_then(|(_, run)| *run);
            let drawn = run.map_or_else(|| picture(scene, &to), |run| draw(run, &to));
            // The others are worth their pictures all the same.
            wrong.extend(drawn.err().map(|why| format!("{name}: {why}")));
        }
    }
    let entries: Vec<String> = scenes.iter().filter_map(|scene| entry(scene)).collect();
    let page = format!("{HEAD}{}", entries.concat());
    fs::write(root().join(PAGE), page).map_err(|error| format!("cannot write {PAGE}: {error}"))?;
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

const HEAD: &str = "# Gallery

The scenes of `scenes/`, each run for a while and drawn by `gritstone snapshot`. This page and its pictures are made by
`cargo xtask gallery`. `gritstone new` writes any of the scenes that are its templates; `gritstone run` takes all of them.
";

fn scenes() -> Result<Vec<PathBuf>, String> {
    let folder = root().join("scenes");
    let list = fs::read_dir(&folder).map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    let mut scenes: Vec<PathBuf> = list.flatten().map(|entry| entry.path()).collect();
    scenes.retain(|path| path.extension().is_some_and(|end| end == "toml"));
    scenes.sort();
    Ok(scenes)
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Runs a scene for a while and draws its last frame.
fn picture(scene: &Path, to: &Path) -> Outcome {
    let folder = root().join("target/gallery").join(stem(scene));
    let (scene, folder) = (scene.display().to_string(), folder.display().to_string());
    let json = gritstone(&["check", &scene, "--json"])?;
    let json = String::from_utf8_lossy(&json).into_owned();
    let number = |key: &str| {
        let rest = json.split(&format!("\"{key}\":")).nth(1).unwrap_or_default();
        let digits: String = rest.trim_start().chars().take_while(char::is_ascii_digit).collect();
        digits.parse::<u64>().unwrap_or(1)
    };
    // Scenes whose grains flow in have none at first.
    let steps = number("steps").min(WORK / number("grains").max(FEWEST)).max(1);
    gritstone(&["run", &scene, "--steps", &steps.to_string(), "--out", &folder, "--overwrite"])?;
    let done = draw(&folder, to);
    // Whatever the run wrote was for the picture alone.
    let _ = fs::remove_dir_all(&folder);
    done
}

/// Draws the last frame of a run, or that of the time behind an `@`.
fn draw(run: &str, to: &Path) -> Outcome {
    let to = to.display().to_string();
    let (folder, time) = run.split_once('@').map_or((run, None), |(folder, time)| (folder, Some(time)));
    let mut arguments = vec!["snapshot", folder, "--size", SIZE, "--out", &to];
    arguments.extend(time.into_iter().flat_map(|time| ["--time", time]));
    gritstone(&arguments).map(|_| ())
}

/// What the program prints.
fn gritstone(arguments: &[&str]) -> Result<Vec<u8>, String> {
    let program = root().join("target/release/gritstone");
    output(Command::new(program).args(arguments).current_dir(root()))
}

/// Title, first lines of the scene's comment, picture.
fn entry(scene: &Path) -> Option<String> {
    let name = stem(scene);
    let picture = root().join(PICTURES).join(format!("{name}.png"));
    let text = fs::read_to_string(scene).ok().filter(|_| picture.exists())?;
    let about: Vec<&str> = text
        .lines()
        .map_while(|line| line.strip_prefix('#'))
        .map(str::trim)
        .take_while(|line| !line.is_empty())
        .collect();
    Some(format!("\n## {name}\n\n{}\n\n![{name}](pictures/gallery/{name}.png)\n", about.join("\n")))
}
