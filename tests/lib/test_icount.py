# SPDX-License-Identifier: BSD-2-Clause
"""The instruction counter counts exactly: the guest's numbers are known by reading it."""
import subprocess

import icount
from harness import process
from harness.paths import built, program

# A32 and Thumb, a loop, and an exit that needs no UART.
GUEST = """
	.syntax unified
	.cpu arm926ej-s
	.arm
	.global _start, a32_begin, a32_end, empty, done
	.type t16, %function
_start:
	mov	r0, #1000
a32_begin:
	subs	r0, r0, #1
	bne	a32_begin
a32_end:
	nop
empty:
	blx	t16
done:
	mov	r0, #0x18
	ldr	r1, =0x20026
	svc	0x123456
	b	done
	.thumb
	.thumb_func
t16:
	movs	r2, #3
1:	subs	r2, #1
	bne	1b
	bx	lr
"""


WINDOWS = {
    "a32": ("_start", "a32_end"),
    "loop": ("a32_begin", "a32_begin"),
    "one": ("empty", "t16"),
    "thumb": ("t16", "done"),
    "empty": ("done", "done+4"),
}


def counted(tmp_path, **options):
    """The guest's counter, after it has run."""
    gcc = program("arm-none-eabi-gcc")
    qemu = program("qemu-system-arm")
    source, elf, out = tmp_path / "guest.S", tmp_path / "guest.elf", tmp_path / "counts"
    source.write_text(GUEST)
    subprocess.run([gcc, "-nostdlib", "-Wl,-Ttext=0x10000", "-o", elf, source], check=True)
    counter = icount.Counter(built("tools", "icount_plugin.so"), elf, out, WINDOWS, **options)
    run = subprocess.run([qemu, "-M", "versatilepb", "-display", "none", "-monitor", "none",
                          "-serial", "none", "-semihosting", "-kernel", elf,
                          *counter.qemu_arguments],
                         stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=process.TIMEOUT_S,
                         check=False, env={"PATH": "/usr/bin:/bin", "QEMU_AUDIO_DRV": "none"})
    assert run.returncode == 0, run.stderr
    return counter


def test_counts_are_exact(tmp_path):
    counter = counted(tmp_path)
    assert counter.counts() == {
        "a32": [1 + 2 * 1000],
        "loop": [2] * 999,
        "one": [1],
        "thumb": [1 + 2 * 3 + 1],
        "empty": [1],
    }


def test_profile_names_the_functions(tmp_path):
    counter = counted(tmp_path, trace=True)
    assert counter.counts()["thumb"] == [1 + 2 * 3 + 1]
    assert counter.profile("thumb") == [("t16", 1 + 2 * 3 + 1)]
    assert counter.profile("one") == [("empty", 1)]
    assert counter.profile("a32") == [("_start", 1), ("a32_begin", 2 * 1000)]
    assert counter.profile("loop", slice(5, 9)) == [("a32_begin", 2)]
