//! How a scene is read: `--set KEY=VALUE` gives it other values, `--sandbox` keeps it from reading files elsewhere.

use std::path::Path;

use gritstone::scene::{Assignment, Problems, Scene};

/// Values of the scene that are set on the command line.
#[derive(clap::Args)]
pub(crate) struct Set {
    /// Set a key of the scene, such as materials.glass.friction=0.3 or 'grains[0].count=200'; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = str::parse::<Assignment>)]
    assignments: Vec<Assignment>,
    /// Let the scene read regular files in its own folder and below, and no others
    #[arg(long)]
    sandbox: bool,
}

impl Set {
    /// Reads a scene so.
    pub(crate) fn read(&self, path: &Path) -> Result<Scene, Problems> {
        let scene = Scene::read_with(path, &self.assignments)?;
        Ok(if self.sandbox { scene.sandboxed() } else { scene })
    }
}
