//! Whole numbers drawn from the distributions of `numpy.random`, with NumPy's order of draws (see `distributions.rs`).

use super::distributions::{Family, Source};

/// A distribution of whole numbers with its parameters, already checked.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the fields are the named parameters of numpy.random's functions")]
pub enum WholeDistribution {
    /// Poisson.
    Poisson { lam: f64 },
    /// Binomial.
    Binomial { n: i64, p: f64 },
    /// Failures before the n-th success.
    NegativeBinomial { n: f64, p: f64 },
    /// Trials up to the first success.
    Geometric { p: f64 },
    /// Zipf.
    Zipf { a: f64 },
    /// Logarithmic series.
    Logseries { p: f64 },
}

impl Source {
    /// Draws one whole number.
    pub fn whole(&mut self, distribution: WholeDistribution) -> i64 {
        match distribution {
            WholeDistribution::Poisson { lam } => self.poisson(lam),
            WholeDistribution::Binomial { n, p } => self.binomial(n, p),
            WholeDistribution::NegativeBinomial { n, p } => {
                let mean = (1.0 - p) / p * self.gamma(n);
                self.poisson(mean)
            }
            WholeDistribution::Geometric { p } => self.geometric(p),
            WholeDistribution::Zipf { a } => self.zipf(a),
            WholeDistribution::Logseries { p } => self.logseries(p),
        }
    }

    /// A Poisson number.
    pub fn poisson(&mut self, lam: f64) -> i64 {
        if lam == 0.0 {
            return 0;
        }
        if lam < 10.0 {
            let floor = (-lam).exp();
            let mut product = 1.0;
            let mut count = 0;
            loop {
                product *= self.stream.next_f64();
                // A NaN rate ends here too, as the comparison does in C.
                if product <= floor || floor.is_nan() {
                    return count;
                }
                count += 1;
            }
        }
        self.poisson_transformed(lam)
    }

    /// Hörmann's transformed rejection, for rates of 10 and more.
    fn poisson_transformed(&mut self, lam: f64) -> i64 {
        let b = 0.931 + 2.53 * lam.sqrt();
        let a = -0.059 + 0.02483 * b;
        let inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
        let v_bound = 0.9277 - 3.6224 / (b - 2.0);
        loop {
            let u = self.stream.next_f64() - 0.5;
            let v = self.stream.next_f64();
            let us = 0.5 - u.abs();
            let k = ((2.0 * a / us + b) * u + lam + 0.43).floor();
            if us >= 0.07 && v <= v_bound {
                return k as i64;
            }
            if k < 0.0 || (us < 0.013 && v > us) {
                continue;
            }
            let left = v.ln() + inverse_alpha.ln() - (a / (us * us) + b).ln();
            if left <= -lam + k * lam.ln() - log_gamma(k + 1.0) {
                return k as i64;
            }
        }
    }

    /// A binomial number.
    pub fn binomial(&mut self, n: i64, p: f64) -> i64 {
        if n == 0 || p == 0.0 {
            return 0;
        }
        let rare = if p <= 0.5 { p } else { 1.0 - p };
        let count =
            if rare * n as f64 <= 30.0 { self.binomial_inversion(n, rare) } else { self.binomial_btpe(n, rare) };
        if p <= 0.5 { count } else { n - count }
    }

    fn binomial_inversion(&mut self, n: i64, p: f64) -> i64 {
        let q = 1.0 - p;
        let start = match self.family {
            Family::Legacy => (n as f64 * q.ln()).exp(),
            Family::Modern => (n as f64 * (-p).ln_1p()).exp(),
        };
        let mean = n as f64 * p;
        let bound = (n as f64).min(mean + 10.0 * (mean * q + 1.0).sqrt()) as i64;
        let mut count = 0_i64;
        let mut px = start;
        let mut u = self.stream.next_f64();
        while u > px {
            count += 1;
            if count > bound {
                count = 0;
                px = start;
                u = self.stream.next_f64();
            } else {
                u -= px;
                px = (n - count + 1) as f64 * p * px / (count as f64 * q);
            }
        }
        count
    }

