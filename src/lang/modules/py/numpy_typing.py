"""`numpy.typing`: names for annotations, which nothing checks."""

from typing import Any

import numpy

ArrayLike = Any
DTypeLike = Any
NDArray = numpy.ndarray
NBitBase = object
