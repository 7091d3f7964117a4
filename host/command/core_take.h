/* SPDX-License-Identifier: BSD-2-Clause */
/* Take a core of a target: registers of the stopped context, tasks, and memory, into a file. */
#ifndef DPH_CORE_TAKE_H
#define DPH_CORE_TAKE_H

#include "cmd_names.h"

/* The memory of a core, added. */
enum dph_core_ranges {
	DPH_CORE_STACK = 1, /* stacks of the tasks that are known, and sections named so */
	DPH_CORE_DATA = 2,  /* sections that the firmware writes, with bytes in its file */
	DPH_CORE_BSS = 4,   /* the other ones that it writes */
	DPH_CORE_ALL = 8,   /* all memory that the board's table lets be read and written */
	DPH_CORE_USUAL = DPH_CORE_STACK | DPH_CORE_DATA | DPH_CORE_BSS
};

struct dph_core_wish {
	const char *path;
	unsigned ranges;    /* enum dph_core_ranges */
	bool small;         /* registers, tasks and the running stack alone */
	const char *reason; /* why; null: the state of the target says it */
};

/* Read the words of --ranges. Returns false with *status set for another word, which is said. */
bool dph_core_ranges_read(const struct dph_cli *cli, unsigned *ranges, int *status);

/* Take a core. The file has registers, tasks and the running stack first, and all that was read
 * when the line fails later.
 * images: where the target runs them; may be empty.
 * Returns the exit status; failures are said. */
int dph_core_take(const struct dph_cli *cli, struct dp_session *session,
		  const struct dph_images *images, const struct dph_core_wish *wish);

#endif
