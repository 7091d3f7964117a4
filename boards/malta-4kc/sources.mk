# SPDX-License-Identifier: BSD-2-Clause
# malta with a release 1 CPU: no EBase, no SYNCI, no EHB.
include ../malta/sources.mk
CPU_FLAGS = -march=mips32 $(ABI_FLAGS)
CPU = 4Kc
# Hits call board_counter here.
AGENT_KNOBS = DP_EMBED_BYTES=2048 DP_FLIGHT_BYTES=4096
