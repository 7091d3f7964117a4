/* SPDX-License-Identifier: BSD-2-Clause */
/* Serve each request and write its answer.  PROTOCOL.md section 5. */
#include "dp_requests.h"

#include "dp_at_work.h"
#include "dp_build.h"
#include "dp_clock.h"
#include "dp_crc.h"
#include "dp_entries.h"
#include "dp_exchange.h"
#include "dp_fields.h"
#include "dp_forms.h"
#include "dp_halt.h"
#include "dp_hit.h"
#include "dp_identity.h"
#include "dp_install.h"
#include "dp_keep.h"
#include "dp_lock.h"
#include "dp_log_ring.h"
#include "dp_memory.h"
#include "dp_module_names.h"
#include "dp_owner.h"
#include "dp_plan.h"
#include "dp_probes.h"
#include "dp_rights.h"
#include "dp_sent.h"
#include "dp_sites.h"
#include "dp_speculate.h"
#include "dp_store.h"
#include "dp_stream_line.h"
#include "dp_tell.h"
#include "dp_variables.h"
#include "dp_watches.h"

enum {
	DP_LEAVE = 0xfe,
	DP_PROGRAM_NAME_BYTES_MAX = 24, /* in the answer to PROGRAM, */
	DP_MODULE_NAME_BYTES_MAX = 6,   /* to MODULE */
	DP_GRANTED = DP_NEEDS | (DP_PROFILE == DP_PROFILE_FULL ? DP_RIGHT_WRITE : 0),
	DP_ALL_REQUESTS = DP_WITH_LANGUAGE && DP_WITH_STREAM && DP_WITH_CHECKS && DP_WITH_TEXT &&
			  DP_WITH_COUNTS && DP_WITH_MEMORY && DP_WITH_HISTORY &&
			  (DP_WITH_HALT || DP_PROFILE == DP_PROFILE_READ),
};

/* --- session --- */

static unsigned coms_there(const struct dp_agent *agent)
{
	unsigned coms = 0;

	for (unsigned i = 0; i < DP_LINES; i++)
		coms |= agent->board->com[i].put ? 1u << i : 0;
	return coms;
}

/* The host that acknowledged, and read compact lines, has gone. */
static void end_host(struct dp_agent *agent)
{
	if (agent->transmit.mode == DP_MODE_ACKNOWLEDGED)
		agent->transmit.mode = DP_MODE_BUFFERED;
	if (DP_WITH_COMPACT)
		agent->transmit.form = DP_HEX_LINES;
	dp_sent_release(agent);
	dp_stream_changed(agent);
}

/* Open the session, all of it in one step. Waiting requests, on the other line too, are of an older
 * session; so is the request at work that the HELLO of a hit has interrupted.
 * returns: false when something has changed since the session was prepared. */
static bool open_session(struct dp_agent *agent, const struct dp_exchange *ex,
			 const struct dp_opening *opening)
{
	dp_irq irq = dp_lock_take();
	bool holds =
		dp_work_in_hit(agent) || (!dp_work_abandoned(agent) && !dp_work_disturbed(agent));

	if (holds && dp_rights_proof_waits(agent))
		holds = false; /* the session needs another nonce */
	if (holds) {
		for (unsigned i = 0; i < DP_LINES; i++)
			agent->wire[i].tail = agent->wire[i].head;
		agent->link.abandoned = dp_work_in_hit(agent) && agent->executing;
		agent->link.opened = 1;
		dp_owner_comes(agent, ex->com, opening);
		dp_rights_begin(agent, opening->session, opening->nonce);
		agent->link.seed = opening->seed;
		agent->link.rights = (uint8_t)(DP_ARG(ex, hello, rights) &
					       (agent->locked ? DP_RIGHT_LOOK : DP_GRANTED));
		dp_rights_withhold(agent);
		agent->upload.open = 0;
		dp_halt_withdraw(agent);
		dp_keep_session(agent, true);
		end_host(agent);
		if (agent->transmit.target == DP_COM_NONE)
			agent->transmit.target = ex->com;
		dp_stream_sync(agent);
		dp_stream_timed(agent);
	}
	dp_lock_give(irq);
	return holds;
}

