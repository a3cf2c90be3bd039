//! Tables read back: by a CSV reader, by a JSON reader, by people.

use gritstone_report::{Align, Cell, Column, Error, Format, Table, cells};
use proptest::prelude::*;

const HOSTILE: [&str; 8] = [
    "plain",
    "comma, and \"quotes\"",
    "two\nlines\r\nand more",
    " blanks at both ends ",
    "\"",
    "",
    "<script>alert('x')</script> & co",
    "π ≈ 22⁄7 – 日本語",
];

fn mixed() -> Table {
    let columns = [
        Column::text("name, with comma"),
        Column::number("count", Format::Integer),
        Column::number("time", Format::Fixed(2)).unit("ms").group("measured \"here\""),
    ];
    let mut table = Table::new("mixed", "Mixed <values>", columns);
    let numbers = [0.1 + 0.2, -0.0, f64::MAX, 5e-324, 1.0 / 3.0, 1e22, 0.1 + 0.7, -1e-300];
    for (i, (text, number)) in HOSTILE.iter().zip(numbers).enumerate() {
        table.push(cells![*text, i * 1_000_003, number]).unwrap();
    }
    table
}

fn parse_csv(text: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let owned = |record: &csv::StringRecord| record.iter().map(str::to_owned).collect::<Vec<_>>();
    let head = owned(reader.headers().unwrap());
    (head, reader.records().map(|record| owned(&record.unwrap())).collect())
}

#[test]
fn csv_comes_back_the_same() {
    let table = mixed();
    let (head, rows) = parse_csv(&table.to_csv());
    assert_eq!(head, ["name, with comma", "count", "measured \"here\": time (ms)"]);
    assert_eq!(rows.len(), HOSTILE.len());
    for (read, row) in rows.iter().zip(table.rows()) {
        let [Cell::Text(text), Cell::Integer(count), Cell::Number(number)] = &row[..] else { panic!() };
        assert_eq!(&read[0], text);
        assert_eq!(read[1].parse::<i64>().unwrap(), *count);
        assert_eq!(read[2].parse::<f64>().unwrap().to_bits(), number.to_bits());
    }
}

#[test]
fn csv_of_one_column_has_a_line_for_every_row() {
    let mut table = Table::new("one", "One", [Column::number("x", Format::General)]);
    for value in [Some(1.0), None, Some(2.0)] {
        table.push([value]).unwrap();
    }
    assert_eq!(parse_csv(&table.to_csv()).1, [["1.0"], [""], ["2.0"]]);
}

#[test]
fn json_comes_back_the_same() {
    let table = mixed().note("a \"note\"");
    let json: serde_json::Value = serde_json::from_str(&table.to_json()).unwrap();
    assert_eq!(json, serde_json::to_value(&table).unwrap());
    assert_eq!((&json["name"], &json["title"]), (&"mixed".into(), &"Mixed <values>".into()));
    assert_eq!(json["notes"][0], "a \"note\"");
    let column = serde_json::json!({ "group": "measured \"here\"", "name": "time", "unit": "ms" });
    assert_eq!(json["columns"][2], column);
    for (read, row) in json["rows"].as_array().unwrap().iter().zip(table.rows()) {
        let [Cell::Text(text), Cell::Integer(count), Cell::Number(number)] = &row[..] else { panic!() };
        assert_eq!((read[0].as_str(), read[1].as_i64()), (Some(text.as_str()), Some(*count)));
        assert_eq!(read[2].as_f64().unwrap().to_bits(), number.to_bits());
    }
}

#[test]
fn data_files_know_what_is_missing_and_what_is_no_number() {
    let mut table =
        Table::new("odd", "Odd", ["a", "b", "c", "d"].map(|n| Column::number(n, Format::Fixed(1))));
    table.push(cells![None::<f64>, f64::NAN, f64::INFINITY, f64::NEG_INFINITY]).unwrap();
    assert_eq!(table.to_csv(), "a,b,c,d\n,NaN,inf,-inf\n");
    let json: serde_json::Value = serde_json::from_str(&table.to_json()).unwrap();
    assert_eq!(json["rows"][0], serde_json::json!([null, "NaN", "inf", "-inf"]));
    let text = table.to_text(None);
    assert!(text.contains("–") && text.contains("NaN") && text.contains("-∞"), "{text}");
}

#[test]
fn integers_beyond_the_exact_ones_become_the_nearest_number() {
    assert_eq!(Cell::from(u64::MAX), Cell::Formatted(18446744073709551616.0, Format::Integer));
    assert_eq!(Cell::from(-5), Cell::Integer(-5));
}

#[test]
fn rows_of_the_wrong_length_are_refused() {
    let mut table = mixed();
    let error = table.push(cells!["short", 1]).unwrap_err();
    assert!(matches!(error, Error::RowLength { expected: 3, found: 2, .. }));
    assert_eq!(error.to_string(), "table `mixed`: a row has 2 cells, but the table has 3 columns");
    assert_eq!(table.rows().len(), HOSTILE.len());
}

