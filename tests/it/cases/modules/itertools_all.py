import itertools as it
import operator


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


print(list(it.accumulate([1, 2, 3, 4])), list(it.accumulate([1, 2, 3], operator.mul, initial=10)), list(it.accumulate([])))
print(list(it.chain([1], "ab", (3,))), list(it.chain.from_iterable([[1, 2], [3]])), list(it.chain()))
print(list(it.combinations("ABCD", 2)), list(it.combinations(range(3), 0)), list(it.combinations([1], 2)))
print(list(it.combinations_with_replacement("AB", 3)), list(it.combinations_with_replacement([], 2)))
print(list(it.compress("ABCDEF", [1, 0, 1, 0, 1, 1])))
c = it.count(10, 2)
print(next(c), next(c), c, it.count(), it.count(1.5, 0.5))
print(list(it.islice(it.count(0.5, 0.25), 4)))
print(list(it.islice(it.cycle("AB"), 5)), list(it.islice(it.cycle([]), 3)))
print(list(it.dropwhile(lambda x: x < 3, [1, 2, 3, 1, 5])), list(it.takewhile(lambda x: x < 3, [1, 2, 3, 1])))
print(list(it.filterfalse(None, [0, 1, "", 2])), list(it.filterfalse(lambda x: x % 2, range(6))))
for key, group in it.groupby("AAABBBCCDA"):
    print(key, list(group), end=" ")
print()
groups = it.groupby([1, 1, 2, 3, 3], key=lambda x: x % 2)
(k1, g1), (k2, g2) = next(groups), next(groups)
print(k1, list(g1), k2, list(g2))
print([(k, len(list(g))) for k, g in it.groupby(sorted("mississippi"))])
print(list(it.islice("ABCDEFG", 2)), list(it.islice("ABCDEFG", 2, 4)), list(it.islice("ABCDEFG", 2, None)), list(it.islice("ABCDEFG", 0, None, 2)))
i = iter(range(10))
print(list(it.islice(i, 2, 6, 3)), next(i))
print(list(it.pairwise("ABCD")), list(it.pairwise("A")))
print(list(it.permutations("ABC", 2)), len(list(it.permutations(range(5)))), list(it.permutations([1, 2], 3)))
print(list(it.product("AB", [1, 2])), list(it.product([0, 1], repeat=2)), list(it.product()), list(it.product([], [1])))
print(list(it.repeat(7, 3)), it.repeat("x", 2), it.repeat(None), list(map(pow, [2, 3], it.repeat(2))))
print(list(it.starmap(pow, [(2, 5), (3, 2)])))
a, b = it.tee([1, 2, 3])
print(next(a), next(a), list(b), list(a))
print(it.tee([1], 0), len(it.tee("abc", 3)))
print(list(it.zip_longest("ABC", "xy", fillvalue="-")), list(it.zip_longest()))
attempt(lambda: it.islice([1], -1))
attempt(lambda: it.islice([1], 0, 5, 0))
attempt(lambda: it.combinations([1], -1))
attempt(lambda: it.product([1], repeat=-1))
attempt(lambda: it.count("a"))
attempt(lambda: list(it.starmap(pow, [1])))
attempt(lambda: it.chain(1).__next__())
attempt(lambda: list(it.zip_longest(1)))
print(type(it.count()).__name__, type(it.chain([])).__name__, isinstance(it.chain(), it.chain))
e = it.chain([1])
print(next(e), next(e, "end"), iter(e) is e)
