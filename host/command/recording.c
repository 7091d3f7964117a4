/* SPDX-License-Identifier: BSD-2-Clause */
/* Events of a capture as text, and the facts of its target. */
#define _GNU_SOURCE
#include "recording.h"

#include "kept.h"

#include "base/hex.h"
#include "base/pool.h"
#include "capture/capture.h"
#include "stream/records_tap.h"
#include "wire/messages.h"
#include <dprobes/errors.h>
#include <dprobes/version.h>

#include <errno.h>
#include <inttypes.h>
#include <string.h>

enum {
	MESSAGE_MAX = 256 /* bytes of an answer as the wire has it */
};

const char *const dph_recording_words[DPH_EVENT_COUNT] = {
#define EVENT(name, word) word,
	DPH_RECORDING_EVENTS
#undef EVENT
};

/* --- the file --- */

static const char *path_of(const struct dph_stream *stream)
{
	const struct dph_cli *cli = stream->cli;

	return stream->records_all ? cli->args[0] : dph_cli_get(cli, DPH_OPT_RECORD);
}

static bool create(struct dph_stream *stream, const char *path)
{
	const struct dph_cli *cli = stream->cli;

	if (dph_output_is_input(cli, path))
		return false;
	if (cli->output != NULL && strcmp(cli->output, path) == 0) {
		dph_cli_error(cli, "%s is the file of --output too; name another file", path);
		return false;
	}
	stream->capture = dph_capture_create(path);
	if (stream->capture == NULL)
		dph_cli_error(cli, "cannot write %s: %s", path, strerror(errno));
	return stream->capture != NULL;
}

bool dph_recording_open(struct dph_stream *stream, enum dp_table table)
{
	const struct dph_cli *cli = stream->cli;
	const char *path = path_of(stream);

	if (path == NULL)
		return true;
	if (!create(stream, path))
		return false;
	dph_capture_fact(stream->capture, "version", "%s", DP_VERSION);
	dph_capture_fact(stream->capture, "command", "%s", cli->command);
	if (dph_cli_has(cli, DPH_OPT_BOARD))
		dph_capture_fact(stream->capture, "board", "%s", dph_cli_get(cli, DPH_OPT_BOARD));
	if (cli->port != NULL)
		dph_capture_fact(stream->capture, "port", "%s", cli->port);
	dph_capture_fact(stream->capture, "table", "%s",
			 table == DP_TABLE_AGGREGATIONS ? "aggregations" : "records");
	if (cli->elf != NULL)
		dph_capture_fact(stream->capture, "elf", "%s", cli->elf);
	if (cli->count != 0)
		dph_capture_fact(stream->capture, "count", "%lu", cli->count);
	return true;
}

/* Say once that the file is not complete. */
static void tell_error(struct dph_stream *stream)
{
	const int error = dph_capture_error(stream->capture);

	if (error != 0 && !stream->capture_failed)
		dph_cli_error(stream->cli, "%s cannot be written further: %s; the records go on",
			      path_of(stream), strerror(error));
	stream->capture_failed |= error != 0;
}

void dph_recording_pause(struct dph_stream *stream)
{
	if (stream->capture == NULL)
		return;
	dph_capture_pause(stream->capture);
	tell_error(stream);
}

int dph_recording_close(struct dph_stream *stream, int status)
{
	bool good;

	if (stream->capture == NULL)
		return status;
	tell_error(stream);
	good = dph_capture_close(stream->capture) && !stream->capture_failed;
	stream->capture = NULL;
	if (!good && !stream->capture_failed)
		dph_cli_error(stream->cli, "%s could not be written completely", path_of(stream));
	return good || status != DPH_EXIT_DONE ? status : DPH_EXIT_USAGE;
}

/* --- the target --- */

static void on_tell(void *context, uint8_t number, const struct dp_probe_meaning *m)
{
	const struct dph_stream *stream = context;

	dph_capture_event(stream->capture, "%s %u %u %u %u %u %u %" PRIx64 " %s",
			  dph_recording_words[DPH_EVENT_PROBE], number, m->items, m->program,
			  m->point, m->major, m->minor, m->address, m->name);
}

