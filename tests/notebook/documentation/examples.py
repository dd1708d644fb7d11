"""The examples in the documentation of the installed dpnp and dpctl, and how outcomes of two runs are compared.

As a script it records what the real libraries answer: `python examples.py`, in an environment that has them. Only the
answers are kept (`answers.jsonl`, with a check of each example's text); the examples themselves are read from the installed
libraries, so a new version shows where the answers have to be recorded anew.
"""

import ast
import doctest
import hashlib
import inspect
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
ANSWERS = HERE / "answers.jsonl"

# Examples that are no question of what is computed.
LEFT_OUT = {
    "dpnp.random.negative_binomial": "walks over 100,000 elements one at a time: half a minute in dpnp",
}


def public_objects():
    """Every public function, class and method of the libraries, with its dotted name."""
    import dpctl
    import dpctl.memory
    import dpctl.utils
    import dpnp
    import dpnp.scipy.linalg
    import dpnp.scipy.special
    import dpnp.tensor

    def members(home, name):
        for member in sorted(vars(home) if inspect.isclass(home) else dir(home)):
            if not member.startswith("_"):
                value = inspect.getattr_static(home, member)
                yield f"{name}.{member}", value.__func__ if isinstance(value, (staticmethod, classmethod)) else value

    modules = {
        "dpnp": dpnp, "dpnp.linalg": dpnp.linalg, "dpnp.fft": dpnp.fft, "dpnp.random": dpnp.random,
        "dpnp.exceptions": dpnp.exceptions, "dpnp.scipy.linalg": dpnp.scipy.linalg,
        "dpnp.scipy.special": dpnp.scipy.special, "dpnp.tensor": dpnp.tensor, "dpctl": dpctl,
        "dpctl.memory": dpctl.memory, "dpctl.utils": dpctl.utils,
    }
    seen = set()
    for name, module in modules.items():
        for full, value in members(module, name):
            if inspect.ismodule(value):
                continue
            yield full, value
            if inspect.isclass(value) and value not in seen and value.__module__.split(".")[0] in ("dpnp", "dpctl"):
                seen.add(value)
                yield from members(value, full)


def statements(source):
    """The statements of a block: text, and whether it is an expression whose value is shown."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return [[source, False]]
    return [
        [ast.get_source_segment(source, node.value) if isinstance(node, ast.Expr) else source_of(source, node),
         isinstance(node, ast.Expr)]
        for node in tree.body
    ]


def source_of(source, node):
    first = min([node.lineno] + [decorator.lineno for decorator in getattr(node, "decorator_list", [])])
    if first != node.lineno or node.col_offset == 0 and node.end_lineno > node.lineno:
        return "\n".join(source.split("\n")[first - 1 : node.end_lineno])
    return ast.get_source_segment(source, node)


def whole_blocks(examples):
    """The sources of examples; what documentation forgot to mark as a continuation goes back to its block."""
    for example in examples:
        source, rest = example.source.rstrip("\n"), example.want.split("\n")
        attempt = source
        while rest and rest[0]:
            try:
                ast.parse(attempt)
                break
            except SyntaxError:
                attempt += "\n" + rest.pop(0)
        try:
            ast.parse(attempt)
            yield attempt
        except SyntaxError:
            yield source


def collect():
    """All examples: name, and blocks of statements. The same text under several names is one example."""
    parser, known, found = doctest.DocTestParser(), set(), []
    for name, value in public_objects():
        text = getattr(value, "__doc__", None)
        if not isinstance(text, str) or ">>>" not in text or name in LEFT_OUT:
            continue
        text = inspect.cleandoc(text)
        if text in known or name.startswith("dpnp.DLDeviceType"):
            continue
        known.add(text)
        # Two common slips of documentation: no blank after the prompt.
        text = re.sub(r"(?m)^(\s*(?:>>>|\.\.\.))([^\s.])", r"\1 \2", text)
        try:
            blocks = list(whole_blocks(parser.get_examples(text)))
        except ValueError:
            continue
        blocks = [block for block in blocks if not block.lstrip().startswith("%") and "matplotlib" not in block]
        if blocks:
            found.append({"name": name, "blocks": [statements(block) for block in blocks]})
    return found


def check_of(block):
    """A short check of a block's text."""
    return hashlib.sha256(json.dumps(block).encode()).hexdigest()[:8]


