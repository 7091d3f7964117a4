# SPDX-License-Identifier: BSD-2-Clause
# 40p: a classic PowerPC.
include ../bamboo/sources.mk
CPU_FLAGS = -mcpu=750 -DDP_PPC_BOOKE=0 -DBOARD_QUIRKS=DP_QUIRK_MTMSR_KEEPS_ME $(ABI_FLAGS)
SOURCES_BOARD = boards/40p/board.c boards/ppc/common.c boards/ppc/decrementer.c boards/ppc/pages_bat.c boards/pc/ns16550.c boards/pc/i8259.c
SOURCES_ASM = boards/ppc/start.S boards/ppc/mmu_bat.S boards/40p/reset.S boards/demo/ppc/arch_ppc.S
LINKER_SCRIPT = boards/40p/link.ld
MACHINE = 40p
CPU = 750
