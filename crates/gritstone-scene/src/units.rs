//! Units: texts such as "35 deg", "130 kN/m" or "2500 kg/m^3" as SI numbers with their dimension.

/// Powers of metre, kilogram, second and radian.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Powers {
    pub(crate) length: i8,
    pub(crate) mass: i8,
    pub(crate) time: i8,
    pub(crate) angle: i8,
}

/// A unit: its value in SI units, and what it measures.
type Unit = (f64, Powers);

/// The powers of metre, kilogram and second.
pub(crate) const fn powers(length: i8, mass: i8, time: i8) -> Powers {
    Powers { length, mass, time, angle: 0 }
}

const ANGLE: Powers = Powers { length: 0, mass: 0, time: 0, angle: 1 };
const TURNS: Powers = Powers { length: 0, mass: 0, time: -1, angle: 1 };
const TURN: f64 = std::f64::consts::TAU;

/// Every unit: its symbol, its value in SI units, what it measures, and whether prefixes go with it.
#[rustfmt::skip]
static UNITS: &[(&str, f64, Powers, bool)] = &[
    ("m",   1.0,          powers(1, 0, 0),   true),
    ("g",   1e-3,         powers(0, 1, 0),   true),
    ("s",   1.0,          powers(0, 0, 1),   true),
    ("N",   1.0,          powers(1, 1, -2),  true),
    ("Pa",  1.0,          powers(-1, 1, -2), true),
    ("J",   1.0,          powers(2, 1, -2),  true),
    ("W",   1.0,          powers(2, 1, -3),  true),
    ("Hz",  1.0,          powers(0, 0, -1),  true),
    ("bar", 1e5,          powers(-1, 1, -2), true),
    ("t",   1e3,          powers(0, 1, 0),   false),
    ("l",   1e-3,         powers(3, 0, 0),   true),
    ("min", 60.0,         powers(0, 0, 1),   false),
    ("h",   3600.0,       powers(0, 0, 1),   false),
    ("in",  0.0254,       powers(1, 0, 0),   false),
    ("ft",  0.3048,       powers(1, 0, 0),   false),
    ("rad", 1.0,          ANGLE,             true),
    ("deg", TURN / 360.0, ANGLE,             false),
    ("°",   TURN / 360.0, ANGLE,             false),
    ("rev", TURN,         ANGLE,             false),
    ("rpm", TURN / 60.0,  TURNS,             false),
    ("%",   0.01,         powers(0, 0, 0),   false),
];

#[rustfmt::skip]
static PREFIXES: &[(&str, f64)] = &[
    ("n", 1e-9), ("u", 1e-6), ("µ", 1e-6), ("μ", 1e-6), ("m", 1e-3), ("c", 1e-2), ("d", 1e-1),
    ("k", 1e3), ("M", 1e6), ("G", 1e9), ("T", 1e12),
];

/// A number with a unit in SI units, and what it measures.
pub(crate) fn parse(text: &str) -> Option<(f64, Powers)> {
    let text = text.trim();
    let digits = number_length(text);
    let number: f64 = text[..digits].replace('_', "").parse().ok()?;
    let (factor, powers) = unit(text[digits..].trim())?;
    // Degrees and centimetres are divided where that rounds better: 35/180·π, 2/100.
    let value = if factor < 1.0 { number / (1.0 / factor).round_if_whole() } else { number * factor };
    Some((value, powers))
}

trait RoundIfWhole {
    fn round_if_whole(self) -> f64;
}

impl RoundIfWhole for f64 {
    /// The nearest whole number where only rounding keeps this from being one.
    fn round_if_whole(self) -> f64 {
        let whole = self.round();
        if (self - whole).abs() <= 4.0 * f64::EPSILON * whole { whole } else { self }
    }
}

/// How many bytes at the start are a number.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let run = |from: usize| {
        bytes[from..].iter().take_while(|b| b.is_ascii_digit() || matches!(b, b'.' | b'_')).count()
    };
    let sign = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    let mantissa = sign + run(sign);
    if !matches!(bytes.get(mantissa), Some(b'e' | b'E')) {
        return mantissa;
    }
    let sign = mantissa + 1 + usize::from(matches!(bytes.get(mantissa + 1), Some(b'+' | b'-')));
    let digits = bytes.get(sign..).map_or(0, |rest| rest.iter().take_while(|b| b.is_ascii_digit()).count());
    if digits == 0 { mantissa } else { sign + digits }
}

