/* SPDX-License-Identifier: BSD-2-Clause */
/* A probe hit: execute, step, commit, return (DESIGN section 5).  Runs inside the port's trap entry
 * on the private stack, interrupts masked. */
#include "dp_core.h"
#include "dp_order.h"

enum {
	STORM_HITS = 2000
}; /* hits without a dp_poll after which requests are served from hits */

/* --- records --- */

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

/* The items of the program's record mask, in bit order.  protocol/items.def */
static void give_items(struct dp_answer *items, uint8_t mask, const struct dp_agent *agent,
		       const struct dp_frame *frame, uint64_t ticks)
{
	if (mask & DP_ITEM_CPU)
		dp_give(items, DP_WIDTHS(1), dp_port_cpu_number());
	if (mask & DP_ITEM_NAME)
		give_task_name(items, agent->board);
	if (mask & DP_ITEM_PID)
		dp_give(items, DP_WIDTHS(4), agent->board->pid ? agent->board->pid() : 0);
	if (mask & DP_ITEM_PC)
		give_word(items, dp_port_pc(frame));
	if (mask & DP_ITEM_SP)
		give_word(items, dp_port_sp(frame));
	if (mask & DP_ITEM_TSC)
		dp_give(items, DP_WIDTHS(8), ticks);
}

static void store(struct dp_agent *agent, struct dp_record *record, const struct dp_answer *items,
		  const uint8_t *bytes, unsigned count)
{
	record->bytes = (uint16_t)(items->bytes + count);
	if (!dp_ring_begin(&agent->ring, record)) {
		dp_probe_at(agent, record->probe)->dropped++;
		return;
	}
	dp_ring_put(&agent->ring, items->payload, items->bytes);
	dp_ring_put(&agent->ring, bytes, count);
}

static uint8_t flags_of(const struct dp_vm *vm)
{
	unsigned flags = vm->codes_set ? DP_RECORD_CODES : 0;

	if (vm->end == RPN_END_EXCEPTION)
		flags |= DP_RECORD_EXCEPTION;
	if (vm->end == RPN_END_BUDGET)
		flags |= DP_RECORD_BUDGET;
	return (uint8_t)flags;
}

static void log_run(struct dp_agent *agent, const struct dp_vm *vm, const struct dp_probe *probe,
		    uint8_t mask, const struct dp_frame *frame)
{
	uint64_t ticks = dp_now(agent);
	struct dp_answer items;
	struct dp_record record;

	items.bytes = 0;
	give_items(&items, mask, agent, frame, ticks);
	record.kind = DP_RECORD_LOG;
	record.flags = flags_of(vm);
	record.probe = (uint8_t)(probe - agent->probe);
	record.major = vm->major;
	record.minor = vm->minor;
	record.ticks = (uint32_t)ticks;
	record.ticks_high = (uint16_t)(ticks >> 32);
	store(agent, &record, &items, vm->log, vm->log_bytes);
	if (vm->trace_bytes == 0)
		return;
	record.kind = DP_RECORD_TRACE;
	record.flags = vm->trace_truncated ? DP_RECORD_TRUNCATED : 0;
	items.bytes = 0;
	store(agent, &record, &items, vm->trace, vm->trace_bytes);
}

/* --- handlers --- */

static void call_exit_hook(struct dp_agent *agent, struct dp_frame *frame,
			   const struct dp_program_view *view)
{
#if DP_PROFILE == DP_PROFILE_FULL
	unsigned number = agent->vm.exit_number;

	if (number >= 1 && number <= 3 && agent->board->exit_hook[number - 1]) {
		struct dp_hook_call call = {&agent->vm, frame, view};

		agent->board->exit_hook[number - 1](&call);
	}
#else
	(void)agent;
	(void)frame;
	(void)view;
#endif
}

