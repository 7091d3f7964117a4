# SPDX-License-Identifier: BSD-2-Clause
# What the vexpress-a9 firmware is made of. Plain "NAME = words" lines, for make and for our SCons reader.
# Paths from the root of the tree. SOURCES are compiled with CPU_FLAGS + ISA_FLAGS, ALT_SOURCES
# (the other instruction set) with CPU_FLAGS + ALT_FLAGS.
CROSS = arm-none-eabi-
PORT = arm
BOARD = vexpress-a9
CPU_FLAGS = -mcpu=cortex-a9 -mfloat-abi=soft
ISA_FLAGS = -mthumb
ALT_FLAGS = -marm
CFLAGS = -std=c11 -O2 -g -ffunction-sections -fdata-sections -fno-common -fno-unwind-tables -fno-asynchronous-unwind-tables
INCLUDES = boards/demo boards/demo/arm boards/cpu/arm
SOURCES_BOARD = boards/vexpress-a9/board.c boards/cpu/arm/common.c boards/cpu/arm/mmu.c boards/cpu/arm/pl011.c boards/cpu/arm/sp804.c boards/cpu/arm/clock24.c
SOURCES_ASM = boards/cpu/arm/start.S boards/cpu/arm/cache.S boards/cpu/arm/semihost.S boards/demo/arm/arch_arm.S
SOURCES_DEMO = boards/demo/main.c boards/demo/kernel.c boards/demo/queue.c boards/demo/console.c boards/demo/driver.c boards/demo/talk.c boards/demo/shell.c boards/demo/sensor.c boards/demo/load.c boards/demo/checksum.c boards/demo/selftest.c boards/demo/boot.c boards/demo/uart_rate.c boards/demo/lateness.c boards/demo/syscalls.c
ALT_SOURCES = boards/demo/mix.c boards/demo/arm/fault_arm.c
# Critical sections: critical/critical.elf.
CRITICAL_SOURCES = boards/demo/critical.c boards/demo/arm/critical_arm.c
AGENT_SOURCES = boards/demo/agent_glue.c
AGENT_DEFINES = DEMO_WITH_AGENT
# The 24 MHz counter of the system registers, which is the low half of board_clock.
AGENT_KNOBS = DP_COUNTER=0x1000005c DP_EMBED_BYTES=2048 DP_FLIGHT_BYTES=4096
LINKER_SCRIPT = boards/vexpress-a9/link.ld
LINKER_PATHS = boards/cpu/arm
LINK_FLAGS = -nostartfiles --specs=nano.specs -Wl,--gc-sections -Wl,--build-id=sha1 -Wl,-z,max-page-size=4096
QEMU = qemu-system-arm
MACHINE = vexpress-a9
# A kernel that moves itself and loads a module at two places: moved/moved.elf.
MOVED_FLAGS = -mword-relocations
MOVED_DEFINES = DEMO_MOVED=0x00800000 DEMO_WITH_PLUGINS
MOVED_SOURCES = boards/cpu/arm/relocate.S boards/demo/plugins.c
MOVED_LINK_FLAGS = -Wl,-pie -Wl,--no-dynamic-linker -Wl,-z,notext -Wl,-e,relocate_start
# Of this C library's forms, the one whose addresses are whole words.
MOVED_LINK_CPU = -mcpu=arm926ej-s -marm -mfloat-abi=soft
MOVED_PLUGIN = boards/demo/plugin/plugin.c
MOVED_PLUGIN_FLAGS = -Os -g -fpic -ffreestanding -fno-unwind-tables
# Kernels with the C library in full, in four forms: library-NAME/library-NAME.elf, for `scons sweep`. nano.specs
# names the library that is compiled for size, else for speed.
LIBRARIES = thumb-size thumb-speed-hard a32-size a32-speed-hard
LIBRARY_SOURCES = boards/demo/library.c boards/demo/libm.c
LIBRARY_DEFINES = DEMO_WITH_LIBRARY
LIBRARY_AGENT = DP_MAX_PROBES=120 DP_FUNCTIONS_BYTES=8192
LIBRARY_thumb_size = -mcpu=cortex-a9 -mfloat-abi=soft -mthumb
LIBRARY_thumb_size_LINK = -mcpu=cortex-a9 -mfloat-abi=soft -mthumb --specs=nano.specs -Wl,-u,_printf_float -Wl,-u,_scanf_float
LIBRARY_thumb_speed_hard = -mcpu=cortex-a9 -mfpu=vfpv3-d16 -mfloat-abi=hard -mthumb
LIBRARY_thumb_speed_hard_LINK = -march=armv7-a+fp -mfloat-abi=hard -mthumb
LIBRARY_a32_size = -mcpu=cortex-a9 -mfloat-abi=soft -marm
LIBRARY_a32_size_LINK = -mcpu=arm926ej-s -mfloat-abi=soft -marm --specs=nano.specs -Wl,-u,_printf_float -Wl,-u,_scanf_float
LIBRARY_a32_speed_hard = -mcpu=cortex-a9 -mfpu=vfpv3-d16 -mfloat-abi=hard -marm
LIBRARY_a32_speed_hard_LINK = -march=armv5te+fp -mfloat-abi=hard -marm
