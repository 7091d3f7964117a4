# SPDX-License-Identifier: BSD-2-Clause
"""Reads tests/language/compile_fail/*.dp: programs that the compiler refuses or warns about.

A file is a program with `// args: OPTIONS OF build`, `// words: ARGUMENTS OF THE PROGRAM`, `// env: NAME=VALUE` and
`// files: MOST OPEN AT A TIME` lines in front, and behind it all that is printed on standard error, each line after `//> `. They are compiled in a folder that also has
what is in given/, and firmware.elf with its kin (see `given`)."""
import dataclasses
import re
import shutil
import struct
import subprocess

from .paths import TESTS, program

FOLDER = TESTS / "language" / "compile_fail"
SAID = "//>"
PLACE = re.compile(r"([^:]+):(?:(\d+):)?(?:(\d+):)? (error|warning|note): (.*)")
E_MACHINE_NOBODY_KNOWS = 62
ELF64_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")


@dataclasses.dataclass
class Message:
    """One message, and the two lines below that show the place (or None)."""

    file: str
    line: int
    column: int
    severity: str
    text: str
    source: str = None
    caret: str = None


@dataclasses.dataclass
class Case:
    """What a file says of itself."""

    path: object
    arguments: list
    words: list
    environment: dict
    files_max: int
    said: list

    @property
    def name(self):
        return self.path.name

    def messages(self):
        """What is said, taken apart."""
        found = []
        for line in self.said:
            match = PLACE.fullmatch(line)
            if match:
                number = [int(text) if text else None for text in match.group(2, 3)]
                found.append(Message(match[1], *number, match[4], match[5]))
            elif found and found[-1].source is None:
                found[-1].source = line
            elif found and found[-1].caret is None:
                found[-1].caret = line
            else:
                raise ValueError(f"{self.name}: {line!r} belongs to no message")
        return found

    def status(self):
        return int(any(message.severity == "error" for message in self.messages()))

    def compile(self, dprobes, folder, output):
        """Run it in a folder that `given` made."""
        return dprobes("build", *self.arguments, "--output", output, self.name, *self.words, cwd=folder, env=self.environment,
                       files_max=self.files_max)


def read(path):
    """The case of one file."""
    arguments, words, environment, files_max, said = [], [], {}, None, []
    for line in path.read_text(encoding="utf-8").split("\n"):
        match = re.match(r"// (args|words|env|files): (.*)", line)
        if match and match[1] == "args":
            arguments += match[2].split()
        elif match and match[1] == "words":
            words += match[2].split()
        elif match and match[1] == "files":
            files_max = int(match[2])
        elif match:
            environment.update([match[2].split("=", 1)])
        elif line.startswith(SAID):
            said.append(line[len(SAID) + 1:])
    return Case(path, arguments, words, environment, files_max, said)


def cases():
    return [read(path) for path in sorted(FOLDER.glob("*.dp"))]


def _wide_arm():
    """A 64-bit ELF file for ARM, which has 32-bit words."""
    ident = b"\x7fELF" + bytes([2, 1, 1]) + bytes(9)
    return ELF64_HEADER.pack(ident, 2, 40, 1, 0, 0, 0, 0, ELF64_HEADER.size, 0, 0, 0, 0, 0)


def given(folder):
    """Fill a folder with every program, what they include, and firmware:

    firmware.elf    assembled from given/firmware.s
    hooks.elf       assembled from given/hooks.s
    stripped.elf    without symbols
    cause.elf       assembled from given/cause.s, for a MIPS CPU
    unknown.elf     for a CPU that nobody knows
    wide.elf        ARM with 64-bit words
    not-linked.elf  an object
    header-cut.elf, cut.elf   without their ends
    segment-outside.elf   its first segment lies behind the end

    and texts that are no UTF-8: latin-1.rpn, utf-16.rpn"""
    shutil.copytree(FOLDER / "given", folder, dirs_exist_ok=True)
    for path in FOLDER.glob("*.dp"):
        shutil.copy(path, folder)
    (folder / "latin-1.rpn").write_text("push \u00e4\n", encoding="latin-1")
    (folder / "utf-16.rpn").write_text("push 1\n", encoding="utf-16")
    elf = folder / "firmware.elf"
    subprocess.run([program("arm-none-eabi-gcc"), "-mcpu=cortex-a9", "-nostdlib", "-Wl,-Ttext=0x8040", "-Wl,-Tdata=0x20000",
                    "-Wl,-e,arm_func", "-o", elf, "firmware.s"], cwd=folder, check=True)
    subprocess.run([program("arm-none-eabi-gcc"), "-mcpu=cortex-a9", "-nostdlib", "-Wl,-Ttext=0x8000", "-Wl,-e,main",
                    "-o", folder / "hooks.elf", "hooks.s"], cwd=folder, check=True)
    subprocess.run([program("arm-none-eabi-strip"), "-o", folder / "stripped.elf", elf], check=True)
    subprocess.run([program("mipsel-linux-gnu-gcc"), "-march=24kc", "-mno-abicalls", "-fno-pic", "-static", "-nostdlib",
                    "-Wl,-Ttext=0x8000", "-Wl,-e,mips_func", "-o", folder / "cause.elf", "cause.s"], cwd=folder, check=True)
    data = elf.read_bytes()
    (folder / "unknown.elf").write_bytes(data[:18] + struct.pack("<H", E_MACHINE_NOBODY_KNOWS) + data[20:])
    (folder / "wide.elf").write_bytes(_wide_arm())
    (folder / "not-linked.elf").write_bytes(data[:16] + struct.pack("<H", 1) + data[18:])
    (folder / "header-cut.elf").write_bytes(data[:30])
    (folder / "cut.elf").write_bytes(data[:200])
    first, = struct.unpack_from("<I", data, 28)
    (folder / "segment-outside.elf").write_bytes(data[:first + 4] + struct.pack("<I", len(data)) + data[first + 8:])
    return folder
