/* SPDX-License-Identifier: BSD-2-Clause */
/* Requests and their answers.  PROTOCOL.md section 5. */
#include "dp_bytes.h"
#include "dp_core.h"
#include "dp_memory.h"

enum {
	AGENT_VERSION = 0x0001,
	TEXT_BYTES_MAX = 65536,
	ALL = 0xff,
	LEAVE = 0xfe,
	BUILD_GROUPS = DP_PROFILE == DP_PROFILE_FULL ? RPN_GROUP_ALL
						     : RPN_GROUP_ALL & ~RPN_GROUP_DESTRUCTIVE,
};

/* --- reading arguments, writing answers --- */

struct reader {
	const uint8_t *p;
	unsigned left;
	bool short_of; /* an argument was missing */
};

static uint32_t take(struct reader *r, unsigned bytes)
{
	uint32_t v = 0;

	if (r->left < bytes) {
		r->short_of = true;
		return 0;
	}
	r->left -= bytes;
	while (bytes-- > 0)
		v = (v << 8) | *r->p++;
	return v;
}

static uint64_t take_u64(struct reader *r)
{
	uint64_t high = take(r, 4);

	return (high << 32) | take(r, 4);
}

static void give(struct dp_answer *a, uint32_t value, unsigned bytes)
{
	while (bytes-- > 0 && a->bytes < DP_PAYLOAD_MAX)
		a->payload[a->bytes++] = (uint8_t)(value >> (8 * bytes));
}

static void give_u64(struct dp_answer *a, uint64_t value)
{
	give(a, (uint32_t)(value >> 32), 4);
	give(a, (uint32_t)value, 4);
}

static void give_bytes(struct dp_answer *a, const void *bytes, unsigned count)
{
	const uint8_t *p = bytes;

	while (count-- > 0)
		give(a, *p++, 1);
}

/* Members of a struct, in wire order: most answers are nothing else. */
struct field {
	uint16_t offset;
	uint8_t size; /* of the member: 1, 2 or 4 */
};
#define FIELD(type, member)                                                                        \
	{                                                                                          \
		offsetof(type, member), sizeof(((type *)0)->member)                                \
	}

static void give_fields(struct dp_answer *a, const void *base, const struct field *field,
			unsigned count)
{
	for (; count-- > 0; field++) {
		const uint8_t *member = (const uint8_t *)base + field->offset;

		if (field->size == 1)
			give(a, *member, 1);
		else if (field->size == 2)
			give(a, *(const uint16_t *)(const void *)member, 2);
		else
			give(a, *(const uint32_t *)(const void *)member, 4);
	}
}
#define GIVE_FIELDS(a, base, table) give_fields(a, base, table, sizeof(table) / sizeof((table)[0]))

/* Constants of the build, already in wire order. */
#define BYTES_2(v) (uint8_t)((v) >> 8), (uint8_t)(v)
#define BYTES_4(v) BYTES_2((uint32_t)(v) >> 16), BYTES_2((uint32_t)(v)&0xffff)

static void give_verdict(struct dp_answer *a, const struct dp_verdict *v)
{
	static const struct field fields[] = {
		FIELD(struct dp_verdict, probe),
		FIELD(struct dp_verdict, where),
		FIELD(struct dp_verdict, found),
	};

	give(a, v->refusal, 1);
	GIVE_FIELDS(a, v, fields);
}

/* --- session --- */

static unsigned programs_used(const struct dp_agent *agent)
{
	unsigned n = 0;

	for (unsigned i = 0; i < DP_MAX_PROGRAMS; i++)
		n += agent->program[i].used;
	return n;
}

static unsigned probes_used(const struct dp_agent *agent)
{
	unsigned n = 0;

	for (unsigned i = 0; i < DP_MAX_PROBES; i++)
		n += agent->probe[i].used;
	return n;
}

static uint8_t coms_there(const struct dp_agent *agent)
{
	return (uint8_t)((agent->board->com[0].put ? 1 : 0) | (agent->board->com[1].put ? 2 : 0));
}

