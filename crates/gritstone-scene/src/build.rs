//! From what a scene says to what the engine starts from.

mod axes;
mod cell;
mod compounds;
mod cost;
mod earlier;
mod extents;
mod files;
mod from_scene;
mod grain_builder;
mod grains;
mod grid;
mod inflow;
mod initial_overlaps;
mod inlets_outlets;
mod laws;
mod memory;
mod mesh;
mod mixtures;
mod names;
mod plan;
mod plausibility;
mod prepare;
mod probes;
mod random_placement;
mod region;
mod report;
mod rocks;
mod scaled;
mod shapes;
mod sides;
mod sizes;
mod speeds;
mod step;
mod strain;
mod tools;
mod walls;

use gritstone_contact::NarrowPhase;
use gritstone_core::{Plane, Space, Vector};
use gritstone_engine::{Dimension, Inlet, Leaving, Outlet, Setup};
use gritstone_force::Interactions;

pub use cost::Cost;
pub use earlier::{Continued, SceneRecord, run_files};
pub use extents::Extent;
pub use inflow::Inflow;
pub use plan::{Action, Intervals, MOST_STEPS, Plan, ScheduledEvent, StopWhen, steps_up_to};
pub use prepare::Preparation;
pub use probes::ScheduledProbe;
pub use report::Report;
pub use rocks::Rocky;
pub use step::{TimeScale, TimeStep};

use crate::diagnostics::Diagnostics;
use crate::problem::{Problem, Problems};
use crate::scene::Scene;
use crate::schema::{self, SceneFile};
use earlier::EarlierRun;
use from_scene::FromScene;

/// A scene that is ready to run.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "there is one")]
pub enum Build {
    /// In two dimensions.
    Plane(Built<Plane>),
    /// In three dimensions.
    Space(Built<Space>),
}

/// A scene that is ready to run, in its dimension.
#[derive(Clone, Debug)]
pub struct Built<D: Dimension> {
    /// What the engine starts from.
    pub setup: Setup<D>,
    /// Names of its shapes: those of the scene, and those that were made from them in other sizes.
    pub shape_names: Vec<String>,
    /// The shape of the scene that each was made from, and the factor on its lengths.
    pub shape_origins: Vec<(String, f64)>,
    /// Where grains come in on the way.
    pub inlets: Vec<Inlet<D>>,
    /// Where grains go out on the way.
    pub outlets: Vec<Outlet<D>>,
    /// What is measured on the way.
    pub probes: Vec<ScheduledProbe<D>>,
    /// How grains come to rest before it begins.
    pub preparation: Option<Preparation>,
    /// When it ends, what happens on the way, what is written when.
    pub plan: Plan<D>,
    /// What there is to know before it runs.
    pub report: Report,
}

impl Build {
    /// What there is to know before it runs.
    pub fn report(&self) -> &Report {
        match self {
            Self::Plane(built) => &built.report,
            Self::Space(built) => &built.report,
        }
    }
}

impl Scene {
    /// Turns the scene into what the engine starts from; reads the files that it names.
    pub fn build(&self) -> Result<Build, Problems> {
        let (scene, rocks) = self.expanded()?;
        if scene.file.dimension == schema::Dimension::Plane {
            build(&scene, rocks).map(Build::Plane)
        } else {
            build(&scene, rocks).map(Build::Space)
        }
    }

    /// What there is to know of the scene before it runs, or everything that is wrong with it.
    pub fn check(&self) -> Result<Report, Problems> {
        self.build().map(|build| build.report().clone())
    }

    /// Everything that can be known to be wrong without reading other files, beside what reading has `found`.
    pub(crate) fn problems(&self, found: Vec<Problem>) -> Result<(), Problems> {
        let mut diagnostics = Diagnostics::new(self, found);
        if self.file.dimension == schema::Dimension::Plane {
            parts::<Plane>(&self.file, None, None, &mut diagnostics);
        } else {
            parts::<Space>(&self.file, None, None, &mut diagnostics);
        }
        diagnostics.finish().map(drop)
    }
}

