"""Basic statistics module."""

import math
import random
from collections import Counter

__all__ = ["StatisticsError", "mean", "fmean", "median", "median_low", "median_high", "mode", "multimode", "pstdev",
           "pvariance", "stdev", "variance", "harmonic_mean", "geometric_mean", "quantiles", "covariance", "correlation",
           "linear_regression", "NormalDist"]


class StatisticsError(ValueError):
    pass


def _exact(value):
    """A number as numerator and denominator."""
    try:
        return value.as_integer_ratio()
    except AttributeError:
        raise TypeError(f"can't convert type '{type(value).__name__}' to numerator/denominator") from None


def _sum(data):
    """The exact sum as a ratio, how many there were, and whether all were whole."""
    numerator, denominator, count, whole, special = 0, 1, 0, True, None
    for value in data:
        count += 1
        if isinstance(value, float):
            whole = False
            if not math.isfinite(value):
                special = value if special is None else special + value
                continue
        n, d = _exact(value)
        if not isinstance(value, int):
            whole = False
        numerator, denominator = numerator * d + n * denominator, denominator * d
        common = math.gcd(numerator, denominator)
        numerator //= common
        denominator //= common
    return numerator, denominator, count, whole, special


def _divided(numerator, denominator, whole):
    if whole and numerator % denominator == 0:
        return numerator // denominator
    return numerator / denominator


def mean(data):
    """Return the sample arithmetic mean of data."""
    numerator, denominator, count, whole, special = _sum(data)
    if count < 1:
        raise StatisticsError("mean requires at least one data point")
    if special is not None:
        return special
    return _divided(numerator, denominator * count, whole)


def fmean(data, weights=None):
    """Convert data to floats and compute the arithmetic mean."""
    data = list(data)
    if weights is None:
        if not data:
            raise StatisticsError("fmean requires at least one data point")
        return math.fsum(data) / len(data)
    weights = list(weights)
    if len(weights) != len(data):
        raise StatisticsError("data and weights must be the same length")
    total = math.fsum(weights)
    if not total:
        raise StatisticsError("sum of weights must be non-zero")
    return math.fsum(x * w for x, w in zip(data, weights)) / total


def geometric_mean(data):
    """Convert data to floats and compute the geometric mean."""
    try:
        return math.exp(fmean(map(math.log, data)))
    except ValueError:
        raise StatisticsError("geometric mean requires a non-empty dataset containing positive numbers") from None


def harmonic_mean(data, weights=None):
    """Return the harmonic mean of data."""
    data = list(data)
    if not data:
        raise StatisticsError("harmonic_mean requires at least one data point")
    if any(x < 0 for x in data):
        raise StatisticsError("harmonic mean does not support negative values")
    if any(x == 0 for x in data):
        return 0
    weights = [1] * len(data) if weights is None else list(weights)
    numerator, denominator, _, _, special = _sum(w / x if w else 0 for w, x in zip(weights, data))
    if special is not None:
        return sum(weights) / special
    return sum(weights) * denominator / numerator


