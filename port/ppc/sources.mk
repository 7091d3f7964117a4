# SPDX-License-Identifier: BSD-2-Clause
# The files of the PowerPC port, of which `scons release` makes dprobes_agent.c: 32 bits, big-endian, BookE (440, e500)
# and classic (604, 750; -DDP_PPC_BOOKE=0). -ffixed-r31 in FLAGS_GCC: else GCC with -Os calls libgcc to restore
# registers, and a probe there would meet the agent. -mno-single-pic-base: in a hit r30 is not the image's. README.md: what the firmware has to leave to it.
PORT_SOURCES := decode.c step.c emulate.c slots.c patch.c mem.c time.c vectors.c registers.c \
	entry.S access.S
# What ports share.
SHARED_SOURCES := ../dp_slots.c ../dp_patch.c ../dp_access.c ../dp_stack.c ../dp_scan.c
# Flags of every build, of gcc alone, of clang alone: dprobes.mk and CMakeLists.txt are made from them.
FLAGS := -msoft-float -mno-altivec
FLAGS_GCC := -mno-sdata -mstrict-align -ffixed-r31 -mno-single-pic-base
FLAGS_CLANG := -D_SOFT_FLOAT
