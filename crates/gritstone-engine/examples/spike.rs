//! spike
#![allow(missing_docs, clippy::all, clippy::pedantic, unused)]
use glam::{DQuat, DVec3};
use gritstone_core::{Pose, Space};
use gritstone_engine::*;
use gritstone_force::*;
use gritstone_shape::space::{HalfSpace, Polyhedron, Solid};

pub struct Dice(u64);
impl Dice {
    fn u(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 11) as f64) / (1u64 << 53) as f64
    }
    fn b(&mut self, a: f64, b: f64) -> f64 {
        a + (b - a) * self.u()
    }
    fn v(&mut self) -> DVec3 {
        loop {
            let v = DVec3::new(self.b(-1., 1.), self.b(-1., 1.), self.b(-1., 1.));
            if v.length() < 1.0 && v.length() > 0.1 {
                return v;
            }
        }
    }
    fn q(&mut self) -> DQuat {
        loop {
            let q = glam::DVec4::new(self.b(-1., 1.), self.b(-1., 1.), self.b(-1., 1.), self.b(-1., 1.));
            if q.length() < 1.0 && q.length() > 0.1 {
                return DQuat::from_vec4(q.normalize());
            }
        }
    }
}
fn hull(p: &[DVec3]) -> Solid {
    Polyhedron::hull(p).unwrap().0.into()
}
fn cube(h: f64) -> Solid {
    boxy(DVec3::splat(h))
}
fn boxy(h: DVec3) -> Solid {
    let s = |b: usize| [-1.0, 1.0][b & 1];
    hull(&(0..8).map(|i| DVec3::new(s(i), s(i >> 1), s(i >> 2)) * h).collect::<Vec<_>>())
}
fn tetra() -> Solid {
    hull(
        &[
            DVec3::new(1., 1., 1.),
            DVec3::new(1., -1., -1.),
            DVec3::new(-1., 1., -1.),
            DVec3::new(-1., -1., 1.),
        ]
        .map(|x| x * 0.7),
    )
}
fn grain14() -> Solid {
    let s = |b: usize| [-1.0, 1.0][b & 1];
    hull(
        &(0..8)
            .map(|i| DVec3::new(s(i), s(i >> 1), s(i >> 2)) * 0.6)
            .chain(DVec3::AXES.into_iter().flat_map(|a| [a * 0.9, a * -0.9]))
            .collect::<Vec<_>>(),
    )
}
fn prism() -> Solid {
    hull(
        &(0..24)
            .flat_map(|k| {
                let (s, c) = (std::f64::consts::TAU * k as f64 / 24.).sin_cos();
                [-0.6, 0.6].map(|z| DVec3::new(0.8 * c, 0.8 * s, z))
            })
            .collect::<Vec<_>>(),
    )
}
fn material(st: Stiffness, e: f64, mu: f64) -> Material {
    Material {
        name: "m".into(),
        density: 1000.0,
        stiffness: st,
        damping: Damping::Restitution(e),
        friction: Friction::Coefficient(mu),
        rolling: 0.,
        twisting: 0.,
        cohesion: Adhesion::None,
    }
}
fn setup(m: Material, dt: f64) -> Setup<Space> {
    Setup {
        shapes: vec![],
        densities: vec![m.density],
        interactions: Interactions::mix(&[m], &[]).unwrap(),
        method: None,
        rules: Rules {
            radius: RadiusRule::Volume,
            flat: if std::env::var("STRICT").is_ok() { FlatRule::StrictPatch } else { FlatRule::Patch },
        },
        grains: vec![],
        walls: vec![],
        tools: vec![],
        gravity: DVec3::ZERO,
        time_step: dt,
        domain: None,
        compounds: Compounds::new(),
        cell: None,
    }
}
fn grain(id: u32, shape: u32, pose: Pose<Space>) -> Grain<Space> {
    Grain { id, shape, material: 0, pose, velocity: DVec3::ZERO, spin: DVec3::ZERO, frozen: false }
}
fn plane(n: DVec3, o: f64) -> Wall<Space> {
    Wall::fixed("p", HalfSpace::new(n.normalize(), o).unwrap().into(), 0)
}
fn lowest(s: &Solid, q: DQuat, n: DVec3) -> f64 {
    use gritstone_shape::Support;
    n.dot(q * s.support(q.conjugate() * n))
}
fn vol(s: &Solid) -> f64 {
    s.body().unwrap().mass().volume
}
fn mesh(faces: &[[DVec3; 3]]) -> Option<Wall<Space>> {
    let mut pts: Vec<[f64; 3]> = vec![];
    let mut tri: Vec<[u32; 3]> = vec![];
    for f in faces {
        tri.push(f.map(|x| {
            let x = x.to_array();
            match pts.iter().position(|p| *p == x) {
                Some(i) => i as u32,
                None => {
                    pts.push(x);
                    pts.len() as u32 - 1
                }
            }
        }));
    }
    mk(pts, tri)
}
fn mk(p: Vec<[f64; 3]>, t: Vec<[u32; 3]>) -> Option<Wall<Space>> {
    None
}

