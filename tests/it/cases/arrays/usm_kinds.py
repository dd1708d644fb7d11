import dpctl
import dpnp.tensor
import dpnp
import numpy

KINDS = ["device", "shared", "host"]
arrays = {kind: dpnp.arange(4.0, usm_type=kind) for kind in KINDS}
for left in KINDS:
    for right in KINDS:
        a, b = arrays[left], arrays[right]
        print(
            left,
            right,
            (a + b).usm_type,
            dpnp.maximum(a, b).usm_type,
            dpnp.where(a > 1, a, b).usm_type,
            dpnp.concatenate([a, b]).usm_type,
            dpnp.stack([a, b]).usm_type,
            dpnp.asarray([a, b]).usm_type,
            dpnp.matmul(a, b).usm_type,
            (a == b).usm_type,
            dpnp.tensor.get_coerced_usm_type([left, right]),
        )
for kind, a in arrays.items():
    print(
        kind,
        dpnp.sin(a).usm_type,
        a.sum().usm_type,
        a.copy().usm_type,
        dpnp.ones_like(a).usm_type,
        dpnp.empty_like(a).usm_type,
        a.astype("f4").usm_type,
        a[1:].usm_type,
        a[::2].usm_type,
        a.reshape(2, 2).usm_type,
        (-a).usm_type,
        (a + 1).usm_type,
        dpnp.cumsum(a).usm_type,
        dpnp.sort(a).usm_type,
        a.to_device(a.device).usm_type,
        dpnp.asarray(a).usm_type,
        dpnp.full(3, a[0]).usm_type,
        dpnp.linspace(a[0], 3, 4).usm_type,
    )
print(dpnp.asarray([arrays["host"], numpy.arange(4.0)]).usm_type, dpnp.asarray(numpy.ones(3)).usm_type)
for kinds in [["device", "bad"], [], ["host", "host", "shared"], ["shared", "device", "host"], ["host"]]:
    print(kinds, dpnp.tensor.get_coerced_usm_type(kinds))
for bad in ["managed", "", 7, None]:
    try:
        print(bad, dpnp.ones(2, usm_type=bad).usm_type)
    except Exception as error:
        print(bad, type(error).__name__)
for source in KINDS:
    for target in KINDS:
        changed = dpnp.asarray(arrays[source], usm_type=target)
        print(source, target, changed.usm_type, changed is arrays[source])
