# SPDX-License-Identifier: BSD-2-Clause
"""Images that run elsewhere than linked, against the agent of fake_agent.py: the linker made the same firmware once more for
the place where it runs, and relocations that it kept say what differs. On a board: tests/board/test_moved.py."""
import collections
import subprocess

import pytest

import cpus
import tables
from harness.link import hit_while_installed
from harness.paths import program
from harness.ppdf import Ppdf

LINKED, MOVED = 0x10000, 0x30440
Kind = collections.namedtuple("Kind", "cpu big cross flags apart touched word head", defaults=[""])
# apart: an opcode has no address, which stands behind it. Instructions: one that stays, then those that an address changes; a word with an address; each function 64 bytes on.
KINDS = {name: Kind(tables.cpu_number(row.name), order == "big", row.cross[order], flags, row.insn_step == 1, *code)
         for row in cpus.rows() for name, (order, flags, *code) in row.moved.items()}
SOURCE = """
	.text
	.globl first, second, ring, edge
	.type first, %function
first:	nop
	{touched}
	nop
	.size first, . - first
	.balign 64
	.type second, %function
second:	nop
	nop
	.size second, . - second
	.balign 64
table:	{word}
	.balign 64
	.globl end
end:
	.data
	.type ring, %object
ring:	.space 64
	.size ring, 64
"""


class Firmware:
    """The file of a firmware, and the text that it has in memory `moved` bytes on."""

    def __init__(self, kind, folder, moved=MOVED, flags=("-Wl,--emit-relocs",)):
        self.kind, self.moved = kind, moved
        (folder / "a.s").write_text(kind.head + SOURCE.format(touched=kind.touched, word=kind.word))
        self.elf = self._link(folder, "linked", 0, flags)
        self.text = self._text(self._link(folder, "running", moved, ()))
        self.names = {}
        for line in subprocess.run([program(kind.cross + "nm"), "--defined-only", self.elf], capture_output=True, check=True, text=True).stdout.splitlines():
            value, _type, name = line.split()
            self.names[name] = int(value, 16)

    def _link(self, folder, name, moved, flags):
        out = folder / f"{name}.elf"
        subprocess.run([program(self.kind.cross + "gcc"), *self.kind.flags, "-nostdlib", "-static", "-no-pie", "-x", "assembler",
                        f"-Wl,-Ttext={LINKED + moved:#x}", f"-Wl,-Tdata={0x20000 + moved:#x}", "-Wl,-e,first",
                        "-Wl,--build-id=0x1234567890123456789012345678901234567890", *flags, "-o", out, folder / "a.s"],
                       check=True, stderr=subprocess.DEVNULL)
        return out

    def _text(self, elf):
        out = elf.with_suffix(".bin")
        subprocess.run([program(self.kind.cross + "objcopy"), "-O", "binary", "-j", ".text", elf, out], check=True)
        return out.read_bytes()

    def at(self, name):
        return self.names[name] + self.moved

    def run_on(self, agent):
        agent.cpu, agent.big = self.kind.cpu, self.kind.big
        agent.text, agent.text_base, agent.moved = self.text, LINKED + self.moved, self.moved
        agent.identity, agent.build_id = 1, bytes.fromhex("1234567890123456789012345678901234567890")


@pytest.fixture(params=KINDS)
def firmware(request, tmp_path, agent):
    made = Firmware(KINDS[request.param], tmp_path)
    made.run_on(agent)
    return made


def program_file(folder, *lines):
    path = folder / "p.dp"
    path.write_text('name = "p"\n' + "".join(f"{line}\n" for line in lines))
    return path


# proves: R2.36
def test_info_says_where(tool, agent, firmware):
    text = tool("info").stdout
    assert f"at {LINKED + MOVED:#010x}, linked at {LINKED:#010x}, {len(firmware.text)} bytes" in text
    module = tool("info", "--format", "json").objects()[0]["modules"][0]
    assert module["base"] == f"{LINKED + MOVED:#010x}" and module["linked"] == f"{LINKED:#010x}"
    agent.moved = 0
    assert "linked at" not in tool("info").stdout


def test_verify_text(tool, agent, firmware):
    """Pieces with bytes that the host cannot compute are left out, a word and the halves of an address are computed; a
    byte that is wrong is found, in the computed bytes too."""
    left_out = 64 if "movw" in firmware.kind.touched else 0
    run = tool("info", "--verify-text", "--elf", firmware.elf)
    assert run.status == 0, run.stdout
    assert f"{len(firmware.text) - left_out} bytes, the same as in" in run.stdout
    assert (f"{left_out} bytes left out: relocations change them" in run.stdout) == (left_out > 0)
    text = tool("info", "--verify-text", "--elf", firmware.elf, "--format", "json").objects()[-1]
    assert text.get("left_out", 0) == left_out and text["same"] is True
    for offset in (70, 128, len(firmware.text) - 1, *(range(4, 12) if not left_out else ())):
        damaged = bytearray(firmware.text)
        damaged[offset] ^= 1
        agent.text = bytes(damaged)
        run = tool("info", "--verify-text", "--elf", firmware.elf)
        assert run.status == 6 and f"the first at {agent.text_base + offset // 64 * 64:#010x}" in run.stdout, run.stdout


def test_nothing_moved(tool, agent, tmp_path):
    """Kept relocations change nothing where the image runs as linked: all of the text is compared."""
    still = Firmware(KINDS["arm"], tmp_path, moved=0)
    still.run_on(agent)
    run = tool("info", "--verify-text", "--elf", still.elf)
    assert run.status == 0 and f"{len(still.text)} bytes, the same" in run.stdout and "left out" not in run.stdout