static enum dp_err do_hello(struct dp_agent *agent, struct reader *r, struct dp_answer *a,
			    uint8_t com)
{
	uint8_t version = (uint8_t)take(r, 1);
	uint32_t session = take(r, 4);
	uint8_t rights = (uint8_t)take(r, 1);

	if (version != DP_PROTOCOL_VERSION) {
		give(a, DP_PROTOCOL_VERSION, 1);
		return DP_ERR_BAD_PROTOCOL;
	}
	if (r->short_of || session == 0)
		return DP_ERR_BAD_REQUEST;
	agent->link.session = session;
	/* what waits behind this one is of an older session */
	agent->link.queue_tail = (uint8_t)(agent->link.queue_head - 1);
	agent->link.rights = DP_PROFILE == DP_PROFILE_FULL ? rights & DP_RIGHT_WRITE : 0;
	dp_upload_drop(agent);
	if (agent->transmit.target == DP_COM_NONE)
		agent->transmit.target = com;
	agent->transmit.sync_due = 1;
	static const uint8_t target[] = {
		DP_PORT_CPU,
		sizeof(dp_word),
		DP_PORT_BIG_ENDIAN ? DP_ORDER_BIG : DP_ORDER_LITTLE,
		DP_PORT_GROUPS & BUILD_GROUPS,
		DP_PORT_PHASES,
	};

	give(a, DP_PROTOCOL_VERSION, 1);
	give(a, agent->boot, 2);
	give_bytes(a, target, sizeof(target));
	give(a, coms_there(agent), 1);
	give(a, DP_RX_LINES, 1);
	give(a, DP_PROFILE, 1);
	give(a, agent->link.rights, 1);
	give(a, dp_tick_hz(agent), 4);
	give_u64(a, dp_now(agent));
	give(a, programs_used(agent), 1);
	give(a, agent->module_count, 1);
	give(a, AGENT_VERSION, 2);
	return DP_ERR_OK;
}

static enum dp_err do_limits(struct dp_agent *agent, struct dp_answer *a)
{
	static const uint8_t fixed[] = {
		BYTES_2(DP_LOG_MAX),     BYTES_2(DP_TRACE_MAX),   BYTES_2(RPN_VARS_MAX),
		BYTES_2(DP_GVARS),       BYTES_2(0xffff),         BYTES_2(DP_STACK_WORDS),
		BYTES_4(DP_STEP_BUDGET), BYTES_4(DP_ARENA_BYTES),
	};
	unsigned slots, slots_free;

	dp_port_slots(&slots, &slots_free);
	give_bytes(a, fixed, sizeof(fixed));
	give(a, dp_arena_free(agent), 4);
	give(a, DP_MAX_PROBES, 1);
	give(a, DP_MAX_PROBES - probes_used(agent), 1);
	give(a, DP_MAX_PROGRAMS, 1);
	give(a, slots, 1);
	give(a, slots_free, 1);
	give(a, DP_RING_BYTES, 4);
	give(a, sizeof(struct dp_agent), 4);
	give(a, (uint32_t)dp_port_stack_used(), 2);
	return DP_ERR_OK;
}

static unsigned text_length(const char *text)
{
	unsigned n = 0;

	while (text[n] != '\0')
		n++;
	return n;
}

static enum dp_err do_module(struct dp_agent *agent, struct reader *r, struct dp_answer *a)
{
	unsigned index = take(r, 1), offset = take(r, 1), length;
	const struct dp_module *m = &agent->module[index % DP_MAX_MODULES];

	if (r->short_of)
		return DP_ERR_BAD_REQUEST;
	if (index >= agent->module_count)
		return DP_ERR_BAD_RANGE;
	length = text_length(m->name);
	give(a, index == 0 ? DP_MODULE_KERNEL : DP_MODULE_KMOD, 1);
	give(a, m->build_id ? DP_IDENTITY_BUILD_ID : DP_IDENTITY_TEXT_CRC, 1);
	give_u64(a, m->base);
	give_u64(a, m->bytes);
	if (m->build_id) {
		give(a, m->build_id_bytes, 1);
		give_bytes(a, m->build_id, m->build_id_bytes);
	} else {
		give(a, index == 0 ? 8 : 0, 1);
		give_bytes(a, agent->identity, index == 0 ? 8 : 0);
	}
	give(a, length, 1);
	if (offset < length)
		give_bytes(a, m->name + offset, length - offset < 14 ? length - offset : 14);
	return DP_ERR_OK;
}

