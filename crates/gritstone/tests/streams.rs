//! Grains that come in and go out: the same bits after a stop, and what the summary says of them.

use std::fs;
use std::path::Path;

use gritstone::run::{End, Options, Summary, Watch, run};
use gritstone::scene::Scene;
use tempfile::TempDir;

/// Two sorts of grains rain into a funnel of two slopes and leave below.
fn scene() -> Scene {
    let text = r#"
        dimension = 3
        gravity = [0, 0, -9.81]
        time = { end = 0.3, step = 5e-5 }
        output = { every = 0.05, vtk = false }
        [contact]
        law = "linear"
        [materials.glass]
        density = 2500
        kn = 2e4
        restitution = 0.3
        friction = 0.3
        [shapes]
        bean = { shape = "ellipsoid", radii = [0.004, 0.004, 0.007] }
        die = { shape = "polyhedron", scale = 0.005, vertices = [[1,1,1],[1,1,-1],[1,-1,1],[1,-1,-1],[-1,1,1],[-1,1,-1],[-1,-1,1],[-1,-1,-1]] }
        [inlets.rain]
        shape = ["bean", "die"]
        shares = [2, 1]
        share_by = "mass"
        size = { distribution = "uniform", low = "8 mm", high = "14 mm", classes = 5 }
        material = "glass"
        region = { kind = "cylinder", from = [0, 0, 0.1], to = [0, 0, 0.15], radius = 0.05 }
        mass_rate = 1.5
        end = 0.25
        velocity = [0, 0, -0.5]
        seed = 3
        [inlets.drip]
        shape = "die"
        material = "glass"
        region = { kind = "box", low = [-0.02, -0.02, 0.18], high = [0.02, 0.02, 0.2] }
        number_rate = "100 Hz"
        count = 12
        every = "5 ms"
        [outlets.below]
        region = { kind = "beyond", point = [0, 0, -0.04], normal = [0, 0, -1] }
        [walls.left]
        kind = "plane"
        point = [-0.02, 0, 0]
        normal = [1, 0, 1]
        material = "glass"
        [walls.right]
        kind = "plane"
        point = [0.02, 0, 0]
        normal = [-1, 0, 1]
        material = "glass"
        "#;
    Scene::parse(text, "funnel").unwrap_or_else(|problems| panic!("{problems}"))
}

/// Asks for a stop after so many steps were asked about.
struct Patience(std::sync::atomic::AtomicU64);

impl Watch for Patience {
    fn wants_stop(&self) -> bool {
        self.0.fetch_sub(1, std::sync::atomic::Ordering::Relaxed) == 0
    }
}

fn go(folder: &Path, resume: bool, steps: Option<u64>) -> Summary {
    let options = Options { resume, ..Options::new(folder) };
    match steps {
        None => run(&scene(), &options, &mut ()).unwrap(),
        Some(steps) => run(&scene(), &options, &mut Patience(steps.into())).unwrap(),
    }
}

#[test]
fn a_funnel_is_fed_and_stops_change_nothing() {
    let folder = TempDir::new().unwrap();
    let (straight, broken) = (folder.path().join("straight"), folder.path().join("broken"));
    let whole = go(&straight, false, None);
    let [rain, drip, below] = &whole.passed[..] else { panic!("{:?}", whole.passed) };
    // 1.5 kg/s for a quarter of a second, but for the last grain, which does not fit any more.
    assert!(rain.mass <= 0.375 && rain.mass > 0.365 && rain.waiting == 0, "{rain:?}");
    assert_eq!((drip.number, drip.waiting), (12, 0));
    assert!(below.number > 50, "{below:?}");
    assert_eq!(rain.number + drip.number, below.number + whole.status.grains as u64);
    assert!(whole.energy_error.abs() < 0.02, "{}", whole.energy_error);
    let json = whole.to_json();
    assert_eq!(json["inlets"]["drip"]["grains"], 12);
    assert_eq!(json["outlets"]["below"]["grains"], below.number);

    // Stopped at moments at which nothing else is due.
    for (i, steps) in [777, 1234, 2501].into_iter().enumerate() {
        assert_eq!(go(&broken, i > 0, Some(steps)).end, End::Interrupted);
    }
    let again = go(&broken, true, None);
    assert_eq!(again.passed, whole.passed);
    for file in ["final.csv", "energies.csv", "trajectory.grit"] {
        assert!(
            fs::read(straight.join(file)).unwrap() == fs::read(broken.join(file)).unwrap(),
            "{file} differs"
        );
    }
}
