//! `gritstone contact`: JSON lines in, JSON lines out.

mod counts;
mod solve;
mod stream;

use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use gritstone::contact::{Goal, plane, space};

use crate::failure::Failure;
use crate::output::Output;
use solve::Solver;

/// Solve pairs of shapes: JSON lines in, JSON lines out, in the same order
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// File with one pair per line, or - for the standard input
    #[arg(default_value = "-", value_name = "PAIRS.jsonl|-", hide_default_value = true)]
    pairs: PathBuf,
    /// Contact method; `gritstone methods` lists them with their certainty
    #[arg(long, default_value = "auto", value_name = "NAME", value_parser = method_names())]
    method: String,
    /// Stop at the first separating plane: for pairs that are apart, the distance is then only a lower bound
    #[arg(long)]
    detect_only: bool,
    /// Output file, or - for the standard output; a file appears when it is complete
    #[arg(long, default_value = "-", value_name = "FILE|-", hide_default_value = true)]
    out: PathBuf,
    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print the counts at the end as JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = r#"A pair is one line, {"id": anything, "a": SHAPE, "b": SHAPE}. A SHAPE is one of
  {"shape":"sphere", "radius":R}
  {"shape":"ellipsoid", "radii":[r1,r2,r3]}
  {"shape":"superellipsoid", "radii":[r1,r2,r3], "exponents":[e1,e2]}
     or, in place of the exponents, "blockiness":[n1,n2] = [2/e2,2/e1]
  {"shape":"polyhedron", "vertices":[[x,y,z],...]}          their convex hull
with "center":[x,y,z] (default: the origin), and all but the sphere with
"quaternion":[w,x,y,z] (default: no rotation); or, in the plane, one of
  {"shape":"circle", "radius":R}
  {"shape":"ellipse", "semi_axes":[a,b]}
  {"shape":"superellipse", "semi_axes":[a,b], "blockiness":n}  |x/a|^n+|y/b|^n=1
  {"shape":"polygon", "vertices":[[x,y],...]}               their convex hull
with "center":[x,y], and all but the circle with "angle_deg":degrees; or
  {"shape":"conic", "coefficients":[A,B,C,D,E,F]}           must be an ellipse
  {"shape":"segment", "vertices":[[x,y],[x,y]]}
  {"shape":"half-plane", "normal":[x,y], "offset":d}        inside: normal.x <= d
Lines may be up to 16 MiB long; blank ones are skipped.

The answer has the same id, a verdict (apart, contact, unresolved or error), the
signed distance with a lower and an upper bound, the normal from a to b, and the
nearest or deepest points. A negative distance is an overlap. A bad line gets
its own error, the others their answers; the exit code is then 1.

Examples:
  gritstone contact pairs.jsonl --out contacts.jsonl
  gritstone contact pairs.jsonl --method common-normal --detect-only
  generate | gritstone contact | consume"#;

fn method_names() -> PossibleValuesParser {
    let space = space::METHODS.iter().map(|method| method.card().name);
    let plane = plane::METHODS.iter().map(|method| method.card().name);
    let mut names: Vec<_> = space.collect();
    names.extend(plane.filter(|name| space::method(name).is_none()));
    PossibleValuesParser::new(names)
}

/// Solves all pairs.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let goal = if args.detect_only { Goal::Detect } else { Goal::Distance };
    let solver = Solver::new(&args.method, goal)
        .ok_or_else(|| Failure::BadInput(format!("there is no method \"{}\"", args.method)))?;
    let input = open(&args.pairs)?;
    let output = Output::open(&args.out)?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads.map_or(0, usize::from))
        .build()
        .map_err(|error| Failure::Failed(format!("cannot start threads: {error}")))?;
    let counts = stream::solve_all(input, output, &pool, solver)?;
    counts.report(args.json);
    Ok(ExitCode::from(u8::from(counts.errors > 0)))
}

/// Where pairs come from.
struct Input {
    name: String,
    stream: Box<dyn Read + Send>,
    /// In bytes, if it is known.
    length: Option<u64>,
}

fn open(path: &Path) -> Result<Input, Failure> {
    if path.as_os_str() == "-" {
        if io::stdin().is_terminal() {
            eprintln!("reading pairs from the terminal, one per line; Ctrl-D ends (--help shows examples)");
        }
        let stream = Box::new(io::stdin());
        return Ok(Input { name: "the standard input".to_owned(), stream, length: None });
    }
    let name = path.display().to_string();
    let file = File::open(path).map_err(|error| Failure::reading(&name, &error))?;
    let there = file.metadata().map_err(|error| Failure::reading(&name, &error))?;
    let length = there.is_file().then_some(there.len());
    Ok(Input { name, stream: Box::new(file), length })
}
