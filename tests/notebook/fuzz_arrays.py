"""Random calls of array functions, here and in the real NumPy and dpnp: what differs is printed.

`python fuzz_arrays.py [--calls N] [--seed S] [--library numpy|dpnp] [--binary PATH]`. The test beside it runs a fixed seed.
A call is text of the common language, so that both sides run the same program; a failing one can be pasted into a cell.
"""

import argparse
import json
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

DTYPES = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64", "complex64",
          "complex128"]
UNARY = """abs absolute arccos arccosh arcsin arcsinh arctan arctanh bitwise_count cbrt ceil conj cos cosh deg2rad exp exp2
expm1 fabs floor imag invert isfinite isinf isnan log log10 log1p log2 logical_not negative positive rad2deg real reciprocal
rint sign signbit sin sinh sqrt square tan tanh trunc angle spacing""".split()
BINARY = """add arctan2 bitwise_and bitwise_or bitwise_xor copysign divide equal floor_divide float_power fmax fmin fmod gcd
greater greater_equal heaviside hypot lcm ldexp left_shift less less_equal logaddexp logaddexp2 logical_and logical_or
logical_xor maximum minimum multiply nextafter not_equal power remainder right_shift subtract""".split()
REDUCTIONS = """all any argmax argmin count_nonzero max mean min nanmax nanmean nanmin nanprod nanstd nansum nanvar prod ptp
std sum var median""".split()
WITH_WHERE = "all any max mean min nansum prod std sum var".split()
SHAPES = [(), (0,), (1,), (3,), (7,), (2, 3), (3, 1), (1, 3), (3, 2, 2), (2, 0, 3), (2, 1, 3), (17,), (5, 4)]

