/* SPDX-License-Identifier: BSD-2-Clause */
/* The record stream prints records, gaps and notices of a session and ends by the options. */
#define _GNU_SOURCE
#include "cmd_stream.h"

#include "aggs.h"
#include "kept.h"

#include "base/exit_status.h"
#include "present/tally.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	HOLD_MS = 50,     /* a withdraw follows its record immediately, or never */
	ASK_MS = 300,     /* of silence while records are awaited: ask for the counts */
	STUCK_MS = 10000, /* the agent answers, and the missing records do not come */
	ASKS_MAX = 32,    /* for the counts; each answer in two is damaged on a very bad line */
};

/* --- what comes in --- */

static bool enough(const struct dph_stream *stream)
{
	return stream->until.seen || stream->status >= 0 ||
	       (stream->cli->count != 0 && stream->counted >= stream->cli->count);
}

static bool is_of_program(const struct dph_stream *stream, const struct dp_log_record *record)
{
	return record->probe != NULL && record->probe->program == stream->program;
}

/* Is the record of the awaited program? Records of other programs are printed too. */
static bool counts(const struct dph_stream *stream, const struct dp_log_record *record)
{
	return !stream->own_only || is_of_program(stream, record);
}

/* Is it the record of END clauses? It comes behind the last one that was asked for. */
static bool is_end(const struct dph_stream *stream, const struct dp_log_record *record)
{
	const char *probe;

	if (stream->style.formats == NULL || !is_of_program(stream, record))
		return false;
	probe = dp_formats_probe(stream->style.formats, record->probe->point, true);
	return probe != NULL && strcmp(probe, "dtrace:::END") == 0;
}

static void print_record(struct dph_stream *stream, const struct dp_log_record *record)
{
	struct dp_record_view view;

	if ((stream->closed || enough(stream)) && !is_end(stream, record))
		return;
	if (dp_records_totals(stream->records)->hz != 0)
		stream->style.hz = dp_records_totals(stream->records)->hz;
	stream->style.object = is_of_program(stream, record) ? stream->object : NULL;
	dp_record_view_read(&view, &stream->style, record);
	if (stream->tally != NULL)
		dph_tally_add(stream->tally, &stream->style, record);
	else
		dp_sink_record(stream->sink, &view);
	if (stream->status < 0)
		stream->status = view.status;
	if (counts(stream, record)) {
		stream->counted++;
		dph_until_record(&stream->until, &view);
	}
	dp_record_view_free(&view);
}

/* Does the record act on aggregations? They are read before it is printed. */
static bool acts(const struct dph_stream *stream, const struct dp_log_record *record)
{
	return stream->formats != NULL && is_of_program(stream, record) &&
	       dp_formats_acts(stream->formats, record->probe->point);
}

static void on_record(void *context, const struct dp_log_record *record)
{
	struct dph_stream *stream = context;

	if (stream->held.count > 0 || acts(stream, record))
		dph_held_add(&stream->held, record);
	else
		print_record(stream, record);
}

/* A later command adds what was taken to what it reads, should this one be killed. */
static void keep_taken(const struct dph_stream *stream)
{
	dph_kept_taken(stream->cli, stream->object, dp_session_target(stream->session)->boot,
		       stream->formats);
}

/* Print the records that wait for the aggregations. More records may come while they are read.
 * Returns false when the session failed; the records are printed all the same. */
static bool release(struct dph_stream *stream)
{
	bool good = true;

	while (stream->held.count > 0) {
		const size_t count = stream->held.count;

		good = good && dph_aggs_read(stream->session, stream->program, stream->formats,
					     DP_MAP_TAKE);
		if (good)
			keep_taken(stream);
		for (size_t i = 0; i < count; i++)
			print_record(stream, &stream->held.list[i]);
		dph_held_drop(&stream->held, count);
	}
	return good;
}

/* --live: print the aggregations. On a terminal they stand where they stood before. */
static void show_live(struct dph_stream *stream, uint64_t now)
{
	if (isatty(fileno(stream->out)) && stream->cli->format == dp_sink_kinds[0])
		fputs("\033[H\033[J", stream->out);
	dp_formats_tell_live(stream->formats, now,
			     (unsigned long)dph_cli_number(stream->cli, DPH_OPT_TOP), stream->sink);
	fflush(stream->out);
}

/* A locked agent lets nobody take: it is read at the end. */
static bool is_locked(const struct dph_stream *stream)
{
	const struct dp_failure *failure = dp_session_failure(stream->session);

	return failure->kind == DP_FAILED_AGENT && failure->error == DP_ERR_LOCKED;
}

