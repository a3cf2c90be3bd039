//! Every dependency is under a permissive licence and comes from the registry.

use crate::metadata::packages;
use crate::shell::Outcome;

/// Licences that ask for no more than a notice.
static PERMISSIVE: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Checks all packages that cargo would build from.
pub(crate) fn check() -> Outcome {
    let mut wrong = Vec::new();
    for package in packages()? {
        let licence = package.licence.unwrap_or_default();
        if !is_permissive(&licence) {
            wrong.push(format!("{} is under \"{licence}\"", package.name));
        }
        if package.source.as_ref().is_some_and(|source| !source.starts_with("registry+")) {
            wrong.push(format!("{} does not come from the registry", package.name));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// Whether the licence's terms can be met with permissive ones: `OR` binds weaker than `AND`, and either may stand in
/// parentheses. The slash is an old spelling of `OR`, and some write it small.
fn is_permissive(expression: &str) -> bool {
    let expression = expression.replace('/', " OR ").replace(" or ", " OR ");
    let trimmed = expression.trim();
    let any = split(trimmed, " OR ");
    if any.len() > 1 {
        return any.iter().any(|term| is_permissive(term));
    }
    let all = split(trimmed, " AND ");
    if all.len() > 1 {
        return all.iter().all(|term| is_permissive(term));
    }
    match trimmed.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
        Some(inner) => is_permissive(inner),
        None => PERMISSIVE.contains(&trimmed),
    }
}

/// Splits at `word` outside parentheses.
fn split<'e>(expression: &'e str, word: &str) -> Vec<&'e str> {
    let (mut parts, mut start) = (Vec::new(), 0);
    for (at, _) in expression.match_indices(word) {
        let before = &expression[..at];
        if before.matches('(').count() == before.matches(')').count() {
            parts.push(&expression[start..at]);
            start = at + word.len();
        }
    }
    parts.push(&expression[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::is_permissive;

    #[test]
    fn expressions_are_read_as_spdx_means_them() {
        for good in ["MIT", "GPL-3.0 OR MIT", "MIT/Apache-2.0", "(GPL-3.0 OR ISC) AND Unicode-3.0"] {
            assert!(is_permissive(good), "{good}");
        }
        for bad in
            ["", "GPL-3.0", "MIT AND GPL-3.0", "(MIT OR ISC) AND MPL-2.0", "MIT AND (GPL-2.0 OR MPL-2.0)"]
        {
            assert!(!is_permissive(bad), "{bad}");
        }
    }
}