static enum dp_err do_status(struct dp_agent *agent, struct dp_answer *a)
{
	give(a, programs_used(agent), 1);
	give(a, probes_used(agent), 1);
	static const struct field fields[] = {
		FIELD(struct dp_agent, transmit.target), FIELD(struct dp_agent, transmit.mode),
		FIELD(struct dp_agent, ring.sent),       FIELD(struct dp_agent, ring.dropped),
		FIELD(struct dp_agent, ring.missed),     FIELD(struct dp_agent, ring.withdrawn),
		FIELD(struct dp_agent, strays),
	};

	GIVE_FIELDS(a, agent, fields);
	return DP_ERR_OK;
}

/* --- upload --- */

static enum dp_err do_begin(struct dp_agent *agent, struct reader *r, struct dp_answer *a)
{
	uint32_t bytes = take(r, 4), crc = take(r, 4);
	enum dp_err error;

	if (r->short_of)
		return DP_ERR_BAD_REQUEST;
	error = dp_upload_begin(agent, bytes, crc);
	if (error == DP_ERR_OK)
		give(a, agent->upload.transaction, 2);
	return error;
}

static enum dp_err do_data(struct dp_agent *agent, struct reader *r, struct dp_answer *a)
{
	uint16_t transaction = (uint16_t)take(r, 2);
	uint32_t offset = take(r, 4);
	enum dp_err error;

	if (r->short_of || r->left == 0)
		return DP_ERR_BAD_REQUEST;
	error = dp_upload_data(agent, transaction, offset, r->p, r->left);
	give(a, transaction, 2);
	give(a, agent->upload.have, 4);
	return error;
}

static bool upload_complete(const struct dp_agent *agent, uint16_t transaction)
{
	const struct dp_upload *u = &agent->upload;

	return u->open && u->transaction == transaction && u->have == u->bytes;
}

static enum dp_err do_commit(struct dp_agent *agent, struct reader *r, struct dp_answer *a,
			     bool install)
{
	uint16_t transaction = (uint16_t)take(r, 2);
	struct dp_commit commit = {
		.options = (uint8_t)take(r, 1),
		.items = (uint8_t)take(r, 1),
	};
	struct dp_verdict verdict = {.error = DP_ERR_BAD_TXN, .probe = 0xffff};
	struct dp_installed installed = {DP_NONE, 0, 0};

	if (r->short_of || (commit.options & ~DP_COMMIT_OPTIONS) != 0 ||
	    (commit.items & ~DP_ITEM_ALL) != 0)
		return DP_ERR_BAD_REQUEST;
	commit.selection = r->p;
	commit.selection_bytes = (uint8_t)r->left;
	if (install && agent->upload.done && agent->upload.transaction == transaction) {
		*a = agent->committed;
		return DP_ERR_OK;
	}
	if (!agent->upload.done && upload_complete(agent, transaction))
		dp_install(agent, &commit, install, &verdict, &installed);
	give_verdict(a, &verdict);
	if (install) {
		give(a, installed.program, 1);
		give(a, installed.armed, 1);
		give(a, installed.waiting, 1);
	}
	if (install && verdict.error == DP_ERR_OK)
		agent->committed = *a;
	return verdict.error;
}

static enum dp_err do_drop(struct dp_agent *agent, struct reader *r)
{
	uint16_t transaction = (uint16_t)take(r, 2);

	if (r->short_of)
		return DP_ERR_BAD_REQUEST;
	if (!agent->upload.open || agent->upload.transaction != transaction)
		return DP_ERR_BAD_TXN;
	dp_upload_drop(agent);
	return DP_ERR_OK;
}

/* --- programs --- */

static enum dp_err do_remove(struct dp_agent *agent, struct reader *r, struct dp_answer *a)
{
	unsigned which = take(r, 1), removed = 0;

	if (r->short_of)
		return DP_ERR_BAD_REQUEST;
	for (unsigned i = 0; i < DP_MAX_PROGRAMS; i++) {
		if (!agent->program[i].used || (which != ALL && which != i))
			continue;
		dp_uninstall(agent, (uint8_t)i);
		removed++;
	}
	if (removed == 0 && which != ALL)
		return DP_ERR_NO_PROGRAM;
	give(a, removed, 1);
	return DP_ERR_OK;
}

