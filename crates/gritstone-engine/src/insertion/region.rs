//! Regions of the plane or of space, for inlets, outlets, events and probes.

use gritstone_core::{Dim, Linear, Pose, Vector};

use crate::bodies::grain_shape::GrainShape;
use crate::dimension::Dimension;
use crate::insertion::random::RandomStream;

/// A part of the plane or of space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Region<D: Dim> {
    /// A box along the axes; corners may be infinite.
    Box {
        /// Corner with the least coordinates.
        low: D::Vec,
        /// Corner with the largest coordinates.
        high: D::Vec,
    },
    /// A ball, in the plane a disc.
    Ball {
        /// Its centre.
        center: D::Vec,
        /// Its radius.
        radius: f64,
    },
    /// A cylinder, in space alone.
    Cylinder {
        /// Centre of its base.
        base: D::Vec,
        /// Unit vector from there to the other end.
        axis: D::Vec,
        /// Distance of the ends.
        length: f64,
        /// Its radius.
        radius: f64,
    },
    /// Everything beyond a plane or line.
    Beyond {
        /// A point on it.
        point: D::Vec,
        /// Unit vector to the side that is meant.
        normal: D::Vec,
    },
}

impl<D: Dim> Region<D> {
    /// Whether a point is inside.
    pub fn holds(&self, x: D::Vec) -> bool {
        match *self {
            Self::Box { low, high } => {
                (0..D::N).all(|i| (low.component(i)..=high.component(i)).contains(&x.component(i)))
            }
            Self::Ball { center, radius } => (x - center).length() <= radius,
            Self::Cylinder { base, axis, length, radius } => {
                let along = axis.dot(x - base);
                (0.0..=length).contains(&along) && (x - base - axis * along).length() <= radius
            }
            Self::Beyond { point, normal } => normal.dot(x - point) >= 0.0,
        }
    }

    /// Volume, in the plane area; infinite where it has no end.
    pub fn volume(&self) -> f64 {
        use std::f64::consts::PI;
        match *self {
            Self::Box { low, high } => (0..D::N).map(|i| high.component(i) - low.component(i)).product(),
            Self::Ball { radius, .. } if D::N == 2 => PI * radius * radius,
            Self::Ball { radius, .. } => 4.0 / 3.0 * PI * radius.powi(3),
            Self::Cylinder { length, radius, .. } => PI * radius * radius * length,
            Self::Beyond { .. } => f64::INFINITY,
        }
    }

    /// Corners of the box around it; may be infinite.
    pub fn corners(&self) -> [D::Vec; 2] {
        [D::Vec::from_fn(|i| self.span(i).0), D::Vec::from_fn(|i| self.span(i).1)]
    }

    /// Extent along a coordinate axis.
    pub fn span(&self, i: usize) -> (f64, f64) {
        match *self {
            Self::Box { low, high } => (low.component(i), high.component(i)),
            Self::Ball { center, radius } => (center.component(i) - radius, center.component(i) + radius),
            Self::Cylinder { base, axis, length, radius } => {
                let (from, a) = (base.component(i), axis.component(i));
                let (to, across) = (from + a * length, radius * (1.0 - a * a).max(0.0).sqrt());
                (from.min(to) - across, from.max(to) + across)
            }
            Self::Beyond { .. } => (f64::NEG_INFINITY, f64::INFINITY),
        }
    }

    /// Whether the ball about a point is inside as a whole.
    pub fn holds_ball(&self, x: D::Vec, size: f64) -> bool {
        match *self {
            Self::Box { low, high } => (0..D::N).all(|i| {
                low.component(i) <= x.component(i) - size && x.component(i) + size <= high.component(i)
            }),
            Self::Ball { center, radius } => (x - center).length() + size <= radius,
            Self::Cylinder { base, axis, length, radius } => {
                let along = axis.dot(x - base);
                (size..=length - size).contains(&along) && (x - base - axis * along).length() + size <= radius
            }
            Self::Beyond { point, normal } => normal.dot(x - point) >= size,
        }
    }

    /// Whether the ball about a point may intersect it; certain where the answer is no.
    pub fn meets_ball(&self, x: D::Vec, size: f64) -> bool {
        match *self {
            Self::Box { low, high } => (0..D::N).all(|i| {
                low.component(i) <= x.component(i) + size && x.component(i) - size <= high.component(i)
            }),
            Self::Ball { center, radius } => (x - center).length() <= radius + size,
            Self::Cylinder { base, axis, length, radius } => {
                let along = axis.dot(x - base);
                (-size..=length + size).contains(&along)
                    && (x - base - axis * along).length() <= radius + size
            }
            Self::Beyond { point, normal } => normal.dot(x - point) >= -size,
        }
    }
}

impl<D: Dimension> Region<D> {
    /// A place for the centre of a body that is turned like this, such that all of the body is inside; all such places are
    /// equally likely. Against round sides the body counts as the ball that holds it. None where it does not fit at all.
    pub fn scatter(
        &self,
        form: GrainShape<'_, D>,
        rotation: D::Rotation,
        random: &mut RandomStream,
    ) -> Option<D::Vec> {
        let reach = |u: D::Vec| form.reach(D::unrotate(rotation, u));
        match *self {
            Self::Box { low, high } => {
                let mut x = [0.0; 3];
                for (i, x) in x.iter_mut().enumerate().take(D::N) {
                    let axis = D::Vec::axis(i);
                    *x = between(low.component(i) + reach(-axis), high.component(i) - reach(axis), random)?;
                }
                Some(D::Vec::from_fn(|i| x[i]))
            }
            Self::Ball { center, radius } => {
                let workspace = radius - form.size();
                (workspace >= 0.0).then(|| center + in_ball::<D>(D::N, random) * workspace)
            }
            Self::Cylinder { base, axis, length, radius } => {
                let along = between(reach(-axis), length - reach(axis), random)?;
                let workspace = radius - form.size();
                let [u, v] = across::<D>(axis);
                let disc = in_ball::<D>(2, random) * workspace;
                let aside = u * disc.component(0) + v * disc.component(1);
                (workspace >= 0.0).then(|| base + axis * along + aside)
            }
            Self::Beyond { .. } => None,
        }
    }