/// elastic impacts
fn impacts() {
    for hertz in [false, true] {
        for steps in [20.0, 50.0, 100.0] {
            let (mut sq, mut n, mut worst, mut mean) = (0.0, 0, 0.0_f64, 0.0);
            for (i, s) in [cube(0.6), tetra(), grain14(), prism()].into_iter().enumerate() {
                for kind in 0..4 {
                    let mut d = Dice(17 + kind);
                    for ev in 0..12 {
                        let kn = 1e5;
                        let m = vol(&s) * 1000.0;
                        let red = if kind == 3 { m / 2. } else { m };
                        let speed = 0.02 / (red / kn as f64).sqrt();
                        let dt = std::f64::consts::PI * (red / kn).sqrt() / steps;
                        let st = if hertz {
                            Stiffness::Hertz { young: 2. * 0.91 * 1e5, poisson: 0.3 }
                        } else {
                            Stiffness::Linear { kn, ks: kn }
                        };
                        let mut w = setup(material(st, 1.0, 0.0), dt);
                        w.shapes = vec![s.clone()];
                        let q = d.q();
                        let v = d.v();
                        let mut g = grain(0, 0, Pose::new(DVec3::ZERO, q));
                        g.velocity = DVec3::new(0.2 * v.x, 0.2 * v.y, -1.0) * speed;
                        g.spin = v * 0.5 * speed;
                        match kind {
                            0 => {
                                w.walls = vec![plane(DVec3::Z, 0.)];
                                g.pose.position = DVec3::Z * (lowest(&s, q, DVec3::NEG_Z) + 0.002);
                            }
                            1 => {
                                w.walls = vec![
                                    plane(DVec3::new(0.5, 0., 1.), 0.),
                                    plane(DVec3::new(-0.5, 0.1, 1.), 0.),
                                ];
                                g.pose.position = DVec3::new(d.b(-0.4, 0.4), d.b(-0.4, 0.4), 3.0);
                            }
                            _ => {
                                g.pose.position = DVec3::new(d.b(-0.4, 0.4), d.b(-0.4, 0.4), 2.2);
                                let mut o = grain(1, 0, Pose::new(DVec3::ZERO, d.q()));
                                o.frozen = kind == 2;
                                w.grains.push(o);
                            }
                        }
                        if kind == 1 || kind >= 2 {
                            g.pose.position.z += 0.0;
                        }
                        w.grains.push(g);
                        let mut w = World::new(&w).unwrap();
                        let e0 = w.energies().kinetic();
                        let (mut t, mut apart) = (false, 0.0);
                        for _ in 0..(400.0 * steps) as usize {
                            w.step().unwrap();
                            let c = w.energies().elastic != 0.0;
                            t |= c;
                            apart = if c { 0.0 } else { apart + 1.0 };
                            if t && apart > steps {
                                break;
                            }
                        }
                        if !t {
                            continue;
                        }
                        let ch = w.energies().kinetic() / e0 - 1.0;
                        sq += ch * ch;
                        n += 1;
                        worst = if ch.abs() > worst.abs() { ch } else { worst };
                        mean += ch;
                    }
                }
            }
            println!(
                "impacts hertz={hertz} steps {steps}: n {n} rms {:.1e} worst {worst:.1e} mean {:.1e}",
                (sq / n as f64).sqrt(),
                mean / n as f64
            );
        }
    }
}
/// restitution
fn restitution() {
    let half = 0.005;
    let s = cube(half);
    let m = vol(&s) * 1000.0;
    let cases = [
        ("face", DQuat::IDENTITY),
        ("edge", DQuat::from_rotation_x(std::f64::consts::FRAC_PI_4)),
        ("corner", DQuat::from_rotation_arc(DVec3::ONE.normalize(), DVec3::Z)),
        ("ecc", DQuat::from_rotation_y(0.5) * DQuat::from_rotation_x(0.4)),
        ("ecc far", DQuat::from_rotation_y(0.1) * DQuat::from_rotation_x(0.15)),
        ("ecc edge", DQuat::from_rotation_x(0.3)),
    ];
    for (name, q) in cases {
        for hertz in [false, true] {
            let mut line = format!("restitution {name} hertz={hertz}:");
            for e in [0.05, 0.1, 0.2, 0.5, 0.8, 1.0] {
                let speed = 0.5;
                let depth = 1e-3 * 2. * half;
                let face = name == "face";
                let point = -half * (q.inverse() * DVec3::Z).signum();
                let lever = if face || name == "edge" {
                    DVec3::ZERO
                } else if name == "ecc edge" {
                    let y = (q * point).y;
                    DVec3::new(-y, 0., 0.)
                } else {
                    (q * point).cross(DVec3::Z)
                };
                let inertia = 4. * half * half / 6.;
                let meff = m / (1.0 + lever.length_squared() / inertia);
                let kn = meff * (speed / depth as f64).powi(2);
                let st = if hertz {
                    Stiffness::Hertz {
                        young: 2. * 0.91 * kn / (2. * half * depth as f64).sqrt()
                            * if face { 0.3 } else { 1.0 },
                        poisson: 0.3,
                    }
                } else {
                    Stiffness::Linear { kn, ks: kn }
                };
                let dt = std::f64::consts::PI * (meff / kn).sqrt() / 50.0;
                let mut w = setup(material(st, e, 0.0), dt);
                w.shapes = vec![s.clone()];
                w.walls = vec![plane(DVec3::Z, 0.)];
                let mut g =
                    grain(0, 0, Pose::new(DVec3::Z * (lowest(&s, q, DVec3::NEG_Z) + 0.3 * speed * dt), q));
                g.velocity = DVec3::Z * -speed;
                w.grains.push(g);
                let mut w = World::new(&w).unwrap();
                let mut t = false;
                let mut n = 0;
                for _ in 0..20000 {
                    w.step().unwrap();
                    let c = w.status().contacts > 0;
                    if t && !c {
                        break;
                    }
                    t |= c;
                    n += 1;
                }
                let en = w.energies();
                let now = en.kinetic();
                let (e0, ei) = (0.5 * m * speed * speed, 0.5 * meff * speed * speed);
                line += &format!(
                    " {e}->{:.4} (b {:.1e})",
                    (1.0 - (e0 - now) / ei).max(0.).sqrt(),
                    (now + en.elastic + en.dissipated) / e0 - 1.0
                );
            }
            println!("{line}");
        }
    }
}
fn rest() {
    for (name, s) in [("cube", cube(0.6)), ("tetra", tetra()), ("14", grain14()), ("prism", prism())] {
        for e in [0.1, 0.5, 0.9] {
            for hertz in [false, true] {
                let m = vol(&s) * 1000.0;
                let g = 9.81;
                let kn = m * g / 1e-3;
                let st = if hertz {
                    Stiffness::Hertz { young: 2. * 0.91 * kn, poisson: 0.3 }
                } else {
                    Stiffness::Linear { kn, ks: kn * 2. / 7. }
                };
                let dt = std::f64::consts::PI * (m / kn).sqrt() / 50.0;
                let mut w = setup(material(st, e, 0.5), dt);
                w.gravity = DVec3::Z * -g;
                w.shapes = vec![s.clone()];
                w.walls = vec![plane(DVec3::Z, 0.)];
                let q = DQuat::from_rotation_y(0.5) * DQuat::from_rotation_x(0.4);
                w.grains.push(grain(0, 0, Pose::new(DVec3::Z * (lowest(&s, q, DVec3::NEG_Z) + 0.5), q)));
                let mut w = World::new(&w).unwrap();
                let e0 = m * g * 0.5;
                let b0 = w.energies().balance();
                let mut line = format!("rest {name} e {e} hertz={hertz}:");
                for k in 0..4 {
                    while w.time() < 2.0 * (k + 1) as f64 {
                        w.step().unwrap();
                    }
                    line += &format!(" {:.1e}", w.energies().kinetic() / e0);
                }
                let en = w.energies();
                println!("{line} books {:.1e}", (en.balance() - b0) / e0);
            }
        }
    }
}
fn tower() {
    let s = cube(0.05);
    let m = vol(&s) * 1000.0;
    let kn = 10. * m * 9.81 / (0.9e-4 * 0.1);
    let dt = std::f64::consts::PI * (0.5 * m / kn).sqrt() / 30.0;
    let mut w = setup(material(Stiffness::Linear { kn, ks: kn * 2. / 7. }, 0.5, 0.5), dt);
    w.gravity = DVec3::Z * -9.81;
    w.shapes = vec![s];
    w.walls = vec![plane(DVec3::Z, 0.)];
    for i in 0..10 {
        w.grains.push(grain(
            i,
            0,
            Pose::at(DVec3::new(if i % 2 == 0 { 1e-3 } else { -1e-3 }, 0., 0.1 * (i as f64 + 0.5))),
        ));
    }
    let mut w = World::new(&w).unwrap();
    let t = std::time::Instant::now();
    let top = |w: &World<Space>| w.snapshot().bodies[9].pose.position;
    let p0 = top(&w);
    for k in 0..4 {
        while w.time() < 0.5 * (k + 1) as f64 {
            w.step().unwrap();
        }
        println!(
            "tower t {} top moved {:.3e} of edge, ke {:.1e}, {:?}",
            w.time(),
            (top(&w) - p0).length() / 0.1,
            w.energies().kinetic(),
            t.elapsed()
        );
    }
}
fn friction() {
    // box 2x2x1 cm on plane: spinning, sliding, both
    for (name, s) in [
        ("box", boxy(DVec3::new(0.01, 0.01, 0.004))),
        ("slab", boxy(DVec3::new(0.02, 0.005, 0.004))),
        ("disc24", {
            hull(
                &(0..48)
                    .flat_map(|k| {
                        let (s, c) = (std::f64::consts::TAU * k as f64 / 48.).sin_cos();
                        [-0.003, 0.003].map(|z| DVec3::new(0.01 * c, 0.01 * s, z))
                    })
                    .collect::<Vec<_>>(),
            )
        }),
    ] {
        for (v, sp) in [(0.0, 60.0), (0.3, 0.0), (0.3, 60.0), (0.1, 60.0)] {
            let m = vol(&s) * 1000.;
            let dt = 5e-6;
            let mut w = setup(material(Stiffness::Hertz { young: 1e7, poisson: 0.3 }, 0.5, 0.3), dt);
            w.gravity = DVec3::Z * -9.81;
            w.shapes = vec![s.clone()];
            w.walls = vec![plane(DVec3::Z, 0.)];
            let k = 1.106 * 1e7 / 1.82 * (4e-4f64).sqrt();
            let mut g =
                grain(0, 0, Pose::at(DVec3::Z * (lowest(&s, DQuat::IDENTITY, DVec3::NEG_Z) - m * 9.81 / k)));
            g.velocity = DVec3::X * v;
            g.spin = DVec3::Z * sp;
            w.grains.push(g);
            let mut w = World::new(&w).unwrap();
            let mut tv = 0.0;
            let mut ts = 0.0;
            let mut tilt = 0.0_f64;
            let mut s10 = 0.0;
            while w.time() < 0.4 {
                w.step().unwrap();
                let b = &w.snapshot().bodies[0];
                if b.velocity.truncate().length() > 1e-3 * v.max(0.03) {
                    tv = w.time();
                }
                if b.spin.z.abs() > 1e-3 * 60. {
                    ts = w.time();
                }
                tilt = tilt.max((b.spin.x.powi(2) + b.spin.y.powi(2)).sqrt());
                if w.time() < 0.02 {
                    s10 = (sp - b.spin.z) / w.time()
                }
            }
            println!(
                "friction {name} v {v} spin {sp}: slides {tv:.4} spins {ts:.4} (v/mu g {:.4}) decel {s10:.1} way {:.5} tilt rate {tilt:.1e} books {:.1e}",
                v / 0.3 / 9.81,
                w.snapshot().bodies[0].pose.position.x,
                w.energies().balance()
            );
        }
    }
}
fn stl(name: &str) -> Wall<Space> {
    let t = std::fs::read_to_string(format!("/work/shared/validation/mechanics/{name}.stl")).unwrap();
    let v: Vec<DVec3> = t
        .lines()
        .filter_map(|l| l.trim().strip_prefix("vertex "))
        .map(|l| {
            let x: Vec<f64> = l.split_whitespace().map(|x| x.parse().unwrap()).collect();
            DVec3::new(x[0], x[1], x[2])
        })
        .collect();
    let tri: Vec<[DVec3; 3]> = v.chunks(3).map(|c| [c[0], c[1], c[2]]).collect();
    let mesh = TriangleMesh::new(&tri, Sides::Outside)
        .unwrap_or_else(|_| TriangleMesh::new(&tri, Sides::Both).unwrap());
    let ball = gritstone_shape::space::Sphere::new(1.0).unwrap();
    Wall { surface: Some(Surface::Mesh(mesh.into())), ..Wall::fixed(name, ball.into(), 0) }
}
fn meshes() {
    for hertz in [true, false] {
        for name in ["ridge", "peak", "bump", "rough", "plate0.03"] {
            for (sn, s) in [
                ("cube", cube(0.006)),
                (
                    "tetra",
                    hull(
                        &[
                            DVec3::new(1., 1., 1.),
                            DVec3::new(1., -1., -1.),
                            DVec3::new(-1., 1., -1.),
                            DVec3::new(-1., -1., 1.),
                        ]
                        .map(|x| x * 0.007),
                    ),
                ),
                ("slab", boxy(DVec3::new(0.01, 0.006, 0.003))),
            ] {
                let (mut sq, mut n, mut worst, mut mean) = (0.0, 0, 0.0_f64, 0.0);
                let mut d = Dice(5);
                for _ in 0..12 {
                    let m = vol(&s) * 2500.;
                    let kn = 2e3;
                    let mut mat = material(
                        if hertz {
                            Stiffness::Hertz { young: 1e6, poisson: 0.3 }
                        } else {
                            Stiffness::Linear { kn, ks: kn }
                        },
                        1.0,
                        0.0,
                    );
                    mat.density = 2500.;
                    let k = if hertz { 1.106 * 1e6 / 1.82 * 0.012 } else { kn };
                    let dt = std::f64::consts::PI * (m / k as f64).sqrt() / 50.0;
                    let mut w = setup(mat, dt);
                    w.shapes = vec![s.clone()];
                    w.walls = vec![stl(name)];
                    let mut g = grain(
                        0,
                        0,
                        Pose::new(DVec3::new(d.b(-0.008, 0.008), d.b(-0.008, 0.008), 0.03), d.q()),
                    );
                    g.velocity = DVec3::new(0., 0., -0.5);
                    g.spin = d.v() * 10.;
                    w.grains.push(g);
                    let mut w = World::new(&w).unwrap();
                    let e0 = w.energies().kinetic();
                    let (mut t, mut apart) = (false, 0);
                    for _ in 0..20000 {
                        w.step().unwrap();
                        let c = w.energies().elastic != 0.0;
                        t |= c;
                        apart = if c { 0 } else { apart + 1 };
                        if t && apart > 100 {
                            break;
                        }
                        if w.snapshot().bodies[0].pose.position.z < -0.1 {
                            break;
                        }
                    }
                    if !t {
                        continue;
                    }
                    let ch = w.energies().kinetic() / e0 - 1.0;
                    sq += ch * ch;
                    n += 1;
                    worst = if ch.abs() > worst.abs() { ch } else { worst };
                    mean += ch;
                }
                println!(
                    "mesh {name} {sn} hertz={hertz}: n {n} rms {:.1e} worst {worst:.1e} mean {:.1e}",
                    (sq / n as f64).sqrt(),
                    mean / n as f64
                );
            }
        }
    }
}
/// two half cubes that are one
fn halves() {
    for (name, parts) in [("whole", 0), ("halves", 2)] {
        let h: f64 = 0.005;
        let m = 8. * h * h * h * 1000.0;
        let kn = m * 9.81 / (1e-3 * h);
        let dt = std::f64::consts::PI * (m / kn).sqrt() / 50.0;
        let mut w = setup(material(Stiffness::Linear { kn, ks: kn * 2. / 7. }, 0.5, 0.3), dt);
        w.gravity = DVec3::Z * -9.81;
        w.shapes = vec![cube(h)];
        if parts > 0 {
            let half = boxy(DVec3::new(0.5 * h, h, h));
            let p = |s: f64| Part { shape: half.clone(), pose: Pose::at(DVec3::X * (0.5 * s * h)) };
            w.compounds.insert(0, Compound::new(vec![p(-1.), p(1.)]).unwrap().0);
        }
        w.walls = vec![plane(DVec3::Z, 0.)];
        let q = DQuat::from_rotation_y(0.5) * DQuat::from_rotation_x(0.4);
        w.grains.push(grain(0, 0, Pose::new(DVec3::Z * (lowest(&cube(h), q, DVec3::NEG_Z) + 0.3 * h), q)));
        let mut w = World::new(&w).unwrap();
        let b0 = w.energies().balance();
        let mut line = format!("halves {name}:");
        for k in 1..=5 {
            while w.time() < 0.02 * k as f64 {
                w.step().unwrap();
            }
            let b = &w.snapshot().bodies[0];
            line += &format!(
                " [{:.9} {:.9} {:.1e}]",
                b.pose.position.x / h,
                b.pose.position.z / h,
                w.energies().kinetic()
            );
        }
        println!("{line} books {:.1e}", (w.energies().balance() - b0) / w.energies().dissipated);
    }
}
fn main() {
    let a = std::env::args().nth(1).unwrap_or_default();
    if a.contains('i') {
        impacts();
    }
    if a.contains('r') {
        restitution();
    }
    if a.contains('R') {
        rest();
    }
    if a.contains('t') {
        tower();
    }
    if a.contains('m') {
        meshes();
    }
    if a.contains('h') {
        halves();
    }
    if a.contains('f') {
        friction();
    }
}