/* Prepare the session with interrupts open. seed: dp_frame_seed of version, session and nonce. */
static void prepare_session(const struct dp_agent *agent, const struct dp_exchange *ex,
			    struct dp_opening *opening)
{
	dp_owner_prepare(agent, ex->begin, ex->rest, ex->rest_bytes, opening);
	dp_rights_nonce(agent, opening->nonce);
	if (DP_WITH_ACCESS)
		dp_copy(opening->session, ex->begin + 1, DP_SESSION_BYTES);
	opening->seed = dp_crc32(dp_crc32(0, ex->begin, 5), opening->nonce, DP_NONCE_BYTES);
}

static enum dp_err do_hello(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a)
{
	static const uint8_t version = DP_PROTOCOL_VERSION;
	struct dp_opening opening;
	bool opened;

	/* the fields after the version are defined in this version only */
	if (DP_ARG(ex, hello, version) != DP_PROTOCOL_VERSION) {
		dp_give_bytes(a, &version, 1);
		return DP_ERR_BAD_PROTOCOL;
	}
	if (!ex->complete || DP_ARG(ex, hello, session) == 0)
		return DP_ERR_BAD_REQUEST;
	do {
		if (!dp_work_in_hit(agent))
			dp_work_note(agent);
		if (dp_owner_refuses(agent, ex->begin, a))
			return DP_ERR_IN_USE;
		prepare_session(agent, ex, &opening);
		opened = open_session(agent, ex, &opening);
	} while (!opened && dp_work_is_ours(agent));
	if (!opened)
		return DP_ERR_BUSY;
	ex->n.hello.coms = (uint8_t)coms_there(agent);
	ex->n.hello.rights = agent->link.rights;
	ex->n.hello.hz = dp_tick_hz(agent);
	ex->n.hello.ticks = dp_now(agent);
	return DP_ERR_OK;
}

static enum dp_err do_limits(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a)
{
	(void)a;
	dp_port_slots(&ex->n.limits.slots, &ex->n.limits.slots_free);
	ex->n.limits.arena_free = dp_arena_free(agent);
	ex->n.limits.probes_free = DP_MAX_PROBES - agent->probes;
	ex->n.limits.stack_used = (uint16_t)dp_port_stack_used();
#if DP_WITH_ACCESS
	ex->n.limits.nonce_source = (uint8_t)dp_rights_source(agent);
#endif
	return DP_ERR_OK;
}

static enum dp_err do_module(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a)
{
	unsigned index = DP_ARG(ex, module, index);
	const struct dp_module *m;
	bool image;

	(void)a;
	if (index >= agent->module_count)
		return DP_ERR_BAD_RANGE;
	m = &agent->module[index];
	image = dp_is_image(agent, m);
	ex->module = m;
	ex->n.module.type = image ? DP_MODULE_KERNEL : DP_MODULE_KMOD;
	ex->n.module.linked = m->base - m->moved;
	ex->n.module.identity = DP_IDENTITY_BUILD_ID;
	ex->n.module.id.bytes = m->build_id;
	ex->n.module.id.count = m->build_id_bytes;
	if (!dp_module_stamped(m)) {
		ex->n.module.identity = DP_IDENTITY_TEXT_CRC;
		ex->n.module.id.bytes = agent->identity;
		ex->n.module.id.count = image ? sizeof(agent->identity) : 0;
	}
	ex->n.module.name_bytes = (uint8_t)dp_name_bytes(m->name);
	dp_end_with(ex, m->name, ex->n.module.name_bytes, DP_ARG(ex, module, offset),
		    DP_MODULE_NAME_BYTES_MAX);
	return DP_ERR_OK;
}

static enum dp_err do_status(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a)
{
	(void)a;
	ex->n.own_text = dp_text_own(agent);
	return DP_ERR_OK;
}

/* The seed stays: a repeat of the request is answered. */
static enum dp_err do_close(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a)
{
	dp_irq irq = dp_lock_take();
	bool ours = dp_work_is_ours(agent);

	(void)ex;
	(void)a;
	if (ours) {
		agent->link.abandoned =
			dp_work_in_hit(agent) && agent->executing; /* a COMMIT installs nothing */
		agent->link.rights = 0;
		dp_rights_end(agent);
		agent->upload.open = 0;
		dp_owner_goes(agent);
		dp_keep_session(agent, false);
		end_host(agent);
	}
	dp_lock_give(irq);
	return ours ? DP_ERR_OK : DP_ERR_BUSY;
}

/* --- upload --- */

static enum dp_err do_begin(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a)
{
	enum dp_err error = DP_ERR_BUSY;
	dp_irq irq = dp_lock_take();

