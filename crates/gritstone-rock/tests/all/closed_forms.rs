//! Cubes, balls, ellipsoids and a bracket, of which everything is known.

use std::collections::HashMap;
use std::f64::consts::PI;

use glam::{DQuat, DVec3};
use gritstone_rock::{Rock, RockError};
use gritstone_shape::Body as _;

/// Triangles of a prism of height 1 over a polygon that is a fan about its first corner.
fn prism(polygon: &[[f64; 2]]) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let count = polygon.len() as u32;
    let at = |z: f64| polygon.iter().map(move |[x, y]| DVec3::new(*x, *y, z));
    let points = at(0.0).chain(at(1.0)).collect();
    let mut triangles = Vec::new();
    for i in 1..count - 1 {
        triangles.push([0, i + 1, i]);
        triangles.push([count, count + i, count + i + 1]);
    }
    for i in 0..count {
        let next = (i + 1) % count;
        triangles.push([i, next, count + next]);
        triangles.push([i, count + next, count + i]);
    }
    (points, triangles)
}

/// An octahedron, each triangle of which is cut into four, again and again; corners are on the unit ball.
fn ball(rounds: usize) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let mut points = vec![DVec3::X, DVec3::Y, DVec3::NEG_X, DVec3::NEG_Y, DVec3::Z, DVec3::NEG_Z];
    let mut triangles: Vec<[u32; 3]> =
        (0..4).flat_map(|i| [[i, (i + 1) % 4, 4], [(i + 1) % 4, i, 5]]).collect();
    for _ in 0..rounds {
        let mut middles = HashMap::new();
        let mut middle = |a: u32, b: u32| {
            *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                points.push((points[a as usize] + points[b as usize]).normalize());
                points.len() as u32 - 1
            })
        };
        let finer = triangles.iter().flat_map(|&[a, b, c]| {
            let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
            [[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]
        });
        triangles = finer.collect();
    }
    (points, triangles)
}

const SQUARE: [[f64; 2]; 4] = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
/// Three unit squares; every corner is seen from the first, which is the one in the notch.
const BRACKET: [[f64; 2]; 6] = [[1.0, 1.0], [1.0, 2.0], [0.0, 2.0], [0.0, 0.0], [2.0, 0.0], [2.0, 1.0]];

#[test]
fn a_cube_is_a_cube() {
    let (points, triangles) = prism(&SQUARE);
    let rock = Rock::new(&points, &triangles).unwrap();
    let mass = *rock.mass();
    assert!((mass.volume - 1.0).abs() < 1e-15, "{mass:?}");
    let second = mass.second_moments;
    for (found, expected) in [(second.xx, 1.0 / 12.0), (second.zz, 1.0 / 12.0), (second.xy, 0.0)] {
        assert!((found - expected).abs() < 1e-15, "{second:?}");
    }
    let hull = rock.hull(40).unwrap();
    assert_eq!(hull.shape.polytope().vertices().len(), 8);
    assert_eq!(hull.shape.polytope().faces().len(), 6);
    assert!(hull.position.length() < 1e-15 && (hull.volume() - 1.0).abs() < 1e-14);
    let deviation = rock.deviation(&[hull], 1.0).unwrap();
    assert!(deviation.distance < 1e-14 && deviation.volume.abs() < 1e-14, "{deviation:?}");
    let twice = rock.scaled(2.0);
    assert!((twice.mass().volume - 8.0).abs() < 1e-14);
    assert!((twice.mass().second_moments.xx - 32.0 / 12.0).abs() < 1e-14);
    assert!((twice.radius() - (6.0 / PI).cbrt()).abs() < 1e-15);
}

