//! `gritstone view` and `gritstone export` from outside, without a browser; `viewer/tests/` has one.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Child;

use crate::common::{folder, gritstone, run, stderr};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use gritstone::core::Space;
use gritstone::io::trajectory::{Frame, Reader};
use serde_json::Value;

/// Four spheres fall for a moment; one vanishes half-way.
const SCENE: &str = r#"
title = "Four </script> spheres"
dimension = 3
gravity = [0, 0, -9.81]
[time]
end = "10 ms"
step = "0.1 ms"
[contact]
law = "linear"
[materials.glass]
density = 2500
kn = "10 kN/m"
friction = 0.5
restitution = 0.5
[shapes.ball]
shape = "sphere"
radius = "2 mm"
[[grains]]
from = "lattice"
shape = "ball"
material = "glass"
count = [2, 2, 1]
spacing = ["5 mm", "5 mm", "5 mm"]
origin = [0, 0, "5 mm"]
[walls.floor]
kind = "plane"
point = [0, 0, 0]
normal = [0, 0, 1]
material = "glass"
[[events]]
at = "5 ms"
remove = { low = ["-1 mm", "-1 mm", -inf], high = ["1 mm", "1 mm", inf] }
[output]
every = "1 ms"
vtk = false
"#;

/// A run in a folder of its own.
fn sample(test: &str) -> PathBuf {
    let folder = folder(test);
    let (scene, out) = (folder.join("balls.toml"), folder.join("balls-out"));
    fs::write(&scene, SCENE).unwrap();
    let done = run(&["run", scene.to_str().unwrap(), "--out", out.to_str().unwrap()], b"");
    assert!(done.status.success(), "{}", stderr(&done));
    out
}

/// The program while it serves, and where.
struct Served {
    child: Child,
    port: u16,
}

impl Served {
    fn start(folder: &Path) -> Self {
        let mut child =
            gritstone(&["view", folder.to_str().unwrap(), "--no-open", "--json"]).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let told: Value = serde_json::from_str(&line).unwrap();
        let url = told["url"].as_str().unwrap();
        let port = url.strip_prefix("http://127.0.0.1:").unwrap().trim_end_matches('/').parse().unwrap();
        Self { child, port }
    }