	(void)a;
	if (dp_work_is_ours(agent))
		error = dp_upload_begin(agent, DP_ARG(ex, begin, bytes), DP_ARG(ex, begin, crc));
	dp_lock_give(irq);
	return error;
}

static enum dp_err do_data(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a)
{
	enum dp_err error;

	(void)a;
	if (ex->rest_bytes == 0)
		return DP_ERR_BAD_REQUEST;
	error = dp_upload_data(agent, DP_ARG(ex, data, transaction), DP_ARG(ex, data, offset),
			       ex->rest, ex->rest_bytes);
	ex->tail.bytes = ex->words;
	for (const struct dp_received *r = agent->upload.received;
	     ex->tail.count < 8 * (agent->upload.ranges - 1); ex->tail.count += 8) {
		r++;
		dp_put_u32(ex->words + ex->tail.count, r->first);
		dp_put_u32(ex->words + ex->tail.count + 4, r->end);
	}
	return error;
}

static enum dp_err do_commit(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a)
{
	struct dp_upload *upload = &agent->upload;
	struct dp_commit *commit = &ex->n.commit;
	struct dp_verdict *verdict = &commit->verdict;
	bool ours = upload->transaction == DP_ARG(ex, commit, transaction);

	commit->options = (uint8_t)DP_ARG(ex, commit, options);
	commit->items = (uint8_t)DP_ARG(ex, commit, items);
	commit->install = a->payload[0] == DP_CMD_COMMIT;
	commit->selection_bytes = (uint8_t)ex->rest_bytes;
	commit->selection = ex->rest;
	verdict->error = DP_ERR_BAD_TXN;
	verdict->refusal = DP_REFUSE_NOTHING;
	verdict->probe = 0xffff;
	verdict->where = 0;
	verdict->found = 0;
	if (DP_WORD_BITS == 64)
		verdict->found_above = 0;
	commit->installed = 0;
	commit->program = DP_NONE;
	if (commit->options & ~DP_COMMIT_OPTIONS) /* each bit of items has its meaning */
		return DP_ERR_BAD_REQUEST;
	if (commit->install && ours && upload->done) {
		commit->installed = upload->installed;
		return DP_ERR_OK;
	}
	if (ours && upload->open && !upload->done && dp_upload_have(agent) == upload->bytes)
		dp_install(agent, commit);
	if (commit->program != DP_NONE)
		upload->installed = commit->installed;
	return verdict->error;
}

/* --- programs --- */

static enum dp_err do_remove(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a)
{
	unsigned which = DP_ARG(ex, remove, program);
	unsigned removed = dp_uninstall_all(agent, which);

	(void)a;
	if (removed == 0 && which != DP_ALL)
		return DP_ERR_NO_PROGRAM;
	ex->n.removed = (uint8_t)removed;
	return dp_site_stuck(agent) ? DP_ERR_NOT_PATCHABLE : DP_ERR_OK;
}

static enum dp_err do_stop(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a)
{
	(void)a;
	dp_stop(agent, (uint8_t)DP_ARG(ex, stop, program));
	ex->n.records = dp_ring_end(&DP_THIS_CPU(agent)->ring) +
			dp_speculated_records(agent, (uint8_t)DP_ARG(ex, stop, program));
	return dp_site_stuck(agent) ? DP_ERR_NOT_PATCHABLE : DP_ERR_OK;
}

static uint8_t program_state(struct dp_agent *agent, const struct dp_exchange *ex)
{
	if (ex->program->damaged)
		return 2;
	return dp_program_waits(agent, DP_ARG(ex, program, program)) ? 1 : 0;
}

static enum dp_err do_program(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a)
{
	const struct dp_program_view *view = &ex->program->view;

	(void)a;
	ex->n.program.state = program_state(agent, ex);
	ex->n.program.name_bytes = view->name_bytes;
	dp_end_with(ex, view->name, view->name_bytes, 0, DP_PROGRAM_NAME_BYTES_MAX);
	return DP_ERR_OK;
}

/* The probe of the point; one that was not selected has none. */
static const struct dp_probe *probe_of(struct dp_agent *agent, struct dp_exchange *ex)
{
	struct dp_probe *probe = NULL, *unselected = &ex->absent.probe;

	while ((probe = dp_probe_next(agent, DP_ARG(ex, probe, program), probe)))
		if (probe->point == DP_ARG(ex, probe, index)) {
			ex->n.probe.number = (uint8_t)(probe - agent->probe);
			return probe;
		}
	ex->n.probe.number = DP_NONE;
	dp_clear(unselected, sizeof(*unselected));
	unselected->state = DP_PROBE_UNSELECTED;
	unselected->site = DP_NONE;
	unselected->ignore = dp_get_u32(ex->traits + DP_TR_IGNORE);
	return unselected;
}

