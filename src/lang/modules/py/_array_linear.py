"""Linear algebra that is a composition of other functions: the array API's names, LU, orders of a product of several."""


def bind(np, is_numpy):
    """Functions of `linalg`, of the main module, and of `scipy.linalg`, as three dictionaries."""

    def checked(x):
        if is_numpy:
            return np.asarray(x)
        if not isinstance(x, np.ndarray):
            raise TypeError(f"An array must be any of supported type, but got {type(x)}")
        return x

    def diagonal(x, /, *, offset=0):
        """Diagonals of the matrices of the last two axes; a view."""
        x = checked(x)
        if x.ndim < 2:
            raise ValueError("diag requires an array of at least two dimensions")
        return np.diagonal(x, offset, axis1=-2, axis2=-1)

    def matrix_norm(x, /, *, keepdims=False, ord="fro"):
        """Norms of the matrices of the last two axes."""
        x = checked(x)
        if x.ndim < 2:
            from numpy.exceptions import AxisError

            raise AxisError(f"axis -2 is out of bounds for array of dimension {x.ndim}")
        return np.linalg.norm(x, axis=(-2, -1), keepdims=keepdims, ord=ord)

    def matrix_transpose(x, /):
        """The last two axes swapped; a view."""
        return np.matrix_transpose(checked(x))

    def trace(x, /, *, offset=0, dtype=None):
        """Sums of the diagonals of the matrices of the last two axes."""
        return np.trace(checked(x), offset, axis1=-2, axis2=-1, dtype=dtype)

    # Einstein sums

    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

    def written(operands):
        """Subscripts as text and the arrays, from either form of the arguments."""
        if isinstance(operands[0], str):
            return operands[0].replace(" ", ""), list(operands[1:])
        rest, arrays, terms = list(operands), [], []

        def term(labels):
            if isinstance(labels, str):
                raise TypeError("each array is followed by a list of its labels, or the subscripts come first as one str")
            return "".join("..." if label is Ellipsis else letters[label] for label in labels)

        while len(rest) >= 2:
            arrays.append(rest.pop(0))
            terms.append(term(rest.pop(0)))
        return ",".join(terms) + ("->" + term(rest[0]) if rest else ""), arrays

    plain_einsum = np.einsum

    def einsum(*operands, out=None, dtype=None, order="K", casting="same_kind", optimize=False):
        """Sums of products by labels of axes: subscripts as one str, or a list of labels after each array."""
        subscripts, arrays = written(operands)
        if not is_numpy:
            # A number stands for a 0-d array beside the others.
            first = next((array for array in arrays if isinstance(array, np.ndarray)), None)
            if first is not None:
                arrays = [np.asarray(one, **beside(first)) if np.isscalar(one) else one for one in arrays]
        return plain_einsum(
            subscripts, *arrays, out=out, dtype=dtype, order=order, casting=casting, optimize=optimize
        )

    def parsed(operands):
        subscripts, arrays = written(operands)
        arrays = [checked(array) for array in arrays]
        left, _, right = subscripts.partition("->")
        terms = left.split(",")
        if len(terms) != len(arrays):
            raise ValueError("Number of einsum subscripts, must be equal to the number of operands.")
        if "." in subscripts:
            longest = max(array.ndim - len(term.replace("...", "")) for term, array in zip(terms, arrays) if "." in term)
            unused = [letter for letter in letters if letter not in subscripts]
            spread = "".join(unused[:longest])
            own = []
            for term, array in zip(terms, arrays):
                count = array.ndim - len(term.replace("...", ""))
                own.append(term.replace("...", spread[longest - count :]))
            terms = own
            right = right.replace("...", spread) if "->" in subscripts else None
            if right is None:
                named = sorted(letter for letter in set("".join(terms)) - set(spread) if "".join(terms).count(letter) == 1)
                right = spread + "".join(named)
        elif "->" not in subscripts:
            right = "".join(sorted(letter for letter in set(left) - {","} if left.count(letter) == 1))
        lengths = {}
        for place, (term, array) in enumerate(zip(terms, arrays)):
            if len(term) != array.ndim:
                raise ValueError(
                    f"Einstein sum subscript {term} does not contain the correct number of indices for operand {place}."
                )
            for letter, length in zip(term, array.shape):
                if lengths.get(letter, 1) not in (1, length) and length != 1:
                    raise ValueError(
                        f"Size of label '{letter}' for operand {place} ({lengths[letter]}) does not match previous terms "
                        f"({length})."
                    )
                lengths[letter] = max(lengths.get(letter, 1), length)
        return terms, right, lengths

    def size_of(labels, lengths):
        size = 1
        for letter in labels:
            size *= lengths[letter]
        return size

    def cost(labels, inner, terms, lengths):
        factor = max(1, terms - 1) + (1 if inner else 0)
        return size_of(labels, lengths) * factor

    def contraction(places, sets, output):
        kept = set(output)
        for place, labels in enumerate(sets):
            if place not in places:
                kept |= labels
        together = set().union(*(sets[place] for place in places))
        result = together & kept
        rest = [labels for place, labels in enumerate(sets) if place not in places]
        return result, rest + [result], together - result, together

    def greedy(sets, output, lengths, limit):
        if len(sets) <= 2:
            return [tuple(range(len(sets)))]
        naive = cost(contraction(range(len(sets)), sets, output)[3], True, len(sets), lengths)
        path, spent, sets = [], 0, list(sets)
        pairs = [(i, j) for i in range(len(sets)) for j in range(i + 1, len(sets))]
        known = []

        def candidate(i, j):
            result, rest, removed, together = contraction((i, j), sets, output)
            size = size_of(result, lengths)
            if size > limit:
                return None
            saved = size_of(sets[i], lengths) + size_of(sets[j], lengths) - size
            price = cost(together, removed, 2, lengths)
            if spent + price > naive:
                return None
            return (-saved, price), (i, j), rest

        for _ in range(len(sets) - 1):
            found = [one for one in (candidate(i, j) for i, j in pairs if sets[i] & sets[j]) if one]
            if not found:
                found = [one for one in (candidate(i, j) for i, j in pairs) if one]
            if not found:
                path.append(tuple(range(len(sets))))
                break
            best = min(found, key=lambda one: one[0])
            (_, price), places, sets = best
            path.append(places)
            spent += price
            if spent > naive:
                path.append(tuple(range(len(sets))))
                break
            pairs = [(i, j) for i in range(len(sets)) for j in range(i + 1, len(sets))]
        return path

    def optimal(sets, output, lengths, limit):
        best = [(0, [], list(sets))]
        for step in range(len(sets) - 1):
            following = []
            for spent, path, left in best:
                for i in range(len(left)):
                    for j in range(i + 1, len(left)):
                        result, rest, removed, together = contraction((i, j), left, output)
                        if size_of(result, lengths) <= limit:
                            following.append((spent + cost(together, removed, 2, lengths), path + [(i, j)], rest))
            if not following:
                path = min(best, key=lambda one: one[0])[1]
                return path + [tuple(range(len(sets) - step))]
            best = following
        return min(best, key=lambda one: one[0])[1] if best else []

    def rounded(value):
        return f"{value:.3e}"

    def einsum_path(*operands, optimize="greedy"):
        """The order in which the products of an Einstein sum cost least, and a table of what each step costs."""
        terms, output, lengths = parsed(operands)
        sets, everything = [set(term) for term in terms], set("".join(terms))
        limit = None
        if isinstance(optimize, (tuple, list)) and optimize and isinstance(optimize[0], str) and len(optimize) == 2 and (
            isinstance(optimize[1], (int, float))
        ):
            optimize, limit = optimize[0], optimize[1]
        if limit is None:
            limit = max(size_of(term, lengths) for term in terms + [output]) if optimize not in (False, None) else None
        inner = sum(len(one) for one in sets) - len(everything) > 0
        naive = cost(everything, inner, len(terms), lengths)
        explicit = isinstance(optimize, (tuple, list))
        if explicit:
            path = [tuple(step) for step in optimize[1:]]
        elif optimize in (False, None) or len(terms) in (1, 2) or everything == set(output):
            path = [tuple(range(len(terms)))]
        elif optimize in (True, "greedy"):
            path = greedy(sets, output, lengths, limit)
        elif optimize == "optimal":
            path = optimal(sets, output, lengths, limit)
        else:
            raise KeyError(f"Path name {optimize} not found")
        total, scales, sizes, lines, left = 0, [], [], [], list(terms)
        sets = [set(term) for term in terms]
        for number, places in enumerate(path):
            places = tuple(sorted(places, reverse=True))
            result, sets, removed, together = contraction(places, sets, output)
            total += cost(together, removed, len(places), lengths)
            scales.append(len(together))
            sizes.append(size_of(result, lengths))
            used = [left.pop(place) for place in places]
            if number == len(path) - 1:
                text = output
            else:
                text = "".join(sorted(result, key=lambda letter: (lengths[letter], letter)))
            left.append(text)
            step = ",".join(used) + "->" + text
            lines.append(f"\n{len(together):4d}    {step:>24} {','.join(left) + '->' + output:>40}")
        total += 1
        whole = ",".join(terms) + "->" + output
        table = f"  Complete contraction:  {whole}\n"
        table += f"         Naive scaling:  {len(everything)}\n"
        table += f"     Optimized scaling:  {max(scales)}\n"
        table += f"      Naive FLOP count:  {naive:.3e}\n"
        table += f"  Optimized FLOP count:  {total:.3e}\n"
        table += f"   Theoretical speedup:  {naive / total:3.3f}\n"
        table += f"  Largest intermediate:  {max(sizes):.3e} elements\n"
        table += "-" * 74 + "\n"
        table += "%6s %24s %40s\n" % ("scaling", "current", "remaining")
        table += "-" * 74
        return ["einsum_path"] + path, table + "".join(lines)

    # LU factorisation with partial pivoting, one matrix after the other

    def factored(matrix):
        """Both factors in one square or oblong matrix, and the row that each step swapped in."""
        matrix = matrix.copy()
        rows, columns = matrix.shape
        swaps = []
        for at in range(min(rows, columns)):
            swap = at + int(np.argmax(np.abs(matrix[at:, at])))
            swaps.append(swap)
            if swap != at:
                first, second = matrix[at].copy(), matrix[swap].copy()
                matrix[at], matrix[swap] = second, first
            pivot = complex(matrix[at, at])
            if pivot != 0 and at + 1 < rows:
                matrix[at + 1 :, at] = matrix[at + 1 :, at] / matrix[at, at]
                if at + 1 < columns:
                    matrix[at + 1 :, at + 1 :] -= np.outer(matrix[at + 1 :, at], matrix[at, at + 1 :])
        return matrix, swaps

    def inexact(a, check_finite):
        a = checked(a)
        if a.ndim < 2:
            raise ValueError("The input array must be at least two-dimensional" if a.ndim else "expected a matrix")
        if a.dtype.kind not in "fc":
            a = a.astype(np.zeros(1).dtype)
        if check_finite and not bool(np.isfinite(a).all()):
            raise ValueError("array must not contain infs or NaNs")
        return a

    def each(a, work):
        """`work` for each matrix of a stack; its results stacked again."""
        if a.ndim == 2:
            return work(a)
        outer = a.shape[:-2]
        parts = [work(matrix) for matrix in a.reshape((-1,) + a.shape[-2:])]
        return tuple(np.stack(column).reshape(outer + column[0].shape) for column in zip(*parts))

    def beside(a):
        return {} if is_numpy else {"sycl_queue": a.sycl_queue, "usm_type": a.usm_type}

    def lu_factor(a, overwrite_a=False, check_finite=True):
        """The factors L and U in one matrix, and the rows swapped on the way."""
        a = inexact(a, check_finite)

        def work(matrix):
            both, swaps = factored(matrix)
            return both, np.asarray(swaps, dtype=np.int64, **beside(a))

        return each(a, work)

    def order_of(swaps, rows):
        order = list(range(rows))
        for at, swap in enumerate(swaps):
            order[at], order[swap] = order[swap], order[at]
        return order

    def lu(a, permute_l=False, overwrite_a=False, check_finite=True, p_indices=False):
        """The matrices P, L and U whose product is the matrix."""
        a = inexact(a, check_finite)
        rows, columns = a.shape[-2:]
        small = min(rows, columns)

        def work(matrix):
            both, swaps = factored(matrix)
            lower = np.tril(both[:, :small], -1) + np.eye(rows, small, dtype=a.dtype, **beside(a))
            upper = np.triu(both[:small, :])
            order = order_of(swaps, rows)
            back = [order.index(row) for row in range(rows)]
            if permute_l:
                return lower[np.asarray(back, **beside(a))], upper
            if p_indices:
                return np.asarray(back, dtype=np.int64, **beside(a)), lower, upper
            real = np.abs(a[..., :0, :0]).dtype
            return np.eye(rows, dtype=real, **beside(a))[np.asarray(back, **beside(a))], lower, upper

        return each(a, work)

    def lu_solve(lu_and_piv, b, trans=0, overwrite_b=False, check_finite=True):
        """The solution of a system whose matrix `lu_factor` has factored."""
        both, swaps = lu_and_piv
        b = checked(b)
        if trans not in (0, 1, 2):
            raise ValueError("`trans` must be 0 (N), 1 (T), or 2 (C)")
        if both.ndim != 2 or both.shape[0] != both.shape[1]:
            raise ValueError("a factored square matrix is needed; solve stacks one matrix at a time")
        if b.shape[0] != both.shape[0]:
            raise ValueError(f"Shapes of lu {both.shape} and b {b.shape} are incompatible")
        if check_finite and not bool(np.isfinite(b).all()):
            raise ValueError("array must not contain infs or NaNs")
        size = both.shape[0]
        lower = np.tril(both, -1) + np.eye(size, dtype=both.dtype, **beside(both))
        upper = np.triu(both)
        order = order_of([int(swap) for swap in swaps.tolist()], size)
        if trans == 0:
            return np.linalg.solve(upper, np.linalg.solve(lower, b[np.asarray(order, **beside(b))]))
        if trans == 2:
            lower, upper = lower.conj(), upper.conj()
        back = [order.index(row) for row in range(size)]
        return np.linalg.solve(lower.T, np.linalg.solve(upper.T, b))[np.asarray(back, **beside(b))]

    linalg = [diagonal, matrix_norm, matrix_transpose, trace]
    own = {"einsum": einsum, "einsum_path": einsum_path}
    scipy = {function.__name__: function for function in (lu, lu_factor, lu_solve)}
    return {function.__name__: function for function in linalg}, own, scipy
