# SPDX-License-Identifier: BSD-2-Clause
"""The guests that check a port alone: tests/guests/CPU, with what CPUs share in tests/guests/common."""
import subprocess

import sources_mk

from .paths import TESTS, TOP

GUESTS = TESTS / "guests"
COMMON = GUESTS / "common"


def link(cpu, folder, gcc, compile_flags, link_flags, libraries=()):
    """Compiles port and guest of a CPU into the folder, which has the guest's .inc files; the ELF."""
    sources = [TOP / path for path in sources_mk.port_files(cpu)]
    sources += sorted(COMMON.glob("*.c"))
    sources += sorted((GUESTS / cpu).glob("*.[cS]"))
    places = [folder, TOP / "protocol", *(TOP / name for name in sources_mk.include_folders("agent")), TOP / "port", TOP / "port" / cpu, COMMON, GUESTS / cpu]
    include = [f"-I{place}" for place in places]
    objects = []
    for source in sources:
        objects.append(folder / ("-".join(source.relative_to(TOP).parts) + ".o"))
        subprocess.run([gcc, "-std=c11", "-g", "-Os", *compile_flags, "-Wall", "-Wextra", "-Werror",
                        "-ffreestanding", "-DDP_PROFILE=DP_PROFILE_FULL", "-fno-tree-loop-distribute-patterns", *include,
                        "-c", source, "-o", objects[-1]], check=True, cwd=TOP)
    elf = folder / "guest.elf"
    subprocess.run([gcc, *compile_flags, "-nostdlib", "-static", "-no-pie", "-Wl,--build-id=none",
                    "-Wl,--no-warn-rwx-segments", *link_flags, "-T", GUESTS / cpu / "guest.ld",
                    *objects, *libraries, "-o", elf], check=True)
    return elf
