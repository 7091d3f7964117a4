/* SPDX-License-Identifier: BSD-2-Clause */
/* The items of a program's record mask, in bit order.  protocol/items.def */
#include "dp_items.h"

#include "dp_memory.h"
#include "dp_vm.h"

#if DP_WITH_STREAM
static void give_word(struct dp_answer *items, dp_word value)
{
	uint8_t word[sizeof(value)];

	dp_store_word(word, value);
	dp_give_bytes(items, word, sizeof(word));
}

static void give_task_name(struct dp_answer *items, const char *name)
{
	for (unsigned i = 0; i < 8; i++) {
		dp_give_bytes(items, name, 1);
		if (*name != '\0')
			name++;
	}
}

static const struct dp_task *task_of(struct dp_agent *agent)
{
	return dp_vm_task(&DP_THIS_CPU(agent)->vm, &agent->board->hooks);
}

void dp_give_items(struct dp_answer *items, uint8_t mask, struct dp_agent *agent,
		   const struct dp_frame *frame, uint64_t ticks)
{
	uint8_t cpu = (uint8_t)dp_port_cpu_number();

	if (mask & DP_ITEM_CPU)
		dp_give_bytes(items, &cpu, 1);
	if (mask & DP_ITEM_NAME)
		give_task_name(items, task_of(agent)->name);
	if (mask & DP_ITEM_PID)
		dp_give_number(items, &task_of(agent)->pid, 4);
	if (mask & DP_ITEM_PC)
		give_word(items, dp_port_pc(frame));
	if (mask & DP_ITEM_SP)
		give_word(items, dp_port_sp(frame));
	if (mask & DP_ITEM_TSC)
		dp_give_number(items, &ticks, 8);
}
#endif
