//! Plots as an XML reader sees them: well formed for any data, with marks where the axes say.

use gritstone_report::{Axis, Mark, Plot, Scale, Size};
use proptest::prelude::*;
use roxmltree::{Document, Node};

const MARKS: [Mark; 5] = [Mark::Line, Mark::LineAndPoints, Mark::Points, Mark::Step, Mark::Bars];

fn axis(scale: Scale, title: &str) -> Axis {
    Axis { scale, ..Axis::linear(title) }
}

fn number(node: Node, attribute: &str) -> f64 {
    node.attribute(attribute).unwrap().parse().unwrap()
}

fn with_class<'a>(page: &'a Document, class: &str) -> Vec<Node<'a, 'a>> {
    page.descendants()
        .filter(|n| n.attribute("class").is_some_and(|c| c.split(' ').any(|c| c == class)))
        .collect()
}

fn all_text(node: Node) -> String {
    node.descendants().filter(Node::is_text).filter_map(|n| n.text()).collect()
}

/// Pixel of the label `text` along one axis: `x` of labels in the middle, `y` of labels at their end.
fn label(page: &Document, anchor: &str, text: &str) -> f64 {
    let found = |n: &Node| {
        n.has_tag_name("text") && n.attribute("text-anchor") == Some(anchor) && all_text(*n) == text
    };
    let node = page.descendants().find(found).unwrap_or_else(|| panic!("no label {text}"));
    // Labels of the vertical axis are set 0.35 of their height lower, so that the tick meets their middle.
    if anchor == "middle" { number(node, "x") } else { number(node, "y") - 0.35 * 12.0 }
}

/// The points that a path moves to.
fn moves(path: &str) -> Vec<(f64, f64)> {
    let starts = path.split('M').skip(1);
    let numbers = |s: &str| {
        let end = s.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(s.len());
        let mut parts = s[..end].split(' ').map(|n| n.parse::<f64>().unwrap());
        (parts.next().unwrap(), parts.next().unwrap())
    };
    starts.map(numbers).collect()
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 0.02
}

/// A square stays a square, whichever axis has more room.
#[test]
fn equal_scales_keep_shapes() {
    for size in [Size::WIDE, Size::NARROW, Size { width: 300, height: 900 }] {
        let corners = [(-3.0, 1.0), (5.0, 1.0), (5.0, 9.0), (-3.0, 9.0)];
        let plot =
            Plot::new("p", "P", Axis::linear("x").range(-4.0, 6.0), Axis::linear("y").range(0.0, 10.0));
        let svg = plot.equal_scales().series("square", Mark::Points, corners).to_svg(size);
        let page = Document::parse(&svg).unwrap();
        let path = with_class(&page, "symbol")[0].attribute("d").unwrap();
        let marks = moves(path);
        let (wide, high) = (marks[1].0 - marks[0].0, marks[0].1 - marks[3].1);
        assert!(near(wide, high) && wide > 50.0, "{marks:?}");
    }
}

#[test]
fn points_stand_where_linear_axes_say() {
    let plot = Plot::new("p", "P", Axis::linear("x"), Axis::linear("y")).series(
        "s",
        Mark::Points,
        [(0.0, -20.0), (4.0, 40.0), (3.0, 10.0), (1.5, -5.0)],
    );
    let svg = plot.to_svg(Size::WIDE);
    let page = Document::parse(&svg).unwrap();
    let at = moves(with_class(&page, "symbol")[0].attribute("d").unwrap());
    let (x0, x4) = (label(&page, "middle", "0.0"), label(&page, "middle", "4.0"));
    let (low, high) = (label(&page, "end", "−20"), label(&page, "end", "40"));
    assert!(x4 - x0 > 300.0 && low - high > 200.0);
    assert!(near(at[0].0, x0) && near(at[0].1, low));
    assert!(near(at[1].0, x4) && near(at[1].1, high));
    // Three quarters and half way; three eighths and a quarter of the way.
    assert!(near(at[2].0, x0 + 0.75 * (x4 - x0)) && near(at[2].1, low + 0.5 * (high - low)));
    assert!(near(at[3].0, x0 + 0.375 * (x4 - x0)) && near(at[3].1, low + 0.25 * (high - low)));
}

