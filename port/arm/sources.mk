# SPDX-License-Identifier: BSD-2-Clause
# The ARM port: A32, Thumb and Thumb-2, ARMv5TE to ARMv7-A. Compile the C files for ARM state on
# cores without Thumb-2; include path: port, agent, protocol and this folder. Agent and port must not
# touch FP registers, which nobody saves around a hit: compile both with -mgeneral-regs-only where
# firmware has -mfpu. From ARMv6 on: with -mno-unaligned-access where SCTLR.A is set or the MMU is
# off, else dp_init answers BAD_TARGET.
PORT_SOURCES := decode.c step.c emulate.c slots.c scan.c patch.c mem.c time.c vectors.c registers.c \
	entry.S access.S
# A small agent's port, with SMALL_DEFINES of agent/sources.mk.
SMALL_DEFINES := DP_ARM_WITH_RARE=0
# What ports share.
SHARED_SOURCES := ../dp_slots.c ../dp_access.c ../dp_stack.c
# Flags of every build, of gcc alone, of clang alone: dprobes.mk and CMakeLists.txt are made from them.
FLAGS :=
FLAGS_GCC := -mgeneral-regs-only
FLAGS_CLANG := -mfpu=none
