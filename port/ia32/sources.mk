# SPDX-License-Identifier: BSD-2-Clause
# The files of the IA32 port: flat segments of 32 bits. FLAGS keeps agent and port from the registers of x87, MMX and SSE, which
# nobody saves around a hit.
PORT_SOURCES := decode.c step.c emulate.c slots.c patch.c mem.c time.c vectors.c registers.c segments.c outer.c watch.c entry.S access.S
# What ports share.
SHARED_SOURCES := ../dp_slots.c ../dp_patch.c ../dp_access.c ../dp_stack.c ../dp_scan.c
# Flags of every build, of gcc alone, of clang alone: dprobes.mk and CMakeLists.txt are made from them.
FLAGS := -mgeneral-regs-only -fcf-protection=none
FLAGS_GCC :=
FLAGS_CLANG :=
