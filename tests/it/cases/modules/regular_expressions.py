"""re: patterns, matches, groups, replacing, splitting, errors with positions."""
import re

m = re.match(r"(?P<year>\d{4})-(?P<month>\d\d)", "2026-11-29 rest")
print(m, m.group(), m.groups(), m.groupdict(), m.span("month"), m[1], m["month"], m.lastindex, m.lastgroup, m.re.groups)
print(m.start(), m.end(2), m.string, m.pos, m.endpos, m.regs, m.expand(r"\2/\g<year>"), m.group(1, "month"))
print(re.search("b+", "aabbb"), re.match("b", "ab"), re.fullmatch("a|ab", "ab"), re.fullmatch("a", "ab"))
print(re.findall(r"\d+", "1 22 333"), re.findall(r"(\w)(\d)?", "a1b"), re.findall("(a)|b", "ab"))
print(re.sub("x*", "-", "abxd"), re.sub("(a)(b)?", r"[\1\2]", "ab a"), re.subn("a", "b", "aaa", 2))
print(re.sub(r"\b(\w)", lambda m: m[1].upper(), "over the hill"), re.sub("a", r"\\n\n", "a"))
print(re.split(r"\s*,\s*", "a , b,c"), re.split("(-)", "a-b-c", 1), re.split("x*", "axbc"), re.split("", "ab"))
print([m.span() for m in re.finditer("a|", "baac")], re.findall("", "abc"), re.findall("a??", "aa"))
print(re.findall(r"^\w+$", "one\ntwo\n", re.M), re.findall(r"^\w+$", "one\ntwo\n"), re.search(r"o$", "two\n"), re.search(r"o\Z", "two\n"))
print(re.match(".+", "a\nb").group(), re.match(".+", "a\nb", re.S).group() == "a\nb", re.match("(?s).+", "a\nb").end())
print(re.findall("(?i)straße|é", "STRASSE Straße É"), re.findall("É", "é", re.I), re.findall(r"\w+", "naïve 変数 x_1"), re.findall(r"\w+", "naïve", re.A))
print(re.search(r"(?x) (\d+)  # digits \n \s* kg", "12 kg"), re.search(r"""
    (\d+) \s*   # a number
    [ ]? kg     # its unit
""", "12 kg", re.VERBOSE).group(1))
print(re.findall(r"(?<=\$)\d+(?!\d|%)", "$10 $20% 30"), re.findall(r"(?<!a)b", "ab bb"), re.search(r"(a)(?(1)b|c)", "ab"), re.search(r"(['\"])(.*?)\1", "say 'hi'").group(2))
print(re.findall(r"[]\-a&&b^]+", "x]-a&b^y"), re.findall(r"[^\W\d_]+", "ab1_c"), re.findall(r"[\x41-\u0043\n]", "ABC\nD"), re.findall(r"a{,2}", "aaa"), re.findall("a{2}{x}", "aa{x}") if False else "")
print(re.findall(r"x{a}", "x{a}"), re.findall(r"a{1,2}?", "aaa"), re.findall(r"(?>a+)b|a++", "aab aa"), re.match(r"(?i:A)b", "aB"), re.match(r"(?i:A)b", "ab").end())
p = re.compile("a(b)?", re.I | re.M)
print(p, p.pattern, p.flags, p.groups, p.groupindex, p.findall("AB a", 1), p.search("xxab", 2).span(), p.match("xab", 1, 2).span(), p == re.compile("a(b)?", re.M | re.I), p is re.compile(p))
print(repr(re.I), re.I | re.S, re.compile(b"a\\d").findall(b"a1 a2"), re.sub(b"\\W", b"_", b"a-\xe9"), re.compile(b"x").flags, re.escape("a.b*c d_[1]-"), re.escape(b"a.b"))
print([m.span() for m in re.finditer("é|→", "aé→é")], re.split("→", "a→b→c"), re.sub("[→é]", "", "aé→b"))
print(m := re.match("(a)|(b)", "b"), m.groups(), m.groups("-"), m.start(1), m.lastindex, re.match("((ab))", "ab").lastindex, re.match("(a)()", "a").lastindex)
words = "the cat sat on the mat with the hat"
counts = {}
for word in re.findall(r"[a-z]+", words):
    counts[word] = counts.get(word, 0) + 1
print(counts)
print(bool(re.search(r"(a+)+$", "a" * 40)), re.match(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$", "-1.5e+10").groups())
for pattern in ["(a", "a)", "*a", "a**", "[a", "[z-a]", r"\y", "a{3,1}", "(?P<a>x)(?P<a>y)", r"(?P=q)", r"\2(a)", "a(?i)b", "(?<x>a)", "(?P<1>a)", "(a)(?(2)b)", "a\\", "(?#x", "x\n(?z)", "[\\d-z]", "(?P<n"]:
    try:
        re.compile(pattern)
    except re.error as e:
        print(repr(pattern), "->", e, "|", e.msg, e.pos, e.lineno, e.colno)
for call in [lambda: re.sub("a", r"\2", "a"), lambda: re.sub("a", r"\y", "a"), lambda: re.sub("a", r"\g<q>", "a"), lambda: m.group(5), lambda: re.match("a", b"a"), lambda: re.match(b"a", "a"), lambda: re.match("a", 1), lambda: re.compile(1), lambda: m.group("zz")]:
    try:
        print(call())
    except (re.error, IndexError, TypeError) as e:
        print(type(e).__name__, e)
match re.match(r"(\w+) (\w+)", "hello world"):
    case re.Match() as found:
        print("found", found.groups())
