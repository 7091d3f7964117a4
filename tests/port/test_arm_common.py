# SPDX-License-Identifier: BSD-2-Clause
"""What the ARM port without DP_ARM_WITH_RARE still emulates it emulates as the whole one does.

emulate.c is C that touches nothing but a frame and memory: compiled twice, for the host, with and without,
and run by tests/lib/tools/arm_emulate_both.c from the same random frames.
"""
import re
import subprocess

import pytest

import sources_mk
from harness import process
from harness.paths import TESTS, TOP, program

ARM, THUMB = TOP / "port" / "arm", TOP / "port" / "thumb"
BOTH = TESTS / "lib" / "tools" / "arm_emulate_both.c"
RENAMED = ("arm_decode", "arm_emulate", "arm_table", "arm_look_up", "thumb_t16", "thumb_t32", "thumb_window")
MIN_RUNS = 100000


@pytest.mark.parametrize("architecture", (5, 6, 7))
def test_emulated_as_by_the_whole_port(architecture, tmp_path):
    flags = ["-std=c11", "-g", "-O1", "-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined",
             "-fno-sanitize-recover=all", f"-D__ARM_ARCH={architecture}",
             *(f"-I{TOP / name}" for name in ("port/arm", "port", *sources_mk.include_folders("agent"), "protocol", "tests/lib", "tests/port"))]
    common = ["-DDP_ARM_WITH_RARE=0", *(f"-Ddp_{name}=common_{name.partition('_')[2]}" for name in RENAMED)]
    objects = []
    for source, defines in ((ARM / "emulate.c", []), (ARM / "emulate.c", common),
                            (ARM / "decode.c", common), (THUMB / "decode_thumb.c", common), (THUMB / "it_state.c", []), (BOTH, [])):
        objects.append(tmp_path / f"{len(objects)}.o")
        subprocess.run([program("gcc"), *flags, *defines, "-c", source, "-o", objects[-1]], check=True, cwd=TOP)
    subprocess.run([program("gcc"), *flags, *objects, "-o", tmp_path / "both"], check=True)
    done = subprocess.run([tmp_path / "both"], capture_output=True, text=True, check=False, timeout=process.TIMEOUT_S)
    print(done.stdout, done.stderr)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert sum(map(int, re.findall(r"^class \d+: (\d+)$", done.stdout, re.M))) > MIN_RUNS
