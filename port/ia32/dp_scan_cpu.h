/* SPDX-License-Identifier: BSD-2-Clause */
/* The instructions of IA32, for the scan. */
#ifndef DP_SCAN_CPU_H
#define DP_SCAN_CPU_H

#include "dp_scan.h"
#include "ia32_decode.h"

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
	return 1;
}

/* Return the length of the instruction, if these bytes tell it. */
static inline unsigned dp_scan_bytes(const struct dp_site *site, const union dp_scanned *insn,
				     unsigned there)
{
	(void)site;
	return dp_ia32_decode(insn->byte, there).bytes;
}

/* There are no windows of reserved access. */
static inline int dp_scan_window(const struct dp_site *site, const union dp_scanned *insn)
{
	(void)site;
	(void)insn;
	return 0;
}

#endif
