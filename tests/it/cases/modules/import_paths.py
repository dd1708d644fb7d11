import importlib
import os
import sys
import tempfile
import timeit

folder = tempfile.mkdtemp()
package = os.path.join(folder, "trees")
os.mkdir(package)
for name, text in (("shapes.py", "SIDES = 4\n"), ("trees/__init__.py", "KIND = 'oak'\n"), ("trees/leaf.py", "from . import KIND\nGREEN = True\n"),
                   ("trees/twig.py", "from .leaf import GREEN, KIND\nfrom . import leaf\nfrom .. import shapes\n"),
                   ("alone.py", "from . import leaf\n")):
    with open(os.path.join(folder, name), "w") as file:
        file.write(text)

try:
    import shapes
except ModuleNotFoundError as error:
    print(error)
sys.path.append(folder)
import shapes

print(shapes.SIDES)
print(importlib.import_module("trees.leaf").GREEN, sys.modules["trees"].KIND)
print(importlib.import_module(".leaf", package="trees") is sys.modules["trees.leaf"])
try:
    import trees.twig
except ImportError as error:
    print(error)
try:
    import alone
except ImportError as error:
    print(error)
sys.path.remove(folder)
try:
    import trees.root
except ModuleNotFoundError as error:
    print(error)
try:
    importlib.import_module(".leaf")
except TypeError as error:
    print(error)

print(0 <= timeit.timeit("x + 1", setup="x = 1", number=100) < 60)
print(len(timeit.repeat(lambda: None, number=10, repeat=3)), timeit.default_timer() <= timeit.default_timer())
try:
    timeit.Timer(3)
except ValueError as error:
    print(error)
with open(os.path.join(package, "root.py"), "w") as file:
    file.write("from .leaf import *\nDEPTH = 3\n")
import trees.root

print(trees.root.DEPTH, trees.root.GREEN, trees.leaf is trees.twig.leaf if hasattr(trees, "twig") else "no twig")
import shutil

shutil.rmtree(folder)
