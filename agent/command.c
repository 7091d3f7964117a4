/* SPDX-License-Identifier: BSD-2-Clause */
/* Requests and their answers.  PROTOCOL.md section 5. */
#include "dp_bytes.h"
#include "dp_call.h"
#include "dp_core.h"
#include "dp_crc.h"
#include "dp_memory.h"
#include "dp_order.h"

enum {
	TEXT_BYTES_MAX = 65536,
	ALL = 0xff,
	LEAVE = 0xfe,
	NAME_BYTES_MAX = 48,         /* in the answer to NAME, */
	PROGRAM_NAME_BYTES_MAX = 24, /* to PROGRAM */
	MODULE_NAME_BYTES_MAX = 14,  /* and to MODULE */
	ALL_REQUESTS = DP_WITH_LIMITS && DP_WITH_VARS && DP_WITH_LOG && DP_WITH_TEXT,
};

#if DP_WITH_STORM
void dp_command_resume(struct dp_agent *agent)
{
	struct dp_answer *answer = &agent->link.last;

	/* requests that hits served have used it; after a HELLO it is theirs */
	if (!agent->link.abandoned) {
		answer->bytes = 2;
		answer->payload[0] = agent->executing;
	}
	agent->executing = 0;
	for (uint8_t i = 0; i < DP_MAX_PROGRAMS; i++)
		if (agent->program[i].object && agent->program[i].gone)
			dp_store_remove(agent, i);
}
#endif

/* The answer ends with bytes[from .. there), at most so many. */
static void end_with(struct call *call, const void *bytes, unsigned there, unsigned from,
		     unsigned most)
{
	call->tail = (const uint8_t *)bytes + from;
	if (from < there)
		call->tail_bytes = there - from < most ? there - from : most;
}

/* Unused when its part is left out. */
#define OF_PART __attribute__((unused))

/* --- session --- */

static unsigned coms_there(const struct dp_agent *agent)
{
	if (!DP_WITH_COM2)
		return 1; /* on which it was asked */
	return (agent->board->com[DP_COM1].put ? 1 : 0) | (agent->board->com[DP_COM2].put ? 2 : 0);
}

static enum dp_err do_hello(struct dp_agent *agent, struct call *call, struct dp_answer *a)
{
	const uint8_t *session = call->rest, *rights = session + 4;

	/* what follows the version is known in this version only */
	if (call->argument[0] != DP_PROTOCOL_VERSION) {
		dp_give(a, forms.VERSION, NULL);
		return DP_ERR_BAD_PROTOCOL;
	}
	if (call->rest_bytes < 5 || dp_get_u32(session) == 0)
		return DP_ERR_BAD_REQUEST;
	/* what waits, on the other line too, is of an older session; so is what executes */
	for (unsigned i = 0; i < DP_LINES; i++)
		agent->wire[i].tail = agent->wire[i].head;
	if (DP_WITH_STORM)
		agent->link.abandoned = agent->executing;
	agent->link.opened = 1;
	agent->link.seed = dp_crc32(0, session - 1, 5); /* dp_frame_seed of version and session */
	if (DP_PROFILE == DP_PROFILE_FULL)
		agent->link.rights = *rights & DP_RIGHT_WRITE;
	agent->upload.open = 0;
	if (!DP_WITH_LOG || agent->transmit.target == DP_COM_NONE)
		agent->transmit.target = call->com;
	if (DP_WITH_TIMES)
		agent->transmit.sync_due = 1;
	call->n.hello.coms = (uint8_t)coms_there(agent);
	call->n.hello.rights = agent->link.rights;
	call->n.hello.hz = dp_tick_hz(agent);
	call->n.hello.ticks = dp_now(agent);
	return DP_ERR_OK;
}

OF_PART static enum dp_err do_limits(struct dp_agent *agent, struct call *call, struct dp_answer *a)
{
	(void)a;
	dp_port_slots(&call->n.limits.slots, &call->n.limits.slots_free);
	call->n.limits.arena_free = dp_arena_free(agent);
	call->n.limits.probes_free = DP_MAX_PROBES - agent->probes;
	call->n.limits.stack_used = (uint16_t)dp_port_stack_used();
	return DP_ERR_OK;
}

static enum dp_err do_module(struct dp_agent *agent, struct call *call, struct dp_answer *a)
{
	unsigned index = call->argument[0];
	const struct dp_module *m;
	const uint8_t *id;
	bool image;