/* Take the aggregations from the target as often as the program wants: the map has room for the
 * keys between two readings alone. Returns false when the session failed. */
static bool take(struct dph_stream *stream)
{
	const uint64_t rate_ms = stream->formats ? dp_formats_aggrate_ms(stream->formats) : 0;
	const uint64_t now = dp_clock_ms();

	if (rate_ms == 0 || stream->locked || now - stream->taken_ms < rate_ms)
		return true;
	stream->taken_ms = now;
	if (!dph_aggs_read(stream->session, stream->program, stream->formats, DP_MAP_TAKE)) {
		stream->locked = is_locked(stream);
		return stream->locked;
	}
	keep_taken(stream);
	if (dph_cli_has(stream->cli, DPH_OPT_LIVE))
		show_live(stream, now);
	else
		dp_formats_tell_drops(stream->formats, stream->sink);
	return true;
}

static void on_gap(void *context, const struct dp_gap *gap)
{
	struct dph_stream *stream = context;

	dp_sink_gap(stream->sink, gap);
}

static void on_notice(void *context, const struct dp_notice_in *notice)
{
	struct dph_stream *stream = context;
	const struct dp_notice_view view = {notice, stream->style.word_bytes, stream->style.names};

	dp_sink_notice(stream->sink, &view);
	dph_until_notice(&stream->until, &view);
}

static void keep_waiting(struct dph_stream *stream, const struct dph_waiting *entry)
{
	if (stream->waiting_count == stream->waiting_room) {
		size_t room = stream->waiting_room * 2 + 64;
		struct dph_waiting *grown = realloc(stream->waiting, room * sizeof *grown);

		if (grown == NULL)
			return; /* the line number will show the loss */
		stream->waiting = grown;
		stream->waiting_room = room;
	}
	stream->waiting[stream->waiting_count++] = *entry;
}

static void on_stream(void *context, const struct dp_frame_in *frame, const char *text,
		      size_t count)
{
	struct dph_stream *stream = context;

	if (!stream->closed)
		dp_sink_line(stream->sink, text, count);
	if (stream->learned)
		dp_records_line(stream->records, frame, dp_clock_ms());
	else
		keep_waiting(stream, &(struct dph_waiting){.frame = *frame});
}

static void on_counts(void *context, const struct dp_record_counts *counts)
{
	struct dph_stream *stream = context;

	stream->based = stream->based || !counts->stored;
	if (stream->learned)
		dp_records_counts(stream->records, counts);
	else
		keep_waiting(stream, &(struct dph_waiting){.counts = true, .now = *counts});
}

static void put_console(void *context, const uint8_t *bytes, size_t count)
{
	(void)context;
	fwrite(bytes, 1, count, stderr);
	fflush(stderr); /* a prompt has no newline */
}

static void on_console(void *context, const uint8_t *bytes, size_t count)
{
	struct dph_stream *stream = context;

	if (!stream->cli->quiet)
		dph_console_text_write(&stream->text, bytes, count, put_console, NULL);
}

static void on_settled(void *context, const uint8_t *bytes, size_t count)
{
	struct dph_stream *stream = context;

	dph_until_console(&stream->until, bytes, count);
}

static void on_progress(void *context, uint32_t done, uint32_t total)
{
	struct dph_stream *stream = context;

	dph_insertion_progress(&stream->progress, done, total);
}

/* --- life --- */

/* False with *status set: the format prints lines as they come. */
static bool init_tally(struct dph_stream *stream, const struct dph_cli *cli, int *status)
{
	if (!dph_cli_has(cli, DPH_OPT_TALLY))
		return true;
	if (cli->format->record == NULL) {
		*status = dph_cli_usage(cli,
					"--format %s prints lines as they come; leave --tally out",
					cli->format->name);
		return false;
	}
	stream->tally = dph_tally_new();
	return true;
}

void dph_stream_tell_tally(struct dph_stream *stream)
{
	if (stream->tally != NULL)
		dph_tally_tell(stream->tally, stream->sink);
}

void dph_stream_tell_full(struct dph_stream *stream)
{
	struct dp_gap full;

	if (dp_records_full(stream->records, &full))
		dp_sink_gap(stream->sink, &full);
}

bool dph_stream_init(struct dph_stream *stream, const struct dph_cli *cli, int *status)
{
	memset(stream, 0, sizeof *stream);
	stream->cli = cli;
	stream->progress.cli = cli;
	stream->status = -1;
	dph_console_text_init(&stream->text, cli, STDERR_FILENO);
	stream->listener = (struct dp_listener){stream,      on_console, on_stream,
						on_progress, on_counts,  on_settled};
	return init_tally(stream, cli, status) &&
	       dph_direction_init(&stream->direction, cli, status) &&
	       dph_until_init(&stream->until, cli, status) &&
	       dph_names_open(cli, &stream->images, status) &&
	       dph_cli_templates(cli, &stream->templates, status);
}

