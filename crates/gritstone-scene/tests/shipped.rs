//! The scenes that come with the program.

use std::path::{Path, PathBuf};

use gritstone_scene::{Scene, TEMPLATES};

fn scenes() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes")
}

#[test]
fn shipped_scenes_build() {
    for template in TEMPLATES {
        let scene =
            Scene::read(&scenes().join(format!("{}.toml", template.name))).unwrap_or_else(|e| panic!("{e}"));
        let build = scene.build().unwrap_or_else(|e| panic!("{e}"));
        println!("{}\n", build.report());
    }
}
