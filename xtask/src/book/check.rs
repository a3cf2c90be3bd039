//! Every link of the pages leads somewhere: to a file of the book and, where it says so, to a place in that.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Checks all pages below a folder; returns how many there are.
pub(crate) fn check(folder: &Path) -> Result<usize, String> {
    let mut pages = BTreeMap::new();
    collect(folder, &mut pages)?;
    let places: BTreeMap<&PathBuf, BTreeSet<&str>> =
        pages.iter().map(|(path, text)| (path, values(text, "id").collect())).collect();
    let mut wrong = Vec::new();
    for (page, text) in &pages {
        for link in values(text, "href").chain(values(text, "src")) {
            if let Some(why) = follow(page, link, &places) {
                wrong.push(format!("{}: {link} {why}", page.display()));
            }
        }
    }
    wrong.dedup();
    if wrong.is_empty() { Ok(pages.len()) } else { Err(wrong.join("\n")) }
}

/// What is wrong with a link of a page.
fn follow(page: &Path, link: &str, places: &BTreeMap<&PathBuf, BTreeSet<&str>>) -> Option<String> {
    let is_elsewhere = link.contains("://") || link.starts_with("mailto:") || link.starts_with("data:");
    if is_elsewhere || link.is_empty() {
        return None;
    }
    let (file, place) = link.split_once('#').unwrap_or((link, ""));
    let target = if file.is_empty() {
        page.to_owned()
    } else {
        let file = page.parent().unwrap_or(Path::new("")).join(file);
        match file.canonicalize() {
            Ok(file) => file,
            Err(_) => return Some("leads nowhere".to_owned()),
        }
    };
    let ids = places.get(&target)?;
    (!place.is_empty() && !ids.contains(place)).then(|| "leads to no place of its page".to_owned())
}

/// The pages below a folder. That for links that are wrong and the table of contents of browsers without scripts are not pages: their
/// links are written from the root.
fn collect(folder: &Path, pages: &mut BTreeMap<PathBuf, String>) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.and_then(|entry| entry.path().canonicalize()).map_err(failed)?;
        let is_page = path.extension().is_some_and(|extension| extension == "html");
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() {
            collect(&path, pages)?;
        } else if is_page && !["404.html", "toc.html"].contains(&name) {
            let text = fs::read_to_string(&path).map_err(failed)?;
            pages.insert(path, text);
        }
    }
    Ok(())
}

/// The values of an attribute.
fn values<'t>(text: &'t str, attribute: &str) -> impl Iterator<Item = &'t str> {
    let start = format!(" {attribute}=\"");
    let mut rest = text;
    std::iter::from_fn(move || {
        let at = rest.find(&start)? + start.len();
        let end = at + rest[at..].find('"')?;
        let value = &rest[at..end];
        rest = &rest[end..];
        Some(value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_attributes_are_found() {
        let text = r#"<h2 id="a"><a class="header" href="x.html#b">c</a></h2>"#;
        assert_eq!(values(text, "href").collect::<Vec<_>>(), ["x.html#b"]);
        assert_eq!(values(text, "id").collect::<Vec<_>>(), ["a"]);
    }
}
