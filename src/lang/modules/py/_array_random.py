"""Random distributions of several numbers at once, over those of single numbers."""


def bind(np, random, is_numpy):
    """The functions for a module (or a generator) whose single distributions are there."""

    def lengths(size):
        return () if size is None else (size,) if isinstance(size, int) else tuple(size)

    def placed(values):
        return values if is_numpy else np.asarray(values)

    def host(value):
        return value.tolist() if hasattr(value, "tolist") else [one.item() if hasattr(one, "item") else one for one in value]

    def multinomial(n, pvals, size=None):
        """How often each of several outcomes happens in `n` trials."""
        shares = [float(share) for share in host(pvals)]
        if sum(shares[:-1]) > 1.0 + 1e-12:
            raise ValueError("sum(pvals[:-1]) > 1.0" if is_numpy else "sum(pvals) must be not greater than 1.0")
        if n < 0:
            raise ValueError("n < 0" if is_numpy else "n must be non-negative")
        if any(not 0 <= share <= 1 for share in shares):
            raise ValueError("pvals < 0, pvals > 1 or pvals contains NaNs")
        outer = lengths(size)
        count = 1
        for length in outer:
            count *= length
        rows = []
        for _ in range(count):
            left, rest, row = n, 1.0, []
            for share in shares[:-1]:
                if left <= 0 or rest <= 0:
                    row.append(0)
                    continue
                hits = int(random.binomial(left, min(share / rest, 1.0)))
                row.append(hits)
                left -= hits
                rest -= share
            row.append(left)
            rows.append(row)
        return np.asarray(rows, dtype=np.int64 if is_numpy else np.int32).reshape(outer + (len(shares),))

    def dirichlet(alpha, size=None):
        """Shares of a whole: gamma numbers divided by their sum."""
        weights = [float(weight) for weight in host(alpha)]
        if any(weight <= 0 for weight in weights):
            raise ValueError("alpha <= 0" if is_numpy else "alpha must be greater than zero")
        outer = lengths(size)
        drawn = np.stack([np.asarray(random.standard_gamma(weight, outer)) for weight in weights], axis=-1)
        return drawn / drawn.sum(axis=-1, keepdims=True)

    def hypergeometric(ngood, nbad, nsample, size=None):
        """How many of a sample are of one kind, drawn from two kinds without putting back."""
        for name, value in (("ngood", ngood), ("nbad", nbad), ("nsample", nsample)):
            if value < 0 or (name == "nsample" and value < 0):
                raise ValueError(f"{name} < 0")
        if ngood + nbad < nsample:
            raise ValueError("ngood + nbad < nsample")
        outer = lengths(size)
        count = 1
        for length in outer:
            count *= length
        results = []
        for _ in range(count):
            good, bad, hits = ngood, nbad, 0
            draws = random.uniform(0.0, 1.0, nsample).tolist() if nsample else []
            for draw in draws:
                if draw * (good + bad) < good:
                    good -= 1
                    hits += 1
                else:
                    bad -= 1
            results.append(hits)
        if size is None and is_numpy:
            return results[0]
        return np.asarray(results, dtype=np.int64 if is_numpy else np.int32).reshape(outer)

    def noncentral_f(dfnum, dfden, nonc, size=None):
        """The ratio of a non-central and a central chi-square number, each over its degrees of freedom."""
        if dfnum <= 0 or dfden <= 0:
            raise ValueError("dfnum <= 0" if dfnum <= 0 else "dfden <= 0")
        if nonc < 0:
            raise ValueError("nonc < 0")
        above = random.noncentral_chisquare(dfnum, nonc, size) / dfnum
        below = random.chisquare(dfden, size) / dfden
        return above / below

    def multivariate_normal(mean, cov, size=None, check_valid="warn", tol=1e-8):
        """Normal vectors with a mean and a covariance matrix."""
        centre, spread = np.asarray(mean), np.asarray(cov)
        if centre.ndim != 1:
            raise ValueError("mean must be 1 dimensional")
        if spread.ndim != 2 or spread.shape[0] != spread.shape[1]:
            raise ValueError("cov must be 2 dimensional and square")
        if spread.shape[0] != centre.shape[0]:
            raise ValueError("mean and cov must have same length")
        if check_valid not in ("warn", "raise", "ignore"):
            raise ValueError("check_valid must equal 'warn', 'raise', or 'ignore'")
        outer = lengths(size)
        drawn = random.standard_normal(outer + (centre.shape[0],))
        left, values, right = np.linalg.svd(spread + 0.0)
        if check_valid != "ignore":
            back = np.matmul(right.T * values, right)
            if not bool(np.allclose(back, spread, rtol=tol, atol=tol)):
                if check_valid == "raise":
                    raise ValueError("covariance is not symmetric positive-semidefinite.")
                import warnings

                warnings.warn("covariance is not symmetric positive-semidefinite.", RuntimeWarning)
        flat = drawn.reshape((-1, centre.shape[0]))
        mixed = np.matmul(flat, np.sqrt(values)[:, None] * right)
        return (mixed + centre).reshape(outer + (centre.shape[0],))

    functions = (multinomial, dirichlet, hypergeometric, noncentral_f, multivariate_normal)
    return {function.__name__: function for function in functions}