static void on_call(void *context, enum dph_records_call call, uint32_t number)
{
	static const enum dph_recording_event events[] = {
		[DPH_RECORDS_RESENDS] = DPH_EVENT_RESENDS,
		[DPH_RECORDS_GIVE_UP] = DPH_EVENT_GIVE_UP,
		[DPH_RECORDS_SENT] = DPH_EVENT_SENT,
		[DPH_RECORDS_END] = DPH_EVENT_ENDED,
	};
	const struct dph_stream *stream = context;

	dph_recording_event(stream->capture, events[call], number, 0);
}

/* Write an answer as the wire has it, in hexadecimal digits. */
static void write_answer(struct dph_stream *stream, enum dph_recording_event event,
			 const struct dph_form *form, const void *answer)
{
	uint8_t bytes[MESSAGE_MAX] = {0};
	struct dph_writer writer = {
		.p = bytes, .room = sizeof bytes, .word_bytes = stream->lines->word_bytes};
	char text[MESSAGE_MAX * 2 + 1];

	dph_write(&writer, form, answer);
	dph_capture_event(stream->capture, "%s %s", dph_recording_words[event],
			  dph_hex(text, bytes, writer.used));
}

static void write_limits(const struct dph_stream *stream)
{
	struct dp_limits_answer l;

	if (dp_session_limits(stream->session, &l))
		dph_capture_fact(stream->capture, "limits",
				 "log %u trace %u vars %u gvars %u jmpmax %u stack %u budget "
				 "%" PRIu32 " arena %" PRIu32
				 " probes %u programs %u ring %" PRIu32,
				 l.log, l.trace, l.vars, l.gvars, l.jmpmax, l.stack, l.budget,
				 l.arena, l.probes, l.programs, l.ring);
}

/* The facts that `report` needs stand in lines.h. */
static void write_target(const struct dph_stream *stream)
{
	const struct dp_hello_answer *hello = dp_session_target(stream->session);
	const struct dph_lines *lines = stream->lines;
	struct dph_capture *capture = stream->capture;

	dph_capture_fact(capture, "cpu", "%s", dp_cpu_text(hello->cpu));
	dph_capture_fact(capture, "word-bytes", "%u", lines->word_bytes);
	dph_capture_fact(capture, "endian", "%s", lines->big_endian ? "big" : "little");
	dph_capture_fact(capture, "hz", "%" PRIu32, lines->hz);
	dph_capture_fact(capture, "ticks", "%" PRIu64, hello->ticks);
	dph_capture_fact(capture, "began-ns", "%" PRId64, lines->began_ns);
	dph_capture_fact(capture, "boot", "%u", hello->boot);
}

static void write_modules(struct dph_stream *stream)
{
	char id[2 * DP_COUNTED_MAX + 1];

	for (size_t i = 0; i < stream->modules.count; i++) {
		const struct dp_module_answer *module = &stream->modules.list[i];

		if (i == 0)
			dph_capture_fact(stream->capture, "build-id", "%s",
					 dph_hex(id, module->id.bytes, module->id.count));
		write_answer(stream, DPH_EVENT_MODULE, DPH_OF_CONST(module_answer, module));
	}
}

void dph_recording_attach(struct dph_stream *stream)
{
	const struct dph_records_tap tap = {stream, on_tell, on_call};

	if (stream->capture == NULL)
		return;
	write_target(stream);
	dph_recording_event(stream->capture, DPH_EVENT_ATTACH, stream->lines->word_bytes, 0);
	write_limits(stream);
	write_modules(stream);
	dph_records_tap(stream->records, &tap);
}

/* --- programs --- */

static void write_program(struct dph_stream *stream, const struct dp_object_file *object,
			  uint8_t index, bool own)
{
	struct dp_program_info program;

	dp_object_program(object, &program);
	dph_capture_object(stream->capture, program.name, object->data, object->bytes);
	dph_capture_event(stream->capture, "%s %u %d %d %" PRIu32,
			  dph_recording_words[DPH_EVENT_PROGRAM], index, own,
			  own && stream->replaces, object->travelling);
}

void dph_recording_program(struct dph_stream *stream, const struct dp_object_file *object)
{
	if (stream->capture != NULL)
		write_program(stream, object, stream->program, stream->own_only);
}

