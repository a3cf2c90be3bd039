//! `gritstone new`: a scene to start from.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use gritstone::scene::{TEMPLATES, Template, template};
use gritstone_files::memory;

use crate::failure::Failure;
use crate::output::print;

/// Write a scene to start from, with comments that explain it
#[derive(clap::Args)]
#[command(after_help = list())]
pub(crate) struct Args {
    /// Name of the example scene
    #[arg(value_parser = PossibleValuesParser::new(TEMPLATES.iter().map(|template| template.name)))]
    template: String,
    /// The file to write, which must not exist yet; - for the standard output [default: TEMPLATE.toml]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Writes the scene, and beside it the files that it reads.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let Some(template) = template(&args.template) else {
        return Err(Failure::BadInput(format!("there is no template {}\n{}", args.template, list())));
    };
    let path = args.out.clone().unwrap_or_else(|| PathBuf::from(format!("{}.toml", template.name)));
    if path.as_os_str() == "-" {
        print(template.text)?;
        for (file, _) in template.files {
            eprintln!("note: it reads {file}, which is not written with --out -");
        }
        return Ok(ExitCode::SUCCESS);
    }
    write(template, &path)?;
    let name = path.display();
    let folder = path.parent().unwrap_or(Path::new(""));
    let with = |(file, _): &(&str, _)| format!("{}: read by it\n", folder.join(file).display());
    let with: String = template.files.iter().map(with).collect();
    print(&format!(
        "{name}: {}\n{with}Next: gritstone check {name}, then gritstone run {name}\n",
        template.about
    ))?;
    Ok(ExitCode::SUCCESS)
}

fn write(template: &Template, path: &Path) -> Result<(), Failure> {
    // The scene last: when it is there, so is all that it needs.
    let folder = path.parent().unwrap_or(Path::new(""));
    if path.exists() {
        return Err(there(path));
    }
    for (name, content) in template.files {
        let beside = folder.join(name);
        if memory::read_at_most(&beside, content.len() as u64).is_ok_and(|found| found == *content) {
            continue;
        }
        create(&beside, content)?;
    }
    create(path, template.text.as_bytes())
}

/// Writes a file that is not there yet, in a folder that may not be there yet.
fn create(path: &Path, content: &[u8]) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| Failure::writing_file(folder, &error))?;
    }
    let written = fs::File::create_new(path).and_then(|mut file| file.write_all(content));
    written.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => there(path),
        _ => Failure::writing_file(path, &error),
    })
}

fn there(path: &Path) -> Failure {
    Failure::BadInput(format!("{} is there already: give another name with --out", path.display()))
}

/// All templates, one line each.
fn list() -> String {
    let widest = TEMPLATES.iter().map(|template| template.name.len()).max().unwrap_or_default();
    let line = |template: &Template| format!("\n  {:widest$}  {}", template.name, template.about);
    format!("Templates:{}", TEMPLATES.iter().map(line).collect::<String>())
}
