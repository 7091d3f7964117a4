/* SPDX-License-Identifier: BSD-2-Clause */
/* Requests and their answers.  PROTOCOL.md section 5. */
#include "dp_bytes.h"
#include "dp_core.h"
#include "dp_crc.h"
#include "dp_memory.h"
#include "dp_order.h"

enum {
	AGENT_VERSION = 0x0001,
	TEXT_BYTES_MAX = 65536,
	ALL = 0xff,
	LEAVE = 0xfe,
	NAME_BYTES_MAX = 48,         /* in the answer to NAME, */
	PROGRAM_NAME_BYTES_MAX = 24, /* to PROGRAM */
	MODULE_NAME_BYTES_MAX = 14,  /* and to MODULE */
	VAR_BYTES_MAX = 52,
};

/* A request taken apart. */
struct call {
	uint32_t argument[4]; /* numbers, in the order of the request */
	const uint8_t *rest;  /* and the bytes behind them */
	unsigned rest_bytes;
	unsigned com;
	struct dp_program *program; /* with NAMES_PROGRAM: of the first argument */
};

/* Constants of the build, already in wire order. */
#define BYTES_2(v) (uint8_t)((v) >> 8), (uint8_t)(v)
#define BYTES_4(v) BYTES_2((uint32_t)(v) >> 16), BYTES_2((uint32_t)(v)&0xffff)

void dp_command_open(struct dp_agent *agent)
{
	agent->executing = agent->link.last.payload[0];
	dp_port_unmask(agent->link.irq);
}

void dp_command_close(struct dp_agent *agent)
{
	struct dp_answer *answer = &agent->link.last;

	dp_port_mask();
	/* requests that hits served have used it; after a HELLO it is theirs */
	if (DP_WITH_STORM && !agent->link.abandoned) {
		answer->bytes = 2;
		answer->payload[0] = agent->executing;
	}
	agent->executing = 0;
	for (uint8_t i = 0; DP_WITH_STORM && i < DP_MAX_PROGRAMS; i++)
		if (agent->program[i].object && agent->program[i].gone)
			dp_store_remove(agent, i);
}

static void give_piece(struct dp_answer *a, const void *bytes, unsigned there, unsigned from,
		       unsigned most)
{
	if (from < there)
		dp_give_bytes(a, (const uint8_t *)bytes + from,
			      there - from < most ? there - from : most);
}

/* --- session --- */

static unsigned coms_there(const struct dp_agent *agent)
{
	return (agent->board->com[DP_COM1].put ? 1 : 0) |
	       (DP_WITH_COM2 && agent->board->com[DP_COM2].put ? 2 : 0);
}

static enum dp_err do_hello(struct dp_agent *agent, const struct call *call, struct dp_answer *a)
{
	static const uint8_t target[] = {
		DP_PORT_CPU,
		sizeof(dp_word),
		DP_PORT_BIG_ENDIAN ? DP_ORDER_BIG : DP_ORDER_LITTLE,
		DP_PORT_GROUPS & DP_BUILD_GROUPS,
		DP_AGENT_PHASES,
	};
	const uint8_t *session = call->rest, *rights = session + 4;

	/* what follows the version is known in this version only */
	if (call->argument[0] != DP_PROTOCOL_VERSION) {
		dp_give(a, DP_WIDTHS(1), DP_PROTOCOL_VERSION);
		return DP_ERR_BAD_PROTOCOL;
	}
	if (call->rest_bytes < 5 || dp_get_u32(session) == 0)
		return DP_ERR_BAD_REQUEST;
	/* what waits, on the other line too, is of an older session; so is what executes */
	for (unsigned i = 0; i < DP_LINES; i++)
		agent->wire[i].tail = agent->wire[i].head;
	agent->link.abandoned = agent->executing;
	agent->link.opened = 1;
	agent->link.seed = dp_crc32(0, session - 1, 5); /* dp_frame_seed of version and session */
	agent->link.rights = DP_PROFILE == DP_PROFILE_FULL ? *rights & DP_RIGHT_WRITE : 0;
	agent->upload.open = 0;
	if (agent->transmit.target == DP_COM_NONE)
		agent->transmit.target = (uint8_t)call->com;
	agent->transmit.sync_due = 1;
	dp_give(a, DP_WIDTHS(12), DP_PROTOCOL_VERSION, agent->boot);
	dp_give_bytes(a, target, sizeof(target));
	dp_give(a, DP_WIDTHS(111148), coms_there(agent), DP_RX_LINES, DP_PROFILE,
		agent->link.rights, dp_tick_hz(agent), dp_now(agent));
	dp_give(a, DP_WIDTHS(1124), agent->programs, agent->module_count, AGENT_VERSION, DP_PARTS);
	return DP_ERR_OK;
}

