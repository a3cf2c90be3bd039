//! `auto` on the pairs that were solved elsewhere.

use gritstone_contact::space::{self, Placed, Scratch};
use gritstone_contact::{Query, Verdict};
use gritstone_testkit::reference::{DISTANCE_TOLERANCE, references};

#[test]
fn auto_gives_the_reference_answers_and_proves_them() {
    let auto = space::method("auto").unwrap();
    let references = references().unwrap();
    assert_eq!(references.len(), 1200);
    let mut scratch = Scratch::default();
    for reference in &references {
        let (id, scene) = (&reference.id, &reference.scene);
        let a = Placed { shape: &scene.a, pose: scene.pose_a };
        let b = Placed { shape: &scene.b, pose: scene.pose_b };
        let answer = auto.solve(a, b, Query::default(), &mut scratch).unwrap();
        assert!(answer.certified(), "{id} is not certified");
        let Verdict::Solved(contact) = answer.verdict else { panic!("{id} is not solved") };
        assert!((contact.gap - reference.distance).abs() <= DISTANCE_TOLERANCE, "{id}: {contact:?}");
        assert!(contact.normal.distance(reference.normal) <= reference.normal_tolerance, "{id}: {contact:?}");
        for (found, known) in [contact.point_a, contact.point_b].into_iter().zip(reference.points) {
            assert!(found.distance(known) <= reference.point_tolerance, "{id}: {found} is not {known}");
        }
    }
}
