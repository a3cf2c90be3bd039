//! The bounds of `shortest-link` hold, and what they prove is right; more is not asked of it.

use gritstone_contact::{Answer, Method, Placed, Query, ShortestLink};
use gritstone_testkit::reference::{polygon_references, polyhedron_references};
use gritstone_testkit::{Scene, World};

mod plane {
    gritstone_testkit::conformance!(honest: Plane, "shortest-link", gritstone_testkit::Tier::POLYTOPES);
}

mod space {
    gritstone_testkit::conformance!(honest: Space, "shortest-link", gritstone_testkit::Tier::POLYTOPES);
}

fn solve<D: World>(scene: &Scene<D>) -> Answer<D>
where
    ShortestLink: Method<D>,
{
    let a = Placed { shape: &scene.a, pose: scene.pose_a };
    let b = Placed { shape: &scene.b, pose: scene.pose_b };
    ShortestLink.solve(a, b, Query::default(), &mut D::Scratch::default()).unwrap()
}

/// Right to the digits of the references, wherever it says that it is certified.
#[test]
fn what_is_certified_is_right() {
    let polygons = polygon_references().unwrap();
    let polyhedra = polyhedron_references().unwrap();
    let plane = polygons.iter().map(|pair| {
        let answer = solve(&pair.scene);
        (&pair.id, pair.distance, answer.distance(), answer.certified())
    });
    let space = polyhedra.iter().map(|pair| {
        let answer = solve(&pair.scene);
        (&pair.id, pair.distance, answer.distance(), answer.certified())
    });
    let (mut certified, mut wrong) = (0, 0);
    for (id, distance, found, proven) in plane.chain(space) {
        let right = (found - distance).abs() <= 1e-13 + 1e-9 * distance.abs();
        assert!(right || !proven, "{id}: {found} is not {distance}");
        certified += u32::from(proven);
        wrong += u32::from(!right);
    }
    // Of 800 pairs, 596 of which are apart: it is a useful method, but no more than that.
    assert!(certified > 300 && wrong > 50, "{certified} certified, {wrong} wrong");
}
