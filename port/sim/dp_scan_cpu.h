/* SPDX-License-Identifier: BSD-2-Clause */
/* The instructions of the simulated CPU, for the scan. */
#ifndef DP_SCAN_CPU_H
#define DP_SCAN_CPU_H

#include "dp_scan.h"
#include "sim_insn.h"

/* The extent tells where instructions begin: the wide form has several lengths, and any form may
 * have instructions at any address. */
static inline bool dp_scan_varies(const struct dp_site *site)
{
	(void)site;
	return true;
}

static inline unsigned dp_scan_unit(const struct dp_site *site)
{
	(void)site;
	return SIM_ALIGN;
}

static inline unsigned dp_scan_bytes(const struct dp_site *site, const union dp_scanned *insn,
				     unsigned there)
{
	(void)site;
	return there < SIM_UNIT ? 0 : sim_bytes(insn->byte);
}

static inline int dp_scan_window(const struct dp_site *site, const union dp_scanned *insn)
{
	const enum sim_insn kind = sim_kind(insn->byte);

	(void)site;
	return (kind == SIM_LOCK) - (kind == SIM_UNLOCK);
}

#endif
