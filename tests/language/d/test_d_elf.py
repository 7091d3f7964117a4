# SPDX-License-Identifier: BSD-2-Clause
"""D on ELF files of every kind: the names work, or a sentence says what is missing. host/test_debuginfo.py has the forms
of debug information one by one."""
import json
import os
import re
import shutil
import struct
import subprocess

import d_cases
import pytest

from harness.paths import program

ARM, FLAGS = d_cases.COMPILERS["arm"]
OPTIONS = [option for option in d_cases.FLAGS if option not in ("-g", "-Wl,--build-id=none")]
BY_NAME = 'take:entry { printf("%d %s", thing->small, thing->color); }\n'
BY_ARGUMENT = 'take:entry { printf("%d", arg1); }\n'
# A compiler cache may bring an object that names the folder of an earlier run.
ENVIRONMENT = {**os.environ, "CCACHE_DISABLE": "1"}


def tool_of(name, *words, cwd):
    subprocess.run([program(name), *words], cwd=cwd, check=True, env=ENVIRONMENT)


def firmware(folder, *options):
    """The firmware, compiled with these options."""
    folder.mkdir(exist_ok=True)
    for name in d_cases.SOURCES:
        shutil.copy(d_cases.HERE / name, folder)
    tool_of(ARM, *OPTIONS, "-Wl,--build-id=sha1", *options, "-o", "fw.elf", *d_cases.SOURCES, *FLAGS,
            "-Wl,-Ttext=0x20000", cwd=folder)
    return folder


def build(dprobes, folder, text):
    (folder / "t.d").write_text(text, encoding="utf-8")
    return dprobes("build", "--elf", "fw.elf", "-o", "t.ppdf", "t.d", cwd=folder)


@pytest.mark.parametrize("options", [["-gdwarf-2"], ["-gdwarf-3"], ["-gdwarf-4"], ["-gdwarf-5"], ["-g", "-gz=zlib"], ["-g", "-flto"],
                                     ["-g", "-gsplit-dwarf"], ["-g3"]], ids=" ".join)
def test_names_work(dprobes, tmp_path, options):
    found = build(dprobes, firmware(tmp_path / "fw", *options), BY_NAME)
    assert (found.status, found.stderr) == (0, "")


def test_without_debug_information(dprobes, tmp_path):
    """Functions and arguments by number are there."""
    folder = firmware(tmp_path / "fw")
    assert build(dprobes, folder, BY_ARGUMENT).status == 0
    found = build(dprobes, folder, BY_NAME)
    assert found.status == 1 and "unknown name 'thing': fw.elf has no debug information; compile with -g" in found.stderr


def by_ctf(dprobes, folder, text):
    """Compile the program and run it on a hit of take(0x30000, 40), and on things. Returns what it prints."""
    row = struct.pack("<8sIIHbB2iI4II4xqfII4x", b"pipe\0\0\0\0", 0, 5, 60000, -7, 1, 11, -22, 0, 1, 2, 3, 4, 0, 0, 0.0, 0, 0)
    names = subprocess.run([program("arm-none-eabi-nm"), "fw.elf"], cwd=folder, check=True, capture_output=True, text=True).stdout
    things, = re.findall(r"^(\w+) \w things$", names, re.M)
    found = build(dprobes, folder, text)
    assert (found.status, found.stderr) == (0, "")
    result = dprobes("simulate", "--elf", "fw.elf", "--reg", "r0=0x30000", "--reg", "r1=40", "--mem", f"0x30000={row.hex()}",
                     "--mem", f"0x{things}={(row * 2).hex()}", "--format", "json", "t.d", cwd=folder)
    assert result.status == 0, result.stderr
    return json.loads(result.stdout)["text"]


def test_names_by_ctf(dprobes, tmp_path):
    """Types, enumerators and variables; what CTF has no word for is told."""
    folder = firmware(tmp_path / "fw", "-gctf", "-Wl,--ctf-variables")
    assert by_ctf(dprobes, folder, 'take:entry { this->t = (struct thing *)arg0; printf("%d %s %d %d %d", this->t->small,'
                  ' this->t->color, BLUE, things[1].tiny, this->t->at.y); }\n') == "60000 BLUE 5 -7 -22"
    found = build(dprobes, folder, "take:entry { trace(n); }\n")
    assert found.status == 1 and "unknown name 'n': fw.elf has types (CTF), and neither local variables nor lines; compile with -g" in (
        found.stderr), found.stderr


