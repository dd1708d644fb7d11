def ff():
    for i in range(3):
        try:
            if i == 1: return "ret"
        finally:
            print("fin", i)
print(ff())
def nested():
    try:
        try:
            raise ValueError(1)
        except ValueError:
            raise TypeError(2)
        finally:
            print("f1")
    except TypeError as e:
        print("te", e, repr(e.__context__))
nested()
def un():
    print(zz)
    zz = 1
try: un()
except UnboundLocalError as e: print(e)
assert True, "no"
try: assert 0, "msg"
except AssertionError as e: print("ae", e)
global_v = 1
def setg():
    global global_v
    global_v += 5
setg(); print(global_v)
try:
    raise ValueError("x") from KeyError("y")
except ValueError as e: print(repr(e.__cause__), e.__suppress_context__)
