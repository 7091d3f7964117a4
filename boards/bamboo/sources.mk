# SPDX-License-Identifier: BSD-2-Clause
# What the bamboo firmware is made of; ../ppce500 and ../40p differ in what they say.
# Plain "NAME = words" lines, for make and for our SCons reader. Paths from the root.
CROSS = powerpc-linux-gnu-
PORT = ppc
BOARD = bamboo
# Debian's compiler is for Linux with shared libraries and floating point.
ABI_FLAGS = -m32 -fno-pic -fno-pie -msoft-float -mno-altivec -mno-vsx -mno-sdata -mstrict-align -fno-stack-protector -fno-asynchronous-unwind-tables
# QEMU 7.2, BookE: SRR1 after a trap has MSR[CE] set, mtmsr does not change MSR[ME].
QUIRKS = -DBOARD_QUIRKS=DP_QUIRK_TRAP_SETS_CE+DP_QUIRK_MTMSR_KEEPS_ME
CPU_FLAGS = -mcpu=440 -DDP_PPC_BOOKE=1 $(QUIRKS) $(ABI_FLAGS)
CFLAGS = -std=c11 -O2 -g -ffunction-sections -fdata-sections -fno-common -fno-unwind-tables
INCLUDES = boards/demo boards/demo/ppc boards/cpu/ppc boards/cpu/pc
# Built from Debian's newlib-source, once, for all PowerPC boards: boards/newlib.sh
NEWLIB = powerpc-eabi
NEWLIB_FLAGS = -mcpu=powerpc $(ABI_FLAGS) -mno-relocatable-lib -mlong-double-64 -U_CALL_SYSV
SOURCES_BOARD = boards/bamboo/board.c boards/cpu/ppc/common.c boards/cpu/ppc/decrementer.c boards/cpu/ppc/pages_440.c boards/cpu/pc/ns16550.c
SOURCES_ASM = boards/cpu/ppc/start.S boards/cpu/ppc/mmu_440.S boards/demo/ppc/arch_ppc.S
SOURCES_DEMO = boards/demo/main.c boards/demo/kernel.c boards/demo/queue.c boards/demo/console.c boards/demo/driver.c boards/demo/talk.c boards/demo/shell.c boards/demo/sensor.c boards/demo/load.c boards/demo/checksum.c boards/demo/selftest.c boards/demo/boot.c boards/demo/uart_rate.c boards/demo/lateness.c boards/demo/syscalls.c boards/demo/mix.c boards/demo/ppc/fault_ppc.c
# Critical sections: critical/critical.elf.
CRITICAL_SOURCES = boards/demo/critical.c boards/demo/ppc/critical_ppc.c
AGENT_SOURCES = boards/demo/agent_glue.c
AGENT_DEFINES = DEMO_WITH_AGENT
# The time base is board_clock.
AGENT_KNOBS = DP_COUNTER=DP_COUNTER_CPU DP_EMBED_BYTES=2048 DP_FLIGHT_BYTES=4096
# Agent and port only: port/ppc/sources.mk says why.
AGENT_FLAGS = -ffixed-r31
LINKER_SCRIPT = boards/cpu/ppc/booke.ld
LINKER_PATHS = boards/cpu/ppc
LINK_FLAGS = -nostdlib -static -no-pie -Wl,--gc-sections -Wl,--build-id=sha1 -Wl,-z,max-page-size=4096 -Wl,-z,noexecstack
LIBS = c gcc
# A kernel that moves itself: moved/moved.elf. `ld` keeps its relocations, of which a tool makes a table.
MOVED_DEFINES = DEMO_MOVED=0x00800000
MOVED_SOURCES = boards/cpu/ppc/relocate.S
MOVED_LINK_FLAGS = -Wl,--emit-relocs -Wl,-e,relocate_start
MOVED_TABLE = .moved_table
QEMU = qemu-system-ppc
MACHINE = bamboo
CPU = 440EP
