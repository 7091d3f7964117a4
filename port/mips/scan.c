/* SPDX-License-Identifier: BSD-2-Clause */
/* The scan reads the instructions around a site. port/README.md 8 */
#include "dp_scan.h"
#include "mips_port.h"

static bool word_at(uint32_t address, dp_original_at original_at, uint32_t *word)
{
	return original_at(address, (uint8_t *)word, 4);
}

/* Is the site a delay slot? The word before decides, and no extent: a trap in a delay slot that is
 * not known as one stops the firmware. Behind data that looks like a branch a site only costs a
 * second trap. */
static bool after_branch(const struct dp_site *site, dp_original_at original_at, uint32_t *branch)
{
	return word_at(site->address - 4, original_at, branch) && dp_mips_has_delay_slot(*branch);
}

enum dp_err dp_mips_scan(struct dp_site *site, dp_original_at original_at, uint32_t *delay)
{
	enum dp_err error = dp_scan(site, original_at);
	struct dp_mips_plan plan;
	bool jump = site->port.action == DP_MIPS_JUMP;
	uint32_t branch;

	if (error != DP_ERR_OK)
		return error;
	if (after_branch(site, original_at, &branch)) {
		plan = dp_mips_decode(branch, dp_mips->release);
		if (jump || plan.action != DP_MIPS_JUMP)
			return DP_ERR_BAD_DELAY_SLOT;
		site->port.flags |= DP_MIPS_SITE_DELAY;
	}
	if (!jump)
		return DP_ERR_OK;
	site->port.flags |= DP_MIPS_SITE_DELAY; /* the copy is of a delay slot */
	if (!word_at(site->address + 4, original_at, delay))
		return DP_ERR_BAD_DELAY_SLOT;
	plan = dp_mips_decode(*delay, dp_mips->release);
	if (plan.action >= DP_MIPS_JUMP)
		return DP_ERR_BAD_DELAY_SLOT;
	site->port.delay_action = plan.action & 7u;
	site->port.delay_detail = plan.detail & 7u;
	return DP_ERR_OK;
}
