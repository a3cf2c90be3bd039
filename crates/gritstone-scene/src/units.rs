//! Units: texts such as "35 deg", "130 kN/m" or "2500 kg/m^3" as SI numbers with their dimension.

/// Powers of metre, kilogram, second and radian.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Powers {
    pub(crate) length: i8,
    pub(crate) mass: i8,
    pub(crate) time: i8,
    pub(crate) angle: i8,
}

/// A unit: its value in SI units as a power of ten and a factor, and what it measures. Powers of ten are kept apart so that
/// "0.13 ms" is the number nearest to 0.00013.
#[derive(Clone, Copy)]
struct Unit {
    ten: i32,
    factor: f64,
    powers: Powers,
}

/// The powers of metre, kilogram and second.
pub(crate) const fn powers(length: i8, mass: i8, time: i8) -> Powers {
    Powers { length, mass, time, angle: 0 }
}

const ANGLE: Powers = Powers { length: 0, mass: 0, time: 0, angle: 1 };
const TURNS: Powers = Powers { length: 0, mass: 0, time: -1, angle: 1 };
const TURN: f64 = std::f64::consts::TAU;

/// Every unit: its symbol, its value in SI units as a power of ten and a factor, what it measures, and whether prefixes go
/// with it.
#[rustfmt::skip]
static UNITS: &[(&str, i32, f64, Powers, bool)] = &[
    ("m",    0, 1.0,          powers(1, 0, 0),   true),
    ("g",   -3, 1.0,          powers(0, 1, 0),   true),
    ("s",    0, 1.0,          powers(0, 0, 1),   true),
    ("N",    0, 1.0,          powers(1, 1, -2),  true),
    ("Pa",   0, 1.0,          powers(-1, 1, -2), true),
    ("J",    0, 1.0,          powers(2, 1, -2),  true),
    ("W",    0, 1.0,          powers(2, 1, -3),  true),
    ("Hz",   0, 1.0,          powers(0, 0, -1),  true),
    ("bar",  5, 1.0,          powers(-1, 1, -2), true),
    ("t",    3, 1.0,          powers(0, 1, 0),   false),
    ("l",   -3, 1.0,          powers(3, 0, 0),   true),
    ("min",  0, 60.0,         powers(0, 0, 1),   false),
    ("h",    0, 3600.0,       powers(0, 0, 1),   false),
    ("in",   0, 0.0254,       powers(1, 0, 0),   false),
    ("ft",   0, 0.3048,       powers(1, 0, 0),   false),
    ("rad",  0, 1.0,          ANGLE,             true),
    ("deg",  0, TURN / 360.0, ANGLE,             false),
    ("°",    0, TURN / 360.0, ANGLE,             false),
    ("rev",  0, TURN,         ANGLE,             false),
    ("rpm",  0, TURN / 60.0,  TURNS,             false),
    ("%",   -2, 1.0,          powers(0, 0, 0),   false),
];

#[rustfmt::skip]
static PREFIXES: &[(&str, i32)] = &[
    ("n", -9), ("u", -6), ("µ", -6), ("μ", -6), ("m", -3), ("c", -2), ("d", -1), ("k", 3), ("M", 6), ("G", 9), ("T", 12),
];

/// A number with a unit in SI units, and what it measures.
pub(crate) fn parse(text: &str) -> Option<(f64, Powers)> {
    let text = text.trim();
    let digits = number_length(text);
    let number = text[..digits].replace('_', "");
    let Unit { ten, factor, powers } = unit(text[digits..].trim())?;
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((&number, "0"));
    let ten = ten.checked_add(exponent.parse().ok()?)?;
    let scaled: f64 = format!("{mantissa}e{ten}").parse().ok()?;
    Some((scaled * factor, powers))
}

/// A number of accelerations of free fall: the 3 of "3 g".
pub(crate) fn gravities(text: &str) -> Option<f64> {
    text.trim().strip_suffix('g')?.trim_end().replace('_', "").parse().ok()
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
    let mut total = Unit { ten: 0, factor: 1.0, powers: Powers::default() };
    let mut rest = text;
    let mut sign = 1;
    loop {
        let end = rest.find(['*', '·', '/', ' ']).unwrap_or(rest.len());
        let (Unit { ten, factor, powers }, power) = power(&rest[..end])?;
        let power = sign * power;
        total.ten += ten * i32::from(power);
        total.factor *= factor.powi(power.into());
        total.powers = total.powers.times(powers, power)?;
        rest = rest[end..].trim_start();
        let Some(operator) = rest.chars().next() else { return Some(total) };
        sign = if operator == '/' { -1 } else { 1 };
        if matches!(operator, '*' | '·' | '/') {
            rest = rest[operator.len_utf8()..].trim_start();
        }
    }
}

impl Powers {
    /// The powers of a product with another unit to some power; none where that is beyond all reason.
    fn times(self, other: Self, power: i8) -> Option<Self> {
        let add = |a: i8, b: i8| a.checked_add(b.checked_mul(power)?);
        Some(Self {
            length: add(self.length, other.length)?,
            mass: add(self.mass, other.mass)?,
            time: add(self.time, other.time)?,
            angle: add(self.angle, other.angle)?,
        })
    }
}

/// A unit and its power: m^3, m3, m³, s^-1, or the 1 of 1/s.
fn power(text: &str) -> Option<(Unit, i8)> {
    if text == "1" {
        return Some((Unit { ten: 0, factor: 1.0, powers: Powers::default() }, 1));
    }
    let end = text.find(|c: char| c == '^' || c == '-' || c.is_ascii_digit() || "²³⁻¹".contains(c));
    let (symbol, power) = text.split_at(end.unwrap_or(text.len()));
    let power = power.replace('²', "2").replace('³', "3").replace('⁻', "-").replace('¹', "1");
    let power = match power.strip_prefix('^').unwrap_or(&power) {
        "" if power.is_empty() => 1,
        digits => digits.parse::<i8>().ok().filter(|p| p.abs() <= 9)?,
    };
    Some((symbol_value(symbol)?, power))
}

/// A unit with or without a prefix.
fn symbol_value(symbol: &str) -> Option<Unit> {
    if let Some(&(_, ten, factor, powers, _)) = UNITS.iter().find(|unit| unit.0 == symbol) {
        return Some(Unit { ten, factor, powers });
    }
    PREFIXES.iter().find_map(|(prefix, scale)| {
        let rest = symbol.strip_prefix(prefix)?;
        let &(_, ten, factor, powers, _) = UNITS.iter().find(|unit| unit.0 == rest && unit.4)?;
        Some(Unit { ten: scale + ten, factor, powers })
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
            ("0.13 ms", 1.3e-4, powers(0, 0, 1)),
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
            // Powers of ten are exact, angles right to the last digits.
            let slack = if powers.angle == 0 { 0.0 } else { 2.0 * f64::EPSILON * value };
            assert!((found - value).abs() <= slack, "{text}: {found:e}, not {value:e}");
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
