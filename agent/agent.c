/* SPDX-License-Identifier: BSD-2-Clause */
/* Start, modules, lock, poll. */
#include "dp_bytes.h"
#include "dp_core.h"
#include "dp_memory.h"

/* The one static of the core: a trap entry has nothing else to start from. */
struct dp_agent *dp_the_agent;

static void clear_tables(struct dp_agent *agent)
{
	for (unsigned i = 0; i < DP_MAX_PROBES; i++)
		agent->bucket[i] = DP_NONE;
	agent->pending = DP_NONE;
	agent->transmit.target = DP_COM_NONE;
	agent->transmit.mode = DP_MODE_BUFFERED;
	agent->probe_last = DP_MAX_PROBES - 1;
}

/* The image's identity where the board gives no build-id: CRC and length of its text. */
static void take_identity(struct dp_agent *agent)
{
	const struct dp_module *image = &agent->board->image;
	uint32_t crc = 0;

	agent->module[0] = *image;
	agent->module_count = 1;
	if (image->build_id)
		return;
	dp_text_crc(agent, image->base, (uint32_t)image->bytes, true, &crc, NULL);
	dp_put_u32(agent->identity, crc);
	dp_put_u32(agent->identity + 4, (uint32_t)image->bytes);
}

enum dp_err dp_init(struct dp_agent *agent, const struct dp_memory *memory,
		    const struct dp_board *board)
{
	uint8_t boot[3];
	enum dp_err error;

	if (memory->keep_bytes < DP_KEEP_BYTES || !memory->keep)
		return DP_ERR_NO_SPACE;
	dp_the_agent = NULL; /* after a warm restart: no hits until the tables stand */
	dp_clear(agent, sizeof(*agent));
	agent->board = board;
	agent->keep = memory->keep;
	clear_tables(agent);
	dp_the_agent = agent;
	error = dp_port_attach(board, memory, &agent->port);
	if (error != DP_ERR_OK) {
		dp_the_agent = NULL;
		return error;
	}
	boot[2] = dp_keep_restore(agent);
	dp_put_u16(boot, agent->boot);
	take_identity(agent);
	dp_notice(agent, DP_NOTICE_BOOT, boot, sizeof(boot));
	return DP_ERR_OK;
}

bool dp_poll(struct dp_agent *agent)
{
	bool left;
	dp_irq irq = dp_port_mask();
	bool entered = !agent->polling;

	agent->polling = 1;
	dp_port_unmask(irq);
	if (!entered)
		return false;
	agent->hits_since_poll = 0;
	dp_receive_timeout(agent);
	do {
		left = dp_transmit_pump(agent, false);
	} while (dp_command_run(agent, false));
	left |= agent->link.queue_head != agent->link.queue_tail;
	agent->polling = 0;
	return left;
}

static int find_module(const struct dp_agent *agent, const char *name)
{
	for (int i = 1; i < agent->module_count; i++) {
		const char *a = agent->module[i].name, *b = name;

		while (*a != '\0' && *a == *b)
			a++, b++;
		if (*a == *b)
			return i;
	}
	return -1;
}

enum dp_err dp_module_loaded(struct dp_agent *agent, const struct dp_module *module)
{
	enum dp_err error = DP_ERR_TABLE_FULL;
	dp_irq irq;

	dp_module_unloaded(agent, module->name);
	irq = dp_port_mask();
	if (agent->module_count < DP_MAX_MODULES) {
		agent->module[agent->module_count++] = *module;
		dp_module_arm(agent, &agent->module[agent->module_count - 1]);
		error = DP_ERR_OK;
	}
	dp_port_unmask(irq);
	return error;
}

void dp_module_unloaded(struct dp_agent *agent, const char *name)
{
	dp_irq irq = dp_port_mask();
	int i = find_module(agent, name);

	if (i > 0) {
		dp_module_disarm(agent, &agent->module[i]);
		agent->module[i] = agent->module[--agent->module_count];
	}
	dp_port_unmask(irq);
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
