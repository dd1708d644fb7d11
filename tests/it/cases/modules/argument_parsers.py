import argparse
import contextlib
import io
import os
import sys
import tempfile

os.environ["COLUMNS"] = "80"


def tried(parser, *args):
    out, err = io.StringIO(), io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            found = parser.parse_args(list(args))
        print(args, "->", found)
    except SystemExit as leave:
        print(args, "-> leaves with", leave.code)
    for text in (out.getvalue(), err.getvalue()):
        if text:
            print(text, end="")


train = argparse.ArgumentParser(prog="train.py", description="Trains a model on a device, or on several of them one after the other until all are done.",
                                epilog="Ask for help at any time.")
train.add_argument("data", help="folder of arrays")
train.add_argument("extra", nargs="*", help="more folders")
train.add_argument("-e", "--epochs", type=int, default=10, metavar="N", help="passes over the data (default: %(default)s)")
train.add_argument("--lr", "--learning-rate", dest="rate", type=float, default=0.01)
train.add_argument("-v", "--verbose", action="count", default=0, help="say more, twice still more, and a third time everything that there is to say")
train.add_argument("--gpu", action="store_true")
train.add_argument("--no-cache", action="store_false", dest="cache")
train.add_argument("--device", choices=["cpu", "gpu"], default="cpu")
train.add_argument("--shape", nargs=2, type=int, metavar=("ROWS", "COLUMNS"))
train.add_argument("--tag", action="append")
train.add_argument("--names", nargs="+", default=[])
train.add_argument("--level", nargs="?", const="high", default="low")
train.add_argument("--secret", help=argparse.SUPPRESS)
train.add_argument("--version", action="version", version="%(prog)s 1.2")
tried(train, "d")
tried(train, "d", "a", "b", "--epochs", "3", "-vv", "--gpu", "--no-cache")
tried(train, "--epochs=3", "d", "--lr", "1e-3", "--tag", "x", "--tag=y", "--names", "p", "q")
tried(train, "-e5", "d", "--shape", "2", "3", "--level")
tried(train, "d", "--level", "mid", "--device", "gpu", "--", "-x")
tried(train, "d", "--ep", "4", "--verb")
tried(train, "d", "--lr", "-1.5")
for wrong in (
    [], ["d", "--epochs", "many"], ["d", "--epochs"], ["d", "--device", "npu"], ["d", "--shape", "1"], ["d", "--names"],
    ["d", "--unknown", "3"], ["d", "--ver"], ["d", "--gpu=yes"], ["--version"], ["-h"],
):
    tried(train, *wrong)

print(train.parse_known_args(["d", "--other", "3", "-q"]))
print(train.get_default("epochs"), train.format_usage())

tools = argparse.ArgumentParser(prog="tool", formatter_class=argparse.ArgumentDefaultsHelpFormatter)
tools.add_argument("--quiet", action="store_true", help="say nothing")
commands = tools.add_subparsers(dest="command", required=True, help="what to do")
get = commands.add_parser("get", help="fetches", aliases=["g"])
get.add_argument("url")
get.add_argument("--tries", type=int, default=3, help="how often")
get.set_defaults(act="fetch")
put = commands.add_parser("put", help="stores")
put.add_argument("files", nargs="+")
for args in (["get", "x", "--tries", "2"], ["--quiet", "put", "a", "b"], ["g", "x"], [], ["del"], ["get"], ["-h"], ["get", "-h"], ["get", "x", "y"]):
    tried(tools, *args)

either = argparse.ArgumentParser(prog="either", add_help=False)
group = either.add_mutually_exclusive_group(required=True)
group.add_argument("-a", action="store_true")
group.add_argument("-b", type=int)
options = either.add_argument_group("output", "Where it goes.")
options.add_argument("-o", "--out", default="-", help="file\nname")
options.add_argument("--flag", action=argparse.BooleanOptionalAction, default=True, help="a flag")
options.add_argument("--mode", action="store_const", const="fast", default="slow")
options.add_argument("-x", action="store_true")
options.add_argument("-z", nargs="?")
for args in (["-a"], ["-b", "3", "--no-flag"], ["-b", "-3"], [], ["-a", "-b", "1"], ["-axzv", "--mode"], ["-ax"], ["-aq"]):
    tried(either, *args)
either.print_help()
child = argparse.ArgumentParser(prog="child", parents=[either], formatter_class=argparse.RawTextHelpFormatter)
child.print_help()


def even(text):
    number = int(text)
    if number % 2:
        raise argparse.ArgumentTypeError(f"{number} is odd")
    return number


class Twice(argparse.Action):
    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, values * 2)


own = argparse.ArgumentParser(prog="own", fromfile_prefix_chars="@", allow_abbrev=False)
own.add_argument("--even", type=even, default="4")
own.add_argument("--twice", action=Twice)
own.add_argument("rest", nargs=argparse.REMAINDER)
tried(own, "--even", "3")
tried(own, "--twice", "ab", "run", "--even", "7")
tried(own, "--eve", "2")
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "args")
    with open(path, "w") as file:
        file.write("--twice\nxy\n")
    print(own.parse_args(["@" + path]))
print(argparse.Namespace(a=1, b="x") == argparse.Namespace(b="x", a=1), "a" in argparse.Namespace(a=1))
for make in (lambda p: p.add_argument("--lr", "--x"), lambda p: p.add_argument("x", required=True), lambda p: p.add_argument("-x", action="no")):
    try:
        make(train)
        print("taken")
    except (argparse.ArgumentError, TypeError, ValueError) as error:
        print(type(error).__name__, error)
free = argparse.ArgumentParser(prog="free", exit_on_error=False)
free.add_argument("--n", type=int)
try:
    free.parse_args(["--n", "a"])
except argparse.ArgumentError as error:
    print(error)
sys.argv = ["prog.py", "--n", "5"]
print(free.parse_args(), argparse.ArgumentParser().prog)
