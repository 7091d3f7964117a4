# SPDX-License-Identifier: BSD-2-Clause
# What the malta firmware is made of (24Kc, little-endian; ../malta-be and ../malta-4kc differ in
# what they say). Plain "NAME = words" lines, for make and for our SCons reader. Paths from the root.
CROSS = mipsel-linux-gnu-
PORT = mips
BOARD = malta
# -G0: nothing of the agent's may depend on gp, which is the firmware's.
ABI_FLAGS = -mabi=32 -mno-abicalls -fno-pic -fno-pie -mno-shared -msoft-float -G0 -fno-stack-protector
CPU_FLAGS = -march=mips32r2 $(ABI_FLAGS)
CFLAGS = -std=c11 -O2 -g -ffunction-sections -fdata-sections -fno-common -fno-unwind-tables -fno-asynchronous-unwind-tables
INCLUDES = boards/demo boards/demo/mips boards/cpu/mips boards/cpu/pc
# Built from Debian's newlib-source, once: boards/newlib.sh
NEWLIB = mipsel-elf
NEWLIB_FLAGS = -march=mips32 $(ABI_FLAGS)
SOURCES_BOARD = boards/malta/board.c boards/cpu/pc/ns16550.c boards/cpu/pc/i8259.c boards/cpu/mips/count.c
SOURCES_ASM = boards/cpu/mips/start.S boards/demo/mips/arch_mips.S
SOURCES_DEMO = boards/demo/main.c boards/demo/kernel.c boards/demo/queue.c boards/demo/console.c boards/demo/driver.c boards/demo/talk.c boards/demo/shell.c boards/demo/sensor.c boards/demo/load.c boards/demo/checksum.c boards/demo/selftest.c boards/demo/boot.c boards/demo/uart_rate.c boards/demo/lateness.c boards/demo/syscalls.c boards/demo/mix.c boards/demo/mips/fault_mips.c
# Critical sections: critical/critical.elf.
CRITICAL_SOURCES = boards/demo/critical.c boards/demo/mips/critical_mips.c
AGENT_SOURCES = boards/demo/agent_glue.c
AGENT_DEFINES = DEMO_WITH_AGENT
# Count is the low half of board_clock.
AGENT_KNOBS = DP_COUNTER=DP_COUNTER_CPU DP_EMBED_BYTES=2048 DP_FLIGHT_BYTES=4096
LINKER_SCRIPT = boards/malta/link.ld
LINKER_PATHS = boards/cpu/mips
# Debian's libgcc is for Linux; what the kernel uses of it (64-bit division) is right all the same.
LINK_FLAGS = -nostdlib -static -no-pie -Wl,--no-warn-mismatch -Wl,--no-warn-rwx-segments -Wl,--gc-sections -Wl,--build-id=sha1 -Wl,-z,max-page-size=4096
LIBS = c gcc
# A kernel that moves itself: moved/moved.elf. `ld` keeps its relocations, of which a tool makes a table.
MOVED_DEFINES = DEMO_MOVED=0x00800000
MOVED_SOURCES = boards/cpu/mips/relocate.S
MOVED_LINK_FLAGS = -Wl,--emit-relocs -Wl,-e,relocate_start
MOVED_TABLE = .moved_table
QEMU = qemu-system-mipsel
MACHINE = malta
CPU = 24Kc
