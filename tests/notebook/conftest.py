"""The kernel under real Jupyter clients: where the binary is, and kernels started from its own installed kernelspec."""

import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = pathlib.Path(os.environ.get("CELLHOLD_BIN", ROOT / "target/release/cellhold"))

# A watchdog: ten times what anything here takes; no test waits for it to be right.
PATIENCE = int(os.environ.get("CELLHOLD_PATIENCE", "60"))


def pytest_configure(config):
    if not BINARY.exists():
        pytest.exit(f"{BINARY} is not built: cargo build --release", returncode=3)
    prefix = config.rootpath / "target/kernelspec"
    subprocess.run([BINARY, "install", "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
    # What is tested here does not depend on the drivers of the machine.
    os.environ.setdefault("CELLHOLD_BACKENDS", "native")
    os.environ["JUPYTER_PATH"] = str(prefix / "share/jupyter")
    os.environ["JUPYTER_RUNTIME_DIR"] = str(config.rootpath / "target/jupyter-runtime")
    os.environ["CELLHOLD_HISTORY"] = str(config.rootpath / "target/jupyter-runtime/history.jsonl")
    pathlib.Path(os.environ["CELLHOLD_HISTORY"]).unlink(missing_ok=True)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """Where everything is required, a skipped test is a failed one; elsewhere `cargo xtask test` hears of it."""
    outcome = yield
    report = outcome.get_result()
    if not report.skipped:
        return
    if os.environ.get("CELLHOLD_REQUIRE") == "all":
        report.outcome = "failed"
        report.longrepr = f"skipped although everything is required: {report.longrepr}"
    elif told := os.environ.get("CELLHOLD_SKIPPED"):
        with open(told, "a", encoding="utf-8") as file:
            print(str(call.excinfo.value).splitlines()[0], file=file)


@pytest.fixture
def kernel():
    """A kernel of this test's own, with its clients; gone afterwards."""
    from support import Kernel

    with Kernel() as kernel:
        yield kernel


@pytest.fixture(scope="module")
def shared():
    """A kernel shared by the tests of a file that leave nothing behind."""
    from support import Kernel

    with Kernel() as kernel:
        yield kernel