/// Volume and inertia of triangles on a ball are those of the ball but for a share that falls as the square of their length; a hull with
/// few vertices is as far inside as its volume and its distance say.
#[test]
fn a_ball_of_triangles_nears_the_ball() {
    let exact = (4.0 / 3.0 * PI, 4.0 / 15.0 * PI);
    let error = |rounds: usize| {
        let (points, triangles) = ball(rounds);
        let rock = Rock::new(&points, &triangles).unwrap();
        let second = rock.mass().second_moments;
        assert!((second.xx - second.zz).abs() < 1e-12 && second.xy.abs() < 1e-12);
        [1.0 - rock.mass().volume / exact.0, 1.0 - second.xx / exact.1]
    };
    let (coarse, fine) = (error(3), error(4));
    for (coarse, fine) in coarse.into_iter().zip(fine) {
        assert!(fine > 0.0 && (coarse / fine / 4.0 - 1.0).abs() < 0.05, "{coarse} {fine}");
    }
    let (points, triangles) = ball(4);
    let rock = Rock::new(&points, &triangles).unwrap();
    let side = |[a, b, c]: &[u32; 3]| [(*a, *b), (*b, *c), (*c, *a)];
    let length = |(a, b): (u32, u32)| points[a as usize].distance(points[b as usize]);
    let longest = triangles.iter().flat_map(side).map(length).fold(0.0, f64::max);
    for most in [12, 40, 200] {
        let hull = rock.hull(most).unwrap();
        assert_eq!(hull.shape.polytope().vertices().len(), most);
        let deviation = rock.deviation(std::slice::from_ref(&hull), hull.volume()).unwrap();
        // The face that is nearest to the middle is deepest below the ball, in its own middle. Points of the rock are on the ball at the
        // corners of triangles, whose circumscribed circles have radii up to h/√3.
        let faces = hull.shape.polytope().faces();
        let nearest = faces.iter().map(|f| f.offset + f.normal.dot(hull.position)).fold(1.0, f64::min);
        let short = 1.0 - nearest - deviation.distance;
        assert!((-1e-12..longest * longest / 6.0).contains(&short), "{most}: {deviation:?} {nearest}");
        assert!((deviation.volume - (hull.volume() / rock.mass().volume - 1.0)).abs() < 1e-12);
        assert!(deviation.volume < 0.0);
    }
}

/// Three cubes in a corner: the hull has half a cube more, and the middle of the notch's edge is half an edge from its ends, which are
/// nearer than the plane across the notch; two parts are what it is made of.
#[test]
fn a_bracket_has_two_parts() {
    let (points, triangles) = prism(&BRACKET);
    let rock = Rock::new(&points, &triangles).unwrap();
    assert!((rock.mass().volume - 3.0).abs() < 1e-14);
    let hull = rock.hull(40).unwrap();
    assert!((hull.volume() - 3.5).abs() < 1e-14);
    let deviation = rock.deviation(&[hull], 3.5).unwrap();
    assert!((deviation.volume - 1.0 / 6.0).abs() < 1e-14, "{deviation:?}");
    // Of 4 000 points on a surface of 14, the nearest to that middle is this far from it at most.
    let apart = (14.0_f64 / 4000.0).sqrt();
    assert!((0.0..apart).contains(&(0.5 - deviation.distance)), "{deviation:?}");
    let parts = rock.parts(2, 40).unwrap();
    assert_eq!(parts.len(), 2);
    // Cuts are between voxels, 64 along the longest side, which is 2.
    let voxel = 2.0 / 64.0;
    let volume: f64 = parts.iter().map(gritstone_rock::Part::volume).sum();
    assert!((volume - 3.0).abs() < 2.0 * voxel, "{volume}");
    let deviation = rock.deviation(&parts, volume).unwrap();
    assert!(deviation.distance < 2.0 * voxel, "{deviation:?}");
    // One part is the hull again.
    let one = rock.parts(1, 40).unwrap();
    assert!(one.len() == 1 && (one[0].volume() - 3.5).abs() < 1e-6, "{}", one[0].volume());
}

/// A turned ellipsoid is fitted by itself.
#[test]
fn an_ellipsoid_is_found() {
    let (points, triangles) = ball(4);
    let radii = DVec3::new(1.5, 1.0, 0.7);
    let turn = DQuat::from_xyzw(0.1, -0.3, 0.2, 0.8).normalize();
    let points: Vec<DVec3> = points.iter().map(|x| turn * (*x * radii) + DVec3::splat(3.0)).collect();
    let rock = Rock::new(&points, &triangles).unwrap();
    let fitted = rock.superellipsoid().unwrap();
    let mut found = fitted.shape.radii().to_array();
    found.sort_by(f64::total_cmp);
    for (found, expected) in found.into_iter().zip([0.7, 1.0, 1.5]) {
        assert!((found / expected - 1.0).abs() < 0.02, "{fitted:?}");
    }
    assert!(fitted.shape.exponents().iter().all(|e| (e - 1.0).abs() < 0.05), "{fitted:?}");
    let volume = fitted.shape.mass().volume;
    assert!((volume / rock.mass().volume - 1.0).abs() < 1e-12);
    assert!(fitted.rms < 0.01, "{fitted:?}");
    let deviation = rock.deviation(&[fitted.part().unwrap()], volume).unwrap();
    assert!(deviation.distance < 0.02 * rock.radius(), "{deviation:?}");
}

#[test]
fn what_encloses_nothing_is_refused() {
    let flat = [DVec3::ZERO, DVec3::X, DVec3::Y];
    assert_eq!(Rock::new(&flat, &[[0, 1, 2], [0, 2, 1]]), Err(RockError::NoVolume));
}
