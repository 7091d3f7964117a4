/* SPDX-License-Identifier: BSD-2-Clause */
/* Test whether the board's ranges keep probes out of the agent's own text. */
#include "dp_hit.h"

#include "dp_crc.h"
#include "dp_text.h"

typedef void (*code)(void);

static bool may_be_probed(const struct dp_agent *agent, code at)
{
	return at && dp_text_allowed(agent, (dp_addr)(uintptr_t)at, 1) == DP_ERR_OK;
}

bool dp_text_own(const struct dp_agent *agent)
{
	static const code folders[] = {(code)dp_agent_trap, (code)dp_crc32,
				       (code)dp_port_exception};
	enum {
		DP_FOLDERS = sizeof(folders) / sizeof(folders[0])
	};

	for (unsigned i = 0; i < DP_FOLDERS; i++)
		if (may_be_probed(agent, folders[i]))
			return true;
	for (unsigned i = 0; i < DP_LINES; i++)
		if (may_be_probed(agent, (code)agent->board->com[i].put) ||
		    may_be_probed(agent, (code)agent->board->com[i].write))
			return true;
	return false;
}
