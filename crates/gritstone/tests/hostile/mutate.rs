//! Changes to inputs as bad luck and bad will make them: bits, bytes, numbers, lines, parts of others.

/// Random numbers (xorshift64*), the same on every machine.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    /// A number below this one.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }
}

/// Numbers that are at some edge.
static NUMBERS: &[&str] = &[
    "0",
    "-0",
    "-1",
    "1",
    "2",
    "nan",
    "inf",
    "-inf",
    "1e308",
    "-1e308",
    "1e-308",
    "5e-324",
    "1e999",
    "0.1",
    "1e-9",
    "1e9",
    "255",
    "65536",
    "4294967295",
    "4294967296",
    "-2147483649",
    "9223372036854775808",
    "18446744073709551616",
    "1e",
    "0x10",
    "",
    "\"1 m\"",
    "[]",
    "true",
    "é",
    "1_000",
    "999999999",
];

/// The same as bytes.
static PATTERNS: &[[u8; 8]] = &[
    [0; 8],
    [0xff; 8],
    [0xff, 0xff, 0xff, 0x7f, 0, 0, 0, 0],
    [0, 0, 0, 0x80, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 0, 0xf0, 0x7f],
    [0, 0, 0, 0, 0, 0, 0xf8, 0x7f],
    [1, 0, 0, 0, 0, 0, 0, 0],
];

/// One to eight changes to one of the seeds.
pub(crate) fn mutate(seeds: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut bytes = seeds[random.below(seeds.len())].clone();
    for _ in 0..=random.below(8) {
        change(&mut bytes, seeds, random);
    }
    bytes.truncate(1 << 18);
    bytes
}

fn change(bytes: &mut Vec<u8>, seeds: &[Vec<u8>], random: &mut Random) {
    let at = random.below(bytes.len() + 1);
    let some = at..(at + 1 + random.below(40)).min(bytes.len()).max(at);
    match random.below(9) {
        0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
        1 if at < bytes.len() => bytes[at] = random.next() as u8,
        2 => drop(bytes.drain(some)),
        3 => bytes.truncate(at),
        4 => {
            let part = bytes[some].to_vec();
            (0..=random.below(3)).for_each(|_| drop(bytes.splice(at..at, part.iter().copied())));
        }
        5 => {
            let other = &seeds[random.below(seeds.len())];
            let from = random.below(other.len() + 1);
            let to = (from + random.below(200)).min(other.len());
            drop(bytes.splice(at..at, other[from..to].iter().copied()));
        }
        6 => {
            let pattern = &PATTERNS[random.below(PATTERNS.len())][..1 << random.below(4)];
            let end = (at + pattern.len()).min(bytes.len()).max(at);
            drop(bytes.splice(at..end, pattern.iter().copied()));
        }
        7 => {
            let line = |from: usize| {
                bytes[from..].iter().position(|b| *b == b'\n').map_or(bytes.len(), |i| from + i + 1)
            };
            let first = line(at.min(bytes.len()));
            drop(bytes.drain(first..line(first)));
        }
        _ => number(bytes, at, random),
    }
}

/// Another number in place of the next one in a text.
fn number(bytes: &mut Vec<u8>, at: usize, random: &mut Random) {
    let is_digit = |byte: &u8| byte.is_ascii_digit() || b"+-.e".contains(byte);
    let Some(start) = bytes[at..].iter().position(u8::is_ascii_digit).map(|i| at + i) else { return };
    let end = bytes[start..].iter().position(|byte| !is_digit(byte)).map_or(bytes.len(), |i| start + i);
    let new = NUMBERS[random.below(NUMBERS.len())];
    drop(bytes.splice(start..end, new.bytes()));
}
