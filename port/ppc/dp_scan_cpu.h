/* SPDX-License-Identifier: BSD-2-Clause */
/* The instructions of PowerPC, for the scan. */
#ifndef DP_SCAN_CPU_H
#define DP_SCAN_CPU_H

#include "dp_scan_fixed.h"
#include "ppc_port.h"

/* Return 1: opens a window of reserved access; -1: closes one; 0: neither. */
static inline int dp_scan_window(const struct dp_site *site, const union dp_scanned *insn)
{
	(void)site;
	return dp_ppc_window(insn->word);
}

#endif
