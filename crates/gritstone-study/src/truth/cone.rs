//! Convex cones of directions.

use super::scalar::Scalar;
use super::vector::Vector;

/// A convex cone, by its edges: unit vectors in order.
#[derive(Clone, Debug)]
pub(crate) struct Cone<S> {
    edges: Vec<Vector<S>>,
}

impl<S: Scalar> Cone<S> {
    /// Eight cones that fill space. They are tilted against the coordinate axes, so that a maximum on an axis, where
    /// aligned bodies have it, lies inside of one and not on the border of four.
    pub(crate) fn sphere() -> Vec<Self> {
        let axes = [[2.0, 3.0, 6.0], [3.0, -6.0, 2.0], [6.0, 2.0, -3.0]].map(Vector::<S>::exactly);
        let mut cones = Vec::with_capacity(8);
        for signs in 0..8 {
            let sign = |i: usize| S::exactly(if signs >> i & 1 == 1 { -1.0 } else { 1.0 });
            cones.push(Self { edges: (0..3).map(|i| (axes[i] * sign(i)).unit()).collect() });
        }
        cones
    }

    /// The direction of the centre of gravity of the polygon between the ends of the edges.
    pub(crate) fn centre(&self) -> Vector<S> {
        let first = self.edges[0];
        let mut sum = first * S::exactly(0.0);
        for (pair, area) in self.edges[1..].windows(2).zip(self.areas()) {
            sum = sum + (pair[0] - first + (pair[1] - first)) * S::exactly(area);
        }
        let total: f64 = self.areas().sum();
        // A polygon whose area underflows is a point as far as directions go.
        let weight = if total > 0.0 { 1.0 / (3.0 * total) } else { 0.0 };
        (first + sum * S::exactly(weight)).unit()
    }

    /// Area of the polygon between the ends of the edges.
    pub(crate) fn area(&self) -> f64 {
        self.areas().sum()
    }

    /// Areas of the triangles between the first edge and the others.
    fn areas(&self) -> impl Iterator<Item = f64> {
        let side = |edge: &Vector<S>| (*edge - self.edges[0]).rounded();
        self.edges[1..].windows(2).map(move |pair| 0.5 * side(&pair[0]).cross(side(&pair[1])).length())
    }

    /// The edge farthest from the direction `c`.
    pub(crate) fn farthest(&self, c: Vector<S>) -> Vector<S> {
        let distance = |edge: &Vector<S>| (*edge - c).rounded().length_squared();
        let farther = |p, q| if distance(&q) > distance(&p) { q } else { p };
        self.edges.iter().copied().fold(c, farther)
    }

    /// The two parts on either side of a plane through the centre, across the longest extent.
    pub(crate) fn halves(&self) -> [Option<Self>; 2] {
        let c = self.centre();
        let far = self.farthest(c);
        let across = far - c * far.dot(c);
        [self.clip(across), self.clip(across * S::exactly(-1.0))]
    }

    /// The part where `w·c ≥ 0`.
    pub(crate) fn clip(&self, w: Vector<S>) -> Option<Self> {
        let zero = S::exactly(0.0);
        let heights: Vec<S> = self.edges.iter().map(|&edge| w.dot(edge)).collect();
        let mut edges = Vec::with_capacity(self.edges.len() + 1);
        for i in 0..self.edges.len() {
            let j = (i + 1) % self.edges.len();
            let (p, q) = (self.edges[i], self.edges[j]);
            let (at_p, at_q) = (heights[i], heights[j]);
            if at_p >= zero {
                edges.push(p);
            }
            if (at_p > zero && at_q < zero) || (at_p < zero && at_q > zero) {
                edges.push((p + (q - p) * (at_p / (at_p - at_q))).unit());
            }
        }
        (edges.len() > 2).then_some(Self { edges })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_cones_fill_the_sphere_once() {
        let cones = Cone::<f64>::sphere();
        for c in [[1.0, 0.0, 0.0], [0.3, -0.5, 0.7], [-0.2, -0.9, -0.1]].map(Vector::exactly) {
            let holding = cones.iter().filter(|cone| {
                let inside =
                    |edge: &Vector<f64>| cone.edges.iter().all(|e| e == edge || e.dot(*edge).abs() < 1e-15);
                cone.edges.iter().all(|edge| inside(edge) && c.dot(*edge) > 0.0)
            });
            assert_eq!(holding.count(), 1);
        }
    }

    #[test]
    fn halves_of_a_cone_have_its_area() {
        let cone = &Cone::<f64>::sphere()[3];
        let [front, back] = cone.halves().map(|half| half.unwrap().area() / cone.area());
        // Chords are shorter than arcs, so the halves stand out a little.
        assert!(front + back > 1.0 && front + back < 1.6 && front > 0.3 && back > 0.3, "{front} {back}");
    }
}
