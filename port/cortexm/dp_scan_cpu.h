/* SPDX-License-Identifier: BSD-2-Clause */
/* The instructions of the M profile, for the scan. */
#ifndef DP_SCAN_CPU_H
#define DP_SCAN_CPU_H

#include "cortexm_port.h"
#include "dp_scan.h"

/* Have instructions several lengths? */
static inline bool dp_scan_varies(const struct dp_site *site)
{
	(void)site;
	return true;
}

/* Return the distance of places where instructions begin. */
static inline unsigned dp_scan_unit(const struct dp_site *site)
{
	(void)site;
	return 2;
}

/* Return the length of the instruction, which one unit tells. */
static inline unsigned dp_scan_bytes(const struct dp_site *site, const union dp_scanned *insn,
				     unsigned there)
{
	(void)site;
	(void)there;
	return dp_thumb_bytes(insn->half[0]);
}

/* Return what the instruction does to a window without probes. */
static inline int dp_scan_window(const struct dp_site *site, const union dp_scanned *insn)
{
	(void)site;
	return dp_cortexm_window((uint32_t)insn->half[0] << 16 | insn->half[1]);
}

#endif
