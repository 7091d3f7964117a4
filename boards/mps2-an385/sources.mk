# SPDX-License-Identifier: BSD-2-Clause
# What the mps2-an385 firmware is made of. Plain "NAME = words" lines, for make and for our SCons reader.
# Paths from the root of the tree. A hit is a HardFault here: usage faults are not enabled.
CROSS = arm-none-eabi-
PORT = cortexm
BOARD = mps2-an385
CPU_FLAGS = -mcpu=cortex-m3 -DVECTORS_OF_IRQS=32
ISA_FLAGS = -mthumb
CFLAGS = -std=c11 -O2 -g -ffunction-sections -fdata-sections -fno-common -fno-unwind-tables -fno-asynchronous-unwind-tables
INCLUDES = boards/demo boards/demo/cortexm boards/cpu/cortexm
SOURCES_BOARD = boards/mps2-an385/board.c boards/cpu/cortexm/mps2.c boards/cpu/cortexm/cmsdk.c boards/cpu/cortexm/nvic.c
SOURCES_ASM = boards/cpu/cortexm/start.S boards/demo/cortexm/arch_cortexm.S
SOURCES_DEMO = boards/demo/main.c boards/demo/kernel.c boards/demo/queue.c boards/demo/console.c boards/demo/driver.c boards/demo/talk.c boards/demo/shell.c boards/demo/sensor.c boards/demo/load.c boards/demo/checksum.c boards/demo/selftest.c boards/demo/boot.c boards/demo/uart_rate.c boards/demo/lateness.c boards/demo/syscalls.c boards/demo/mix.c boards/demo/cortexm/fault_cortexm.c
# Critical sections: critical/critical.elf.
CRITICAL_SOURCES = boards/demo/critical.c boards/demo/cortexm/critical_cortexm.c
AGENT_SOURCES = boards/demo/agent_glue.c
AGENT_DEFINES = DEMO_WITH_AGENT
# The counter of FPGAIO, which is the low half of board_clock.
AGENT_KNOBS = DP_COUNTER=0x40028018 DP_CORTEXM_VECTORS=48 DP_EMBED_BYTES=2048 DP_FLIGHT_BYTES=4096
LINKER_SCRIPT = boards/mps2-an385/link.ld
LINKER_PATHS = boards/cpu/cortexm
LINK_FLAGS = -nostartfiles --specs=nano.specs -Wl,--gc-sections -Wl,--build-id=sha1 -Wl,-z,max-page-size=4096
QEMU = qemu-system-arm
MACHINE = mps2-an385
