//! The discrete Fourier transform of one line: mixed radix for lengths with small factors, Bluestein's convolution for the others.

use num_complex::Complex64;

/// Prime factors up to this go through the plain butterfly.
const FACTOR_MAX: usize = 31;

/// What a transform of one length needs: factors and roots of unity, or a convolution.
#[derive(Debug)]
pub(super) struct Plan {
    len: usize,
    factors: Vec<usize>,
    /// exp(-2 pi i k / len).
    roots: Vec<Complex64>,
    convolution: Option<Box<Convolution>>,
}

/// Bluestein: the transform as a convolution with a chirp, in a power of two.
#[derive(Debug)]
struct Convolution {
    plan: Plan,
    /// exp(-pi i k^2 / len).
    chirp: Vec<Complex64>,
    /// The transformed conjugate chirp, scaled by the inverse length.
    kernel: Vec<Complex64>,
}

impl Plan {
    pub(super) fn new(len: usize) -> Self {
        let mut factors = Vec::new();
        let mut rest = len;
        for factor in [4, 2, 3, 5, 7].into_iter().chain((11..=FACTOR_MAX).step_by(2)) {
            while rest.is_multiple_of(factor) && rest > 1 {
                factors.push(factor);
                rest /= factor;
            }
        }
        let convolution = (rest > 1).then(|| Box::new(Convolution::new(len)));
        let roots = if convolution.is_some() { Vec::new() } else { (0..len).map(|k| root(k, len)).collect() };
        Plan { len, factors, roots, convolution }
    }

    /// Transforms a line in place; `inverse` changes the sign of the exponent. Nothing is scaled.
    pub(super) fn run(&self, line: &mut [Complex64], scratch: &mut Vec<Complex64>, inverse: bool) {
        if self.len <= 1 {
            return;
        }
        if inverse {
            line.iter_mut().for_each(|value| *value = value.conj());
        }
        match &self.convolution {
            Some(convolution) => convolution.run(line),
            None => {
                scratch.clear();
                scratch.extend_from_slice(line);
                self.step(scratch, 1, line, 0);
            }
        }
        if inverse {
            line.iter_mut().for_each(|value| *value = value.conj());
        }
    }

    /// Transforms every `stride`-th value of `input` into `output`.
    fn step(&self, input: &[Complex64], stride: usize, output: &mut [Complex64], level: usize) {
        let len = output.len();
        if len == 1 {
            output[0] = input[0];
            return;
        }
        let factor = self.factors[level];
        let part = len / factor;
        for (offset, output) in output.chunks_exact_mut(part).enumerate() {
            self.step(&input[offset * stride..], stride * factor, output, level + 1);
        }
        let mut turned = [Complex64::ZERO; FACTOR_MAX];
        for k in 0..part {
            for (offset, turned) in turned[..factor].iter_mut().enumerate() {
                *turned = output[offset * part + k] * self.roots[offset * k * stride];
            }
            butterfly(&turned[..factor], |place, value| output[place * part + k] = value, &self.roots, self.len);
        }
    }
}

/// The transform of a few values.
fn butterfly(values: &[Complex64], mut store: impl FnMut(usize, Complex64), roots: &[Complex64], len: usize) {
    match *values {
        [a, b] => {
            store(0, a + b);
            store(1, a - b);
        }
        [a, b, c, d] => {
            let (even, odd) = (a + c, b + d);
            let (even_difference, odd_difference) = (a - c, b - d);
            // Multiplying by -i turns a quarter clockwise.
            let turned = Complex64::new(odd_difference.im, -odd_difference.re);
            store(0, even + odd);
            store(1, even_difference + turned);
            store(2, even - odd);
            store(3, even_difference - turned);
        }
        _ => {
            let factor = values.len();
            let step = len / factor;
            for place in 0..factor {
                let mut sum = values[0];
                for (number, value) in values.iter().enumerate().skip(1) {
                    sum += value * roots[number * place % factor * step];
                }
                store(place, sum);
            }
        }
    }
}