	if (index >= agent->module_count)
		return DP_ERR_BAD_RANGE;
	image = !DP_WITH_MODULES || index == 0;
	m = &agent->module[image ? 0 : index];
	DP_NEAR(m);
	call->module = m;
	call->n.module.type = image ? DP_MODULE_KERNEL : DP_MODULE_KMOD;
	call->n.module.identity = DP_IDENTITY_BUILD_ID;
	call->n.module.id_bytes = m->build_id_bytes;
	id = m->build_id;
	if (!dp_module_stamped(m)) {
		call->n.module.identity = DP_IDENTITY_TEXT_CRC;
		call->n.module.id_bytes = image ? sizeof(agent->identity) : 0;
		id = agent->identity;
	}
	dp_give(a, forms.IDENTITY, call->base);
	dp_give_bytes(a, id, call->n.module.id_bytes);
	call->n.module.name_bytes = 0;
	if (DP_WITH_MODULES) { /* where there is but one, it needs none */
		call->n.module.name_bytes = (uint8_t)dp_length(m->name);
		end_with(call, m->name, call->n.module.name_bytes, call->argument[1],
			 MODULE_NAME_BYTES_MAX);
	}
	return DP_ERR_OK;
}

static enum dp_err do_status(struct dp_agent *agent, struct call *call, struct dp_answer *a)
{
	(void)a;
	call->n.own_text = DP_WITH_OWN_TEXT && dp_text_own(agent);
	return DP_ERR_OK;
}

/* --- upload --- */

static enum dp_err do_begin(struct dp_agent *agent, struct call *call, struct dp_answer *a)
{
	(void)a;
	return dp_upload_begin(agent, call->argument[0], call->argument[1]);
}

static enum dp_err do_data(struct dp_agent *agent, struct call *call, struct dp_answer *a)
{
	(void)a;
	if (call->rest_bytes == 0)
		return DP_ERR_BAD_REQUEST;
	return dp_upload_data(agent, call->argument[0], call->argument[1], call->rest,
			      call->rest_bytes);
}

static enum dp_err do_commit(struct dp_agent *agent, struct call *call, struct dp_answer *a)
{
	struct dp_upload *upload = &agent->upload;
	struct dp_commit *commit = &call->n.commit;
	struct dp_verdict *verdict = &commit->verdict;
	bool ours = upload->transaction == call->argument[0];

	commit->options = (uint8_t)call->argument[1];
	commit->items = (uint8_t)call->argument[2];
	commit->install = a->payload[0] == DP_CMD_COMMIT;
	commit->selection_bytes = (uint8_t)call->rest_bytes;
	commit->selection = call->rest;
	verdict->error = DP_ERR_BAD_TXN;
	verdict->refusal = DP_REFUSE_NOTHING;
	verdict->probe = 0xffff;
	verdict->where = 0;
	verdict->found = 0;
	commit->installed = 0;
	commit->program = DP_NONE;
	if ((commit->options & ~DP_COMMIT_OPTIONS) || (commit->items & ~DP_ITEM_ALL))
		return DP_ERR_BAD_REQUEST;
	if (commit->install && ours && upload->done) {
		commit->installed = upload->installed;
		return DP_ERR_OK;
	}
	if (ours && upload->open && !upload->done && upload->have == upload->bytes)
		dp_install(agent, commit);
	if (DP_WITH_STORM && agent->link.abandoned) /* the stored answer is another one's by now */
		return DP_ERR_BUSY;
	if (commit->program != DP_NONE)
		upload->installed = commit->installed;
	return verdict->error;
}

/* --- programs --- */

/* The installed program of that index, or null. */
static struct dp_program *program_of(struct dp_agent *agent, unsigned index)
{
	struct dp_program *program = NULL;

	if (index < DP_MAX_PROGRAMS)
		program = dp_program_at(agent, index);
	return program && dp_program_there(program) ? program : NULL;
}

static enum dp_err do_remove(struct dp_agent *agent, struct call *call, struct dp_answer *a)
{
	unsigned which = call->argument[0], removed = 0;

	(void)a;
	for (uint8_t i = 0; i < DP_MAX_PROGRAMS; i++) {
		if (!dp_program_there(&agent->program[i]) || (which != ALL && which != i))
			continue;
		dp_uninstall(agent, i);
		removed++;
	}
	if (removed == 0 && which != ALL)
		return DP_ERR_NO_PROGRAM;
	call->n.removed = (uint8_t)removed;
	return dp_site_stuck(agent) ? DP_ERR_NOT_PATCHABLE : DP_ERR_OK;
}

static uint8_t program_state(struct dp_agent *agent, const struct call *call)
{
	struct dp_probe *probe = NULL;

	if ((DP_WITH_PATROL || DP_WITH_TABLES) && call->program->damaged)
		return 2;
	while (DP_WITH_MODULES && (probe = dp_probe_next(agent, call->argument[0], probe)))
		if (probe->state == DP_PROBE_WAITING)
			return 1;
	return 0;
}

static enum dp_err do_program(struct dp_agent *agent, struct call *call, struct dp_answer *a)
{
	const struct dp_program_view *view = &call->program->view;

