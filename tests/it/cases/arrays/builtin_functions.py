"""Built-in functions of numbers on arrays."""
import dpnp
import numpy as np

for module in (dpnp, np):
    a = module.array([-3, 0, 7])
    print(abs(a), abs(module.array([3 + 4j])), abs(module.array(-2.5)), abs(a - 1).max())
    q, r = divmod(a, 2)
    print(q, r, q.dtype)
print(*divmod(np.array([7.5, -7.5]), 2.0), *divmod(20, np.array([3, 6])))
