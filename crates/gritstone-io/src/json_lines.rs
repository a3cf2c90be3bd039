//! JSON lines: pairs of shapes in, contacts out.
//!
//! One pair per line, `{"id": any, "a": SHAPE, "b": SHAPE}`. The id comes back verbatim; other keys at the top are
//! ignored, so that data files can carry notes and expected answers. Inside a SHAPE every key must be known.
//!
//! ```
//! use gritstone_io::json_lines::{read_pair, write_problem};
//!
//! let line = r#"{"id": 7, "a": {"shape": "sphere", "radius": 1}, "b": {"shape": "sphere", "radius": -1}}"#;
//! let bad = read_pair(line.as_bytes()).unwrap_err();
//! assert_eq!(
//!     write_problem(&bad.id, &bad.problem),
//!     r#"{"id":7,"verdict":"error","error":"b.radius is -1.0, but must be positive (1e-30 to 1e30)"}"#
//! );
//! ```

mod answer;
mod figure;
mod lines;
mod object;
mod pair;
mod problem;
mod shape;

pub use answer::{verdict_word, write_answer, write_problem};
pub use lines::{Line, Lines, MAX_LINE};
pub use pair::{AnyPair, BadLine, Id, PairLine, read_pair};
pub use problem::Problem;
pub use shape::Grain;
