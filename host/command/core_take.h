/* SPDX-License-Identifier: BSD-2-Clause */
/* Take a core of a target: registers of the stopped context, tasks, and memory, into a file. */
#ifndef DPH_CORE_TAKE_H
#define DPH_CORE_TAKE_H

#include "cmd_names.h"

struct dph_core_wish {
	const char *path;
	unsigned ranges;    /* enum dph_core_ranges (core_ranges.h) */
	bool small;         /* registers, tasks and the running stack alone */
	const char *reason; /* why; null: the state of the target says it */
};

/* Take a core. The file has registers, tasks and the running stack first, and all that was read
 * when the line fails later.
 * images: where the target runs them; may be empty.
 * Returns the exit status; failures are said. */
int dph_core_take(const struct dph_cli *cli, struct dp_session *session,
		  const struct dph_images *images, const struct dph_core_wish *wish);

#endif
