/* SPDX-License-Identifier: BSD-2-Clause */
/* The instructions of ARM, for the scan. */
#ifndef DP_SCAN_CPU_H
#define DP_SCAN_CPU_H

#include "arm_port.h"
#include "dp_scan.h"

/* Have instructions several lengths? */
static inline bool dp_scan_varies(const struct dp_site *site)
{
	return dp_arm_is_thumb(site);
}

/* Return the distance of places where instructions begin. */
static inline unsigned dp_scan_unit(const struct dp_site *site)
{
	return dp_arm_is_thumb(site) ? 2 : 4;
}

/* Return the length of the instruction, which one unit tells. */
static inline unsigned dp_scan_bytes(const struct dp_site *site, const union dp_scanned *insn,
				     unsigned there)
{
	(void)there;
	return dp_arm_is_thumb(site) ? dp_thumb_bytes(insn->half[0]) : 4;
}

/* Return 1: opens a window of exclusive access; -1: closes one; 0: neither. A 16-bit instruction
 * does neither, whatever stands behind it. */
static inline int dp_scan_window(const struct dp_site *site, const union dp_scanned *insn)
{
	if (dp_arm_is_thumb(site))
		return dp_thumb_window((uint32_t)insn->half[0] << 16 | insn->half[1]);
	return dp_arm_window(insn->word, false);
}

#endif
