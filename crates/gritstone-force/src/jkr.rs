//! Adhesion after Johnson, Kendall and Roberts.
//!
//! **Idea.** Surfaces that gain the energy w for each square metre that they touch are drawn into a larger contact than
//! Hertz's, and a neck holds them together when they are pulled apart: bodies that have touched act on each other up to a
//! reach beyond contact, bodies that have not do not.
//!
//! **Source.** \[johnson1971\]; friction after \[marshall2009\].
//!
//! **Notation.** w: work of adhesion (J/m²), of both surfaces together; a: radius of the contact; x = √a;
//! `A = R*·√(2πw/Y*)`; `δ = a²/R* − √(2πwa/Y*)`, that is `x⁴ − A·x = R*·δ`; `F = 4Y*a³/3R* − √(8πwY*a³)`. Pull-off force
//! `Fc = 3/2·π·w·R*`.
//!
//! **Deviations.** Damping is that of Hertz with the radius a. The force is kept above −Fc. Friction holds up to
//! `μ·(F + 2Fc)`.

use crate::law::Normal;

/// y = x/A^⅓ where the contact breaks: the largest separation, `4y³ = 1`.
const BREAK: f64 = 0.629_960_524_947_436_6;

/// Newton steps: quadratic but near the break, where each halves the error.
const STEPS: usize = 60;

/// What the contact does, or nothing where it has broken or not yet begun.
#[inline]
pub(crate) fn respond(
    young: f64,
    shear: f64,
    work: f64,
    radius: f64,
    depth: f64,
    touching: bool,
) -> Option<Normal<f64>> {
    let reach = reach(young, work, radius);
    if depth <= if touching { -reach } else { 0.0 } {
        return None;
    }
    let scale = scale(young, work, radius);
    let root = libm::cbrt(scale);
    let x = root * stretch(radius * depth / (scale * root));
    let (a, x3) = (x * x, x * x * x);
    let force = young / radius * (4.0 / 3.0 * x3 * x3 - 2.0 * scale * x3);
    let pull_off = pull_off(work, radius);
    let energy = energy(young, scale, radius, x);
    Some(Normal {
        repulsion: force + pull_off,
        attraction: pull_off,
        grip: pull_off,
        secant: 4.0 / 3.0 * young * a,
        shear: 8.0 * shear * a,
        energy,
        // U = U₀·u(δ/δ₀) with U₀ ∝ R*^(4/3) and δ₀ ∝ R*^(1/3).
        by_radius: (4.0 * energy - force * depth) / 3.0,
    })
}

/// Largest force that the contact can pull with, `3/2·π·w·R*` (N).
pub fn pull_off(work: f64, radius: f64) -> f64 {
    1.5 * std::f64::consts::PI * work * radius
}

/// How far apart bodies that have touched still hold each other (m).
pub fn reach(young: f64, work: f64, radius: f64) -> f64 {
    let scale = scale(young, work, radius);
    0.75 * BREAK * scale * libm::cbrt(scale) / radius
}

/// Energy lost when the surfaces jump into contact, and when the neck breaks (J).
pub(crate) fn jumps(young: f64, work: f64, radius: f64) -> [f64; 2] {
    let scale = scale(young, work, radius);
    let root = libm::cbrt(scale);
    [-energy(young, scale, radius, root), energy(young, scale, radius, BREAK * root)]
}

/// A = R*·√(2πw/Y*).
fn scale(young: f64, work: f64, radius: f64) -> f64 {
    radius * (2.0 * std::f64::consts::PI * work / young).sqrt()
}

/// The larger root of `y⁴ − y = d`. The left side is convex and the start lies beyond the root: each step comes nearer.
fn stretch(d: f64) -> f64 {
    let mut y = 1.0 + d.max(0.0).sqrt().sqrt();
    for _ in 0..STEPS {
        let y3 = y * y * y;
        let next = y - (y * y3 - y - d) / (4.0 * y3 - 1.0);
        if next >= y || next < BREAK {
            break;
        }
        y = next;
    }
    y
}

/// ∫F dδ from the point contact a = 0.
fn energy(young: f64, scale: f64, radius: f64, x: f64) -> f64 {
    let (x3, x4) = (x * x * x, x * x * x * x);
    young / (radius * radius) * x4 * (8.0 / 15.0 * x3 * x3 - 4.0 / 3.0 * scale * x3 + 0.5 * scale * scale)
}