def median(data):
    """Return the median (middle value) of numeric data."""
    data = sorted(data)
    n = len(data)
    if n == 0:
        raise StatisticsError("no median for empty data")
    if n % 2 == 1:
        return data[n // 2]
    return (data[n // 2 - 1] + data[n // 2]) / 2


def median_low(data):
    """Return the low median of numeric data."""
    data = sorted(data)
    if not data:
        raise StatisticsError("no median for empty data")
    return data[(len(data) - 1) // 2]


def median_high(data):
    """Return the high median of data."""
    data = sorted(data)
    if not data:
        raise StatisticsError("no median for empty data")
    return data[len(data) // 2]


def mode(data):
    """Return the most common data point from discrete or nominal data."""
    pairs = Counter(iter(data)).most_common(1)
    if not pairs:
        raise StatisticsError("no mode for empty data")
    return pairs[0][0]


def multimode(data):
    """Return a list of the most frequently occurring values."""
    counts = Counter(iter(data))
    if not counts:
        return []
    most = max(counts.values())
    return [value for value, count in counts.items() if count == most]


def _squares(data, center):
    """The exact sum of squared deviations as a ratio, the count, whether all were whole."""
    data = list(data)
    numerator, denominator, count, whole, special = _sum(data)
    if special is not None:
        return None, None, count, whole
    if count == 0:
        return 0, 1, 0, whole
    if center is not None:
        cn, cd = _exact(center)
        whole = whole and isinstance(center, int)
    else:
        cn, cd = numerator, denominator * count
    total_n, total_d = 0, 1
    for value in data:
        n, d = _exact(value)
        dn, dd = n * cd - cn * d, d * cd
        total_n, total_d = total_n * dd * dd + dn * dn * total_d, total_d * dd * dd
        common = math.gcd(total_n, total_d)
        total_n //= common
        total_d //= common
    return total_n, total_d, count, whole


def variance(data, xbar=None):
    """Return the sample variance of data."""
    n, d, count, whole = _squares(data, xbar)
    if count < 2:
        raise StatisticsError("variance requires at least two data points")
    if n is None:
        return math.nan
    return _divided(n, d * (count - 1), whole)


def pvariance(data, mu=None):
    """Return the population variance of data."""
    n, d, count, whole = _squares(data, mu)
    if count < 1:
        raise StatisticsError("pvariance requires at least one data point")
    if n is None:
        return math.nan
    return _divided(n, d * count, whole)


def _root(n, d):
    """The square root of a ratio, correctly rounded: a wide integer root, then one division."""
    if n == 0:
        return 0.0
    shift = max(0, 2 * 60 - (n.bit_length() - d.bit_length()))
    shift += shift % 2
    scaled = (n << shift) // d
    root = math.isqrt(scaled)
    if root * root != scaled or (n << shift) % d:
        root |= 1
    return root / (1 << (shift // 2))


def stdev(data, xbar=None):
    """Return the square root of the sample variance."""
    n, d, count, _ = _squares(data, xbar)
    if count < 2:
        raise StatisticsError("stdev requires at least two data points")
    return math.nan if n is None else _root(n, d * (count - 1))


def pstdev(data, mu=None):
    """Return the square root of the population variance."""
    n, d, count, _ = _squares(data, mu)
    if count < 1:
        raise StatisticsError("pstdev requires at least one data point")
    return math.nan if n is None else _root(n, d * count)


def quantiles(data, *, n=4, method="exclusive"):
    """Divide data into n continuous intervals with equal probability."""
    if n < 1:
        raise StatisticsError("n must be at least 1")
    data = sorted(data)
    ld = len(data)
    if ld < 2:
        raise StatisticsError("must have at least two data points")
    result = []
    if method == "inclusive":
        m = ld - 1
        for i in range(1, n):
            j, delta = divmod(i * m, n)
            result.append((data[j] * (n - delta) + data[j + 1] * delta) / n)
        return result
    if method == "exclusive":
        m = ld + 1
        for i in range(1, n):
            j = i * m // n
            j = 1 if j < 1 else ld - 1 if j > ld - 1 else j
            delta = i * m - j * n
            result.append((data[j - 1] * (n - delta) + data[j] * delta) / n)
        return result
    raise ValueError(f"Unknown method: {method!r}")


def covariance(x, y, /):
    """Covariance of two inputs."""
    n = len(x)
    if len(y) != n:
        raise StatisticsError("covariance requires that both inputs have same number of data points")
    if n < 2:
        raise StatisticsError("covariance requires at least two data points")
    xbar, ybar = math.fsum(x) / n, math.fsum(y) / n
    return math.fsum((xi - xbar) * (yi - ybar) for xi, yi in zip(x, y)) / (n - 1)


def correlation(x, y, /):
    """Pearson's correlation coefficient."""
    n = len(x)
    if len(y) != n:
        raise StatisticsError("correlation requires that both inputs have same number of data points")
    if n < 2:
        raise StatisticsError("correlation requires at least two data points")
    xbar, ybar = math.fsum(x) / n, math.fsum(y) / n
    sxy = math.fsum((xi - xbar) * (yi - ybar) for xi, yi in zip(x, y))
    sxx = math.fsum((d := xi - xbar) * d for xi in x)
    syy = math.fsum((d := yi - ybar) * d for yi in y)
    try:
        return sxy / math.sqrt(sxx * syy)
    except ZeroDivisionError:
        raise StatisticsError("at least one of the inputs is constant") from None


class LinearRegression(tuple):
    """Slope and intercept."""

    def __new__(cls, slope, intercept):
        return tuple.__new__(cls, (slope, intercept))

    @property
    def slope(self):
        return self[0]

    @property
    def intercept(self):
        return self[1]

    def __repr__(self):
        return f"LinearRegression(slope={self[0]!r}, intercept={self[1]!r})"


def linear_regression(x, y, /, *, proportional=False):
    """Slope and intercept for simple linear regression."""
    n = len(x)
    if len(y) != n:
        raise StatisticsError("linear regression requires that both inputs have same number of data points")
    if n < 2:
        raise StatisticsError("linear regression requires at least two data points")
    if proportional:
        sxy = math.fsum(xi * yi for xi, yi in zip(x, y))
        sxx = math.fsum(xi * xi for xi in x)
    else:
        xbar, ybar = math.fsum(x) / n, math.fsum(y) / n
        sxy = math.fsum((xi - xbar) * (yi - ybar) for xi, yi in zip(x, y))
        sxx = math.fsum((d := xi - xbar) * d for xi in x)
    try:
        slope = sxy / sxx
    except ZeroDivisionError:
        raise StatisticsError("x is constant") from None
    return LinearRegression(slope, 0.0 if proportional else ybar - slope * xbar)


class NormalDist:
    """Normal distribution of a random variable"""

    def __init__(self, mu=0.0, sigma=1.0):
        if sigma < 0.0:
            raise StatisticsError("sigma must be non-negative")
        self._mu = float(mu)
        self._sigma = float(sigma)

    @classmethod
    def from_samples(cls, data):
        data = list(data)
        return cls(fmean(data), stdev(data))

    def samples(self, n, *, seed=None):
        gauss = random.gauss if seed is None else random.Random(seed).gauss
        return [gauss(self._mu, self._sigma) for _ in range(n)]

    def pdf(self, x):
        variance = self._sigma * self._sigma
        if not variance:
            raise StatisticsError("pdf() not defined when sigma is zero")
        diff = x - self._mu
        return math.exp(diff * diff / (-2.0 * variance)) / math.sqrt(math.tau * variance)

    def cdf(self, x):
        if not self._sigma:
            raise StatisticsError("cdf() not defined when sigma is zero")
        return 0.5 * (1.0 + math.erf((x - self._mu) / (self._sigma * math.sqrt(2.0))))

    def zscore(self, x):
        if not self._sigma:
            raise StatisticsError("zscore() not defined when sigma is zero")
        return (x - self._mu) / self._sigma

    @property
    def mean(self):
        return self._mu

    @property
    def median(self):
        return self._mu

    @property
    def mode(self):
        return self._mu

    @property
    def stdev(self):
        return self._sigma

    @property
    def variance(self):
        return self._sigma * self._sigma

    def __eq__(self, other):
        if not isinstance(other, NormalDist):
            return NotImplemented
        return self._mu == other._mu and self._sigma == other._sigma

    def __hash__(self):
        return hash((self._mu, self._sigma))

    def __repr__(self):
        return f"{type(self).__name__}(mu={self._mu!r}, sigma={self._sigma!r})"
