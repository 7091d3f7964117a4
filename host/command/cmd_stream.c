/* SPDX-License-Identifier: BSD-2-Clause */
/* The record stream prints records, gaps and notices of a source of lines and ends by the options.
 */
#define _GNU_SOURCE
#include "recording.h"
#include "stream_parts.h"

#include "base/exit_status.h"
#include "present/tally.h"
#include "session/session_request.h"
#include "symbols/elf_image.h"
#include "tables/registers.h"

#include <stdlib.h>
#include <string.h>

enum {
	HOLD_MS = 50,     /* a withdraw follows its record immediately, or never */
	ASK_MS = 300,     /* of silence while records are awaited: ask for the counts */
	STUCK_MS = 10000, /* the agent answers, and the missing records do not come */
	ASKS_MAX = 32,    /* for the counts; each answer in two is damaged on a very bad line */
};

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

uint64_t dph_stream_ran_ms(const struct dph_stream *stream)
{
	if (stream->replays)
		return stream->replay_ran_ms;
	return stream->start_ms != 0 ? dp_clock_ms() - stream->start_ms : 0;
}

void dph_stream_tell_others(const struct dph_stream *stream)
{
	/* The clients of a service have records of their own. */
	if (stream->of_session && stream->session != NULL && dph_session_is_served(stream->session))
		return;
	if (stream->others > 0 && !stream->cli->quiet)
		fprintf(stderr,
			"dprobes: %lu record(s) of other programs are not shown; 'dprobes log' "
			"prints them\n",
			stream->others);
}

bool dph_stream_init(struct dph_stream *stream, const struct dph_cli *cli, int *status)
{
	memset(stream, 0, sizeof *stream);
	stream->cli = cli;
	stream->progress.cli = cli;
	stream->cores.cli = cli;
	stream->status = -1;
	dph_console_text_init(&stream->text, cli, STDERR_FILENO);
	dph_stream_listen(stream);
	return dph_core_then_good(cli, status) &&
	       dph_core_path_good(cli, dph_cli_get(cli, DPH_OPT_CORES), status) &&
	       init_tally(stream, cli, status) &&
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
	dph_recording_close(stream, DPH_EXIT_DONE);
	dph_stream_end_console(stream);
	dph_stream_end_early(stream);
	dph_core_files_end(&stream->cores, &stream->images, 0);
	dph_core_files_free(&stream->cores);
	dp_sink_close(stream->sink);
	free(stream->modules.list);
	dp_records_free(stream->records);
	dp_records_free(stream->numbers);
	dp_templates_free(stream->templates);
	dph_images_close(&stream->images);
	dph_tally_free(stream->tally);
	close_formats(stream);
	free(stream->waiting);
	dph_held_free(&stream->held);
	dp_object_free(stream->kept);
	dph_until_free(&stream->until);
}

void dph_stream_formats_none(struct dph_stream *stream)
{
	close_formats(stream);
	stream->style.formats = NULL;
}

/* The file that names addresses of the program: the ELF file, or the symbols of the firmware; null:
 * there is none. */
static const char *names_file(const struct dph_cli *cli, const struct dp_object_file *object)
{
	struct dp_module_info module;

	if (cli->elf != NULL || dph_cli_has(cli, DPH_OPT_NO_NAMES))
		return cli->elf;
	return dp_object_module(object, 0, &module) && module.type == DP_MODULE_KERNEL
		       ? dph_cli_get(cli, DPH_OPT_SYM)
		       : NULL;
}

/* The compiler has read the firmware before and has printed the errors. */
void dph_stream_formats(struct dph_stream *stream, const struct dp_object_file *object)
{
	struct dp_messages messages = {0};
	const char *file = names_file(stream->cli, object);
	struct dp_program_info program;

	close_formats(stream);
	dp_object_program(object, &program);
	stream->image = file != NULL ? dp_image_open(file, &messages) : NULL;
	dp_messages_free(&messages);
	if (stream->image != NULL)
		dp_image_move(stream->image, program.moved);
	stream->formats = dph_output_formats(stream->out, object, stream->image);
	stream->style.formats = stream->formats;
	stream->style.program = stream->program;
	stream->style.bare = dph_cli_has(stream->cli, DPH_OPT_BARE) ||
			     (stream->formats != NULL && dp_formats_quiet(stream->formats));
	dph_recording_program(stream, object);
}

bool dph_stream_output(struct dph_stream *stream, FILE *out, enum dp_table table)
{
	stream->out = out;
	stream->sink = dph_output_into(stream->cli, table, out, stream->folder);
	return stream->sink != NULL && dph_recording_open(stream, table);
}