static enum dp_err do_limits(struct dp_agent *agent, const struct call *call, struct dp_answer *a)
{
	static const uint8_t fixed[] = {
		BYTES_2(DP_LOG_MAX),     BYTES_2(DP_TRACE_MAX),
		BYTES_2(RPN_VARS_MAX),   BYTES_2(DP_WITH_GLOBALS ? DP_GVARS : 0),
		BYTES_2(0xffff),         BYTES_2(DP_STACK_WORDS),
		BYTES_4(DP_STEP_BUDGET), BYTES_4(DP_ARENA_BYTES),
	};
	unsigned slots, slots_free;

	(void)call;
	dp_port_slots(&slots, &slots_free);
	dp_give_bytes(a, fixed, sizeof(fixed));
	dp_give(a, DP_WIDTHS(411111), dp_arena_free(agent), DP_MAX_PROBES,
		DP_MAX_PROBES - agent->probes, DP_MAX_PROGRAMS, slots, slots_free);
	dp_give(a, DP_WIDTHS(442), DP_RING_BYTES, (uint32_t)sizeof(struct dp_agent),
		(uint32_t)dp_port_stack_used());
	return DP_ERR_OK;
}

static enum dp_err do_module(struct dp_agent *agent, const struct call *call, struct dp_answer *a)
{
	unsigned index = call->argument[0], length, id_bytes;
	const struct dp_module *m;
	const uint8_t *id;
	bool image;

	if (index >= agent->module_count)
		return DP_ERR_BAD_RANGE;
	image = !DP_WITH_MODULES || index == 0;
	m = &agent->module[image ? 0 : index];
	DP_NEAR(m);
	length = dp_length(m->name);
	id = m->build_id;
	id_bytes = m->build_id_bytes;
	if (!id) {
		id = agent->identity;
		id_bytes = image ? sizeof(agent->identity) : 0;
	}
	dp_give(a, DP_WIDTHS(11881), image ? DP_MODULE_KERNEL : DP_MODULE_KMOD,
		m->build_id ? DP_IDENTITY_BUILD_ID : DP_IDENTITY_TEXT_CRC, (uint64_t)m->base,
		(uint64_t)m->bytes, id_bytes);
	dp_give_bytes(a, id, id_bytes);
	dp_give(a, DP_WIDTHS(1), length);
	give_piece(a, m->name, length, call->argument[1], MODULE_NAME_BYTES_MAX);
	return DP_ERR_OK;
}

static enum dp_err do_status(struct dp_agent *agent, const struct call *call, struct dp_answer *a)
{
	dp_give(a, DP_WIDTHS(1111), agent->programs, agent->probes, agent->transmit.target,
		agent->transmit.mode);
	dp_give_counts(a, &agent->ring);
	dp_give(a, DP_WIDTHS(411), agent->strays, call->com,
		DP_WITH_OWN_TEXT && dp_text_own(agent));
	return DP_ERR_OK;
}

/* --- upload --- */

static enum dp_err do_begin(struct dp_agent *agent, const struct call *call, struct dp_answer *a)
{
	enum dp_err error = dp_upload_begin(agent, call->argument[0], call->argument[1]);

	if (error == DP_ERR_OK)
		dp_give(a, DP_WIDTHS(2), agent->upload.transaction);
	return error;
}

static enum dp_err do_data(struct dp_agent *agent, const struct call *call, struct dp_answer *a)
{
	enum dp_err error;

	if (call->rest_bytes == 0)
		return DP_ERR_BAD_REQUEST;
	error = dp_upload_data(agent, call->argument[0], call->argument[1], call->rest,
			       call->rest_bytes);
	dp_give(a, DP_WIDTHS(24), call->argument[0], agent->upload.have);
	return error;
}

