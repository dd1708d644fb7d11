//! Real numbers drawn from the distributions of `numpy.random`, one formula each for `RandomState` (legacy) and `Generator` (modern).
//!
//! The order of draws and of floating-point operations is NumPy's: changing either changes the stream. Nothing here knows of arrays.

use super::streams::Stream;
use super::ziggurat_tables as tables;

/// Which of NumPy's two families of formulas to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// `RandomState` and the module functions: frozen since NumPy 1.16.
    Legacy,
    /// `Generator`.
    Modern,
}

/// A stream together with what the formulas remember between draws.
#[derive(Clone, Debug)]
pub struct Source {
    /// Where the bits come from.
    pub stream: Stream,
    /// Which formulas are used.
    pub family: Family,
    /// The polar method makes two normal numbers at a time; this is the second.
    pub spare_normal: Option<f64>,
}

/// A real distribution with its parameters, already checked.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the fields are the named parameters of numpy.random's functions")]
pub enum RealDistribution {
    /// Uniform on [low, low + width).
    Uniform { low: f64, width: f64 },
    /// Normal.
    Normal { mean: f64, deviation: f64 },
    /// The exponential of a normal number.
    Lognormal { mean: f64, deviation: f64 },
    /// Exponential.
    Exponential { scale: f64 },
    /// Gamma.
    Gamma { shape: f64, scale: f64 },
    /// Beta.
    Beta { a: f64, b: f64 },
    /// Chi-square.
    Chisquare { df: f64 },
    /// Chi-square with a shifted mean.
    NoncentralChisquare { df: f64, nonc: f64 },
    /// F.
    F { dfnum: f64, dfden: f64 },
    /// F with a shifted mean.
    NoncentralF { dfnum: f64, dfden: f64, nonc: f64 },
    /// Student's t.
    StudentT { df: f64 },
    /// Cauchy with mode 0.
    Cauchy,
    /// Laplace.
    Laplace { loc: f64, scale: f64 },
    /// Logistic.
    Logistic { loc: f64, scale: f64 },
    /// Gumbel.
    Gumbel { loc: f64, scale: f64 },
    /// Weibull.
    Weibull { a: f64 },
    /// Pareto (Lomax).
    Pareto { a: f64 },
    /// Power function.
    Power { a: f64 },
    /// Rayleigh.
    Rayleigh { scale: f64 },
    /// Triangular.
    Triangular { left: f64, mode: f64, right: f64 },
    /// Inverse Gaussian.
    Wald { mean: f64, scale: f64 },
    /// Von Mises.
    VonMises { mu: f64, kappa: f64 },
}

impl Source {
    /// A source with nothing remembered yet.
    pub fn new(stream: Stream, family: Family) -> Self {
        Source { stream, family, spare_normal: None }
    }

    /// Draws one number.
    pub fn real(&mut self, distribution: RealDistribution) -> f64 {
        let legacy = self.family == Family::Legacy;
        match distribution {
            RealDistribution::Uniform { low, width } => low + width * self.stream.next_f64(),
            RealDistribution::Normal { mean, deviation } => mean + deviation * self.normal(),
            RealDistribution::Lognormal { mean, deviation } => (mean + deviation * self.normal()).exp(),
            RealDistribution::Exponential { scale } => scale * self.exponential(),
            RealDistribution::Gamma { shape, scale } => scale * self.gamma(shape),
            RealDistribution::Beta { a, b } => self.beta(a, b),
            RealDistribution::Chisquare { df } => self.chisquare(df),
            RealDistribution::NoncentralChisquare { df, nonc } => self.noncentral_chisquare(df, nonc),
            RealDistribution::F { dfnum, dfden } => {
                let above = self.chisquare(dfnum) * dfden;
                above / (self.chisquare(dfden) * dfnum)
            }
            RealDistribution::NoncentralF { dfnum, dfden, nonc } => {
                let above = self.noncentral_chisquare(dfnum, nonc) * dfden;
                above / (self.chisquare(dfden) * dfnum)
            }
            RealDistribution::StudentT { df } => {
                let above = self.normal();
                (df / 2.0).sqrt() * above / self.gamma(df / 2.0).sqrt()
            }
            RealDistribution::Cauchy => {
                let above = self.normal();
                above / self.normal()
            }
            RealDistribution::Laplace { loc, scale } => loop {
                let u = self.stream.next_f64();
                if u >= 0.5 {
                    return loc - scale * (2.0 - u - u).ln();
                }
                if u > 0.0 {
                    return loc + scale * (u + u).ln();
                }
            },
            RealDistribution::Gumbel { loc, scale } => loop {
                let u = 1.0 - self.stream.next_f64();
                if u < 1.0 {
                    return loc - scale * (-u.ln()).ln();
                }
            },
            RealDistribution::Logistic { loc, scale } => loop {
                let u = self.stream.next_f64();
                if u > 0.0 {
                    return loc + scale * (u / (1.0 - u)).ln();
                }
            },
            RealDistribution::Weibull { a: 0.0 } => 0.0,
            RealDistribution::Weibull { a } => self.exponential().powf(1.0 / a),
            RealDistribution::Pareto { a } if legacy => (self.exponential() / a).exp() - 1.0,
            RealDistribution::Pareto { a } => (self.exponential() / a).exp_m1(),
            RealDistribution::Power { a } if legacy => (1.0 - (-self.exponential()).exp()).powf(1.0 / a),
            RealDistribution::Power { a } => (-(-self.exponential()).exp_m1()).powf(1.0 / a),
            RealDistribution::Rayleigh { scale } if legacy => scale * (-2.0 * (-self.stream.next_f64()).ln_1p()).sqrt(),
            RealDistribution::Rayleigh { scale } => scale * (2.0 * self.exponential()).sqrt(),
            RealDistribution::Triangular { left, mode, right } => self.triangular(left, mode, right),
            RealDistribution::Wald { mean, scale } => self.wald(mean, scale),
            RealDistribution::VonMises { mu, kappa } => self.von_mises(mu, kappa),
        }
    }

