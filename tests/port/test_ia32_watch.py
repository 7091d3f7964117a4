# SPDX-License-Identifier: BSD-2-Clause
"""The debug registers as comparators, by the whole agent on a PC in QEMU: tests/guests/rings/ia32. The main loop of the firmware
serves the line between rounds: counts of a program are those of whole rounds."""
import pytest

from harness import pc as pc_harness, process
from harness.own_firmware import symbols
from harness.paths import TOP

GUEST = TOP / "tests/guests/rings/ia32"
ROUNDS = 10
# What the instructions of accesses.S do with `cell`: reads or writes, offset, bytes.
CELL = {
    "store_1": [("w", 1, 1)], "store_2": [("w", 2, 2)], "store_4": [("w", 0, 4)], "store_same": [("w", 0, 4)],
    "store_across": [("w", 2, 4)], "store_ahead": [("w", -3, 4)], "load_1": [("r", 3, 1)], "load_4": [("r", 0, 4)], "load_across": [("r", 3, 4)],
    "modify": [("r", 0, 4), ("w", 0, 4)], "locked": [("r", 0, 4), ("w", 0, 4)], "exchange": [("r", 2, 1), ("w", 2, 1)],
    "load_again": [("r", 0, 4)], "compare": [("r", 0, 4), ("w", 0, 4)], "string_store": [("w", 0, 1)], "string_load": [("r", 0, 2)],
    "string_repeat": [("w", 0, 4), ("w", 4, 4)], "string_move": [("r", 0, 4)], "pop_memory": [("w", 0, 4)], "push_memory": [("r", 0, 4)],
    "float_store": [("w", 4, 4)], "other_store": [("w", 8, 4)],
}
# Of ports: port, bytes.
PORTS = {"out_1": (0xe0, 1), "in_1": (0xe1, 1), "out_2": (0xe2, 2), "in_4": (0xe0, 4), "out_dx": (0xe3, 1), "out_other": (0xe4, 1)}
UNTIL = f"round_end:entry {{ n++; }} round_end:entry /n == {ROUNDS}/ {{ exit(0); }}"


@pytest.fixture(scope="module")
def elf(tmp_path_factory):
    return pc_harness.link(GUEST, tmp_path_factory.mktemp("pc"))


@pytest.fixture(scope="module")
def at(elf):
    """The address of a symbol."""
    return symbols(pc_harness.CROSS, elf)


@pytest.fixture
def pc(elf, dprobes, tmp_path):
    machine = pc_harness.Pc(elf, dprobes, tmp_path)
    yield machine
    info = machine("info", "--format", "json").objects()[0]
    assert info["strays"] == 0 and info["data_comparators_free"] == info["data_comparators"], info
    machine.close()


def write(folder, *points):
    """A program of points, each a text that ends in its handler."""
    path = folder / f"{len(list(folder.iterdir()))}.dp"
    path.write_text(f'name = "p{path.stem}"\nmodtype = kernel\nmajor = 1\n' + "\n".join(points) + "\n", encoding="ascii")
    return path


def point(place, minor, kind=None, handler="push r, pc\nlog 1\nexit", extra=""):
    return f"{place}\n" + (f"watchpoint = {kind}\n" if kind else "") + f"minor = {minor}\n{extra}{handler}"


def run(pc, program, count):
    """(minor, words) of the first records, and {minor: what became of the hits}. Later records may be dropped: status 5."""
    done = pc.run("run", program, "--count", str(count), "--format", "json")
    assert done.status in (0, 5), done.stderr
    rows = done.objects()
    found = [(row["minor"], row.get("words", [])) for row in rows if row["kind"] == "log"][:count]
    return found, {row["minor"]: row for row in rows if row["kind"] == "hits"}


def is_faulting(hits, minor, of):
    """Has each round two hits, which come to nothing: the instruction faults, and faults again?"""
    return hits[minor]["hits"] == hits[minor]["faulted"] == 2 * hits[of]["hits"] > 0