    /// The pose of a body in it, if it fits: where [`scatter`](Self::scatter) puts it.
    pub fn pose(
        &self,
        form: GrainShape<'_, D>,
        rotation: D::Rotation,
        random: &mut RandomStream,
    ) -> Option<Pose<D>> {
        Some(Pose { position: self.scatter(form, rotation, random)?, rotation })
    }
}

/// A number between two; none where they are in the wrong order.
fn between(low: f64, high: f64, random: &mut RandomStream) -> Option<f64> {
    (low <= high).then(|| low + (high - low) * random.unit())
}

/// A point of the unit ball of so many dimensions, as the first components of a vector.
fn in_ball<D: Dim>(dimensions: usize, random: &mut RandomStream) -> D::Vec {
    loop {
        let mut x = [0.0; 3];
        x.iter_mut().take(dimensions).for_each(|x| *x = random.signed());
        if x.iter().map(|x| x * x).sum::<f64>() <= 1.0 {
            return D::Vec::from_fn(|i| x[i]);
        }
    }
}

/// Two unit vectors across a third, and across each other.
fn across<D: Dim>(axis: D::Vec) -> [D::Vec; 2] {
    let least = (0..D::N).min_by(|&i, &j| axis.component(i).abs().total_cmp(&axis.component(j).abs()));
    let unit = |v: D::Vec| v * (1.0 / v.length());
    let u = D::Vec::axis(least.unwrap_or(0));
    let u = unit(u - axis * axis.dot(u));
    let rest = |i: usize| {
        let v = D::Vec::axis(i);
        v - axis * axis.dot(v) - u * u.dot(v)
    };
    let most = (0..D::N).max_by(|&i, &j| rest(i).length().total_cmp(&rest(j).length()));
    [u, unit(rest(most.unwrap_or(0)))]
}

#[cfg(test)]
mod tests {
    use glam::{DQuat, DVec2, DVec3};
    use gritstone_core::{Plane, Space};
    use gritstone_shape::Support as _;
    use gritstone_shape::plane::{Ellipse, Figure};
    use gritstone_shape::space::{Ellipsoid, Solid, Sphere};

    use super::*;

    fn zones() -> [Region<Space>; 3] {
        let axis = DVec3::new(1.0, 2.0, -2.0) / 3.0;
        [
            Region::Box { low: DVec3::new(-1.0, 0.0, 2.0), high: DVec3::new(1.0, 3.0, 4.0) },
            Region::Ball { center: DVec3::new(1.0, 0.0, -2.0), radius: 1.5 },
            Region::Cylinder { base: DVec3::ONE, axis, length: 3.0, radius: 1.2 },
        ]
    }

    /// Volumes by counting points of a box around: Monte Carlo, whose error is a few parts in a thousand.
    #[test]
    fn volumes_are_those_of_the_points_inside() {
        for region in zones() {
            let mut random = RandomStream::new(3);
            let spans: [(f64, f64); 3] = std::array::from_fn(|i| region.span(i));
            let n = 100_000;
            let mut inside = 0;
            for _ in 0..n {
                let x = spans.map(|(low, high)| low + (high - low) * random.unit());
                inside += u32::from(region.holds(DVec3::from(x)));
            }
            let around: f64 = spans.iter().map(|(low, high)| high - low).product();
            let counted = around * f64::from(inside) / f64::from(n);
            assert!((counted / region.volume() - 1.0).abs() < 0.02, "{region:?}: {counted}");
        }
    }

    /// No point of a grain that was put inside is outside, and they come near to every side.
    #[test]
    fn scattered_grains_are_inside_as_a_whole() {
        let shape = Solid::from(Ellipsoid::new(DVec3::new(0.1, 0.2, 0.4)).unwrap());
        for region in zones() {
            let mut random = RandomStream::new(7);
            let mut mean = DVec3::ZERO;
            for _ in 0..2000 {
                let rotation = random.rotation();
                let pose = region.pose(GrainShape::Convex(&shape), rotation, &mut random).unwrap();
                mean += pose.position / 2000.0;
                let direction = random.rotation() * DVec3::X;
                let tip = pose.to_world(shape.support(rotation.conjugate() * direction));
                assert!(region.holds(tip), "{region:?}: {tip}");
            }
            let middle = DVec3::from(std::array::from_fn(|i| 0.5 * (region.span(i).0 + region.span(i).1)));
            assert!((mean - middle).length() < 0.1, "{region:?}: {mean}");
        }
    }

    #[test]
    fn what_is_too_large_finds_no_place() {
        let sphere = Solid::from(Sphere::new(2.0).unwrap());
        let mut random = RandomStream::new(1);
        assert!(zones().iter().all(|region| {
            region.scatter(GrainShape::Convex(&sphere), DQuat::IDENTITY, &mut random).is_none()
        }));
        // A long ellipse fits along a slit, and not across it.
        let ellipse = Figure::from(Ellipse::new(DVec2::new(1.0, 0.1)).unwrap());
        let slit = Region::<Plane>::Box { low: DVec2::ZERO, high: DVec2::new(5.0, 0.3) };
        assert!(slit.scatter(GrainShape::Convex(&ellipse), 0.0, &mut random).is_some());
        assert!(slit.scatter(GrainShape::Convex(&ellipse), 1.0, &mut random).is_none());
    }
}