static void close_formats(struct dph_stream *stream)
{
	dp_formats_close(stream->formats);
	dp_image_close(stream->image);
	stream->formats = NULL;
	stream->image = NULL;
}

void dph_stream_free(struct dph_stream *stream)
{
	dp_sink_close(stream->sink);
	dp_records_free(stream->records);
	dp_templates_free(stream->templates);
	dph_images_close(&stream->images);
	dph_tally_free(stream->tally);
	close_formats(stream);
	free(stream->waiting);
	dph_held_free(&stream->held);
	dph_until_free(&stream->until);
}

/* The compiler has read the firmware before and has printed the errors. */
void dph_stream_formats(struct dph_stream *stream, const struct dp_object_file *object)
{
	struct dp_messages messages = {0};
	const char *elf = stream->cli->elf;
	struct dp_program_info program;

	close_formats(stream);
	dp_object_program(object, &program);
	stream->image = elf != NULL ? dp_image_open(elf, &messages) : NULL;
	dp_messages_free(&messages);
	if (stream->image != NULL)
		dp_image_move(stream->image, program.moved);
	stream->formats = dph_output_formats(stream->out, object, stream->image);
}

bool dph_stream_output(struct dph_stream *stream, FILE *out, enum dp_table table)
{
	stream->out = out;
	stream->sink = dph_output_table(stream->cli, table, out);
	return stream->sink != NULL;
}

bool dph_stream_attach(struct dph_stream *stream, struct dp_session *session)
{
	const struct dp_records_listener listener = {stream, on_record, on_gap, on_notice};
	const struct dp_hello_answer *target = dp_session_target(session);

	stream->session = session;
	stream->style = (struct dp_record_style){
		.word_bytes = target->word_bytes,
		.hz = target->hz,
		.began_ns = dp_session_began_ns(session),
		.templates = stream->templates,
		.big_endian = target->big_endian,
		.leftover = stream->cli->verbose,
		.names = dph_names_for(stream->cli, session, &stream->images),
	};
	stream->records = dp_records_new(target->word_bytes, target->big_endian, &listener);
	if (stream->records == NULL)
		return false;
	dp_session_follow(session, stream->records);
	return true;
}

bool dph_stream_attach_again(struct dph_stream *stream)
{
	dp_session_follow(stream->session, NULL);
	dp_records_flush(stream->records, UINT64_MAX);
	stream->based = stream->learned = false; /* lines of the new start wait */
	if (!dp_session_open_again(stream->session))
		return false;
	dp_records_restart(stream->records);
	stream->style.began_ns = dp_session_began_ns(stream->session);
	dp_session_follow(stream->session, stream->records);
	return true;
}

bool dph_stream_ask(struct dph_stream *stream)
{
	return dp_session_learn(stream->session, stream->records);
}

bool dph_stream_ask_counts(struct dph_stream *stream)
{
	struct dp_status_answer status;

	for (unsigned i = 0; i < ASKS_MAX && !stream->based; i++)
		if (!dp_session_status(stream->session, &status))
			return false;
	return true;
}

bool dph_stream_learn(struct dph_stream *stream)
{
	if (!dph_stream_ask(stream))
		return false;
	stream->learned = true;
	for (size_t i = 0; i < stream->waiting_count; i++)
		if (stream->waiting[i].counts)
			dp_records_counts(stream->records, &stream->waiting[i].now);
		else
			dp_records_line(stream->records, &stream->waiting[i].frame, dp_clock_ms());
	stream->waiting_count = 0;
	return true;
}

static enum dph_stream_end failed(const struct dph_stream *stream)
{
	return dp_session_failure(stream->session)->kind == DP_FAILED_INTERRUPTED
		       ? DPH_STREAM_INTERRUPT
		       : DPH_STREAM_FAILED;
}

/* Deliver records that came before the time, those behind a withdraw included.
 * Returns false when the session failed. */
static bool deliver(struct dph_stream *stream, uint64_t before_ms)
{
	dp_records_flush(stream->records, before_ms);
	return release(stream);
}

enum dph_stream_end dph_stream_follow(struct dph_stream *stream)
{
	const uint64_t start = stream->start_ms != 0 ? stream->start_ms : dp_clock_ms();
	const uint64_t limit_ms = (uint64_t)(stream->cli->timeout_s * 1000);
	const uint64_t for_ms = (uint64_t)(stream->cli->for_s * 1000);

