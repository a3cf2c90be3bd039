//! `gritstone methods` and the help, from outside.

use crate::common::{run, stderr};
use gritstone::contact::{Card, plane, space};
use serde_json::Value;

#[test]
fn every_method_is_listed_with_its_card() {
    let table = run(&["methods"], b"");
    let json = run(&["methods", "--json"], b"");
    assert_eq!((table.status.code(), json.status.code()), (Some(0), Some(0)));
    let table = String::from_utf8(table.stdout).unwrap();
    let list: Vec<Value> = serde_json::from_slice(&json.stdout).unwrap();
    let space = space::METHODS.iter().map(|method| (method.card(), "space"));
    let cards: Vec<(Card, &str)> =
        space.chain(plane::METHODS.iter().map(|method| (method.card(), "plane"))).collect();
    assert_eq!(list.len(), cards.len());
    for ((card, dimension), entry) in cards.into_iter().zip(&list) {
        assert_eq!(entry["dimension"], dimension);
        assert!(table.contains(card.name));
        assert_eq!(entry["name"], card.name);
        assert_eq!(entry["source"], card.source);
        assert_eq!(entry["shapes"], card.shapes);
        assert_eq!(entry["guarantee"], card.guarantee);
    }
}

#[test]
fn the_help_shows_shapes_and_examples() {
    let help = run(&["contact", "--help"], b"");
    let text = String::from_utf8(help.stdout).unwrap();
    for part in ["\"shape\":\"superellipsoid\"", "Examples:", "--detect-only", "[possible values: auto"] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let none = run(&[], b"");
    assert_eq!(none.status.code(), Some(2));
    assert!(stderr(&none).contains("Usage: gritstone [OPTIONS] <COMMAND>"));
}
