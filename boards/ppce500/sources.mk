# SPDX-License-Identifier: BSD-2-Clause
# ppce500: another BookE core, with another TLB, UARTs and interrupt controller.
include ../bamboo/sources.mk
CPU_FLAGS = -mcpu=8548 -DDP_PPC_BOOKE=1 $(QUIRKS) $(ABI_FLAGS)
SOURCES_BOARD = boards/ppce500/board.c boards/cpu/ppc/common.c boards/cpu/ppc/decrementer.c boards/cpu/ppc/pages_e500.c boards/cpu/pc/ns16550.c
SOURCES_ASM = boards/cpu/ppc/start.S boards/cpu/ppc/mmu_e500.S boards/demo/ppc/arch_ppc.S
MACHINE = ppce500
CPU = e500v2
