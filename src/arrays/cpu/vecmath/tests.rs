//! Every function against the C library over dense, random and edge inputs.

use super::{double, hyperbolic, inverse, power, single, special, trig};

/// Distance in units in the last place; zero for equal values and for two NaN.
fn ulps(a: f64, b: f64) -> f64 {
    if a == b || (a.is_nan() && b.is_nan()) {
        return if a == 0.0 && a.to_bits() != b.to_bits() { f64::INFINITY } else { 0.0 };
    }
    if !a.is_finite() || !b.is_finite() {
        return f64::INFINITY;
    }
    let ordered = |x: f64| {
        let bits = x.to_bits() as i64;
        (if bits < 0 { i64::MIN - bits } else { bits }) as i128
    };
    (ordered(a) - ordered(b)).unsigned_abs() as f64
}

fn ulps_single(a: f32, b: f32) -> f64 {
    if a == b || (a.is_nan() && b.is_nan()) {
        return if a == 0.0 && a.to_bits() != b.to_bits() { f64::INFINITY } else { 0.0 };
    }
    if !a.is_finite() || !b.is_finite() {
        return f64::INFINITY;
    }
    let ordered = |x: f32| {
        let bits = x.to_bits() as i32;
        (if bits < 0 { i32::MIN - bits } else { bits }) as i64
    };
    (ordered(a) - ordered(b)).unsigned_abs() as f64
}

/// A small generator, so that failures repeat.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }
}

const EDGES: [f64; 39] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    2.0,
    -2.0,
    1e-310,
    -1e-310,
    5e-324,
    -5e-324,
    1e-20,
    -1e-20,
    1e20,
    -1e20,
    1e300,
    -1e300,
    f64::MAX,
    f64::MIN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    709.782712893384,
    709.7827128933841,
    -745.1332191019411,
    -745.1332191019412,
    -708.4,
    88.72284,
    -103.97,
    0.9999999999999999,
    1.0000000000000002,
    std::f64::consts::FRAC_PI_2,
    std::f64::consts::PI,
    6381956970095103.0,
    1073741824.0,
    1073741823.5,
    22.0,
    f64::MIN_POSITIVE,
];

fn samples(low: f64, high: f64) -> Vec<f64> {
    let mut random = Random(0x9e3779b97f4a7c15);
    let mut all: Vec<f64> = EDGES.to_vec();
    all.extend((0..40_000).map(|_| random.uniform(low, high)));
    all.extend((0..40_000).map(|_| f64::from_bits(random.bits())));
    // Magnitudes from tiny to large, evenly in the exponent.
    all.extend((0..40_000).map(|_| {
        let magnitude = random.uniform(-30.0, 12.0).exp2();
        if random.bits() & 1 == 0 { magnitude } else { -magnitude }
    }));
    all
}

fn check(name: &str, ours: fn(f64) -> f64, reference: fn(f64) -> f64, low: f64, high: f64, bound: f64) {
    let mut worst = (0.0, 0.0);
    for x in samples(low, high) {
        let distance = ulps(ours(x), reference(x));
        if distance > worst.0 {
            worst = (distance, x);
        }
    }
    let (distance, x) = worst;
    assert!(distance <= bound, "{name}({x:e}) = {:e}, expected {:e}: {distance} ULP", ours(x), reference(x));
}

fn check_single(name: &str, ours: fn(f32) -> f32, reference: fn(f64) -> f64, low: f64, high: f64, bound: f64) {
    for x in samples(low, high) {
        let x = x as f32;
        let expected = reference(x as f64) as f32;
        let distance = ulps_single(ours(x), expected);
        assert!(distance <= bound, "{name}({x:e}f32) = {:e}, expected {expected:e}: {distance} ULP", ours(x));
    }
}

#[test]
fn exponentials_and_logarithms_stay_within_four_ulps() {
    check("exp", double::exp, f64::exp, -750.0, 715.0, 2.0);
    check("exp2", double::exp2, f64::exp2, -1080.0, 1030.0, 2.0);
    check("expm1", double::expm1, f64::exp_m1, -4.0, 4.0, 4.0);
    check("expm1", double::expm1, f64::exp_m1, -50.0, 715.0, 4.0);
    check("log", double::log, f64::ln, 0.0, 4.0, 2.0);
    check("log2", double::log2, f64::log2, 0.0, 4.0, 2.0);
    check("log10", double::log10, f64::log10, 0.0, 4.0, 2.0);
    check("log1p", double::log1p, f64::ln_1p, -1.0, 3.0, 3.0);
}

#[test]
fn trigonometric_functions_stay_within_four_ulps_for_all_magnitudes() {
    check("sin", trig::sin, f64::sin, -100.0, 100.0, 2.0);
    check("cos", trig::cos, f64::cos, -100.0, 100.0, 2.0);
    check("tan", trig::tan, f64::tan, -100.0, 100.0, 4.0);
    check("sin", trig::sin, f64::sin, -1.1e9, 1.1e9, 2.0);
    check("cos", trig::cos, f64::cos, -1.1e9, 1.1e9, 2.0);
    for k in 1..20_000u32 {
        let x = k as f64 * std::f64::consts::FRAC_PI_2;
        assert!(ulps(trig::sin(x), x.sin()) <= 2.0, "sin({x:e})");
        assert!(ulps(trig::cos(x), x.cos()) <= 2.0, "cos({x:e})");
    }
    // The double closest to a multiple of pi/2, where some C libraries lose bits.
    assert!(ulps(trig::cos(5.319372648326541e255), -4.687165924254627611122583e-19) <= 1.0);
    check("arcsin", inverse::arcsin, f64::asin, -1.0, 1.0, 3.0);
    check("arccos", inverse::arccos, f64::acos, -1.0, 1.0, 3.0);
    check("arctan", inverse::arctan, f64::atan, -5.0, 5.0, 3.0);
}