static enum dp_err check_or_commit(struct dp_agent *agent, const struct call *call,
				   struct dp_answer *a, bool install)
{
	const struct dp_upload *upload = &agent->upload;
	/* Field by field: a compiler may call memset for an initialiser (PowerPC, -Os). */
	struct dp_commit commit;
	struct dp_verdict *verdict = &commit.verdict;
	bool ours = upload->transaction == call->argument[0];

	commit.options = (uint8_t)call->argument[1];
	commit.items = (uint8_t)call->argument[2];
	commit.install = install;
	commit.selection_bytes = (uint8_t)call->rest_bytes;
	commit.selection = call->rest;
	verdict->error = DP_ERR_BAD_TXN;
	verdict->refusal = DP_REFUSE_NOTHING;
	verdict->probe = 0xffff;
	verdict->where = 0;
	verdict->found = 0;
	commit.program = DP_NONE;
	commit.armed = 0;
	commit.waiting = 0;
	if ((commit.options & ~DP_COMMIT_OPTIONS) || (commit.items & ~DP_ITEM_ALL))
		return DP_ERR_BAD_REQUEST;
	if (install && ours && upload->done) {
		dp_copy(a, &agent->link.committed, sizeof(*a));
		return DP_ERR_OK;
	}
	if (ours && upload->open && !upload->done && upload->have == upload->bytes)
		dp_install(agent, &commit);
	if (verdict->error == DP_ERR_BUSY || (DP_WITH_STORM && agent->link.abandoned))
		return verdict->error;
	dp_give(a, DP_WIDTHS(1244), verdict->refusal, verdict->probe, verdict->where,
		verdict->found);
	if (install)
		dp_give(a, DP_WIDTHS(111), commit.program, commit.armed, commit.waiting);
	if (install && verdict->error == DP_ERR_OK)
		dp_copy(&agent->link.committed, a, sizeof(*a));
	return verdict->error;
}

static enum dp_err do_check(struct dp_agent *agent, const struct call *call, struct dp_answer *a)
{
	return check_or_commit(agent, call, a, false);
}

static enum dp_err do_commit(struct dp_agent *agent, const struct call *call, struct dp_answer *a)
{
	return check_or_commit(agent, call, a, true);
}

static enum dp_err do_drop(struct dp_agent *agent, const struct call *call, struct dp_answer *a)
{
	(void)a;
	if (!agent->upload.open || agent->upload.transaction != call->argument[0])
		return DP_ERR_BAD_TXN;
	agent->upload.open = 0;
	return DP_ERR_OK;
}

/* --- programs --- */

static enum dp_err do_remove(struct dp_agent *agent, const struct call *call, struct dp_answer *a)
{
	unsigned which = call->argument[0], removed = 0;

	for (uint8_t i = 0; i < DP_MAX_PROGRAMS; i++) {
		if (!dp_program_there(&agent->program[i]) || (which != ALL && which != i))
			continue;
		dp_uninstall(agent, i);
		removed++;
	}
	if (removed == 0 && which != ALL)
		return DP_ERR_NO_PROGRAM;
	dp_give(a, DP_WIDTHS(1), removed);
	return dp_site_stuck(agent) ? DP_ERR_NOT_PATCHABLE : DP_ERR_OK;
}

static unsigned program_state(struct dp_agent *agent, const struct call *call)
{
	struct dp_probe *probe = NULL;

	if (call->program->damaged)
		return 2;
	while ((probe = dp_probe_next(agent, call->argument[0], probe)))
		if (probe->state == DP_PROBE_WAITING)
			return 1;
	return 0;
}

static enum dp_err do_program(struct dp_agent *agent, const struct call *call, struct dp_answer *a)
{
	const struct dp_program *p = call->program;

	dp_give(a, DP_WIDTHS(142111), call->argument[0], p->view.id, p->view.major, p->items,
		p->probes, program_state(agent, call));
	dp_give(a, DP_WIDTHS(4421), p->crc, p->bytes, p->view.vars, p->view.name_bytes);
	give_piece(a, p->view.name, p->view.name_bytes, 0, PROGRAM_NAME_BYTES_MAX);
	return DP_ERR_OK;
}

/* A point that was not selected has no probe. */
static const struct dp_probe *probe_of(struct dp_agent *agent, const struct call *call)
{
	struct dp_probe *probe = NULL;

	while ((probe = dp_probe_next(agent, call->argument[0], probe)))
		if (probe->point == call->argument[1])
			break;
	return probe;
}

