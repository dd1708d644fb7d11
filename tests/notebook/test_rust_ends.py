"""Ends of every kind: interrupts and shutdown in each phase, processes killed at any moment; nothing is left behind."""

import os
import random
import signal
import time

import psutil
import pytest

from rust_support import all_gone, compiler_runs, folder, fresh, wait_for  # noqa: F401  (fixtures among them)
from support import result_of, text_of

# Compiles until it is stopped, whatever the machine.
ENDLESS_COMPILE = """%%rust
#![allow(long_running_const_eval)]
const N: u64 = { let mut i = 0u64; while i < u64::MAX { i += 1; } i };
N
"""
ENDLESS_LOOP = '%%rust\nprintln!("running"); loop {}'


def test_an_endless_loop_is_interrupted_and_functions_stay(fresh):
    fresh.rust("fn f() -> i32 { 5 }\nlet mut a = 1;\nlet b = 2;")
    fresh.run("import dpnp\nx = dpnp.arange(4)")
    for _ in range(2):
        reply, seconds = fresh.interrupt_after(fresh.client.execute(ENDLESS_LOOP), "running")
        assert reply["ename"] == "KeyboardInterrupt"
        assert seconds < 5
    assert fresh.value("f()") == "5"
    assert result_of(fresh.run("int(x.sum())")) == "6"


def test_an_interrupt_names_what_it_lost(fresh):
    fresh.rust("let first = 1;\nlet second = 2;")
    reply, _ = fresh.interrupt_after(fresh.client.execute(ENDLESS_LOOP), "running")
    assert "while the Rust cell ran" in reply["evalue"] and "first, second" in reply["evalue"]
    assert text_of(fresh.run("%rust vars")) == "Rust has no variables\n"


def test_an_interrupted_compile_loses_nothing(fresh):
    fresh.rust("let kept = 7;")
    request = fresh.client.execute(ENDLESS_COMPILE)
    fresh.wait_until_running(request)
    wait_for(lambda: compiler_runs(fresh), "the compiler")
    reply, _ = fresh.interrupt_after_running(request)
    assert "while the Rust cell was compiled; no Rust variable was lost" in reply["evalue"]
    assert not compiler_runs(fresh)
    assert fresh.value("kept") == "7"


def test_a_start_is_interrupted(fresh):
    request = fresh.client.execute("%%rust\n1")
    fresh.wait_until_running(request)
    wait_for(lambda: compiler_runs(fresh), "the first compile")
    processes = fresh.processes()
    reply, _ = fresh.interrupt_after_running(request)
    assert reply["evalue"] == "the start of Rust was given up"
    assert all_gone(processes)
    assert fresh.value("1 + 1") == "2"


def test_an_abort_is_an_error_and_the_next_cell_goes_on(fresh):
    fresh.rust("fn f() -> i32 { 5 }\nlet a = 1;")
    name, message, text = fresh.fails("%%rust\nstd::process::abort();")
    assert name == "RustError" and "SIGABRT" in text and "variable a" in text, text
    assert fresh.value("f()") == "5"


@pytest.mark.parametrize("role", ["supervisor", "worker", "runtime"])
def test_a_killed_process_is_a_clear_error_and_the_next_cell_starts_anew(fresh, role):
    which = ["supervisor", "worker", "runtime"].index(role)
    fresh.rust("let a = 1;")
    request = fresh.client.execute(ENDLESS_LOOP)
    fresh.wait_until_running(request)
    while fresh.next_output(request)["msg_type"] != "stream":
        pass
    before = fresh.processes()
    fresh.helper()[which].kill()
    reply = fresh.reply(request)["content"]
    assert reply["ename"] == "RustError" and "a" in reply["evalue"]
    text = "\n".join(reply["traceback"])
    assert "ended" in text or "signal: 9" in text, text
    assert fresh.value("1 + 1") == "2"
    dead = [process for process in before if process not in fresh.processes()]
    wait_for(lambda: all_gone(dead), "the old processes to be reaped")
    # Once more between two cells.
    fresh.rust("let b = 1;")
    victim = fresh.helper()[which]
    victim.kill()
    wait_for(lambda: all_gone([victim]) or victim.status() == psutil.STATUS_ZOMBIE, "the end")
    assert fresh.value("1 + 2") == "3"


