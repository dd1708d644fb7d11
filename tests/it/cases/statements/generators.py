def gen():
    x = yield 1
    print("got", x)
    try:
        y = yield 2
    except ValueError as e:
        print("exc", e)
        yield 99
    finally:
        print("cleanup")
    return 7
g1 = gen()
print(g1.__next__(), g1.send("a"), g1.throw(ValueError("v")))
try: g1.__next__()
except StopIteration as e: print("stop", e.value)
def deleg():
    r = yield from gen()
    print("r", r)
print([v for v in deleg()])
