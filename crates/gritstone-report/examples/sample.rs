//! Writes a report that has something of everything, for a look at it: `cargo run --example sample -- DIR`.

use std::error::Error;
use std::f64::consts::PI;

use gritstone_report::{Axis, Column, Format, Image, Mark, Plot, Report, Section, Table, cells};

fn main() -> Result<(), Box<dyn Error>> {
    let dir = std::env::args().nth(1).ok_or("usage: sample DIR")?;
    let report = Report::new("Old results, computed again")
        .summary(
            "Three results that need no laboratory: Archimedes' bounds on π, Benford's law for leading digits, \
             and the decay of a damped oscillator. Published and computed values stand side by side.",
        )
        .fact("Program", concat!("gritstone ", env!("CARGO_PKG_VERSION")))
        .fact("Powers of two", "10 000")
        .fact("Oscillator", "100 000 steps")
        .section(archimedes()?)
        .section(benford()?)
        .section(oscillator())
        .section(Section::new("Interference").paragraph("Two sources of waves, from above.").image(waves()?));
    for path in report.write_to(dir)? {
        println!("{}", path.display());
    }
    for table in report.tables() {
        println!("\n{}", table.to_text(Some(80)));
    }
    Ok(())
}

/// Half perimeters of the circumscribed and inscribed polygons with 6, 12, … sides.
fn polygons() -> Vec<(f64, f64, f64)> {
    let (mut outer, mut inner) = (2.0 * 3f64.sqrt(), 3.0);
    let mut all = Vec::new();
    for k in 0..12 {
        all.push((6.0 * 2f64.powi(k), inner, outer));
        outer = 2.0 * outer * inner / (outer + inner);
        inner = (outer * inner).sqrt();
    }
    all
}

fn archimedes() -> Result<Section, Box<dyn Error>> {
    let columns = [
        Column::number("Sides", Format::Integer),
        Column::number("published", Format::Fixed(6)).group("Lower bound"),
        Column::number("computed", Format::Fixed(6)).group("Lower bound"),
        Column::number("published", Format::Fixed(6)).group("Upper bound"),
        Column::number("computed", Format::Fixed(6)).group("Upper bound"),
        Column::number("Width", Format::Scientific(2)),
    ];
    let mut table = Table::new("archimedes", "Bounds on π from polygons", columns)
        .note("Published: Measurement of a Circle, proposition 3, which prints the last polygon alone.");
    let all = polygons();
    for (sides, inner, outer) in all.iter().take(6).copied() {
        let last = sides == 96.0;
        let published = (last.then_some(3.0 + 10.0 / 71.0), last.then_some(3.0 + 1.0 / 7.0));
        table.push(cells![sides, published.0, inner, published.1, outer, outer - inner])?;
    }
    let error = Plot::new("error", "Error of the bounds", Axis::log("sides"), Axis::log("|bound − π|"))
        .description("Each doubling of the sides divides the error by four.")
        .series("lower", Mark::LineAndPoints, all.iter().map(|p| (p.0, PI - p.1)))
        .series("upper", Mark::LineAndPoints, all.iter().map(|p| (p.0, p.2 - PI)));
    let bounds =
        Plot::new("bounds", "The bounds themselves", Axis::linear("doublings"), Axis::linear("bound"))
            .series("lower", Mark::Step, all.iter().enumerate().map(|(i, p)| (i as f64, p.1)))
            .series("upper", Mark::Step, all.iter().enumerate().map(|(i, p)| (i as f64, p.2)));
    Ok(Section::new("Bounds on π")
        .paragraph("Half the perimeters of polygons around and inside a circle of radius one.")
        .table(table)
        .note("The computed lower bound is larger than the published one: Archimedes rounded each root down.")
        .plot(error)
        .plot(bounds))
}

fn benford() -> Result<Section, Box<dyn Error>> {
    let mut counts = [0u32; 9];
    for n in 0..10_000 {
        let leading = 10f64.powf((f64::from(n) * 2f64.log10()).fract());
        counts[leading as usize - 1] += 1;
    }
    let columns = [
        Column::text("Leading digit"),
        Column::number("Published", Format::Percent(1)),
        Column::number("Computed", Format::Percent(1)),
        Column::number("Count", Format::Integer).unit("powers of two"),
    ];
    let mut table = Table::new("benford", "Leading digits of the powers of two", columns);
    let law = |digit: f64| (1.0 + 1.0 / digit).log10();
    for (digit, count) in (1..).zip(counts) {
        table.push(cells![format!("{digit}"), law(f64::from(digit)), f64::from(count) / 1e4, count])?;
    }
    let digits = || (1..10).map(f64::from);
    let axes = (Axis::linear("leading digit"), Axis::linear("share").unit("%"));
    let plot = Plot::new("digits", "Leading digits", axes.0, axes.1)
        .series("published", Mark::Bars, digits().map(|d| (d, 100.0 * law(d))))
        .series("computed", Mark::Bars, digits().zip(counts).map(|(d, n)| (d, f64::from(n) / 100.0)));
    Ok(Section::new("Leading digits").table(table).plot(plot))
}

fn oscillator() -> Section {
    let time = |i: u32| f64::from(i) * 1e-9;
    let decay = |t: f64| (-t / 2e-5).exp();
    let position = (0..100_000).map(|i| (time(i), decay(time(i)) * (time(i) * 1e6).cos()));
    let energy = |t: f64| (t, 0.5 * decay(t).powi(2));
    let seconds = || Axis::linear("time").unit("s");
    Section::new("A damped oscillator")
        .paragraph("A record of 100 000 steps, drawn with as many points as a screen can show.")
        .plot(Plot::new("position", "Position", seconds(), Axis::linear("x").unit("m")).series(
            "position",
            Mark::Line,
            position,
        ))
        .plot(
            Plot::new("energy", "Energy", seconds(), Axis::log("energy").unit("J"))
                .series("every step", Mark::Line, (0..100_000).map(|i| energy(time(i))))
                .series("every tenth part", Mark::Points, (0..=10).map(|i| energy(1e-5 * f64::from(i)))),
        )
}

fn waves() -> Result<Image, Box<dyn Error>> {
    let (width, height) = (320u32, 160u32);
    let shade = |x: u32, y: u32| {
        let distance = |cx: f64| (f64::from(x) - cx).hypot(f64::from(y) - 80.0);
        (127.5 + 63.0 * ((distance(110.0) / 3.0).cos() + (distance(210.0) / 3.0).cos())) as u8
    };
    let pixels: Vec<u8> = (0..height).flat_map(|y| (0..width).map(move |x| shade(x, y))).collect();
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.write_header()?.write_image_data(&pixels)?;
    Ok(Image::new("waves", "Interference of two circular waves", bytes)?)
}