#[test]
fn points_stand_where_logarithmic_axes_say() {
    let plot = Plot::new("p", "P", Axis::log("x"), Axis::log("y")).series(
        "s",
        Mark::Points,
        [(0.1, 1e-6), (1000.0, 1e-2), (2.0, 5e-4)],
    );
    let svg = plot.to_svg(Size::WIDE);
    let page = Document::parse(&svg).unwrap();
    let at = moves(with_class(&page, "symbol")[0].attribute("d").unwrap());
    let (left, right) = (label(&page, "middle", "0.1"), label(&page, "middle", "1\u{202F}000"));
    let (low, high) = (label(&page, "end", "10−6"), label(&page, "end", "10−2"));
    assert!(near(at[0].0, left) && near(at[0].1, low) && near(at[1].0, right) && near(at[1].1, high));
    // log10 2 = 0.30103 and log10 5e-4 = -3.30103, of four decades each.
    assert!(near(at[2].0, left + 1.30103 / 4.0 * (right - left)));
    assert!(near(at[2].1, low + 2.69897 / 4.0 * (high - low)));
}

#[test]
fn bars_stand_side_by_side_on_zero() {
    let plot = Plot::new("p", "P", Axis::linear("x"), Axis::linear("y"))
        .series("a", Mark::Bars, [(1.0, 10.0), (2.0, 5.0)])
        .series("b", Mark::Bars, [(1.0, -10.0), (2.0, 2.5)]);
    let svg = plot.to_svg(Size::WIDE);
    let page = Document::parse(&svg).unwrap();
    let (zero, ten) = (label(&page, "end", "0"), label(&page, "end", "10"));
    let (one, two) = (label(&page, "middle", "1"), label(&page, "middle", "2"));
    // Two samples in the legend come first.
    let bars: Vec<[f64; 4]> = with_class(&page, "bar")[2..]
        .iter()
        .map(|n| ["x", "y", "width", "height"].map(|a| number(*n, a)))
        .collect();
    let [a1, a2, b1, b2] = bars[..] else { panic!("{} bars", bars.len()) };
    assert!(near(a1[1], ten) && near(a1[1] + a1[3], zero) && near(a2[3], 0.5 * (zero - ten)));
    assert!(near(b1[1], zero) && near(b1[3], zero - ten) && near(b2[1] + b2[3], zero));
    assert!(near(a1[0] + a1[2], one) && near(b1[0], one) && near(a2[0] + a2[2], two) && near(b2[0], two));
    assert!(a1[2] + b1[2] < two - one);
}

#[test]
fn steps_hold_their_value_until_the_next_point() {
    let points = [(0.0, 1.0), (1.0, 3.0), (2.0, 2.0)];
    let plot = Plot::new("p", "P", Axis::linear("x"), Axis::linear("y")).series("s", Mark::Step, points);
    let svg = plot.to_svg(Size::WIDE);
    let page = Document::parse(&svg).unwrap();
    let path = with_class(&page, "line")[0].attribute("d").unwrap();
    let commands: String = path.chars().filter(char::is_ascii_alphabetic).collect();
    assert_eq!(commands, "MHVHV");
}

#[test]
fn lines_break_where_there_is_no_number_and_the_reader_is_told() {
    let points =
        [(0.0, 1.0), (1.0, 2.0), (2.0, f64::NAN), (3.0, 1.0), (4.0, f64::INFINITY), (5.0, 2.0), (6.0, 1.0)];
    let plot = Plot::new("p", "P", Axis::linear("x"), Axis::linear("y")).series("s", Mark::Line, points);
    assert_eq!(plot.undrawn(), 2);
    let svg = plot.to_svg(Size::WIDE);
    let page = Document::parse(&svg).unwrap();
    assert_eq!(moves(with_class(&page, "line")[0].attribute("d").unwrap()).len(), 3);
    let description = page.descendants().find(|n| n.has_tag_name("desc")).map(all_text).unwrap();
    assert!(description.contains("2 points are not finite"), "{description}");
}

