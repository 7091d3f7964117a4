/* SPDX-License-Identifier: BSD-2-Clause */
/* Start, modules, lock, poll. */
#include "dp_agent.h"

#include "dp_build.h"
#include "dp_clock.h"
#include "dp_exits.h"
#include "dp_flight.h"
#include "dp_halt_step.h"
#include "dp_hit.h"
#include "dp_identity.h"
#include "dp_lock.h"
#include "dp_log_ring.h"
#include "dp_memory.h"
#include "dp_probes.h"
#include "dp_requests.h"
#include "dp_rights.h"
#include "dp_storm.h"
#include "dp_text.h"
#include "dp_timers.h"
#include "dp_watches.h"
#include "dp_wire.h"
#include "dp_work.h"

/* --- features --- */

static const struct dp_feature *const features[] = {
	/* The comma goes with its row. */
	/* clang-format off */
	DP_IF(DP_WITH_STORM, &dp_feature_storm,)
	DP_IF(DP_WITH_D, &dp_feature_d,) /* stops programs before their ticks run */
	DP_IF(DP_WITH_TIMERS, &dp_feature_timers,)
	DP_IF(DP_WITH_D, DP_IF(DP_WITH_HISTORY, &dp_feature_speculate,)) /* behind the last handlers */
	DP_IF(DP_WITH_INTEGRITY, &dp_feature_integrity,)
	DP_IF(DP_WITH_HISTORY, &dp_feature_history,) /* has the number of the start of INTEGRITY */
	DP_IF(DP_WITH_STREAM, &dp_feature_stream,) /* reports the traps that INTEGRITY restored */
	/* clang-format on */
	NULL,
};

static enum dp_err features_accept(const struct dp_memory *memory)
{
	enum dp_err error = DP_ERR_OK;

	for (const struct dp_feature *const *f = features; *f && error == DP_ERR_OK; f++)
		if ((*f)->accept)
			error = (*f)->accept(memory);
	return error;
}

static void features_start(struct dp_agent *agent)
{
	for (const struct dp_feature *const *f = features; *f; f++)
		if ((*f)->start)
			(*f)->start(agent);
}

static void features_poll(struct dp_agent *agent)
{
	for (const struct dp_feature *const *f = features; *f; f++)
		if ((*f)->poll)
			(*f)->poll(agent);
}

/* --- start --- */

static void clear_tables(struct dp_agent *agent)
{
	for (unsigned i = 0; i < DP_SITE_BUCKETS; i++)
		agent->bucket[i] = DP_NONE;
	for (unsigned i = 0; i < DP_MAX_PROBES; i++) {
		agent->site[i].chain = DP_SITE_FREE;
		agent->probe[i].program = DP_NONE;
	}
	for (unsigned i = DP_WATCH_BASE; i < DP_SITES; i++)
		agent->site[i].chain = DP_SITE_FREE;
	agent->transmit.target = DP_COM_NONE;
	agent->transmit.mode = DP_MODE_BUFFERED;
	agent->probe_last = DP_MAX_PROBES - 1;
	agent->summing = DP_NONE;
	dp_returned_clear(agent);
	agent->moving = DP_NONE;
}

static void take_board(struct dp_agent *agent, const struct dp_board *board)
{
	agent->board = board;
	dp_copy(agent->module, &board->image, sizeof(board->image));
	agent->module_count = 1;
	dp_exits_start(agent);
}

/* The bytes as they lie are the number of the wire: any number will do. */
static void make_nonce(struct dp_agent *agent)
{
	uint64_t nonce = dp_rights_entropy(agent) + ((uint64_t)agent->boot << 48) + dp_now(agent);

	dp_copy(agent->nonce, &nonce, sizeof(agent->nonce));
}

enum dp_err dp_init(struct dp_agent *agent, const struct dp_memory *memory,
		    const struct dp_board *board)
{
	enum dp_err error = features_accept(memory);

	dp_the_agent = NULL; /* after a warm restart: no hits until the tables are set up */
	if (error != DP_ERR_OK)
		return error;
	dp_clear(agent, sizeof(*agent));
	agent->keep = memory->keep;
#if DP_PORT_COMPARATORS > 0
	agent->memory = memory;
#endif
	dp_storm_serve_by(agent, dp_command_run);
	take_board(agent, board);
	clear_tables(agent);
	dp_the_agent = agent;
	error = dp_rights_start(agent, memory);
	if (error == DP_ERR_OK)
		error = dp_port_attach(board, memory, &agent->port);
	if (error == DP_ERR_OK)
		error = dp_clock_accept(agent);
	if (error != DP_ERR_OK) {
		dp_the_agent = NULL;
		return error;
	}
	dp_bounds_start(agent);
	features_start(agent);
	make_nonce(agent);
	if (!dp_module_stamped(&board->image))
		dp_module_identity(agent->module, agent->identity);
	dp_embed_arm(agent);
	return DP_ERR_OK;
}

