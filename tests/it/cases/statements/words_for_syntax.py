"""What is wrong with a text, in the reference's words; calls that compare and receivers that answer nonsense."""

for text in (
    "print 1", "if 1: print 'a'", "exec x", "0777", "1__0", "0b12", "0o8", "0xg", "1a", "1_", 'f"{}"', 'f"{a!x}"', 'f"{a"', 'f"}"', "x=1=2", "1=x",
    "f() = 1", "import", "from x import", "raise from x", "def f(*a, *b): pass", "[*a for a in b]", "{1: 2, 3}",
    "match x:\n case a|b: pass", "match x:\n case a: pass\n case b: pass", "match x:\n case _: pass\n case 1: pass",
    "match x:\n case a if a: pass\n case _: pass", "match x:\n case 1|(2|_): pass\n case 3: pass", "x = print if y else exec",
):
    try:
        compile(text, "text", "exec")
        print(repr(text), "fine")
    except SyntaxError as error:
        print(repr(text), error.msg)


class Answers:
    def __repr__(self):
        return 5


class Greater:
    def __init__(self, v):
        self.v = v

    def __gt__(self, other):
        print("gt", self.v, other.v)
        return self.v > other.v


print(max(Greater(1), Greater(3), Greater(2)).v)
for call in (
    lambda: max(1, "a"), lambda: min(1, "a"), lambda: repr(Answers()), lambda: str(Answers()), lambda: f"{Answers()}",
    lambda: ValueError().with_traceback(5),
):
    try:
        print(call())
    except TypeError as error:
        print(error)
