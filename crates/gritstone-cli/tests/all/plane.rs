//! `gritstone contact` in the plane, from outside.

use crate::common::{lines, run};

const PAIRS: &str = r#"{"id":0,"a":{"shape":"circle","radius":1},"b":{"shape":"ellipse","semi_axes":[2,1],"center":[3.5,0]}}
{"id":1,"a":{"shape":"sphere","radius":1},"b":{"shape":"sphere","radius":1,"center":[1.5,0,0]}}
{"id":2,"a":{"shape":"polygon","vertices":[[0,0],[1,0],[1,1],[0,1]]},"b":{"shape":"half-plane","normal":[0,1],"offset":-0.25}}
{"id":3,"a":{"shape":"circle","radius":1},"b":{"shape":"sphere","radius":1}}
{"id":4,"a":{"shape":"half-plane","normal":[0,1],"offset":0},"b":{"shape":"half-plane","normal":[0,1],"offset":0}}
"#;

#[test]
fn both_dimensions_in_one_stream() {
    let output = run(&["contact"], PAIRS.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    let answers = lines(&output);
    let known = [("apart", 0.5, 2), ("contact", -0.5, 3), ("apart", 0.25, 2)];
    for (answer, (verdict, distance, dimension)) in answers.iter().zip(known) {
        assert_eq!(answer["verdict"], verdict, "{answer}");
        assert!((answer["distance"].as_f64().unwrap() - distance).abs() < 1e-15, "{answer}");
        assert_eq!(answer["certified"], true, "{answer}");
        for key in ["normal", "point_a", "point_b"] {
            assert_eq!(answer[key].as_array().unwrap().len(), dimension, "{answer}");
        }
    }
    // The middle of the edge that faces the wall.
    assert!((answers[2]["point_a"][0].as_f64().unwrap() - 0.5).abs() < 1e-15, "{}", answers[2]);
    assert!(answers[3]["error"].as_str().unwrap().contains("both must be of the same dimension"));
    assert!(
        answers[4]["error"]
            .as_str()
            .unwrap()
            .starts_with("method auto does not take half-plane and half-plane")
    );
}

#[test]
fn a_method_of_one_dimension_refuses_the_other() {
    let output = run(&["contact", "--method", "common-normal"], PAIRS.as_bytes());
    let answers = lines(&output);
    assert_eq!(answers[0]["error"], "method common-normal does not take shapes in the plane");
    assert_eq!(answers[1]["verdict"], "contact");
}
