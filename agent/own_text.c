/* SPDX-License-Identifier: BSD-2-Clause */
/* Is the agent's own text out of reach? */
#include "dp_own_text.h"

#include "dp_crc.h"
#include "dp_text.h"

bool dp_text_own(const struct dp_agent *agent)
{
	typedef void (*code)(void);
	static const code folders[] = {(code)dp_agent_trap, (code)dp_crc32,
				       (code)dp_port_exception};
	enum {
		FOLDERS = sizeof(folders) / sizeof(folders[0])
	};

	for (unsigned i = 0; i < FOLDERS + DP_LINES; i++) {
		code at = i < FOLDERS ? folders[i] : (code)agent->board->com[i - FOLDERS].put;

		if (at && dp_text_allowed(agent, (dp_addr)(uintptr_t)at, 1) == DP_ERR_OK)
			return true;
	}
	return false;
}
