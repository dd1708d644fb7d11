# What is called at the end of a program, also of one that fails.
import atexit


@atexit.register
def first():
    print("first registered, last called")


atexit.register(print, "second", end="!\n")
atexit.register(first)
atexit.unregister(first)
atexit.register(lambda: print("third"))
print("the end")