/* What the run makes of the probe. */
static void note_end(struct dp_agent *agent, const struct dp_vm *vm, struct dp_probe *probe)
{
	uint8_t number = (uint8_t)(probe - agent->probe);

	if (vm->end != RPN_END_BUDGET) {
		probe->overruns = 0;
	} else {
		probe->overruns_total++;
		if (++probe->overruns >= DP_OVERRUNS_MAX) {
			probe->state = DP_PROBE_OVERRUN;
			dp_notice(agent, DP_NOTICE_PROBE_DISABLED, DP_WIDTHS(1), number);
		}
	}
	if (vm->remove)
		probe->state = DP_PROBE_REMOVED;
	else if (probe->hits >= probe->maxhits && probe->state == DP_PROBE_ARMED)
		probe->state = DP_PROBE_DISABLED;
}

static void run_handler(struct dp_agent *agent, struct dp_probe *probe, dp_addr address,
			struct dp_frame *frame)
{
	struct dp_program *program = dp_program_at(agent, probe->program);
	struct dp_program_view *view = &program->view;
	const uint8_t *point = dp_program_point(program, probe->point);
	struct dp_vm *vm = &agent->vm;
	const struct dp_vm_hooks hooks = {
		.pid = agent->board->pid,
		.task = agent->board->task,
		.callk = agent->board->callk,
	};

	view->gvars = agent->gv_count;
	view->excpt_mask = dp_get_u16(point + DP_PT_EXCPT_MASK);
	view->minor = dp_get_u16(point + DP_PT_MINOR);
	view->offset = address;
	probe->hits++;
	dp_vm_run(vm, view, (uint16_t)dp_get_u32(point + DP_PT_ENTRY), frame, &hooks);
	if (vm->end != RPN_END_ABORT)
		log_run(agent, vm, probe, program->items, frame);
	call_exit_hook(agent, frame, view);
	note_end(agent, vm, probe);
}

/* Every active probe of the phase at the site, in order of installation. */
static void run_chain(struct dp_agent *agent, const struct dp_site *site, unsigned phase,
		      struct dp_frame *frame)
{
	struct dp_probe *probe = dp_probe_at(agent, site->chain);

	for (; probe; probe = dp_probe_at(agent, probe->next)) {
		if (probe->state != DP_PROBE_ARMED || probe->phase != phase)
			continue;
		if (probe->ignore > 0) {
			probe->ignore--;
			probe->ignored++;
			continue;
		}
		run_handler(agent, probe, site->address, frame);
	}
}

static void count_missed(struct dp_agent *agent, const struct dp_site *site, unsigned phase)
{
	struct dp_probe *probe = dp_probe_at(agent, site->chain);

	for (; probe; probe = dp_probe_at(agent, probe->next))
		if (probe->state == DP_PROBE_ARMED && probe->phase == phase) {
			probe->missed++;
			agent->ring.missed++;
		}
}

/* --- commit --- */

static void finish(struct dp_agent *agent)
{
	dp_ring_commit(&agent->ring);
	agent->pending = DP_NONE;
	if (agent->transmit.mode == DP_MODE_SYNCHRONOUS)
		dp_transmit_pump(agent, true);
	if (++agent->hits_since_poll > STORM_HITS)
		while (dp_command_run(agent, true))
			;
	agent->in_hit = 0;
}

/* The instruction completed, or faulted: the frame is what it left. */
static void run_late(struct dp_agent *agent, uint8_t number, unsigned phase, struct dp_frame *frame)
{
	run_chain(agent, dp_site_at(agent, number), phase, frame);
	dp_site_settle(agent, number);
	finish(agent);
}

static enum dp_taken fail(struct dp_agent *agent, uint8_t number, struct dp_frame *frame)
{
	struct dp_probe *probe = dp_probe_at(agent, dp_site_at(agent, number)->chain);

	for (; probe; probe = dp_probe_at(agent, probe->next))
		if (probe->phase != DP_PHASE_FAULT)
			probe->faulted++;
	dp_ring_abort(agent);
	run_late(agent, number, DP_PHASE_FAULT, frame);
	return DP_FIRMWARE;
}

static bool all_log_on_fault(struct dp_agent *agent, const struct dp_site *site)
{
	const struct dp_probe *probe = dp_probe_at(agent, site->chain);

	while (probe && (probe->logonfault || probe->phase != DP_PHASE_BEFORE))
		probe = dp_probe_at(agent, probe->next);
	return !probe;
}