static enum dp_err do_probe(struct dp_agent *agent, const struct call *call, struct dp_answer *a)
{
	unsigned index = call->argument[1], number = DP_NONE;
	const struct dp_probe *p = probe_of(agent, call);
	struct dp_probe unselected;
	const struct dp_site *site;
	const uint8_t *point;
	uint64_t address;
	uint32_t original, insn_bytes;

	if (index >= call->program->probes)
		return DP_ERR_BAD_RANGE;
	point = dp_program_point(call->program, index);
	if (p) {
		number = (unsigned)(p - agent->probe);
	} else {
		dp_clear(&unselected, sizeof(unselected));
		unselected.state = DP_PROBE_UNSELECTED;
		unselected.site = DP_NONE;
		p = &unselected;
	}
	/* what is at the address, or what the object says of it */
	site = dp_site_at(agent, p->site);
	address = site ? site->address : dp_get_u64(point + DP_PT_ADDRESS);
	original = site ? site->original : dp_get_u32(point + DP_PT_OPCODE);
	insn_bytes = site ? site->insn_bytes : point[DP_PT_INSN_BYTES];
	dp_give(a, DP_WIDTHS(1121841), number, p->state, dp_get_u16(point + DP_PT_MINOR),
		point[DP_PT_ISA], address, original, insn_bytes);
	dp_give(a, DP_WIDTHS(4444412), p->hits, p->missed, p->ignored, p->faulted, p->dropped,
		index, p->overruns_total);
	dp_give(a, DP_WIDTHS(1114), point[DP_PT_KIND], point[DP_PT_PHASE], point[DP_PT_FLAGS],
		dp_get_u32(point + DP_PT_MAXHITS));
	return DP_ERR_OK;
}

static enum dp_err do_name(struct dp_agent *agent, const struct call *call, struct dp_answer *a)
{
	const struct dp_program_view *view = &call->program->view;

	(void)agent;
	if (call->argument[1] >= view->name_bytes)
		return DP_ERR_BAD_RANGE;
	give_piece(a, view->name, view->name_bytes, call->argument[1], NAME_BYTES_MAX);
	return DP_ERR_OK;
}

static enum dp_err do_vars(struct dp_agent *agent, const struct call *call, struct dp_answer *a)
{
	unsigned first = call->argument[1], count = call->argument[2];
	bool reset = call->argument[3] != 0;
	dp_word *words = agent->gv;
	unsigned there = agent->gv_count;

	if (reset && agent->locked)
		return DP_ERR_LOCKED;
	if (call->argument[0] != ALL) {
		if (!call->program)
			return DP_ERR_NO_PROGRAM;
		words = call->program->view.lv;
		there = call->program->view.vars;
	}
	dp_give(a, DP_WIDTHS(2), there);
	if (count > VAR_BYTES_MAX / sizeof(dp_word))
		count = VAR_BYTES_MAX / sizeof(dp_word);
	for (unsigned i = first; i < there && i < first + count; i++) {
		uint8_t word[sizeof(dp_word)];

		dp_store_word(word, words[i]);
		dp_give_bytes(a, word, sizeof(word));
		if (reset)
			words[i] = 0;
	}
	return DP_ERR_OK;
}

/* --- log and text --- */

static enum dp_err do_log(struct dp_agent *agent, const struct call *call, struct dp_answer *a)
{
	unsigned target = call->argument[0], mode = call->argument[1];
	struct dp_transmit *t = &agent->transmit;

	if (target == LEAVE)
		target = t->target;
	else if (!DP_WITH_COM2 && target == DP_COM2)
		return DP_ERR_LEFT_OUT;
	else if (target != DP_COM_NONE && (target >= DP_COMS || !agent->board->com[target].put))
		return DP_ERR_BAD_RANGE;
	if (mode == LEAVE)
		mode = t->mode;
	else if (mode > DP_MODE_BUFFERED)
		return DP_ERR_BAD_RANGE;
	else if (!DP_WITH_SYNC && mode == DP_MODE_SYNCHRONOUS)
		return DP_ERR_LEFT_OUT;
	t->target = (uint8_t)target;
	t->mode = (uint8_t)mode;
	dp_give(a, DP_WIDTHS(11), target, mode);
	return DP_ERR_OK;
}

