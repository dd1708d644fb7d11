#!/usr/bin/env python3
"""Records what the reference implementation prints for the case files: `record_cases.py [PART_OF_NAME ...]`.

Plain cases run under the interpreter that runs this script (CPython 3.11). Cases under `cases/arrays` need dpnp and NumPy:
run the script with the interpreter of an environment that has them; cases that cannot be run there are left as they are.
"""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).parent / "cases"


def record(case: pathlib.Path) -> None:
    done = subprocess.run(
        [sys.executable, "-B", case.name], cwd=case.parent, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120
    )
    if done.returncode != 0 and "ModuleNotFoundError: No module named 'dpnp'" in done.stderr:
        print(f"left as it is (no dpnp here): {case.relative_to(ROOT)}")
        return
    case.with_suffix(".out").write_text(done.stdout)
    error = case.with_suffix(".err")
    if done.returncode != 0:
        # CPython names the script by its absolute path, `cellhold run` as it was called.
        error.write_text(done.stderr.replace(f"{case.parent}/", ""))
    elif error.exists():
        error.unlink()


def main() -> None:
    if sys.version_info[:2] != (3, 11):
        sys.exit("the reference is CPython 3.11")
    for case in sorted(ROOT.rglob("*.py")):
        if len(sys.argv) < 2 or any(part in str(case) for part in sys.argv[1:]):
            record(case)


main()