/* Of a point without a site: where its instruction is, or an offset while its module is not loaded.
 */
static dp_addr address_of(const struct dp_agent *agent, const struct dp_program *program,
			  const struct dp_point *point)
{
	const struct dp_module *module =
		dp_module_of(agent, program, dp_program_module(program, point));
	dp_addr address = dp_point_address(point);

	return module && !dp_is_image(agent, module) ? address + module->base : address;
}

/* A point without a site: its opcode, or of a timer the nanoseconds of its period. */
static unsigned original_at(const struct dp_point *point)
{
	return DP_WITH_TIMERS && point->traits[DP_TR_KIND] == DP_PROBE_TIMER ? DP_PT_EXTENT
									     : DP_PT_OPCODE;
}

static uint32_t hits_of(const struct dp_probe *probe)
{
	dp_irq irq = dp_lock_take();
	uint32_t hits = dp_probe_hits(probe);

	dp_lock_give(irq);
	return hits;
}

static enum dp_err do_probe(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a)
{
	struct dp_site *site = &ex->absent.site;
	struct dp_point point;

	(void)a;
	if (DP_ARG(ex, probe, index) >= ex->program->probes)
		return DP_ERR_BAD_RANGE;
	point = dp_program_point(ex->program, DP_ARG(ex, probe, index));
	ex->point = point.row;
	ex->traits = point.traits;
	ex->probe = probe_of(agent, ex);
	ex->n.probe.hits = hits_of(ex->probe);
	ex->n.probe.ignored = dp_get_u32(point.traits + DP_TR_IGNORE) - ex->probe->ignore;
	ex->site = dp_site_at(agent, ex->probe->site);
	if (ex->site)
		ex->n.probe.ignored += dp_watch_ignored(agent, ex->site);
	if (!ex->site) {
		site->address = address_of(agent, ex->program, &point);
		site->original = dp_get_u32(point.row + original_at(&point));
		site->insn_bytes = point.row[DP_PT_INSN_BYTES];
		ex->site = site;
	}
	return DP_ERR_OK;
}

#if DP_WITH_LANGUAGE
_Static_assert(DP_AT_probes_request_program == 0 &&
		       DP_AT_probes_request_index == DP_AT_probe_request_index,
	       "do_probe: one request");

/* As many rows as were asked for, as there are and as fit: one always does. */
static enum dp_err do_probes(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a)
{
	unsigned count = DP_ARG(ex, probes, count);
	uint8_t before[DP_ROW_BYTES];
	struct dp_answer row;

	dp_clear(before, sizeof(before));
	do {
		enum dp_err error = do_probe(agent, ex, a);

		if (error != DP_ERR_OK)
			return a->bytes > 2 ? DP_ERR_OK : error;
		row.bytes = 0;
		dp_give(&row, forms.probe_answer, ex->base);
		DP_ARG(ex, probes, index)++;
	} while (dp_give_row(a, row.payload, before) && count-- > 1);
	return DP_ERR_OK;
}
#endif

/* --- log --- */

/* Let the stream go on as the request says. A record in pieces begins anew on another line. */
static void set_log(struct dp_agent *agent, unsigned target, unsigned mode, unsigned form)
{
	struct dp_transmit *t = &agent->transmit;

	for (unsigned i = 0; i < DP_PORT_CPUS && target != t->target; i++) {
		struct dp_place *next = &agent->cpu[i].ring.next;

		next->body = next->piece = 0;
	}
	if (mode != t->mode)
		dp_sent_release(agent);
	t->target = (uint8_t)target;
	t->mode = (uint8_t)mode;
	if (DP_WITH_COMPACT)
		t->form = (uint8_t)form;
	dp_stream_timed(agent);
	dp_stream_changed(agent);
}

/* A hit before its plan is dropped buffers its record, as before the request. */
static enum dp_err change_log(struct dp_agent *agent, unsigned target, unsigned mode, unsigned form)
{
	dp_irq irq = dp_lock_take();
	bool ours = dp_work_is_ours(agent);

