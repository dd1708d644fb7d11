"""Generators that delegate: values through several levels, results, exceptions, who runs, what `next` says of an end."""

import sys


def ended(generator):
    try:
        next(generator)
    except StopIteration as end:
        return end.value
    return "not ended"


def answers(*items, result=None):
    yield from items
    return result


def passing(inner):
    result = yield from inner
    print("result", result)
    return ("passed", result)


print(ended(answers(result=7)), ended(iter([])), ended(passing(answers(result=8))))
print(next(answers(result=7), "default"))

# What another generator returned is not what a list ends with.
list(answers(1, result="stale"))


def over_list():
    result = yield from [1, 2]
    print("list ended with", result)


print(list(over_list()))


def levels(n):
    if n == 0:
        received = yield "bottom"
        return received
    return (n, (yield from levels(n - 1)))


deep = levels(3)
print(next(deep))
try:
    deep.send("sent")
except StopIteration as end:
    print(end.value)


class Tree:
    def __init__(self, value, left=None, right=None):
        self.value, self.left, self.right = value, left, right

    def __iter__(self):
        if self.left:
            yield from self.left
        yield self.value
        if self.right:
            yield from self.right


print(list(Tree(4, Tree(2, Tree(1), Tree(3)), Tree(6, Tree(5)))))


def chain(n):
    if n:
        yield from chain(n - 1)
    yield n


print(sum(chain(400)), len(list(chain(400))))
for item in chain(3):
    print(item, end=" ")
print()


def guarded(inner):
    try:
        yield from inner
    except ValueError as error:
        print("caught", error)
        yield "recovered"
    finally:
        print("left")


def failing():
    yield 1
    raise ValueError("inside")


print(list(guarded(failing())))
thrown = guarded(answers(1, 2, 3))
print(next(thrown))
print(thrown.throw(ValueError("thrown")))
thrown.close()
closed = guarded(passing(answers(1, 2)))
next(closed)
closed.close()
print(closed.gi_running, ended(closed))


def stops():
    yield 1
    raise StopIteration("by hand")


try:
    list(guarded(stops()))
except RuntimeError as error:
    print(error, "from", repr(error.__cause__))


def itself():
    yield from running


running = itself()
try:
    next(running)
except ValueError as error:
    print(error)


def shared(source, log):
    for item in source:
        log.append(item)
        yield item


source = answers(1, 2, 3, 4)
first, second = passing(source), passing(source)
print(next(first), next(second), next(first), next(second))


class Ending:
    def __init__(self, value):
        self.value = value

    def __iter__(self):
        return self

    def __next__(self):
        raise StopIteration(self.value)


print(ended(passing(Ending("own"))), ended(passing(Ending(None))))

for wrong in (lambda: next(), lambda: next([]), lambda: next(iter([]), 1, 2), lambda: iter(), lambda: iter(1, 2, 3)):
    try:
        wrong()
    except TypeError as error:
        print(error)
print(list(iter(iter([1, 2, 3]).__next__, 3)), [*iter(lambda: 5, 5)])


def receives():
    total = 0
    while True:
        got = yield total
        total += got or 0


r = receives()
next(r)
print([r.send(i) for i in range(5)], next(r))