# Calls whose answer is nobody's promise, or that are better here: patterns of the text, of what the library answered and of
# what is answered here, and why. Each pattern is as narrow as the difference.
LEFT_ALONE = [
    (r"", r"^\['error', 'AttributeError', \"module 'dpnp(\.\w+)*' has no attribute", r"", "the function is there in addition"),
    (r"float\('-?(nan|inf)'\)(.|\n)*np\.fft\.", r"^\['value'.*(nan|inf)", r"^\['value'.*nan",
     "which numbers a transform spoils with NaN depends on its algorithm"),
    (r"reshape\(\(\)\)\nanswer = np\.fft\.fftshift\(a0\)", r"not enough values to unpack", r"'shape': \[\]",
     "NumPy stumbles over a 0-d array"),
    (r"np\.fft\.", r"^\['error', 'IndexError', 'tuple index out of range'", r"^\['error', '(Axis|Value)Error'",
     "an axis that is not there"),
    (r"np\.fft\.i?hfft", r"'complex\d+', 'shape': \[.*\b0\b.*\]", r"'float\d+', 'shape': \[.*\b0\b.*\]",
     "dpnp keeps the dtype of no elements"),
    (r"np\.tril\(", r"tri\(\) missing", r"at least two dimensions", "NumPy stumbles over a 0-d array"),
    (r"np\.median\(.*axis=", r"'complex", r"'complex.*nan", "which NaN spoils a line depends on the order of those that do"),
    (r"np\.round\(a\d+, (-1|[12])", r"from dtype\('float64'\) to dtype\('bool'\)", r"'value', \{'dtype': 'float64'",
     "NumPy can not round truths to decimals"),
    (r"float\('-?inf'\)(.|\n)*(einsum|dot|matmul|inner|@)", r"^\['value'.*(nan|inf)", r"^\['value'.*(nan|inf)",
     "where infinities meet zeros depends on the order of adding"),
    (r"answer = ", r"'(UFunc)?TypeError', .*(did not contain a loop|not supported for the input types)",
     r"'ValueError', 'operands could not be broadcast", "of two mistakes in a call another is named first"),
    (r"\*\*=", r"Cannot cast ufunc 'power' output", r"Integers to negative integer powers", "of two mistakes another is named first"),
    (r"np\.linalg\.norm\(.*np\.inf", r"'values': \['0\.0'\]", r"^\['error', 'ValueError'", "the largest of no numbers"),
    (r"np\.linalg\.norm\(.*ord=2", r"'values': \['nan'\]", r"SVD did not converge", "a norm of infinities"),
    (r"reshape\(\(\)\)(.|\n)*sort\(a\d+, axis=(0|-1)", r"'shape': \[1\]", r"AxisError", "NumPy gives a 0-d array an axis"),
    (r"power|\*\*", r"'value', \{'dtype': 'u?int.*'0'", r"^\['value', \{'dtype': 'u?int|^\['error', 'ValueError', 'Integers to negative",
     "dpnp gives 0 for every negative power of a whole number, 1 included"),
    (r"np\.where\(a\d+, np\.float32\(", r"'complex64'", r"'complex64'", "dpnp reads eight bytes of a scalar that has four"),
    (r"\[a\d+ % 2\]", r"^\['value'", r"^\['error', 'IndexError'", "dpnp reads beyond the end of the axis"),
    (r"\[a\d+ % 2\]", r"^\['error'", r"^\['error', 'IndexError'", "dpnp names another error"),
    (r"np\.clip", r"casting rule ''safe''", r"^\['value'", "dpnp refuses limits of another kind; they promote here, as in NumPy"),
    (r"np\.interp", r"must be 1D|c-contiguos", r"^\['value'", "dpnp takes one dimension only"),
    (r"np\.where\(a\d+, -1, a\d+\)", r"'int\d+'.*'0'", r"'int\d+'.*'-1'", "dpnp writes 0 for -1 where the condition is a view"),
    (r"", r"Keyword argument `(where|initial)` is", r"", "dpnp refuses what restricts a reduction; it works here, as in NumPy"),
    (r"", r"Requested function=\w+ with (where|kwargs)=", r"", "dpnp refuses where= and casting= of universal functions"),
    (r"", r"has no attribute '(reduce|accumulate|outer)'", r"", "universal functions have NumPy's methods here"),
    (r"out=", r"Cannot cast|is the wrong shape|Output array of type|from dtype\(", r"^\['error'", "of two mistakes in a call another is named first"),
    (r"cumsum\(.*out=", r"^None", r"^\['error', 'ValueError'", "NumPy ends the process where out= has no axis"),
    (r"np\.arctan2\.reduce", r"'float32'", r"'float32'", "NumPy's loop for float32 reads what it has not written yet"),
    (r"np\.quantile", r"index -1 is out of bounds", r"'nan'", "the quantiles of no numbers"),
    (r"np\.logical_\w+\(a\d+, (300|-1)\)", r"OverflowError", r"^\['value'", "of a number only its truth matters"),
    (r"np\.put\(", r"remapped shapes", r"^\['value'", "values without a place are left, as in NumPy"),
    (r"np\.place\(", r"according to the rule 'safe'", r"'shape': \[0\]|'values': \[\]", "of no elements none is cast"),
    (r"np\.where\(a\d+, [-\d.]+, a\d+\)", r"e-3\d\d'", r"^\['value'", "dpnp reads memory that nobody wrote"),
    (r"reshape\(\(2, 0, 3\)\)(.|\n)*np\.round\(.*out=", r"^\['error'", r"'values': \[\]", "nothing is rounded"),
    (r"np\.fft\.ihfft", r"at least 1D", r"must be real", "of two mistakes in a call another is named first"),
    (r"(inf|nan)'\)(.|\n)* / ", r"'complex", r"'complex", "where infinities meet zeros"),
    (r"(inf|nan)'\)(.|\n)*np\.fft", r"'complex", r"'complex", "where infinities meet zeros"),
    (r"np\.arc\w+\(a\d+, dtype=", r"'float\d\d', 'shape': \[.*\b0\b", r"'float\d\d'", "dpnp's dtype of no elements"),
    (r"np\.(var|std|nanvar)\(.*mean=np\.asarray\(1j\)", r"", r"", "distances of real numbers from a complex mean"),
    (r"np\.matmul\(.*out=", r"^\['value'", r"inconsistent", "NumPy repeats a product to fill out="),
    (r"np\.mean\(.*out=", r"^\['value'", r"^\['value'", "no number cast to another kind is nobody's promise"),
    (r"np\.imag\(.*out=", r"unexpected keyword argument", r"^\['value'", "imag is a universal function here"),
    (r"np\.where\(a\d+, .*, a\d+\)", r"'values': \[('0j'(, )?)+\]", r"^\['value'", "dpnp writes 0 where the condition is a view"),
    (r"np\.angle\(.*(out|dtype)=", r"unexpected keyword argument", r"", "angle is a universal function here"),
    (r"np\.real\(.*dtype=", r"unexpected keyword argument", r"^\['value'", "real is a universal function here"),
    (r"dtype='complex", r"inf[+-]0j", r"inf[+-]nanj", "the imaginary part of an infinite real number by a real number"),
    (r"np\.column_stack", r"can be column stacked", r"^\['value'", "0-d arrays are stacked, as in NumPy"),
    (r"np\.extract", r"AxisError", r"^\['value'", "a condition of rank 0 selects, as in NumPy"),
    (r"bool\(a0\)", r"only 0-dimensional arrays", r"^\['value', '(True|False)'\]", "dpnp has no truth of an array of one element and one axis"),
]

# Classes of errors that a handler of either catches, or that differ by library for the same mistake.
KINDRED = [{"UFuncTypeError", "_UFuncOutputCastingError", "TypeError"}, {"AxisError", "IndexError", "ValueError"}]


