/* SPDX-License-Identifier: BSD-2-Clause */
/* What the demo kernel and its loadable module agree on. The module's bytes begin with its build-id
 * note; the code of plugin_work begins at PLUGIN_ENTRY. */
#ifndef DEMO_PLUGIN_H
#define DEMO_PLUGIN_H

#include <stdint.h>

enum {
	PLUGIN_LINKED = 0x1000, /* plugin.ld */
	PLUGIN_BUILD_ID = 16,   /* behind the head of the note and the name "GNU" */
	PLUGIN_ENTRY = 64
};

struct plugin_state {
	uint32_t steps, value;
};

uint32_t plugin_work(struct plugin_state *state);

#endif