	(void)a;
	call->n.program.state = program_state(agent, call);
	call->n.program.name_bytes = view->name_bytes;
	end_with(call, view->name, view->name_bytes, 0, PROGRAM_NAME_BYTES_MAX);
	return DP_ERR_OK;
}

/* Has every point a probe, and every probe a site? */
enum {
	ALL_PLACED = DP_WITH_SELECT + DP_WITH_MODULES + DP_WITH_PATROL + DP_WITH_TABLES == 0
};

/* The probe of the point; one that was not selected has none. */
static const struct dp_probe *probe_of(struct dp_agent *agent, struct call *call)
{
	struct dp_probe *probe = NULL, *unselected = &call->absent.probe;

	while ((probe = dp_probe_next(agent, call->argument[0], probe)))
		if (probe->point == call->argument[1]) {
			call->n.probe = (uint8_t)(probe - agent->probe);
			return probe;
		}
	if (!DP_WITH_SELECT)
		return NULL;
	call->n.probe = DP_NONE;
	dp_clear(unselected, sizeof(*unselected));
	unselected->state = DP_PROBE_UNSELECTED;
	unselected->site = DP_NONE;
	return unselected;
}

static enum dp_err do_probe(struct dp_agent *agent, struct call *call, struct dp_answer *a)
{
	struct dp_site *site = &call->absent.site;
	const uint8_t *point;

	(void)a;
	if (call->argument[1] >= call->program->probes)
		return DP_ERR_BAD_RANGE;
	point = dp_program_point(call->program, call->argument[1]);
	call->point = point;
	call->probe = probe_of(agent, call);
	if (!DP_WITH_SELECT && !call->probe)
		return DP_ERR_BAD_RANGE;
	call->site = dp_site_at(agent, call->probe->site);
	if (!ALL_PLACED && !call->site) {
		site->address = (dp_addr)dp_get_u64(point + DP_PT_ADDRESS);
		site->original = dp_get_u32(point + DP_PT_OPCODE);
		site->insn_bytes = point[DP_PT_INSN_BYTES];
		call->site = site;
	}
	return DP_ERR_OK;
}

OF_PART static enum dp_err do_name(struct dp_agent *agent, struct call *call, struct dp_answer *a)
{
	const struct dp_program_view *view = &call->program->view;

	(void)agent;
	(void)a;
	if (call->argument[1] >= view->name_bytes)
		return DP_ERR_BAD_RANGE;
	end_with(call, view->name, view->name_bytes, call->argument[1], NAME_BYTES_MAX);
	return DP_ERR_OK;
}

OF_PART static enum dp_err do_vars(struct dp_agent *agent, struct call *call, struct dp_answer *a)
{
	unsigned first = call->argument[1], count = call->argument[2];
	bool reset = call->argument[3] != 0;
	dp_word *words = agent->gv;
	unsigned there = agent->gv_count;

	(void)a;
	if (reset && agent->locked)
		return DP_ERR_LOCKED;
	if (DP_WITH_GLOBALS) /* else NAMES_PROGRAM has done it */
		call->program = program_of(agent, call->argument[0]);
	if (!DP_WITH_GLOBALS || call->program) {
		words = call->program->view.lv;
		there = call->program->view.vars;
	} else if (call->argument[0] != ALL) {
		return DP_ERR_NO_PROGRAM;
	}
	call->n.vars = (uint16_t)there;
	call->tail = call->words;
	if (count > VAR_BYTES_MAX / sizeof(dp_word))
		count = VAR_BYTES_MAX / sizeof(dp_word);
	for (unsigned i = first; i < there && i < first + count; i++) {
		dp_store_word(call->words + call->tail_bytes, words[i]);
		call->tail_bytes += sizeof(dp_word);
		if (reset)
			words[i] = 0;
	}
	return DP_ERR_OK;
}

/* --- log and text --- */

OF_PART static enum dp_err do_log(struct dp_agent *agent, struct call *call, struct dp_answer *a)
{
	unsigned target = call->argument[0], mode = call->argument[1];
	struct dp_transmit *t = &agent->transmit;

	(void)a;
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
	return DP_ERR_OK;
}

OF_PART static enum dp_err do_text(struct dp_agent *agent, struct call *call, struct dp_answer *a)
{
	uint64_t address = (uint64_t)call->argument[0] << 32 | call->argument[1];
	uint32_t bytes = call->argument[2], how = call->argument[3];
	bool readable;

	(void)a;
	if (how > 1)
		return DP_ERR_BAD_REQUEST;
	if (bytes > TEXT_BYTES_MAX || address != (dp_addr)address ||
	    (bytes > 0 && (dp_addr)(address + bytes - 1) < address))
		return DP_ERR_BAD_RANGE;
	dp_command_open(agent);
	readable = dp_text_crc(agent, (dp_addr)address, bytes, how == 1, &call->n.text.crc,
			       &call->n.text.sites);
	dp_command_close(agent);
	if (!readable || (DP_WITH_STORM && agent->link.abandoned))
		return DP_ERR_BAD_RANGE;
	return DP_ERR_OK;
}

