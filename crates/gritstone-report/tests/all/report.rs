//! Reports on the page and on the disk.

use std::fs;
use std::path::Path;

use gritstone_report::{Axis, Column, Error, Format, Image, Mark, Plot, Report, Section, Table, cells};
use roxmltree::{Document, Node, ParsingOptions};

const HOSTILE: &str = "\"><script>alert(1)</script><!-- & 'x' ]]> \u{0}";

fn png() -> Vec<u8> {
    let mut bytes = Vec::new();
    png::Encoder::new(&mut bytes, 3, 2).write_header().unwrap().write_image_data(&[0; 6]).unwrap();
    bytes
}

fn table(name: &str) -> Table {
    let mut table = Table::new(name, HOSTILE, [Column::text(HOSTILE), Column::number("x", Format::Fixed(2))]);
    table.push(cells![HOSTILE, 1.0 / 3.0]).unwrap();
    table.note(HOSTILE)
}

fn plot(name: &str) -> Plot {
    Plot::new(name, HOSTILE, Axis::linear(HOSTILE), Axis::log("y").unit(HOSTILE))
        .description(HOSTILE)
        .series(HOSTILE, Mark::Bars, [(0.0, 1.0), (1.0, 10.0)])
        .series("b", Mark::Line, [(0.0, 2.0), (1.0, 20.0)])
}

fn report() -> Report {
    let section = Section::new(HOSTILE)
        .paragraph(HOSTILE)
        .note(HOSTILE)
        .table(table("first"))
        .plot(plot("left.wide"))
        .plot(plot("left-wide"))
        .image(Image::new("picture", HOSTILE, png()).unwrap());
    Report::new(HOSTILE)
        .summary(HOSTILE)
        .fact(HOSTILE, HOSTILE)
        .section(section)
        .section(Section::new("Second").table(table("section-1")))
        .section(Section::new("Third"))
}

fn names(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).unwrap();
    let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn parse(html: &str) -> Document<'_> {
    Document::parse_with_options(html, ParsingOptions { allow_dtd: true, ..ParsingOptions::default() })
        .unwrap()
}

#[test]
fn hostile_text_stays_text() {
    let html = report().to_html();
    let page = parse(&html);
    let expected = HOSTILE.replace('\0', "\u{FFFD}");
    let text = |tag: &str| page.descendants().find(|n| n.has_tag_name(tag)).and_then(|n| n.text()).unwrap();
    for tag in ["title", "h1", "h2", "p", "dt", "dd"] {
        assert_eq!(text(tag), expected, "{tag}");
    }
    assert!(!html.contains("<script") && !html.contains("<!--"));
    assert!(page.descendants().all(|n| n.attributes().all(|a| !a.name().starts_with("on"))));
    let alt = page.descendants().find(|n| n.has_tag_name("img")).and_then(|n| n.attribute("alt"));
    assert_eq!(alt, Some(expected.as_str()));
}

#[test]
fn the_page_needs_no_other_file() {
    let html = report().to_html();
    let page = parse(&html);
    for node in page.descendants() {
        for attribute in node.attributes().filter(|a| matches!(a.name(), "href" | "src")) {
            assert!(attribute.value().starts_with(['#']) || attribute.value().starts_with("data:"));
        }
        assert!(!["link", "script", "iframe", "object"].contains(&node.tag_name().name()));
    }
    assert!(!html.contains("@import"));
}

#[test]
fn ids_are_unique_and_links_find_them() {
    let html = report().to_html();
    let page = parse(&html);
    let mut ids: Vec<&str> = page.descendants().filter_map(|n| n.attribute("id")).collect();
    let referred = |n: Node<'_, '_>| {
        let labels =
            n.attribute("aria-labelledby").unwrap_or("").split(' ').map(str::to_owned).collect::<Vec<_>>();
        let anchor = n.attribute("href").and_then(|h| h.strip_prefix('#')).map(str::to_owned);
        let clip = n.attribute("clip-path").map(|c| c["url(#".len()..c.len() - 1].to_owned());
        labels.into_iter().chain(anchor).chain(clip).filter(|id| !id.is_empty()).collect::<Vec<_>>()
    };
    for id in page.descendants().flat_map(referred) {
        assert!(ids.contains(&id.as_str()), "{id}");
    }
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), all);
}