#[test]
fn hyperbolic_functions_stay_within_four_ulps() {
    check("sinh", hyperbolic::sinh, f64::sinh, -30.0, 30.0, 4.0);
    check("cosh", hyperbolic::cosh, f64::cosh, -30.0, 30.0, 4.0);
    check("tanh", hyperbolic::tanh, f64::tanh, -4.0, 4.0, 4.0);
    unsafe extern "C" {
        fn asinh(x: f64) -> f64;
        fn acosh(x: f64) -> f64;
        fn atanh(x: f64) -> f64;
    }
    // SAFETY: pure functions of the C library.
    let c_asinh: fn(f64) -> f64 = |x| unsafe { asinh(x) };
    // SAFETY: as above.
    let c_acosh: fn(f64) -> f64 = |x| unsafe { acosh(x) };
    // SAFETY: as above.
    let c_atanh: fn(f64) -> f64 = |x| unsafe { atanh(x) };
    check("arcsinh", hyperbolic::arcsinh, c_asinh, -30.0, 30.0, 4.0);
    check("arccosh", hyperbolic::arccosh, c_acosh, 1.0, 30.0, 4.0);
    check("arctanh", hyperbolic::arctanh, c_atanh, -1.0, 1.0, 4.0);
}

/// `x^y` as the loops have it: the fast way, and what replaces it where that does not apply.
fn pow(x: f64, y: f64) -> f64 {
    if power::is_special(x, y) { power::pow_special(x, y) } else { power::pow_fast(x, y) }
}

#[test]
fn powers_stay_within_two_ulps_and_follow_the_edge_rules() {
    let mut random = Random(7);
    for &x in &EDGES {
        for &y in &EDGES {
            assert!(ulps(pow(x, y), x.powf(y)) <= 2.0, "pow({x:e}, {y:e})");
        }
    }
    for _ in 0..200_000 {
        let x = random.uniform(-60.0, 60.0).exp2();
        let y = random.uniform(-18.0, 18.0);
        assert!(ulps(pow(x, y), x.powf(y)) <= 2.0, "pow({x:e}, {y:e}) = {:e}", pow(x, y));
        let x = random.uniform(0.5, 2.0);
        let y = random.uniform(-1000.0, 1000.0);
        assert!(ulps(pow(x, y), x.powf(y)) <= 2.0, "pow({x:e}, {y:e}) = {:e}", pow(x, y));
    }
    for k in 0..18 {
        assert_eq!(pow(7.0, k as f64), 7f64.powi(k), "integer powers are exact while they fit");
    }
    for k in -20..20 {
        assert!(ulps(pow(-3.0, k as f64), (-3.0f64).powf(k as f64)) <= 1.0, "pow(-3, {k})");
    }
}

#[test]
fn single_precision_is_within_one_ulp() {
    check_single("exp", single::exp, f64::exp, -104.0, 89.0, 1.0);
    check_single("exp2", single::exp2, f64::exp2, -150.0, 129.0, 1.0);
    check_single("log", single::log, f64::ln, 0.0, 4.0, 1.0);
    check_single("tanh", single::tanh, f64::tanh, -10.0, 10.0, 1.0);
    let mut random = Random(11);
    for _ in 0..100_000 {
        let (x, y) = (random.uniform(-30.0, 30.0).exp2() as f32, random.uniform(-5.0, 5.0) as f32);
        let expected = (x as f64).powf(y as f64) as f32;
        assert!(ulps_single(single::pow_fast(x, y), expected) <= 1.0, "powf({x:e}, {y:e})");
    }
}

#[test]
fn special_functions_invert_each_other_and_split_exactly() {
    for i in 1..1000 {
        let y = i as f64 / 1000.0;
        assert!((special::error_function(special::error_function_inverse(y)) - y).abs() < 4e-16, "erfinv({y})");
        let back = special::error_function_complement(special::error_function_complement_inverse(y));
        assert!((back - y).abs() / y < 1e-14, "erfcinv({y}): {back}");
    }
    assert!((special::error_function_complement_inverse(1e-200) - 21.374_733_9).abs() < 1e-2);
    for &x in EDGES.iter().filter(|x| x.is_finite()) {
        let (mantissa, exponent) = special::frexp(x);
        assert_eq!(special::ldexp(mantissa, exponent as i64).to_bits(), x.to_bits(), "{x:e}");
        assert!(x == 0.0 || (0.5..1.0).contains(&mantissa.abs()));
    }
    assert_eq!(special::ldexp(1.0, -1074), 5e-324);
    assert_eq!(special::ldexp(1.5, -1074), 1e-323);
    assert_eq!(special::ldexp(1.0, 1024), f64::INFINITY);
    assert_eq!(special::ldexp(5e-324, 2097), special::ldexp(1.0, 1023));
    assert!((special::bessel_i0(1.0) - 1.2660658777520084).abs() < 1e-15);
    assert!((special::bessel_i0(20.0) / 43558282.55955353 - 1.0).abs() < 1e-14);
    assert!((special::error_function_scaled(30.0) - 0.018795888861416751).abs() < 1e-16);
}
