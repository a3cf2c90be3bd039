//! Text from anywhere, made safe inside HTML and SVG, as element text and as attribute value alike.

use std::borrow::Cow;

/// Escapes markup, and replaces control characters that XML 1.0 forbids even as references.
pub(crate) fn escape(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|c| replacement(c).is_some()) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match replacement(c) {
            Some(safe) => out.push_str(safe),
            None => out.push(c),
        }
    }
    Cow::Owned(out)
}

fn replacement(c: char) -> Option<&'static str> {
    match c {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '"' => Some("&quot;"),
        '\'' => Some("&#39;"),
        '\t' | '\n' | '\r' => None,
        '\u{FFFE}' | '\u{FFFF}' => Some("\u{FFFD}"),
        c if c.is_control() => Some("\u{FFFD}"),
        _ => None,
    }
}

/// Text that is safe on a terminal: no control characters but line ends.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    let unsafe_here = |c: char| c.is_control() && c != '\n';
    match text.contains(unsafe_here) {
        true => Cow::Owned(text.replace(unsafe_here, "\u{FFFD}")),
        false => Cow::Borrowed(text),
    }
}