static const struct dp_program *program_at(const struct dp_agent *agent, unsigned index)
{
	if (index >= DP_MAX_PROGRAMS || !agent->program[index].used)
		return NULL;
	return &agent->program[index];
}

static unsigned program_state(const struct dp_agent *agent, unsigned index)
{
	if (agent->program[index].damaged)
		return 2;
	for (unsigned i = 0; i < DP_MAX_PROBES; i++)
		if (agent->probe[i].used && agent->probe[i].program == index &&
		    agent->probe[i].state == DP_PROBE_WAITING)
			return 1;
	return 0;
}

static enum dp_err do_program(struct dp_agent *agent, struct reader *r, struct dp_answer *a)
{
	unsigned index = take(r, 1);
	const struct dp_program *p = program_at(agent, index);

	if (r->short_of)
		return DP_ERR_BAD_REQUEST;
	if (!p)
		return DP_ERR_NO_PROGRAM;
	static const struct field head[] = {
		FIELD(struct dp_program, id),
		FIELD(struct dp_program, major),
		FIELD(struct dp_program, items),
		FIELD(struct dp_program, probes),
	};
	static const struct field tail[] = {
		FIELD(struct dp_program, crc),
		FIELD(struct dp_program, bytes),
		FIELD(struct dp_program, vars),
		FIELD(struct dp_program, name_bytes),
	};

	give(a, index, 1);
	GIVE_FIELDS(a, p, head);
	give(a, program_state(agent, index), 1);
	GIVE_FIELDS(a, p, tail);
	give_bytes(a, p->name, p->name_bytes < 24 ? p->name_bytes : 24);
	return DP_ERR_OK;
}

static uint8_t probe_of(const struct dp_agent *agent, unsigned program, unsigned point)
{
	for (unsigned i = 0; i < DP_MAX_PROBES; i++)
		if (agent->probe[i].used && agent->probe[i].program == program &&
		    agent->probe[i].point == point)
			return (uint8_t)i;
	return DP_NONE;
}

static enum dp_err do_probe(struct dp_agent *agent, struct reader *r, struct dp_answer *a)
{
	static const struct dp_probe unselected = {.state = DP_PROBE_UNSELECTED, .site = DP_NONE};
	unsigned index = take(r, 1), point = take(r, 1);
	const struct dp_program *program = program_at(agent, index);
	const struct dp_probe *p = &unselected;
	const uint8_t *bytes;
	uint8_t number;

	if (r->short_of)
		return DP_ERR_BAD_REQUEST;
	if (!program)
		return DP_ERR_NO_PROGRAM;
	if (point >= program->probes)
		return DP_ERR_BAD_RANGE;
	number = probe_of(agent, index, point);
	if (number != DP_NONE)
		p = &agent->probe[number];
	bytes = dp_program_point(program, (uint8_t)point);
	give(a, number, 1);
	give(a, p->state, 1);
	give(a, dp_get_u16(bytes + DP_PT_MINOR), 2);
	give(a, bytes[DP_PT_ISA], 1);
	if (p->site != DP_NONE) {
		give_u64(a, agent->site[p->site].address);
		give(a, agent->site[p->site].original, 4);
		give(a, agent->site[p->site].insn_bytes, 1);
	} else {
		give_bytes(a, bytes + DP_PT_ADDRESS, 8);
		give_bytes(a, bytes + DP_PT_OPCODE, 4);
		give(a, bytes[DP_PT_INSN_BYTES], 1);
	}
	static const struct field counters[] = {
		FIELD(struct dp_probe, hits),    FIELD(struct dp_probe, missed),
		FIELD(struct dp_probe, ignored), FIELD(struct dp_probe, faulted),
		FIELD(struct dp_probe, dropped),
	};

	GIVE_FIELDS(a, p, counters);
	give(a, point, 1);
	give(a, p->overruns_total, 2);
	give(a, bytes[DP_PT_KIND], 1);
	give(a, bytes[DP_PT_PHASE], 1);
	give(a, bytes[DP_PT_FLAGS], 1);
	give_bytes(a, bytes + DP_PT_MAXHITS, 4);
	return DP_ERR_OK;
}

