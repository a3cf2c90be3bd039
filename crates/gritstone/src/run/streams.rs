//! Inlets and outlets during a run.

use gritstone_engine::{
    Backend, Dimension, Inlet, InletState, Outlet, OutletState, Setup, SetupError, Status,
};
use gritstone_scene::display::plain;
use serde_json::{Map, Value, json};

/// Counts of an inlet or an outlet.
#[derive(Clone, Debug, PartialEq)]
pub struct Passed {
    /// Its name.
    pub name: String,
    /// Whether it is an inlet.
    pub inlet: bool,
    /// Grains inserted or removed.
    pub number: u64,
    /// Their mass (kg).
    pub mass: f64,
    /// Grains that were due at the last insertion and could not be placed.
    pub waiting: u64,
    /// Grains that have become due since then: no place was tried for them yet.
    pub untried: u64,
}

impl Passed {
    /// A line for the summary.
    pub(super) fn line(&self) -> String {
        let Self { name, number, .. } = self;
        let title = if self.inlet { "inlet" } else { "outlet" };
        let more = |count: u64, what: &str| match count {
            0 => String::new(),
            1 => format!("; 1 more is due{what}"),
            _ => format!("; {count} more are due{what}"),
        };
        let waiting = more(self.waiting, " but found no free space");
        let untried = more(self.untried, " at the next insertion");
        format!("{:23} {number} grains, {} kg{waiting}{untried}", format!("{title} {name}"), plain(self.mass))
    }
}

/// As JSON, by name.
pub(super) fn to_json(passed: &[Passed], inlets: bool) -> Value {
    let object = passed.iter().filter(|one| one.inlet == inlets).map(|one| {
        let mut json = json!({ "grains": one.number, "mass": one.mass });
        if inlets {
            json["waiting"] = one.waiting.into();
            json["untried"] = one.untried.into();
        }
        (one.name.clone(), json)
    });
    Value::Object(object.collect::<Map<_, _>>())
}

/// The inlets and outlets of a run, and how far each has come.
#[derive(Clone, Debug)]
pub(super) struct Streams<D: Dimension> {
    inlets: Vec<Inlet<D>>,
    outlets: Vec<Outlet<D>>,
    pub(super) feeds: Vec<InletState<D>>,
    pub(super) drains: Vec<OutletState>,
}

impl<D: Dimension> Streams<D> {
    /// Nothing has passed yet.
    pub(super) fn new(inlets: Vec<Inlet<D>>, outlets: Vec<Outlet<D>>) -> Self {
        let feeds = inlets.iter().map(InletState::new).collect();
        let drains = vec![OutletState::default(); outlets.len()];
        Self { inlets, outlets, feeds, drains }
    }

    /// Whether grains may be taken out at this step.
    pub(super) fn takes_out_at(&self, step: u64) -> bool {
        self.outlets.iter().any(|outlet| step.is_multiple_of(outlet.every))
    }

    /// Removes and inserts the grains that are due at this step; removal first, which makes room.
    pub(super) fn pass(&mut self, world: &mut dyn Backend<D>, setup: &Setup<D>) -> Result<(), SetupError> {
        for (outlet, drain) in self.outlets.iter().zip(&mut self.drains) {
            outlet.drain(drain, world, setup);
        }
        for (inlet, feed) in self.inlets.iter().zip(&mut self.feeds) {
            inlet.feed(feed, world, setup)?;
        }
        Ok(())
    }

    /// What has passed until now.
    pub(super) fn passed(&self, status: &Status, time_step: f64) -> Vec<Passed> {
        let inlets = self.inlets.iter().zip(&self.feeds).map(|(inlet, feed)| {
            let last_look = (status.step / inlet.every * inlet.every) as f64 * time_step;
            let waiting = inlet.waiting(feed, last_look);
            Passed {
                name: inlet.name.clone(),
                inlet: true,
                number: feed.number,
                mass: feed.mass,
                waiting,
                untried: inlet.waiting(feed, status.time).saturating_sub(waiting),
            }
        });
        let outlets = self.outlets.iter().zip(&self.drains).map(|(outlet, drain)| Passed {
            name: outlet.name.clone(),
            inlet: false,
            number: drain.number,
            mass: drain.mass,
            waiting: 0,
            untried: 0,
        });
        inlets.chain(outlets).collect()
    }
}