def is_cycle(found, cycle):
    """Do the records follow the order of a round, wherever they begin?"""
    many = cycle * (len(found) // len(cycle) + 2)
    return any(found == many[n:n + len(found)] for n in range(len(cycle)))


def counts(pc, clauses):
    """{name of the aggregation: {the key as "function+0xoffset": count}} of a program that runs for some rounds."""
    found = {}
    for row in pc("-n", f"int n; {clauses} {UNTIL}", "--format", "json").objects():
        if row["kind"] == "aggregation":
            found.setdefault(row["name"], {})[row["keys"][0]] = row["value"]
    return found


def behind(at, name):
    return f"accesses+{at[name + '_end'] - at['accesses']:#x}"


def overlap(a, bytes_a, b, bytes_b):
    return a < b + bytes_b and b < a + bytes_a


def expected(at, kind, offset, bytes_):
    """{where the CPU reports it: count}: one hit for each instruction, and for each element of a repeated one."""
    rows = {}
    for name, accesses in CELL.items():
        hit = sum((mode == "w" or kind == "rw") and overlap(offset, bytes_, start, length) for mode, start, length in accesses)
        if hit:
            rows[behind(at, name)] = ROUNDS * (hit if name == "string_repeat" else 1)
    return rows


def unsure(at, offset, bytes_):
    """Accesses across the end of a word that QEMU makes of whole words, where those touch the range and the access does not."""
    for name, accesses in CELL.items():
        for _, start, length in accesses:
            words = start & -length, 2 * length
            if start % length and overlap(offset, bytes_, *words) and not overlap(offset, bytes_, start, length):
                yield behind(at, name)


def join_repeated(at, found):
    """Amid a repeated instruction the CPU reports this instruction itself, behind its last element the next one."""
    amid, end = f"accesses+{at['string_repeat'] - at['accesses']:#x}", behind(at, "string_repeat")
    if amid in found:
        found[end] = found.get(end, 0) + found.pop(amid)


RANGES = [(kind, bytes_, offset) for bytes_, offset in ((4, 0), (1, 0), (1, 3), (2, 2), (1, 1), (1, 2), (2, 0), (4, 4)) for kind in ("w", "rw")]


def test_each_access_is_one_hit(pc, at, amount):
    for kind, bytes_, offset in RANGES[:amount(6, None)]:
        found, = counts(pc, f"watch::{at['cell'] + offset:#x},{bytes_}:{kind} {{ @[pc] = count(); }}").values()
        join_repeated(at, found)
        for where in unsure(at, offset, bytes_):
            found.pop(where, None)
        assert found == expected(at, kind, offset, bytes_), (kind, bytes_, offset)


def test_the_stack(pc, at):
    """A push is one hit, and what the exception of the hit pushes is none."""
    found, = counts(pc, f"watch::{at['pushed']:#x},4:w {{ @[pc] = count(); }}").values()
    assert found == {behind(at, "push_register"): ROUNDS}


def test_ports(pc, at):
    for port, bytes_ in ((0xe0, 1), (0xe1, 1), (0xe2, 2), (0xe0, 4), (0xe4, 4)):
        found, = counts(pc, f"watch::{port:#x},{bytes_}:io {{ @[pc] = count(); }}").values()
        assert found == {behind(at, name): ROUNDS for name, (first, length) in PORTS.items() if overlap(port, bytes_, first, length)}


def test_values(pc, at):
    """The value before a write is the one behind the write before it, and the address is that of the range."""
    watch = f"watch::{at['counter']:#x},4:w"
    done = pc("-q", "-n", f'int n; {watch} {{ printf("%a %u %u %p", pc, wpold, wpnew, wpaddr); n++; }} {watch} /n == 40/ {{ exit(0); }}', "--format", "json")
    seen = [row["text"].split() for row in done.objects() if row.get("text")]
    assert len(seen) >= 40 and {(where, int(address, 16)) for where, _, _, address in seen} == {(
        f"increments+{at['increment_end'] - at['increments']:#x}", at["counter"])}
    assert all(int(new) == int(old) + 1 for _, old, new, _ in seen) and all(a[2] == b[1] for a, b in zip(seen, seen[1:]))


def test_two_of_the_same_bytes(pc, at):
    """QEMU names the comparator alone that it comes to first: of an instruction that reads and writes that for all accesses. What
    the comparator for writes has seen, that for all accesses has seen too."""
    watch = f"watch::{at['cell']:#x},4"
    found = counts(pc, f"{watch}:w {{ @w[pc] = count(); }} {watch}:rw {{ @rw[pc] = count(); }}")
    for rows in found.values():
        join_repeated(at, rows)
    modify = {behind(at, name) for name, accesses in CELL.items() if {mode for mode, *_ in accesses} == {"r", "w"}}
    assert found["rw"] == expected(at, "rw", 0, 4)
    assert found["w"] == {where: count for where, count in expected(at, "w", 0, 4).items() if where not in modify}


def test_execution(pc, at, tmp_path):
    """Kind x stops before the instruction, also in text that takes no trap. One that faults, and is tried again, is hit again."""
    names = ("rom_add", "load_hole", "rom_sum", "out_1")
    program = write(tmp_path, *(point(f"address = {at[name]:#x}", n, "x") for n, name in enumerate(names)))
    found, hits = run(pc, program, 24)
    assert is_cycle(found, [(n, [at[names[n]]]) for n in (3, 2, 0, 0, 0, 0)]) and is_faulting(hits, 1, 2), (found, hits)


def test_text_that_takes_no_trap(pc, at, tmp_path):
    """Comparators stop the CPU in place of traps, up to their number; watchpoints take the same ones."""
    places = [at["rom_sum"], at["rom_add"], at["load_hole"], at["out_1"]]
    program = write(tmp_path, *(point(f"address = {place:#x}", n) for n, place in enumerate(places)))
    pc("insert", program)
    listed, = pc("list", "--format", "json").objects()
    assert [probe["means"] for probe in listed["probes"]] == 3 * ["comparator"] + ["trap"], listed
    watches = write(tmp_path, *(point(f"address = {at['from'] + n:#x}", n, "w", "exit") for n in range(2)))
    refused = pc.run("insert", watches)
    assert refused.status == 4 and "no comparator of the CPU is free" in refused.stderr, refused.stderr
    info = pc("info", "--format", "json").objects()[0]
    assert info["code_comparators_free"] == info["data_comparators_free"] == 1, info
    pc("remove", "--all")
    found, hits = run(pc, program, 24)
    assert is_cycle(found, [(n, [places[n]]) for n in (3, 0, 1, 1, 1, 1)]) and is_faulting(hits, 2, 0), (found, hits)


@pytest.mark.parametrize("phase", ("before", "after"))
def test_with_a_probe_on_the_instruction(pc, at, tmp_path, phase):
    """The access happens in a slot of one trap, or of two. It is one hit of each, and the watchpoint tells the place behind the instruction."""
    probed = ["store_4", "modify", "locked", "exchange", "string_store", "string_repeat", "pop_memory"]
    cell = at["cell"]
    program = write(tmp_path, *(point(f"address = {at[name]:#x}", n, extra=f"phase = {phase}\n", handler="log 0\nexit") for n, name in enumerate(probed)),
                    point(f"address = {cell:#x} : {cell + 3:#x}", 99, "w"))
    cycle = []
    for name, accesses in CELL.items():
        place = at[name] if name == "string_repeat" else at[name + "_end"]  # amid the instruction, behind its first element
        watched = [(99, [place])] * sum(mode == "w" and overlap(0, 4, start, length) for mode, start, length in accesses)
        probe = [(probed.index(name), [])] if name in probed else []
        cycle += probe + watched if phase == "before" else watched + probe
    found, _ = run(pc, program, 40)
    assert is_cycle(found, cycle), f"{found}\n{cycle}"


def test_many_hits(pc, at, amount):
    """Each write of 10,000 is one hit: the variable counts them itself."""
    watch, hits = f"watch::{at['counter']:#x},4:w", amount(10000, 100000)
    done = pc("-n", f'int n; unsigned first, last; {watch} {{ n++; last = wpnew; }} {watch} /n == 1/ {{ first = wpnew; }} '
             f'{watch} /n == {hits}/ {{ printf("%d", last - first); exit(0); }}', "--format", "json", "--timeout", "600")
    said, = [row["text"] for row in done.objects() if row.get("text") and row["kind"] == "log"]
    assert int(said) == hits - 1


def test_removed_while_hot(pc, at, tmp_path, amount):
    program = write(tmp_path, point(f"address = {at['counter']:#x} : {at['counter'] + 3:#x}", 1, "rw", "abort"))
    for _ in range(amount(3, 100)):
        pc("insert", program)
        pc("remove", "--all")


def test_code_whose_segment_has_a_base(pc, at, tmp_path):
    """In ring 3: an access is a hit, whose pc is what eip has. An execution is none: ia32_watch.c."""
    program = write(tmp_path, point("offset = user_segment", 1), point(f"address = {at['based_total']:#x} : {at['based_total'] + 3:#x}", 2, "w"))
    found, _ = run(pc, program, 12)
    assert is_cycle(found, [(1, [at["user_segment"]]), (2, [at["based_store_end"] - at["based_text"]])]), found


def debug_control(pc, folder):
    """DR7, while the agent's comparators are off, and whether ports can be watched: DE of CR4."""
    found, _ = run(pc, write(folder, point("offset = round_end", 1, handler="push r, cr4\npush r, dr7\nlog 2\nexit")), 1)
    return found[0][1][0], bool(found[0][1][1] & 8)


def test_a_firmware_that_uses_them(pc, at, tmp_path):
    """Debug registers that the firmware has on, or guards, are its own: the agent refuses watchpoints, and leaves DR7 alone."""
    watch = write(tmp_path, point(f"address = {at['counter']:#x} : {at['counter'] + 3:#x}", 1, "w", "abort"))
    for control in (0x402, 0x2400):
        for value in (control, 0x400):
            pc_harness.set_variable(pc, at, tmp_path, "debug_control", value)
            pc_harness.set_variable(pc, at, tmp_path, "debug_control_due", 1)
            process.eventually(lambda value=value: debug_control(pc, tmp_path) == (value, False), "the firmware's DR7")
            done = pc.run("insert", watch)
            assert (done.status == 4 and "the debug registers" in done.stderr) if value == control else done.status == 0, done.stderr
            if value == control:
                assert pc("info", "--format", "json").objects()[0]["data_comparators"] == 0
        pc("remove", "--all")


def test_a_warm_restart(pc, at, tmp_path):
    """The comparators that the run before has left on are off, and ports are not watched; the firmware's bits of DR7 stay."""
    pc("insert", write(tmp_path, *(point(f"address = {at['counter'] + 4 * n:#x} : {at['counter'] + 4 * n + 3:#x}", n, "w", "abort") for n in range(2)),
                       point("address = 0xe4 : 0xe4", 2, "io", "abort")))
    assert pc("info", "--format", "json").objects()[0]["data_comparators_free"] == 1
    pc_harness.set_variable(pc, at, tmp_path, "restart_due", 1)
    process.eventually(lambda: pc("info", "--format", "json").objects()[0]["boot"] == 2, "the second run")
    assert debug_control(pc, tmp_path) == (0x400, False)
