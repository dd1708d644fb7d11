def f():
    assert 1 == 2, "no way"
try:
    f()
except AssertionError:
    try:
        f()
    finally:
        print("done")