class Program:
    """Builds one random program: lines that make arrays, and an expression of them."""

    def __init__(self, chance):
        self.chance, self.lines, self.count = chance, [], 0

    def pick(self, *options):
        return self.chance.choice(options)

    def shape(self):
        return self.chance.choice(SHAPES)

    def dtype(self):
        return self.chance.choice(DTYPES)

    def numbers(self, count, dtype):
        draw = self.chance
        if dtype == "bool":
            return [draw.random() < 0.5 for _ in range(count)]
        if dtype[0] == "u":
            return [draw.choice([0, 1, 2, 3, 5, 7, 100]) for _ in range(count)]
        if dtype[0] == "i":
            return [draw.choice([0, 1, 2, -1, -3, 5, 7, -100, 100]) for _ in range(count)]
        special = [0.0, -0.0, 1.0, -1.0, 0.5, 2.5, -1.5, 3.5] + (["inf", "nan", "-inf"] if draw.random() < 0.2 else [])
        if dtype[0] == "f":
            return [draw.choice(special + [round(draw.uniform(-9, 9), 3)]) for _ in range(count)]
        return [complex(round(draw.uniform(-3, 3), 2), draw.choice([0.0, 1.0, -0.5, 2.0])) for _ in range(count)]

    def array(self, shape=None, dtype=None):
        """The name of a new array, sometimes a view of a larger one."""
        shape = self.shape() if shape is None else shape
        dtype = dtype or self.dtype()
        count = math.prod(shape)
        values = ", ".join(f"float('{one}')" if isinstance(one, str) else repr(one) for one in self.numbers(count, dtype))
        name = f"a{self.count}"
        self.count += 1
        self.lines.append(f"{name} = np.asarray([{values}], dtype='{dtype}').reshape({shape!r})")
        if shape and self.chance.random() < 0.3:
            trick = self.chance.choice(["[::-1]", ".T.copy().T", "[..., ::-1]"])
            self.lines.append(f"{name} = {name}{trick}")
        return name

    def axis(self, rank, many=False):
        options = ["None"] + [str(axis) for axis in range(-rank, rank)]
        if many and rank > 1:
            options.append(str(tuple(self.chance.sample(range(rank), 2))))
        if self.chance.random() < 0.05:
            options = [str(rank), str(-rank - 1)]
        return self.chance.choice(options)

    def broadcastable(self, shape):
        """A shape that mostly broadcasts with another."""
        if self.chance.random() < 0.05:
            return self.shape()
        cut = self.chance.randint(0, len(shape))
        return tuple(1 if self.chance.random() < 0.3 else length for length in shape[cut:])

    def scalar(self):
        return self.pick("2", "-1", "3.5", "True", "0", "1j", "np.float32(1.5)", "np.int8(3)", "300", "-0.5", "0.0")

    def call(self):
        kinds = [self.unary, self.binary, self.operator, self.reduction, self.scan, self.shaping, self.joining, self.indexing,
                 self.sorting, self.product, self.creation, self.rounding, self.choosing, self.assignment, self.calculus,
                 self.sets, self.linear, self.transform, self.casting, self.restricted, self.placing, self.folding, self.into,
                 self.nested, self.conversing]
        return self.chance.choice(kinds)()

    def options(self, **choices):
        given = []
        for name, values in choices.items():
            if self.chance.random() < 0.35:
                given.append(f"{name}={self.chance.choice(values)}")
        return "".join(", " + one for one in given)

    def unary(self):
        return f"np.{self.chance.choice(UNARY)}({self.array()})"

    def binary(self):
        shape = self.shape()
        first = self.array(shape)
        second = self.array(self.broadcastable(shape)) if self.chance.random() < 0.8 else self.scalar()
        if self.chance.random() < 0.1:
            first, second = second, first
        return f"np.{self.chance.choice(BINARY)}({first}, {second})"

    def operator(self):
        shape = self.shape()
        first = self.array(shape)
        second = self.array(self.broadcastable(shape)) if self.chance.random() < 0.6 else self.scalar()
        sign = self.pick("+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<", "<=", "==", "!=", ">", "<<", ">>")
        if self.chance.random() < 0.2:
            first, second = second, first
        return f"{first} {sign} {second}"

    def reduction(self):
        shape = self.shape()
        name = self.chance.choice(REDUCTIONS)
        options = f"axis={self.axis(len(shape), many=name not in ('argmax', 'argmin', 'median'))}"
        if self.chance.random() < 0.3:
            options += ", keepdims=True"
        if name in ("sum", "prod", "mean", "nansum") and self.chance.random() < 0.3:
            options += f", dtype='{self.dtype()}'"
        if name in ("var", "std") and self.chance.random() < 0.3:
            options += ", ddof=1"
        own = self.array(shape)
        if name in ("all", "any", "max", "mean", "min", "prod", "std", "sum", "var", "argmax", "argmin") and (
            self.chance.random() < 0.3
        ):
            return f"{own}.{name}({options})"
        return f"np.{name}({own}, {options})"

    def scan(self):
        shape = self.shape()
        name = self.pick("cumsum", "cumprod", "nancumsum", "nancumprod")
        dtype = f", dtype='{self.dtype()}'" if self.chance.random() < 0.2 else ""
        return f"np.{name}({self.array(shape)}, axis={self.axis(len(shape))}{dtype})"

    def shaping(self):
        shape = self.shape()
        own, rank = self.array(shape), len(shape)
        return self.pick(
            f"np.reshape({own}, {self.pick(-1, (-1, 1), (2, -1), (3, 2), shape[::-1])!r})",
            f"np.transpose({own})", f"np.squeeze({own}{self.options(axis=[self.axis(rank)])})",
            f"np.expand_dims({own}, {self.pick(0, -1, 1, (0, 1), 5)!r})", f"np.swapaxes({own}, 0, {self.pick(-1, 1)})",
            f"np.moveaxis({own}, 0, {self.pick(-1, 1)})", f"np.ravel({own})", f"np.flip({own}, axis={self.axis(rank)})",
            f"np.roll({own}, {self.pick(1, -2, 5)}, axis={self.axis(rank)})", f"np.rot90({own})", f"np.atleast_2d({own})",
            f"np.broadcast_to({own}, {self.pick((2,) + shape, (3, 3), shape)!r})", f"np.tile({own}, {self.pick(2, (2, 1), 0)!r})",
            f"np.repeat({own}, {self.pick(2, 0, 3)}, axis={self.axis(rank)})", f"np.resize({own}, {self.pick((2, 3), 5)!r})",
            f"np.diagonal({own}, {self.pick(0, 1, -1)})", f"np.trace({own})", f"np.fliplr({own})", f"np.flipud({own})",
            f"np.rollaxis({own}, {self.pick(0, 1, -1)})", f"np.trim_zeros({own})", f"np.pad({own}, {self.pick(1, (1, 2), 0)!r}, mode='{self.pick('constant', 'edge', 'reflect', 'wrap', 'symmetric')}')",
        )

    def joining(self):
        shape = self.shape()
        parts = f"[{self.array(shape)}, {self.array(shape if self.chance.random() < 0.9 else None)}]"
        rank = len(shape)
        own = self.array(shape)
        return self.pick(
            f"np.concatenate({parts}, axis={self.axis(rank)})", f"np.stack({parts}, axis={self.pick(0, -1, 1)})",
            f"np.hstack({parts})", f"np.vstack({parts})", f"np.dstack({parts})", f"np.column_stack({parts})",
            f"np.append({parts[1:-1]})", f"np.split({own}, {self.pick(2, [1], 3)!r}, axis={self.pick(0, -1)})",
            f"np.array_split({own}, {self.pick(2, 3)})", f"np.broadcast_arrays({parts[1:-1]})",
            f"np.insert({own}, {self.pick(0, 1, -1)}, 5, axis={self.axis(rank)})",
            f"np.delete({own}, {self.pick(0, 1, -1)}, axis={self.axis(rank)})",
        )

    def index(self, shape):
        parts = []
        for length in shape:
            parts.append(self.pick(":", "...", "None", "::2", "::-1", "1:", ":-1", "0", "-1", "5", "slice(None, 1)"))
        if parts.count("...") > 1:
            parts = [":" if part == "..." else part for part in parts]
        return ", ".join(parts[: self.chance.randint(0, len(parts))]) or "..."

    def indexing(self):
        shape = self.shape()
        own = self.array(shape)
        picks = self.array((self.chance.randint(0, 4),), "int64")
        return self.pick(
            f"{own}[{self.index(shape)}]", f"{own}[{self.index(shape)}]", f"{own}[{own} > 0]", f"{own}[{picks} % 2]",
            f"np.take({own}, {picks} % 3, axis={self.axis(len(shape))}, mode='clip')", f"np.nonzero({own})", f"np.argwhere({own})",
            f"np.where({own}, {self.scalar()}, {own})", f"np.flatnonzero({own})", f"np.compress([True, False], {own}, axis={self.axis(len(shape))})",
            f"np.extract({own}, {own})", f"np.select([{own} > 1, {own} < 0], [{own}, {own} * 2])",
        )

    def sorting(self):
        shape = self.shape()
        own = self.array(shape)
        axis = self.axis(len(shape))
        edges = f"np.sort({self.array((4,), self.pick('int32', 'float64', 'float32'))})"
        return self.pick(
            f"np.sort({own}, axis={axis})", f"np.argsort({own}, axis={axis}, kind='stable')", f"np.unique({own})",
            f"np.searchsorted({edges}, {self.array(dtype='float64')}{self.options(side=[repr('right'), repr('left')])})",
            f"np.digitize({self.array(dtype='float64')}, {edges})", f"np.unique({own}, return_counts=True)",
        )

    def product(self):
        left = self.shape()
        right = left[::-1] if self.chance.random() < 0.8 else self.shape()
        one, other = self.array(left), self.array(right)
        return self.pick(
            f"np.dot({one}, {other})", f"np.matmul({one}, {other})", f"{one} @ {other}", f"np.inner({one}, {other})",
            f"np.outer({one}, {other})", f"np.vdot({one}, {other})", f"np.tensordot({one}, {other}, axes={self.pick(0, 1, 2)})",
            f"np.kron({one}, {other})", f"np.cross({self.array((3,))}, {self.array((2, 3))})",
            f"np.einsum('ij,jk->ik', {self.array((2, 3))}, {self.array((3, 2))})",
        )

    def creation(self):
        return self.pick(
            f"np.full({self.shape()!r}, {self.scalar()}{self.options(dtype=[repr(self.dtype())])})",
            f"np.arange({self.pick(5, 2.5, -3)}, {self.pick(9, -4, 3.25)}{self.options(step=[1, 2, 0.5, -1], dtype=[repr(self.dtype())])})",
            f"np.linspace({self.pick(0, -2.5, 3)}, {self.pick(7, 1.5)}, {self.pick(5, 1, 0)}{self.options(endpoint=['False'], dtype=[repr(self.dtype())])})",
            f"np.eye({self.pick(3, 0, 2)}{self.options(k=[1, -1], dtype=[repr(self.dtype())])})",
            f"np.tri({self.pick(3, 2)}, {self.pick(4, 2)}, {self.pick(0, 1, -1)})", f"np.zeros_like({self.array()})",
            f"np.ones({self.shape()!r}, dtype='{self.dtype()}')", f"np.full_like({self.array()}, {self.scalar()})",
            f"np.asarray([{self.scalar()}, {self.scalar()}])", f"np.diag({self.array()})", f"np.tril({self.array()})",
            f"np.vander({self.array((3,))})", f"np.logspace(0, {self.pick(1, 2)}, {self.pick(3, 1)})",
            f"np.meshgrid({self.array((2,))}, {self.array((3,))})", f"np.indices({self.pick((2, 3), (2,))!r})",
            f"np.geomspace(1, {self.pick(8, 0.125)}, 4)", f"np.identity({self.pick(2, 0)})",
        )

    def rounding(self):
        own = self.array()
        return self.pick(
            f"np.round({own}, {self.pick(0, 1, 2, -1)})", f"np.clip({own}, {self.scalar()}, {self.scalar()})",
            f"np.nan_to_num({own})", f"np.isclose({own}, {own})", f"np.allclose({own}, {own})", f"np.array_equal({own}, {own})",
            f"np.real_if_close({own})", f"np.modf({self.array(dtype='float64')})", f"np.frexp({self.array(dtype='float64')})",
            f"np.divmod({self.array((3,))}, {self.array((3,))})", f"np.isposinf({self.array(dtype='float64')})",
        )

    def choosing(self):
        shape = self.shape()
        return (f"np.where({self.array(self.broadcastable(shape), 'bool')}, {self.array(shape)}, "
                f"{self.array(self.broadcastable(shape)) if self.chance.random() < 0.6 else self.scalar()})")

    def assignment(self):
        shape = self.chance.choice([shape for shape in SHAPES if shape])
        own = self.array(shape)
        value = self.array(self.broadcastable(shape)) if self.chance.random() < 0.4 else self.scalar()
        step = self.pick(
            f"{own}[{self.index(shape)}] = {self.scalar()}", f"{own}[...] = {value}", f"{own}[{own} > 0] = {self.scalar()}",
            f"{own} {self.pick('+=', '-=', '*=', '/=', '//=', '**=', '&=', '|=', '<<=')} {value}",
            f"np.add({own}, {value}, out={own})", f"np.multiply({own}, {value}, out={self.array(shape)})",
            f"{own}.fill({self.scalar()})", f"np.fill_diagonal({own}, 1)", f"{own}.sort()",
        )
        if step.startswith("np.multiply"):
            return step
        self.lines.append(step)
        return own

    def calculus(self):
        shape = self.chance.choice([shape for shape in SHAPES if shape])
        own = self.array(shape)
        return self.pick(
            f"np.diff({own}{self.options(n=[0, 2], axis=[0])})", f"np.ediff1d({own})",
            f"np.trapezoid({self.array(shape, 'float64')}{self.options(dx=[0.5])})",
            f"np.convolve({self.array((4,))}, {self.array((2,))}, '{self.pick('full', 'same', 'valid')}')",
            f"np.interp({self.array(dtype='float64')}, np.asarray([0.0, 1.0, 2.0]), np.asarray([1.0, 3.0, 2.0]))",
            f"np.gradient({self.array((5,), self.pick('float64', 'float32', 'int32'))})",
            f"np.bincount({self.array((5,), 'uint8')})", f"np.histogram({self.array((6,), 'int32')}, bins=4)",
            f"np.average({self.array((2, 3))}, axis={self.pick('None', 0, 1)})", f"np.cov({self.array((2, 4), 'float64')})",
            f"np.percentile({self.array((5,), 'int32')}, {self.pick(50, 25, 99.5)})", f"np.corrcoef(np.asarray([[1.0, 2, 4], [3, 1, 0]]))",
        )

    def sets(self):
        one, other = self.array((4,), "int32"), self.array((3,), "int32")
        return self.pick(f"np.isin({one}, {other})", f"np.union1d({one}, {other})", f"np.intersect1d({one}, {other})",
                         f"np.setdiff1d({one}, {other})", f"np.setxor1d({one}, {other})")

    def linear(self):
        matrix = f"(np.asarray([[4.0, 1, 0], [1, 3, 1], [0, 1, 2]]) + {self.pick(0, 0.25, '1j')})"
        own = self.array()
        return self.pick(
            f"np.linalg.det({matrix})", f"np.linalg.inv({matrix})", f"np.linalg.norm({own}{self.options(ord=[1, 2, 'np.inf'], axis=[0, -1], keepdims=['True'])})",
            f"np.linalg.solve({matrix}, np.asarray([1.0, 2, 3]))", f"np.linalg.matrix_power({matrix}, {self.pick(2, 0, -1)})",
            f"np.linalg.matrix_rank({matrix})", f"np.linalg.svdvals({matrix})", f"np.linalg.det({own})", f"np.linalg.inv({own})",
            f"np.linalg.slogdet({matrix})[1]", f"np.linalg.pinv({matrix})", f"np.linalg.cholesky({own})",
        )

    def transform(self):
        own = self.array(dtype=self.pick("float64", "complex128", "float32", "int32"))
        return self.pick(
            f"np.fft.{self.pick('fft', 'ifft', 'rfft', 'irfft', 'hfft', 'ihfft')}({own}{self.options(n=[4, 1, 6], axis=[0, -1], norm=[repr('ortho'), repr('forward')])})",
            f"np.fft.{self.pick('fft2', 'ifft2', 'fftn', 'rfftn')}({own})", f"np.fft.fftshift({own})", f"np.fft.fftfreq({self.pick(5, 4)}, {self.pick(0.5, 1.0)})",
        )

    def casting(self):
        own = self.array()
        return self.pick(
            f"{own}.astype('{self.dtype()}')", f"np.result_type({own}, {self.array()})", f"np.can_cast({own}.dtype, '{self.dtype()}')",
            f"np.asarray({own}, dtype='{self.dtype()}')", f"{own}.astype('{self.dtype()}', casting='{self.pick('safe', 'same_kind')}')",
            f"np.copy({own})", f"({own}.shape, {own}.ndim, {own}.size, {own}.nbytes, {own}.itemsize)", f"{own}.tolist()",
            f"np.promote_types('{self.dtype()}', '{self.dtype()}')", f"bool({own})", f"int({own})", f"float({own})", f"len({own})",
        )

    def restricted(self):
        shape = self.shape()
        name = self.chance.choice(WITH_WHERE + ["nanmean", "nanvar", "nanmax", "nanmin"])
        own = self.array(shape, self.pick(*DTYPES, "float16"))
        options = f"axis={self.axis(len(shape), many=True)}"
        if self.chance.random() < 0.8:
            mask = self.pick(f"{own} > 0", self.array(self.broadcastable(shape), "bool"), "True", "False")
            options += f", where={mask}"
        if name in ("max", "min", "sum", "prod", "nansum", "nanmax", "nanmin") and self.chance.random() < 0.7:
            options += f", initial={self.scalar()}"
        if name in ("var", "std", "nanvar") and self.chance.random() < 0.5:
            options += self.pick(", ddof=1", ", correction=1", f", mean=np.asarray({self.scalar()})")
        if self.chance.random() < 0.3:
            options += ", keepdims=True"
        return f"np.{name}({own}, {options})"

    def placing(self):
        shape = self.chance.choice([shape for shape in SHAPES if shape])
        own, rank = self.array(shape), len(shape)
        places = self.pick("[]", "[0]", "1", "-1", "[0, -1]", "np.asarray([1, 0])", "np.asarray([True, False])", "slice(0, 2)", "(0, 0)")
        mode = self.pick("", ", mode='clip'", ", mode='wrap'")
        step = self.pick(f"np.put({own}, {places}, {self.pick('5', '[7, 8]')}{mode})",
                         f"np.place({own}, {own} > 0, np.asarray([1, 2]))", f"np.putmask({own}, {own} > 0, {own} * 2)",
                         f"np.copyto({own}, {self.scalar()}, where={own} > 0)", f"np.fill_diagonal({own}, {self.scalar()}, wrap=True)")
        if self.chance.random() < 0.4:
            self.lines.append(step)
            return own
        order = f"np.argsort({own}, axis={self.axis(rank)}, kind='stable')"
        return self.pick(
            f"np.take({own}, {places}, axis={self.axis(rank)}{mode})", f"np.delete({own}, {places}, axis={self.axis(rank)})",
            f"np.insert({own}, {places}, {self.pick('5', '[7]', '[7, 8]')}, axis={self.axis(rank)})", f"np.take_along_axis({own}, {order}, axis=-1)",
            f"np.choose({own} > 0, [{own}, {own} * 2]{mode})", f"{own}[{places}]", f"{own}[{places}, ...]", f"{own}[..., {places}]",
            f"np.unravel_index({self.array((3,), 'uint8')} % 6, (2, 3))", f"np.ravel_multi_index(({places}, {places}), (4, 5){mode})",
            f"np.ix_({self.pick('np.asarray([0, 1])', 'np.asarray([True, False])')}, np.asarray([1, 0]))", f"np.argpartition({own}, 0)[..., 0] * 0",
        )

    def folding(self):
        shape = self.shape()
        name, own = self.chance.choice(BINARY), self.array(shape)
        axis = self.pick("", f", axis={self.axis(len(shape))}")
        return self.pick(f"np.{name}.reduce({own}{axis})", f"np.{name}.accumulate({own}{axis})",
                         f"np.{name}.outer({self.array((2,))}, {self.array((3,))})", f"np.cumulative_sum({own}{axis}, include_initial=True)",
                         f"np.cumulative_prod({own}{axis})", f"np.nancumsum({own}{axis})", f"np.linalg.vector_norm({own}{axis})")

    def into(self):
        shape = self.shape()
        own, out = self.array(shape), self.array(shape)
        name, more = self.pick((self.chance.choice(UNARY), ""), (self.chance.choice(BINARY), f", {self.array(self.broadcastable(shape))}"))
        where = self.pick("", f", where={self.array(self.broadcastable(shape), 'bool')}")
        return self.pick(f"np.{name}({own}{more}, out={out}{where})", f"np.{name}({own}{more}, dtype='{self.dtype()}')",
                         f"np.{name}({own}{more}, out={out}, casting='unsafe')", f"np.sum({own}, axis=0, out={self.array(shape[1:])})",
                         f"np.clip({own}, 0, 2, out={out})", f"np.cumsum({own}, axis=0, out={out})", f"np.round({own}, 1, out={out})",
                         f"np.take({own}, np.asarray([0]), axis=0, out={out})", f"np.matmul({own}, {own}, out={out})", f"np.mean({own}, axis=-1, out={self.array(shape[:-1])})",
                         f"np.concatenate([{own}, {own}], out={out})", f"np.argmax({own}, axis=0, out={self.array(shape[1:], 'int64')})")

    def nested(self):
        one, other = self.scalar(), self.scalar()
        return self.pick(f"np.array([[{one}, {other}], [{other}, {one}]])", f"np.array([{one}, [{other}]])", f"np.array(({one}, {other}), dtype='{self.dtype()}')",
                         f"np.array([{self.array((2,))}, {self.array((2,))}])", f"np.array([[], []])", f"np.array({one}, ndmin=2)", f"np.array(range(4), dtype='{self.dtype()}')",
                         f"np.array([{one}]) {self.pick('+', '*', '-', '<')} {other}", f"np.block([[{self.array((2, 2))}, {self.array((2, 1))}]])",
                         f"np.fromiter(range(3), dtype='{self.dtype()}')", f"np.asarray({self.array()}, order='F').flags.f_contiguous", f"np.atleast_3d({one})")

    def conversing(self):
        shape = self.shape()
        own, rank = self.array(shape), len(shape)
        return self.pick(
            f"np.average({own}, axis={self.axis(rank)}, weights={self.array(shape, 'float64')})", f"np.quantile({self.array(shape, 'float64')}, [0.25, 0.5], axis={self.axis(rank)}, method='{self.pick('linear', 'lower', 'higher', 'nearest', 'midpoint', 'hazen', 'weibull')}')",
            f"np.nanmedian({self.array(shape, 'float64')}, axis={self.axis(rank)})", f"np.histogram({self.array((6,), 'float64')}, bins=3, range=(-2, 5), density={self.pick('True', 'False')})",
            f"np.unique({own}, return_index=True, return_inverse=True)", f"np.unique({own}, axis={self.axis(rank)})", f"np.lexsort([{self.array((4,), 'int8')}, {self.array((4,), 'int8')}])",
            f"np.partition({self.array((5,), 'int32')}, 2)[2]", f"np.sort_complex({self.array((4,))})", f"np.nan_to_num({own}, nan=1.5, posinf=9, neginf=-9)",
            f"np.array_split({own}, [1, 2], axis={self.pick(0, -1)})", f"np.hsplit({own}, 1)", f"np.apply_along_axis(np.sum, {self.pick(0, -1)}, {own})", f"np.apply_over_axes(np.sum, {own}, [0])",
            f"np.bincount({self.array((5,), 'uint8')}, weights={self.array((5,), 'float64')}, minlength={self.pick(0, 4)})", f"np.searchsorted(np.asarray([1, 2, 4]), {self.scalar()}, side='{self.pick('left', 'right')}')",
            f"np.cross({self.array((2, 3))}, {self.array((3,))}, axis=-1)", f"np.tensordot({self.array((2, 3))}, {self.array((3, 2))}, axes=([1], [0]))", f"np.einsum('ij->j', {self.array((2, 3))})", f"np.einsum('ii', {self.array((3, 3))})",
            f"np.pad({own}, 2, mode='{self.pick('maximum', 'mean', 'minimum', 'median', 'linear_ramp', 'empty')}').shape", f"np.pad({own}, 1, constant_values={self.scalar()})",
            f"np.diff({own}, prepend={self.scalar()})", f"np.gradient({self.array((3, 3), 'float64')}, axis={self.pick(0, 1)}, edge_order={self.pick(1, 2)})", f"np.trapezoid({self.array((4,))}, x=np.asarray([0.0, 1, 3, 4]))",
            f"np.isclose({own}, {own} * 1, rtol=1e-3, equal_nan={self.pick('True', 'False')})", f"np.interp({self.scalar()}, np.asarray([0.0, 1.0]), np.asarray([1.0, 3.0]), left=-5)", f"np.angle({own}, deg=True)",
            f"np.convolve({self.array((3,))}, {self.array((5,))})", f"np.correlate({self.array((5,))}, {self.array((3,))}, '{self.pick('full', 'same', 'valid')}')", f"np.polyval(np.asarray([1, 2]), {own})", f"np.vander({self.array((3,))}, 2, increasing=True)",
            f"np.tril_indices(3, k={self.pick(0, 1)})", f"np.diagflat({own})", f"np.triu({self.array((3, 4))}, k={self.pick(-1, 1)})", f"np.geomspace(1, 16, 5, endpoint={self.pick('True', 'False')})", f"np.logspace(0, 2, 3, base={self.pick('2', '2.5')}, dtype={self.pick('None', 'int')})",
            f"np.packbits({self.array((9,), 'bool')})", f"np.resize({own}, (2, 2))", f"np.swapaxes({own}, {self.pick(0, 1)}, {self.pick(-1, 2)})", f"np.broadcast_shapes({shape!r}, {self.broadcastable(shape)!r})",
        )


