//! Flat superellipses with a slight crown.
//!
//! **Idea.** A superellipse with a large exponent is nearly straight along its sides: where it lies on one, the point that carries the
//! load jumps from end to end as it rocks, and nothing holds it at rest. A crown makes the sides very slightly barrelled, as in
//! [space](crate::space::Crowned): in the support function `r_i |c_i|` becomes `u_i = r'_i √(c_i² + η²|c|²)`, and a ball is added that rounds
//! corners. Lengths are rescaled such that the extents stay.
//!
//! **Notation.** N: power norm with the dual exponent; w = ∇N; k_i = w_i r'_i²/u_i. `∇h = k ∘ c + η² Σk c`,
//! `∇²h = Jᵀ (∇²N − diag(w/u)) J + diag(k) + η² Σk I`, J the rows ∇u_i.

use glam::DVec2;
use gritstone_core::linalg::Sym2;
use gritstone_core::{Mass, Outline, Plane};

use super::{Figure, Superellipse};
use crate::power_norm::PowerNorm;
use crate::{Body, Jet, Support, Trace};

/// Largest crown in parts of the ratio of the smaller to the larger extent.
const THINNEST: f64 = 0.1;
/// Radius of rounded corners over η and the smaller extent.
const RIM: f64 = 10.0;
/// Rounds in which the radii are rescaled; the error falls with η each time.
const ROUNDS: usize = 12;

/// Blockiness up to which superellipses get no crown: they come to rest as points.
pub const CURVED_BLOCKINESS: f64 = 2.0 / 0.7;

/// A superellipse with a slight crown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crowned {
    exact: Superellipse,
    norm: PowerNorm,
    /// Squares of the rescaled radii.
    squares: DVec2,
    /// η.
    crown: f64,
    /// Radius of the ball that is added.
    ball: f64,
}

impl Crowned {
    /// A shape with the crown η, bounded for thin ones; none for shapes that need none.
    pub fn of(shape: &Figure, crown: f64) -> Option<Self> {
        match shape {
            Figure::Superellipse(exact) if crown > 0.0 && exact.blockiness() > CURVED_BLOCKINESS => {
                Some(Self::new(*exact, crown))
            }
            _ => None,
        }
    }

    fn new(exact: Superellipse, asked: f64) -> Self {
        let (radii, n) = (exact.semi_axes(), exact.blockiness());
        let crown = asked.min(THINNEST * radii.min_element() / radii.max_element());
        let ball = RIM * crown * radii.min_element();
        let norm = PowerNorm::new(n / (n - 1.0));
        let mut crowned = Self { exact, norm, squares: radii * radii, crown, ball };
        for _ in 0..ROUNDS {
            let extents = DVec2::AXES.map(|axis| {
                let u = crowned.heights(axis);
                norm.value(u.x, u.y)
            });
            let factor = (radii - ball) / DVec2::from_array(extents);
            crowned.squares *= factor * factor;
        }
        crowned
    }

    /// The shape without its crown.
    pub fn exact(&self) -> Figure {
        self.exact.into()
    }

    /// The crown η that the shape has.
    pub fn crown(&self) -> f64 {
        self.crown
    }

    /// The name of the exact shape.
    pub(super) fn name(&self) -> &'static str {
        "superellipse"
    }

    pub(super) fn shape(&self) -> &Self {
        self
    }

    /// u.
    #[inline]
    fn heights(&self, n: DVec2) -> DVec2 {
        let squares = self.squares * (n * n + self.crown * self.crown * n.length_squared());
        DVec2::new(squares.x.sqrt(), squares.y.sqrt())
    }

    #[inline]
    fn point(&self, n: DVec2, k: DVec2) -> DVec2 {
        k * n + n * (self.crown * self.crown * k.element_sum())
    }
}

impl Support<Plane> for Crowned {
    #[inline]
    fn support(&self, n: DVec2) -> DVec2 {
        let u = self.heights(n);
        let (_, w) = self.norm.gradient(u.x, u.y);
        self.point(n, w * self.squares / u) + n * (self.ball / n.length())
    }

    #[inline]
    fn jet(&self, n: DVec2) -> Jet<Plane> {
        let u = self.heights(n);
        let jet = self.norm.jet(u.x, u.y);
        let scale = self.squares / u;
        let k = jet.gradient * scale;
        let crown2 = self.crown * self.crown;
        let rows = [0, 1].map(|i| (DVec2::AXES[i] * n[i] + n * crown2) * scale[i]);
        let bent = k + DVec2::splat(crown2 * k.element_sum() + self.ball);
        let across = rows[0] * jet.across.x + rows[1] * jet.across.y;
        let hessian = Sym2 { xx: bent.x, yy: bent.y, xy: 0.0 }
            + Sym2::outer(n, -self.ball)
            + Sym2::outer(across, jet.scaled_second * jet.inverse_value)
            + Sym2::outer(rows[0], -jet.gradient.x / u.x)
            + Sym2::outer(rows[1], -jet.gradient.y / u.y);
        Jet { point: self.point(n, k) + n * self.ball, hessian }
    }

    /// That of the exact shape, which holds it.
    fn size(&self) -> f64 {
        self.exact.size()
    }

    fn curved(&self) -> bool {
        true
    }

    fn nested_ball(&self, _: DVec2, _: DVec2, _: f64) -> f64 {
        self.ball
    }

    fn rolling_ball(&self) -> f64 {
        self.ball
    }
}

/// That of the exact shape.
impl Body<Plane> for Crowned {
    fn mass(&self) -> Mass<Plane> {
        self.exact.mass()
    }

    fn half_extents(&self) -> DVec2 {
        self.exact.half_extents()
    }
}

/// That of the exact shape: the crown is too slight to be seen.
impl Trace for Crowned {
    fn outline(&self, detail: u32) -> Outline {
        self.exact.outline(detail)
    }
}