    /// Kachitvichyanukul and Schmeiser's BTPE: triangle, parallelogram and two exponential tails over the histogram.
    fn binomial_btpe(&mut self, n: i64, p: f64) -> i64 {
        let r = p.min(1.0 - p);
        let q = 1.0 - r;
        let n_real = n as f64;
        let fm = n_real * r + r;
        let m = fm.floor() as i64;
        let m_real = m as f64;
        let p1 = (2.195 * (n_real * r * q).sqrt() - 4.6 * q).floor() + 0.5;
        let xm = m_real + 0.5;
        let (xl, xr) = (xm - p1, xm + p1);
        let c = 0.134 + 20.5 / (15.3 + m_real);
        let slope = |a: f64| a * (1.0 + a / 2.0);
        let laml = slope((fm - xl) / (fm - xl * r));
        let lamr = slope((xr - fm) / (xr * q));
        let p2 = p1 * (1.0 + 2.0 * c);
        let p3 = p2 + c / laml;
        let p4 = p3 + c / lamr;
        let nrq = n_real * r * q;
        loop {
            let u = self.stream.next_f64() * p4;
            let mut v = self.stream.next_f64();
            let y;
            if u <= p1 {
                return (xm - p1 * v + u).floor() as i64;
            } else if u <= p2 {
                let x = xl + (u - p1) / c;
                v = v * c + 1.0 - (m_real - x + 0.5).abs() / p1;
                if v > 1.0 {
                    continue;
                }
                y = x.floor() as i64;
            } else if u <= p3 {
                y = (xl + v.ln() / laml).floor() as i64;
                if y < 0 || v == 0.0 {
                    continue;
                }
                v = v * (u - p2) * laml;
            } else {
                y = (xr - v.ln() / lamr).floor() as i64;
                if y > n || v == 0.0 {
                    continue;
                }
                v = v * (u - p3) * lamr;
            }
            if self.btpe_accepts(BtpePoint { n, m, y, v, r, q, nrq, xm }) {
                return y;
            }
        }
    }

    fn btpe_accepts(&self, point: BtpePoint) -> bool {
        let BtpePoint { n, m, y, v, r, q, nrq, xm } = point;
        let k = (y - m).abs();
        if k <= 20 || k as f64 >= nrq / 2.0 - 1.0 {
            let s = r / q;
            let a = s * (n + 1) as f64;
            let mut density = 1.0;
            for i in m + 1..=y {
                density *= a / i as f64 - s;
            }
            for i in y + 1..=m {
                density /= a / i as f64 - s;
            }
            return v <= density;
        }
        let k = k as f64;
        let rho = k / nrq * ((k * (k / 3.0 + 0.625) + 0.166_666_666_666_666_66) / nrq + 0.5);
        let t = -k * k / (2.0 * nrq);
        let log_v = v.ln();
        if log_v < t - rho {
            return true;
        }
        if log_v > t + rho {
            return false;
        }
        let (n, m, y) = (n as f64, m as f64, y as f64);
        let (x1, f1, z, w) = (y + 1.0, m + 1.0, n + 1.0 - m, n - y + 1.0);
        let stirling = |x: f64| {
            let squared = x * x;
            (13860.0 - (462.0 - (132.0 - (99.0 - 140.0 / squared) / squared) / squared) / squared) / x / 166_320.0
        };
        let main = xm * (f1 / x1).ln() + (n - m + 0.5) * (z / w).ln() + (y - m) * (w * r / (x1 * q)).ln();
        // The legacy family keeps the wrong sign of the last two terms, so that old seeds give old numbers.
        let bound = match self.family {
            Family::Legacy => main + stirling(f1) + stirling(z) + stirling(x1) + stirling(w),
            Family::Modern => main + stirling(f1) + stirling(z) - stirling(x1) - stirling(w),
        };
        log_v <= bound
    }

