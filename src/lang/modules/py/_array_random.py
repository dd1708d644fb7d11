"""Random vectors over the normal numbers of a stream."""


def multivariate_normal(np, stream, mean, cov, size, check_valid, tol):
    """Normal vectors with a mean and a covariance matrix, from `stream`, a module or a generator of the library `np`."""
    centre, spread = np.asarray(mean), np.asarray(cov)
    if centre.ndim != 1:
        raise ValueError("mean must be 1 dimensional")
    if spread.ndim != 2 or spread.shape[0] != spread.shape[1]:
        raise ValueError("cov must be 2 dimensional and square")
    if spread.shape[0] != centre.shape[0]:
        raise ValueError("mean and cov must have same length")
    if check_valid not in ("warn", "raise", "ignore"):
        raise ValueError("check_valid must equal 'warn', 'raise', or 'ignore'")
    outer = () if size is None else (size,) if isinstance(size, int) else tuple(size)
    drawn = stream.standard_normal(outer + (centre.shape[0],))
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


class PCG64:
    """The source of bits of `Generator`; generators over the same one share its numbers."""

    def __init__(self, seed=None):
        import numpy

        self._generator = numpy.random.default_rng(seed)

    @property
    def state(self):
        """What is needed to go on from here."""
        state, increment, half = self._generator._state()
        inner = {"state": together(state), "inc": together(increment)}
        return {"bit_generator": "PCG64", "state": inner, "has_uint32": int(half is not None), "uinteger": half or 0}

    @state.setter
    def state(self, value):
        if not isinstance(value, dict):
            raise TypeError("state must be a dict")
        if value.get("bit_generator") != "PCG64":
            raise ValueError("state must be for a PCG64 RNG")
        half = value["uinteger"] if value["has_uint32"] else None
        inner = value["state"]
        self._generator._set_state(apart(inner["state"], 4), apart(inner["inc"], 4), half)

    @property
    def seed_seq(self):
        """The seed sequence that it was seeded with."""
        words, key, children = self._generator._seeds()
        return SeedSequence(together(words), spawn_key=tuple(key), n_children_spawned=children)

    def spawn(self, n_children):
        """Sources that are independent of this one and of each other."""
        return [bit_generator(child) for child in self._generator.spawn(n_children)]

    def random_raw(self, size=None):
        """The next 64 bits."""
        drawn = self._generator._raw(1 if size is None else size)
        return int(drawn[0]) if size is None else drawn


def bit_generator(generator):
    """The source of bits of a generator."""
    source = PCG64.__new__(PCG64)
    source._generator = generator
    return source


def together(words):
    """The number of 32-bit words, lowest first."""
    number = 0
    for word in reversed(words):
        number = number << 32 | word
    return number


def apart(number, least=1):
    """The 32-bit words of a number, lowest first."""
    words = []
    while number or len(words) < least:
        words.append(number & 0xFFFFFFFF)
        number >>= 32
    return words


def as_words(value):
    """The 32-bit words of numbers, one after the other."""
    if isinstance(value, str):
        value = int(value, 16) if value.startswith("0x") else int(value)
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, int):
        if value < 0:
            raise ValueError("expected non-negative integer")
        return apart(value)
    if isinstance(value, float):
        raise TypeError("seed must be integer")
    return [word for one in value for word in as_words(one)]


class SeedSequence:
    """Spreads a seed over the states of any number of independent generators."""

    def __init__(self, entropy=None, *, spawn_key=(), pool_size=4, n_children_spawned=0):
        if pool_size < 4:
            raise ValueError("The size of the entropy pool should be at least 4")
        if isinstance(entropy, float):
            raise TypeError(f"SeedSequence expects int or sequence of ints for entropy not {entropy!r}")
        if entropy is None:
            import numpy

            entropy = numpy.random.default_rng().bit_generator.seed_seq.entropy
        self.entropy, self.spawn_key, self.pool_size = entropy, tuple(spawn_key), pool_size
        self.n_children_spawned = n_children_spawned
        self._entropy_words, self._key_words = as_words(entropy), as_words(self.spawn_key)

    def __repr__(self):
        lines = [f"    entropy={self.entropy!r},"]
        if self.spawn_key:
            lines.append(f"    spawn_key={self.spawn_key!r},")
        if self.pool_size != 4:
            lines.append(f"    pool_size={self.pool_size!r},")
        if self.n_children_spawned:
            lines.append(f"    n_children_spawned={self.n_children_spawned!r},")
        return "\n".join([f"{type(self).__name__}(", *lines, ")"])

    @property
    def state(self):
        """The attributes that make an equal one."""
        names = ("entropy", "spawn_key", "pool_size", "n_children_spawned")
        return {name: getattr(self, name) for name in names if getattr(self, name) is not None}

    def spawn(self, n_children):
        """Sequences that are independent of this one and of each other."""
        first = self.n_children_spawned
        self.n_children_spawned += n_children
        numbers = range(first, first + n_children)
        return [type(self)(self.entropy, spawn_key=self.spawn_key + (at,), pool_size=self.pool_size) for at in numbers]

    @property
    def pool(self):
        """The seed spread over the words from which states are made."""
        import numpy

        return numpy.array(self._pool(), dtype="uint32")

    def _pool(self):
        hashed = 0x43B0D7E5

        def stirred(word):
            nonlocal hashed
            word ^= hashed
            hashed = hashed * 0x931E8875 & 0xFFFFFFFF
            word = word * hashed & 0xFFFFFFFF
            return word ^ word >> 16

        def mixed(left, right):
            word = left * 0xCA01F9DD - right * 0x4973F715 & 0xFFFFFFFF
            return word ^ word >> 16

        words = list(self._entropy_words)
        if self._key_words:
            words += [0] * (self.pool_size - len(words)) + self._key_words
        pool = [stirred(words[at] if at < len(words) else 0) for at in range(self.pool_size)]
        for source in range(self.pool_size):
            for target in range(self.pool_size):
                if source != target:
                    pool[target] = mixed(pool[target], stirred(pool[source]))
        for word in words[self.pool_size :]:
            for target in range(self.pool_size):
                pool[target] = mixed(pool[target], stirred(word))
        return pool

    def generate_state(self, n_words, dtype="uint32"):
        """So many words for the state of a source of bits."""
        import numpy

        dtype = numpy.dtype(dtype)
        if dtype not in (numpy.dtype("uint32"), numpy.dtype("uint64")):
            raise ValueError("only support uint32 or uint64")
        pool, hashed, words = self._pool(), 0x8B51F9DD, []
        for at in range(n_words * dtype.itemsize // 4):
            word = pool[at % len(pool)] ^ hashed
            hashed = hashed * 0x58F38DED & 0xFFFFFFFF
            word = word * hashed & 0xFFFFFFFF
            words.append(word ^ word >> 16)
        return numpy.array(words, dtype="uint32").view(dtype)


for public in (PCG64, SeedSequence):
    public.__module__ = "numpy.random"