def run(command, examples, environment=None, patience=600):
    """What a command answers to examples, by name; one that ends the process has no answer."""
    answers, left = {}, list(examples)
    while left:
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
            file.writelines(json.dumps(example) + "\n" for example in left)
            file.flush()
            done = subprocess.run(
                [*command, HERE / "driver.py", file.name], capture_output=True, text=True, env=environment, timeout=patience,
                cwd=tempfile.gettempdir(),
            )
        running = None
        for line in done.stdout.splitlines():
            if line.startswith("begin "):
                running = json.loads(line[6:])
            elif line.startswith("end "):
                answers[running] = json.loads(line[4:])
                running = None
        if done.returncode == 0:
            return answers
        if running is None:
            raise RuntimeError(f"the driver failed: {done.stderr[-2000:]}")
        answers[running] = None
        names = [example["name"] for example in left]
        left = left[names.index(running) + 1 :]
    return answers


NUMBER = re.compile(r"(?<![A-Za-z_])[-+]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|inf|nan)")
PLACE = re.compile(r"(?:opencl|native|level_zero):cpu:\d|<backend_type\.\w+: \d>|0x[0-9a-f]{6,}")
CHANCE = re.compile(r"\brandom\b|RandomState|default_rng|\brng\b")
MOMENTARY = re.compile(r"\bid\(|timer\.dt|\bempty\(|\bempty_like\(")


def agree(block, is_chance, wanted, given):
    """Whether two outcomes of a block say the same: errors by class and text, numbers within rounding."""
    (text, problem), (own_text, own_problem) = wanted, given
    if MOMENTARY.search(json.dumps(block)):
        return (problem is None) == (own_problem is None)
    if problem or own_problem:
        same = problem and own_problem and problem[0] == own_problem[0]
        return bool(same) and (problem[0] == "SyntaxError" or flat(problem[1]) == flat(own_problem[1]))
    text, own_text = flat(text), flat(own_text)
    if text == own_text:
        return True
    numbers, own_numbers = NUMBER.findall(text), NUMBER.findall(own_text)
    if len(numbers) != len(own_numbers):
        return False
    if is_chance:
        return True
    if not numbers or "." not in text:
        return False
    pairs = [(float(one), float(other)) for one, other in zip(numbers, own_numbers)]
    scale = max([abs(number) for pair in pairs for number in pair if math.isfinite(number)], default=0.0)
    words = NUMBER.sub("#", text), NUMBER.sub("#", own_text)
    near = all(a == b or (a != a and b != b) or abs(a - b) <= 1e-7 * scale + 1e-15 for a, b in pairs)
    return near and squeezed(words[0]) == squeezed(words[1])


def flat(text):
    return " ".join(PLACE.sub("PLACE", text).split())


def squeezed(text):
    return re.sub(r"\s+", "", text)


def disagreements(example, answer, wanted):
    """The places and texts of an example's blocks whose outcome differs."""
    is_chance = bool(CHANCE.search(json.dumps(example["blocks"])))
    if answer is None:
        return [(0, "the process ended")]
    found = []
    for at, (block, given, (check, *want)) in enumerate(zip(example["blocks"], answer, wanted)):
        if check != check_of(block):
            found.append((at, "the example has changed: record the answers anew"))
        elif not agree(block, is_chance, want, given):
            source = "\n".join(source for source, _ in block)
            found.append((at, f">>> {source}\n  dpnp: {want}\n  here: {given}"))
    return found


def main():
    examples = collect()
    answers = run([sys.executable, "-W", "ignore"], examples, patience=1800)
    with ANSWERS.open("w") as file:
        for example in examples:
            answer = answers[example["name"]]
            if answer is not None:
                blocks = [[check_of(block), *outcome] for block, outcome in zip(example["blocks"], answer)]
                file.write(json.dumps([example["name"], blocks]) + "\n")
    print(f"{len(examples)} examples, {sum(answer is None for answer in answers.values())} ended the process")


if __name__ == "__main__":
    main()
