//! Calls of random streams; every digit is compared.

use super::case::{Case, alloc};
use crate::arrays::array::Array;
use crate::arrays::dtype::DType;
use crate::arrays::error::ArrayError;
use crate::arrays::functions::print::{self, FloatMode, PrintOptions};
use crate::arrays::functions::random::{Generator, RealDistribution as Real, WholeDistribution as Whole, seed_words};

fn text(array: &Array) -> Result<String, ArrayError> {
    let options = PrintOptions { floatmode: FloatMode::Unique, threshold: 1_000_000, ..PrintOptions::default() };
    print::repr(array, &options)
}

fn generator(kind: &str, seed: i64) -> Generator {
    match kind {
        "legacy" => Generator::legacy(seed.into()).unwrap(),
        _ => Generator::modern(&seed_words(seed.into()).unwrap()),
    }
}

pub(super) fn call(case: &Case) -> Option<Result<String, ArrayError>> {
    let one = |result: Result<Array, ArrayError>| result.and_then(|array| text(&array));
    let stream = || generator(case.text(0), case.int(1));
    Some(match case.name.as_str() {
        "draw" => {
            let shape = [case.int(3) as usize];
            let parameters: Vec<f64> = (4..case.len()).map(|position| case.float(position)).collect();
            match distribution(case.text(2), &parameters) {
                Ok(real) => one(stream().real(real, &shape, DType::Float64, &alloc())),
                Err(whole) => one(stream().whole(whole, &shape, &alloc())),
            }
        }
        "draw_each" => {
            one(stream().real_each(&[&case.array(2), &case.array(3)], None, DType::Float64, &alloc(), |row| {
                Real::Normal { mean: row[0], deviation: row[1] }
            }))
        }
        "integers" => {
            let dtype = DType::parse(case.text(4)).unwrap();
            one(stream().integers(case.wide_int(2), case.wide_int(3), false, &[12], dtype, &alloc()))
        }
        "permutation" => one(stream().shuffled_indices(case.int(2) as usize, &alloc())),
        "permutation_of" => one(stream().permutation(&case.array(2), 0)),
        "shuffle" => {
            let target = case.array(0);
            generator(case.text(1), case.int(2)).shuffle(&target, 0).and_then(|()| text(&target))
        }
        "choice" => {
            let (population, count) = (case.int(2) as usize, case.int(3) as usize);
            let drawn = stream().choice(population, &[count], case.truth(4), None, true, &alloc());
            one(drawn.map(|drawn| drawn.view(drawn.layout().slice_axis(0, 0, count.min(60)))))
        }
        "choice_p" => {
            let weights: Vec<f64> = case.array(4).to_vec().unwrap();
            one(stream().choice(weights.len(), &[case.int(2) as usize], case.truth(3), Some(&weights), true, &alloc()))
        }
        "multinomial" => {
            let weights: Vec<f64> = case.array(3).to_vec().unwrap();
            one(stream().multinomial(case.int(2), &weights, &[3], &alloc()))
        }
        "hypergeometric" => one(stream().hypergeometric(case.int(2), case.int(3), case.int(4), &[12], &alloc())),
        "dirichlet" => {
            let alpha: Vec<f64> = case.array(2).to_vec().unwrap();
            one(stream().dirichlet(&alpha, &[4], &alloc()))
        }
        "big_seed" => one(Generator::modern(&seed_words(case.text(0).parse().unwrap()).unwrap()).random(
            &[3],
            DType::Float64,
            &alloc(),
        )),
        _ => return None,
    })
}

fn distribution(name: &str, parameters: &[f64]) -> Result<Real, Whole> {
    Ok(match (name, parameters) {
        ("random", []) => Real::Uniform { low: 0.0, width: 1.0 },
        ("uniform", [low, high]) => Real::Uniform { low: *low, width: high - low },
        ("standard_normal", []) => Real::Normal { mean: 0.0, deviation: 1.0 },
        ("normal", [mean, deviation]) => Real::Normal { mean: *mean, deviation: *deviation },
        ("lognormal", [mean, deviation]) => Real::Lognormal { mean: *mean, deviation: *deviation },
        ("standard_exponential", []) => Real::Exponential { scale: 1.0 },
        ("exponential", [scale]) => Real::Exponential { scale: *scale },
        ("gamma", [shape, scale]) => Real::Gamma { shape: *shape, scale: *scale },
        ("beta", [a, b]) => Real::Beta { a: *a, b: *b },
        ("chisquare", [df]) => Real::Chisquare { df: *df },
        ("noncentral_chisquare", [df, nonc]) => Real::NoncentralChisquare { df: *df, nonc: *nonc },
        ("f", [dfnum, dfden]) => Real::F { dfnum: *dfnum, dfden: *dfden },
        ("noncentral_f", [dfnum, dfden, nonc]) => Real::NoncentralF { dfnum: *dfnum, dfden: *dfden, nonc: *nonc },
        ("standard_t", [df]) => Real::StudentT { df: *df },
        ("standard_cauchy", []) => Real::Cauchy,
        ("laplace", [loc, scale]) => Real::Laplace { loc: *loc, scale: *scale },
        ("logistic", [loc, scale]) => Real::Logistic { loc: *loc, scale: *scale },
        ("gumbel", [loc, scale]) => Real::Gumbel { loc: *loc, scale: *scale },
        ("weibull", [a]) => Real::Weibull { a: *a },
        ("pareto", [a]) => Real::Pareto { a: *a },
        ("power", [a]) => Real::Power { a: *a },
        ("rayleigh", [scale]) => Real::Rayleigh { scale: *scale },
        ("triangular", [left, mode, right]) => Real::Triangular { left: *left, mode: *mode, right: *right },
        ("wald", [mean, scale]) => Real::Wald { mean: *mean, scale: *scale },
        ("vonmises", [mu, kappa]) => Real::VonMises { mu: *mu, kappa: *kappa },
        ("poisson", [lam]) => return Err(Whole::Poisson { lam: *lam }),
        ("binomial", [n, p]) => return Err(Whole::Binomial { n: *n as i64, p: *p }),
        ("negative_binomial", [n, p]) => return Err(Whole::NegativeBinomial { n: *n, p: *p }),
        ("geometric", [p]) => return Err(Whole::Geometric { p: *p }),
        ("zipf", [a]) => return Err(Whole::Zipf { a: *a }),
        ("logseries", [p]) => return Err(Whole::Logseries { p: *p }),
        other => panic!("{other:?} is no distribution"),
    })
}
