# SPDX-License-Identifier: BSD-2-Clause
"""dprobes check with an ELF knows what every target refuses: all points at once, each with the next address that can be
probed. The decoders are the ports' own; test_bounds.py compares with an agent."""
import subprocess

import pytest

import cpus
from harness.paths import program

# (offset, next offset or None, words of the sentence); what is not named is accepted.
CODES = {name: (next(iter(row.cross.values())), *code) for row in cpus.rows() for name, code in row.refused.items()}
SOURCE = """
	{head}
	.text
	.globl probed
	.type probed, {at}function
probed:
{code}
	.size probed, . - probed
	{bytes} 0
"""


@pytest.fixture(params=CODES)
def case(request, tmp_path):
    cross, flags, head, code, expected = CODES[request.param]
    arm = cross.startswith("arm")
    (tmp_path / "a.s").write_text(SOURCE.format(head=head.replace("\n.thumb_func", ""), at="%" if arm else "@", code=code, bytes=".long")
                                  .replace("probed:\n", (".thumb_func\n" if "thumb_func" in head else "") + "probed:\n"))
    subprocess.run([program(cross + "gcc"), *flags, "-nostdlib", "-static", "-no-pie", "-Wl,-Ttext=0x10000", "-Wl,-e,probed",
                    "-o", tmp_path / "fw.elf", tmp_path / "a.s"], check=True, stderr=subprocess.DEVNULL)
    return tmp_path / "fw.elf", expected


def symbol(dprobes, elf):
    return int(dprobes("symbols", "probed", "--elf", elf).stdout.split()[0], 16)


def test_every_refusal_at_once(case, dprobes, tmp_path):
    elf, expected = case
    start = symbol(dprobes, elf)
    offsets = [0] + [offset for offset, _next, _words in expected]
    source = tmp_path / "p.dp"
    source.write_text('name = "p"\n' + "".join(f"offset = probed+{offset}\nminor = {offset}\nexit\n" for offset in offsets))
    run = dprobes("check", source, "--elf", elf)
    errors = [line for line in run.stderr.splitlines() if "error:" in line]
    assert run.status == 2 and len(errors) == len(expected), run.stderr
    for number, (error, (offset, after, words)) in enumerate(zip(errors, expected), 1):
        assert f"probe point {number} (minor {offset}, {start + offset:#010x}): " in error and words in error, error
        told = f"probe point {number}: the next address that can be probed is "
        assert (told in run.stderr) == (after is not None), run.stderr
        assert after is None or told + f"{start + after:#010x}" in run.stderr, run.stderr
    assert "probe point 0" not in run.stderr


def test_accepted_and_without_a_file(case, dprobes, tmp_path):
    """The next addresses are accepted. An object without the ELF is checked as before."""
    elf, expected = case
    for after in {after for _offset, after, _words in expected if after is not None}:
        source = tmp_path / "p.dp"
        source.write_text(f'name = "p"\noffset = probed+{after}\npush 1\nlog 1\nexit\n')
        assert dprobes("check", source, "--elf", elf).status == 0
    source.write_text(f'name = "p"\noffset = probed+{expected[0][0]}\npush 1\nlog 1\nexit\n')
    assert dprobes("build", source, "--elf", elf, "-o", tmp_path / "p.ppdf").status == 0
    assert dprobes("check", tmp_path / "p.ppdf").status == 0
    assert dprobes("check", tmp_path / "p.ppdf", "--elf", elf).status == 2


def test_a_file_for_another_cpu(dprobes, tmp_path):
    """One sentence about the file, and none about its bytes."""
    own, other = cpus.rows()[0], cpus.rows()[-1]
    for row in (own, other):
        order, cross = next(iter(row.cross.items()))
        (tmp_path / "a.s").write_text(".globl probed\nprobed: nop\n")
        elf = tmp_path / f"{row.name}.elf"
        subprocess.run([program(cross + "gcc"), "-nostdlib", "-static", "-no-pie", "-Wl,-Ttext=0x10000", "-Wl,-e,probed",
                        "-o", elf, tmp_path / "a.s"], check=True, stderr=subprocess.DEVNULL)
        machine = int.from_bytes(elf.read_bytes()[18:20], order)
    (tmp_path / "p.dp").write_text('name = "p"\noffset = probed\nexit\n')
    assert dprobes("build", tmp_path / "p.dp", "--elf", tmp_path / f"{own.name}.elf", "-o", tmp_path / "p.ppdf").status == 0
    run = dprobes("check", tmp_path / "p.ppdf", "--elf", elf)
    assert run.status == 2 and run.stderr.count("error:") == 1
    assert f"is for {other.name} (e_machine {machine}), the program is for {own.name}" in run.stderr
