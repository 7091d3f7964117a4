# SPDX-License-Identifier: BSD-2-Clause
# The files of the Cortex-M port, of which `scons release` makes dprobes_agent.c: ARMv6-M, ARMv7-M, ARMv8-M mainline. FLAGS_GCC
# and FLAGS_CLANG keep agent and port from FP registers, which nobody saves around a hit.
PORT_SOURCES := decode.c step.c emulate.c slots.c patch.c mem.c time.c vectors.c registers.c \
	fpb.c mpu.c dwt.c monitor.c accessed.c watch.c entry.S access.S
# What ports share.
SHARED_SOURCES := ../dp_slots.c ../dp_patch.c ../dp_access.c ../dp_stack.c ../dp_scan.c
# What ports with Thumb code share.
THUMB_SOURCES := ../thumb/decode_thumb.c ../thumb/it_state.c
# Pure C, for the host.
HOST_SOURCES := decode.c decoder.c ../thumb/decode_thumb.c
# Flags of every build, of gcc alone, of clang alone: dprobes.mk and CMakeLists.txt are made from them.
FLAGS :=
FLAGS_GCC := -mgeneral-regs-only
FLAGS_CLANG := -mfpu=none