    /// A normal number with mean 0 and deviation 1.
    pub fn normal(&mut self) -> f64 {
        match self.family {
            Family::Legacy => self.normal_polar(),
            Family::Modern => self.normal_ziggurat(),
        }
    }

    fn normal_polar(&mut self) -> f64 {
        if let Some(spare) = self.spare_normal.take() {
            return spare;
        }
        loop {
            let x = 2.0 * self.stream.next_f64() - 1.0;
            let y = 2.0 * self.stream.next_f64() - 1.0;
            let squared = x * x + y * y;
            if squared < 1.0 && squared != 0.0 {
                let factor = (-2.0 * squared.ln() / squared).sqrt();
                self.spare_normal = Some(factor * x);
                return factor * y;
            }
        }
    }

    fn normal_ziggurat(&mut self) -> f64 {
        loop {
            let bits = self.stream.next_u64();
            let layer = (bits & 0xff) as usize;
            let negative = bits >> 8 & 1 == 1;
            let magnitude = bits >> 9 & 0x000f_ffff_ffff_ffff;
            let x = magnitude as f64 * tables::NORMAL_WIDTH[layer];
            let x = if negative { -x } else { x };
            if magnitude < tables::NORMAL_ACCEPT[layer] {
                return x;
            }
            if layer == 0 {
                loop {
                    let xx = -tables::NORMAL_TAIL_INVERSE * (-self.stream.next_f64()).ln_1p();
                    let yy = -(-self.stream.next_f64()).ln_1p();
                    if yy + yy > xx * xx {
                        let tail = tables::NORMAL_TAIL + xx;
                        return if magnitude >> 8 & 1 == 1 { -tail } else { tail };
                    }
                }
            }
            let (above, below) = (tables::NORMAL_HEIGHT[layer - 1], tables::NORMAL_HEIGHT[layer]);
            if (above - below) * self.stream.next_f64() + below < (-0.5 * x * x).exp() {
                return x;
            }
        }
    }

    /// An exponential number with mean 1.
    pub fn exponential(&mut self) -> f64 {
        if self.family == Family::Legacy {
            return -(1.0 - self.stream.next_f64()).ln();
        }
        loop {
            let bits = self.stream.next_u64() >> 3;
            let layer = (bits & 0xff) as usize;
            let magnitude = bits >> 8;
            let x = magnitude as f64 * tables::EXPONENTIAL_WIDTH[layer];
            if magnitude < tables::EXPONENTIAL_ACCEPT[layer] {
                return x;
            }
            if layer == 0 {
                return tables::EXPONENTIAL_TAIL - (-self.stream.next_f64()).ln_1p();
            }
            let (above, below) = (tables::EXPONENTIAL_HEIGHT[layer - 1], tables::EXPONENTIAL_HEIGHT[layer]);
            if (above - below) * self.stream.next_f64() + below < (-x).exp() {
                return x;
            }
        }
    }

    /// A gamma number with scale 1.
    pub fn gamma(&mut self, shape: f64) -> f64 {
        if shape == 1.0 {
            return self.exponential();
        }
        if shape == 0.0 {
            return 0.0;
        }
        if shape < 1.0 {
            loop {
                let u = self.stream.next_f64();
                let v = self.exponential();
                if u <= 1.0 - shape {
                    let x = u.powf(1.0 / shape);
                    if x <= v {
                        return x;
                    }
                } else {
                    let y = -((1.0 - u) / shape).ln();
                    let x = (1.0 - shape + shape * y).powf(1.0 / shape);
                    if x <= v + y {
                        return x;
                    }
                }
            }
        }
        let b = shape - 1.0 / 3.0;
        let c = 1.0 / (9.0 * b).sqrt();
        loop {
            let (x, v) = loop {
                let x = self.normal();
                let v = 1.0 + c * x;
                // A NaN shape leaves the loop, as it does in C.
                if v > 0.0 || v.is_nan() {
                    break (x, v);
                }
            };
            let v = v * v * v;
            let u = self.stream.next_f64();
            if v.is_nan() || u < 1.0 - 0.0331 * (x * x) * (x * x) || u.ln() < 0.5 * x * x + b * (1.0 - v + v.ln()) {
                return b * v;
            }
        }
    }