	if (ours)
		set_log(agent, target, mode, form);
	dp_lock_give(irq);
	for (unsigned i = 0; i < DP_MAX_PROBES; i++)
		dp_plan_drop(&agent->site[i]);
	return ours ? DP_ERR_OK : DP_ERR_BUSY;
}

static enum dp_err do_log(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a)
{
	unsigned target = DP_ARG(ex, log, target), mode = DP_ARG(ex, log, mode);
	unsigned form = DP_WITH_COMPACT && ex->rest_bytes > 0 ? ex->rest[0] : DP_HEX_LINES;

	(void)a;
	if (target == DP_LEAVE)
		target = agent->transmit.target;
	else if (target == DP_COM2 && DP_LINES == 1)
		return DP_ERR_LEFT_OUT;
	else if (target != DP_COM_NONE && (target >= DP_COMS || !agent->board->com[target].put))
		return DP_ERR_BAD_RANGE;
	if (mode == DP_LEAVE)
		mode = agent->transmit.mode;
	else if (mode == DP_MODE_ACKNOWLEDGED && !DP_WITH_STREAM)
		return DP_ERR_LEFT_OUT;
	else if (mode > DP_MODE_ACKNOWLEDGED)
		return DP_ERR_BAD_RANGE;
	if (form == DP_LEAVE)
		form = agent->transmit.form;
	else if (form > DP_COMPACT_LINES)
		return DP_ERR_BAD_RANGE;
	return change_log(agent, target, mode, form);
}

/* --- dispatch --- */

#define DP_CMD(number, name, text, from_hit, right, repeatable)                                    \
	FLAGS_##name = (from_hit)*DP_FROM_HIT | DP_RIGHT_##right,
enum {
#include "commands.def"
};

/* message: the name of its rows in messages.def */
#define DP_ROW(name, message, flags, run)                                                          \
	{                                                                                          \
		DP_CMD_##name, offsetof(struct forms, message##_answer),                           \
			DP_WIDTHS_##message##_request, (flags) | FLAGS_##name, run                 \
	}
static const struct dp_command commands[] = {
	/* The comma goes with its row. */
	/* clang-format off */
	DP_ROW(HELLO, hello, DP_OF_ANY_VERSION, do_hello),
	DP_ROW(LIMITS, limits, 0, do_limits),
	DP_ROW(MODULE, module, 0, do_module),
	DP_ROW(STATUS, status, 0, do_status),
	DP_ROW(CLOSE, close, 0, do_close),
	DP_IF(DP_WITH_CHECKS, DP_ROW(RANGES, ranges, 0, dp_do_ranges),)
	DP_IF(DP_WITH_CHECKS, DP_ROW(HARDWARE, hardware, 0, dp_do_hardware),)
	DP_IF(DP_WITH_CHECKS, DP_ROW(SITE, site, DP_NAMES_PROGRAM, dp_do_site),)
	DP_IF(DP_WITH_ACCESS, DP_ROW(PROVE, prove, 0, dp_do_prove),)
	DP_ROW(BEGIN, begin, 0, do_begin),
	DP_ROW(DATA, data, DP_EVEN_SO, do_data),
	DP_ROW(CHECK, check, DP_EVEN_SO, do_commit),
	DP_ROW(COMMIT, commit, DP_EVEN_SO, do_commit),
	DP_ROW(REMOVE, remove, DP_EVEN_SO, do_remove),
	DP_ROW(STOP, stop, DP_NAMES_PROGRAM, do_stop),
	DP_ROW(PROGRAM, program, DP_NAMES_PROGRAM, do_program),
	DP_ROW(PROBE, probe, DP_NAMES_PROGRAM, do_probe),
	DP_IF(DP_WITH_LANGUAGE, DP_ROW(PROBES, probes, DP_NAMES_PROGRAM, do_probes),)
	DP_IF(DP_WITH_LANGUAGE, DP_ROW(NAME, name, DP_NAMES_PROGRAM, dp_do_name),)
	DP_IF(DP_WITH_LANGUAGE, DP_ROW(VARS, vars, 0, dp_do_vars),)
	DP_IF(DP_WITH_LANGUAGE, DP_ROW(ORIGINAL, original, DP_NAMES_PROGRAM, dp_do_original),)
	DP_IF(DP_WITH_COUNTS, DP_ROW(MAP, map, DP_NAMES_PROGRAM, dp_do_map),)
	DP_IF(DP_WITH_MEMORY, DP_ROW(STORE, store, 0, dp_do_store),)
	DP_IF(DP_WITH_MEMORY, DP_ROW(MEMORY, memory, 0, dp_do_memory),)
	DP_IF(DP_WITH_HALT, DP_ROW(HALT, halt, 0, dp_do_halt),)
	DP_IF(DP_WITH_HALT, DP_ROW(REGS, regs, 0, dp_do_regs),)
	DP_IF(DP_WITH_HALT, DP_ROW(STEP, step, DP_EVEN_SO, dp_do_step),)
	DP_IF(DP_WITH_HALT, DP_ROW(RESUME, resume, 0, dp_do_resume),)
	DP_IF(DP_WITH_HISTORY, DP_ROW(CORE, core, 0, dp_do_core),)
	DP_IF(DP_WITH_HISTORY, DP_ROW(FLIGHT, flight, 0, dp_do_flight),)
	DP_IF(DP_WITH_HISTORY, DP_ROW(EMBED, embed, 0, dp_do_embed),)
	DP_ROW(LOG, log, 0, do_log),
	DP_IF(DP_WITH_STREAM, DP_ROW(RESEND, resend, 0, dp_do_resend),)
	DP_IF(DP_WITH_TEXT, DP_ROW(TEXT, text, 0, dp_do_text),)
	/* clang-format on */
};
_Static_assert(sizeof(struct forms) <= 512, "a form begins at a number of 9 bits");
_Static_assert(DP_AT_program_request_program == 0 && DP_AT_probe_request_program == 0 &&
		       DP_AT_name_request_program == 0,
	       "NAMES_PROGRAM: the first number");
