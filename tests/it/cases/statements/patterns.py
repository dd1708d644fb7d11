match (1, [2, 3], {"k": 5}):
    case (1, [a, *rest], {"k": v, **kw}) if v > 3:
        print(a, rest, v, kw)
class Pt:
    __match_args__ = ("x", "y")
    def __init__(s, x, y): s.x = x; s.y = y
for v in [Pt(0, 1), Pt(2, 3), "s", 3, None, [1], {"a": 1}]:
    match v:
        case Pt(0, y=yy): print("pt0", yy)
        case Pt(xx, yy): print("pt", xx, yy)
        case "s" | 3 as w: print("or", w)
        case None: print("none")
        case [x]: print("seq", x)
        case {"a": aa}: print("map", aa)
        case _: print("default")
