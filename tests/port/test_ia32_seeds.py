# SPDX-License-Identifier: BSD-2-Clause
"""The examples of the seed documents for IA32, as tests/language/conformance/seeds has them, on a PC in QEMU: the functions
and modules that they name are in the firmware tests/guests/rings/ia32, which calls them with known registers."""
import re

import pytest

from harness import pc as pc_harness, process
from harness.own_firmware import symbols
from harness.paths import TESTS, TOP

GUEST = TOP / "tests/guests/rings/ia32"
SEEDS = TESTS / "language/conformance/seeds"
EAX, EBX, TEXT = 0x11, 0x22, b"hello"  # of seeds.S; ecx leads to the text
USER_CODE, USER_DATA, KERNEL_DATA = 0x1b, 0x23, 0x10
TRAP = b"\xcc\x89\xe5\xff"  # in the place of push %ebp; mov %esp, %ebp; incl: a program sees the trap


@pytest.fixture(scope="module")
def elf(tmp_path_factory):
    return pc_harness.link(GUEST, tmp_path_factory.mktemp("pc"))


@pytest.fixture(scope="module")
def at(elf):
    return symbols(pc_harness.CROSS, elf)


@pytest.fixture
def pc(elf, dprobes, tmp_path):
    machine = pc_harness.Pc(elf, dprobes, tmp_path)
    yield machine
    info = machine("info", "--format", "json").objects()[0]
    assert info["strays"] == 0, info
    machine.close()


def words(*values):
    return b"".join(value.to_bytes(4, "little") for value in values)


def text(data):
    """A record item of memory: what it is, its length, the bytes."""
    return len(data).to_bytes(2, "little") + data


@pytest.fixture
def seed(pc, at, tmp_path):
    """Runs an example; {minor: data of its first record}."""
    def run(name, count=1, symbols=None, place=None):
        source = SEEDS / f"{name}.dp"
        if place:  # an example that is a handler alone has no place of its own
            source = tmp_path / source.name
            source.write_text((SEEDS / source.name).read_text(encoding="ascii").replace("offset = 0x1000", f"offset = {place}"), encoding="ascii")
        options = ()
        if isinstance(symbols, dict):
            (tmp_path / "symbols.map").write_text("".join(f"{at[of]:08x} T {symbol}\n" for symbol, of in symbols.items()), encoding="ascii")
            options = ("-s", tmp_path / "symbols.map")
        elif symbols:
            options = ("-s", SEEDS / symbols)
        done = pc.run("run", source, *options, "--count", str(count), "--timeout", "5", "--write", "--format", "json", cwd=tmp_path)
        assert done.status in (0, 5), done.stderr
        found = {}
        for row in done.objects():
            if row["kind"] == "log":
                found.setdefault(row["minor"], bytes.fromhex(row["data"]))
        return found
    return run


@pytest.mark.parametrize("name, data", [
    ("lang8-sample-1-registers", words(EBX, EAX)), ("lang8-sample-2-exchange", words(2, 0xff)), ("lang8-sample-3-variable", words(0xffffffff)),
    ("lang8-sample-4-arithmetic", words(6)), ("lang8-sample-6-calls", words(1)), ("usenix-push-eax", words(EAX)), ("usenix-push-r-number", words(EAX))])
def test_fragments(seed, name, data):
    assert seed(name, place="do_fork") == {0: data}


def test_cpuid(seed):
    """Leaf 0: the vendor, in ebx, edx, ecx."""
    eax, vendor = (seed("lang8-sample-5-cpuid", place="do_fork")[0][i:i + 4] for i in (0, 4))
    assert int.from_bytes(eax, "little") < 64 and vendor.isalpha()


def test_text(seed):
    assert seed("lang8-text-log-str", place="do_fork")[0].endswith(text(TEXT))


def test_the_task_of_a_firmware_without(seed):
    assert seed("lang8-complete-2-do_fork") == {1: words(0, 0)}


def test_a_count_without_records(pc):
    name = "lang8-complete-3-count"
    pc("insert", SEEDS / f"{name}.dp")
    process.eventually(lambda: pc("list", "vmlinux", "--format", "json").objects()[0]["probes"][0]["hits"] > 3, "hits")
    assert pc("info", "--format", "json").objects()[0]["sent"] == 0
    pc("remove", "--all")


def test_memory_that_is_not_there(seed):
    """No task is known: the log of 40 bytes at address 0 faults."""
    assert seed("lang8-text-log-mrf", place="do_fork") == {0: b"\xff\x04\x00" + words(0)}


def test_memory(seed, at):
    found, = seed("lang8-complete-4-swap_out").values()
    assert found.startswith(words(EAX, EBX)) and found.endswith(words(EAX, EBX)) and TRAP in found and len(found) == 8 + 19 + 8


def test_control_registers(seed, at):
    cr4, cr3, cr2, cr0 = (int.from_bytes(seed("lang8-complete-5-control-registers")[0][i:i + 4], "little") for i in range(0, 16, 4))
    assert cr4 & 0x10 and cr3 == at["pages"] and cr2 and cr0 & 0x80010001 == 0x80010001


def test_groups(seed, at):
    """Eight places of four functions; the first instruction of do_fork is another one in this example."""
    found = seed("lang8-complete-6-groups", 16, {name: {"do_fork": "entered_fork"}.get(name, name) for name in (
        "do_fork", "kmalloc", "ext2_file_write", "do_page_fault")})
    assert set(found) == set(range(8)) and all(data[:4] == words(KERNEL_DATA) for data in found.values()), found


def test_the_watchpoint_of_a_variable(seed):
    """What nr_free_pages is behind a write."""
    assert int.from_bytes(seed("lang8-complete-7a-watchpoint")[0], "little") > 0


def test_the_watchpoint_of_the_task(seed, at):
    """`push u, eip` is the address behind the instruction that accesses the range, as the CPU reports it."""
    eip = int.from_bytes(seed("lang8-complete-7b-user-watchpoint")[0], "little")
    assert eip == at["appln_touched"]


def test_the_application(seed):
    assert seed("lang8-complete-1-appln", symbols="lang8-complete-1-appln.map") == {2: words(USER_DATA, USER_CODE)}


def test_the_module_of_the_kernel(seed, at):
    found = seed("lang8-complete-2b-3c59x", 6, "lang8-complete-2b-3c59x.map")
    assert found[0] == words(0x89cc, EBX, EAX) and TRAP in found[1] and TRAP in found[2] and found[2].endswith(words(at["text"])), found


def test_the_library(seed, tmp_path):
    """`exit 3` takes a dump for the size that the program waits for. The firmware seldom asks for it, and for another one in
    between, as in als-2-malloc-other-size.dp: "als-2-malloc-other-size" is the same program."""
    found = seed("als-2-malloc", 80, "als-2-malloc.map")
    assert found[1] == b"" and list(tmp_path.glob("dprobes.core.*")), found


def test_fork_and_kill(seed):
    found = seed("als-1-fork-kill", 4)
    assert set(found) == {1, 2} and all(len(data) == 19 for data in found.values()), found


def test_every_example_of_ia32_is_here():
    here = set(re.findall(r'"((?:lang8|usenix|als)-[\w-]+)"', (TESTS / "port/test_ia32_seeds.py").read_text(encoding="ascii")))
    all_ = {path.stem for path in SEEDS.glob("*.dp") if re.search(r"^// cpu: ia32$", path.read_text(encoding="ascii"), re.M)
            and not path.stem.startswith("extra-")}
    assert all_ - here == set(), all_ - here