_Static_assert(DP_AT_site_request_program == 0, "NAMES_PROGRAM: the first number");
_Static_assert(DP_AT_check_request_transaction == DP_AT_commit_request_transaction &&
		       DP_AT_check_request_options == DP_AT_commit_request_options &&
		       DP_AT_check_request_items == DP_AT_commit_request_items,
	       "do_commit: one request");

const struct dp_command *dp_find_command(uint8_t number)
{
	const struct dp_command *command = commands;

	for (; command < commands + sizeof(commands) / sizeof(commands[0]); command++)
		if (command->number == number)
			return command;
	return NULL;
}

/* Take the numbers off the front of ex->rest. False when the request is too short. */
static bool read_arguments(struct dp_exchange *ex, unsigned widths)
{
	const uint8_t *p = ex->rest;

	for (uint32_t *argument = ex->argument; widths > 1; widths >>= 2) {
		unsigned width = 1u << (widths & 3);
		uint32_t value = 0;

		if (ex->rest_bytes < width)
			return false;
		ex->rest_bytes -= width;
		while (width-- > 0)
			value = value << 8 | *p++;
		*argument++ = value;
	}
	ex->rest = p;
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

enum dp_err dp_execute(struct dp_agent *agent, uint8_t com, const struct dp_request *request,
		       const struct dp_command *command, struct dp_answer *a)
{
	struct dp_exchange ex; /* no initializer: that would be a call of memset */
	enum dp_err error;

	ex.argument[0] = DP_NONE;
	ex.begin = ex.rest = request->payload + 1;
	ex.rest_bytes = request->bytes - 1u;
	ex.com = com;
	ex.agent = agent;
	ex.ring = &DP_THIS_CPU(agent)->ring;
	ex.exchange = &ex;
	ex.tail.count = 0;
	if (!command)
		return DP_ALL_REQUESTS && request->payload[0] != DP_CMD_PROVE ? DP_ERR_BAD_REQUEST
									      : DP_ERR_LEFT_OUT;
	error = dp_may(agent, command->flags & DP_NEEDS);
	if (error != DP_ERR_OK)
		return error;
	ex.complete = read_arguments(&ex, command->widths);
	if (!ex.complete && !((command->flags & DP_OF_ANY_VERSION) && request->bytes > 1))
		return DP_ERR_BAD_REQUEST;
	if (command->flags & DP_NAMES_PROGRAM) {
		ex.program = dp_program_of(agent, ex.argument[0]);
		if (!ex.program)
			return DP_ERR_NO_PROGRAM;
	}
	error = command->run(agent, &ex, a);
	if (error == DP_ERR_OK || ((command->flags & DP_EVEN_SO) && !says_nothing(error)))
		dp_give(a, (const uint8_t *)&forms + command->form, ex.base);
	return error;
}
