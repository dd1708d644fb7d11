import dpnp
import dpnp.tensor as dpt
import numpy as np


def tried(make):
    try:
        made = make()
        print(type(made).__name__, made.shape, made.dtype, made.flags.f_contiguous, end=" ")
        return made
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)


for made in (
    lambda: np.ndarray((2, 3)), lambda: np.ndarray(3, "i4"), lambda: np.ndarray((2, 3), order="F"), lambda: np.ndarray(-1),
    lambda: dpnp.ndarray((2, 3)), lambda: dpnp.ndarray(3, dtype="i4"), lambda: dpnp.ndarray((2, 2), dtype=dpnp.float32, order="F"),
    lambda: dpt.usm_ndarray((2, 3)), lambda: dpt.usm_ndarray(3, dtype="i4", buffer="shared"),
):
    tried(made)
    print()
for made in (
    lambda: np.ndarray((2, 2), buffer=np.arange(6.0), offset=8), lambda: np.ndarray(2, dtype="u1", buffer=b"abc", offset=1),
    lambda: np.ndarray((2, 2), buffer=np.arange(2.0)), lambda: dpnp.ndarray((2, 2), buffer=dpnp.arange(6.0), offset=1),
    lambda: dpnp.ndarray((2,), dtype="f4", buffer=dpnp.arange(6.0, dtype="f4")),
    lambda: dpnp.ndarray((2, 2), buffer=dpnp.arange(2.0)), lambda: dpt.usm_ndarray((2,), buffer=dpt.arange(6.0), dtype="f8"),
):
    found = tried(made)
    if found is not None:
        print(found.tolist() if hasattr(found, "tolist") else [float(one) for one in found])
print(dpnp.ndarray((2,), buffer="host").usm_type, dpnp.ndarray((2,), usm_type="shared").usm_type)
print(dpt.usm_ndarray(3, buffer="shared").usm_type)
base = np.zeros(4)
part = np.ndarray(2, buffer=base, offset=16)
part[:] = 7
print(base)
kept = dpnp.zeros(4)
view = dpnp.ndarray(2, buffer=kept, offset=2)
view[:] = 5
print(kept)
