# SPDX-License-Identifier: BSD-2-Clause
# 40p: a classic PowerPC.
include ../bamboo/sources.mk
CPU_FLAGS = -mcpu=750 -DDP_PPC_BOOKE=0 -DBOARD_QUIRKS=DP_QUIRK_MTMSR_KEEPS_ME $(ABI_FLAGS)
SOURCES_BOARD = boards/40p/board.c boards/cpu/ppc/common.c boards/cpu/ppc/decrementer.c boards/cpu/ppc/pages_bat.c boards/cpu/pc/ns16550.c boards/cpu/pc/i8259.c
SOURCES_ASM = boards/cpu/ppc/start.S boards/cpu/ppc/mmu_bat.S boards/40p/reset.S boards/demo/ppc/arch_ppc.S
LINKER_SCRIPT = boards/40p/link.ld
MACHINE = 40p
CPU = 750
# Hits call board_counter here.
AGENT_KNOBS = DP_EMBED_BYTES=2048 DP_FLIGHT_BYTES=4096
# A reset enters this image, not a loader: it does not move.
MOVED_SOURCES =