impl Convolution {
    fn new(len: usize) -> Self {
        let padded = (2 * len - 1).next_power_of_two();
        let plan = Plan::new(padded);
        // k^2 modulo 2 len keeps the angle exact for long lines.
        let chirp: Vec<Complex64> =
            (0..len).map(|k| root((k as u128 * k as u128 % (2 * len as u128)) as usize, 2 * len)).collect();
        let mut kernel = vec![Complex64::ZERO; padded];
        for (k, value) in chirp.iter().enumerate() {
            kernel[k] = value.conj();
            kernel[(padded - k) % padded] = value.conj();
        }
        plan.run(&mut kernel, &mut Vec::new(), false);
        kernel.iter_mut().for_each(|value| *value /= padded as f64);
        Convolution { plan, chirp, kernel }
    }

    fn run(&self, line: &mut [Complex64]) {
        let mut work = vec![Complex64::ZERO; self.kernel.len()];
        let mut scratch = Vec::new();
        for ((slot, value), chirp) in work.iter_mut().zip(line.iter()).zip(&self.chirp) {
            *slot = value * chirp;
        }
        self.plan.run(&mut work, &mut scratch, false);
        work.iter_mut().zip(&self.kernel).for_each(|(value, kernel)| *value *= kernel);
        self.plan.run(&mut work, &mut scratch, true);
        for ((slot, value), chirp) in line.iter_mut().zip(&work).zip(&self.chirp) {
            *slot = value * chirp;
        }
    }
}

/// exp(-2 pi i k / len), exact at the eighths of the circle.
fn root(k: usize, len: usize) -> Complex64 {
    // Only the first eighth is computed; the rest is symmetry, so that roots cancel exactly.
    let (k, len) = (k as u128 % len as u128, len as u128);
    let octant = 8 * k / len;
    let angle = |numerator: u128| std::f64::consts::TAU * numerator as f64 / (8 * len) as f64;
    let eighth = 8 * k - octant * len;
    let (sine, cosine) = if octant % 2 == 0 { angle(eighth).sin_cos() } else { angle(len - eighth).sin_cos() };
    let (re, im) = match octant {
        0 => (cosine, sine),
        1 => (sine, cosine),
        2 => (-sine, cosine),
        3 => (-cosine, sine),
        4 => (-cosine, -sine),
        5 => (-sine, -cosine),
        6 => (sine, -cosine),
        _ => (cosine, -sine),
    };
    Complex64::new(re, -im)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_agrees_with_the_definition() {
        for len in (1..70).chain([97, 128, 210, 211, 360, 1009]) {
            let line: Vec<Complex64> =
                (0..len).map(|k| Complex64::new((k * k % 17) as f64 - 8.0, (k * 7 % 11) as f64)).collect();
            let mut transformed = line.clone();
            Plan::new(len).run(&mut transformed, &mut Vec::new(), false);
            for (place, value) in transformed.iter().enumerate() {
                let expected: Complex64 = line.iter().enumerate().map(|(k, value)| value * root(k * place, len)).sum();
                assert!((value - expected).norm() < 1e-9 * len as f64, "{len} {place}: {value} {expected}");
            }
            Plan::new(len).run(&mut transformed, &mut Vec::new(), true);
            for (value, expected) in transformed.iter().zip(&line) {
                assert!((value / len as f64 - expected).norm() < 1e-11 * len as f64);
            }
        }
    }

    #[test]
    fn roots_go_around_the_circle() {
        for len in [3, 8, 12, 100] {
            for k in 0..len {
                let (sine, cosine) = (-std::f64::consts::TAU * k as f64 / len as f64).sin_cos();
                assert!((root(k, len) - Complex64::new(cosine, sine)).norm() < 1e-15);
            }
        }
    }
}