    fn chisquare(&mut self, df: f64) -> f64 {
        2.0 * self.gamma(df / 2.0)
    }

    fn noncentral_chisquare(&mut self, df: f64, nonc: f64) -> f64 {
        if nonc.is_nan() {
            return f64::NAN;
        }
        if nonc == 0.0 {
            return self.chisquare(df);
        }
        if 1.0 < df {
            let central = self.chisquare(df - 1.0);
            let shifted = self.normal() + nonc.sqrt();
            return central + shifted * shifted;
        }
        let extra = self.poisson(nonc / 2.0);
        self.chisquare(df + 2.0 * extra as f64)
    }

    fn beta(&mut self, a: f64, b: f64) -> f64 {
        const TINY: f64 = 3e-103;
        if a > 1.0 || b > 1.0 {
            let left = self.gamma(a);
            let right = self.gamma(b);
            return left / (left + right);
        }
        if self.family == Family::Modern && a < TINY && b < TINY {
            return f64::from(u8::from((a + b) * self.stream.next_f64() < a));
        }
        loop {
            let u = self.stream.next_f64();
            let v = self.stream.next_f64();
            let (x, y) = (u.powf(1.0 / a), v.powf(1.0 / b));
            if x + y > 1.0 {
                continue;
            }
            let (log_x, log_y) = (u.ln() / a, v.ln() / b);
            match self.family {
                Family::Legacy if x + y > 0.0 => return x / (x + y),
                Family::Legacy => {
                    let largest = log_x.max(log_y);
                    let (log_x, log_y) = (log_x - largest, log_y - largest);
                    return (log_x - (log_x.exp() + log_y.exp()).ln()).exp();
                }
                Family::Modern if u + v <= 0.0 => {}
                Family::Modern if x > 0.0 && y > 0.0 => return x / (x + y),
                Family::Modern => {
                    let delta = log_x - log_y;
                    return if delta > 0.0 {
                        (-(-delta).exp().ln_1p()).exp()
                    } else {
                        (delta - delta.exp().ln_1p()).exp()
                    };
                }
            }
        }
    }

    fn triangular(&mut self, left: f64, mode: f64, right: f64) -> f64 {
        let base = right - left;
        let left_base = mode - left;
        let u = self.stream.next_f64();
        if u <= left_base / base {
            left + (u * (left_base * base)).sqrt()
        } else {
            right - ((1.0 - u) * ((right - mode) * base)).sqrt()
        }
    }

    fn wald(&mut self, mean: f64, scale: f64) -> f64 {
        let y = self.normal();
        let y = mean * y * y;
        let x = match self.family {
            Family::Legacy => mean + mean / (2.0 * scale) * (y - (4.0 * scale * y + y * y).sqrt()),
            Family::Modern => mean * (1.0 - 2.0 / (1.0 + (1.0 + 4.0 * scale / y).sqrt())),
        };
        if self.stream.next_f64() <= mean / (mean + x) { x } else { mean * mean / x }
    }

    fn von_mises(&mut self, mu: f64, kappa: f64) -> f64 {
        use std::f64::consts::PI;
        if kappa.is_nan() {
            return f64::NAN;
        }
        if kappa < 1e-8 {
            return PI * (2.0 * self.stream.next_f64() - 1.0);
        }
        if kappa > 1e6 && self.family == Family::Modern {
            let wrapped = mu + (1.0 / kappa).sqrt() * self.normal();
            let wrapped = if wrapped < -PI { wrapped + 2.0 * PI } else { wrapped };
            return if wrapped > PI { wrapped - 2.0 * PI } else { wrapped };
        }
        let s = if kappa < 1e-5 {
            1.0 / kappa + kappa
        } else {
            let r = 1.0 + (1.0 + 4.0 * kappa * kappa).sqrt();
            let rho = (r - (2.0 * r).sqrt()) / (2.0 * kappa);
            (1.0 + rho * rho) / (2.0 * rho)
        };
        let w = loop {
            let z = (PI * self.stream.next_f64()).cos();
            let w = (1.0 + s * z) / (s + z);
            let y = kappa * (s - w);
            let v = self.stream.next_f64();
            if y * (2.0 - y) - v >= 0.0 || (y / v).ln() + 1.0 - y >= 0.0 {
                break w;
            }
        };
        let angle = if self.stream.next_f64() < 0.5 { -w.acos() } else { w.acos() } + mu;
        let folded = (angle.abs() + PI) % (2.0 * PI) - PI;
        if angle < 0.0 { -folded } else { folded }
    }
}