#[test]
fn empty_bars_on_a_logarithmic_axis_are_no_loss() {
    let plot = Plot::new("p", "P", Axis::linear("x"), Axis::log("y")).series(
        "s",
        Mark::Bars,
        [(0.0, 100.0), (1.0, 0.0), (2.0, 1.0)],
    );
    assert_eq!(plot.undrawn(), 0);
    let svg = plot.to_svg(Size::WIDE);
    let page = Document::parse(&svg).unwrap();
    let heights: Vec<f64> = with_class(&page, "bar").iter().map(|n| number(*n, "height")).collect();
    // Even the smallest value has a bar that can be seen.
    assert!(heights.len() == 2 && heights[0] > heights[1] && heights[1] > 10.0, "{heights:?}");
}

#[test]
fn long_records_are_thinned_without_losing_peaks() {
    let spike = |i: u32| if i == 123_456 { 9.0 } else { f64::from(i % 7) * 0.1 };
    let points = (0..300_000).map(|i| (f64::from(i), spike(i)));
    let plot = Plot::new("p", "P", Axis::linear("x"), Axis::linear("y")).series("s", Mark::Line, points);
    let svg = plot.to_svg(Size::WIDE);
    assert!(svg.len() < 60_000, "{} bytes", svg.len());
    let page = Document::parse(&svg).unwrap();
    let (zero, ten) = (label(&page, "end", "0"), label(&page, "end", "10"));
    let path = with_class(&page, "line")[0].attribute("d").unwrap();
    let rows = path[1..].split('L').map(|p| p.split(' ').nth(1).unwrap().parse::<f64>().unwrap());
    assert!(near(rows.fold(f64::INFINITY, f64::min), zero + 0.9 * (ten - zero)));
}

#[test]
fn pictures_have_names_and_descriptions_and_text_as_text() {
    let plot = Plot::new("p", "A <title>", Axis::linear("time").unit("s"), Axis::log("energy").unit("J"))
        .description("What \"matters\" & why")
        .series("kinetic", Mark::Line, [(0.0, 1.0), (1.0, 10.0)])
        .series("</svg><script>", Mark::Points, [(0.5, 2.0)]);
    let svg = plot.to_svg(Size::NARROW);
    let page = Document::parse(&svg).unwrap();
    let root = page.root_element();
    let ids: Vec<&str> = root.attribute("aria-labelledby").unwrap().split(' ').collect();
    let by_id = |id: &str| page.descendants().find(|n| n.attribute("id") == Some(id)).map(all_text).unwrap();
    assert_eq!(root.attribute("role"), Some("img"));
    assert_eq!(by_id(ids[0]), "A <title>");
    assert!(
        by_id(ids[1])
            .starts_with("What \"matters\" & why energy (J) from 1 to 10 against time (s) from 0 to 1.")
    );
    let texts: Vec<String> = page.descendants().filter(|n| n.has_tag_name("text")).map(all_text).collect();
    for expected in ["time (s)", "energy (J)", "kinetic", "</svg><script>"] {
        assert!(texts.iter().any(|t| t == expected), "{expected}: {texts:?}");
    }
}

/// Every number of every coordinate is finite, and what carries text lies inside the picture.
fn check_picture(svg: &str, size: Size) {
    let page = Document::parse(svg).unwrap_or_else(|e| panic!("{e}\n{svg}"));
    for node in page.descendants() {
        for name in ["x", "y", "width", "height"] {
            if let Some(value) = node.attribute(name).filter(|v| *v != "100%") {
                let value: f64 = value.parse().unwrap();
                assert!(value.is_finite() && value.abs() <= 2e5);
                let (most, size_of) = if name == "x" { (size.width, "x") } else { (size.height, "y") };
                if node.has_tag_name("text") {
                    assert!((0.0..=f64::from(most)).contains(&value), "text at {size_of} = {value}");
                }
            }
        }
        if let Some(path) = node.attribute("d") {
            assert!(!path.contains("NaN") && !path.contains("inf"), "{path}");
        }
    }
}