static enum dp_err do_name(struct dp_agent *agent, struct reader *r, struct dp_answer *a)
{
	unsigned index = take(r, 1), offset = take(r, 1), left;
	const struct dp_program *p = program_at(agent, index);

	if (r->short_of)
		return DP_ERR_BAD_REQUEST;
	if (!p)
		return DP_ERR_NO_PROGRAM;
	if (offset >= p->name_bytes)
		return DP_ERR_BAD_RANGE;
	left = p->name_bytes - offset;
	give_bytes(a, p->name + offset, left < 48 ? left : 48);
	return DP_ERR_OK;
}

static void give_word(struct dp_answer *a, dp_word value)
{
	for (unsigned i = 0; i < sizeof(value); i++) {
		unsigned shift = DP_PORT_BIG_ENDIAN ? 8 * (unsigned)(sizeof(value) - 1 - i) : 8 * i;

		give(a, (uint8_t)(value >> shift), 1);
	}
}

static enum dp_err do_vars(struct dp_agent *agent, struct reader *r, struct dp_answer *a)
{
	unsigned index = take(r, 1), first = take(r, 2), count = take(r, 1), reset = take(r, 1);
	const struct dp_program *p = program_at(agent, index);
	dp_word *words = agent->gv;
	unsigned there = agent->gv_count;
	dp_irq irq;

	if (r->short_of)
		return DP_ERR_BAD_REQUEST;
	if (reset && agent->locked)
		return DP_ERR_LOCKED;
	if (index != ALL) {
		if (!p)
			return DP_ERR_NO_PROGRAM;
		words = p->lv;
		there = p->vars;
	}
	give(a, there, 2);
	if (count > 52 / sizeof(dp_word))
		count = 52 / sizeof(dp_word);
	irq = dp_port_mask();
	for (unsigned i = first; i < there && i < first + count; i++) {
		give_word(a, words[i]);
		if (reset)
			words[i] = 0;
	}
	dp_port_unmask(irq);
	return DP_ERR_OK;
}

/* --- log and text --- */

static enum dp_err do_log(struct dp_agent *agent, struct reader *r, struct dp_answer *a)
{
	unsigned target = take(r, 1), mode = take(r, 1);
	struct dp_transmit *t = &agent->transmit;

	if (r->short_of)
		return DP_ERR_BAD_REQUEST;
	if (target != LEAVE && target != DP_COM_NONE &&
	    (target >= DP_COMS || !agent->board->com[target].put))
		return DP_ERR_BAD_RANGE;
	if (mode != LEAVE && mode != DP_MODE_SYNCHRONOUS && mode != DP_MODE_BUFFERED)
		return DP_ERR_BAD_RANGE;
	if (target != LEAVE)
		t->target = (uint8_t)target;
	if (mode != LEAVE)
		t->mode = (uint8_t)mode;
	give(a, t->target, 1);
	give(a, t->mode, 1);
	return DP_ERR_OK;
}

static enum dp_err do_text(struct dp_agent *agent, struct reader *r, struct dp_answer *a)
{
	uint64_t address = take_u64(r);
	uint32_t bytes = take(r, 4), how = take(r, 1), crc;
	uint16_t sites;

	if (r->short_of || how > 1)
		return DP_ERR_BAD_REQUEST;
	if (bytes > TEXT_BYTES_MAX || address != (dp_addr)address ||
	    (bytes > 0 && (dp_addr)(address + bytes - 1) < address) ||
	    !dp_text_crc(agent, (dp_addr)address, bytes, how == 1, &crc, &sites))
		return DP_ERR_BAD_RANGE;
	give(a, crc, 4);
	give(a, sites, 2);
	return DP_ERR_OK;
}

/* --- dispatch --- */

static bool changes_target(uint8_t command)
{
	return command == DP_CMD_BEGIN || command == DP_CMD_DATA || command == DP_CMD_CHECK ||
	       command == DP_CMD_COMMIT;
}

static enum dp_err execute(struct dp_agent *agent, const struct dp_request *request,
			   struct dp_answer *a)
{
	struct reader r = {request->payload + 1, request->bytes - 1u, false};

