//! Builds the book: `cargo xtask book`, or `cargo run -- REPOSITORY OUT` here.
//!
//! The documents stay as they are, with links that lead from file to file in the repository. They are copied to a folder in the same
//! places, with the files that they link to, and mdBook makes pages of them. Then every link of every page is checked.

mod check;
mod stage;

use std::path::Path;
use std::process::ExitCode;

use mdbook_driver::MDBook;
use mdbook_driver::config::Config;

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

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [repository, out] = &arguments[..] else {
        eprintln!("usage: gritstone-book REPOSITORY OUT");
        return ExitCode::from(2);
    };
    match build(Path::new(repository), Path::new(out)) {
        Ok(pages) => {
            println!("{pages} pages in {out}/html/index.html, all links right");
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

/// Builds the book in a folder; returns the number of its pages.
fn build(repository: &Path, out: &Path) -> Result<usize, String> {
    stage::stage(repository, &out.join("src"))?;
    let config: Config = CONFIG.parse().map_err(|error| format!("{error:#}"))?;
    let book = MDBook::load_with_config(out, config).map_err(|error| format!("{error:#}"))?;
    book.build().map_err(|error| format!("{error:#}"))?;
    check::check(&out.join("html"))
}
