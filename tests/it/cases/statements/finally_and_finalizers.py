for i in range(2):
    try:
        continue
    finally:
        print("f", i)
def rf():
    try: return 1
    finally: return 2
print(rf())
def loop():
    while 1:
        try:
            raise ValueError
        except ValueError:
            break
    return "ok"
print(loop())
def gclose():
    try:
        yield 1
        yield 2
    finally:
        print("closed")
q = gclose(); next(q); q.close()
q = gclose(); next(q); del q
print("end")
def ctx():
    try: raise ValueError(1)
    except ValueError:
        try: raise TypeError(2)
        except TypeError: pass
ctx()
class Cnt:
    n = 0
    def __del__(self): print("del", self.k)
    def __init__(self, k): self.k = k
c1 = Cnt(1); c1 = None; print("after1")
def fdel():
    c = Cnt(2)
    print("in f")
fdel(); print("after2")
lst = [Cnt(3)]; del lst[0]; print("after3")
Cnt(4); print("after4")
