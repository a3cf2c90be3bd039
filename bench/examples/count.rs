//! Count.
use gritstone_bench::polyhedra::*;
use gritstone_contact::space::*;
use gritstone_contact::*;
fn main() {
    for g in groups(1000) {
        let mut h = std::collections::BTreeMap::new();
        let mut hw = std::collections::BTreeMap::new();
        for c in &g.pairs {
            let p = |x: &[(gritstone_shape::space::Solid, gritstone_core::Pose<gritstone_core::Space>);
                          2]| x.clone();
            let (b, m) = (p(&c.bodies), p(&c.moved));
            let pl = |x: &(gritstone_shape::space::Solid, gritstone_core::Pose<gritstone_core::Space>)| {
                Placed { shape: Box::leak(Box::new(x.0.clone())), pose: x.1 }
            };
            let mut mem = Memory::default();
            let mut s = Scratch::default();
            let r = Auto.solve_warm(pl(&b[0]), pl(&b[1]), Query::default(), &mut mem, &mut s).unwrap();
            *h.entry(r.evaluations).or_insert(0) += 1;
            let r = Auto.solve_warm(pl(&m[0]), pl(&m[1]), Query::default(), &mut mem, &mut s).unwrap();
            *hw.entry(r.evaluations).or_insert(0) += 1;
        }
        println!("{} cold {h:?} warm {hw:?}", g.name);
    }
    for step in [1e-3, 1e-4, 1e-5] {
        let bed = Bed::new(step).unwrap();
        println!("{step} {:?}", bed.count());
    }
}
