/* SPDX-License-Identifier: BSD-2-Clause */
/* Start, modules, lock, poll. */
#include "dp_core.h"
#include "dp_memory.h"

/* The one static of the core: a trap entry has nothing else to start from. */
struct dp_agent *dp_the_agent;

static void clear_tables(struct dp_agent *agent)
{
	for (unsigned i = 0; i < DP_MAX_PROBES; i++) {
		agent->bucket[i] = DP_NONE;
		agent->site[i].chain = DP_SITE_FREE;
		agent->probe[i].program = DP_NONE;
	}
	agent->transmit.target = DP_COM_NONE;
	agent->transmit.mode = DP_MODE_BUFFERED;
	agent->probe_last = DP_MAX_PROBES - 1;
}

static void take_board(struct dp_agent *agent, const struct dp_board *board)
{
	agent->board = board;
	dp_copy(agent->module, &board->image, sizeof(board->image));
	agent->module_count = 1;
}

enum dp_err dp_init(struct dp_agent *agent, const struct dp_memory *memory,
		    const struct dp_board *board)
{
	enum dp_err error;
	uint8_t restored = 0;

	if (!DP_WITH_IDENTITY && !(board->image.build_id && board->image.build_id_bytes))
		return DP_ERR_LEFT_OUT;
	if (DP_WITH_RESTART && (memory->keep_bytes < DP_KEEP_BYTES || !memory->keep))
		return DP_ERR_NO_SPACE;
	dp_the_agent = NULL; /* after a warm restart: no hits until the tables stand */
	dp_clear(agent, sizeof(*agent));
	agent->keep = memory->keep;
	take_board(agent, board);
	clear_tables(agent);
	dp_the_agent = agent;
	error = dp_port_attach(board, memory, &agent->port);
	if (error != DP_ERR_OK) {
		dp_the_agent = NULL;
		return error;
	}
	if (DP_WITH_RESTART)
		restored = dp_keep_restore(agent);
	if (DP_WITH_IDENTITY && !dp_module_stamped(&board->image))
		dp_module_identity(agent, agent->module, agent->identity);
	dp_notice(agent, DP_NOTICE_BOOT, DP_WIDTHS(21), agent->boot, restored);
	return DP_ERR_OK;
}

bool dp_poll(struct dp_agent *agent)
{
	bool left;
	dp_irq irq = dp_port_mask();
	bool entered = !agent->polling;

	agent->polling = 1;
	if (entered)
		dp_hit_recover(agent);
	dp_port_unmask(irq);
	if (!entered)
		return false;
	if (DP_WITH_STORM)
		agent->hits_since_poll = 0;
	if (DP_WITH_CONSOLE && DP_WITH_TIMES)
		dp_receive_timeout(agent);
	if (DP_WITH_PATROL)
		dp_patrol(agent);
	do {
		left = dp_transmit_pump(agent, false);
	} while (dp_command_run(agent, false));
	agent->polling = 0;
	return left;
}

void dp_quiescent(struct dp_agent *agent)
{
	(void)agent;
	dp_port_quiescent();
}

void dp_lock(struct dp_agent *agent)
{
	agent->locked = 1;
}
