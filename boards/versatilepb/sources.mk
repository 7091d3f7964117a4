# SPDX-License-Identifier: BSD-2-Clause
# What the versatilepb firmware is made of. Plain "NAME = words" lines, for make and for our SCons reader.
# Paths from the root of the tree. SOURCES are compiled with CPU_FLAGS + ISA_FLAGS, ALT_SOURCES
# (the other instruction set) with CPU_FLAGS + ALT_FLAGS.
CROSS = arm-none-eabi-
PORT = arm
BOARD = versatilepb
CPU_FLAGS = -mcpu=arm926ej-s
ISA_FLAGS = -marm
ALT_FLAGS = -mthumb
CFLAGS = -std=c11 -O2 -g -ffunction-sections -fdata-sections -fno-common -fno-unwind-tables -fno-asynchronous-unwind-tables
INCLUDES = boards/demo boards/demo/arm boards/cpu/arm
SOURCES_BOARD = boards/versatilepb/board.c boards/cpu/arm/common.c boards/cpu/arm/mmu.c boards/cpu/arm/pl011.c boards/cpu/arm/sp804.c boards/cpu/arm/clock24.c
SOURCES_ASM = boards/cpu/arm/start.S boards/cpu/arm/cache.S boards/cpu/arm/semihost.S boards/demo/arm/arch_arm.S
SOURCES_DEMO = boards/demo/main.c boards/demo/kernel.c boards/demo/queue.c boards/demo/console.c boards/demo/driver.c boards/demo/talk.c boards/demo/shell.c boards/demo/sensor.c boards/demo/load.c boards/demo/checksum.c boards/demo/selftest.c boards/demo/boot.c boards/demo/uart_rate.c boards/demo/lateness.c boards/demo/syscalls.c boards/demo/arm/fault_arm.c
ALT_SOURCES = boards/demo/mix.c
AGENT_SOURCES = boards/demo/agent_glue.c
AGENT_DEFINES = DEMO_WITH_AGENT
LINKER_SCRIPT = boards/versatilepb/link.ld
LINKER_PATHS = boards/cpu/arm
LINK_FLAGS = -nostartfiles --specs=nano.specs -Wl,--gc-sections -Wl,--build-id=sha1 -Wl,-z,max-page-size=4096
QEMU = qemu-system-arm
MACHINE = versatilepb
