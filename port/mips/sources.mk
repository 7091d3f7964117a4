# SPDX-License-Identifier: BSD-2-Clause
# The files of the MIPS port, of which `scons release` makes dprobes_agent.c: MIPS32 release 1 to 5, either byte order.
PORT_SOURCES := decode.c step.c emulate.c scan.c slots.c patch.c mem.c time.c vectors.c registers.c \
	entry.S access.S
# What ports share.
SHARED_SOURCES := ../dp_slots.c ../dp_patch.c ../dp_access.c ../dp_stack.c ../dp_scan.c
# Flags of every build, of gcc alone, of clang alone: dprobes.mk and CMakeLists.txt are made from them.
FLAGS := -msoft-float -mno-abicalls -G0
FLAGS_GCC :=
FLAGS_CLANG :=
