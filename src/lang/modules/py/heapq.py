"""Heap queue algorithm (a.k.a. priority queue)."""

__all__ = ["heappush", "heappop", "heapify", "heapreplace", "merge", "nlargest", "nsmallest", "heappushpop"]


def _up(heap, start, place):
    """Moves the item at place towards the root as far as it is smaller."""
    item = heap[place]
    while place > start:
        above = (place - 1) >> 1
        parent = heap[above]
        if not item < parent:
            break
        heap[place] = parent
        place = above
    heap[place] = item


def _down(heap, place):
    """Moves the item at place to a leaf along the smaller children, then up again."""
    end = len(heap)
    start = place
    item = heap[place]
    child = 2 * place + 1
    while child < end:
        right = child + 1
        if right < end and not heap[child] < heap[right]:
            child = right
        heap[place] = heap[child]
        place = child
        child = 2 * place + 1
    heap[place] = item
    _up(heap, start, place)


def heappush(heap, item):
    """Push item onto heap, maintaining the heap invariant."""
    heap.append(item)
    _up(heap, 0, len(heap) - 1)


def heappop(heap):
    """Pop the smallest item off the heap, maintaining the heap invariant."""
    if not heap:
        raise IndexError("index out of range")
    last = heap.pop()
    if heap:
        result = heap[0]
        heap[0] = last
        _down(heap, 0)
        return result
    return last


def heapreplace(heap, item):
    """Pop and return the current smallest value, and add the new item."""
    result = heap[0]
    heap[0] = item
    _down(heap, 0)
    return result


def heappushpop(heap, item):
    """Fast version of a heappush followed by a heappop."""
    if heap and heap[0] < item:
        item, heap[0] = heap[0], item
        _down(heap, 0)
    return item


def heapify(x):
    """Transform list into a heap, in-place, in O(len(heap)) time."""
    for place in reversed(range(len(x) // 2)):
        _down(x, place)


def merge(*iterables, key=None, reverse=False):
    """Merge multiple sorted inputs into a single sorted output."""
    sources = [iter(it) for it in iterables]
    heads = []
    for order, source in enumerate(sources):
        for item in source:
            heads.append((item if key is None else key(item), order, item))
            break
    while heads:
        best = heads[0]
        for head in heads[1:]:
            better = best[0] < head[0] if reverse else head[0] < best[0]
            if better:
                best = head
        place = next(i for i, head in enumerate(heads) if head is best)
        yield best[2]
        for item in sources[best[1]]:
            heads[place] = (item if key is None else key(item), best[1], item)
            break
        else:
            del heads[place]


def nsmallest(n, iterable, key=None):
    """Find the n smallest elements in a dataset."""
    return sorted(iterable, key=key)[: max(n, 0)]


def nlargest(n, iterable, key=None):
    """Find the n largest elements in a dataset."""
    return sorted(iterable, key=key, reverse=True)[: max(n, 0)]
