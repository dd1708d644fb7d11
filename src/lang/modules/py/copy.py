"""Generic (shallow and deep) copying operations."""


class Error(Exception):
    pass


error = Error

_ATOMIC = (type(None), int, float, bool, complex, str, bytes, type, range, type(Ellipsis), type(NotImplemented),
           type(lambda: 0), type(len), type(print), property)


def copy(x):
    """Shallow copy operation on arbitrary Python objects."""
    cls = type(x)
    if cls in _ATOMIC or cls in (tuple, frozenset, slice):
        return x
    if cls is list or cls is dict or cls is set or cls is bytearray:
        return x.copy()
    copier = getattr(cls, "__copy__", None)
    if copier is not None:
        return copier(x)
    if isinstance(x, type):
        return x
    return _reconstruct(x, None)


def deepcopy(x, memo=None, _nil=[]):
    """Deep copy operation on arbitrary Python objects."""
    cls = type(x)
    if cls in _ATOMIC or isinstance(x, type):
        return x
    if memo is None:
        memo = {}
    known = memo.get(id(x), _nil)
    if known is not _nil:
        return known
    if cls is list:
        y = []
        memo[id(x)] = y
        for item in x:
            y.append(deepcopy(item, memo))
    elif cls is dict:
        y = {}
        memo[id(x)] = y
        for key, value in x.items():
            y[deepcopy(key, memo)] = deepcopy(value, memo)
    elif cls is tuple:
        items = [deepcopy(item, memo) for item in x]
        known = memo.get(id(x), _nil)
        if known is not _nil:
            return known
        y = x if all(a is b for a, b in zip(items, x)) else tuple(items)
    elif cls is set or cls is frozenset:
        y = cls([deepcopy(item, memo) for item in x])
    elif cls is bytearray:
        y = x.copy()
    else:
        copier = getattr(x, "__deepcopy__", None)
        if copier is not None:
            y = copier(memo)
        elif _is_deque(x):
            y = cls((), x.maxlen)
            memo[id(x)] = y
            y.extend(deepcopy(item, memo) for item in x)
        elif hasattr(cls, "__copy__") and not hasattr(x, "__dict__"):
            y = copy(x)
        else:
            y = _reconstruct(x, memo)
    if y is not x:
        memo[id(x)] = y
        # Keeps the original alive, so that its id stays taken while the copy is made.
        memo.setdefault(id(memo), []).append(x)
    return y


def _is_deque(x):
    return type(x).__module__ == "collections" and type(x).__name__ == "deque"


def _reconstruct(x, memo):
    """A new object of x's class with x's contents and attributes."""
    cls = type(x)
    each = (lambda value: value) if memo is None else (lambda value: deepcopy(value, memo))
    if isinstance(x, BaseException):
        y = cls.__new__(cls, *map(each, x.args))
        y.args = tuple(map(each, x.args))
    elif isinstance(x, tuple):
        y = tuple.__new__(cls, [each(item) for item in tuple.__iter__(x)])
    elif isinstance(x, (int, float, str, bytes, complex)):
        base = next(base for base in (int, float, str, bytes, complex) if isinstance(x, base))
        y = base.__new__(cls, base(x))
    elif isinstance(x, frozenset):
        y = frozenset.__new__(cls, [each(item) for item in x])
    else:
        y = cls.__new__(cls)
    if memo is not None:
        memo[id(x)] = y
    getstate = getattr(cls, "__getstate__", None)
    state = getstate(x) if getstate is not None and getstate is not getattr(object, "__getstate__", None) \
        else dict(getattr(x, "__dict__", None) or {})
    if isinstance(x, list):
        for item in list.__iter__(x):
            list.append(y, each(item))
    elif isinstance(x, set):
        for item in set.__iter__(x):
            set.add(y, each(item))
    elif isinstance(x, dict):
        for key, value in dict.items(x):
            dict.__setitem__(y, each(key), each(value))
    if state:
        state = each(state) if memo is not None else state
        setstate = getattr(y, "__setstate__", None)
        if setstate is not None:
            setstate(state)
        else:
            for name, value in state.items():
                object.__setattr__(y, name, value)
    slots = getattr(cls, "__slots__", ())
    for name in (slots,) if isinstance(slots, str) else slots:
        if name not in ("__dict__", "__weakref__") and hasattr(x, name):
            object.__setattr__(y, name, each(getattr(x, name)))
    return y