/* --- dispatch --- */

enum {
	FROM_HIT = 0x01,      /* also served while a probe storm keeps dp_poll from running */
	LOCKS = 0x02,         /* refused after dp_lock */
	NAMES_PROGRAM = 0x04, /* the first argument is the index of an installed program */
	EVEN_SO = 0x08,       /* most refusals have the form as well */
};
#define CMD(number, name, text, from_hit, arguments, answer) FROM_HIT_##name = (from_hit)*FROM_HIT,
enum {
#include "commands.def"
};

/* widths: bytes of each argument, a digit each. */
#define ROW(name, widths, flags, run)                                                              \
	{                                                                                          \
		DP_CMD_##name, offsetof(struct forms, name), DP_WIDTHS(widths),                    \
			(flags) | FROM_HIT_##name, run                                             \
	}
static const struct command {
	uint8_t number;
	uint8_t form; /* where it begins in forms */
	uint16_t widths : 12, flags : 4;
	enum dp_err (*run)(struct dp_agent *, struct call *, struct dp_answer *);
} commands[] = {
	/* The comma goes with its row. */
	/* clang-format off */
	ROW(HELLO, 1, 0, do_hello),
	DP_IF(DP_WITH_LIMITS, ROW(LIMITS, 0, 0, do_limits),)
	ROW(MODULE, 11, 0, do_module),
	ROW(STATUS, 0, 0, do_status),
	ROW(BEGIN, 44, LOCKS, do_begin),
	ROW(DATA, 24, LOCKS | EVEN_SO, do_data),
	ROW(CHECK, 211, LOCKS | EVEN_SO, do_commit),
	ROW(COMMIT, 211, LOCKS | EVEN_SO, do_commit),
	ROW(REMOVE, 1, EVEN_SO, do_remove),
	ROW(PROGRAM, 1, NAMES_PROGRAM, do_program),
	ROW(PROBE, 11, NAMES_PROGRAM, do_probe),
	DP_IF(DP_WITH_VARS, ROW(NAME, 11, NAMES_PROGRAM, do_name),)
	DP_IF(DP_WITH_VARS, ROW(VARS, 1211, DP_WITH_GLOBALS ? 0 : NAMES_PROGRAM, do_vars),)
	DP_IF(DP_WITH_LOG, ROW(LOG, 11, 0, do_log),)
	DP_IF(DP_WITH_TEXT, ROW(TEXT, 4441, 0, do_text),)
	/* clang-format on */
};
_Static_assert(sizeof(struct forms) <= 256, "a form begins at a number of 8 bits");

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

/* Refused before anything was looked at. */
static bool says_nothing(enum dp_err error)
{
	_Static_assert(DP_ERR_BAD_REQUEST == 64 && DP_ERR_NO_PROGRAM == 66 &&
			       DP_ERR_BAD_RANGE == 68 && DP_ERR_BUSY == 70,
		       "these four, and no other");
	return (error & ~6u) == 64;
}

static enum dp_err execute(struct dp_agent *agent, uint8_t com, const struct dp_request *request,
			   const struct command *command, struct dp_answer *a)
{
	struct call call; /* no initializer: that would be a call of memset */
	enum dp_err error;

	call.argument[0] = DP_NONE;
	call.rest = request->payload + 1;
	call.rest_bytes = request->bytes - 1u;
	call.com = com;
	call.agent = agent;
	call.ring = &agent->ring;
	call.call = &call;
	call.tail_bytes = 0;
	if (!command)
		return ALL_REQUESTS ? DP_ERR_BAD_REQUEST : DP_ERR_LEFT_OUT;
	if (agent->locked && (command->flags & LOCKS))
		return DP_ERR_LOCKED;
	if (!read_arguments(&call, command->widths))
		return DP_ERR_BAD_REQUEST;
	if (command->flags & NAMES_PROGRAM) {
		call.program = program_of(agent, call.argument[0]);
		if (!call.program)
			return DP_ERR_NO_PROGRAM;
	}
	error = command->run(agent, &call, a);
	if (error == DP_ERR_OK || ((command->flags & EVEN_SO) && !says_nothing(error))) {
		dp_give(a, (const uint8_t *)&forms + command->form, call.base);
		dp_give_bytes(a, call.tail, call.tail_bytes);
	}
	return error;
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
	if (DP_WITH_COM2)
		link->last_com = com;
	return true;
}

/* A dead line asks for a time-out now and then, not at every hit of a storm. */
static void flush_in_hit(struct dp_agent *agent, uint8_t com)
{
	if (DP_WITH_STORM && !dp_transmit_flush(agent, com))
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
