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
    let magnitude = x.abs().log10().floor();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let pairs =
            [(45.402_288, "45.4"), (1.3e-4, "0.00013"), (6.7e5, "670000"), (1e7, "1.000e7"), (-0.0, "0")];
        for (x, text) in pairs {
            assert_eq!(plain(x), text);
        }
        assert_eq!([1.3e-4, 2e-5, 3.5, 0.02, 2e-9].map(time), ["0.13 ms", "20 us", "3.5 s", "20 ms", "2 ns"]);
    }
}