/* --- poll --- */

/* Do records wait for a stream that is there? */
static bool records_wait(const struct dp_agent *agent)
{
	if (agent->transmit.target == DP_COM_NONE)
		return false;
	for (unsigned i = 0; i < DP_PORT_CPUS; i++)
		if (agent->cpu[i].ring.committed != agent->cpu[i].ring.next.at)
			return true;
	return false;
}

/* Is there nothing to do but what waits for a later poll: the patrol, a sync, the time from which
 * hits count on? A clock may stand still, so polls count as well. A poll that meets another one
 * ends no storm. */
static bool rests(struct dp_agent *agent)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);

	dp_ring_barrier(); /* what interrupts and hits write is read at each poll */
	if (agent->poll_due || agent->polling || cpu->in_hit || records_wait(agent))
		return false;
	if (++cpu->rests >= DP_REST_POLLS || dp_now_low(agent) - cpu->rests_since > cpu->rests_for)
		return false;
	dp_storm_polled(agent);
	return true;
}

/* This poll looks for all work: the next ones may rest. */
static void begin_rest(struct dp_agent *agent)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);
	uint32_t hz = dp_tick_hz(agent);

	agent->poll_due = 0;
	cpu->rests = 0;
	cpu->rests_since = dp_now_low(agent);
	cpu->rests_for = hz != 0 ? hz / DP_REST_HZ : UINT32_MAX;
}

/* The rest ends when the next tick is due. */
static void rest_until_tick(struct dp_agent *agent)
{
	struct dp_per_cpu *cpu = DP_THIS_CPU(agent);
	uint32_t wait, passed;

	if (!dp_timers_tick(agent))
		return;
	wait = dp_timers_wait(agent, dp_now(agent));
	passed = dp_now_low(agent) - cpu->rests_since;
	if (wait == 0)
		agent->poll_due = 1;
	else if (passed < cpu->rests_for && wait - 1 < cpu->rests_for - passed)
		cpu->rests_for = passed + wait - 1;
}

/* Look for all work, and do it. returns: is some left? */
static DP_APART bool do_work(struct dp_agent *agent)
{
	bool left, ran = false;
	dp_irq irq = dp_lock_take();
	bool entered = !agent->polling;

	if (agent->polling != dp_this_cpu() + 1) /* another CPU at work may wait for this one */
		dp_hit_recover(agent);
	if (entered) {
		agent->polling = (uint8_t)(dp_this_cpu() + 1);
		begin_rest(agent);
		dp_watches_wake(agent);
	}
	agent->woken = 0;
	dp_lock_give(irq);
	dp_clock_note(agent);
	if (!entered)
		return false;
	for (unsigned i = 0; i < DP_LINES; i++)
		agent->wire[i].may_send = DP_POLL_BYTES;
	features_poll(agent);
	for (;;) {
		left = dp_transmit_pump(agent);
		left |= dp_console_tell_room(agent);
		if (!dp_command_run(agent, false))
			break;
		ran = true;
	}
	if (left || ran)
		agent->poll_due = 1;
	rest_until_tick(agent);
	agent->polling = 0;
	return left;
}

/* A tick wants a poll soon, as work that is left does. */
bool dp_poll_from(struct dp_agent *agent, const void *caller)
{
	bool left = (!rests(agent) && do_work(agent)) || dp_timers_tick(agent);

	if (dp_halt_due(agent))
		dp_halt_in_poll(agent, caller);
	return left;
}

bool dp_poll(struct dp_agent *agent)
{
	return dp_poll_from(agent, __builtin_return_address(0));
}

void dp_quiescent(struct dp_agent *agent)
{
	dp_irq irq = dp_lock_take(); /* a main loop calls this with interrupts open */

	if (DP_PORT_CPUS == 1 || !agent->executing) /* else another CPU may be taking a slot */
		dp_port_quiescent();
	dp_lock_give(irq);
}

#if DP_WITH_HISTORY
void dp_freeze(struct dp_agent *agent)
{
	dp_flight_freeze_at_once(agent);
}
#endif

void dp_lock(struct dp_agent *agent)
{
	dp_irq irq = dp_lock_take();

	agent->locked = 1;
	agent->link.rights &= DP_RIGHT_LOOK;
	dp_lock_give(irq);
}
