//! Numbers in messages, for people.

/// Four significant digits, without zeros at the end.
pub fn plain(x: f64) -> String {
    if x == 0.0 {
        // Without the sign that a zero may have.
        return "0".to_owned();
    }
    if !x.is_finite() {
        return x.to_string();
    }
    let magnitude = libm::log10(x.abs()).floor();
    if !(-4.0..6.0).contains(&magnitude) {
        return format!("{x:.3e}");
    }
    // At least 0 and at most 7 by the check above.
    let decimals = (3.0 - magnitude).max(0.0) as usize;
    let text = format!("{x:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// `1 shape`, `2 shapes`.
pub(crate) fn plural(count: usize, one: &str) -> String {
    format!("{count} {one}{}", if count == 1 { "" } else { "s" })
}

/// A time (s) in a unit that makes it easy to read.
pub fn time(seconds: f64) -> String {
    let (unit, factor) = match seconds.abs() {
        x if x >= 0.1 || x == 0.0 => ("s", 1.0),
        x if x >= 1e-4 => ("ms", 1e3),
        x if x >= 1e-7 => ("us", 1e6),
        _ => ("ns", 1e9),
    };
    format!("{} {unit}", plain(seconds * factor))
}

/// A length (m) in a unit that makes it easy to read.
pub fn length(metres: f64) -> String {
    let (unit, factor) = match metres.abs() {
        x if x >= 0.1 || x == 0.0 => ("m", 1.0),
        x if x >= 1e-3 => ("mm", 1e3),
        x if x >= 1e-7 => ("um", 1e6),
        _ => ("nm", 1e9),
    };
    format!("{} {unit}", plain(metres * factor))
}

/// A size in bytes.
pub fn bytes(size: f64) -> String {
    let (unit, factor) = match size {
        x if x >= 1e12 => ("TB", 1e-12),
        x if x >= 1e9 => ("GB", 1e-9),
        x if x >= 1e6 => ("MB", 1e-6),
        _ => ("kB", 1e-3),
    };
    format!("{} {unit}", plain((size * factor * 10.0).ceil() / 10.0))
}

/// A wall-clock time (s).
pub fn clock(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => "a second".to_owned(),
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s if s < 172_800.0 => format!("{:.0} h", s / 3600.0),
        s => format!("{:.0} days", s / 86_400.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let pairs =
            [(45.402_288, "45.4"), (1.3e-4, "0.00013"), (6.7e5, "670000"), (1e7, "1.000e7"), (-0.0, "0")];
        assert_eq!([0.08, 80.0, 2.5e-5, 0.0].map(length), ["80 mm", "80 m", "25 um", "0 m"]);
        assert_eq!([1200.0, 72e6, 3.21e9].map(bytes), ["1.2 kB", "72 MB", "3.3 GB"]);
        assert_eq!(
            [0.2, 90.0, 600.0, 7200.0, 3e5].map(clock),
            ["a second", "90 s", "10 min", "2 h", "3 days"]
        );
        for (x, text) in pairs {
            assert_eq!(plain(x), text);
        }
        assert_eq!([1.3e-4, 2e-5, 3.5, 0.02, 2e-9].map(time), ["0.13 ms", "20 us", "3.5 s", "20 ms", "2 ns"]);
    }
}