def programs(count, seed):
    """So many programs: text of the common language that leaves its answer in `answer`."""
    chance = random.Random(seed)
    for _ in range(count):
        program = Program(chance)
        expression = program.call()
        yield "\n".join([*program.lines, f"answer = {expression}"])


DRIVER = '''
import json, sys, warnings
warnings.simplefilter("ignore")
library, path = sys.argv[1:3]
if library == "dpnp":
    import dpnp as np
else:
    import numpy as np

def told(value):
    if isinstance(value, (tuple, list)):
        return [told(one) for one in value]
    if hasattr(value, "asnumpy"):
        value = value.asnumpy()
    if hasattr(value, "dtype") and hasattr(value, "shape") and not isinstance(value, type):
        flat = value.reshape(-1).tolist() if value.shape else [value.item()]
        return {"dtype": str(value.dtype), "shape": list(value.shape), "values": [repr(one) for one in flat]}
    return repr(value)

with open(path) as lines:
    for line in lines:
        names = {"np": np}
        print("begin", flush=True)
        try:
            exec(json.loads(line), names)
            found = ["value", told(names["answer"])]
        except Exception as problem:
            found = ["error", type(problem).__name__, str(problem)]
        print("end", json.dumps(found), flush=True)
'''


def run(command, library, texts, environment=None):
    """What a command answers to programs, in order; None where the process ended."""
    answers = []
    with tempfile.TemporaryDirectory() as folder:
        driver, data = pathlib.Path(folder, "driver.py"), pathlib.Path(folder, "programs.jsonl")
        driver.write_text(DRIVER)
        while len(answers) < len(texts):
            data.write_text("".join(json.dumps(text) + "\n" for text in texts[len(answers):]))
            done = subprocess.run([*command, driver, library, data], capture_output=True, text=True, env=environment, timeout=900)
            begun = False
            for line in done.stdout.splitlines():
                if line.startswith("begin"):
                    begun = True
                elif line.startswith("end "):
                    answers.append(json.loads(line[4:]))
                    begun = False
            if begun:
                answers.append(None)
            elif done.returncode:
                raise RuntimeError(done.stderr[-2000:])
    return answers


