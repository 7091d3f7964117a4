/* SPDX-License-Identifier: BSD-2-Clause */
/* Two copies of one module, "plugin-a" and "plugin-b", each announced to the agent at its address.
 */
#include "plugins.h"

#include <string.h>

#include "arm_board.h"
#include "dprobes.h"
#include "kernel.h"
#include "plugin/plugin.h"

#define COPIES     2u
#define COPY_BYTES 512u
#define PERIOD_MS  5u

extern const uint8_t plugin_blob[], plugin_blob_end[];

/* Loaded code: a row of the agent's ranges (agent_glue.c). */
static uint8_t room[COPIES][COPY_BYTES] __attribute__((section(".modules"), aligned(64)));
static struct plugin_state state[COPIES];

static void load(unsigned copy, const char *name)
{
	size_t bytes = (size_t)(plugin_blob_end - plugin_blob);

	if (bytes > COPY_BYTES)
		kernel_panic("the module does not fit its room");
	memcpy(room[copy], plugin_blob, bytes);
	arm_cache_clean_invalidate();
	dprobes_module_loaded(name, (dprobes_word)(uintptr_t)room[copy], PLUGIN_LINKED,
			      (dprobes_word)bytes, room[copy] + PLUGIN_BUILD_ID);
}

static void run(unsigned copy)
{
	uintptr_t entry = (uintptr_t)room[copy] + PLUGIN_ENTRY;

	((uint32_t(*)(struct plugin_state *))(entry | 1))(&state[copy]);
}

static void plugins_main(void *arg)
{
	(void)arg;
	for (;;) {
		for (unsigned copy = 0; copy < COPIES; copy++)
			run(copy);
		task_sleep_ms(PERIOD_MS);
	}
}

void plugins_create(void)
{
	static uint64_t stack[192];

	load(0, "plugin-a");
	load(1, "plugin-b");
	task_create("plugins", PRIORITY_LOG, plugins_main, NULL, stack, sizeof(stack));
}
