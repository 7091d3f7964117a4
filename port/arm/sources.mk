# SPDX-License-Identifier: BSD-2-Clause
# The files of the ARM port, of which `scons release` makes dprobes_agent.c: A32, Thumb and Thumb-2, ARMv5TE to
# ARMv7-A. A firmware compiles that file for ARM state on cores without Thumb-2, and from ARMv6 on with
# -mno-unaligned-access where SCTLR.A is set or the MMU is off, else dp_init answers BAD_TARGET. FLAGS_GCC and
# FLAGS_CLANG keep agent and port from FP registers, which nobody saves around a hit.
PORT_SOURCES := decode.c step.c emulate.c slots.c patch.c mem.c time.c vectors.c watch.c registers.c \
	entry.S access.S
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