/* The registers of a core are those of the target's CPU, or of the ELF file's. */
static void know_core(struct dph_stream *stream)
{
	struct dph_core_files *cores = &stream->cores;
	const struct dp_image *image = dph_images_names(&stream->images);

	if (stream->session != NULL)
		cores->cpu = dph_cpu_numbered(dp_session_target(stream->session)->cpu);
	else if (image != NULL)
		cores->cpu = dph_image_cpu(image);
	cores->modules = &stream->modules;
	cores->word_bytes = stream->style.word_bytes;
	cores->big_endian = stream->style.big_endian;
}

bool dph_stream_read(struct dph_stream *stream, struct dph_lines *lines)
{
	const struct dp_records_listener listener = dph_stream_receiver(stream);

	stream->lines = lines;
	stream->style = (struct dp_record_style){
		.word_bytes = lines->word_bytes,
		.hz = lines->hz,
		.began_ns = lines->began_ns,
		.templates = stream->templates,
		.big_endian = lines->big_endian,
		.leftover = stream->cli->verbose,
	};
	know_core(stream);
	stream->records = dp_records_new(lines->word_bytes, lines->big_endian, &listener);
	dph_stream_end_early(stream);
	return stream->records != NULL && dph_stream_follow_numbers(stream);
}

void dph_stream_know_modules(struct dph_stream *stream)
{
	dph_module_list_read(&stream->modules, stream->session);
}

void dph_stream_place_names(struct dph_stream *stream)
{
	const struct dph_modules modules =
		dph_modules_of_list(&stream->modules, stream->lines->word_bytes);

	stream->style.names = dph_names_at(stream->cli, &modules, &stream->images);
	if (stream->style.names == NULL)
		dph_images_close(&stream->images);
}

bool dph_stream_attach(struct dph_stream *stream, struct dp_session *session)
{
	stream->session = session;
	stream->of_session = true;
	stream->hello_ticks = dp_session_target(session)->ticks;
	stream->hello_ms = dp_clock_ms();
	dph_session_lines(&stream->its_lines, session);
	if (!dph_stream_read(stream, &stream->its_lines.lines))
		return false;
	if (stream->capture != NULL || dph_images_names(&stream->images) != NULL)
		dph_stream_know_modules(stream);
	dph_recording_attach(stream);
	dph_stream_place_names(stream);
	return true;
}

bool dph_stream_attach_again(struct dph_stream *stream)
{
	dph_stream_follow_none(stream);
	dph_recording_flush(stream, DPH_FLUSH_ALL);
	stream->based = stream->learned = false; /* lines of the new start wait */
	dph_recording_event(stream->capture, DPH_EVENT_RESTART, 0, 0);
	if (!dp_session_open_again(stream->session))
		return false;
	dp_records_restart(stream->records);
	stream->hello_ticks = dp_session_target(stream->session)->ticks;
	stream->hello_ms = dp_clock_ms();
	dph_session_lines(&stream->its_lines, stream->session);
	stream->style.began_ns = stream->lines->began_ns;
	if (stream->modules.count > 0)
		dph_stream_know_modules(stream);
	dph_recording_attach(stream);
	return dph_stream_follow_numbers(stream);
}

bool dph_stream_ask(struct dph_stream *stream)
{
	return stream->lines->learn(stream->lines, stream->records);
}

bool dph_stream_ask_counts(struct dph_stream *stream)
{
	uint32_t sent;

	for (unsigned i = 0; i < ASKS_MAX && !stream->based; i++)
		if (!stream->lines->ask(stream->lines, &sent))
			return false;
	return true;
}

bool dph_stream_learn(struct dph_stream *stream)
{
	if (!dph_stream_ask(stream))
		return false;
	stream->learned = true;
	dph_stream_follow_records(stream);
	return true;
}

static enum dph_stream_end failed(const struct dph_stream *stream)
{
	switch (stream->lines->state(stream->lines)) {
	case DPH_LINES_INTERRUPTED:
		return DPH_STREAM_INTERRUPT;
	case DPH_LINES_ENDED:
		return DPH_STREAM_ENDED;
	default:
		return DPH_STREAM_FAILED;
	}
}

/* Deliver records that came before the last hold_ms, those behind a withdraw included.
 * Returns false when the session failed. */
static bool deliver(struct dph_stream *stream, int hold_ms)
{
	dph_recording_flush(stream, hold_ms);
	dph_recording_pause(stream);
	return dph_stream_release(stream);
}