def number(text):
    return complex(text.replace("(", "").replace(")", "")) if text not in ("True", "False") else complex(text == "True")


def same_number(one, other, tolerance):
    if one == other:
        return True
    a, b = number(one), number(other)
    for x, y in ((a.real, b.real), (a.imag, b.imag)):
        if x == y or (x != x and y != y):
            continue
        if math.isinf(x) or math.isinf(y) or x != x or y != y:
            return False
        if abs(x - y) > tolerance * max(abs(a), abs(b), 1.0):
            return False
    return True


def same(want, given):
    """Whether two answers are the same: dtypes, shapes, values within rounding; errors by class."""
    if want is None or given is None:
        return want is given
    if want[0] != given[0]:
        return False
    if want[0] == "error":
        return want[1] == given[1] or any({want[1], given[1]} <= group for group in KINDRED)
    return same_value(want[1], given[1])


def same_value(want, given):
    if isinstance(want, list) and isinstance(given, list):
        return len(want) == len(given) and all(same_value(a, b) for a, b in zip(want, given))
    if isinstance(want, dict) and isinstance(given, dict):
        if want["dtype"] != given["dtype"] or want["shape"] != given["shape"]:
            return False
        single = want["dtype"] in ("float32", "complex64", "float16")
        tolerance = 2e-3 if want["dtype"] == "float16" else 3e-5 if single else 1e-10
        return all(same_number(a, b, tolerance) for a, b in zip(want["values"], given["values"]))
    return want == given


