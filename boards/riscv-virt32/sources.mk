# SPDX-License-Identifier: BSD-2-Clause
# What the firmware for QEMU's virt of 32 bits is made of; ../riscv-virt64 differs in what it says.
# Plain "NAME = words" lines, for make and for our SCons reader. Paths from the root.
CROSS = riscv64-unknown-elf-
PORT = riscv
BOARD = riscv-virt32
# -misa-spec: with the newer one the compiler takes libraries of another CPU for -march with zicsr. medany: RAM is in the
# upper half of 32 bits.
ABI_FLAGS = -misa-spec=2.2 -mcmodel=medany -fno-asynchronous-unwind-tables
CPU_FLAGS = -march=rv32imac -mabi=ilp32 $(ABI_FLAGS)
CFLAGS = -std=c11 -O2 -g -ffunction-sections -fdata-sections -fno-common -fno-unwind-tables
INCLUDES = boards/demo boards/demo/riscv boards/cpu/riscv boards/cpu/common boards/cpu/pc
# Built from Debian's newlib-source, once: boards/newlib.sh
NEWLIB = riscv32-elf
NEWLIB_FLAGS = -march=rv32imac -mabi=ilp32 $(ABI_FLAGS)
SOURCES_BOARD = boards/cpu/riscv/virt.c boards/cpu/riscv/clint.c boards/cpu/common/alarms.c boards/cpu/riscv/plic.c boards/cpu/pc/ns16550.c
SOURCES_ASM = boards/cpu/riscv/start.S boards/demo/riscv/arch_riscv.S
SOURCES_DEMO = boards/demo/main.c boards/demo/kernel.c boards/demo/queue.c boards/demo/console.c boards/demo/driver.c boards/demo/talk.c boards/demo/shell.c boards/demo/sensor.c boards/demo/load.c boards/demo/checksum.c boards/demo/selftest.c boards/demo/boot.c boards/demo/uart_rate.c boards/demo/lateness.c boards/demo/syscalls.c boards/demo/mix.c boards/demo/riscv/fault_riscv.c
# Critical sections: critical/critical.elf.
CRITICAL_SOURCES = boards/demo/critical.c boards/demo/riscv/critical_riscv.c
AGENT_SOURCES = boards/demo/agent_glue.c
AGENT_DEFINES = DEMO_WITH_AGENT
# The low half of mtime is that of board_clock.
AGENT_KNOBS = DP_COUNTER=0x0200bff8 DP_EMBED_BYTES=2048 DP_FLIGHT_BYTES=4096
LINKER_SCRIPT = boards/riscv-virt32/link.ld
LINKER_PATHS = boards/cpu/riscv
LINK_FLAGS = -nostdlib -static -Wl,--gc-sections -Wl,--build-id=sha1 -Wl,-z,max-page-size=4096 -Wl,--no-warn-rwx-segments
LIBS = c gcc
QEMU = qemu-system-riscv32
MACHINE = virt
CPU = RV32