	if (agent->locked && changes_target(request->payload[0]))
		return DP_ERR_LOCKED;
	switch (request->payload[0]) {
	case DP_CMD_HELLO:
		return do_hello(agent, &r, a, request->com);
	case DP_CMD_LIMITS:
		return do_limits(agent, a);
	case DP_CMD_MODULE:
		return do_module(agent, &r, a);
	case DP_CMD_STATUS:
		return do_status(agent, a);
	case DP_CMD_BEGIN:
		return do_begin(agent, &r, a);
	case DP_CMD_DATA:
		return do_data(agent, &r, a);
	case DP_CMD_CHECK:
		return do_commit(agent, &r, a, false);
	case DP_CMD_COMMIT:
		return do_commit(agent, &r, a, true);
	case DP_CMD_DROP:
		return do_drop(agent, &r);
	case DP_CMD_REMOVE:
		return do_remove(agent, &r, a);
	case DP_CMD_PROGRAM:
		return do_program(agent, &r, a);
	case DP_CMD_PROBE:
		return do_probe(agent, &r, a);
	case DP_CMD_NAME:
		return do_name(agent, &r, a);
	case DP_CMD_VARS:
		return do_vars(agent, &r, a);
	case DP_CMD_LOG:
		return do_log(agent, &r, a);
	case DP_CMD_TEXT:
		return do_text(agent, &r, a);
	default:
		return DP_ERR_BAD_REQUEST;
	}
}

#define CMD(number, name, text, from_hit, arguments, answer)                                       \
	case DP_CMD_##name:                                                                        \
		return (from_hit) != 0;
static bool served_from_hit(uint8_t command)
{
	switch (command) {
#include "commands.def"
	}
	return false;
}

static bool is_repeat(const struct dp_link *link, const struct dp_request *request)
{
	return link->last_valid && link->last_seq == request->seq &&
	       link->last_check == request->check && link->last_com == request->com;
}

static void remember(struct dp_link *link, const struct dp_request *request)
{
	link->last_valid = 1;
	link->last_seq = request->seq;
	link->last_check = request->check;
	link->last_com = request->com;
}

/* HELLO's own answer must not be sealed with the session it opens. */
static uint32_t answer_session(const struct dp_agent *agent, const struct dp_request *request)
{
	return request->payload[0] == DP_CMD_HELLO ? 0 : agent->link.session;
}

/* Interrupts are masked, so that a storm of hits that a request lets loose cannot come before its
 * answer; but for TEXT, which is long and changes nothing. */
static enum dp_err execute_masked(struct dp_agent *agent, const struct dp_request *request,
				  struct dp_answer *a, dp_irq irq)
{
	enum dp_err error;

	if (request->payload[0] != DP_CMD_TEXT)
		return execute(agent, request, a);
	agent->executing = 1;
	dp_port_unmask(irq);
	error = execute(agent, request, a);
	dp_port_mask();
	agent->executing = 0;
	return error;
}

static bool run_next(struct dp_agent *agent, bool in_hit, dp_irq irq)
{
	struct dp_link *link = &agent->link;
	struct dp_request *request = &link->queue[link->queue_tail % DP_RX_LINES];

	if (link->queue_tail == link->queue_head || agent->executing)
		return false;
	if (in_hit)
		dp_transmit_flush(agent, request->com);
	if (!dp_transmit_idle(agent, request->com))
		return false;
	if (!is_repeat(link, request)) {
		struct dp_answer *a = &link->last;
		enum dp_err error = DP_ERR_BUSY;

		link->last_valid = 0;
		a->payload[0] = request->payload[0];
		a->bytes = 2;
		if (!in_hit || served_from_hit(request->payload[0]))
			error = execute_masked(agent, request, a, irq);
		a->payload[1] = (uint8_t)error;
		if (error != DP_ERR_BUSY)
			remember(link, request);
	}
	dp_transmit_answer(agent, request->com, request->seq, &link->last,
			   answer_session(agent, request));
	if (in_hit)
		dp_transmit_flush(agent, request->com);
	link->queue_tail++;
	return true;
}

bool dp_command_run(struct dp_agent *agent, bool in_hit)
{
	dp_irq irq = dp_port_mask();
	bool ran = run_next(agent, in_hit, irq);

	dp_port_unmask(irq);
	return ran;
}
