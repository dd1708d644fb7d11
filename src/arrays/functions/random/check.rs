//! NumPy's checks of the parameters of distributions, with NumPy's messages.

use super::discrete::WholeDistribution;
use super::distributions::{Family, RealDistribution};
use crate::arrays::error::ArrayError;

fn refuse(message: &str) -> Result<(), ArrayError> {
    Err(ArrayError::value(message))
}

/// NaN passes, as in NumPy: it comes out as NaN.
fn not_negative(value: f64, message: &str) -> Result<(), ArrayError> {
    // The sign counts, so that -0.0 is refused as NumPy refuses it.
    if !value.is_nan() && value.is_sign_negative() { refuse(message) } else { Ok(()) }
}

fn positive(value: f64, message: &str) -> Result<(), ArrayError> {
    if value <= 0.0 { refuse(message) } else { Ok(()) }
}

impl RealDistribution {
    /// Refuses parameters for which there is no such distribution.
    pub fn check(self, family: Family) -> Result<Self, ArrayError> {
        match self {
            RealDistribution::Uniform { width, .. } => {
                let modern = family == Family::Modern;
                if !width.is_finite() {
                    let message =
                        if modern { "high - low range exceeds valid bounds" } else { "Range exceeds valid bounds" };
                    return Err(ArrayError::Overflow { message: message.into() });
                }
                if modern {
                    not_negative(width, "high - low < 0")?;
                }
            }
            RealDistribution::Normal { deviation, .. } => not_negative(deviation, "scale < 0")?,
            RealDistribution::Lognormal { deviation, .. } => not_negative(deviation, "sigma < 0")?,
            RealDistribution::Exponential { scale }
            | RealDistribution::Laplace { scale, .. }
            | RealDistribution::Logistic { scale, .. }
            | RealDistribution::Gumbel { scale, .. }
            | RealDistribution::Rayleigh { scale } => not_negative(scale, "scale < 0")?,
            RealDistribution::Gamma { shape, scale } => {
                not_negative(shape, "shape < 0")?;
                not_negative(scale, "scale < 0")?;
            }
            RealDistribution::Beta { a, b } => {
                positive(a, "a <= 0")?;
                positive(b, "b <= 0")?;
            }
            RealDistribution::Chisquare { df } | RealDistribution::StudentT { df } => positive(df, "df <= 0")?,
            RealDistribution::NoncentralChisquare { df, nonc } => {
                positive(df, "df <= 0")?;
                not_negative(nonc, "nonc < 0")?;
            }
            RealDistribution::F { dfnum, dfden } => {
                positive(dfnum, "dfnum <= 0")?;
                positive(dfden, "dfden <= 0")?;
            }
            RealDistribution::NoncentralF { dfnum, dfden, nonc } => {
                positive(dfnum, "dfnum <= 0")?;
                positive(dfden, "dfden <= 0")?;
                not_negative(nonc, "nonc < 0")?;
            }
            RealDistribution::Cauchy => {}
            RealDistribution::Weibull { a } => not_negative(a, "a < 0")?,
            RealDistribution::Pareto { a } | RealDistribution::Power { a } => positive(a, "a <= 0")?,
            RealDistribution::Triangular { left, mode, right } => {
                if left > mode {
                    return refuse("left > mode").map(|()| self);
                }
                if mode > right {
                    return refuse("mode > right").map(|()| self);
                }
                if left == right {
                    return refuse("left == right").map(|()| self);
                }
            }
            RealDistribution::Wald { mean, scale } => {
                positive(mean, "mean <= 0")?;
                positive(scale, "scale <= 0")?;
            }
            RealDistribution::VonMises { kappa, .. } => not_negative(kappa, "kappa < 0")?,
        }
        Ok(self)
    }
}

impl WholeDistribution {
    /// Refuses parameters for which there is no such distribution.
    pub fn check(self, family: Family) -> Result<Self, ArrayError> {
        /// Beyond this the transformed rejection would overflow int64.
        const POISSON_RATE_MAX: f64 = 9.223_372_006_484_771e18;
        match self {
            WholeDistribution::Poisson { lam } if lam.is_nan() || lam < 0.0 => refuse("lam < 0 or lam is NaN")?,
            WholeDistribution::Poisson { lam } if lam > POISSON_RATE_MAX => refuse("lam value too large")?,
            WholeDistribution::Poisson { .. } => {}
            WholeDistribution::Binomial { n, .. } if n < 0 => refuse("n < 0")?,
            WholeDistribution::Binomial { p, .. } if !(0.0..=1.0).contains(&p) => refuse("p < 0, p > 1 or p is NaN")?,
            WholeDistribution::Binomial { .. } => {}
            WholeDistribution::NegativeBinomial { n, p } => {
                positive(n, "n <= 0")?;
                let legacy = family == Family::Legacy;
                let possible = if legacy { (0.0..=1.0).contains(&p) } else { p > 0.0 && p <= 1.0 };
                if !possible {
                    refuse(if legacy { "p < 0, p > 1 or p is NaN" } else { "p <= 0, p > 1 or p contains NaNs" })?;
                }
            }
            WholeDistribution::Geometric { p } if !(p > 0.0 && p <= 1.0) => {
                refuse("p <= 0, p > 1 or p contains NaNs")?;
            }
            WholeDistribution::Geometric { .. } => {}
            WholeDistribution::Zipf { a } if a.is_nan() || a <= 1.0 => refuse("a <= 1 or a is NaN")?,
            WholeDistribution::Zipf { .. } => {}
            WholeDistribution::Logseries { p } if !(0.0..1.0).contains(&p) => refuse("p < 0, p >= 1 or p is NaN")?,
            WholeDistribution::Logseries { .. } => {}
        }
        Ok(self)
    }
}
