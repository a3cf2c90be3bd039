// Powers without branches, `x^y = 2^(y·log2 x)`: as `gritstone_core::lanes::pow`, operation by operation.
#pragma once

#include "vector.h"

#define SQRT_2 1.41421356237309504880
#define ROUND 6755399441055744.0
#define BIAS 1023.0
#define EXPONENT_RANGE 1100.0
#define LEAST_NORMAL 2.2250738585072014e-308
#define TWO_54 18014398509481984.0
#define LOG2_FIRST 2.8853900817779268
#define LOG2_FIRST_REST 4.0710547481862066e-17

// Highest power first: Horner's rule for even and for odd powers.
template <int N> FN double polynomial(const double (&coefficients)[N], double x) {
    double square = x * x, sums[2] = {coefficients[0], coefficients[1]};
    for (int i = 2; i < N; ++i) sums[i % 2] = fma(sums[i % 2], square, coefficients[i]);
    return N % 2 == 0 ? fma(sums[0], x, sums[1]) : fma(sums[1], x, sums[0]);
}

// (log2(m) − C·s)/s³ in s², with C·s: log2((1 + s)/(1 − s)).
FN double log2_series(double z) {
    const double coefficients[7] = {0.21087275307216716, 0.22118982877237345, 0.2623236444673447, 0.3205987379521345,
                                    0.41219858389847885, 0.5770780163541346,  0.961796693925976};
    return polynomial(coefficients, z);
}

FN double log2_of_ratio(double s) {
    double z = s * s;
    return fma(s * z, log2_series(z), s * LOG2_FIRST);
}

FN double power_of_two(double k) { return as_double(as_bits(k + (ROUND + BIAS)) << 52); }

FN double scale(double x, double k) {
    double first = (0.5 * k + ROUND) - ROUND;
    return x * power_of_two(first) * power_of_two(k - first);
}

// x = m·2^k, m in [√½, √2].
FN void split(double x, double &k, double &m) {
    unsigned long long bits = as_bits(x);
    k = (double)(bits >> 52) - BIAS;
    m = as_double((bits & 0xfffffffffffffull) | 0x3ff0000000000000ull);
    if (SQRT_2 < m) {
        m = m * 0.5;
        k = k + 1.0;
    }
}

FN double exp2_of_sum(double high, double low) {
    const double coefficients[11] = {4.455036203781184e-10, 7.072727791672384e-9,  1.017806206630947e-7,  1.3215441875881882e-6,
                                     1.525273383046128e-5,  0.00015403530442908896, 0.0013333558146416563, 0.009618129107606187,
                                     0.0555041086648216,    0.240226506959101,      0.693147180559945309417};
    high = smaller(larger(high, -EXPONENT_RANGE), EXPONENT_RANGE);
    double k = (high + ROUND) - ROUND, f = (high - k) + low;
    return scale(fma(polynomial(coefficients, f), f, 1.0), k);
}

// x^y for normal x in (0, 1] and y > 0.
FN double pow_fraction(double x, double y) {
    double k, m;
    split(x, k, m);
    return exp2_of_sum(y * (k + log2_of_ratio((m - 1.0) / (m + 1.0))), 0.0);
}

// shift + log2 x as a sum of two.
FN double log2_of(double x, double shift, double &low) {
    double k, m;
    split(x, k, m);
    // The shift is added before the exponent is corrected: sums of small integers are exact.
    k = k + shift;
    double numerator = m - 1.0, denominator = m + 1.0, missing = m - (denominator - 1.0), inverse = 1.0 / denominator;
    double s = numerator * inverse;
    double s_low = neg_mul_add(s, missing, neg_mul_add(s, denominator, numerator)) * inverse;
    double z = s * s, first = s * LOG2_FIRST, first_low = mul_sub(s, LOG2_FIRST, first);
    double correction = fma(s, LOG2_FIRST_REST, fma(s_low, LOG2_FIRST, first_low));
    double rest = fma(s * z, log2_series(z), correction), high = k + first;
    low = (first - (high - k)) + rest;
    return high;
}

// x^y for x ≥ 0, finite, and y > 0.
FN double pow_of(double x, double y) {
    bool tiny = x < LEAST_NORMAL;
    double low, high = log2_of(tiny ? x * TWO_54 : x, tiny ? -54.0 : 0.0, low);
    double product = y * high, rest = fma(y, low, mul_sub(y, high, product)), sum = product + rest;
    double power = exp2_of_sum(sum, rest - (sum - product));
    return 0.0 < x ? power : 0.0;
}

// (1 + t)^y for t in [0, 1] and y in [−1, 0].
FN double pow_one_plus(double t, double y) {
    const double coefficients[12] = {3.1507390587168893e-10, 5.0022107590439164e-9, 7.196973186040473e-8,  9.344721962456973e-7,
                                     1.0785311530998333e-5,  0.00010891940845113056, 0.0009428249382669149, 0.0068010443143026655,
                                     0.039247331620610386,   0.1698657920915381,     0.4901290717342736,    0.707106781186547524401};
    bool upper = SQRT_2 - 1.0 < t;
    double log = log2_of_ratio((upper ? t - 1.0 : t) / (t + (upper ? 3.0 : 2.0)));
    if (upper) log = log + 1.0;
    return polynomial(coefficients, fma(y, log, 0.5));
}
