# SPDX-License-Identifier: BSD-2-Clause
# What the firmware for QEMU's pc is made of.
# Plain "NAME = words" lines, for make and for our SCons reader. Paths from the root.
CROSS = i686-linux-gnu-
PORT = ia32
BOARD = pc
# The agent and the kernel touch no FP or SIMD register.
ABI_FLAGS = -m32 -march=i686 -fno-pic -fno-pie -fno-stack-protector -fcf-protection=none -fno-asynchronous-unwind-tables
CPU_FLAGS = $(ABI_FLAGS) -mgeneral-regs-only
CFLAGS = -std=c11 -O2 -g -ffunction-sections -fdata-sections -fno-common -fno-unwind-tables
INCLUDES = boards/demo boards/demo/ia32 boards/cpu/ia32 boards/cpu/common boards/cpu/pc
# Built from Debian's newlib-source, once: boards/newlib.sh
NEWLIB = i686-elf
# -D: its assembler code has functions, not places alone.
NEWLIB_FLAGS = $(ABI_FLAGS) -mno-mmx -mno-sse -D_I386MACH_NEED_SOTYPE_FUNCTION
SOURCES_BOARD = boards/pc/board.c boards/cpu/pc/ns16550.c boards/cpu/pc/i8259.c boards/cpu/pc/hpet.c boards/cpu/common/alarms.c
SOURCES_ASM = boards/cpu/ia32/start.S boards/demo/ia32/arch_ia32.S
SOURCES_DEMO = boards/demo/main.c boards/demo/kernel.c boards/demo/queue.c boards/demo/console.c boards/demo/driver.c boards/demo/talk.c boards/demo/shell.c boards/demo/sensor.c boards/demo/load.c boards/demo/checksum.c boards/demo/selftest.c boards/demo/boot.c boards/demo/uart_rate.c boards/demo/lateness.c boards/demo/syscalls.c boards/demo/mix.c boards/demo/ia32/fault_ia32.c
# Critical sections: critical/critical.elf.
CRITICAL_SOURCES = boards/demo/critical.c boards/demo/ia32/critical_ia32.c
AGENT_SOURCES = boards/demo/agent_glue.c
AGENT_DEFINES = DEMO_WITH_AGENT
# The low half of the HPET's counter is that of board_clock.
AGENT_KNOBS = DP_COUNTER=0xfed000f0 DP_EMBED_BYTES=2048 DP_FLIGHT_BYTES=4096
LINKER_SCRIPT = boards/pc/link.ld
LINKER_PATHS = boards/cpu/ia32
# Debian's libgcc is for Linux; what the kernel uses of it (64-bit division) is right all the same.
LINK_FLAGS = -nostdlib -static -no-pie -Wl,--gc-sections -Wl,--build-id=sha1 -Wl,-z,max-page-size=4096 -Wl,--no-warn-rwx-segments -Wl,-z,noexecstack
LIBS = c gcc
# A kernel that moves itself: moved/moved.elf. `ld` keeps its relocations, of which a tool makes a table.
MOVED_DEFINES = DEMO_MOVED=0x00800000
MOVED_SOURCES = boards/cpu/ia32/relocate.S
MOVED_LINK_FLAGS = -Wl,--emit-relocs -Wl,-e,relocate_start
MOVED_TABLE = .moved_table
QEMU = qemu-system-i386
MACHINE = pc
CPU = qemu32
