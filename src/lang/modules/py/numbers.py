"""Abstract base classes for numbers, in the sense of a tower."""


class _Tower:
    _members = ()

    @classmethod
    def register(cls, subclass):
        cls._members = cls._members + (subclass,)
        return subclass

    @classmethod
    def __subclasshook__(cls, other):
        if cls in _TOWER:
            if any(issubclass(other, known) for known in cls._members):
                return True
        return NotImplemented

    @classmethod
    def __instancehook__(cls, instance):
        return cls.__subclasshook__(type(instance))


class Number(_Tower):
    _members = (int, float, complex)


class Complex(Number):
    _members = (int, float, complex)


class Real(Complex):
    _members = (int, float)


class Rational(Real):
    _members = (int,)


class Integral(Rational):
    _members = (int,)


_TOWER = (Number, Complex, Real, Rational, Integral)
