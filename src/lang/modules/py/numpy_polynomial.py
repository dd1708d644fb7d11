"""`numpy.polynomial`: power series. The other bases are refused by name."""

from numpy.polynomial import polynomial
from numpy.polynomial.polynomial import Polynomial

__all__ = ["Polynomial", "polynomial", "set_default_printstyle"]


def set_default_printstyle(style):
    """How polynomials print: 'ascii' or 'unicode'."""
    if style not in ("ascii", "unicode"):
        raise ValueError(f"Unsupported format string '{style}'. Valid options are 'ascii' and 'unicode'")
    Polynomial._unicode = style == "unicode"