#[test]
fn terminal_tables_keep_to_their_width_and_never_break_a_number() {
    let group = |i: usize| format!("Interval {i}");
    let numbers = (0..6)
        .map(|i| Column::number(["published", "measured"][i % 2], Format::Fixed(3)).group(group(i / 2)));
    let mut table = Table::new("wide", "Wide", [Column::text("Quantity")].into_iter().chain(numbers));
    let mut row = vec![Cell::from("a quantity whose name takes more room than there is in one line")];
    row.extend((0..6).map(|i| Cell::from(1234.5678 + f64::from(i))));
    table.push(row).unwrap();
    for width in [60, 80, 100, 120] {
        let text = table.to_text(Some(width));
        assert!(text.lines().all(|line| line.chars().count() <= width.into()), "{width}\n{text}");
        for number in ["1234.568", "1235.568", "1236.568", "1237.568", "1238.568", "1239.568"] {
            assert_eq!(text.matches(number).count(), 1, "{width}\n{text}");
        }
    }
    // Without a width, one panel: title, three rules, two lines of headings, one row.
    assert_eq!(table.to_text(None).lines().count(), 7);
}

#[test]
fn terminals_receive_no_control_characters() {
    let mut table = Table::new("x", "a\u{1b}[31mb", [Column::text("\u{7}name")]).note("\u{9b}2J");
    table.push(["\u{1b}]0;title\u{7}"]).unwrap();
    let text = table.to_text(Some(80));
    assert!(text.chars().all(|c| !c.is_control() || c == '\n'), "{text:?}");
}

#[test]
fn html_is_well_formed_and_escaped() {
    let mut table = mixed().note("<i>note</i>");
    table.push(cells!["\u{0}control\u{8}", Cell::Missing, (-4.34e-8, Format::Scientific(2))]).unwrap();
    let html = table.to_html();
    let page = roxmltree::Document::parse(&html).unwrap();
    let texts = |tag: &str| -> Vec<String> {
        let text =
            |n: roxmltree::Node| n.descendants().filter_map(|d| d.is_text().then(|| d.text())?).collect();
        page.descendants().filter(|n| n.has_tag_name(tag)).map(text).collect()
    };
    assert_eq!(texts("figcaption"), ["Mixed <values>"]);
    assert_eq!(texts("script").len() + texts("i").len(), 0);
    assert!(texts("th").contains(&HOSTILE[6].to_owned()));
    assert_eq!(texts("td")[texts("td").len() - 2..], ["–", "−4.34\u{202F}×\u{202F}10−8"]);
}

#[test]
fn html_heads_span_their_groups() {
    let plain = |name| Column::number(name, Format::General).align(Align::Center);
    let columns =
        [plain("a"), plain("b").group("G"), plain("c").group("G"), plain("d").group("H"), plain("e")];
    let html = Table::new("groups", "Groups", columns).to_html();
    let page = roxmltree::Document::parse(&html).unwrap();
    let rows: Vec<Vec<_>> = page
        .descendants()
        .filter(|n| n.has_tag_name("tr"))
        .map(|r| {
            let heads = r.children().filter(|n| n.has_tag_name("th"));
            heads.map(|n| (n.text().unwrap(), n.attribute("colspan"), n.attribute("rowspan"))).collect()
        })
        .collect();
    let upper =
        [("a", None, Some("2")), ("G", Some("2"), None), ("H", Some("1"), None), ("e", None, Some("2"))];
    assert_eq!(rows, [upper.to_vec(), vec![("b", None, None), ("c", None, None), ("d", None, None)]]);
}

proptest! {
    #[test]
    fn any_text_and_number_survive(text in any::<String>(), bits in any::<u64>()) {
        let number = f64::from_bits(bits);
        let mut table = Table::new("any", text.clone(), [Column::text("t"), Column::number("x", Format::General)]);
        table.push(cells![text.clone(), number]).unwrap();
        let (_, rows) = parse_csv(&table.to_csv());
        prop_assert_eq!(&rows[0][0], &text);
        let read: f64 = rows[0][1].parse().unwrap();
        prop_assert!(read.to_bits() == number.to_bits() || read.is_nan() && number.is_nan());
        let json: serde_json::Value = serde_json::from_str(&table.to_json()).unwrap();
        prop_assert_eq!(json["title"].as_str(), Some(text.as_str()));
        if number.is_finite() {
            prop_assert_eq!(json["rows"][0][1].as_f64().unwrap().to_bits(), number.to_bits());
        }
        let html = table.to_html();
        prop_assert!(roxmltree::Document::parse(&html).is_ok(), "{}", html);
    }
}
