//! Keys that are set from outside a scene file.

use gritstone_scene::{Assignment, Scene, assign, template};

fn set(text: &str, assignments: &[&str]) -> Result<String, String> {
    let assignments: Vec<Assignment> =
        assignments.iter().map(|text| text.parse()).collect::<Result<_, _>>()?;
    assign(text, "a.toml", &assignments).map_err(|problems| problems.to_string())
}

const TEXT: &str = "\
# A comment.
title = \"x\" # about

[materials.glass]
friction = 0.5
density = \"2500 kg/m3\"

[[grains]]
from = \"lattice\"
count = [1, 2, 3]

[[grains]]
from = \"points\"
orientation = { axis = \"z\" }
";

#[test]
fn values_change_where_they_stand_and_all_else_stays() {
    let changed = set(TEXT, &["materials.glass.friction=0.3", "grains[0].count[1]=7", "title=a b"]).unwrap();
    let expected = TEXT
        .replace("friction = 0.5", "friction = 0.3")
        .replace("[1, 2, 3]", "[1, 7, 3]")
        .replace("\"x\" # about", "\"a b\" # about");
    assert_eq!(changed, expected);
}

#[test]
fn text_needs_no_quotes_and_whole_lists_and_tables_can_be_given() {
    let changed = set(
        TEXT,
        &[
            "materials.glass.density=3 g/cm3",
            "grains[0].count=[4, 5, 6]",
            "grains[1].orientation={ axis = \"x\" }",
        ],
    )
    .unwrap();
    assert!(changed.contains("density = \"3 g/cm3\"\n"), "{changed}");
    assert!(changed.contains("count = [4, 5, 6]\n"), "{changed}");
    assert!(changed.contains("orientation = { axis = \"x\" }\n"), "{changed}");
    assert!(set(TEXT, &["title=\"0.3\""]).unwrap().contains("title = \"0.3\""));
}

#[test]
fn keys_and_tables_of_the_scene_that_are_missing_are_added() {
    let changed =
        set(TEXT, &["materials.glass.poisson=0.2", "contact.law=linear", "grains[1].orientation.angle=3"])
            .unwrap();
    assert!(changed.contains("poisson = 0.2"), "{changed}");
    assert!(changed.contains("[contact]\nlaw = \"linear\"\n"), "{changed}");
    let document: toml::Table = changed.parse().unwrap();
    assert_eq!(document["materials"]["glass"]["poisson"].as_float(), Some(0.2));
    assert_eq!(document["grains"][1]["orientation"]["angle"].as_integer(), Some(3));
}

#[test]
fn what_is_not_there_is_told_with_what_is() {
    let told = |assignment: &str| set(TEXT, &[assignment]).unwrap_err();
    let glas = told("materials.glas.friction=1");
    assert!(
        glas.contains("a.toml: cannot set materials.glas.friction=1: materials has no \"glas\" (did you mean \"glass\"?)"),
        "{glas}"
    );
    assert!(
        told("grains[2].count=1").contains("grains has 2 items, counted from 0, and none of them is [2]")
    );
    assert!(told("title.x=1").contains("title is not a table"));
    assert!(told("materials[0]=1").contains("materials is not a list"));
    assert!(told("grains[0]=1").contains("grains[0] is a table: set one of its keys"));
    for bad in
        ["friction", "=1", "a..b=1", "grains[x].count=1", "grains[0=1", "[0].a=1", "a[0]b=1", "a[0].=1"]
    {
        let wrong = bad.parse::<Assignment>().unwrap_err();
        assert!(wrong.contains("must be"), "{bad}: {wrong}");
    }
    assert!("a.b=".parse::<Assignment>().unwrap_err().contains("has no value"));
}

#[test]
fn bad_values_and_unknown_keys_are_told_as_in_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("drop.toml");
    std::fs::write(&path, template("polyhedra-drop").unwrap().text).unwrap();
    let read = |text: &str| Scene::read_with(&path, &[text.parse::<Assignment>().unwrap()]);
    let wrong = read("materials.steel.kn=130 kN").unwrap_err().to_string();
    assert!(wrong.contains("materials.steel.kn is \"130 kN\", but must be a stiffness, positive"), "{wrong}");
    assert!(wrong.contains("drop.toml:"), "{wrong}");
    let wrong = read("materials.steel.frction=1").unwrap_err().to_string();
    assert!(wrong.contains("unknown key \"frction\" (did you mean \"friction\"?)"), "{wrong}");
    assert_eq!(read("gravity[2]=-1.6").unwrap().file.gravity.vector::<gritstone_core::Space>().z, -1.6);
}
