//! `--memory-limit SIZE`: memory that the program may take.

/// A size in bytes from text such as `2000000`, `500 MB`, `8G` or `1.5 GiB`; letters alone are powers of 1024.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let factor = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "kb" => 1e3,
        "mb" => 1e6,
        "gb" => 1e9,
        "tb" => 1e12,
        "k" | "kib" => 1024.0,
        "m" | "mib" => 1024.0 * 1024.0,
        "g" | "gib" => 1024.0 * 1024.0 * 1024.0,
        "t" | "tib" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        _ => f64::NAN,
    };
    match number.parse::<f64>().map(|number| number * factor) {
        Ok(bytes) if (1.0..1e18).contains(&bytes) => Ok(bytes as u64),
        _ => Err("must be a positive number of bytes, such as 2000000, 500MB or 8GiB".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes_have_units() {
        assert_eq!(size("2000000"), Ok(2_000_000));
        assert_eq!(size("500 MB"), Ok(500_000_000));
        assert_eq!(size("8G"), Ok(8 << 30));
        assert_eq!(size("1.5GiB"), Ok(3 << 29));
        for wrong in ["", "0", "-1", "much", "1e400", "12 furlongs", "1.2.3", "99999999 TB"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }
}