    /// Status, head and body of the answer to these lines.
    fn ask(&self, first: &str, fields: &str) -> (u16, String, Vec<u8>) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let host = format!("Host: 127.0.0.1:{}\r\n", self.port);
        let host = if fields.contains("Host:") { "" } else { &host };
        stream.write_all(format!("{first} HTTP/1.1\r\n{host}{fields}\r\n").as_bytes()).unwrap();
        let mut all = Vec::new();
        stream.read_to_end(&mut all).unwrap();
        let end = all.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
        let head = String::from_utf8(all[..end].to_vec()).unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), head, all[end + 4..].to_vec())
    }

    fn get(&self, path: &str) -> (u16, Vec<u8>) {
        let (status, _, body) = self.ask(&format!("GET {path}"), "");
        (status, body)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_page_and_the_files_of_the_run_are_served() {
    let out = sample("view_serves");
    fs::create_dir(out.join("probes")).unwrap();
    fs::write(out.join("probes/flow.csv"), "step,time [s],flow\n0,0,1\n1,1,2\n").unwrap();
    fs::write(out.join("probes/grains.csv"), "step,time [s],id\n0,0,1\n0,0,2\n").unwrap();
    let served = Served::start(&out);
    let (status, head, page) = served.ask("GET /", "");
    assert!(status == 200 && head.contains("text/html") && head.contains("default-src 'none'"), "{head}");
    assert!(page.starts_with(b"<!doctype html>"));
    let state: Value = serde_json::from_slice(&served.get("/status.json").1).unwrap();
    let whole = fs::read(out.join("trajectory.grit")).unwrap();
    assert_eq!(state["trajectory"], whole.len());
    assert_eq!(state["live"], false);
    // final.csv tells of one moment only, and the second probe has many lines for each.
    let names: Vec<&str> = state["series"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!((names.first(), names.last()), (Some(&"energies.csv"), Some(&"probes/flow.csv")));
    assert!(
        names.iter().all(|name| !name.ends_with("final.csv") && !name.ends_with("grains.csv")),
        "{names:?}"
    );
    assert_eq!(served.get("/series/probes%2Fflow.csv").1, b"step,time [s],flow\n0,0,1\n1,1,2\n");
    assert_eq!(served.get("/series/energies.csv").1, fs::read(out.join("energies.csv")).unwrap());
    assert_eq!(served.get("/trajectory.grit").1, whole);
    let (status, head, part) = served.ask("GET /trajectory.grit", "Range: bytes=8-23\r\n");
    assert_eq!((status, &part[..]), (206, &whole[8..24]));
    assert!(head.contains(&format!("Content-Range: bytes 8-23/{}", whole.len())), "{head}");
    assert_eq!(served.ask("GET /trajectory.grit", "Range: bytes=99999999-\r\n").0, 416);
    let (_, head, body) = served.ask("HEAD /trajectory.grit", "");
    assert!(head.contains(&format!("Content-Length: {}", whole.len())) && body.is_empty(), "{head}");
}

/// Headers lead from one to the next through the whole file, as the document says.
#[test]
fn headers_are_those_of_the_file() {
    let out = sample("view_headers");
    let served = Served::start(&out);
    let whole = fs::read(out.join("trajectory.grit")).unwrap();
    let (mut expected, mut at, mut second) = (Vec::new(), 16, None);
    while at < whole.len() {
        expected.extend(&whole[at..at + 40]);
        at += 40 + u32::from_le_bytes(whole[at + 4..at + 8].try_into().unwrap()) as usize;
        second.get_or_insert(at);
    }
    assert_eq!(served.get("/headers?from=16").1, expected);
    assert_eq!(served.get(&format!("/headers?from={}", second.unwrap())).1, expected[40..]);
    assert_eq!(served.get(&format!("/headers?from={}", whole.len())).1, b"");
    assert_eq!(served.get("/headers?from=-1").0, 400);
    // A file that grows: the beginning of a header is told as it is.
    fs::write(out.join("trajectory.grit"), &whole[..second.unwrap() + 13]).unwrap();
    assert_eq!(served.get("/headers?from=16").1, [&expected[..40], &whole[second.unwrap()..][..13]].concat());
}

#[test]
fn nothing_but_the_run_is_served() {
    let out = sample("view_guards");
    fs::write(out.parent().unwrap().join("secret.csv"), "time\n1\n").unwrap();
    fs::write(out.join("notes.txt"), "time\n").unwrap();
    let served = Served::start(&out);
    for path in [
        "/series/../secret.csv",
        "/series/..%2fsecret.csv",
        "/series/%2e%2e/secret.csv",
        "/../balls.toml",
        "/scene.toml",
        "/series/notes.txt",
        "/series/final.csv",
        "/series/",
        "/series/%",
        "//",
        "/etc/passwd",
    ] {
        assert_eq!(served.get(path).0, 404, "{path}");
    }
    // A page of another site whose name leads to this machine.
    assert_eq!(served.ask("GET /", "Host: evil.example\r\n").0, 403);
    for request in ["POST /", "GET", "PUT /trajectory.grit"] {
        assert_eq!(served.ask(request, "").0, 400, "{request}");
    }
}

#[test]
#[cfg(unix)]
fn links_in_a_run_are_not_followed() {
    let out = sample("view_links");
    let secret = out.parent().unwrap().join("secret.csv");
    fs::write(&secret, "step,time [s],key\n0,0,1\n1,1,2\n").unwrap();
    std::os::unix::fs::symlink(&secret, out.join("link.csv")).unwrap();
    let served = Served::start(&out);
    assert_eq!(served.get("/series/link.csv").0, 404);
    fs::remove_file(out.join("trajectory.grit")).unwrap();
    std::os::unix::fs::symlink(&secret, out.join("trajectory.grit")).unwrap();
    assert_eq!(served.get("/trajectory.grit").0, 404);
    assert_eq!(served.get("/headers?from=0").0, 404);
}

#[test]
fn connections_beyond_the_most_are_closed() {
    let out = sample("view_silent");
    let served = Served::start(&out);
    let mut silent: Vec<_> =
        (0..80).map(|_| TcpStream::connect(("127.0.0.1", served.port)).unwrap()).collect();
    let last = silent.last_mut().unwrap();
    last.set_read_timeout(Some(std::time::Duration::from_secs(5))).unwrap();
    assert_eq!(last.read(&mut [0]).unwrap(), 0);
    drop(silent);
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert_eq!(served.get("/").0, 200);
}

/// A table of 3 GB, which takes no room on the disk: no browser could show it. It is told of and left out, by the server and by export.
#[cfg(target_os = "linux")]
#[test]
fn tables_of_gigabytes_are_left_out() {
    let folder = sample("view-large-table");
    let path = folder.join("energies.csv");
    fs::OpenOptions::new().append(true).open(&path).unwrap().set_len(3 << 30).unwrap();
    let served = Served::start(&folder);
    let status: Value = serde_json::from_slice(&served.get("/status.json").1).unwrap();
    assert_eq!(status["series"], serde_json::json!(["walls.csv"]));
    assert_eq!(served.get("/series/energies.csv").0, 404);
    let peak = fs::read_to_string(format!("/proc/{}/status", served.child.id())).unwrap();
    let peak = peak.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak: u64 = peak.trim().trim_end_matches("kB").trim().parse().unwrap();
    assert!(peak < 200 << 10, "{peak} kB");
    let page = folder.with_file_name("page.html");
    let done = run(&["export", folder.to_str().unwrap(), "--out", page.to_str().unwrap()], b"");
    assert!(done.status.success(), "{}", stderr(&done));
    assert!(
        stderr(&done).contains("energies.csv has 3221225472 bytes, but a page shows at most"),
        "{}",
        stderr(&done)
    );
    assert!(fs::metadata(&page).unwrap().len() < 20_000_000);
    let done = run(&["report", folder.to_str().unwrap(), "--memory-limit", "500MB"], b"");
    assert!(done.status.success(), "{}", stderr(&done));
    fs::remove_file(&path).unwrap();
}

#[test]
fn folders_without_a_run_are_refused_in_words() {
    let folder = folder("view_refuses");
    let told = |arguments: &[&str]| {
        let done = run(arguments, b"");
        assert_eq!(done.status.code(), Some(2), "{arguments:?}");
        stderr(&done)
    };
    let name = folder.to_str().unwrap();
    for command in ["view", "export"] {
        assert!(told(&[command, name]).contains("trajectory.grit is not there"));
        assert!(told(&[command, "no/such/folder"]).contains("no/such/folder is not there"));
    }
    fs::write(folder.join("trajectory.grit"), "hello").unwrap();
    assert!(told(&["view", name]).contains("it is not a trajectory"));
    assert!(told(&["export", name, "--every", "0"]).contains("--every"));
    assert!(told(&["view", name, "--port", "0"]).contains("--port"));
}

#[test]
fn a_taken_port_is_told() {
    let out = sample("view_port");
    let taken = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let done = run(&["view", out.to_str().unwrap(), "--no-open", "--port", &port], b"");
    assert_eq!(done.status.code(), Some(1));
    assert!(stderr(&done).contains(&format!("port {port} is taken")), "{}", stderr(&done));
}

/// The trajectory inside a page.
fn inside(page: &str) -> Vec<u8> {
    let pieces = page.split("<script type=\"text/plain\" class=\"run-trajectory\">").skip(1);
    pieces.flat_map(|piece| STANDARD.decode(piece.split('<').next().unwrap()).unwrap()).collect()
}

#[test]
fn an_exported_page_holds_the_frames_that_were_asked_for() {
    let out = sample("export_frames");
    let original = out.join("trajectory.grit");
    let page_path = out.with_extension("html");
    let copy = out.with_extension("grit");
    let count = Reader::open(&original).unwrap().moments().len();
    for (every, expected) in [("1", (0..count).collect::<Vec<_>>()), ("4", vec![0, 4, 8, count - 1])] {
        let arguments = ["export", out.to_str().unwrap(), "--every", every, "--json", "--out"];
        let done = run(&[&arguments[..], &[page_path.to_str().unwrap()]].concat(), b"");
        assert!(done.status.success(), "{}", stderr(&done));
        let told: Value = serde_json::from_slice(&done.stdout).unwrap();
        let page = fs::read_to_string(&page_path).unwrap();
        assert_eq!((&told["bytes"], &told["frames"]), (&page.len().into(), &expected.len().into()));
        fs::write(&copy, inside(&page)).unwrap();
        let (mut whole, mut read) = (Reader::open(&original).unwrap(), Reader::open(&copy).unwrap());
        read.check().unwrap();
        assert!(read.broken().is_none() && read.description() == whole.description());
        assert_eq!(read.moments().len(), expected.len());
        for (i, number) in expected.into_iter().enumerate() {
            let frame: Frame<Space> = whole.frame(number).unwrap();
            assert_eq!(read.frame::<Space>(i).unwrap(), frame);
        }
    }
}

/// A dump and the tables hold the grains of the last frame where `final.csv` has them, to the accuracy of a trajectory.
#[test]
fn frames_are_exported_for_other_programs() {
    let out = sample("exported-frames");
    let export = |format: &str, name: &str| {
        let to = out.join(name);
        let (from, to_text) = (out.to_str().unwrap(), to.to_str().unwrap());
        let done = run(&["export", from, "--format", format, "--every", "4", "--out", to_text], b"");
        assert!(done.status.success(), "{}", stderr(&done));
        assert!(String::from_utf8_lossy(&done.stdout).contains("4 of 11 frames"));
        to
    };
    let dump = export("dump", "run.dump");
    let tables = export("csv", "tables");
    let vtk = export("vtk", "vtk-frames");
    // Columns of final.csv: id, x, y, z, then rotation and velocity.
    let rows = |text: &str, separator: char| -> Vec<Vec<f64>> {
        let numbers = |line: &str| line.split(separator).map_while(|word| word.parse().ok()).collect();
        text.lines().skip(1).map(numbers).collect()
    };
    let last = rows(&fs::read_to_string(out.join("final.csv")).unwrap(), ',');
    let near = |a: &[f64], b: &[f64]| {
        assert!(a.iter().zip(b).all(|(x, y)| (x - y).abs() < 2e-3 / 4096.0), "{a:?} {b:?}");
    };
    let table = fs::read_to_string(tables.join("grains_000000100.csv")).unwrap();
    assert!(table.starts_with("id,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,shape,scale,material\n"));
    assert!(table.trim_end().ends_with(",ball,1,glass"));
    let text = fs::read_to_string(&dump).unwrap();
    assert_eq!(text.matches("ITEM: TIMESTEP").count(), 4);
    let moment = gritstone::io::dump::read_dump(&dump, gritstone::io::dump::Which::Step(100)).unwrap();
    assert_eq!((last.len(), moment.grains.len()), (3, 3));
    for ((want, row), grain) in last.iter().zip(rows(&table, ',')).zip(&moment.grains) {
        near(&row[..4], &want[..4]);
        let state = &grain.state;
        assert_eq!((f64::from(state.id), grain.kind), (want[0], Some(1)));
        near(&state.pose.position.to_array(), &want[1..4]);
        assert!((grain.radius.unwrap() - 2e-3).abs() < 1e-12);
        assert!((grain.semi_axes.unwrap() - gritstone::glam::DVec3::splat(2e-3)).length() < 1e-9);
    }
    assert_eq!(fs::read_to_string(vtk.join("grains.pvd")).unwrap().matches("<DataSet").count(), 4);
}

#[test]
fn what_a_run_says_cannot_break_out_of_its_page() {
    let out = sample("export_escapes");
    fs::write(out.join("probes.csv"), "time [s],</script><b>\n0,1\n").unwrap();
    let done = run(&["export", out.to_str().unwrap(), "--out", "-"], b"");
    assert!(done.status.success(), "{}", stderr(&done));
    let page = String::from_utf8(done.stdout).unwrap();
    assert!(!page.contains("</script><b>") && page.contains("\\u003c/script>\\u003cb>"));
}

/// The page says which sources it was made from; `viewer/build.mjs` writes it and says how.
#[test]
fn the_page_is_made_from_the_sources_that_are_here() {
    let viewer = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../viewer");
    let mut names =
        ["build.mjs", "index.html", "package-lock.json", "package.json"].map(String::from).to_vec();
    let mut scripts: Vec<String> = fs::read_dir(viewer.join("src"))
        .unwrap()
        .map(|entry| format!("src/{}", entry.unwrap().file_name().to_str().unwrap()))
        .collect();
    scripts.sort();
    names.extend(scripts);
    let mut sum = crc32fast::Hasher::new();
    for name in names {
        sum.update(format!("{name}\n").as_bytes());
        sum.update(&fs::read(viewer.join(&name)).unwrap());
    }
    let page = fs::read_to_string(viewer.join("../crates/gritstone-cli/src/view/page.html")).unwrap();
    let stamp = format!("sources {:08x};", sum.finalize());
    assert!(page.contains(&stamp), "the page is not current: run `npm ci && npm run build` in viewer/");
}