# proves: R2.35
def test_program_is_compiled_for_the_place(tool, agent, firmware, tmp_path):
    """Addresses of points and symbols are running ones. An instruction that relocations change has no opcode, any other has
    one; the names are right again in the output."""
    source = program_file(tmp_path, "offset = first", "minor = 1", "push ring", "log 1", "exit",
                          "offset = first+4", "minor = 2", "exit", "offset = second", "minor = 3", "exit")
    hit_while_installed(agent, 1, firmware.at("ring").to_bytes(4, "big" if firmware.kind.big else "little"))
    run = tool("run", source, "--elf", firmware.elf, "--count", "1")
    assert run.status == 0, run.stderr
    assert run.lines()[0] == "DProbes(0,1) ring"
    assert run.lines()[1] == f"hits: p minor 1 at {firmware.at('first'):#010x} (first): 1"
    assert f"at {firmware.at('second'):#010x} (second)" in run.stdout
    begins = [payload for command, payload in agent.requests if command == 0x10]
    assert len(begins) == 2  # for where it was linked, then for where it runs


def test_objects_have_their_place(tool, agent, dprobes, firmware, tmp_path):
    source = program_file(tmp_path, "offset = first", "minor = 1", "push ring", "log 1", "exit", "offset = first+4", "minor = 2", "exit")
    paths = {}
    for name, words in (("as linked", ()), ("moved", ("--moved", f"{MOVED:#x}"))):
        paths[name] = tmp_path / f"{name}.ppdf"
        assert dprobes("build", source, "--elf", firmware.elf, *words, "-o", paths[name]).status == 0
    points = {name: list(Ppdf(path.read_bytes()).points) for name, path in paths.items()}
    assert [point.address for point in points["as linked"]] == [firmware.names["first"], firmware.names["first"] + 4]
    assert [point.address for point in points["moved"]] == [firmware.at("first"), firmware.at("first") + 4]
    assert [point.flags & 2 for point in points["as linked"]] == [2, 2]
    assert [point.flags & 2 for point in points["moved"]] == [2, 2 * firmware.kind.apart]
    refused = tool("insert", paths["as linked"])
    assert refused.status == 4 and f"insert the source, or build the object with --moved {MOVED:#x}" in refused.stderr, refused.stderr
    assert tool("insert", paths["moved"]).status == 0
    agent.moved, agent.text_base = 0, LINKED
    assert tool("insert", paths["moved"]).status == 4
    assert tool("insert", paths["as linked"], "--replace").status == 0


def test_a_wrong_opcode_is_still_found(dprobes, firmware, tmp_path):
    """`opcode =` of an instruction that stays is compared with the file; of one that changes it is the author's word."""
    for name, status in (("second", 1), ("first+4", int(firmware.kind.apart))):
        source = program_file(tmp_path, f"offset = {name}", "opcode = 0x12345678", "exit")
        run = dprobes("build", source, "--elf", firmware.elf, "--moved", f"{MOVED:#x}", "-o", tmp_path / "o.ppdf")
        assert run.status == status, run.stderr


@pytest.mark.parametrize("kept", [(), ("-Wl,--emit-relocs",)], ids=["", "kept"])
@pytest.mark.parametrize("kind", [list(KINDS)[0], list(KINDS)[-1]])
def test_start_up_relocations(tool, agent, tmp_path, kind, kept):
    """Records for start-up code: where the addend stands in the record (PowerPC), memory differs from the file even where
    nothing moved. A word that has a kept relocation too moves once."""
    made = Firmware(KINDS[kind]._replace(touched="nop\n nop\n"), tmp_path)
    pie = tmp_path / "pie.elf"
    subprocess.run([program(made.kind.cross + "gcc"), *made.kind.flags, "-nostdlib", "-x", "assembler", f"-Wl,-Ttext={LINKED:#x}",
                    f"-Wl,-Tdata={0x20000:#x}", "-Wl,-e,first", "-Wl,-pie", "-Wl,--no-dynamic-linker", "-Wl,-z,notext",
                    "-Wl,--build-id=0x1234567890123456789012345678901234567890", *kept, "-o", pie, tmp_path / "a.s"],
                   check=True, stderr=subprocess.DEVNULL)
    made.run_on(agent)
    run = tool("info", "--verify-text", "--elf", pie)
    assert run.status == 0 and f"{len(made.text)} bytes, the same" in run.stdout, run.stdout
    still = Firmware(KINDS[kind]._replace(touched="nop\n nop\n"), tmp_path, moved=0)
    still.run_on(agent)
    run = tool("info", "--verify-text", "--elf", pie)
    assert run.status == 0 and f"{len(made.text)} bytes, the same" in run.stdout, run.stdout


def test_a_weak_symbol_stays_0(tool, agent, tmp_path):
    made = Firmware(KINDS["arm"]._replace(touched="nop\n nop\n", word=".weak absent\n .word absent"), tmp_path)
    made.run_on(agent)
    run = tool("info", "--verify-text", "--elf", made.elf)
    assert run.status == 0 and f"{len(made.text)} bytes, the same" in run.stdout, run.stdout


def test_option_wants_a_number(dprobes, tmp_path):
    run = dprobes("build", program_file(tmp_path, "address = 4", "exit"), "--moved", "far", "-o", tmp_path / "o.ppdf")
    assert run.status == 1 and "--moved" in run.stderr
