//! `gritstone contact`, from outside.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use crate::common::{folder, gritstone, lines, run, stderr};
use serde_json::Value;

/// Two spheres of radius one, `distance` between their surfaces.
fn spheres(id: usize, distance: f64) -> String {
    let x = 2.0 + distance;
    format!(
        "{{\"id\":{id},\"a\":{{\"shape\":\"sphere\",\"radius\":1}},\
         \"b\":{{\"shape\":\"sphere\",\"radius\":1,\"center\":[{x:?},0,0]}}}}\n"
    )
}

/// Blocks with rounded edges at changing distances and angles, so that pairs differ in the work they make.
fn blocks(id: usize) -> String {
    let t = id as f64;
    format!(
        "{{\"id\":{id},\"a\":{{\"shape\":\"superellipsoid\",\"radii\":[1,0.8,1.4],\"exponents\":[0.4,0.6]}},\
         \"b\":{{\"shape\":\"superellipsoid\",\"radii\":[0.7,1.1,0.9],\"blockiness\":[3,5],\
         \"center\":[{:.6},{:.6},0.3],\"quaternion\":[1,{:.6},0.2,-0.4]}}}}\n",
        1.2 + (0.37 * t) % 1.5,
        (0.11 * t) % 0.9,
        (0.01 * t) % 1.0,
    )
}

#[test]
fn spheres_have_their_closed_form() {
    let distances = [0.5, 1e-6, 0.0, -1e-6, -0.5, -1.5];
    let input: String = distances.iter().enumerate().map(|(i, d)| spheres(i, *d)).collect();
    let output = run(&["contact", "-"], input.as_bytes());
    assert_eq!(output.status.code(), Some(0));
    for (i, (line, distance)) in lines(&output).iter().zip(distances).enumerate() {
        assert_eq!(line["id"], i);
        assert_eq!(line["verdict"], if distance > 0.0 { "apart" } else { "contact" }, "{line}");
        assert!((line["distance"].as_f64().unwrap() - distance).abs() < 1e-15, "{line}");
        for (key, x) in [("normal", 1.0), ("point_a", 1.0), ("point_b", 1.0 + distance)] {
            for (value, expected) in line[key].as_array().unwrap().iter().zip([x, 0.0, 0.0]) {
                assert!((value.as_f64().unwrap() - expected).abs() < 1e-15, "{line}");
            }
        }
        assert_eq!(line["certified"], true, "{line}");
    }
    assert!(stderr(&output).starts_with("6 pairs: 6 solved (2 apart, 4 in contact), 0 unresolved, 0 errors"));
}