#[test]
fn tables_and_figures_are_numbered_in_order() {
    let html = report().to_html();
    let page = parse(&html);
    let captions = page.descendants().filter(|n| n.has_tag_name("figcaption"));
    let numbers: Vec<&str> =
        captions.map(|n| n.first_element_child().and_then(|b| b.text()).unwrap()).collect();
    assert_eq!(numbers, ["Table 1.", "Figure 1.", "Figure 2.", "Figure 3.", "Table 2."]);
}

#[test]
fn the_page_carries_the_data_of_its_tables() {
    use base64::Engine;
    let html = report().to_html();
    let page = parse(&html);
    let link = page.descendants().find(|n| n.attribute("download") == Some("first.csv")).unwrap();
    let data = link.attribute("href").unwrap().strip_prefix("data:text/csv;charset=utf-8;base64,").unwrap();
    let bytes = base64::engine::general_purpose::STANDARD.decode(data).unwrap();
    assert_eq!(String::from_utf8(bytes).unwrap(), table("first").to_csv());
}

#[test]
fn all_files_are_written_and_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("deep/er");
    for _ in 0..2 {
        let paths = report().write_to(&out).unwrap();
        assert_eq!(paths[0], out.join("report.html"));
        let expected = [
            "first.csv",
            "first.json",
            "left-wide.svg",
            "left.wide.svg",
            "report.html",
            "section-1.csv",
            "section-1.json",
        ];
        assert_eq!(names(&out), expected);
        assert_eq!(paths.len(), expected.len());
    }
    assert_eq!(fs::read_to_string(out.join("first.csv")).unwrap(), table("first").to_csv());
    assert_eq!(fs::read_to_string(out.join("report.html")).unwrap(), report().to_html());
    Document::parse(&fs::read_to_string(out.join("left-wide.svg")).unwrap()).unwrap();
}

#[test]
fn a_file_that_cannot_be_made_leaves_the_folder_as_it_was() {
    // The last of many names is longer than any file system takes.
    let bad = report().section(Section::new("Last").table(table(&"x".repeat(300))));
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("report.html"), "old").unwrap();
    assert!(matches!(bad.write_to(dir.path()), Err(Error::Io { .. })));
    assert_eq!(names(dir.path()), ["report.html"]);
    assert_eq!(fs::read_to_string(dir.path().join("report.html")).unwrap(), "old");
    // A folder that was made for the report goes again.
    assert!(bad.write_to(dir.path().join("new")).is_err());
    assert_eq!(names(dir.path()), ["report.html"]);
}

#[test]
fn a_folder_in_the_place_of_a_file_leaves_the_rest_as_it_was() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("section-1.json")).unwrap();
    let error = report().write_to(dir.path()).unwrap_err();
    assert!(error.to_string().contains("section-1.json"), "{error}");
    assert_eq!(names(dir.path()), ["section-1.json"]);
}

#[test]
fn a_file_in_the_place_of_the_folder_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "old").unwrap();
    assert!(matches!(report().write_to(&file), Err(Error::Io { .. })));
    assert_eq!(fs::read_to_string(&file).unwrap(), "old");
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_cannot_be_written_is_an_error() {
    // Nobody makes files here, not even the superuser.
    assert!(matches!(report().write_to("/proc/self"), Err(Error::Io { .. })));
}

#[test]
fn names_must_be_fit_for_files_and_differ() {
    let dir = tempfile::tempdir().unwrap();
    let with =
        |name: &str| Report::new("R").section(Section::new("S").table(table("first")).plot(plot(name)));
    for name in ["", ".hidden", "../up", "a/b", "a b", "ä", "a\\b", "x\0"] {
        assert!(matches!(with(name).write_to(dir.path()), Err(Error::BadName(bad)) if bad == name));
    }
    assert!(matches!(with("FIRST").write_to(dir.path()), Err(Error::DuplicateName(_))));
    assert!(names(dir.path()).is_empty());
}

#[test]
fn images_are_png_files() {
    assert_eq!(Image::new("p", "P", png()).unwrap().dimensions(), (3, 2));
    for bytes in [Vec::new(), b"GIF89a".to_vec(), png()[..20].to_vec(), png()[8..].to_vec()] {
        assert!(matches!(Image::new("p", "P", bytes), Err(Error::NotPng(name)) if name == "p"));
    }
}
