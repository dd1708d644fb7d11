"""What Rust cells cost: the first one, later ones by kind, an error, interrupts; printed as a table. Not a test."""

import statistics
import time
import types

import conftest
from rust_support import RustKernel, compiler_runs, temporary, wait_for
from test_rust_ends import ENDLESS_COMPILE, ENDLESS_LOOP

ROUNDS = 7

CELLS = [
    ("a value: `1 + {n}`", "1 + {n}"),
    ("a variable: `let v{n} = vec![{n}; 10];`", "let v{n} = vec![{n}; 10];"),
    ("a function of four lines", "fn f{n}(x: f64) -> f64 {{\n    let y = x + {n} as f64;\n    y * y\n}}"),
    ("output: a thousand lines", 'for i in 0..1000 {{ println!("{{i}} {n}"); }}'),
    ("an array from Python, an expression, back", 'let b = &get("a") * {n}.0 + 1.0;\nput("b", &b);'),
    ("an error of the compiler", "nobody + {n}"),
]


def seconds(act):
    began = time.perf_counter()
    act()
    return time.perf_counter() - began


def main():
    conftest.pytest_configure(types.SimpleNamespace(rootpath=conftest.ROOT))
    with temporary() as folder, RustKernel(folder) as kernel:
        kernel.run("import dpnp\na = dpnp.ones(1000)")
        rows = [("the first cell: start, client, `1 + 1`", [seconds(lambda: kernel.rust("1 + 1"))])]
        for name, code in CELLS:
            times = [seconds(lambda: kernel.execute("%%rust\n" + code.format(n=n))) for n in range(1, ROUNDS + 1)]
            rows.append((name.replace("{n}", "n"), times))
        rows.append(("interrupt of an endless loop, to the reply", [loop(kernel) for _ in range(3)]))
        rows.append(("interrupt of an endless compile, to the reply", [compile_(kernel) for _ in range(3)]))
        print("| what | median | least |\n|---|---|---|")
        for name, times in rows:
            print(f"| {name} | {statistics.median(times):.2f} s | {min(times):.2f} s |")


def loop(kernel):
    return kernel.interrupt_after(kernel.client.execute(ENDLESS_LOOP), "running")[1]


def compile_(kernel):
    request = kernel.client.execute(ENDLESS_COMPILE)
    kernel.wait_until_running(request)
    wait_for(lambda: compiler_runs(kernel), "the compiler")
    return kernel.interrupt_after_running(request)[1]


if __name__ == "__main__":
    main()
