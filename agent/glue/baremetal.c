/* SPDX-License-Identifier: BSD-2-Clause */
/* Glue for firmware without an operating system. dprobes_settings.h has the settings, and the main
 * loop calls dprobes_loop. */
#include "dprobes_settled.h"

#ifndef DPROBES_IN_HANDLER
#define DPROBES_IN_HANDLER() 0
#endif

int dprobes_start(void)
{
	return start_agent();
}

bool dprobes_loop(void)
{
	bool left = dprobes_poll();

	/* What no handler has interrupted stands in no slot. */
	if (!DPROBES_IN_HANDLER())
		dprobes_quiescent();
	return left;
}
