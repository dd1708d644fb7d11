"""Orders of nodes that come before others."""

__all__ = ["TopologicalSorter", "CycleError"]


class CycleError(ValueError):
    """The nodes come before themselves."""


class TopologicalSorter:
    """Nodes with those that come before them."""

    def __init__(self, graph=None):
        self._before, self._prepared = {}, False
        for node, predecessors in (graph or {}).items():
            self.add(node, *predecessors)

    def add(self, node, *predecessors):
        """Adds a node and what comes before it."""
        if self._prepared:
            raise ValueError("Nodes cannot be added after a call to prepare()")
        own = self._before.setdefault(node, [])
        for other in predecessors:
            self._before.setdefault(other, [])
            if other not in own:
                own.append(other)

    def prepare(self):
        """Checks that there is an order; get_ready() begins."""
        if self._prepared:
            raise ValueError("cannot prepare() more than once")
        cycle = self._cycle()
        if cycle:
            raise CycleError("nodes are in a cycle", cycle)
        self._prepared = True
        self._after = {node: [] for node in self._before}
        for node, others in self._before.items():
            for other in others:
                self._after[other].append(node)
        self._missing = {node: len(others) for node, others in self._before.items()}
        self._ready = [node for node, count in self._missing.items() if count == 0]
        self._given, self._done = set(), set()

    def _cycle(self):
        state, trail = {}, []
        for start in self._before:
            stack = [(start, iter(self._before[start]))] if start not in state else []
            while stack:
                node, others = stack[-1]
                if state.get(node) is None:
                    state[node] = "open"
                    trail.append(node)
                for other in others:
                    if state.get(other) == "open":
                        found = trail[trail.index(other):] + [other]
                        return found[::-1]
                    if other not in state:
                        stack.append((other, iter(self._before[other])))
                        break
                else:
                    state[node] = "done"
                    trail.pop()
                    stack.pop()
        return None

    def _check(self):
        if not self._prepared:
            raise ValueError("prepare() must be called first")

    def get_ready(self):
        """The nodes whose predecessors are all done."""
        self._check()
        ready, self._ready = tuple(self._ready), []
        self._given.update(ready)
        return ready

    def is_active(self):
        self._check()
        return bool(self._ready) or len(self._done) < len(self._given)

    def __bool__(self):
        return self.is_active()

    def done(self, *nodes):
        """Says that nodes are done."""
        self._check()
        for node in nodes:
            if node not in self._before:
                raise ValueError(f"node {node!r} was not added using add()")
            if node not in self._given:
                raise ValueError(f"node {node!r} was not passed out (still not ready)")
            if node in self._done:
                raise ValueError(f"node {node!r} was already marked done")
            self._done.add(node)
            for other in self._after[node]:
                self._missing[other] -= 1
                if not self._missing[other]:
                    self._ready.append(other)

    def static_order(self):
        """All nodes in an order."""
        self.prepare()
        while self.is_active():
            ready = self.get_ready()
            yield from ready
            self.done(*ready)
