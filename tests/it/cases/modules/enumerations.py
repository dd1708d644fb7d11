# Enumerations of every kind.
from enum import Enum, IntEnum, Flag, IntFlag, auto, unique, StrEnum
class Color(Enum):
    RED=1; GREEN=2; BLUE='b'
    ALIAS=1
    @property
    def low(self): return self.name.lower()
    @classmethod
    def default(cls): return cls.RED
print(Color.RED, repr(Color.RED), Color['GREEN'], Color(2), Color.RED.low, list(Color), Color.__members__, Color.ALIAS is Color.RED, len(Color), Color.default())
try: Color(9)
except ValueError as e: print(e)
try: Color['x']
except KeyError as e: print(repr(e))
try: Color.RED=3
except AttributeError as e: print(e)
class N(IntEnum):
    A=1; B=auto()
print(N.A+1, N.B, N.B==2, f"{N.A}", f"{N.A:03d}", repr(N.A), max(N), N.A<N.B, sorted([N.B,N.A]))
class Fl(Flag):
    R=auto(); W=auto(); X=auto(); RW=R|W
print(Fl.R|Fl.X, repr(Fl.RW), Fl.R in Fl.RW, ~Fl.R, Fl(0), bool(Fl(0)), list(Fl.RW), Fl.R&Fl.W, Fl(5))
class IF(IntFlag):
    A=1;B=2
print(IF.A|IF.B, repr(IF(3)), IF(8), IF.A|4)
class S(StrEnum):
    A=auto(); B='bee'
print(S.A, repr(S.B), S.A=='a', S.B.upper(), f"{S.A}")
class Planet(Enum):
    EARTH=(5.97,6.37); MARS=(0.64,3.39)
    def __init__(self,mass,radius): self.mass=mass; self.radius=radius
    @property
    def g(self): return round(self.mass/self.radius**2,3)
print([ (p.name,p.value,p.g) for p in Planet])
try:
    @unique
    class U(Enum): A=1;B=1
except ValueError as e: print(e)
E2=Enum('E2','X Y Z'); print(list(E2), E2.X.value)
class O(Enum):
    def _generate_next_value_(name,start,count,last): return name.lower()
    A=auto(); B=auto()
print(list(O))
class M(Enum):
    A=1
    @classmethod
    def _missing_(cls,v): return cls.A
print(M(55), Color.RED in Color, isinstance(Color.RED,Color), hash(Color.RED)==hash(Color.RED), Color.RED!=Color.GREEN, {Color.RED:1})
print(type(Color.RED), Color, Color.RED.name, Color.RED.value)
match Color.RED:
    case Color.GREEN: print('g')
    case Color.RED: print('r')
