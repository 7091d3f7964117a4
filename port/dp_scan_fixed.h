/* SPDX-License-Identifier: BSD-2-Clause */
/* For the scan: a CPU whose instructions all have four bytes. The dp_scan_cpu.h of such a port
 * includes this header, and adds dp_scan_window. */
#ifndef DP_SCAN_FIXED_H
#define DP_SCAN_FIXED_H

#include "dp_scan.h"

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

static inline unsigned dp_scan_bytes(const struct dp_site *site, const union dp_scanned *insn,
				     unsigned there)
{
	(void)site;
	(void)insn;
	(void)there;
	return 4;
}

#endif
