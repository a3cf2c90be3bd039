//! Colours that keep their contrast on light and dark pages, and marks that tell series apart without colour.

use std::fmt::Write;

/// Background of a light page.
pub(crate) const LIGHT_PAGE: &str = "#ffffff";
/// Background of a dark page.
pub(crate) const DARK_PAGE: &str = "#15181c";

/// Text on a light and on a dark page.
const INK: (&str, &str) = ("#1c2126", "#dfe3e8");

/// Colours of the series on a light and on a dark page: the hues of Okabe and Ito (2008), which people with
/// any kind of colour vision can tell apart, darkened or lightened until they stand out from the page.
pub(super) const SERIES: [(&str, &str); 6] = [
    ("#0b62a8", "#64b1f2"),
    ("#c14a09", "#f79256"),
    ("#117a5b", "#45c49a"),
    ("#a13d83", "#e593c8"),
    ("#86690a", "#e0bd45"),
    ("#4f5b66", "#a9b4bf"),
];

/// Dashes of the lines; empty for none.
pub(super) const DASHES: [&str; 6] = ["", "7 3", "2 2.5", "9 3 2 3", "4 2", "12 3"];

/// The style sheet of all plots: once per page, or once in a picture that stands alone.
pub(crate) fn style() -> String {
    let mut light = format!(".plot{{color:{}}}", INK.0);
    let mut dark = format!(".plot{{color:{}}}.plot .page{{fill:{DARK_PAGE}}}", INK.1);
    for (i, (on_light, on_dark)) in SERIES.iter().enumerate() {
        let _ = write!(light, ".plot .s{i}{{color:{on_light}}}");
        let _ = write!(dark, ".plot .s{i}{{color:{on_dark}}}");
    }
    format!(
        ".plot text{{font-family:system-ui,-apple-system,\"Segoe UI\",Helvetica,Arial,sans-serif;font-size:12px;\
         fill:currentColor;font-variant-numeric:tabular-nums}}\
         .plot .page{{fill:{LIGHT_PAGE}}}\
         .plot .grid{{stroke:currentColor;stroke-opacity:.14;fill:none}}\
         .plot .axis{{stroke:currentColor;stroke-opacity:.75;fill:none}}\
         .plot .line{{stroke:currentColor;stroke-width:1.75;stroke-linejoin:round;fill:none}}\
         .plot .symbol{{fill:currentColor;fill-opacity:.85}}\
         .plot .bar{{fill:currentColor;stroke:currentColor;stroke-width:.75}}\
         .plot .bar.odd{{fill-opacity:.36}}\
         {light}@media screen and (prefers-color-scheme:dark){{{dark}}}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance as WCAG 2.2 defines it.
    fn luminance(colour: &str) -> f64 {
        let channel = |at: usize| {
            let c = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    }

    fn contrast(a: &str, b: &str) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// WCAG 2.2 asks for 4.5 for text and 3 for graphics; series also colour nothing smaller than text.
    #[test]
    fn colours_stand_out_on_both_pages() {
        assert!((contrast("#000000", "#ffffff") - 21.0).abs() < 1e-12);
        for (on_light, on_dark) in SERIES {
            assert!(contrast(on_light, LIGHT_PAGE) >= 4.5, "{on_light}");
            assert!(contrast(on_dark, DARK_PAGE) >= 4.5, "{on_dark}");
        }
        assert!(contrast(INK.0, LIGHT_PAGE) >= 7.0 && contrast(INK.1, DARK_PAGE) >= 7.0);
    }
}
