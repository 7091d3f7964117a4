/* SPDX-License-Identifier: BSD-2-Clause */
/* The items of a program's record mask, in bit order.  protocol/items.def */
#include "dp_items.h"

#include "dp_order.h"

#if DP_WITH_STREAM
static void give_word(struct dp_answer *items, dp_word value)
{
	uint8_t word[sizeof(value)];

	dp_store_word(word, value);
	dp_give_bytes(items, word, sizeof(word));
}

static void give_task_name(struct dp_answer *items, const struct dp_board *board)
{
	const char *name = board->task_name ? board->task_name() : "";

	for (unsigned i = 0; i < 8; i++) {
		dp_give_bytes(items, name, 1);
		if (*name != '\0')
			name++;
	}
}

/* A board that names its tasks by an address only has that. */
static uint32_t pid_of(const struct dp_board *board)
{
	if (board->pid)
		return board->pid();
	return board->task ? (uint32_t)board->task() : 0;
}

void dp_give_items(struct dp_answer *items, uint8_t mask, const struct dp_agent *agent,
		   const struct dp_frame *frame, uint64_t ticks)
{
	uint8_t cpu = (uint8_t)dp_port_cpu_number();
	uint32_t pid = mask & DP_ITEM_PID ? pid_of(agent->board) : 0;

	if (mask & DP_ITEM_CPU)
		dp_give_bytes(items, &cpu, 1);
	if (mask & DP_ITEM_NAME)
		give_task_name(items, agent->board);
	if (mask & DP_ITEM_PID)
		dp_give_number(items, &pid, 4);
	if (mask & DP_ITEM_PC)
		give_word(items, dp_port_pc(frame));
	if (mask & DP_ITEM_SP)
		give_word(items, dp_port_sp(frame));
	if (mask & DP_ITEM_TSC)
		dp_give_number(items, &ticks, 8);
}
#endif
