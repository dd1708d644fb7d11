"""`numpy.lib`: what programs use of it. The rest is an inner part of NumPy."""

from numpy import emath as scimath
from numpy.lib import stride_tricks

__all__ = ["scimath", "stride_tricks"]