/// Products and quotients of units, read from the left: kg/m^3, N*s/m, m/s².
fn unit(text: &str) -> Option<Unit> {
    let (mut factor, mut total) = (1.0, Powers::default());
    let mut rest = text;
    let mut sign = 1;
    loop {
        let end = rest.find(['*', '·', '/', ' ']).unwrap_or(rest.len());
        let (value, powers, power) = power(&rest[..end])?;
        let power = sign * power;
        factor *= f64::powi(value, i32::from(power));
        total.length += powers.length.checked_mul(power)?;
        total.mass += powers.mass.checked_mul(power)?;
        total.time += powers.time.checked_mul(power)?;
        total.angle += powers.angle.checked_mul(power)?;
        rest = rest[end..].trim_start();
        let Some(operator) = rest.chars().next() else { return Some((factor, total)) };
        sign = if operator == '/' { -1 } else { 1 };
        if matches!(operator, '*' | '·' | '/') {
            rest = rest[operator.len_utf8()..].trim_start();
        }
    }
}

/// A unit and its power: m^3, m3, m³, s^-1, or the 1 of 1/s.
fn power(text: &str) -> Option<(f64, Powers, i8)> {
    if text == "1" {
        return Some((1.0, Powers::default(), 1));
    }
    let end = text.find(|c: char| c == '^' || c == '-' || c.is_ascii_digit() || "²³⁻¹".contains(c));
    let (symbol, power) = text.split_at(end.unwrap_or(text.len()));
    let power = power.replace('²', "2").replace('³', "3").replace('⁻', "-").replace('¹', "1");
    let power = match power.strip_prefix('^').unwrap_or(&power) {
        "" if power.is_empty() => 1,
        digits => digits.parse::<i8>().ok().filter(|p| p.abs() <= 9)?,
    };
    let (factor, powers) = symbol_value(symbol)?;
    Some((factor, powers, power))
}

/// A unit with or without a prefix.
fn symbol_value(symbol: &str) -> Option<Unit> {
    if let Some((_, factor, powers, _)) = UNITS.iter().find(|unit| unit.0 == symbol) {
        return Some((*factor, *powers));
    }
    PREFIXES.iter().find_map(|(prefix, scale)| {
        let rest = symbol.strip_prefix(prefix)?;
        let (_, factor, powers, _) = UNITS.iter().find(|unit| unit.0 == rest && unit.3)?;
        Some((scale * factor, *powers))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_si_numbers() {
        #[rustfmt::skip]
        let table = [
            ("35 deg", 0.610_865_238_198_015_3, ANGLE),
            ("180°", std::f64::consts::PI, ANGLE),
            ("130 kN/m", 130e3, powers(0, 1, -2)),
            ("2 cm", 0.02, powers(1, 0, 0)),
            ("2mm", 0.002, powers(1, 0, 0)),
            ("3.8 cm", 0.038, powers(1, 0, 0)),
            ("10 MPa", 10e6, powers(-1, 1, -2)),
            ("20 us", 20e-6, powers(0, 0, 1)),
            ("20 µs", 20e-6, powers(0, 0, 1)),
            ("1.3e-4 s", 1.3e-4, powers(0, 0, 1)),
            ("2500 kg/m^3", 2500.0, powers(-3, 1, 0)),
            ("2500 kg/m³", 2500.0, powers(-3, 1, 0)),
            ("2.5 g/cm^3", 2500.0, powers(-3, 1, 0)),
            ("1 rpm", 0.104_719_755_119_659_77, TURNS),
            ("-9.81 m/s^2", -9.81, powers(1, 0, -2)),
            ("-9.81 m s^-2", -9.81, powers(1, 0, -2)),
            ("5 N*s/m", 5.0, powers(0, 1, -1)),
            ("3 1/s", 3.0, powers(0, 0, -1)),
            ("0.05 J/m2", 0.05, powers(0, 1, -2)),
            ("2 min", 120.0, powers(0, 0, 1)),
            ("50 %", 0.5, powers(0, 0, 0)),
            ("1_000 km", 1e6, powers(1, 0, 0)),
        ];
        for (text, value, powers) in table {
            let (found, measures) = parse(text).unwrap_or_else(|| panic!("{text} is not read"));
            assert!(
                (found - value).abs() <= 4.0 * f64::EPSILON * value.abs(),
                "{text}: {found:e}, not {value:e}"
            );
            assert_eq!(measures, powers, "{text}");
        }
    }

    #[test]
    fn what_is_no_quantity_is_refused() {
        for text in
            ["", "5", "m", "5 x", "5 kg/", "5 m^", "5 kmin", "nan m", "5 m^99", "5 m//s", "5e m", "- m"]
        {
            assert!(parse(text).is_none(), "{text} was read");
        }
    }
}