#[test]
fn a_bad_line_gets_its_error_and_the_others_their_answers() {
    let sphere = r#"{"shape":"sphere","radius":1}"#;
    let shape = |keys: &str| format!(r#"{{"id":"bad","a":{{"shape":{keys}}},"b":{sphere}}}"#);
    let grain = |keys: &str| shape(&format!(r#""superellipsoid","radii":[1,1,1],{keys}"#));
    let bad = [
        (shape(r#""sphere","radius":0"#), "a.radius is 0.0"),
        (shape(r#""sphere","radius":-1"#), "a.radius is -1.0"),
        (shape(r#""sphere","radius":1e999"#), "a.radius is 1e999"),
        (shape(r#""sphere","radius":NaN"#), "not valid JSON"),
        (shape(r#""sphere","radius":Infinity"#), "not valid JSON"),
        (shape(r#""ellipsoid","radii":[1,0,1]"#), "a.radii[1] is 0.0"),
        (grain(r#""exponents":[0,1]"#), "a.exponents[0] is 0.0, but must lie in (0, 2)"),
        (grain(r#""exponents":[1,2]"#), "a.exponents[1] is 2.0, but must lie in (0, 2)"),
        (grain(r#""exponents":[1,2.5]"#), "a.exponents[1] is 2.5, but must lie in (0, 2)"),
        (grain(r#""exponents":[1,1],"quaternion":[0,0,0,0]"#), "a.quaternion is [0,0,0,0]"),
        (grain(r#""center":[0,0,0]"#), "a has no key \"exponents\""),
        (grain(r#""exponents":[1,1],"color":"red""#), "a has the unknown key \"color\""),
        (shape(r#""circle","radius":1"#), "a circle is a shape in the plane and a sphere is one in space"),
        (
            shape(r#""polyhedron","vertices":[]"#),
            "a.vertices has 0 different points, but must have at least 4",
        ),
        (shape(r#""cylinder","radius":1"#), "a has no key \"half_height\""),
    ];
    let mut input = Vec::new();
    for (i, (line, _)) in bad.iter().enumerate() {
        input.extend_from_slice(spheres(i, 0.5).as_bytes());
        input.extend_from_slice(format!("{line}\r\n\n").as_bytes());
    }
    input.extend_from_slice(b"{\"id\":\"half\",\"a\":{\n\xff\xfe\nnull\n");
    let output = run(&["contact"], &input);
    assert_eq!(output.status.code(), Some(1));
    let answers = lines(&output);
    assert_eq!(answers.len(), 2 * bad.len() + 3);
    for (i, (line, message)) in bad.iter().enumerate() {
        assert_eq!((&answers[2 * i]["id"], &answers[2 * i]["verdict"]), (&i.into(), &"apart".into()));
        let error = &answers[2 * i + 1];
        assert_eq!(error["verdict"], "error", "{line}");
        assert_eq!(error["id"], "bad", "{line}");
        assert!(error["error"].as_str().unwrap().contains(message), "{line}\n{error}");
    }
    let last: Vec<_> = answers[2 * bad.len()..].iter().map(|line| line["id"].clone()).collect();
    assert_eq!(last, [Value::from("half"), Value::Null, Value::Null]);
    let message = stderr(&output);
    assert!(message.contains("the standard input, line 2: a.radius is 0.0"), "{message}");
    assert!(
        message.contains("33 pairs: 15 solved (15 apart, 0 in contact), 0 unresolved, 18 errors"),
        "{message}"
    );
}

#[test]
fn a_method_that_does_not_take_a_shape_says_which_it_takes() {
    let tetrahedron = r#"{"shape":"polyhedron","vertices":[[0,0,0],[1,0,0],[0,1,0],[0,0,1]]}"#;
    let line = format!("{{\"id\":3,\"a\":{tetrahedron},\"b\":{{\"shape\":\"sphere\",\"radius\":1}}}}\n");
    let input = format!("{line}{}", spheres(4, 0.5));
    let output = run(&["contact", "--method", "common-normal"], input.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    let [refused, solved] = lines(&output).try_into().unwrap();
    let error = "method common-normal does not take polyhedron and sphere: it takes sphere, ellipsoid, superellipsoid";
    assert_eq!((&refused["id"], &refused["error"]), (&3.into(), &error.into()));
    assert_eq!((&solved["id"], &solved["verdict"]), (&4.into(), &"apart".into()));
}

#[test]
fn coincident_and_nearly_coincident_centres_are_answered() {
    let grain = r#""shape":"superellipsoid","radii":[1,2,3],"exponents":[0.7,0.9]"#;
    let input: String = ["0", "1e-300", "1e-16", "1e-9"]
        .iter()
        .map(|x| format!("{{\"a\":{{{grain}}},\"b\":{{{grain},\"center\":[{x},0,0]}}}}\n"))
        .collect();
    let output = run(&["contact"], input.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    for line in lines(&output) {
        let (lower, upper) = (line["lower"].as_f64().unwrap(), line["upper"].as_f64().unwrap());
        // Half the smallest width is 1: moving by twice that along the short axis separates them.
        assert!(lower <= -1.9 && upper >= lower, "{line}");
        assert!(
            line["verdict"] == "unresolved" || (line["distance"].as_f64().unwrap() + 2.0).abs() < 1e-6,
            "{line}"
        );
    }
}

#[test]
fn answers_keep_the_order_and_the_bytes_for_any_number_of_threads() {
    let input: String = (0..3_000).map(blocks).collect();
    let one = run(&["contact", "--threads", "1"], input.as_bytes());
    assert_eq!(one.status.code(), Some(0));
    let ids: Vec<_> = lines(&one).iter().map(|line| line["id"].as_u64().unwrap()).collect();
    assert_eq!(ids, (0..3_000).collect::<Vec<u64>>());
    for threads in ["2", "16"] {
        let many = run(&["contact", "--threads", threads], input.as_bytes());
        assert!(many.stdout == one.stdout, "{threads} threads");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn memory_does_not_grow_with_the_input() {
    let peak = |pairs: usize| -> u64 {
        let mut child = gritstone(&["contact", "--threads", "2"]).stdout(Stdio::null()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let block: String = (0..1_000).map(|i| spheres(i, 0.5)).collect();
        for _ in 0..pairs / 1_000 {
            stdin.write_all(block.as_bytes()).unwrap();
        }
        // All but what the pipe and the queue hold has been solved.
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        drop(stdin);
        assert!(child.wait().unwrap().success());
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        peak.trim().trim_end_matches(" kB").parse().unwrap()
    };
    // 25 MB of input after 2.5 MB: as much as is ever held is some megabytes, more where the machine is busy.
    let (short, long) = (peak(20_000), peak(200_000));
    assert!(long < short + 18_000, "{short} kB for 20 000 pairs, {long} kB for 200 000");
    assert!(long < 64_000, "{long} kB");
}

#[test]
fn whoever_waits_for_an_answer_before_asking_on_gets_it() {
    let mut child = gritstone(&["contact"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for i in 0..3 {
        stdin.write_all(spheres(i, 0.5).as_bytes()).unwrap();
        let answer: Value = serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap();
        assert_eq!(answer["id"], i);
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_reader_that_has_had_enough_ends_the_run_quietly() {
    let mut child = gritstone(&["contact"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    drop(child.stdout.take());
    let block: String = (0..1_000).map(|i| spheres(i, 0.5)).collect();
    // The pipe is left open: the program must not wait for its end.
    let _ = stdin.write_all(block.as_bytes());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""));
}

#[test]
fn detection_stops_at_a_separating_plane_and_still_solves_contacts() {
    let input = format!("{}{}", spheres(1, 3.0), spheres(2, -0.25));
    let output = run(&["contact", "--detect-only"], input.as_bytes());
    assert_eq!(output.status.code(), Some(0));
    let [apart, contact] = lines(&output).try_into().unwrap();
    assert_eq!((&apart["verdict"], &apart["certified"]), (&"apart".into(), &true.into()));
    let distance = apart["distance"].as_f64().unwrap();
    assert!(distance > 0.0 && distance <= 3.0 + 1e-15, "{apart}");
    assert_eq!(contact["verdict"], "contact");
    assert!((contact["distance"].as_f64().unwrap() + 0.25).abs() < 1e-15, "{contact}");
}

#[test]
fn the_output_file_appears_only_when_it_is_complete() {
    let folder = folder("complete");
    let (pairs, out) = (folder.join("pairs.jsonl"), folder.join("out.jsonl"));
    fs::write(&out, "before").unwrap();
    let mut child = gritstone(&["contact", "--out", out.to_str().unwrap()]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let asides =
        || -> Vec<_> { fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect() };
    stdin.write_all(spheres(1, 0.5).as_bytes()).unwrap();
    while asides().len() < 2 {
        std::thread::yield_now();
    }
    assert_eq!(fs::read_to_string(&out).unwrap(), "before");
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));
    assert_eq!(asides(), ["out.jsonl"]);
    let answer: Value = serde_json::from_str(&fs::read_to_string(&out).unwrap()).unwrap();
    assert_eq!(answer["id"], 1);

    // From a file onto itself.
    fs::write(&pairs, spheres(7, 0.5)).unwrap();
    let name = pairs.to_str().unwrap();
    assert_eq!(run(&["contact", name, "--out", name], b"").status.code(), Some(0));
    assert!(fs::read_to_string(&pairs).unwrap().starts_with("{\"id\":7,\"verdict\":\"apart\""));
}

#[test]
fn a_device_is_written_to_and_not_replaced() {
    let output = run(&["contact", "--out", "/dev/null"], spheres(1, 0.5).as_bytes());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}

#[test]
fn what_cannot_be_used_ends_with_2_and_a_reason() {
    let folder = folder("unusable");
    let folder = folder.to_str().unwrap();
    let inside = format!("{folder}/no/such/out.jsonl");
    let cases: [(&[&str], &str); 8] = [
        (&["contact", "/no/such/pairs.jsonl"], "cannot read /no/such/pairs.jsonl: no such file or directory"),
        (&["contact", folder], "is a directory"),
        (&["contact", "--out", &inside], "cannot write"),
        (&["contact", "--out", folder], "is a directory"),
        (&["contact", "--method", "suport-newton"], "a similar value exists: 'support-newton'"),
        (&["contact", "--method", "magic"], "[possible values: auto, "),
        (&["contact", "--threads", "0"], "0 is not in 1..=1024"),
        (&["contakt"], "a similar subcommand exists: 'contact'"),
    ];
    for (arguments, reason) in cases {
        let output = run(arguments, b"");
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.contains(reason), "{arguments:?}: {message}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn counts_come_as_json_when_asked_for() {
    let input = format!("{}{}oops\n", spheres(1, 0.5), spheres(2, -0.5));
    let output = run(&["contact", "--json"], input.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    let counts: Value = serde_json::from_str(&stderr(&output)).unwrap();
    let expected =
        [("pairs", 3), ("solved", 2), ("apart", 1), ("contact", 1), ("unresolved", 0), ("errors", 1)];
    for (key, count) in expected {
        assert_eq!(counts[key], count, "{key}");
    }
}

#[test]
fn an_empty_input_has_an_empty_answer() {
    let output = run(&["contact"], b"\n\n");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));
}

/// Reference pairs with answers from arbitrary precision.
#[test]
fn the_public_pairs_are_solved_and_certified() {
    let pairs = fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/data/public_superellipsoid_pairs.jsonl"
    ))
    .unwrap();
    let output = run(&["contact"], pairs.as_bytes());
    assert_eq!(output.status.code(), Some(0));
    let answers = lines(&output);
    assert_eq!(answers.len(), pairs.lines().count());
    for (pair, answer) in pairs.lines().zip(&answers) {
        let pair: Value = serde_json::from_str(pair).unwrap();
        let expected = pair["expected"]["distance"].as_f64().unwrap();
        assert_eq!((&answer["id"], &answer["certified"]), (&pair["id"], &true.into()), "{answer}");
        assert!((answer["distance"].as_f64().unwrap() - expected).abs() <= 1e-12, "{answer}");
    }
}
