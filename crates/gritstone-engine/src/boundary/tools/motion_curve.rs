//! Motion curves: displacement and speed of a motion as closed-form functions of time.
//!
//! A curve gives one number: metres along an axis, or radians about one. Since it is a function of time alone, a
//! wall that follows it does not drift, and a resumed run has it at the same place.

mod constant_rate;
mod oscillation;
mod smooth_step;

pub use constant_rate::ConstantRate;
pub use oscillation::Oscillation;
pub use smooth_step::SmoothStep;

/// A motion between two times: at rest before, and at rest at its end position afterwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotionCurve {
    /// When it begins (s).
    pub start: f64,
    /// When it ends (s); may be infinite.
    pub end: f64,
    /// The curve in between.
    pub kind: CurveKind,
}

/// The kinds of curves: one line each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CurveKind {
    /// At constant speed.
    ConstantRate(ConstantRate),
    /// From rest to rest.
    SmoothStep(SmoothStep),
    /// A sinusoidal oscillation.
    Oscillation(Oscillation),
}

impl CurveKind {
    /// Displacement and speed at this time after the start; `whole` is the duration.
    fn at(&self, since: f64, whole: f64) -> [f64; 2] {
        match self {
            Self::ConstantRate(course) => course.at(since),
            Self::SmoothStep(course) => course.at(since, whole),
            Self::Oscillation(course) => course.at(since),
        }
    }
}

impl MotionCurve {
    /// Displacement and speed at a time.
    pub fn at(&self, time: f64) -> [f64; 2] {
        let whole = self.end - self.start;
        if time < self.start {
            [0.0; 2]
        } else if time < self.end {
            self.kind.at(time - self.start, whole)
        } else {
            [self.kind.at(whole, whole)[0], 0.0]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COURSES: [CurveKind; 3] = [
        CurveKind::ConstantRate(ConstantRate { rate: -0.3 }),
        CurveKind::SmoothStep(SmoothStep { amount: 0.7 }),
        CurveKind::Oscillation(Oscillation { amplitude: 0.2, frequency: 3.0, phase: 0.4 }),
    ];

    #[test]
    fn speeds_are_the_slopes_of_ways() {
        for kind in COURSES {
            let course = MotionCurve { start: 0.25, end: 1.5, kind };
            for i in 1..100 {
                let (t, h) = (0.25 + 0.0125 * f64::from(i), 1e-6);
                let slope = (course.at(t + h)[0] - course.at(t - h)[0]) / (2.0 * h);
                // The third derivative is at most (2 π 3)³ · 0.2; its share is h²/6 of it.
                assert!((slope - course.at(t)[1]).abs() < 1e-8, "{course:?} at {t}");
            }
        }
    }

    #[test]
    fn nothing_moves_before_and_after() {
        for kind in COURSES {
            let course = MotionCurve { start: 0.25, end: 1.5, kind };
            assert_eq!(course.at(0.2), [0.0; 2]);
            assert_eq!(course.at(0.25)[0], 0.0);
            let end = course.at(1.5);
            assert_eq!(end[1], 0.0);
            assert_eq!(course.at(7.0), end);
        }
        let steady = MotionCurve { start: 0.25, end: 1.5, kind: COURSES[0] };
        assert!((steady.at(9.0)[0] + 0.3 * 1.25).abs() < 1e-15);
        let smooth = MotionCurve { start: 0.25, end: 1.5, kind: COURSES[1] };
        assert_eq!(smooth.at(9.0)[0], 0.7);
        assert!((smooth.at(0.875)[0] - 0.35).abs() < 1e-15);
    }
}