def differences(library, count, seed, binary):
    """Programs that answer otherwise here: their text and both answers."""
    texts = list(programs(count, seed))
    environment = dict(os.environ, CELLHOLD_BACKENDS="native")
    wanted = run([sys.executable], library, texts)
    given = run([str(binary), "run"], library, texts, environment)
    found = [(text, a, b) for text, a, b in zip(texts, wanted, given) if not same(a, b) and not left_alone(text, a, b)]
    # What a library reads from memory that nobody wrote is no answer: it gives another one the next time.
    again = run([sys.executable], library, [text for text, _, _ in found]) if found else []
    return [difference for difference, repeated in zip(found, again) if same(difference[1], repeated)]


def left_alone(text, want, given):
    """Whether a difference is one of those that have a reason."""
    answers = (text, str(want), str(given))
    return any(all(map(re.search, patterns, answers)) for *patterns, _ in LEFT_ALONE)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--library", default="numpy", choices=["numpy", "dpnp"])
    parser.add_argument("--binary", default=ROOT / "target/release/cellhold")
    options = parser.parse_args()
    found = differences(options.library, options.calls, options.seed, options.binary)
    for text, want, given in found:
        print(f"{text}\n  {options.library}: {want}\n  here: {given}\n")
    print(f"{len(found)} of {options.calls} differ")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