#[test]
fn odd_data_still_make_a_picture() {
    let odd: [&[(f64, f64)]; 8] = [
        &[],
        &[(f64::NAN, f64::NAN)],
        &[(1.0, 1.0)],
        &[(0.0, 0.0), (0.0, 0.0)],
        &[(-1.0, -1.0), (-2.0, -3.0)],
        &[(1.0, f64::INFINITY), (f64::NEG_INFINITY, 2.0)],
        &[(f64::MAX, f64::MIN), (f64::MIN, f64::MAX)],
        &[(5e-324, 5e-324), (1e-310, 1.0), (1.0, 1.0 + f64::EPSILON)],
    ];
    for (points, mark) in odd.into_iter().flat_map(|points| MARKS.map(|mark| (points, mark))) {
        for (x, y) in
            [Scale::Linear, Scale::Log].into_iter().flat_map(|x| [(x, Scale::Linear), (x, Scale::Log)])
        {
            let plot =
                Plot::new("p", "P", axis(x, "x"), axis(y, "y")).series("s", mark, points.iter().copied());
            check_picture(&plot.to_svg(Size::WIDE), Size::WIDE);
        }
    }
    check_picture(&Plot::new("p", "P", Axis::linear(""), Axis::log("")).to_svg(Size::WIDE), Size::WIDE);
}

#[test]
fn ranges_that_make_no_sense_give_way_to_the_data() {
    let good = Plot::new("p", "P", Axis::linear("x"), Axis::log("y")).series(
        "s",
        Mark::Line,
        [(0.0, 1.0), (1.0, 10.0)],
    );
    for (from, to) in [(1.0, 1.0), (2.0, 1.0), (f64::NAN, 1.0), (0.0, f64::INFINITY), (-1.0, -2.0)] {
        let mut bad = good.clone();
        (bad.x.range, bad.y.range) = (Some((from, to)), Some((from, to)));
        let labels =
            |plot: &Plot| plot.to_svg(Size::WIDE).split("<text").skip(1).map(str::len).collect::<Vec<_>>();
        assert_eq!(labels(&bad), labels(&good));
    }
    let mut zero = good.clone();
    zero.y.range = Some((0.0, 10.0));
    check_picture(&zero.to_svg(Size::WIDE), Size::WIDE);
}

#[test]
fn no_tick_stands_beside_a_range_far_smaller_than_the_least_step() {
    let mut x = Axis::linear("x");
    x.range = Some((-7e-135, -1e-135));
    let plot = Plot::new("p", "P", x, Axis::linear("y")).series("s", Mark::Bars, []);
    check_picture(&plot.to_svg(Size::WIDE), Size::WIDE);
}

proptest! {
    #[test]
    fn any_numbers_make_a_picture(
        bits in prop::collection::vec((any::<f64>(), any::<f64>()), 0..20),
        mild in prop::collection::vec((-10.0..10.0f64, 1e-3..1e3f64), 0..20),
        mark in 0usize..5, log_x: bool, log_y: bool, range in any::<Option<(f64, f64)>>(),
        name in any::<String>(), narrow: bool,
    ) {
        let scale = |log| if log { Scale::Log } else { Scale::Linear };
        let (mut x, y) = (axis(scale(log_x), &name), axis(scale(log_y), &name));
        x.range = range;
        let size = if narrow { Size::NARROW } else { Size::WIDE };
        let plot = Plot::new(name.clone(), name.clone(), x, y)
            .series(name.clone(), MARKS[mark], mild)
            .series(name, MARKS[(mark + 1) % 5], bits);
        check_picture(&plot.to_svg(size), size);
    }
}
