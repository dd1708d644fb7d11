"""How many bins a histogram takes by the name of a rule."""

import math


def count(np, a, rule, bounds, weights):
    """The number of bins of equal width that a rule gives for the numbers `a` of the library `np`."""
    if rule not in RULES:
        raise ValueError(f"{rule!r} is not a valid estimator for `bins`")
    if weights is not None:
        raise TypeError("Automated estimation of the number of bins is not supported for weighted data")
    x = a.reshape(-1)
    if bounds is not None:
        first, last = bounds
        x = x[(x >= first) & (x <= last)]
    elif x.size:
        first, last = x.min().item(), x.max().item()
    if x.size == 0:
        return 1
    if first == last:
        first, last = first - 0.5, last + 0.5
    width = RULES[rule](np, x, (first, last))
    if not width:
        return 1
    if x.dtype.kind in "iu" and width < 1:
        width = 1
    return math.ceil((last - first) / width)


def extent(x):
    return (x.max() - x.min()).item()


def by_root(np, x, bounds):
    return extent(x) / x.size**0.5


def by_sturges(np, x, bounds):
    return extent(x) / (np.log2(np.asarray(float(x.size))).item() + 1.0)


def by_rice(np, x, bounds):
    return extent(x) / (2.0 * x.size ** (1.0 / 3))


def by_scott(np, x, bounds):
    return (24.0 * 3.141592653589793**0.5 / x.size) ** (1.0 / 3.0) * np.std(x).item()


def by_doane(np, x, bounds):
    if x.size <= 2:
        return 0.0
    spread = np.std(x).item()
    if spread <= 0.0:
        return 0.0
    expected = (6.0 * (x.size - 2) / ((x.size + 1.0) * (x.size + 3))) ** 0.5
    skew = abs(np.mean(((x - np.mean(x)) / spread) ** 3).item())
    sides = np.log2(np.asarray([float(x.size), 1.0 + skew / expected]))
    return extent(x) / (1.0 + sides.sum().item())


def by_quartiles(np, x, bounds):
    """The rule of Freedman and Diaconis."""
    high, low = np.percentile(x, 75).item(), np.percentile(x, 25).item()
    return 2.0 * (high - low) * x.size ** (-1.0 / 3.0)


def by_error(np, x, bounds):
    """The rule of Stone: the number that leaves the least error, estimated by leaving out one after the other."""
    size, whole = x.size, extent(x)
    if size <= 1 or whole == 0:
        return 0

    def error(bins):
        width = whole / bins
        shares = np.histogram(x, bins=bins, range=bounds)[0] / size
        return (2 - (size + 1) * (shares * shares).sum().item()) / width

    most = max(100, int(size**0.5))
    best = min(range(1, most + 1), key=error)
    if best == most:
        import warnings

        warnings.warn("The number of bins estimated may be suboptimal.", RuntimeWarning, stacklevel=3)
    return whole / best


def by_either(np, x, bounds):
    return min(max(by_quartiles(np, x, bounds), by_root(np, x, bounds) / 2), by_sturges(np, x, bounds))


RULES = {
    "auto": by_either,
    "doane": by_doane,
    "fd": by_quartiles,
    "rice": by_rice,
    "scott": by_scott,
    "sqrt": by_root,
    "stone": by_error,
    "sturges": by_sturges,
}
