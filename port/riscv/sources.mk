# SPDX-License-Identifier: BSD-2-Clause
# The files of the RISC-V port, of which `scons release` makes dprobes_agent.c: RV32 and RV64 in M mode, with and without
# instructions of 16 bits.
PORT_SOURCES := decode.c step.c emulate.c scan.c slots.c patch.c mem.c time.c vectors.c registers.c triggers.c accessed.c \
	entry.S access.S
# What ports share.
SHARED_SOURCES := ../dp_slots.c ../dp_patch.c ../dp_access.c ../dp_stack.c ../dp_scan.c
# Flags of every build, of gcc alone, of clang alone: dprobes.mk and CMakeLists.txt are made from them.
FLAGS :=
FLAGS_GCC :=
FLAGS_CLANG :=
