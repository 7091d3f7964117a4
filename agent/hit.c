/* SPDX-License-Identifier: BSD-2-Clause */
/* A probe hit: execute, step, commit, return (DESIGN section 5).  Runs inside the port's trap entry
 * on the private stack, interrupts masked. */
#include "dp_core.h"
#include "dp_crc.h"
#include "dp_memory.h"

enum {
	STORM_HITS = 2000
}; /* hits without a dp_poll after which requests are served from hits */

/* --- records --- */

static void put_word(uint8_t *to, dp_word value)
{
	for (unsigned i = 0; i < sizeof(value); i++) {
		unsigned shift = DP_PORT_BIG_ENDIAN ? 8 * (unsigned)(sizeof(value) - 1 - i) : 8 * i;

		to[i] = (uint8_t)(value >> shift);
	}
}

static unsigned put_number(uint8_t *to, uint64_t value, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		to[i] = (uint8_t)(value >> (8 * (bytes - 1 - i)));
	return bytes;
}

static unsigned put_task_name(const struct dp_board *board, uint8_t *to)
{
	const char *name = board->task_name ? board->task_name() : "";

	for (unsigned i = 0; i < 8; i++) {
		to[i] = (uint8_t)*name;
		if (*name != '\0')
			name++;
	}
	return 8;
}

enum {
	ITEM_BYTES_MAX = 1 + 8 + 4 + 2 * sizeof(dp_word) + 8
};

/* The items of the program's record mask, in bit order.  protocol/items.def */
static uint16_t put_items(const struct dp_agent *agent, uint8_t items, const struct dp_frame *frame,
			  uint64_t ticks, uint8_t *to)
{
	const struct dp_board *board = agent->board;
	uint16_t n = 0;

	if (items & DP_ITEM_CPU)
		to[n++] = (uint8_t)dp_port_cpu_number();
	if (items & DP_ITEM_NAME)
		n = (uint16_t)(n + put_task_name(board, to + n));
	if (items & DP_ITEM_PID)
		n = (uint16_t)(n + put_number(to + n, board->pid ? board->pid() : 0, 4));
	if (items & DP_ITEM_PC) {
		put_word(to + n, dp_port_pc(frame));
		n += sizeof(dp_word);
	}
	if (items & DP_ITEM_SP) {
		put_word(to + n, dp_port_sp(frame));
		n += sizeof(dp_word);
	}
	if (items & DP_ITEM_TSC)
		n = (uint16_t)(n + put_number(to + n, ticks, 8));
	return n;
}

static void count_dropped(struct dp_probe *probe, bool stored)
{
	if (!stored)
		probe->dropped++;
}

