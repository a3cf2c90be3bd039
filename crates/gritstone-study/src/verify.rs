//! Cases of mechanics whose outcome is known, run in the engine and compared with it.
//!
//! Every [`Case`] says what it proves and where the expected outcome comes from, and answers with [`Check`]s: what was
//! measured, and what is allowed. One file per case, one line in [`CASES`].

mod adhesion;
mod at_rest;
mod bench;
mod beverloo;
mod bulk;
mod bumpy_impacts;
mod drum;
mod elastic_bed;
mod flat_friction;
mod flat_hits;
mod flat_impacts;
mod free_flight;
mod impact;
mod incline;
mod isolated_cloud;
mod janssen;
mod lines_at_rest;
mod logs;
mod mesh_bed;
mod near_flat;
mod off_centre;
mod packings;
mod polygon_hits;
mod polygon_impacts;
mod repose;
mod restitution;
mod rods;
mod rolling;
mod rolling_rods;
mod sheared_cell;
mod smooth_beds;
mod smooth_impacts;
mod spinning_disc;
mod tower;
mod walls_hold;

use bulk::Estimate;

/// What kept a case from being run.
pub type Trouble = Box<dyn std::error::Error + Send + Sync>;

/// A case whose outcome is known.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// The name by which it is called.
    pub name: &'static str,
    /// What it proves.
    pub proves: &'static str,
    /// Where the expected outcome comes from.
    pub source: &'static str,
    /// Runs it.
    pub run: fn(Effort) -> Result<Vec<Check>, Trouble>,
}

/// How much to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Fewer grains, shorter times: seconds.
    Quick,
    /// As stated: minutes.
    Full,
}

impl Effort {
    /// One of two numbers.
    fn pick<T>(self, quick: T, full: T) -> T {
        match self {
            Self::Quick => quick,
            Self::Full => full,
        }
    }
}

/// One number of a case.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// What it is.
    pub what: String,
    /// What came out.
    pub measured: f64,
    /// Standard error of that, where it is a mean over runs or a fit.
    pub error: Option<f64>,
    /// What is allowed.
    pub allowed: Allowed,
}

/// What a measured number may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Allowed {
    /// No larger than this.
    AtMost(f64),
    /// No smaller than this.
    AtLeast(f64),
    /// From the first to the second: a published range.
    Within([f64; 2]),
    /// Anything: the number is there to be known.
    Anything,
}

impl Check {
    fn at_most(what: impl Into<String>, measured: f64, limit: f64) -> Self {
        Self { what: what.into(), measured, error: None, allowed: Allowed::AtMost(limit) }
    }

    fn at_least(what: impl Into<String>, measured: f64, limit: f64) -> Self {
        Self { what: what.into(), measured, error: None, allowed: Allowed::AtLeast(limit) }
    }

    fn known(what: impl Into<String>, measured: f64) -> Self {
        Self { what: what.into(), measured, error: None, allowed: Allowed::Anything }
    }

    /// A number with its error bar beside a published range.
    fn within(what: impl Into<String>, found: Estimate, range: [f64; 2]) -> Self {
        Self {
            what: what.into(),
            measured: found.mean,
            error: Some(found.error).filter(|error| error.is_finite()),
            allowed: Allowed::Within(range),
        }
    }

    /// A number with its error bar that is there to be known.
    fn estimated(what: impl Into<String>, found: Estimate) -> Self {
        Self { allowed: Allowed::Anything, ..Self::within(what, found, [0.0; 2]) }
    }

    /// The deviation of a number from the expected one, relative to it.
    fn relative(what: impl Into<String>, found: f64, expected: f64, limit: f64) -> Self {
        Self::at_most(what, (found / expected - 1.0).abs(), limit)
    }

    /// Whether the number is as it should be; what is no number never is.
    pub fn holds(&self) -> bool {
        match self.allowed {
            Allowed::AtMost(limit) => self.measured <= limit,
            Allowed::AtLeast(limit) => self.measured >= limit,
            Allowed::Within([low, high]) => (low..=high).contains(&self.measured),
            Allowed::Anything => !self.measured.is_nan(),
        }
    }
}

/// Every case.
pub static CASES: &[Case] = &[
    free_flight::CASE,
    elastic_bed::CASE,
    elastic_bed::ORDER,
    elastic_bed::WITHOUT_POTENTIAL,
    isolated_cloud::CASE,
    impact::CASE,
    restitution::CASE,
    incline::SLIDING,
    incline::HELD,
    rolling::CASE,
    at_rest::CASE,
    tower::CASE,
    mesh_bed::CASE,
    sheared_cell::CASE,
    off_centre::CASE,
    lines_at_rest::REST,
    lines_at_rest::HELD,
    rolling_rods::CASE,
    logs::CASE,
    near_flat::CASE,
    spinning_disc::CASE,
    flat_impacts::CASE,
    bumpy_impacts::CASE,
    flat_hits::CASE,
    flat_friction::CASE,
    polygon_impacts::CASE,
    polygon_hits::CASE,
    smooth_impacts::CASE,
    smooth_beds::CASE,
    adhesion::CASE,
    walls_hold::CASE,
    packings::CASE,
    beverloo::CASE,
    janssen::CASE,
    repose::CASE,
    drum::CASE,
];

/// The case of that name.
pub fn case(name: &str) -> Option<&'static Case> {
    CASES.iter().find(|case| case.name == name)
}