def test_a_process_killed_while_it_is_made_ready_or_compiled_for_is_replaced(fresh):
    fresh.rust("fn f() -> i32 { 5 }\nlet a = 1;")
    _, worker, runtime = fresh.helper()
    before = runtime.pid
    assert fresh.fails("%%rust\nstd::process::abort();")[0] == "RustError"
    wait_for(lambda: [new for new in worker.children() if new.name() == "cellhold-rust" and new.pid != before], "a new one")
    fresh.helper()[2].kill()
    assert fresh.value("f()") == "5"
    fresh.rust("let b = 2;")
    request = fresh.client.execute("%%rust\nf() + 1")
    fresh.wait_until_running(request)
    wait_for(lambda: compiler_runs(fresh), "the compiler")
    fresh.helper()[2].kill()
    reply = fresh.reply(request)["content"]
    assert reply["status"] == "ok", reply
    told = ""
    while (message := fresh.next_output(request))["msg_type"] != "status":
        told += str(message["content"])
    assert "Rust runs in a new process: the one before had ended (signal: 9 (SIGKILL))" in told
    assert "lost with it: the Rust variable b" in told


def test_kills_at_random_moments_never_take_the_session_down(fresh):
    fresh.run("import dpnp\nx = dpnp.ones(1000)")
    seed = int(os.environ.get("CELLHOLD_SEED", time.time()))
    print(f"CELLHOLD_SEED={seed}")
    choose = random.Random(seed)
    for _ in range(8):
        request = fresh.client.execute("%%rust\nlet r: Vec<u64> = (0..1000).collect();\nr.iter().sum::<u64>()")
        fresh.wait_until_running(request)
        time.sleep(choose.uniform(0, 2.5))
        alive = [process for process in fresh.processes()]
        if alive:
            victim = choose.choice(alive)
            try:
                victim.kill()
            except psutil.NoSuchProcess:
                pass
        reply = fresh.reply(request)["content"]
        assert reply["status"] == "ok" or reply["ename"] == "RustError", reply
    assert fresh.value("6 * 7") == "42"
    assert result_of(fresh.run("float(x.sum())")) == "1000.0"


def everything_ends(kernel, folder, end):
    processes = kernel.processes()
    assert processes, "there is something to end"
    groups = {os.getpgid(process.pid) for process in processes}
    end()
    wait_for(lambda: not psutil.pid_exists(kernel.pid) or not kernel.manager.is_alive(), "the kernel's end")
    wait_for(lambda: all_gone(processes), "the processes' end")
    for group in groups:
        with pytest.raises(ProcessLookupError):
            os.killpg(group, 0)
    wait_for(lambda: not list(folder.iterdir()), f"an empty folder: {list(folder.iterdir())}")


def shut_down(kernel):
    began = time.monotonic()
    kernel.control("shutdown_request", {"restart": False})
    kernel.wait_until_gone()
    assert time.monotonic() - began < 5


@pytest.mark.parametrize("phase", ["start", "compile", "run", "idle"])
def test_shutdown_leaves_nothing(fresh, folder, phase):
    begin(fresh, phase)
    everything_ends(fresh, folder, lambda: shut_down(fresh))


@pytest.mark.parametrize("phase", ["compile", "run", "idle"])
def test_a_killed_kernel_leaves_nothing(fresh, folder, phase):
    begin(fresh, phase)
    everything_ends(fresh, folder, lambda: os.kill(fresh.pid, signal.SIGKILL))


def begin(kernel, phase):
    if phase == "start":
        kernel.wait_until_running(kernel.client.execute("%%rust\n1"))
        wait_for(lambda: compiler_runs(kernel), "the first compile")
        return
    kernel.rust("let child = std::process::Command::new(\"sleep\").arg(\"1000\").spawn().unwrap();")
    if phase == "compile":
        kernel.wait_until_running(kernel.client.execute(ENDLESS_COMPILE))
        wait_for(lambda: compiler_runs(kernel), "the compiler")
    elif phase == "run":
        request = kernel.client.execute(ENDLESS_LOOP)
        kernel.wait_until_running(request)
        while kernel.next_output(request)["msg_type"] != "stream":
            pass


def test_stop_ends_the_helper(fresh, folder):
    fresh.rust("let a = 1;")
    processes = fresh.processes()
    assert text_of(fresh.run("%rust stop")) == "Rust is ended; gone: a\n"
    assert all_gone(processes)
    assert fresh.value("3") == "3"


def test_warm_makes_it_ready_in_the_background(fresh):
    assert "in the background" in text_of(fresh.run("%rust warm"))
    wait_for(lambda: "ready: process" in text_of(fresh.run("%rust")), "readiness")
    assert text_of(fresh.run("%rust warm")) == "Rust is ready\n"
    assert fresh.value("1") == "1"
