import gc
import sys


class Node:
    pass


node = Node()
node.me = node
del node
print(gc.collect(), gc.collect(), gc.isenabled())
gc.disable()
print(gc.isenabled(), gc.get_threshold()[0], gc.is_tracked([]), gc.is_tracked(1), gc.is_tracked("a"), gc.is_tracked((1, 2)))
gc.enable()
gc.set_threshold(500, 5)
print(gc.get_threshold()[:2], len(gc.get_count()), len(gc.get_stats()), sorted(gc.get_stats()[0]))
inner = [1]
outer = {"k": inner}
print(any(r is outer for r in gc.get_referrers(inner)), any(r is inner for r in gc.get_referents(outer)), any(o is outer for o in gc.get_objects()))
try:
    gc.collect(5)
except ValueError as e:
    print(e)
print(sys.version_info[:2], sys.version_info.major, sys.version_info >= (3, 8), sys.maxsize, sys.byteorder, sys.platform, sys.maxunicode)
print(sys.float_info.max, sys.float_info.epsilon, sys.int_info.bits_per_digit, sys.getrecursionlimit(), sys.argv, sys.hexversion >> 16 == 0x30B)
a = []
b = a
print(sys.getrefcount(a), sys.getsizeof(a) > 0)
try:
    1 / 0
except ZeroDivisionError:
    kind, value, traceback = sys.exc_info()
    print(kind.__name__, value, traceback is not None)
print(sys.exc_info(), sys.stdout.write("text\n"), sys.stdout.name, sys.stdin.name, sys.stderr.writable(), "sys" in sys.modules, sys.modules["gc"] is gc)
try:
    sys.exit("bye")
except SystemExit as e:
    print(e.code, e.args)
sys.setrecursionlimit(400)


def endless(n):
    return endless(n + 1)


try:
    endless(0)
except RecursionError as e:
    print(e)
for bad in (0, "x"):
    try:
        sys.setrecursionlimit(bad)
    except (ValueError, TypeError) as e:
        print(type(e).__name__, e)
