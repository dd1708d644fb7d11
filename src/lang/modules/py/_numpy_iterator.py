"""`numpy.nditer`: goes through the elements of one or several arrays together."""

import math
import itertools

import numpy as np
from _strides import strided as _strided

_FLAGS = {
    "buffered", "c_index", "common_dtype", "copy_if_overlap", "delay_bufalloc", "external_loop", "f_index", "grow_inner", "multi_index",
    "ranged", "reduce_ok", "refs_ok", "zerosize_ok",
}
_REFUSED = {"common_dtype", "ranged"}


class nditer:
    """Elements as arrays of rank 0 (or runs of them, with `external_loop`), in memory order unless `order` says otherwise."""

    def __init__(
        self, op, flags=None, op_flags=None, op_dtypes=None, order="K", casting="safe", op_axes=None, itershape=None, buffersize=0
    ):
        if op_axes is not None or itershape is not None:
            raise NotImplementedError("nditer(op_axes=, itershape=) is not here: transpose or broadcast_to gives the operand its axes")
        flags = set(flags or ())
        for flag in flags:
            if flag not in _FLAGS:
                raise ValueError(f'Unexpected iterator global flag "{flag}"')
        if flags & _REFUSED:
            raise NotImplementedError(f"nditer(flags={sorted(flags & _REFUSED)}) is not here; astype and slices do the same before")
        if order not in ("C", "F", "A", "K"):
            raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got {order!r})")
        given = list(op) if isinstance(op, (tuple, list)) else [op]
        self.nop = len(given)
        rules = self._rules(op_flags, given)
        dtypes = list(op_dtypes) if isinstance(op_dtypes, (list, tuple)) else [op_dtypes] * self.nop
        present = [None if one is None else np.asarray(one) for one in given]
        shapes = [one.shape for one in present if one is not None]
        try:
            self.shape = np.broadcast_shapes(*shapes) if shapes else ()
        except ValueError:
            raise ValueError(f"operands could not be broadcast together with shapes {' '.join(map(_shape_text, shapes))} ") from None
        self.ndim, self.itersize = len(self.shape), math.prod(self.shape)
        if self.itersize == 0 and "zerosize_ok" not in flags:
            raise ValueError("Iteration of zero-sized operands is not enabled")
        result = [one for one in present if one is not None]
        self._buffers = []
        for place, (one, rule, dtype) in enumerate(zip(present, rules, dtypes)):
            if one is None:
                present[place] = np.empty(self.shape, dtype=dtype or np.result_type(*result), order="F" if order == "F" else "C")
                continue
            if "readonly" not in rule and one.shape != self.shape and "reduce_ok" not in flags:
                raise ValueError(
                    f"non-broadcastable {'output ' if 'writeonly' in rule else ''}operand with shape {_shape_text(one.shape)} doesn't match the broadcast shape {_shape_text(self.shape)}"
                )
            if dtype is not None and np.dtype(dtype) != one.dtype:
                present[place] = self._converted(one, np.dtype(dtype), rule, flags, casting, place)
        self._rules_of = rules
        self.operands = tuple(present)
        self._views = [self._spread(one, rule) for one, rule in zip(self.operands, rules)]
        self._flags, self._order = flags, order
        self.has_multi_index = "multi_index" in flags
        self.has_index = bool(flags & {"c_index", "f_index"})
        if "external_loop" in flags and (self.has_multi_index or self.has_index):
            raise ValueError("Iterator flag EXTERNAL_LOOP cannot be used if an index or multi-index is being tracked")
        self.dtypes = tuple(one.dtype for one in self.operands)
        self._axes = self._axis_order()
        self._longest = buffersize or 8192
        self.reset()

    def _rules(self, op_flags, given):
        """The flags of each operand."""
        if op_flags is None:
            return [{"writeonly", "allocate"} if one is None else {"readonly"} for one in given]
        if op_flags and isinstance(op_flags[0], str):
            op_flags = [op_flags] * len(given)
        rules = [set(one) for one in op_flags]
        for one, rule in zip(given, rules):
            if not rule & {"readonly", "readwrite", "writeonly"}:
                rule.add("writeonly" if one is None else "readonly")
        return rules

    def _converted(self, array, dtype, rule, flags, casting, place):
        """A copy in another dtype, written back when the iterator closes."""
        if "buffered" not in flags and "copy" not in rule:
            raise TypeError(
                "Iterator operand required copying or buffering, but neither copying nor buffering was enabled"
            )
        if "writeonly" not in rule and not np.can_cast(array.dtype, dtype, casting):
            raise TypeError(
                f"Iterator operand {place} dtype could not be cast from {array.dtype!r} to {dtype!r} according to the rule '{casting}'"
            )
        if "readonly" not in rule and not np.can_cast(dtype, array.dtype, casting):
            raise TypeError(
                f"Iterator requested dtype could not be cast from {dtype!r} to {array.dtype!r}, "
                f"the operand {place} dtype, according to the rule '{casting}'"
            )
        copy = array.astype(dtype)
        if "readonly" not in rule:
            self._buffers.append((array, copy, casting))
        return copy

    def _spread(self, array, rule):
        """A view of an operand in the common shape; what is only read cannot be written through it."""
        steps = (0,) * (self.ndim - array.ndim) + tuple(
            0 if length == 1 and whole != 1 else step
            for length, whole, step in zip(array.shape, self.shape[self.ndim - array.ndim :], array.strides)
        )
        if steps != array.strides:
            return np.broadcast_to(array, self.shape)
        return _strided(array, self.shape, steps, 0, "readonly" not in rule)

    def _axis_order(self):
        """The axes from slowest to fastest, those that run backwards in memory turned around."""
        axes = list(range(self.ndim))
        fortran = self._order == "F" or (
            self._order == "A" and self.ndim > 1 and all(view.flags.f_contiguous and not view.flags.c_contiguous for view in self._views)
        )
        if fortran:
            return axes[::-1]
        if self._order != "K":
            return axes
        # Memory order: an axis stands outside of another when the first operand that tells them apart steps further along it.
        def before(left, right):
            for view in self._views:
                one, other = abs(view.strides[left]), abs(view.strides[right])
                if one and other and one != other:
                    return one > other
            return left < right

        for end in range(1, len(axes)):
            at = end
            while at and not before(axes[at - 1], axes[at]):
                axes[at - 1], axes[at] = axes[at], axes[at - 1]
                at -= 1
        return axes

    def _turned(self, axis):
        """Whether an axis runs backwards in every operand, so that memory order turns it around."""
        steps = [view.strides[axis] for view in self._views]
        return self._order == "K" and all(step <= 0 for step in steps) and any(steps)

    def _positions(self):
        ranges = []
        for axis in self._axes:
            way = range(self.shape[axis])
            ranges.append(way[::-1] if self._turned(axis) else way)
        place = [0] * self.ndim
        for found in itertools.product(*ranges):
            for axis, index in zip(self._axes, found):
                place[axis] = index
            yield tuple(place)

    def _runs(self):
        """One-dimensional runs, as long as memory lets them be."""
        views = [view.transpose(self._axes) for view in self._views]
        for at, axis in enumerate(self._axes):
            if self._turned(axis):
                views = [view[(slice(None),) * at + (slice(None, None, -1),)] for view in views]
        if "buffered" in self._flags:
            flat = [view.reshape(-1) for view in views]
            if any("readonly" not in rule and not np.shares_memory(one, view) for one, view, rule in zip(flat, views, self._rules_of)):
                raise NotImplementedError("nditer: a written operand in pieces that are not runs of memory; leave 'buffered' out")
            for start in range(0, self.itersize, self._longest):
                yield tuple(one[start : start + self._longest] for one in flat)
            return
        length, at = 1, len(self._axes)
        while at and all(
            length == 1 or view.strides[at - 1] == view.strides[-1] * length for view in views
        ):
            at -= 1
            length *= views[0].shape[at]
        inner = views[0].shape[at:]
        for place in np.ndindex(*views[0].shape[:at]):
            yield tuple(
                _strided(view[place + (...,)], (length,), (view.strides[-1] if inner else 0,), 0, "readonly" not in rule)
                if inner else view[place + (...,)].reshape(1)
                for view, rule in zip(views, self._rules_of)
            )

    def reset(self):
        """Begins again."""
        external = "external_loop" in self._flags
        self._steps = self._runs() if external else self._positions()
        self.iterindex, self.finished, self._now = 0, False, None
        self._fresh = True
        self._advance()

    def _advance(self):
        found = next(self._steps, None)
        if found is None:
            self.finished, self._now = True, None
            return
        if "external_loop" in self._flags:
            self._now = found
        else:
            self.multi_position = found
            self._now = tuple(view[found + (...,)] for view in self._views)

    def iternext(self):
        """Goes to the next step; False at the end."""
        if self.finished:
            return False
        self.iterindex += 1
        self._advance()
        return not self.finished

    @property
    def value(self):
        """The elements of this step."""
        if self._now is None:
            raise ValueError("Iterator is past the end")
        return self._now[0] if self.nop == 1 else self._now

    @property
    def multi_index(self):
        """The position of this step."""
        if not self.has_multi_index:
            raise ValueError("Iterator is not tracking a multi-index")
        if self.finished:
            raise ValueError("Iterator is past the end")
        return self.multi_position

    @property
    def index(self):
        """The number of this step's element in C or Fortran order."""
        if not self.has_index:
            raise ValueError("Iterator does not have an index")
        if self.finished:
            raise ValueError("Iterator is past the end")
        number = 0
        pairs = list(zip(self.multi_position, self.shape))
        for at, length in pairs if "c_index" in self._flags else pairs[::-1]:
            number = number * length + at
        return number

    def __iter__(self):
        return self

    def __next__(self):
        if self._fresh:
            self._fresh = False
        else:
            self.iternext()
        if self.finished:
            raise StopIteration
        return self.value

    def __getitem__(self, index):
        if self._now is None:
            raise ValueError("Iterator is past the end")
        return self._now[index]

    def __setitem__(self, index, value):
        if self._now is None:
            raise ValueError("Iterator is past the end")
        self._now[index][...] = value

    def __len__(self):
        if self._now is None:
            raise ValueError("Iterator is past the end")
        return self.nop

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()

    def close(self):
        """Writes converted operands back."""
        for array, copy, casting in self._buffers:
            np.copyto(array, copy, casting=casting)
        self._buffers = []


def _shape_text(shape):
    """A shape as messages of broadcasting print it."""
    return "(" + ",".join(map(str, shape)) + ("," if len(shape) == 1 else "") + ")"


nditer.__module__ = "numpy"