    fn geometric(&mut self, p: f64) -> i64 {
        if p >= 1.0 / 3.0 {
            let q = 1.0 - p;
            let (mut sum, mut product, mut count) = (p, p, 1);
            let u = self.stream.next_f64();
            while u > sum && product > 0.0 {
                product *= q;
                sum += product;
                count += 1;
            }
            return count;
        }
        // `as` saturates, which is NumPy's bound at the largest int64.
        match self.family {
            Family::Legacy => ((-self.stream.next_f64()).ln_1p() / (1.0 - p).ln()).ceil() as i64,
            Family::Modern => (-self.exponential() / (-p).ln_1p()).ceil() as i64,
        }
    }

    fn zipf(&mut self, a: f64) -> i64 {
        if a >= 1025.0 {
            return 1;
        }
        let am1 = a - 1.0;
        let b = 2.0_f64.powf(am1);
        let smallest = (i64::MAX as f64).powf(-am1);
        loop {
            let u = self.stream.next_f64();
            let u = match self.family {
                Family::Legacy => 1.0 - u,
                Family::Modern => u * smallest + (1.0 - u),
            };
            let v = self.stream.next_f64();
            let x = u.powf(-1.0 / am1).floor();
            if !(1.0..=i64::MAX as f64).contains(&x) {
                continue;
            }
            let t = (1.0 + 1.0 / x).powf(am1);
            if v * x * (t - 1.0) / (b - 1.0) <= t / b {
                return x as i64;
            }
        }
    }

    fn logseries(&mut self, p: f64) -> i64 {
        let legacy = self.family == Family::Legacy;
        let r = if legacy { (1.0 - p).ln() } else { (-p).ln_1p() };
        loop {
            let v = self.stream.next_f64();
            if v >= p {
                return 1;
            }
            let u = self.stream.next_f64();
            let q = if legacy { 1.0 - (r * u).exp() } else { -(r * u).exp_m1() };
            if v <= q * q {
                let count = (1.0 + v.ln() / q.ln()).floor();
                if count < 1.0 || v == 0.0 {
                    continue;
                }
                return count as i64;
            }
            return if v >= q { 1 } else { 2 };
        }
    }
}

/// A candidate of BTPE with the constants its test needs.
struct BtpePoint {
    n: i64,
    m: i64,
    y: i64,
    v: f64,
    r: f64,
    q: f64,
    nrq: f64,
    xm: f64,
}

/// The logarithm of the gamma function, by the series NumPy uses here (its rounding decides draws).
pub(super) fn log_gamma(x: f64) -> f64 {
    const COEFFICIENTS: [f64; 10] = [
        8.333_333_333_333_333e-2,
        -2.777_777_777_777_778e-3,
        7.936_507_936_507_937e-4,
        -5.952_380_952_380_952e-4,
        8.417_508_417_508_418e-4,
        -1.917_526_917_526_918e-3,
        6.410_256_410_256_41e-3,
        -2.955_065_359_477_124e-2,
        1.796_443_723_688_307e-1,
        -1.392_432_216_905_9,
    ];
    const LOG_TWO_PI: f64 = 1.837_877_066_409_345_3;
    if x == 1.0 || x == 2.0 {
        return 0.0;
    }
    let shift = if x < 7.0 { (7.0 - x) as i64 } else { 0 };
    let mut x0 = x + shift as f64;
    let x2 = (1.0 / x0) * (1.0 / x0);
    let series = COEFFICIENTS.iter().rev().copied().reduce(|sum, next| sum * x2 + next).unwrap_or(0.0);
    let mut result = series / x0 + 0.5 * LOG_TWO_PI + (x0 - 0.5) * x0.ln() - x0;
    for _ in 0..shift {
        result -= (x0 - 1.0).ln();
        x0 -= 1.0;
    }
    result
}