static bool write_kept(void *context, const struct dp_program_answer *program)
{
	struct dp_object_file *object = dph_kept_find(program);

	if (object != NULL)
		write_program(context, object, program->index, false);
	dp_object_free(object);
	return true;
}

void dph_recording_kept(struct dph_stream *stream)
{
	const struct dp_walk walk = {.context = stream, .program = write_kept};

	if (stream->records_all)
		dp_session_walk(stream->session, &walk);
}

/* --- the stream --- */

uint64_t dph_recording_line(struct dph_stream *stream, const char *text, size_t count)
{
	if (stream->capture != NULL)
		return dph_capture_line(stream->capture, text, count);
	return stream->replays ? stream->replay_ms : dp_clock_ms();
}

void dph_recording_counts(struct dph_stream *stream, const struct dp_record_counts *c)
{
	if (stream->capture != NULL)
		dph_capture_event(stream->capture,
				  "%s %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 " %d",
				  dph_recording_words[DPH_EVENT_COUNTS], c->sent, c->dropped,
				  c->missed, c->withdrawn, c->stored);
}

void dph_recording_text(struct dph_stream *stream, const uint8_t *bytes, size_t count)
{
	if (stream->capture != NULL)
		dph_capture_text(stream->capture, bytes, count);
}

uint64_t dph_recording_learned(struct dph_stream *stream)
{
	if (stream->capture != NULL)
		return dph_capture_event(stream->capture, "%s",
					 dph_recording_words[DPH_EVENT_LEARNED]);
	return stream->replays ? stream->replay_ms : dp_clock_ms();
}

static uint64_t now_ms(const struct dph_stream *stream)
{
	if (stream->capture != NULL)
		return dph_capture_now(stream->capture);
	return stream->replays ? stream->replay_ms : dp_clock_ms();
}

void dph_recording_flush(struct dph_stream *stream, int hold_ms)
{
	const uint64_t now = now_ms(stream);
	const uint64_t before = dp_records_totals(stream->records)->records;

	if (hold_ms == DPH_FLUSH_ALL)
		dp_records_flush(stream->records, UINT64_MAX);
	else if (now >= (unsigned)hold_ms)
		dp_records_flush(stream->records, now - (unsigned)hold_ms);
	if (stream->capture != NULL && dp_records_totals(stream->records)->records != before)
		dph_capture_event(stream->capture, "%s %d", dph_recording_words[DPH_EVENT_FLUSH],
				  hold_ms);
}

/* --- numbers --- */

void dph_recording_event(struct dph_capture *capture, enum dph_recording_event event,
			 uint64_t first, uint64_t second)
{
	if (capture != NULL)
		dph_capture_event(capture, "%s %" PRIu64 " %" PRIu64, dph_recording_words[event],
				  first, second);
}

void dph_recording_map(struct dph_capture *capture, unsigned index, uint32_t dropped,
		       const struct dp_map_entries *entries)
{
	if (capture != NULL)
		dph_capture_words(capture, entries->words, entries->count * entries->each,
				  "%s %u %" PRIu32 " %u", dph_recording_words[DPH_EVENT_MAP], index,
				  dropped, entries->each);
}

void dph_recording_array(struct dph_capture *capture, unsigned index,
			 const struct dp_map_entries *entries)
{
	if (capture != NULL)
		dph_capture_words(capture, entries->words, entries->count * entries->each,
				  "%s %u %u", dph_recording_words[DPH_EVENT_ARRAY], index,
				  entries->each);
}

void dph_recording_vars(struct dph_stream *stream, const uint64_t *words, size_t count)
{
	if (stream->capture != NULL)
		dph_capture_words(stream->capture, words, count, "%s",
				  dph_recording_words[DPH_EVENT_VARS]);
}

void dph_recording_stopped(struct dph_stream *stream, uint64_t ran_ms, const char *name)
{
	if (stream->capture != NULL)
		dph_capture_event(stream->capture, "%s %" PRIu64 " %s",
				  dph_recording_words[DPH_EVENT_STOPPED], ran_ms, name);
}

void dph_recording_counter(struct dph_stream *stream, const struct dp_probe_answer *probe)
{
	if (stream->capture != NULL)
		write_answer(stream, DPH_EVENT_COUNTER, DPH_OF_CONST(probe_answer, probe));
}
