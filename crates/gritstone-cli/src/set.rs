//! `--set KEY=VALUE`: values of a scene given on the command line.

use gritstone::scene::Assignment;

/// Values of the scene that are set on the command line.
#[derive(clap::Args)]
pub(crate) struct Set {
    /// Set a key of the scene, such as materials.glass.friction=0.3 or 'grains[0].count=200'; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = str::parse::<Assignment>)]
    pub(crate) assignments: Vec<Assignment>,
}
