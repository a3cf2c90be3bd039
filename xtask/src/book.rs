//! The book: the documents as pages, made by mdBook.
//!
//! The documents stay as they are, with links that lead from file to file in the repository. They are copied to a folder in the same
//! places, with the files that they link to, and mdBook makes pages of them. Then every link of every page is checked. mdBook is
//! installed below `target/` where it is not there, when the book is built and not before.

mod check;
mod stage;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::markdown::tracked;
use crate::shell::{Outcome, answers, cargo, finish, root};

/// Below the repository's root.
const OUT: &str = "target/book";
const TOOL: &str = "target/mdbook";

/// What the book is called, and how it is built. Documents are taken word for word: nothing in them is for mdBook alone.
const CONFIG: &str = r#"
[book]
title = "Gritstone"
description = "Grains of real shape, with contacts that are certain"
language = "en"
src = "src"

[build]
build-dir = "html"
create-missing = false
use-default-preprocessors = false

[output.html]
smart-punctuation = false

[output.html.print]
enable = false

[output.html.fold]
enable = true
"#;

/// Every document is a chapter of the book, and everything that chapters link to is there. Needs no mdBook.
pub(crate) fn check_chapters() -> Outcome {
    let chapters = stage::chapters(&root())?;
    let documents = tracked()?;
    let is_page = |path: &&PathBuf| path.extension().is_some_and(|e| e == "md") && path.starts_with("docs");
    let left_out = documents
        .iter()
        .filter(is_page)
        .filter(|path| path.as_path() != Path::new(stage::SUMMARY) && !chapters.contains(*path));
    let left_out: Vec<String> =
        left_out.map(|path| format!("{} is not in {}", path.display(), stage::SUMMARY)).collect();
    if !left_out.is_empty() {
        return Err(left_out.join("\n"));
    }
    stage::stage(&root(), &root().join(OUT).join("src"))
}

/// Builds the book, and checks the links of its pages.
pub(crate) fn build() -> Outcome {
    check_chapters()?;
    let out = root().join(OUT);
    let failed = |error: std::io::Error| format!("{}: {error}", out.display());
    fs::write(out.join("book.toml"), CONFIG).map_err(failed)?;
    finish(Command::new(mdbook()?).arg("build").arg(&out))?;
    let pages = check::check(&out.join("html"))?;
    println!("{pages} pages in {OUT}/html/index.html, all links right");
    Ok(())
}

/// mdBook: the one that is installed, or one below the target folder.
fn mdbook() -> Result<PathBuf, String> {
    if answers(Command::new("mdbook").arg("--version")) {
        return Ok("mdbook".into());
    }
    let own = root().join(TOOL).join("bin/mdbook");
    if !own.exists() {
        cargo(&["install", "mdbook", "--locked", "--root", TOOL])?;
    }
    Ok(own)
}
