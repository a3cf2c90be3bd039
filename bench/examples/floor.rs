//! Floor.
use glam::*;
use std::hint::black_box;
use std::time::Instant;
fn time(name: &str, mut f: impl FnMut()) {
    let mut best = f64::INFINITY;
    for _ in 0..50 {
        let t = Instant::now();
        for _ in 0..1000 {
            f();
        }
        best = best.min(t.elapsed().as_secs_f64() * 1e6);
    }
    println!("{name} {best:.1} ns");
}
fn main() {
    let q = DQuat::from_xyzw(0.1, 0.2, 0.3, 0.9).normalize();
    time("from_quat", || {
        black_box(DMat3::from_quat(black_box(q)));
    });
    let m = DMat3::from_quat(q);
    time("mat3 t*mat3", || {
        black_box(black_box(m).transpose() * black_box(m));
    });
    time("mat3*vec", || {
        black_box(black_box(m) * black_box(DVec3::X));
    });
    let pts: Vec<DVec3> =
        (0..8).map(|i| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64) - 0.5).collect();
    let p = gritstone_shape::space::Polyhedron::hull(&pts).unwrap().0;
    time("scan 8", || {
        black_box(p.polytope().support(black_box(DVec3::new(0.3, 0.2, 0.9))));
    });
    let tips = DVec3::AXES.into_iter().flat_map(|axis| [axis * 0.75, axis * -0.75]);
    let p = gritstone_shape::space::Polyhedron::hull(&pts.iter().copied().chain(tips).collect::<Vec<_>>())
        .unwrap()
        .0;
    time("scan 14", || {
        black_box(p.polytope().support(black_box(DVec3::new(0.3, 0.2, 0.9))));
    });
    let p4 = gritstone_shape::space::Polyhedron::hull(&[pts[0], pts[3], pts[5], pts[6]]).unwrap().0;
    time("scan 4", || {
        black_box(p4.polytope().support(black_box(DVec3::new(0.3, 0.2, 0.9))));
    });
}
