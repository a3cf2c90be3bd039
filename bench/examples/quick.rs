//! Quick.
use gritstone_bench::polyhedra::*;
use gritstone_bench::*;
fn main() {
    let groups = groups(200);
    for g in &groups {
        let mut j = polyhedra::jobs(g);
        j.retain(|j| !j.name.starts_with("gjk"));
        let t = shortest_times(&mut j);
        let get = |s: &str| j.iter().position(|j| j.name.starts_with(s)).map(|i| t[i]).unwrap_or(f64::NAN);
        let (pc, pw, ac, aw) = (get("parry:"), get("parry, warm"), get("auto:"), get("auto, warm"));
        println!(
            "{:30} parry {pc:.0} {pw:.0} auto {ac:.0} {aw:.0} ratio {:.2} {:.2}",
            g.name,
            pc / ac,
            pw / aw
        );
    }
    println!("{:?}", wrong_distances(&groups));
    for step in [1e-3, 1e-4] {
        let bed = Bed::new(step).unwrap();
        let mut j: Vec<_> = bed.jobs().into_iter().collect();
        let t = shortest_times(&mut j);
        println!("{step} touching {} near {}", bed.touching.len(), bed.near.len());
        for (j, t) in j.iter().zip(t) {
            println!("{} {t:.0}", j.name);
        }
    }
}
