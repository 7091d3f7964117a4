/* SPDX-License-Identifier: BSD-2-Clause */
/* The instructions of PowerPC, for the scan. */
#ifndef DP_SCAN_CPU_H
#define DP_SCAN_CPU_H

#include "dp_scan.h"
#include "ppc_port.h"

/* Have instructions several lengths? */
static inline bool dp_scan_varies(const struct dp_site *site)
{
	(void)site;
	return false;
}

/* Return the distance of instructions, in bytes. */
static inline unsigned dp_scan_unit(const struct dp_site *site)
{
	(void)site;
	return 4;
}

static inline unsigned dp_scan_bytes(const struct dp_site *site, const union dp_scanned *insn)
{
	(void)site;
	(void)insn;
	return 4;
}

/* Return 1: opens a window of reserved access; -1: closes one; 0: neither. */
static inline int dp_scan_window(const struct dp_site *site, const union dp_scanned *insn)
{
	(void)site;
	return dp_ppc_opens_window(insn->word) - dp_ppc_closes_window(insn->word);
}

#endif
