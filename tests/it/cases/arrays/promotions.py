import dpnp

NAMES = ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"]
for left in NAMES:
    ones = [dpnp.ones(2, dtype=right) for right in NAMES]
    print(left, *((dpnp.ones(2, dtype=left) + one).dtype.str[1:] for one in ones))
    print(left, *(dpnp.result_type(dpnp.dtype(left), one).str[1:] for one in ones))
    print(left, *((dpnp.ones(2, dtype=left) * value).dtype.str[1:] for value in [True, 2, 2.5, 2.5j]))
    unary = [dpnp.sin, dpnp.sqrt, dpnp.exp, dpnp.abs, dpnp.square]
    print(left, *(function(dpnp.ones(2, dtype=left)).dtype.str[1:] for function in unary))
    reductions = [dpnp.sum, dpnp.prod, dpnp.max, dpnp.mean, dpnp.cumsum]
    if left in ("c8", "c16"):
        reductions.remove(dpnp.max)
    print(left, *(function(dpnp.ones(2, dtype=left)).dtype.str[1:] for function in reductions))
    print(left, (dpnp.ones(2, dtype=left) / dpnp.ones(2, dtype="i4")).dtype.str[1:])
for bad in [object, "g", "U3", "M8[s]", ">f8", "S2"]:
    try:
        print(bad, dpnp.ones(2, dtype=bad).dtype)
    except Exception as error:
        print(bad, type(error).__name__)