def test_types_by_ctf_alone(dprobes, tmp_path):
    """--types ctf: DWARF is there and is not read; a file without CTF says so."""
    folder = firmware(tmp_path / "fw", "-gctf", "-Wl,--ctf-variables")
    (folder / "t.d").write_text('take:entry { this->t = (struct thing *)arg0; printf("%d", this->t->small); }\n', encoding="utf-8")
    for options in (["--types", "ctf"], ["--option", "types=ctf"], ["--types", "dwarf"]):
        found = dprobes("build", "--elf", "fw.elf", *options, "-o", "t.ppdf", "t.d", cwd=folder)
        assert (found.status, found.stderr) == (0, ""), options
    folder = firmware(tmp_path / "dwarf", "-g")
    (folder / "t.d").write_text(BY_NAME, encoding="utf-8")
    found = dprobes("build", "--elf", "fw.elf", "--types", "ctf", "-o", "t.ppdf", "t.d", cwd=folder)
    assert found.status == 1 and "fw.elf has no types in CTF; compile with -gctf" in found.stderr, found.stderr
    found = dprobes("build", "--elf", "fw.elf", "--types", "stabs", "-o", "t.ppdf", "t.d", cwd=folder)
    assert found.status == 1 and "'types' takes: types=ctf, types=dwarf" in found.stderr, found.stderr


def test_arguments_by_ctf(dprobes, tmp_path):
    """An object file has the types of functions. GNU ld drops them from a static file: here the section is put back."""
    folder = firmware(tmp_path / "fw")
    tool_of(ARM, *OPTIONS[:3], "-ffreestanding", "-gctf", "-c", d_cases.SOURCES[0], *FLAGS, cwd=folder)
    tool_of("arm-none-eabi-objcopy", "-O", "binary", "--only-section=.ctf", "--set-section-flags", ".ctf=alloc", "firmware.o",
            "ctf", cwd=folder)
    tool_of("arm-none-eabi-objcopy", "--add-section", ".ctf=ctf", "fw.elf", cwd=folder)
    assert by_ctf(dprobes, folder, 'take:entry { printf("%d %d %s", args[1] + 1, args[0]->small, args[0]->color); }\n') == (
        "41 60000 BLUE")


def test_stripped(dprobes, tmp_path):
    folder = firmware(tmp_path / "fw", "-g")
    tool_of("arm-none-eabi-strip", "fw.elf", cwd=folder)
    for text in (BY_NAME, BY_ARGUMENT):
        found = build(dprobes, folder, text)
        assert found.status == 1 and "'take:entry' matches nothing: fw.elf is stripped and has no symbols; use the file before strip" in found.stderr


def objcopied(folder, *words):
    tool_of("arm-none-eabi-objcopy", *words, "fw.elf", cwd=folder)
    return folder


def test_compressed_with_zstd(dprobes, tmp_path):
    """elfutils of Debian 12 read zlib alone. Functions and arguments by number are there."""
    folder = objcopied(firmware(tmp_path / "fw", "-g"), "--compress-debug-sections=zstd")
    found = build(dprobes, folder, BY_NAME)
    assert found.status == 1 and ("unknown name 'thing': the debug information of fw.elf is compressed with zstd, which this dprobes cannot "
                                  "read; use objcopy --decompress-debug-sections") in found.stderr
    assert build(dprobes, folder, BY_ARGUMENT).status == 0
    objcopied(folder, "--decompress-debug-sections")
    assert build(dprobes, folder, BY_NAME).status == 0


def test_compressed_and_damaged(dprobes, tmp_path):
    folder = objcopied(firmware(tmp_path / "fw", "-g"), "--compress-debug-sections=zlib")
    headers = subprocess.run([program("arm-none-eabi-readelf"), "-SW", "fw.elf"], cwd=folder, check=True, capture_output=True, text=True).stdout
    at, size = (int(word, 16) for word in re.search(r"\.debug_info +PROGBITS +\w+ (\w+) (\w+)", headers).groups())
    whole = bytearray((folder / "fw.elf").read_bytes())
    whole[at + 40:at + size] = bytes(size - 40)
    (folder / "fw.elf").write_bytes(whole)
    found = build(dprobes, folder, BY_NAME)
    assert found.status == 1 and "is damaged: .debug_info cannot be decompressed; build it again" in found.stderr, found.stderr


def test_lines_alone(dprobes, tmp_path):
    """-g1 has functions and lines, and neither variables nor types. The result is a word."""
    folder = firmware(tmp_path / "fw", "-g1")
    found = build(dprobes, folder, BY_NAME)
    assert found.status == 1 and ("unknown name 'thing': its source was compiled with -g1, which leaves out variables; compile with -g"
                                  in found.stderr), found.stderr
    for text in (BY_ARGUMENT, "take:return { trace(retval); }\n", "firmware.c:68 { trace(1); }\n"):
        found = build(dprobes, folder, text)
        assert (found.status, found.stderr) == (0, ""), text


