/* SPDX-License-Identifier: BSD-2-Clause */
/* The programs of gdb's tracepoints and of its dprintf on the target, and their records. */
#define _GNU_SOURCE
#include "gdb_records.h"

#include "base/pool.h"
#include "wire/messages.h"
#include <dprobes/insertion.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	HOLD_MS = 50,   /* a withdraw comes at once, or not */
	STUCK_MS = 2000 /* without a record, the others are lost */
};

static const char *const names[] = {[DPH_GDB_TRACE] = "gdb", [DPH_GDB_PRINT] = "gdb-prints"};

bool dph_gdb_records_has_name(const char *name)
{
	for (size_t i = 0; i < DPH_GDB_LOGGERS; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

/* --- lines ----------------------------------------------------------------------------------- */

static void on_console(void *context, const uint8_t *bytes, size_t count)
{
	(void)context;
	(void)bytes;
	(void)count;
}

static void take_notice(struct dph_gdb_records *r, const struct dp_frame_in *frame)
{
	uint8_t bytes[DPH_STREAM_BYTES_MAX];
	struct dph_reader reader = dph_stream_reader(frame, bytes);
	struct dp_notice_head head;
	struct dp_resumed_notice resumed;

	r->noticed = true;
	dph_read(&reader, DPH_OF(notice_head, &head));
	if (reader.cut || head.number != DP_NOTICE_RESUMED)
		return;
	reader = (struct dph_reader){.p = head.arguments.bytes,
				     .left = head.arguments.count,
				     .word_bytes = sizeof(uint32_t)};
	dph_read(&reader, DPH_OF(resumed_notice, &resumed));
	if (!reader.cut && resumed.why <= DPH_GDB_RESUMED_FAULT)
		r->resumed = resumed.why;
}

static void on_stream(void *context, const struct dp_frame_in *frame, const char *text,
		      size_t count)
{
	struct dph_gdb_records *r = context;

	(void)text;
	(void)count;
	if (frame->type == DP_FRAME_NOTICE && frame->bytes >= DP_STREAM_HEAD)
		take_notice(r, frame);
	if (r->records == NULL)
		return;
	if (r->learned) {
		dp_records_line(r->records, frame, dp_clock_ms());
		return;
	}
	r->waiting = dph_grow(r->waiting, &r->capacity, r->count, sizeof *r->waiting);
	r->waiting[r->count++] = *frame;
}

static void on_progress(void *context, uint32_t done, uint32_t total)
{
	(void)context;
	(void)done;
	(void)total;
}

static void on_counts(void *context, const struct dp_record_counts *counts)
{
	const struct dph_gdb_records *r = context;

	if (r->records != NULL && r->learned)
		dp_records_counts(r->records, counts);
}

struct dp_listener dph_gdb_records_listener(struct dph_gdb_records *records)
{
	return (struct dp_listener){records, on_console, on_stream, on_progress, on_counts, NULL};
}

/* --- records --------------------------------------------------------------------------------- */

static void on_record(void *context, const struct dp_log_record *record)
{
	const struct dph_gdb_records *r = context;

	for (size_t i = 0; i < DPH_GDB_LOGGERS; i++) {
		const struct dph_gdb_tracer *tracer = r->of[i].tracer;

		if (tracer != NULL && record->probe != NULL &&
		    record->probe->program == r->of[i].program)
			tracer->record(tracer->context, record->minor, record->data, record->bytes);
	}
}

static void on_gap(void *context, const struct dp_gap *gap)
{
	(void)context;
	if (gap->kind == DP_GAP_RECORDS || gap->kind == DP_GAP_DROPPED)
		fprintf(stderr,
			"dprobes: %u frame(s) of the trace, hit(s) of dprintf or records of others "
			"%s\n",
			gap->count,
			gap->kind == DP_GAP_RECORDS ? "were lost on the line"
						    : "found no room in the agent's ring");
}

static void on_notice(void *context, const struct dp_notice_in *notice)
{
	(void)context;
	(void)notice;
}

static void learn(struct dph_gdb_records *r)
{
	r->learned = true;
	for (size_t i = 0; i < r->count; i++)
		dp_records_line(r->records, &r->waiting[i], dp_clock_ms());
	r->count = 0;
}

void dph_gdb_records_deliver(struct dph_gdb_records *records)
{
	if (records->records != NULL && records->learned)
		dp_records_flush(records->records, dp_clock_ms() - HOLD_MS);
}

void dph_gdb_records_settle(struct dph_gdb_records *records, struct dp_session *session)
{
	const uint64_t until_ms = dp_clock_ms() + HOLD_MS;

	/* A failure is found again by the next request. */
	for (uint64_t now_ms = dp_clock_ms(); now_ms < until_ms; now_ms = dp_clock_ms())
		if (!dp_session_listen(session, (unsigned)(until_ms - now_ms)))
			return;
	dph_gdb_records_deliver(records);
}

/* --- start ----------------------------------------------------------------------------------- */

static bool fail(const struct dp_session *session, struct dp_messages *messages,
		 struct dph_gdb_why *why)
{
	const char *sentence = dp_session_failure(session)->text;

	for (size_t i = 0; i < messages->count; i++)
		if (messages->list[i].severity == DP_ERROR) {
			sentence = messages->list[i].text;
			break;
		}
	snprintf(why->text, sizeof why->text, "%.*s", (int)sizeof why->text - 1, sentence);
	return false;
}

bool dph_gdb_install(const struct dph_cli *cli, struct dp_session *session, const char *name,
		     const char *program, uint8_t *number, struct dph_gdb_why *why)
{
	struct dp_build_options build = dph_cli_build_options(cli);
	const struct dp_insert_options options = {.build = &build, .options = DP_INSERT_REPLACE};
	struct dp_messages messages = {0};
	/* The programs of two servers differ by their ids. */
	char *text = dph_print("name = \"%s\"\nid = %ld\n%s", name, (long)getpid(), program);
	struct dp_insertion *insertion = dp_insertion_text(text, "gdb", &options, &messages);
	struct dp_inserted inserted;
	enum dp_failure_kind kind;
	const bool good = insertion != NULL &&
			  dp_insertion_install(insertion, session, &inserted, &kind, &messages);

	if (good)
		*number = inserted.program;
	else
		fail(session, &messages, why);
	dp_messages_free(&messages);
	dp_insertion_free(insertion);
	free(text);
	dph_cli_build_options_free(&build);
	return good;
}

static void close_records(struct dph_gdb_records *r, struct dp_session *session)
{
	dp_session_follow(session, NULL);
	dp_records_free(r->records);
	free(r->waiting);
	*r = (struct dph_gdb_records){.noticed = r->noticed, .resumed = r->resumed};
}

static bool has_program(const struct dph_gdb_records *r)
{
	bool has = false;

	for (size_t i = 0; i < DPH_GDB_LOGGERS; i++)
		has = has || r->of[i].tracer != NULL;
	return has;
}

/* Let the records of the target come here, and no more where there is no program. */
static bool open_records(struct dph_gdb_records *r, const struct dph_cli *cli,
			 struct dp_session *session)
{
	const struct dp_hello_answer *hello = dp_session_target(session);
	const struct dp_records_listener listener = {r, on_record, on_gap, on_notice};
	int status;

	if (r->records != NULL)
		return true;
	if (!dph_direction_init(&r->direction, cli, &status) ||
	    !dph_direction_take_here(&r->direction, session, false, &status))
		return false;
	r->records = dp_records_new(hello->word_bytes, hello->big_endian != 0, &listener);
	return true;
}

static void leave_records(struct dph_gdb_records *r, struct dp_session *session)
{
	if (has_program(r))
		return;
	dph_direction_back(&r->direction, session, DPH_EXIT_DONE);
	close_records(r, session);
}

bool dph_gdb_records_start(struct dph_gdb_records *records, const struct dph_cli *cli,
			   struct dp_session *session, enum dph_gdb_logger which,
			   const char *program, const struct dph_gdb_tracer *tracer,
			   struct dph_gdb_why *why)
{
	struct dp_messages none = {0};
	uint8_t number;

	if (cli->elf == NULL) {
		snprintf(why->text, sizeof why->text,
			 "tracepoints and dprintf need the instructions of the firmware: give the "
			 "ELF file (--elf) to dprobes gdb");
		return false;
	}
	if (!open_records(records, cli, session))
		return fail(session, &none, why);
	if (!dph_gdb_install(cli, session, names[which], program, &number, why)) {
		leave_records(records, session);
		return false;
	}
	records->of[which].tracer = tracer;
	records->of[which].program = number;
	records->learned = false; /* its first records wait */
	dp_session_follow(session, records->records);
	if (dp_session_learn(session, records->records)) {
		learn(records);
		return true;
	}
	fail(session, &none, why);
	learn(records); /* those of the other program are known */
	dph_gdb_records_stop(records, session, which);
	return false;
}

size_t dph_gdb_records_variables(const struct dph_gdb_records *records, struct dp_session *session,
				 uint64_t *words, size_t room)
{
	size_t count = 0, there;

	if (records->of[DPH_GDB_TRACE].tracer == NULL ||
	    !dp_session_has_part(session, DP_PART_VARS) ||
	    !dp_session_vars(session, records->of[DPH_GDB_TRACE].program, 0, false, words, room,
			     &count, &there))
		return 0;
	return count;
}

/* --- stop ------------------------------------------------------------------------------------ */

/* Receive the records before a number. */
static void drain(const struct dph_gdb_records *r, struct dp_session *session, uint32_t number)
{
	uint64_t came_ms = dp_clock_ms();
	struct dp_records_place place;
	uint32_t before = number;

	for (;;) {
		dp_records_place(r->records, &place);
		if (place.known && (int32_t)(place.have - number) >= 0)
			return;
		if (place.have != before)
			came_ms = dp_clock_ms();
		before = place.have;
		if (dp_clock_ms() - came_ms >= STUCK_MS || !dp_session_listen(session, HOLD_MS)) {
			dp_records_end(r->records, number);
			return;
		}
	}
}

void dph_gdb_records_stop(struct dph_gdb_records *records, struct dp_session *session,
			  enum dph_gdb_logger which)
{
	uint32_t number;
	uint8_t removed;

	if (records->of[which].tracer == NULL)
		return;
	if (dp_session_stop(session, records->of[which].program, &number)) {
		drain(records, session, number);
		dp_records_flush(records->records, UINT64_MAX);
	}
	dp_session_remove(session, records->of[which].program, &removed);
	records->of[which].tracer = NULL;
	leave_records(records, session);
}

void dph_gdb_records_drop(struct dph_gdb_records *records, struct dp_session *session,
			  const char *why)
{
	for (size_t i = 0; i < DPH_GDB_LOGGERS; i++) {
		const struct dph_gdb_tracer *tracer = records->of[i].tracer;

		if (tracer != NULL)
			tracer->ended(tracer->context, why);
	}
	if (records->records != NULL)
		close_records(records, session);
}