static void log_run(struct dp_agent *agent, uint8_t number, const struct dp_frame *frame)
{
	const struct dp_vm *vm = &agent->vm;
	struct dp_probe *probe = &agent->probe[number];
	const struct dp_program *program = &agent->program[probe->program];
	uint64_t ticks = dp_now(agent);
	uint8_t items[ITEM_BYTES_MAX];
	uint16_t item_bytes = put_items(agent, program->items, frame, ticks, items);
	struct dp_log_head head = {
		.bytes = (uint16_t)(item_bytes + vm->log_bytes),
		.kind = DP_RECORD_LOG,
		.flags = (uint8_t)((vm->end == RPN_END_EXCEPTION ? DP_RECORD_EXCEPTION : 0) |
				   (vm->end == RPN_END_BUDGET ? DP_RECORD_BUDGET : 0) |
				   (vm->codes_set ? DP_RECORD_CODES : 0)),
		.probe = number,
		.major = vm->major,
		.minor = vm->minor,
		.ticks_high = (uint16_t)(ticks >> 32),
		.ticks = (uint32_t)ticks,
	};
	bool stored = dp_ring_begin(&agent->ring, &head);

	count_dropped(probe, stored);
	if (stored) {
		dp_ring_put(&agent->ring, items, item_bytes);
		dp_ring_put(&agent->ring, vm->log, vm->log_bytes);
	}
	if (vm->trace_bytes == 0)
		return;
	head.kind = DP_RECORD_TRACE;
	head.flags = vm->trace_truncated ? DP_RECORD_TRUNCATED : 0;
	head.bytes = vm->trace_bytes;
	stored = dp_ring_begin(&agent->ring, &head);
	count_dropped(probe, stored);
	if (stored)
		dp_ring_put(&agent->ring, vm->trace, vm->trace_bytes);
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

static void note_overrun(struct dp_agent *agent, uint8_t number)
{
	struct dp_probe *probe = &agent->probe[number];

	if (agent->vm.end != RPN_END_BUDGET) {
		probe->overruns = 0;
		return;
	}
	probe->overruns_total++;
	if (++probe->overruns >= DP_OVERRUNS_MAX) {
		probe->state = DP_PROBE_OVERRUN;
		dp_notice(agent, DP_NOTICE_PROBE_DISABLED, &number, 1);
	}
}

static struct dp_program_view view_of(struct dp_agent *agent, const struct dp_program *program,
				      const struct dp_probe *probe, dp_addr address)
{
	return (struct dp_program_view){
		.code = program->code,
		.code_bytes = program->code_bytes,
		.lv = program->lv,
		.gv = agent->gv,
		.vars = program->vars,
		.gvars = agent->gv_count,
		.jmpmax = program->jmpmax,
		.logmax = program->logmax,
		.excpt_log = program->excpt_log,
		.excpt_mask = probe->excpt_mask,
		.major = program->major,
		.minor = probe->minor,
		.id = program->id,
		.offset = address,
		.name = program->name,
		.name_bytes = program->name_bytes,
		.autostacktrace = program->autostacktrace,
	};
}

static void run_handler(struct dp_agent *agent, uint8_t number, dp_addr address,
			struct dp_frame *frame)
{
	struct dp_probe *probe = &agent->probe[number];
	const struct dp_program *program = &agent->program[probe->program];
	struct dp_program_view view = view_of(agent, program, probe, address);
	const struct dp_vm_hooks hooks = {
		.pid = agent->board->pid,
		.task = agent->board->task,
		.callk = agent->board->callk,
	};

	probe->hits++;
	dp_vm_run(&agent->vm, &view, probe->entry, frame, &hooks);
	if (agent->vm.end != RPN_END_ABORT)
		log_run(agent, number, frame);
	call_exit_hook(agent, frame, &view);
	note_overrun(agent, number);
	if (agent->vm.remove)
		probe->state = DP_PROBE_REMOVED;
	else if (probe->hits >= probe->maxhits && probe->state == DP_PROBE_ARMED)
		probe->state = DP_PROBE_DISABLED;
}

/* Every active probe at the site, in order of installation. */
static void run_chain(struct dp_agent *agent, const struct dp_site *site, struct dp_frame *frame)
{
	for (uint8_t i = site->chain; i != DP_NONE; i = agent->probe[i].next) {
		struct dp_probe *probe = &agent->probe[i];

		if (probe->state != DP_PROBE_ARMED)
			continue;
		if (probe->ignore > 0) {
			probe->ignore--;
			probe->ignored++;
			continue;
		}
		run_handler(agent, i, site->address, frame);
	}
}

static void count_missed(struct dp_agent *agent, const struct dp_site *site)
{
	for (uint8_t i = site->chain; i != DP_NONE; i = agent->probe[i].next)
		if (agent->probe[i].state == DP_PROBE_ARMED) {
			agent->probe[i].missed++;
			agent->ring.missed++;
		}
}

static void count_faulted(struct dp_agent *agent, const struct dp_site *site)
{
	for (uint8_t i = site->chain; i != DP_NONE; i = agent->probe[i].next)
		if (agent->probe[i].state != DP_PROBE_WAITING)
			agent->probe[i].faulted++;
}

/* --- commit --- */

static void finish(struct dp_agent *agent, bool faulted)
{
	if (faulted)
		dp_ring_abort(agent);
	else
		dp_ring_commit(&agent->ring);
	agent->pending = DP_NONE;
	if (agent->transmit.mode == DP_MODE_SYNCHRONOUS)
		dp_transmit_pump(agent, true);
	if (++agent->hits_since_poll > STORM_HITS)
		while (dp_command_run(agent, true))
			;
	agent->in_hit = 0;
}

static bool all_log_on_fault(const struct dp_agent *agent, const struct dp_site *site)
{
	for (uint8_t i = site->chain; i != DP_NONE; i = agent->probe[i].next)
		if (!agent->probe[i].logonfault)
			return false;
	return true;
}

/* The trap belongs to no site: either the probe has just gone, then the instruction is there again
 * and is retried, or the word is somebody else's. */
static enum dp_taken stray(struct dp_agent *agent, const struct dp_frame *frame)
{
	uint8_t arguments[sizeof(dp_word) + 4];
	uint32_t found;

	if (!dp_port_trap_at(frame, &found))
		return DP_RESUME;
	agent->strays++;
	put_word(arguments, dp_port_pc(frame));
	put_number(arguments + sizeof(dp_word), found, 4);
	dp_notice(agent, DP_NOTICE_STRAY_TRAP, arguments, sizeof(arguments));
	return DP_NOT_OURS;
}

static enum dp_taken after_step(struct dp_agent *agent, uint8_t site, enum dp_step step)
{
	switch (step) {
	case DP_STEP_PENDING:
		agent->pending = site;
		return DP_RESUME;
	case DP_STEP_FAULT:
		count_faulted(agent, &agent->site[site]);
		finish(agent, true);
		return DP_FIRMWARE;
	case DP_STEP_DONE:
	case DP_STEP_AWAY:
		break;
	}
	finish(agent, false);
	return DP_RESUME;
}

enum dp_taken dp_agent_trap(struct dp_frame *frame)
{
	struct dp_agent *agent = dp_the_agent;
	struct dp_site *site;
	uint8_t i;

	if (!agent) /* a trap word of the run before, met before dp_init */
		return DP_NOT_OURS;
	i = dp_site_find(agent, dp_port_pc(frame));
	if (i == DP_NONE)
		return stray(agent, frame);
	site = &agent->site[i];
	if (agent->in_hit) {
		count_missed(agent, site);
		return dp_port_step(site, frame) == DP_STEP_FAULT ? DP_FIRMWARE : DP_RESUME;
	}
	agent->in_hit = 1;
	if (site->armed && dp_port_fires(site, frame))
		run_chain(agent, site, frame);
	dp_site_settle(agent, i);
	if (agent->transmit.mode == DP_MODE_SYNCHRONOUS && all_log_on_fault(agent, site)) {
		/* the last record before a hang must be seen: do not wait for the step */
		dp_ring_commit(&agent->ring);
		dp_transmit_pump(agent, true);
	}
	return after_step(agent, i, dp_port_step(site, frame));
}

enum dp_taken dp_agent_stepped(struct dp_frame *frame, dp_addr address)
{
	struct dp_agent *agent = dp_the_agent;
	uint8_t i = dp_site_find(agent, address);

	if (i == DP_NONE)
		return DP_NOT_OURS;
	dp_port_stepped(&agent->site[i], frame);
	if (agent->pending == i)
		finish(agent, false);
	return DP_RESUME;
}

enum dp_taken dp_agent_fault(struct dp_frame *frame, dp_addr address)
{
	struct dp_agent *agent = dp_the_agent;
	uint8_t i = dp_site_find(agent, address);

	if (i == DP_NONE)
		return DP_NOT_OURS;
	dp_port_step_fault(&agent->site[i], frame);
	if (agent->pending == i) {
		count_faulted(agent, &agent->site[i]);
		finish(agent, true);
	}
	return DP_FIRMWARE;
}