def test_without_parts_of_dwarf(dprobes, tmp_path):
    """Each section that is gone leaves a sentence, or is not needed."""
    for section in ("abbrev", "addr", "aranges", "frame", "line", "line_str", "loclists", "rnglists", "str"):
        folder = objcopied(firmware(tmp_path / "fw", "-g"), f"--remove-section=.debug_{section}")
        for text in (BY_NAME, "firmware.c:68 { trace(1); }\n", "take:return { trace(retval); stack(); }\n"):
            found = build(dprobes, folder, text)
            assert found.status in (0, 1) and (found.status == 0) == ("error: " not in found.stderr), (section, text, found.stderr)
        assert build(dprobes, folder, BY_ARGUMENT).status == 0, section


def test_a_function_that_is_inlined(dprobes, tmp_path):
    """The function has no code of its own: its lines have."""
    (tmp_path / "fw.c").write_text("volatile int sum;\nstatic inline int scaled(int value)\n{\n\treturn value * 2 + sum;\n}\n"
                                   "int main(void)\n{\n\tsum = scaled(sum);\n\tsum = scaled(7);\n\treturn sum;\n}\n", encoding="utf-8")
    tool_of(ARM, *OPTIONS, "-g", "-finline", "-O2", "-o", "fw.elf", "fw.c", *FLAGS, cwd=tmp_path)
    found = build(dprobes, tmp_path, "scaled:entry { trace(value); }\n")
    assert found.status == 1 and ("'scaled:entry' matches nothing: all calls of 'scaled' are inlined; probe its lines, from fw.c:2 on"
                                  in found.stderr), found.stderr
    found = build(dprobes, tmp_path, "fw.c:4 { trace(value); }\n")
    assert (found.status, found.stderr) == (0, "")


def test_split_without_its_parts(dprobes, tmp_path):
    folder = firmware(tmp_path / "fw", "-g", "-gsplit-dwarf")
    for part in folder.glob("*.dwo"):
        part.unlink()
    found = build(dprobes, folder, BY_NAME)
    assert found.status == 1 and "unknown name 'thing'" in found.stderr and ".dwo" in found.stderr, found.stderr


def test_debug_information_of_another_build(dprobes, tmp_path):
    """A file with debug information is found by its name, and refused by its build-id."""
    folder, other = firmware(tmp_path / "fw"), firmware(tmp_path / "other", "-g", "-O0")
    tool_of("arm-none-eabi-objcopy", "--only-keep-debug", other / "fw.elf", "fw.debug", cwd=folder)
    tool_of("arm-none-eabi-objcopy", "--add-gnu-debuglink=fw.debug", "fw.elf", cwd=folder)
    found = build(dprobes, folder, BY_NAME)
    assert found.status == 1 and "unknown name 'thing'" in found.stderr and "fw.debug" in found.stderr, found.stderr


CPP = """namespace net {
struct packet { int bytes; packet *next; };
class queue { public: int put(packet *p); int size; };
int queue::put(packet *p) { size += p->bytes; return size; }
}
extern "C" int main() { net::packet p = {3, nullptr}; net::queue q = {}; return q.put(&p); }
"""
MANGLED = "_ZN3net5queue3putEPNS_6packetE"


def test_names_of_cpp(dprobes, tmp_path):
    """Functions have mangled names, which wildcards match; parameters and members have their own."""
    (tmp_path / "fw.cpp").write_text(CPP, encoding="utf-8")
    tool_of("arm-none-eabi-g++", *OPTIONS, "-g", "-o", "fw.elf", "fw.cpp", *FLAGS, cwd=tmp_path)
    for description in (f"{MANGLED}:entry", "fbt::*put*:entry", "fw.cpp:4"):
        found = build(dprobes, tmp_path, f"{description} {{ trace(p->bytes); print(*p); }}\n")
        assert (found.status, found.stderr) == (0, ""), description
    found = build(dprobes, tmp_path, "put:entry { trace(p->bytes); }\n")
    assert found.status == 1 and f"no function 'put'; did you mean '{MANGLED}'?" in found.stderr


@pytest.mark.parametrize("keep", [52, 200, 4096])
def test_a_file_that_ends_early(dprobes, tmp_path, keep):
    folder = firmware(tmp_path / "fw", "-g")
    whole = (folder / "fw.elf").read_bytes()
    (folder / "fw.elf").write_bytes(whole[:keep])
    found = build(dprobes, folder, BY_NAME)
    assert found.status == 1 and "fw.elf" in found.stderr, found.stderr
