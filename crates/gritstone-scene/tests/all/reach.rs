//! Which files a scene reads, and what messages quote of them.

use std::fs;
use std::path::Path;

use gritstone_scene::Scene;

const SECRET: &str = "root:x:0:0";

/// A scene in a folder of its own, which reads `file` as grains (`from`) or as a wall.
fn scene(folder: &Path, from: &str, file: &str) -> Scene {
    let grains = match from {
        "mesh" => format!("walls.w = {{ kind = \"mesh\", file = {file:?}, material = \"sand\" }}\n"),
        from => format!(
            "grains = [{{ from = {from:?}, shape = \"ball\", material = \"sand\", file = {file:?} }}]\n"
        ),
    };
    let text = format!(
        r#"
        dimension = 3
        gravity = [0, 0, 0]
        time = {{ end = 1e-3 }}
        materials = {{ sand = {{ density = 2500, young = 1e7, poisson = 0.3, friction = 0 }} }}
        shapes = {{ ball = {{ shape = "sphere", radius = 0.004 }} }}
        {grains}
        "#
    );
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join("scene.toml"), text).unwrap();
    Scene::read(&folder.join("scene.toml")).unwrap()
}

/// Messages name place and line; the content only where it is the scene's own.
#[test]
fn errors_quote_no_content_of_files_elsewhere() {
    let root = tempfile::tempdir().unwrap();
    let mine = root.path().join("mine");
    let secrets = [
        ("csv", "passwd", format!("{SECRET}\n")),
        ("csv", "column.csv", format!("id,x,y,{SECRET}\n1,0,0,0\n")),
        ("csv", "number.csv", format!("id,x,y,z\n1,0,0,{SECRET}\n")),
        ("csv", "shape.csv", format!("id,x,y,z,shape\n1,0,0,0,{SECRET}\n")),
        ("csv", "material.csv", format!("id,x,y,z,material\n1,0,0,0,{SECRET}\n")),
        ("dump", "dump.txt", format!("ITEM: TIMESTEP\n{SECRET}\n")),
        ("mesh", "mesh.stl", format!("solid a\nvertex {SECRET}\n")),
        ("mesh", "word.stl", format!("solid a\n{SECRET}\n")),
        ("mesh", "mesh.obj", format!("v 0 0 0\nf {SECRET}\n")),
    ];
    for (from, name, content) in secrets {
        fs::create_dir_all(&mine).unwrap();
        fs::write(root.path().join(name), &content).unwrap();
        fs::write(mine.join(name), &content).unwrap();
        let told = |file: &str| scene(&mine, from, file).check().unwrap_err().to_string();
        let shown = told(name);
        assert!(shown.contains("root:x"), "{name}: {shown}");
        for file in [format!("../{name}"), root.path().join(name).display().to_string()] {
            let hidden = told(&file);
            assert!(!hidden.contains("root:x"), "{name}: {hidden}");
            assert!(hidden.contains("outside of the scene's folder") && hidden.contains(name), "{hidden}");
        }
        #[cfg(unix)]
        {
            let link = mine.join(format!("link-{name}"));
            std::os::unix::fs::symlink(root.path().join(name), &link).unwrap();
            let hidden = told(&format!("link-{name}"));
            assert!(!hidden.contains("root:x"), "{name}: {hidden}");
        }
    }
}

#[test]
fn a_sandbox_ends_at_the_scenes_folder() {
    let root = tempfile::tempdir().unwrap();
    let mine = root.path().join("mine");
    let grains = "id,x,y,z\n1,0,0,0\n";
    fs::create_dir_all(mine.join("below")).unwrap();
    for place in ["grains.csv", "mine/grains.csv", "mine/below/grains.csv"] {
        fs::write(root.path().join(place), grains).unwrap();
    }
    let inside =
        ["grains.csv".to_owned(), "below/grains.csv".into(), mine.join("grains.csv").display().to_string()];
    let mut outside = vec![
        "../grains.csv".to_owned(),
        root.path().join("grains.csv").display().to_string(),
        "/dev/zero".into(),
        "../nothing".into(),
    ];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(root.path().join("grains.csv"), mine.join("link.csv")).unwrap();
        outside.push("link.csv".to_owned());
    }
    for file in &inside {
        scene(&mine, "csv", file).sandboxed().check().unwrap();
    }
    for (from, file) in
        ["csv", "dump", "mesh"].iter().flat_map(|from| outside.iter().map(move |file| (from, file)))
    {
        let told = scene(&mine, from, file).sandboxed().check().unwrap_err().to_string();
        assert!(
            told.contains("in a sandbox it must be a regular file in the scene's folder"),
            "{file}: {told}"
        );
    }
}
