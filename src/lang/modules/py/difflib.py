"""Differences of sequences."""

from collections import defaultdict, namedtuple
from heapq import nlargest

__all__ = ["get_close_matches", "SequenceMatcher", "IS_CHARACTER_JUNK", "IS_LINE_JUNK",
           "context_diff", "unified_diff", "Match"]

Match = namedtuple("Match", "a b size")


def _ratio(matches, length):
    return 2.0 * matches / length if length else 1.0


class SequenceMatcher:
    """What two sequences have in common: the longest block, then what is before and after it."""

    def __init__(self, isjunk=None, a="", b="", autojunk=True):
        self.isjunk, self.autojunk = isjunk, autojunk
        self.a = self.b = None
        self.set_seqs(a, b)

    def set_seqs(self, a, b):
        self.set_seq1(a)
        self.set_seq2(b)

    def set_seq1(self, a):
        if a is not self.a:
            self.a = a
            self._blocks = self._codes = None

    def set_seq2(self, b):
        if b is self.b:
            return
        self.b = b
        self._blocks = self._codes = self._counts = None
        places = self.b2j = {}
        for j, item in enumerate(b):
            places.setdefault(item, []).append(j)
        self.bjunk = {item for item in places if self.isjunk(item)} if self.isjunk else set()
        for item in self.bjunk:
            del places[item]
        self.bpopular = set()
        if self.autojunk and len(b) >= 200:
            self.bpopular = {item for item, found in places.items() if len(found) > len(b) // 100 + 1}
            for item in self.bpopular:
                del places[item]

    def find_longest_match(self, alo=0, ahi=None, blo=0, bhi=None):
        """The longest block in parts of both, the first one of several."""
        a, b, places, junk = self.a, self.b, self.b2j, self.bjunk
        ahi, bhi = len(a) if ahi is None else ahi, len(b) if bhi is None else bhi
        i, j, size, lengths = alo, blo, 0, {}
        for at in range(alo, ahi):
            new = {}
            for other in places.get(a[at], ()):
                if other < blo:
                    continue
                if other >= bhi:
                    break
                k = new[other] = lengths.get(other - 1, 0) + 1
                if k > size:
                    i, j, size = at - k + 1, other - k + 1, k
            lengths = new
        # What is no junk is taken in first, then junk that touches.
        for wants_junk in (False, True):
            while i > alo and j > blo and (b[j - 1] in junk) is wants_junk and a[i - 1] == b[j - 1]:
                i, j, size = i - 1, j - 1, size + 1
            while i + size < ahi and j + size < bhi and (b[j + size] in junk) is wants_junk \
                    and a[i + size] == b[j + size]:
                size += 1
        return Match(i, j, size)

    def get_matching_blocks(self):
        """The blocks in common, in order; the last one is empty."""
        if self._blocks is None:
            waiting, found = [(0, len(self.a), 0, len(self.b))], []
            while waiting:
                alo, ahi, blo, bhi = waiting.pop()
                i, j, k = self.find_longest_match(alo, ahi, blo, bhi)
                if k:
                    found.append((i, j, k))
                    if alo < i and blo < j:
                        waiting.append((alo, i, blo, j))
                    if i + k < ahi and j + k < bhi:
                        waiting.append((i + k, ahi, j + k, bhi))
            joined = []
            for i, j, k in sorted(found):
                if joined and joined[-1][0] + joined[-1][2] == i and joined[-1][1] + joined[-1][2] == j:
                    joined[-1][2] += k
                else:
                    joined.append([i, j, k])
            self._blocks = [Match(*block) for block in joined + [[len(self.a), len(self.b), 0]]]
        return self._blocks

    def get_opcodes(self):
        """How the first becomes the second: (tag, i1, i2, j1, j2)."""
        if self._codes is None:
            i = j = 0
            self._codes = []
            for at, other, size in self.get_matching_blocks():
                if i < at and j < other:
                    tag = "replace"
                elif i < at:
                    tag = "delete"
                else:
                    tag = "insert" if j < other else ""
                if tag:
                    self._codes.append((tag, i, at, j, other))
                i, j = at + size, other + size
                if size:
                    self._codes.append(("equal", at, i, other, j))
        return self._codes

    def get_grouped_opcodes(self, n=3):
        """The changes in groups, each with up to n lines around."""
        codes = list(self.get_opcodes()) or [("equal", 0, 1, 0, 1)]
        if codes[0][0] == "equal":
            tag, i1, i2, j1, j2 = codes[0]
            codes[0] = tag, max(i1, i2 - n), i2, max(j1, j2 - n), j2
        if codes[-1][0] == "equal":
            tag, i1, i2, j1, j2 = codes[-1]
            codes[-1] = tag, i1, min(i2, i1 + n), j1, min(j2, j1 + n)
        group = []
        for tag, i1, i2, j1, j2 in codes:
            if tag == "equal" and i2 - i1 > 2 * n:
                group.append((tag, i1, min(i2, i1 + n), j1, min(j2, j1 + n)))
                yield group
                group = []
                i1, j1 = max(i1, i2 - n), max(j1, j2 - n)
            group.append((tag, i1, i2, j1, j2))
        if group and not (len(group) == 1 and group[0][0] == "equal"):
            yield group

    def ratio(self):
        """How alike they are, from 0 to 1."""
        return _ratio(sum(block.size for block in self.get_matching_blocks()), len(self.a) + len(self.b))

    def quick_ratio(self):
        """An upper limit of ratio(), faster."""
        counts = defaultdict(int)
        for item in self.b:
            counts[item] += 1
        matches = 0
        for item in self.a:
            if counts[item] > 0:
                matches += 1
            counts[item] -= 1
        return _ratio(matches, len(self.a) + len(self.b))

    def real_quick_ratio(self):
        return _ratio(min(len(self.a), len(self.b)), len(self.a) + len(self.b))


def get_close_matches(word, possibilities, n=3, cutoff=0.6):
    """The best matches of a word, the nearest first."""
    if not n > 0:
        raise ValueError(f"n must be > 0: {n!r}")
    if not 0.0 <= cutoff <= 1.0:
        raise ValueError(f"cutoff must be in [0.0, 1.0]: {cutoff!r}")
    matcher, found = SequenceMatcher(), []
    matcher.set_seq2(word)
    for other in possibilities:
        matcher.set_seq1(other)
        if matcher.real_quick_ratio() >= cutoff and matcher.quick_ratio() >= cutoff and matcher.ratio() >= cutoff:
            found.append((matcher.ratio(), other))
    return [other for _, other in nlargest(n, found)]


def _range_unified(start, stop):
    length = stop - start
    if length == 1:
        return str(start + 1)
    return f"{start + 1 if length else start},{length}"


def unified_diff(a, b, fromfile="", tofile="", fromfiledate="", tofiledate="", n=3, lineterm="\n"):
    """The lines of a unified diff."""
    is_first = True
    for group in SequenceMatcher(None, a, b).get_grouped_opcodes(n):
        if is_first:
            is_first = False
            yield f"--- {fromfile}{chr(9) + fromfiledate if fromfiledate else ''}{lineterm}"
            yield f"+++ {tofile}{chr(9) + tofiledate if tofiledate else ''}{lineterm}"
        first, last = group[0], group[-1]
        yield f"@@ -{_range_unified(first[1], last[2])} +{_range_unified(first[3], last[4])} @@{lineterm}"
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                yield from (" " + line for line in a[i1:i2])
                continue
            yield from ("-" + line for line in a[i1:i2])
            yield from ("+" + line for line in b[j1:j2])


def _range_context(start, stop):
    length = stop - start
    start += length > 0
    return str(start) if length <= 1 else f"{start},{start + length - 1}"


def context_diff(a, b, fromfile="", tofile="", fromfiledate="", tofiledate="", n=3, lineterm="\n"):
    """The lines of a context diff."""
    marks, is_first = {"insert": "+ ", "delete": "- ", "replace": "! ", "equal": "  "}, True
    for group in SequenceMatcher(None, a, b).get_grouped_opcodes(n):
        if is_first:
            is_first = False
            yield f"*** {fromfile}{chr(9) + fromfiledate if fromfiledate else ''}{lineterm}"
            yield f"--- {tofile}{chr(9) + tofiledate if tofiledate else ''}{lineterm}"
        yield "***************" + lineterm
        yield f"*** {_range_context(group[0][1], group[-1][2])} ****{lineterm}"
        if any(tag in ("replace", "delete") for tag, *_ in group):
            for tag, i1, i2, _, _ in group:
                if tag != "insert":
                    yield from (marks[tag] + line for line in a[i1:i2])
        yield f"--- {_range_context(group[0][3], group[-1][4])} ----{lineterm}"
        if any(tag in ("replace", "insert") for tag, *_ in group):
            for tag, _, _, j1, j2 in group:
                if tag != "delete":
                    yield from (marks[tag] + line for line in b[j1:j2])


def IS_LINE_JUNK(line, pat=None):
    """Whether a line is blank or a single #."""
    return line.strip() in ("", "#")


def IS_CHARACTER_JUNK(ch, ws=" \t"):
    """Whether a character is a blank."""
    return ch in ws
