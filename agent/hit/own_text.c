/* SPDX-License-Identifier: BSD-2-Clause */
/* Test whether the board's ranges keep probes out of the agent's own text. */
#include "dp_hit.h"

#include "dp_crc.h"
#include "dp_text.h"

typedef void (*function_at)(void);

static bool may_be_probed(const struct dp_agent *agent, function_at at)
{
	return at && dp_text_allowed(agent, (dp_addr)(uintptr_t)at, 1) == DP_ERR_OK;
}

bool dp_text_own(const struct dp_agent *agent)
{
	static const function_at folders[] = {(function_at)dp_agent_trap, (function_at)dp_crc32,
					      (function_at)dp_port_exception};
	enum {
		DP_FOLDERS = sizeof(folders) / sizeof(folders[0])
	};

	for (unsigned i = 0; i < DP_FOLDERS; i++)
		if (may_be_probed(agent, folders[i]))
			return true;
	for (unsigned i = 0; i < DP_LINES; i++)
		if (may_be_probed(agent, (function_at)agent->board->com[i].put) ||
		    may_be_probed(agent, (function_at)agent->board->com[i].write))
			return true;
	return false;
}
