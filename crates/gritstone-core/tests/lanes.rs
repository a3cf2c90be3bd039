//! Lanes: the same bits on every backend, and powers against libm and against 50 digits.

use gritstone_core::lanes::{Backend, Kernel, Lanes, Mask, MaskBits, Two, WIDTH, exp2, pow, pow_one_plus};

type Eight = [f64; WIDTH];

/// Two columns of numbers through a function, eight at a time.
struct Columns<'a> {
    function: Function,
    x: &'a [Eight],
    y: &'a [Eight],
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Function {
    Pow,
    PowTwice,
    PowOnePlus,
    Exp2,
    /// Everything that [`Real`] has.
    Medley,
}

impl Kernel for Columns<'_> {
    type Output = Vec<Eight>;
    #[inline(always)]
    fn run<L: Lanes>(self) -> Self::Output {
        let mut out = Vec::new();
        for (x, y) in self.x.iter().zip(self.y) {
            let (x, y) = (L::load(x), L::load(y));
            let z = match self.function {
                Function::Pow => pow(x, y),
                Function::PowTwice => {
                    let Two(first, second) = pow(Two(x, y), Two(y, x));
                    first + second
                }
                Function::PowOnePlus => pow_one_plus(x, y),
                Function::Exp2 => exp2(x),
                Function::Medley => medley(x, y),
            };
            out.push(z.to_array());
        }
        out
    }
}

#[inline(always)]
fn medley<L: Lanes>(x: L, y: L) -> L {
    let (k, m) = (x.abs() + L::splat(1e-3)).split();
    let sum = (x - y / (x * x + y * y).sqrt()).mul_add(m, k).copysign(y).min(x).max(-y);
    let mixed =
        x.neg_mul_add(y, sum.mul_sub(x, y)) + m.scale(k - L::splat(1030.0)) + (y - L::splat(0.5)).min(y);
    let mask = (x.lt(y) | y.le(L::splat(0.25))) & !(x + x).lt(y);
    let again = L::Mask::from_bits(mask.bits());
    assert_eq!(again.any(), mask.bits() != 0);
    L::select(again, mixed, sum)
}

fn run(backend: Backend, function: Function, x: &[Eight], y: &[Eight]) -> Vec<Eight> {
    backend.run(Columns { function, x, y })
}

/// Numbers in (0, 1), all different.
fn fractions(seed: f64, count: usize) -> Vec<Eight> {
    let golden = 0.618_033_988_749_894_9;
    let number = |i: usize| (seed + golden * i as f64).fract();
    (0..count).map(|i| std::array::from_fn(|j| number(WIDTH * i + j))).collect()
}

#[test]
fn every_backend_gives_the_same_bits() {
    let (x, y) = (fractions(0.1, 200), fractions(0.7, 200));
    let negative: Vec<_> = y.iter().map(|row| row.map(|y| -y)).collect();
    let bits = |columns: Vec<Eight>| columns.into_iter().flatten().map(f64::to_bits).collect::<Vec<_>>();
    let scaled = |k: f64| x.iter().map(|row| row.map(|x| x * k)).collect::<Vec<_>>();
    for function in
        [Function::Pow, Function::PowTwice, Function::PowOnePlus, Function::Exp2, Function::Medley]
    {
        // With the last factors, powers and their arguments are subnormal.
        for x in [scaled(1.0), scaled(-3000.0), scaled(1e-200), scaled(1e-310)] {
            if function != Function::Exp2 && function != Function::Medley && x[0][0] < 0.0 {
                continue;
            }
            let y = if function == Function::PowOnePlus { &negative } else { &y };
            let expected = bits(run(Backend::available().last().unwrap(), function, &x, y));
            for backend in Backend::available() {
                assert_eq!(bits(run(backend, function, &x, y)), expected, "{} {function:?}", backend.name());
            }
        }
    }
}

#[test]
fn a_lane_does_not_depend_on_its_neighbours() {
    let (x, y) = (fractions(0.3, 20), fractions(0.9, 20));
    for (x, y) in x.iter().zip(&y) {
        let together = run(Backend::best(), Function::Pow, &[*x], &[*y]);
        for lane in 0..WIDTH {
            let alone = run(Backend::best(), Function::Pow, &[[x[lane]; WIDTH]], &[[y[lane]; WIDTH]]);
            assert_eq!(alone[0][lane].to_bits(), together[0][lane].to_bits());
        }
    }
}

