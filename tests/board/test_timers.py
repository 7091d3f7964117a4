# SPDX-License-Identifier: BSD-2-Clause
"""Timers on boards: the rates of samples and ticks against the kernel's own tick, and the places that samples show. Exact counts
of calls and ticks: tests/agent/test_agent_timers.c."""
import re
import subprocess

import pytest

import cpus
from harness import paths, sweep
from harness.qemu import parameters

# Calls of dprobes_sample in a period: the kernel's tick comes 1000 times a second.
CALLS = {"profile-97": 1000 / 97, "profile-250": 4, "profile-333hz": 1000 / 333, "profile-1000": 1, "profile-20ms": 20}
RATES = ("timer_isr:entry { @ticks = count(); } " + " ".join(f"{name} {{ @{name.replace('-', '_')} = count(); }}" for name in CALLS) +
         r' tick-3s { exit(0); } END { printa("%@d\n", @ticks); ' +
         " ".join(rf'printa("%@d\n", @{name.replace("-", "_")});' for name in CALLS) + " }")


@pytest.fixture(params=parameters(cpus.boards()))
def ask(request, qemu, dprobes):
    """Runs the tool on the board's line. QEMU counts instructions: a slow machine puts no ticks between two probes of a program."""
    machine = qemu(request.param, extra=sweep.CLOCK).free_when_up()
    elf = paths.built("boards", request.param, "demo.elf")
    env = {"DPROBES_PORT": machine.url("com1"), "DPROBES_ELF": str(elf)}

    def run(*words, stdin=None):
        result = dprobes(*words, env=env, stdin=stdin)
        assert result.status == 0, result.stderr
        return result.stdout

    run.elf, run.cpu = elf, cpus.of_board(request.param)
    return run


def test_rates(ask):
    """Each rate is its share of the kernel's ticks. The probe on the tick, and the samples, begin one after another: some
    ticks apart where QEMU has little of the processor."""
    ticks, *samples = map(int, ask("-n", RATES, "-q").split())
    assert ticks > 100
    for (name, calls), count in zip(CALLS.items(), samples, strict=True):
        assert abs(count - ticks / calls) <= 2 + ticks / calls / 100, (name, ticks, count)
    assert ask("list") == ""


def test_places(ask):
    """Samples show the functions that run: without load the idle task waits, with load it does not."""
    found = {}
    names = set(re.findall(r" [TtWw] (\S+)$", subprocess.run([paths.program("nm"), ask.elf], capture_output=True, text=True, check=True).stdout,
                           re.M))
    for load in ("off", "on"):
        ask("console", "--until", f"load is {load}", stdin=f"load {load}\n")
        text = ask("-n", "profile-997 { @[func(arg0)] = count(); } tick-2s { exit(0); }", "-q")
        found[load] = {name: int(count) for name, count in re.findall(r"^ *(\S+) +(\d+)$", text, re.M)}
        assert sum(found[load].values()) > 100 and found[load].keys() <= names
    idle = max(found["off"], key=found["off"].get)
    assert found["off"][idle] > sum(found["off"].values()) / 2
    assert found["on"].get(idle, 0) < sum(found["on"].values()) / 2


# proves: P1.5
def test_frame(ask):
    """DP_PORT_FRAME: pc, sp and ra of a sample, read by registers, are those of the idle task, which waits on its own stack, in a
    function that returns into the text."""
    rows = re.findall(r"^(\w+) (?:(\w+) )?(\w) (\S+)$", subprocess.run([paths.program("nm"), "-S", ask.elf], capture_output=True, text=True,
                                                                     check=True).stdout, re.M)
    symbols = {name: (int(at, 16), int(size or "0", 16)) for at, size, _, name in rows}
    stack, = (place for name, place in symbols.items() if name.startswith("idle_stack"))
    text = range(symbols["__text_start"][0], symbols["__text_end"][0])
    caller = "caller" if ask.cpu.link else "task_create"  # D has no caller where no register has it
    printed = ask("-n", r'profile-997 { printf("%%a %%d %%x %%x\n", pc, pc == uregs[R_PC], uregs[R_SP], %s); }' % caller, "--count", 50, "-q")
    samples = [line.split() for line in printed.splitlines()]
    assert len(samples) == 50 and all(same == "1" for _, same, _, _ in samples), printed
    functions = [place.partition("+")[0] for place, _, _, _ in samples]
    idle = max(functions, key=functions.count)
    found = [(int(sp, 16), int(ra, 16)) for function, (_, _, sp, ra) in zip(functions, samples) if function == idle]
    assert len(found) > 25, printed
    assert all(0 < sp - stack[0] <= stack[1] and ra in text for sp, ra in found), (stack, text, found)


def test_ticks(ask):
    """A tick prints each period, by the board's clock."""
    text = ask("-n", r'tick-100ms { printf("%d\n", timestamp / 1000000); }', "--count", 5, "-q")
    times = list(map(int, text.split()))
    assert len(times) == 5 and all(behind > before for before, behind in zip(times, times[1:]))
    assert ", 8 free;" in ask("info")