static enum dp_err do_text(struct dp_agent *agent, const struct call *call, struct dp_answer *a)
{
	uint64_t address = (uint64_t)call->argument[0] << 32 | call->argument[1];
	uint32_t bytes = call->argument[2], how = call->argument[3], crc;
	uint16_t sites;
	bool readable;

	if (how > 1)
		return DP_ERR_BAD_REQUEST;
	if (bytes > TEXT_BYTES_MAX || address != (dp_addr)address ||
	    (bytes > 0 && (dp_addr)(address + bytes - 1) < address))
		return DP_ERR_BAD_RANGE;
	dp_command_open(agent);
	readable = dp_text_crc(agent, (dp_addr)address, bytes, how == 1, &crc, &sites);
	dp_command_close(agent);
	if (!readable || (DP_WITH_STORM && agent->link.abandoned))
		return DP_ERR_BAD_RANGE;
	dp_give(a, DP_WIDTHS(42), crc, sites);
	return DP_ERR_OK;
}

/* --- dispatch --- */

static enum dp_err left_out(struct dp_agent *agent, const struct call *call, struct dp_answer *a)
{
	(void)agent;
	(void)call;
	(void)a;
	return DP_ERR_LEFT_OUT;
}

enum {
	FROM_HIT = 0x01, /* also served while a probe storm keeps dp_poll from running */
	LOCKS = 0x02,    /* refused after dp_lock */
	PROGRAM = 0x04,  /* the first argument is the index of an installed program */
};
#define CMD(number, name, text, from_hit, arguments, answer) FROM_HIT_##name = (from_hit)*FROM_HIT,
enum {
#include "commands.def"
};

/* widths: bytes of each argument, a hex digit each. */
#define ROW(name, widths, flags, run)                                                              \
	{                                                                                          \
		DP_CMD_##name, (flags) | FROM_HIT_##name, DP_WIDTHS(widths), run                   \
	}
static const struct command {
	uint8_t number, flags;
	uint16_t widths;
	enum dp_err (*run)(struct dp_agent *, const struct call *, struct dp_answer *);
} commands[] = {
	ROW(HELLO, 1, 0, do_hello),
	ROW(LIMITS, 0, 0, do_limits),
	ROW(MODULE, 11, 0, do_module),
	ROW(STATUS, 0, 0, do_status),
	ROW(BEGIN, 44, LOCKS, do_begin),
	ROW(DATA, 24, LOCKS, do_data),
	ROW(CHECK, 211, LOCKS, do_check),
	ROW(COMMIT, 211, LOCKS, do_commit),
	ROW(DROP, 2, 0, do_drop),
	ROW(REMOVE, 1, 0, do_remove),
	ROW(PROGRAM, 1, PROGRAM, do_program),
	ROW(PROBE, 11, PROGRAM, do_probe),
	ROW(NAME, 11, PROGRAM, DP_WITH_VARS ? do_name : left_out),
	ROW(VARS, 1211, 0, DP_WITH_VARS ? do_vars : left_out),
	ROW(LOG, 11, 0, do_log),
	ROW(TEXT, 4441, 0, DP_WITH_TEXT ? do_text : left_out),
};

static const struct command *find_command(uint8_t number)
{
	const struct command *command = commands;

	for (; command < commands + sizeof(commands) / sizeof(commands[0]); command++)
		if (command->number == number)
			return command;
	return NULL;
}

/* Take the numbers off the front of call->rest. False when the request is too short. */
static bool read_arguments(struct call *call, unsigned widths)
{
	const uint8_t *p = call->rest;

	for (uint32_t *argument = call->argument; widths > 1; widths >>= 2) {
		unsigned width = 1u << (widths & 3);
		uint32_t value = 0;

		if (call->rest_bytes < width)
			return false;
		call->rest_bytes -= width;
		while (width-- > 0)
			value = value << 8 | *p++;
		*argument++ = value;
	}
	call->rest = p;
	return true;
}

