//! Poses of eight bodies.

use gritstone_core::lanes::{Lanes, Mask, Sym3, Turn, Vec3};

/// Where eight bodies are.
#[derive(Clone, Copy, Debug)]
pub struct Body<L> {
    /// Centres.
    pub position: Vec3<L>,
    /// Unit quaternions x, y, z, w.
    pub rotation: [L; 4],
}

impl<L: Lanes> Body<L> {
    /// The body's axes in the world.
    #[inline(always)]
    pub fn turn(&self) -> Turn<L> {
        let [x, y, z, w] = self.rotation;
        Turn::from_quaternion([w, x, y, z])
    }

    /// `R diag(squares) Rᵀ`.
    #[inline(always)]
    pub(super) fn tensor(&self, squares: [L; 3]) -> Sym3<L> {
        // Bodies of revolution about their third axis need that axis alone.
        let [a, b, c] = squares;
        let round = a.le(b) & b.le(a);
        let axis = self.turn().columns[2];
        let long = axis * (c - a);
        let tensor = Sym3::from_array([
            long.x.mul_add(axis.x, a),
            long.y.mul_add(axis.y, a),
            long.z.mul_add(axis.z, a),
            long.x * axis.y,
            long.x * axis.z,
            long.y * axis.z,
        ]);
        if (!round).any() { Sym3::select(round, tensor, self.triaxial_tensor(squares)) } else { tensor }
    }

    #[inline(always)]
    fn triaxial_tensor(&self, squares: [L; 3]) -> Sym3<L> {
        let [u, v, w] = self.turn().columns;
        let (a, b, c) = (u * squares[0], v * squares[1], w * squares[2]);
        Sym3::from_array([
            a.x.mul_add(u.x, b.x.mul_add(v.x, c.x * w.x)),
            a.y.mul_add(u.y, b.y.mul_add(v.y, c.y * w.y)),
            a.z.mul_add(u.z, b.z.mul_add(v.z, c.z * w.z)),
            a.x.mul_add(u.y, b.x.mul_add(v.y, c.x * w.y)),
            a.x.mul_add(u.z, b.x.mul_add(v.z, c.x * w.z)),
            a.y.mul_add(u.z, b.y.mul_add(v.z, c.y * w.z)),
        ])
    }
}
