//! Means, medians and counts of a sample, the same for any number of threads.

/// Numbers in the order in which they were taken.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    values: Vec<f64>,
}

impl Sample {
    /// Takes one more.
    pub fn push(&mut self, value: f64) {
        self.values.push(value);
    }

    /// Takes all of another sample.
    pub fn add(&mut self, other: &Self) {
        self.values.extend_from_slice(&other.values);
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.values.len()
    }

    /// The mean; nothing for an empty sample.
    pub fn mean(&self) -> Option<f64> {
        (!self.values.is_empty()).then(|| self.values.iter().sum::<f64>() / self.values.len() as f64)
    }

    /// The value below which the part `share` of the sample lies: an order statistic, not interpolated.
    pub fn quantile(&self, share: f64) -> Option<f64> {
        let last = self.values.len().checked_sub(1)?;
        let rank = (share * last as f64).round() as usize;
        let mut values = self.values.clone();
        Some(*values.select_nth_unstable_by(rank.min(last), f64::total_cmp).1)
    }

    /// The median.
    pub fn median(&self) -> Option<f64> {
        self.quantile(0.5)
    }
}

/// How often each of the numbers 0, 1, 2, … occurred.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    counts: Vec<u64>,
}

impl Histogram {
    /// Counts one more occurrence of `number`.
    pub fn push(&mut self, number: u32) {
        let number = number as usize;
        if self.counts.len() <= number {
            self.counts.resize(number + 1, 0);
        }
        self.counts[number] += 1;
    }

    /// Counts all of another histogram.
    pub fn add(&mut self, other: &Self) {
        if self.counts.len() < other.counts.len() {
            self.counts.resize(other.counts.len(), 0);
        }
        self.counts.iter_mut().zip(&other.counts).for_each(|(sum, count)| *sum += count);
    }

    /// How often `number` occurred.
    pub fn of(&self, number: u32) -> u64 {
        self.counts.get(number as usize).copied().unwrap_or(0)
    }

    /// How often a number below `limit` occurred.
    pub fn below(&self, limit: u32) -> u64 {
        self.counts.iter().take(limit as usize).sum()
    }

    /// How often any number occurred.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The number below or at which the part `share` of all occurrences lies; nothing for an empty histogram.
    pub fn quantile(&self, share: f64) -> Option<u32> {
        let rank = share * self.total() as f64;
        let mut seen = 0;
        let number = self.counts.iter().position(|count| {
            seen += count;
            *count > 0 && seen as f64 >= rank
        });
        number.map(|number| number as u32)
    }

    /// The mean of all numbers; nothing for an empty histogram.
    pub fn mean(&self) -> Option<f64> {
        let sum: u64 = (0..).zip(&self.counts).map(|(number, count): (u64, _)| number * count).sum();
        (self.total() > 0).then(|| sum as f64 / self.total() as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_have_their_mean_and_order_statistics() {
        let mut sample = Sample::default();
        assert_eq!((sample.mean(), sample.median()), (None, None));
        [5.0, 1.0, 4.0, 2.0, 3.0].into_iter().for_each(|x| sample.push(x));
        assert_eq!((sample.mean(), sample.median(), sample.count()), (Some(3.0), Some(3.0), 5));
        assert_eq!((sample.quantile(0.0), sample.quantile(1.0)), (Some(1.0), Some(5.0)));
        let mut more = Sample::default();
        more.push(9.0);
        more.add(&sample);
        assert_eq!((more.mean(), more.count()), (Some(4.0), 6));
    }

    #[test]
    fn histograms_count() {
        let mut histogram = Histogram::default();
        [0, 3, 3, 1].into_iter().for_each(|x| histogram.push(x));
        assert_eq!((histogram.of(3), histogram.of(9), histogram.below(3), histogram.total()), (2, 0, 2, 4));
        assert_eq!(histogram.mean(), Some(1.75));
        let at = |share| histogram.quantile(share);
        assert_eq!([at(0.0), at(0.25), at(0.5), at(0.75), at(1.0)], [0, 0, 1, 3, 3].map(Some));
        assert_eq!(Histogram::default().quantile(0.5), None);
        let mut more = Histogram::default();
        more.push(1);
        more.add(&histogram);
        assert_eq!((more.of(1), more.of(3), more.total()), (2, 2, 5));
    }
}