enum dph_stream_end dph_stream_follow(struct dph_stream *stream)
{
	const uint64_t start = stream->start_ms != 0 ? stream->start_ms : dp_clock_ms();
	const uint64_t limit_ms = (uint64_t)(stream->cli->timeout_s * 1000);
	const uint64_t for_ms = (uint64_t)(stream->cli->for_s * 1000);

	stream->start_ms = start;
	stream->taken_ms = start;
	while (!dph_stream_enough(stream) && !ferror(stream->out) &&
	       !dph_output_unread(stream->out)) {
		stream->planned = for_ms != 0 && dp_clock_ms() - start >= for_ms;
		if (stream->planned || (limit_ms != 0 && dp_clock_ms() - start >= limit_ms)) {
			if (!deliver(stream, 0))
				return failed(stream);
			return dph_stream_enough(stream) ? DPH_STREAM_ENOUGH : DPH_STREAM_TIMEOUT;
		}
		if (!stream->lines->next(stream->lines, HOLD_MS)) {
			deliver(stream, DPH_FLUSH_ALL);
			return failed(stream);
		}
		if (!deliver(stream, HOLD_MS))
			return failed(stream);
		dph_core_files_end(&stream->cores, &stream->images, HOLD_MS);
		if (stream->cores.crashed && stream->session != NULL &&
		    !dph_core_files_crash(&stream->cores, stream->session, &stream->images))
			return failed(stream);
		if (stream->cores.stays)
			return DPH_STREAM_ENOUGH;
		stream->removed |= stream->own_only && stream->of_session &&
				   dph_session_removed(stream->session);
		if (stream->removed)
			return DPH_STREAM_REMOVED;
		dph_until_pause(&stream->until);
		if (!dph_stream_take(stream))
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
	uint64_t came_ms = dp_clock_ms(), asked_ms = came_ms;
	uint32_t sent;

	for (;;) {
		const uint64_t now = dp_clock_ms();

		dp_records_place(stream->records, &place);
		if (has_all(&place, number))
			return true;
		came_ms = has_moved(&before, &place, number) ? now : came_ms;
		before = place;
		if (now - came_ms >= STUCK_MS || !stream->lines->next(stream->lines, HOLD_MS))
			return false;
		if (now - came_ms < ASK_MS || now - asked_ms < ASK_MS)
			continue;
		asked_ms = now;
		if (!stream->lines->ask(stream->lines, &sent))
			return false;
	}
}

void dph_stream_drain(struct dph_stream *stream, uint32_t number)
{
	if (!dph_direction_is_here(&stream->direction))
		dp_records_give_up(stream->records, number);
	else if (!wait_for(stream, number))
		dp_records_end(stream->records, number);
	deliver(stream, DPH_FLUSH_ALL);
}

bool dph_stream_drain_sent(struct dph_stream *stream)
{
	uint32_t sent;

	if (!stream->lines->ask(stream->lines, &sent))
		return false;
	dph_stream_drain(stream, sent);
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

int dph_stream_status(struct dph_stream *stream, enum dph_stream_end end)
{
	const struct dph_cli *cli = stream->cli;

	dph_core_files_end(&stream->cores, &stream->images, 0);
	switch (end) {
	case DPH_STREAM_FAILED:
		return dph_target_failed(cli, stream->session);
	case DPH_STREAM_REMOVED:
		dph_cli_error(cli,
			      "the program was removed: by another command, or by somebody who "
			      "typed '~dprobes remove' to the target");
		return DPH_EXIT_AGENT;
	case DPH_STREAM_INTERRUPT:
		return DPH_EXIT_INTERRUPT;
	case DPH_STREAM_TIMEOUT:
		/* --for and --timeout alone end the stream as planned; with --count or --until a
		 * time-out is a failure. */
		if (stream->planned || (cli->count == 0 && cli->until == NULL))
			break;
		return gave_up(stream);
	case DPH_STREAM_ENOUGH:
	case DPH_STREAM_ENDED:
		break;
	}
	if (stream->cores.failed)
		return DPH_EXIT_USAGE;
	if (stream->status > 0)
		return stream->status < DPH_EXIT_STATUS_MAX ? stream->status : DPH_EXIT_STATUS_MAX;
	return dp_records_lossy(stream->records) ||
			       (stream->formats != NULL && dp_formats_dropped(stream->formats))
		       ? DPH_EXIT_LOST
		       : DPH_EXIT_DONE;
}