/* The trap belongs to no site: either the probe has just gone, then the instruction is there again
 * and is retried, or the word is somebody else's. */
static enum dp_taken stray(struct dp_agent *agent, const struct dp_frame *frame)
{
	uint32_t found;

	if (!dp_port_trap_at(frame, &found))
		return DP_RESUME;
	agent->strays++;
	dp_notice(agent, DP_NOTICE_STRAY_TRAP, sizeof(dp_word) == 8 ? DP_WIDTHS(84) : DP_WIDTHS(44),
		  dp_port_pc(frame), found);
	return DP_NOT_OURS;
}

/* A hit inside a hit: the instruction is executed, its probes are not run. */
static enum dp_taken step_missed(struct dp_agent *agent, const struct dp_site *site,
				 struct dp_frame *frame)
{
	bool fires = dp_port_fires(site, frame);
	enum dp_step step;

	if (fires)
		count_missed(agent, site, DP_PHASE_BEFORE);
	step = dp_port_step(site, frame);
	if (step == DP_STEP_FAULT)
		count_missed(agent, site, DP_PHASE_FAULT);
	else if (step == DP_STEP_DONE && fires)
		count_missed(agent, site, DP_PHASE_AFTER);
	return step == DP_STEP_FAULT ? DP_FIRMWARE : DP_RESUME;
}

static enum dp_taken first_trap(struct dp_agent *agent, uint8_t number, struct dp_frame *frame)
{
	struct dp_site *site = dp_site_at(agent, number);
	bool fires;

	if (agent->in_hit)
		return step_missed(agent, site, frame);
	agent->in_hit = 1;
	fires = site->armed && dp_port_fires(site, frame);
	if (fires)
		run_chain(agent, site, DP_PHASE_BEFORE, frame);
	dp_site_settle(agent, number);
	if (agent->transmit.mode == DP_MODE_SYNCHRONOUS && all_log_on_fault(agent, site)) {
		/* the last record before a hang must be seen: do not wait for the step */
		dp_ring_commit(&agent->ring);
		dp_transmit_pump(agent, true);
	}
	switch (dp_port_step(site, frame)) {
	case DP_STEP_FAULT:
		return fail(agent, number, frame);
	case DP_STEP_PENDING:
		agent->pending = number;
		break;
	case DP_STEP_DONE:
		if (fires)
			run_chain(agent, site, DP_PHASE_AFTER, frame);
		dp_site_settle(agent, number);
		finish(agent);
		break;
	case DP_STEP_AWAY:
		finish(agent);
		break;
	}
	return DP_RESUME;
}

enum dp_taken dp_agent_trap(struct dp_frame *frame)
{
	struct dp_agent *agent = dp_the_agent;
	uint8_t i;

	if (!agent) /* a trap word of the run before, met before dp_init */
		return DP_NOT_OURS;
	i = dp_site_find(agent, dp_port_pc(frame));
	return i == DP_NONE ? stray(agent, frame) : first_trap(agent, i, frame);
}

enum dp_taken dp_agent_stepped(struct dp_frame *frame, dp_addr address)
{
	struct dp_agent *agent = dp_the_agent;
	uint8_t i = dp_site_find(agent, address);

	if (i == DP_NONE)
		return DP_NOT_OURS;
	dp_port_stepped(dp_site_at(agent, i), frame);
	if (agent->pending == i)
		run_late(agent, i, DP_PHASE_AFTER, frame);
	else
		count_missed(agent, dp_site_at(agent, i), DP_PHASE_AFTER);
	return DP_RESUME;
}

enum dp_taken dp_agent_fault(struct dp_frame *frame, dp_addr address)
{
	struct dp_agent *agent = dp_the_agent;
	uint8_t i = dp_site_find(agent, address);

	if (i == DP_NONE)
		return DP_NOT_OURS;
	dp_port_step_fault(dp_site_at(agent, i), frame);
	if (agent->pending == i)
		return fail(agent, i, frame);
	count_missed(agent, dp_site_at(agent, i), DP_PHASE_FAULT);
	return DP_FIRMWARE;
}
