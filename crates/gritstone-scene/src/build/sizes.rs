//! Distributions of sizes as classes: some sizes, and how many grains have each.
//!
//! A distribution is cut into classes of equal share, of the number or of the mass, and each class has the size in its middle
//! (the quantile there). Where mass is shared out, the number of grains of a class goes with one over the volume.

use crate::display::plain;
use crate::schema::{By, LognormalSize, SieveSize, Size, UniformSize};

/// The most classes: each is a shape of its own.
const MOST: u32 = 1000;

/// A size (m) and how many of all grains have it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Class {
    pub(super) size: f64,
    pub(super) share: f64,
}

/// What is wrong: the key within the table, and why.
pub(super) type Wrong = (&'static str, String);

/// The classes of a distribution, sizes rising, in so many dimensions.
pub(super) fn classes(size: &Size, dimensions: usize) -> Result<Vec<Class>, Wrong> {
    let (count, by, quantile): (u32, By, Box<dyn Fn(f64) -> f64>) = match size {
        Size::Uniform(spec) => (spec.classes, spec.by, uniform(spec)?),
        Size::Lognormal(spec) => (spec.classes, spec.by, lognormal(spec)?),
        Size::Sieve(spec) => (spec.classes, By::Mass, sieve(spec)?),
    };
    if count > MOST {
        return Err(("classes", format!("is {count}, but must be from 1 to {MOST}")));
    }
    let class = |k: u32| {
        let size = quantile((f64::from(k) + 0.5) / f64::from(count));
        // Relative to the middle size, so that no power of a small number is lost.
        let volume = (size / quantile(0.5)).powi(dimensions as i32);
        Class { size, share: if by == By::Mass { 1.0 / volume } else { 1.0 } }
    };
    let mut classes: Vec<_> = (0..count).map(class).collect();
    let total: f64 = classes.iter().map(|class| class.share).sum();
    classes.iter_mut().for_each(|class| class.share /= total);
    Ok(classes)
}

fn uniform(spec: &UniformSize) -> Result<Box<dyn Fn(f64) -> f64>, Wrong> {
    let (low, high) = (spec.low.si, spec.high.si);
    in_order(low, high)?;
    Ok(Box::new(move |p| low + p * (high - low)))
}

fn in_order(low: f64, high: f64) -> Result<(), Wrong> {
    if low <= high {
        return Ok(());
    }
    Err(("high", format!("is {} m, but must not be less than low, which is {} m", plain(high), plain(low))))
}

fn lognormal(spec: &LognormalSize) -> Result<Box<dyn Fn(f64) -> f64>, Wrong> {
    let (median, sigma) = (spec.median.si, spec.sigma.si);
    let at = |end: Option<f64>, z: f64| end.map_or(z, |end| libm::log(end / median) / sigma);
    let low = at(spec.low.map(|low| low.si), -3.0);
    let high = at(spec.high.map(|high| high.si), 3.0);
    in_order(median * libm::exp(sigma * low), median * libm::exp(sigma * high))?;
    let (from, to) = (normal(low), normal(high));
    if to - from < 1e-9 && low < high {
        return Err((
            "median",
            format!(
                "is {} m, but next to nothing of that distribution is between low and high",
                plain(median)
            ),
        ));
    }
    Ok(Box::new(move |p| median * libm::exp(sigma * inverse_normal(from + p * (to - from), low, high))))
}

/// Part of the normal distribution below z.
fn normal(z: f64) -> f64 {
    0.5 * libm::erfc(-z / std::f64::consts::SQRT_2)
}

/// Where that part is p, between two numbers: halving, which always ends at the same bits.
fn inverse_normal(p: f64, mut low: f64, mut high: f64) -> f64 {
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if normal(middle) < p {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

fn sieve(spec: &SieveSize) -> Result<Box<dyn Fn(f64) -> f64>, Wrong> {
    let sizes: Vec<f64> = spec.sizes.iter().map(|size| size.si).collect();
    let passing: Vec<f64> = spec.passing.iter().map(|part| part.si).collect();
    if sizes.len() != passing.len() || sizes.len() < 2 {
        let (found, needed) = (passing.len(), sizes.len());
        let what =
            format!("has {found} numbers for {needed} sizes, but must have one for each, and at least two");
        return Err(("passing", what));
    }
    if !sizes.windows(2).all(|pair| pair[0] < pair[1]) {
        return Err(("sizes", "must rise from each sieve to the next".to_owned()));
    }
    if !passing.is_sorted() || passing[0] != 0.0 || passing[passing.len() - 1] != 1.0 {
        return Err(("passing", "must rise from 0 at the first sieve to 1 at the last".to_owned()));
    }
    let mut curve: Vec<(f64, f64)> = passing.into_iter().zip(sizes).collect();
    if let Some(d50) = spec.d50 {
        insert_median(&mut curve, d50.si)?;
    }
    Ok(Box::new(move |p| {
        let end = curve.partition_point(|(passing, _)| *passing < p).clamp(1, curve.len() - 1);
        let ((p0, d0), (p1, d1)) = (curve[end - 1], curve[end]);
        let part = if p1 > p0 { (p - p0) / (p1 - p0) } else { 1.0 };
        d0 * libm::exp(part * libm::log(d1 / d0))
    }))
}

/// Adds the sieve that half of the mass passes; the curve must allow for it.
fn insert_median(curve: &mut Vec<(f64, f64)>, d50: f64) -> Result<(), Wrong> {
    let finer = curve.iter().rev().find(|(passing, _)| *passing < 0.5).map_or(0.0, |(_, size)| *size);
    let coarser = curve.iter().find(|(passing, _)| *passing > 0.5).map_or(f64::INFINITY, |(_, size)| *size);
    if !(finer < d50 && d50 < coarser) {
        let [d50, finer, coarser] = [d50, finer, coarser].map(plain);
        let what = format!(
            "is {d50} m, but must lie between {finer} m, which less than half of the mass passes, and {coarser} m, which \
             more than half of it passes"
        );
        return Err(("d50", what));
    }
    curve.retain(|(passing, _)| *passing != 0.5);
    let place = curve.partition_point(|(passing, _)| *passing < 0.5);
    curve.insert(place, (0.5, d50));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quantity::Quantity;

    fn sieve_words(d50: f64) -> Size {
        Size::Sieve(SieveSize {
            sizes: vec![Quantity::new(0.02), Quantity::new(0.05)],
            passing: vec![Quantity::new(0.0), Quantity::new(1.0)],
            d50: Some(Quantity::new(d50)),
            classes: 40,
        })
    }

    /// Half of the mass is in grains up to the D50, whatever their number.
    #[test]
    fn half_of_the_mass_passes_the_median_sieve() {
        let classes = classes(&sieve_words(0.038), 3).unwrap();
        let mass = |class: &Class| class.share * class.size.powi(3);
        let fine: f64 = classes.iter().filter(|class| class.size <= 0.038).map(mass).sum();
        let all: f64 = classes.iter().map(mass).sum();
        assert!((fine / all - 0.5).abs() < 1e-12, "{}", fine / all);
        assert!(classes.iter().all(|class| class.size > 0.02 && class.size < 0.05));
        assert!((classes.iter().map(|class| class.share).sum::<f64>() - 1.0).abs() < 1e-12);
        let (key, what) = super::classes(&sieve_words(0.06), 3).unwrap_err();
        assert!(
            key == "d50" && what.contains("is 0.06 m") && what.contains("0.02 m") && what.contains("0.05 m")
        );
    }

    /// A quarter of a normal distribution is below -0.674490 standard deviations.
    #[test]
    fn lognormal_sizes_have_the_known_quartiles() {
        let spec = LognormalSize {
            median: Quantity::new(2.0),
            sigma: Quantity::new(0.3),
            low: Some(Quantity::new(1e-3)),
            high: Some(Quantity::new(1e3)),
            by: By::Number,
            classes: 2,
        };
        let made = classes(&Size::Lognormal(spec.clone()), 3).unwrap();
        let quartile: f64 = 0.674_489_750_196_082 * 0.3;
        assert!((made[0].size - 2.0 * (-quartile).exp()).abs() < 1e-9, "{made:?}");
        assert!((made[1].size - 2.0 * quartile.exp()).abs() < 1e-9, "{made:?}");
        // Cut off at both ends: all in between.
        let cut = LognormalSize {
            low: Some(Quantity::new(1.9)),
            high: Some(Quantity::new(2.1)),
            classes: 50,
            ..spec
        };
        let made = classes(&Size::Lognormal(cut), 3).unwrap();
        assert!(made.iter().all(|class| class.size > 1.9 && class.size < 2.1));
    }

    /// The mean size by mass of a uniform distribution by mass is its middle.
    #[test]
    fn shares_by_mass_have_the_mean_by_mass() {
        let spec =
            UniformSize { low: Quantity::new(1.0), high: Quantity::new(3.0), by: By::Mass, classes: 10 };
        let made = classes(&Size::Uniform(spec), 2).unwrap();
        let mass = |class: &Class| class.share * class.size.powi(2);
        let mean = made.iter().map(|class| mass(class) * class.size).sum::<f64>()
            / made.iter().map(mass).sum::<f64>();
        assert!((mean - 2.0).abs() < 1e-12, "{mean}");
    }
}