#[test]
fn powers_agree_with_fifty_digits() {
    let rows = include_str!("data/powers.csv").lines().filter(|line| !line.starts_with('#'));
    let mut checked = 0;
    for row in rows {
        let [x, y, expected] = row.split(',').map(|n| n.parse::<f64>().unwrap()).collect::<Vec<_>>()[..]
        else {
            panic!("three numbers: {row}")
        };
        let value = run(Backend::best(), Function::Pow, &[[x; WIDTH]], &[[y; WIDTH]])[0][0];
        let allowed = if y <= 100.0 { 4e-16 } else { 2e-15 };
        assert!((value / expected - 1.0).abs() < allowed, "{x:e}^{y} = {value:e}, not {expected:e}");
        if (1.0..=2.0).contains(&x) && y <= 1.0 {
            let (t, y) = ([x - 1.0; WIDTH], [-y; WIDTH]);
            let inverse = run(Backend::best(), Function::PowOnePlus, &[t], &[y])[0][0];
            assert!((inverse * expected - 1.0).abs() < 6e-16, "{x}^{} is not 1/{expected:e}", y[0]);
        }
        checked += 1;
    }
    assert!(checked > 300);
}

#[test]
fn powers_agree_with_libm() {
    let (x, y) = (fractions(0.2, 4000), fractions(0.5, 4000));
    for (scale, steepness) in [(1.0, 1.0), (1e-3, 3.0), (1e-12, 1.05), (1e-300, 0.05), (2.0, 30.0)] {
        let x: Vec<_> = x.iter().map(|row| row.map(|x| x * scale)).collect();
        let y: Vec<_> = y.iter().map(|row| row.map(|y| y * steepness)).collect();
        let powers = run(Backend::best(), Function::Pow, &x, &y);
        for ((x, y), power) in x.as_flattened().iter().zip(y.as_flattened()).zip(powers.as_flattened()) {
            let expected = x.powf(*y);
            assert!((power / expected - 1.0).abs() < 1e-15, "{x:e}^{y} = {power:e}, not {expected:e}");
        }
    }
}

#[test]
fn powers_at_the_ends() {
    let power = |x: f64, y: f64| run(Backend::best(), Function::Pow, &[[x; WIDTH]], &[[y; WIDTH]])[0][0];
    assert_eq!(power(0.0, 1.3), 0.0);
    assert_eq!(power(0.0, 1e-3), 0.0);
    assert_eq!(power(1.0, 700.0), 1.0);
    assert_eq!(power(1e-300, 5.0), 0.0);
    assert_eq!(power(1e300, 5.0), f64::INFINITY);
    let subnormal = power(1e-100, 3.2);
    assert!((subnormal - 1e-320).abs() <= 2.0 * f64::from_bits(1), "{subnormal:e}");
    let exp2_of = |x: f64| run(Backend::best(), Function::Exp2, &[[x; WIDTH]], &[[0.0; WIDTH]])[0][0];
    assert_eq!([exp2_of(-1074.0), exp2_of(-3.0), exp2_of(10.0)], [f64::from_bits(1), 0.125, 1024.0]);
}

/// Rows to columns and back.
struct Turning([Eight; 8]);

impl Kernel for Turning {
    type Output = [[Eight; 8]; 2];
    #[inline(always)]
    fn run<L: Lanes>(self) -> Self::Output {
        let [a, b, c, d, e, f, g, h] = &self.0;
        let turned = L::load_turned([a, b, c, d, e, f, g, h]);
        let mut back = [[0.0; 8]; 8];
        L::store_turned(turned, back.each_mut());
        let mut columns = [[0.0; 8]; 8];
        for (column, lane) in columns.iter_mut().zip(turned) {
            *column = lane.to_array();
        }
        [columns, back]
    }
}

#[test]
fn rows_are_turned_into_lanes_and_back() {
    let rows: [Eight; 8] = std::array::from_fn(|i| std::array::from_fn(|j| (10 * i + j) as f64));
    for backend in Backend::available() {
        let [columns, back] = backend.run(Turning(rows));
        assert_eq!(back, rows, "{backend:?}");
        assert_eq!(columns, std::array::from_fn(|j| std::array::from_fn(|i| rows[i][j])), "{backend:?}");
    }
}