	stream->start_ms = start;
	stream->taken_ms = start;
	while (!enough(stream) && !ferror(stream->out) && !dph_output_unread(stream->out)) {
		stream->planned = for_ms != 0 && dp_clock_ms() - start >= for_ms;
		if (stream->planned || (limit_ms != 0 && dp_clock_ms() - start >= limit_ms)) {
			if (!deliver(stream, dp_clock_ms()))
				return failed(stream);
			return enough(stream) ? DPH_STREAM_ENOUGH : DPH_STREAM_TIMEOUT;
		}
		if (!dp_session_listen(stream->session, HOLD_MS)) {
			deliver(stream, dp_clock_ms());
			return failed(stream);
		}
		if (!deliver(stream, dp_clock_ms() - HOLD_MS) || !take(stream))
			return failed(stream);
	}
	return DPH_STREAM_ENOUGH;
}

/* Return whether every record before the number has come, or is lost. */
static bool has_all(const struct dp_records_place *place, uint32_t number)
{
	return place->known && place->have - number <= INT32_MAX;
}

/* Has the line brought awaited records between the two looks? Records behind the number do not
 * count: they come as long as the firmware runs. */
static bool has_moved(const struct dp_records_place *before, const struct dp_records_place *now,
		      uint32_t number)
{
	return before->have != now->have || before->again != now->again ||
	       (before->next != now->next && before->next - number > INT32_MAX);
}

/* Wait for the records before the number, and ask for the counts while none come. Returns false
 * when the session failed, or the records do not come. */
static bool wait_for(struct dph_stream *stream, uint32_t number)
{
	struct dp_records_place before = {.have = number}, place;
	struct dp_status_answer status;
	uint64_t came_ms = dp_clock_ms(), asked_ms = came_ms;

	for (;;) {
		const uint64_t now = dp_clock_ms();

		dp_records_place(stream->records, &place);
		if (has_all(&place, number))
			return true;
		came_ms = has_moved(&before, &place, number) ? now : came_ms;
		before = place;
		if (now - came_ms >= STUCK_MS || !dp_session_listen(stream->session, HOLD_MS))
			return false;
		if (now - came_ms < ASK_MS || now - asked_ms < ASK_MS)
			continue;
		asked_ms = now;
		if (!dp_session_status(stream->session, &status))
			return false;
	}
}

void dph_stream_drain(struct dph_stream *stream, uint32_t number)
{
	if (!dph_direction_is_here(&stream->direction))
		dp_records_give_up(stream->records, number);
	else if (!wait_for(stream, number))
		dp_records_end(stream->records, number);
	deliver(stream, UINT64_MAX);
}

bool dph_stream_drain_sent(struct dph_stream *stream)
{
	struct dp_status_answer status;

	if (!dp_session_status(stream->session, &status))
		return false;
	dph_stream_drain(stream, status.sent);
	return true;
}

/* --timeout ended before the awaited record. */
static int gave_up(const struct dph_stream *stream)
{
	const struct dph_cli *cli = stream->cli;
	char wanted[32] = "";

	if (cli->count != 0)
		snprintf(wanted, sizeof wanted, " of %lu", cli->count);
	dph_cli_error(cli, "timed out after %g s, %lu%s record(s)%s%s%s", cli->timeout_s,
		      stream->counted, wanted,
		      cli->until != NULL ? ": no line matched --until '" : "",
		      cli->until != NULL ? cli->until : "", cli->until != NULL ? "'" : "");
	return DPH_EXIT_TIMEOUT;
}

int dph_stream_status(const struct dph_stream *stream, enum dph_stream_end end)
{
	const struct dph_cli *cli = stream->cli;

	switch (end) {
	case DPH_STREAM_FAILED:
		return dph_target_failed(cli, stream->session);
	case DPH_STREAM_INTERRUPT:
		return DPH_EXIT_INTERRUPT;
	case DPH_STREAM_TIMEOUT:
		/* --for and --timeout alone end the stream as planned; with --count or --until a
		 * time-out is a failure. */
		if (stream->planned || (cli->count == 0 && cli->until == NULL))
			break;
		return gave_up(stream);
	case DPH_STREAM_ENOUGH:
		break;
	}
	if (stream->status > 0)
		return stream->status < DPH_EXIT_STATUS_MAX ? stream->status : DPH_EXIT_STATUS_MAX;
	return dp_records_lossy(stream->records) ||
			       (stream->formats != NULL && dp_formats_dropped(stream->formats))
		       ? DPH_EXIT_LOST
		       : DPH_EXIT_DONE;
}