/// What does not depend on where grains are.
struct Parts<D: NarrowPhase> {
    /// The scene's shapes in their order, then those that are made from them in other sizes; and their names.
    shapes: Vec<shapes::BuiltShape<D>>,
    names: Vec<String>,
    /// Index of the scene's shape that each was made from, and the factor on its lengths.
    origins: Vec<(u32, f64)>,
    interactions: Interactions,
    walls: Vec<gritstone_engine::Wall<D>>,
    tools: Vec<gritstone_engine::Tool<D>>,
}

impl<D: FromScene> Parts<D> {
    /// The scene's shape that each was made from, and the factor on its lengths.
    fn origins_by_name(&self) -> Vec<(String, f64)> {
        self.origins.iter().map(|&(shape, scale)| (self.names[shape as usize].clone(), scale)).collect()
    }

    /// Adds a shape in a size that a file asks for.
    fn add_scaled(&mut self, shape: u32, scale: f64, made: shapes::BuiltShape<D>) {
        self.names.push(format!("{} × {scale}", self.names[shape as usize]));
        self.origins.push((shape, scale));
        self.shapes.push(made);
    }
}

fn parts<D: FromScene>(
    file: &SceneFile,
    files: Option<&Scene>,
    earlier: Option<&EarlierRun<D>>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Parts<D>> {
    names::check::<D>(file, diagnostics);
    let shapes = shapes::make(file, diagnostics);
    let interactions = laws::mix(file, diagnostics);
    laws::check_method::<D>(file, diagnostics);
    let mut walls = walls::make(file, &shapes, files, diagnostics);
    if let (Some(earlier), Some(walls)) = (earlier, &mut walls) {
        earlier.move_walls(walls);
    }
    let tools = walls.as_ref().and_then(|walls| tools::make(file, walls, diagnostics));
    grains::check_names::<D>(file, &shapes, diagnostics);
    plan::check::<D>(file, walls.as_deref(), diagnostics);
    cell::check::<D>(file, walls.as_deref(), diagnostics);
    if let Some(region) = &file.domain {
        check_corners::<D>("domain", region.low.vector::<D>(), region.high.vector::<D>(), diagnostics);
    }
    let shapes: Option<Vec<_>> = shapes.into_iter().collect();
    let names: Vec<String> = file.shapes.names().map(str::to_owned).collect();
    let origins = (0..names.len() as u32).map(|shape| (shape, 1.0)).collect();
    Some(Parts { shapes: shapes?, names, origins, interactions: interactions?, walls: walls?, tools: tools? })
}

fn build<D: FromScene>(scene: &Scene, rocks: Vec<Rocky>) -> Result<Built<D>, Problems> {
    let (file, mut diagnostics) = (&scene.file, Diagnostics::new(scene, Vec::new()));
    let earlier = EarlierRun::read(scene, &mut diagnostics);
    let parts = parts::<D>(file, Some(scene), earlier.as_ref(), &mut diagnostics);
    let parts = parts.filter(|_| !diagnostics.has_errors());
    let built = parts.and_then(|parts| assemble(scene, parts, earlier, &mut diagnostics));
    let warnings = diagnostics.finish()?;
    match built {
        Some(mut built) => {
            built.report.rocks = rocks;
            built.report.show_warnings(scene.source(), &warnings);
            Ok(built)
        }
        // Not reached: what is missing has been told.
        None => Err(Problems { source: scene.source().clone(), list: Vec::new() }),
    }
}

fn assemble<D: FromScene>(
    scene: &Scene,
    mut parts: Parts<D>,
    earlier: Option<EarlierRun<D>>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Built<D>> {
    let file = &scene.file;
    let mixtures = mixtures::make(file, &mut parts, diagnostics)?;
    let cell = cell::make(file, earlier.as_ref().and_then(EarlierRun::cell));
    let mut groups =
        grains::place(scene, &mut parts, &mixtures, cell.as_ref(), earlier.as_ref(), diagnostics)?;
    memory::warn(groups.grains.len(), diagnostics);
    let time_step = step::choose(file, &parts, &groups.grains, &mixtures, diagnostics);
    let inlets = inlets_outlets::inlets(file, &mixtures, time_step.seconds, diagnostics);
    let outlets = inlets_outlets::outlets(file, time_step.seconds, diagnostics);
    let plan = plan::make(file, &time_step, &parts.walls, diagnostics);
    let preparation = prepare::make(file, &parts, diagnostics);
    let bench = probes::ProbeBuilder {
        file,
        walls: &parts.walls,
        cell: cell.as_ref(),
        dt: time_step.seconds,
        every: plan.output.every,
    };
    let probes = bench.probes(diagnostics);
    cell.iter().for_each(|cell| cell::carry(cell, &mut groups));
    let going_on = earlier.as_ref().map(|earlier| earlier.going_on(&groups, &parts));
    let (origins, continued) = (parts.origins_by_name(), earlier.as_ref().map(|run| run.continued(&parts)));
    let setup = Setup {
        earlier: earlier.map(|earlier| earlier.state(&groups)),
        compounds: compounds::of(&parts.shapes),
        shapes: parts.shapes.into_iter().map(|made| made.shape).collect(),
        densities: laws::densities(file),
        interactions: parts.interactions,
        rules: laws::rules(file),
        method: file.contact.method.clone(),
        grains: groups.grains,
        walls: parts.walls,
        tools: parts.tools,
        gravity: file.gravity.vector::<D>(),
        time_step: time_step.seconds,
        domain: file.domain.as_ref().map(domain::<D>),
        cell,
    };
    cell::check_width(&setup, diagnostics);
    sides::check(&setup, inlets.as_deref().unwrap_or_default(), diagnostics);
    initial_overlaps::check(&setup, &groups.starts, going_on.as_ref(), diagnostics);
    let (inlets, end) = (inlets?, inflow::End { steps: plan.steps, dt: time_step.seconds });
    strain::check(file, &setup, plan.steps, diagnostics);
    inflow::check(&inlets, &parts.names, &setup, end, diagnostics);
    speeds::check(&setup, &inlets, &groups.starts, end.steps as f64 * end.dt, diagnostics);
    let extents = extents::of(&setup);
    plausibility::check(file, &setup, &extents, &time_step, plan.steps, diagnostics);
    let inflow = inflow::expected(&inlets, end);
    let report = Report { continued, ..Report::new(file, &setup, &plan, time_step, inflow, extents) };
    let shape_origins = origins;
    Some(Built {
        setup,
        shape_names: parts.names,
        shape_origins,
        inlets,
        outlets: outlets?,
        probes: probes?,
        preparation,
        plan,
        report,
    })
}

fn domain<D: NarrowPhase>(domain: &schema::Domain) -> gritstone_engine::Domain<D> {
    let leaving = match domain.leaving {
        schema::Leaving::Error => Leaving::Error,
        schema::Leaving::Remove => Leaving::Remove,
        schema::Leaving::Keep => Leaving::Keep,
    };
    gritstone_engine::Domain { low: domain.low.vector::<D>(), high: domain.high.vector::<D>(), leaving }
}

/// Tells of a box whose corners are in the wrong order.
fn check_corners<D: FromScene>(key: &str, low: D::Vec, high: D::Vec, diagnostics: &mut Diagnostics<'_>) {
    for i in 0..D::N {
        let (l, h) = (low.component(i), high.component(i));
        if l >= h {
            diagnostics.error(
                &format!("{key}.high[{i}]"),
                format_args!("{key}.high[{i}] is {h}, but must be more than {key}.low[{i}], which is {l}"),
            );
        }
    }
}
