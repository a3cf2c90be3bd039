//! Points spread evenly over a disc, shared out among the samples of a pixel.

use glam::Vec2;

/// The golden angle, by which a sunflower turns from seed to seed.
const GOLDEN: f32 = 2.399_963;

/// One sample's share of a sunflower's seeds in the unit disc (Vogel 1979): the samples of a pixel together
/// look at all seeds once, in every pixel in the same way, so that nothing flickers from pixel to pixel.
#[derive(Clone, Copy)]
pub(crate) struct Spiral {
    first: f32,
    every: f32,
    start: Vec2,
    step: Vec2,
}

impl Spiral {
    /// The share of sample `number` of `samples`.
    pub(crate) fn new(number: u32, samples: u32) -> Self {
        let (first, every) = (number as f32, samples as f32);
        Self { first, every, start: Vec2::from_angle(GOLDEN * first), step: Vec2::from_angle(GOLDEN * every) }
    }

    /// `count` points.
    pub(crate) fn points(&self, count: usize) -> impl Iterator<Item = Vec2> + use<> {
        let Self { first, every, start: mut direction, step } = *self;
        let per_seed = (count as f32 * every).recip();
        (0..count).map(move |k| {
            let point = direction * ((k as f32 * every + first + 0.5) * per_seed).sqrt();
            direction = direction.rotate(step);
            point
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every quarter of the disc, and every ring of equal area, gets its share.
    #[test]
    fn the_samples_of_a_pixel_cover_the_disc_evenly() {
        let points: Vec<Vec2> = (0..9).flat_map(|number| Spiral::new(number, 9).points(12)).collect();
        for k in 0..4 {
            let quarter = Vec2::from_angle(0.3 + k as f32 * std::f32::consts::FRAC_PI_2);
            let inside = points.iter().filter(|p| p.dot(quarter) > 0.0 && p.dot(quarter.perp()) > 0.0);
            assert!(inside.count().abs_diff(27) <= 3);
            let ring = points.iter().filter(|p| (p.length_squared() * 4.0) as i32 == k);
            assert!(ring.count().abs_diff(27) <= 1);
        }
    }
}
