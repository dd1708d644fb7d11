"""Timing for `cunumpy`."""

import cellhold as _cellhold
import time as _time


class timed_region:
    """A block that measures its own wall time in seconds, queued work included: `with timed_region("fft") as t: ...; t.elapsed`."""

    def __init__(self, name="", verbose=False):
        self.name = name
        self.verbose = verbose
        self.elapsed = None

    def __enter__(self):
        _cellhold.synchronize()
        self._start = _time.perf_counter()
        return self

    def __exit__(self, *args):
        _cellhold.synchronize()
        self.elapsed = _time.perf_counter() - self._start
        if self.verbose:
            print(f"{self.name or 'region'}: {self.elapsed:.6f} s")
        return False
