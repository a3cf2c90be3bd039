//! What can be wrong with a line, in the user's words.

use gritstone_shape::ShapeError;

use super::lines::MAX_LINE;

/// Why a line is not a pair of shapes. The text names the key, its value, and what is allowed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Problem {
    /// The line is longer than [`MAX_LINE`].
    #[error("the line is longer than {} MiB", MAX_LINE >> 20)]
    TooLong,
    /// The line is not text.
    #[error("the line is not UTF-8 text (byte {0})")]
    NotText(usize),
    /// The line is not JSON.
    #[error("the line is not valid JSON: {0}")]
    NotJson(String),
    /// A key that is needed is not there.
    #[error("{place} has no key \"{key}\"")]
    Missing {
        /// Where it should be.
        place: String,
        /// What should be there.
        key: &'static str,
    },
    /// A key is there twice.
    #[error("{place} has the key {key} twice")]
    Twice {
        /// Where it is.
        place: String,
        /// Which key, quoted.
        key: String,
    },
    /// A shape has a key that it does not know.
    #[error("{place} has the unknown key {key}{}; its keys are {allowed}", did_you_mean(.nearest))]
    UnknownKey {
        /// Where it is.
        place: String,
        /// Which key, quoted.
        key: String,
        /// A known key that looks like it.
        nearest: Option<&'static str>,
        /// All known keys.
        allowed: String,
    },
    /// There is no shape of that name.
    #[error("{place}.shape is {word}, which is not a shape{}; shapes are {allowed}", did_you_mean(.nearest))]
    UnknownShape {
        /// Which body.
        place: String,
        /// The word, quoted.
        word: String,
        /// A shape whose name looks like it.
        nearest: Option<&'static str>,
        /// All shapes.
        allowed: String,
    },
    /// A shape in the plane against a shape in space.
    #[error(
        "a {plane} is a shape in the plane and a {space} is one in space: both must be of the same dimension"
    )]
    MixedDimensions {
        /// The shape in the plane.
        plane: &'static str,
        /// The shape in space.
        space: &'static str,
    },
    /// Two keys that say the same thing in different words.
    #[error("{place} has both \"{0}\" and \"{1}\": give one of them", keys[0], keys[1])]
    Both {
        /// Where they are.
        place: String,
        /// The keys.
        keys: [&'static str; 2],
    },
    /// A value of the wrong kind or out of range.
    #[error("{key} is {value}, but must be {must}")]
    Value {
        /// The key with its place.
        key: String,
        /// The value as it was written, shortened.
        value: String,
        /// What is allowed.
        must: &'static str,
    },
    /// Values that do not make a shape.
    #[error("{place}.{error}")]
    Shape {
        /// Which body.
        place: String,
        /// What the shape says.
        error: ShapeError,
    },
}

impl Problem {
    /// What the parser says, without the number of the line: to it every line is the first.
    pub(super) fn not_json(error: &serde_json::Error) -> Self {
        Self::NotJson(error.to_string().replace(" at line 1 column ", " at column "))
    }
}

fn did_you_mean(nearest: &Option<&'static str>) -> String {
    nearest.map_or_else(String::new, |word| format!(" (did you mean \"{word}\"?)"))
}
