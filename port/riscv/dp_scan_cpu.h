/* SPDX-License-Identifier: BSD-2-Clause */
/* The instructions of RISC-V, for the scan. */
#ifndef DP_SCAN_CPU_H
#define DP_SCAN_CPU_H

#include "dp_scan.h"
#include "riscv_port.h"

/* Have instructions several lengths? */
static inline bool dp_scan_varies(const struct dp_site *site)
{
	(void)site;
	return DP_RISCV_WITH_C;
}

/* Return the distance of places where instructions begin. */
static inline unsigned dp_scan_unit(const struct dp_site *site)
{
	(void)site;
	return DP_RISCV_WITH_C ? 2 : 4;
}

/* Return the length of the instruction, which one unit tells. */
static inline unsigned dp_scan_bytes(const struct dp_site *site, const union dp_scanned *insn,
				     unsigned there)
{
	(void)site;
	(void)there;
	return dp_riscv_bytes(insn->half[0]);
}

/* Return 1: opens a window of reserved access; -1: closes one; 0: neither. A 16-bit instruction
 * does neither, whatever stands behind it. */
static inline int dp_scan_window(const struct dp_site *site, const union dp_scanned *insn)
{
	(void)site;
	return dp_riscv_window(insn->word);
}

#endif