static enum dp_err execute(struct dp_agent *agent, uint8_t com, const struct dp_request *request,
			   const struct command *command, struct dp_answer *a)
{
	struct call call; /* no initializer: that would be a call of memset */

	call.argument[0] = DP_NONE;
	call.rest = request->payload + 1;
	call.rest_bytes = request->bytes - 1u;
	call.com = com;
	call.program = NULL;
	if (!command)
		return DP_ERR_BAD_REQUEST;
	if (agent->locked && (command->flags & LOCKS))
		return DP_ERR_LOCKED;
	if (!read_arguments(&call, command->widths))
		return DP_ERR_BAD_REQUEST;
	if (call.argument[0] < DP_MAX_PROGRAMS)
		call.program = dp_program_at(agent, call.argument[0]);
	if (call.program && !dp_program_there(call.program))
		call.program = NULL;
	if (!call.program && (command->flags & PROGRAM))
		return DP_ERR_NO_PROGRAM;
	return command->run(agent, &call, a);
}

/* Execute, or find that it is a repeat: then the stored answer is the answer. False: its session
 * has ended meanwhile, nobody waits for it; the stored answer is one of the new session. */
DP_APART static bool make_answer(struct dp_agent *agent, uint8_t com,
				 const struct dp_request *request, bool in_hit)
{
	struct dp_link *link = &agent->link;
	const struct command *command = find_command(request->payload[0]);
	enum dp_err error = DP_ERR_BUSY;

	DP_NEAR(link);
	if (link->last_valid && link->last_seq == request->seq &&
	    link->last_check == request->check && (!DP_WITH_COM2 || link->last_com == com))
		return true;
	link->last.bytes = 2;
	link->last.payload[0] = request->payload[0];
	if (!in_hit || (command && (command->flags & FROM_HIT)))
		error = execute(agent, com, request, command, &link->last);
	if (DP_WITH_STORM && link->abandoned && !agent->executing) {
		link->abandoned = 0;
		return false;
	}
	link->last.payload[1] = (uint8_t)error;
	link->last_valid = error != DP_ERR_BUSY;
	link->last_seq = request->seq;
	link->last_check = request->check;
	link->last_com = com;
	return true;
}

/* A dead line asks for a time-out now and then, not at every hit of a storm. */
static void flush_in_hit(struct dp_agent *agent, uint8_t com)
{
	if (!dp_transmit_flush(agent, com))
		agent->hits_since_poll = 0;
}

static bool run_next(struct dp_agent *agent, uint8_t com, bool in_hit, dp_irq irq)
{
	struct dp_link *link = &agent->link;
	struct dp_wire *wire = &agent->wire[com];
	struct dp_request request; /* a hit may serve those that come behind it */

	DP_NEAR(wire);
	if (wire->tail == wire->head)
		return false;
	if (in_hit)
		flush_in_hit(agent, com);
	if (wire->sent < wire->out.used)
		return false;
	dp_copy(&request, &wire->request[wire->tail++ % DP_RX_LINES], sizeof(request));
	link->irq = irq;
	if (!make_answer(agent, com, &request, in_hit))
		return true;
	/* HELLO's own answer must not be sealed with the session it opens. */
	wire->out.used = (uint8_t)dp_frame_put_control(
		wire->out.text, DP_FRAME_ANSWER, request.seq, link->last.payload, link->last.bytes,
		request.payload[0] == DP_CMD_HELLO ? DP_HELLO_SEED : link->seed);
	wire->sent = 0;
	if (in_hit)
		flush_in_hit(agent, com);
	return true;
}

/* In the order they came, as long as their lines take the answers. */
static bool second_line_first(const struct dp_wire *wire)
{
	const struct dp_wire *second = wire + DP_LINES - 1;

	return (int8_t)(second->request[second->tail % DP_RX_LINES].age -
			wire->request[wire->tail % DP_RX_LINES].age) < 0;
}

/* Requests run with interrupts masked, so that a storm of hits that one lets loose cannot come
 * before its answer. */
bool dp_command_run(struct dp_agent *agent, bool in_hit)
{
	dp_irq irq = dp_port_mask();
	uint8_t com = DP_WITH_COM2 && second_line_first(agent->wire);
	bool ran;

	in_hit = DP_WITH_STORM && in_hit;
	ran = run_next(agent, com, in_hit, irq);
	if (DP_WITH_COM2)
		ran |= run_next(agent, com ^ 1, in_hit, irq);
	dp_port_unmask(irq);
	return ran;
}
