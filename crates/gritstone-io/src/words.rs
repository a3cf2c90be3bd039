//! Words in messages: what was meant, and what was written.

/// The candidate that looks most like `word`, if one does: at most two slips of the pen, fewer in short words.
pub(crate) fn nearest(word: &str, candidates: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    // Long words are no slip, and the distance takes time in proportion to the length.
    if word.len() > 40 {
        return None;
    }
    let word = word.to_lowercase();
    candidates
        .map(|candidate| (strsim::damerau_levenshtein(&word, candidate), candidate))
        .filter(|(slips, candidate)| *slips <= 2 && 2 * slips < candidate.len())
        .min_by_key(|(slips, _)| *slips)
        .map(|(_, candidate)| candidate)
}

/// `text` shortened to what fits into a message.
pub(crate) fn shorten(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// `text` quoted as JSON would, and shortened.
pub(crate) fn quote(text: &str) -> String {
    shorten(&serde_json::Value::from(text).to_string())
}
